-- What a member did, newest first: these take the place of the indexes that only found it.

create index reactions_activity_idx on feed.reactions (member_id, created_at desc, post_id desc);
create index comments_activity_idx on feed.comments (author_id, created_at desc, id desc);

drop index feed.reactions_member_idx;
drop index feed.comments_author_idx;

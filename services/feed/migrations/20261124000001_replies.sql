-- Replies to comments, and reactions to comments. Counters change in the transaction of their cause.

alter table feed.comments
    -- The top-level comment of a reply: there is one level.
    add column reply_to uuid,
    add column reply_count bigint not null default 0,
    add column like_count bigint not null default 0,
    add constraint comments_reply_to_fkey foreign key (reply_to) references feed.comments (id) on delete cascade,
    add constraint comments_reply_count_check check (reply_count >= 0),
    add constraint comments_like_count_check check (like_count >= 0),
    -- A reply has no replies.
    add constraint comments_level_check check (reply_to is null or reply_count = 0);

-- Lists read top-level comments or the replies to one of them, never both: partial indexes, so that no list skips rows of
-- the other kind.
drop index feed.comments_newest_idx;
create index comments_newest_idx on feed.comments (post_id, created_at desc, id desc) where reply_to is null;
create index comments_replies_idx on feed.comments (reply_to, created_at, id) where reply_to is not null;
-- All comments on a deleted post.
create index comments_post_id_idx on feed.comments (post_id);

create table feed.comment_reactions (
    comment_id uuid,
    member_id uuid,
    kind text not null,
    -- The number of changes of the kind: 0 distinguishes a new row from a changed one.
    changes integer not null default 0,
    created_at timestamptz not null,
    -- With the kind, so that one member's reaction is read from this index and not from that of the newest ones.
    constraint comment_reactions_pkey primary key (comment_id, member_id) include (kind),
    constraint comment_reactions_comment_id_fkey
        foreign key (comment_id) references feed.comments (id) on delete cascade,
    constraint comment_reactions_kind_check check (kind in ('like', 'celebrate', 'support', 'insightful', 'thanks'))
);

-- The newest reactions to a comment, by an index-only scan.
create index comment_reactions_newest_idx
    on feed.comment_reactions (comment_id, created_at desc, member_id desc) include (kind);
-- For the export and the erasure of a member.
create index comment_reactions_member_id_idx on feed.comment_reactions (member_id);

-- As for the children of posts: a comment is assumed to have a large share of the table, so that one with thousands of
-- reactions or replies is read in the order of the index to the limit, instead of all its rows being sorted.
alter table feed.comment_reactions alter column comment_id set (n_distinct = 10);
alter table feed.comments alter column reply_to set (n_distinct = 10);

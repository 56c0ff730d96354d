-- Posts and comments may be changed by whoever wrote them, and are marked then; a post may pass on another.

alter table feed.posts
    -- When its words were last changed; null while they stand as they were written.
    add column edited_at timestamptz,
    -- What it passes on. Nothing holds that post: gone, it is still known that there was one.
    add column repost_of uuid,
    add column share_count bigint not null default 0,
    drop constraint posts_content_check,
    -- Only who passes something on may do so without words.
    add constraint posts_content_check
        check (char_length(content) <= 5000 and (content <> '' or repost_of is not null)),
    add constraint posts_share_count_check check (share_count >= 0);

-- Without words a post is passed on once, to whomever.
create unique index posts_author_id_repost_of_key
    on feed.posts (author_id, repost_of, coalesce(community_id, '00000000-0000-0000-0000-000000000000'))
    where content = '';

alter table feed.comments
    add column edited_at timestamptz;

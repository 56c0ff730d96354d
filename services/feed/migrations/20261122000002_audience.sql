-- Whom a post is for: everybody, or the members of a community. No list steps over posts of the one kind to reach the
-- other, so each kind has indexes of its own, and a post stands in the indexes of its kind only.

alter table feed.posts
    -- Null for everybody.
    add column community_id uuid,
    -- Where the author studied when they wrote it: see src/ranking.rs.
    add column school_key text;

drop index feed.posts_recent_idx;
drop index feed.posts_top_idx;
drop index feed.posts_relevant_idx;
drop index feed.posts_author_idx;

-- For everybody: one index an order, one for a member's page, one for whoever is of the author's school.
create index posts_recent_idx on feed.posts (created_at desc, id desc)
    where community_id is null;
create index posts_top_idx on feed.posts (like_count desc, created_at desc, id desc)
    where community_id is null;
create index posts_relevant_idx on feed.posts (rank desc, id desc)
    where community_id is null;
create index posts_author_idx on feed.posts (author_id, created_at desc, id desc)
    where community_id is null;
create index posts_school_idx on feed.posts (school_key, rank desc, id desc)
    where community_id is null and school_key is not null;

-- In a community: one index an order, one for a member's page as another member of the community sees it.
create index posts_community_recent_idx on feed.posts (community_id, created_at desc, id desc)
    where community_id is not null;
create index posts_community_top_idx on feed.posts (community_id, like_count desc, created_at desc, id desc)
    where community_id is not null;
create index posts_community_relevant_idx on feed.posts (community_id, rank desc, id desc)
    where community_id is not null;
create index posts_community_author_idx on feed.posts (author_id, community_id, created_at desc, id desc)
    where community_id is not null;

-- One's own posts in whatever community, which one sees even after leaving it.
create index posts_own_recent_idx on feed.posts (author_id, created_at desc, id desc)
    where community_id is not null;
create index posts_own_top_idx on feed.posts (author_id, like_count desc, created_at desc, id desc)
    where community_id is not null;

-- Whoever knows the author, and the author: posts of both kinds.
create index posts_author_relevant_idx on feed.posts (author_id, rank desc, id desc);

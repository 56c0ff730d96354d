-- What a member controls in their lists: followed members (a copy), hidden posts, and mutes.

-- A copy of the follows of social-graph.
create table feed.follows (
    member_id uuid,
    followed_id uuid,
    followed_at timestamptz not null,
    constraint follows_pkey primary key (member_id, followed_id)
);

-- The newest follows, which raise the rank.
create index follows_newest_idx on feed.follows (member_id, followed_at desc, followed_id);
-- For the erasure of a followed member.
create index follows_followed_id_idx on feed.follows (followed_id);

-- Posts that a member hides, at most 1,000. Without a foreign key, as saved items: the row remains when the post is deleted.
create table feed.hidden_posts (
    member_id uuid,
    post_id uuid,
    hidden_at timestamptz not null,
    -- The member is not interested: posts of the author and posts with the topics rank lower for 30 days.
    not_interested boolean not null,
    -- Copies, so that a list needs no join.
    author_id uuid not null,
    topics text[] not null,
    constraint hidden_posts_pkey primary key (member_id, post_id),
    constraint hidden_posts_topics_check check (cardinality(topics) <= 5)
);

create index hidden_posts_newest_idx on feed.hidden_posts (member_id, hidden_at desc, post_id desc);
-- What a member is not interested in; for most members no rows.
create index hidden_posts_not_interested_idx on feed.hidden_posts (member_id, hidden_at desc)
    where not_interested;
-- For the erasure of an author.
create index hidden_posts_author_id_idx on feed.hidden_posts (author_id);

-- Words, members and communities that a member does not read in their lists.
create table feed.mutes (
    id uuid,
    member_id uuid not null,
    kind text not null,
    -- In lower case, white space as single spaces.
    word text collate "C",
    -- The member or community.
    target_id uuid,
    muted_at timestamptz not null,
    -- Null for a mute without an end.
    expires_at timestamptz,
    constraint mutes_pkey primary key (id),
    constraint mutes_kind_check check (kind in ('word', 'member', 'community')),
    constraint mutes_word_check check ((word is not null) = (kind = 'word') and char_length(word) between 1 and 100),
    constraint mutes_target_id_check check ((target_id is null) = (kind = 'word') and target_id <> member_id)
);

create unique index mutes_word_key on feed.mutes (member_id, word)
    where word is not null;
create unique index mutes_target_id_key on feed.mutes (member_id, kind, target_id)
    where target_id is not null;
-- For the removal of a member or community.
create index mutes_target_id_idx on feed.mutes (target_id)
    where target_id is not null;
create index mutes_expires_at_idx on feed.mutes (expires_at)
    where expires_at is not null;

-- The newest public posts of a school.
create index posts_school_recent_idx on feed.posts (school_key, created_at desc, id desc)
    where community_id is null and school_key is not null;

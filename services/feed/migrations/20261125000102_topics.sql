-- Topics of posts, and the members who follow them. Topics are in lower case: see the crate portia-proto.

-- Written with the text of the post. The copies of its columns let a list read one index.
create table feed.post_topics (
    post_id uuid,
    topic text collate "C",
    author_id uuid not null,
    community_id uuid,
    created_at timestamptz not null,
    constraint post_topics_pkey primary key (post_id, topic),
    constraint post_topics_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade,
    constraint post_topics_topic_check check (char_length(topic) between 1 and 100)
);

-- The newest posts with a topic: public ones, those of a community, and those of an author in all communities.
create index post_topics_newest_idx on feed.post_topics (topic, created_at desc, post_id desc) include (author_id)
    where community_id is null;
create index post_topics_community_idx
    on feed.post_topics (topic, community_id, created_at desc, post_id desc) include (author_id)
    where community_id is not null;
create index post_topics_author_idx on feed.post_topics (author_id, topic, created_at desc, post_id desc)
    where community_id is not null;
-- The newest topics of public posts, for the ones that many members use.
create index post_topics_used_idx on feed.post_topics (created_at desc) include (topic, author_id)
    where community_id is null;

create table feed.topic_follows (
    member_id uuid,
    topic text collate "C",
    followed_at timestamptz not null,
    constraint topic_follows_pkey primary key (member_id, topic),
    constraint topic_follows_topic_check check (char_length(topic) between 1 and 100)
);

-- The outbox and the consumer state of the schema feed; the crate outbox reads and writes these tables.

-- One row per published fact, inserted in the transaction of the change. Debezium's outbox router can read these
-- columns: id, kind (type), key, payload, at (timestamp), traceparent (tracing).
create table feed.outbox (
    id bigserial,
    -- The position in commit order, without gaps. The sequencer assigns it after the commit.
    seq bigint,
    -- The full name of the payload's message.
    kind text not null,
    -- Facts of one key keep their order.
    key text not null,
    payload bytea not null,
    traceparent text,
    at timestamptz not null,
    constraint outbox_pkey primary key (id),
    constraint outbox_seq_key unique (seq),
    constraint outbox_seq_check check (seq > 0),
    constraint outbox_kind_check check (kind <> '')
);

-- The rows that wait for the sequencer.
create index outbox_unnumbered_idx on feed.outbox (id) where seq is null;

-- The last assigned position. The row is also the sequencers' lock.
create table feed.outbox_sequence (
    id smallint,
    n bigint not null,
    constraint outbox_sequence_pkey primary key (id),
    constraint outbox_sequence_id_check check (id = 1),
    constraint outbox_sequence_n_check check (n >= 0)
);

insert into feed.outbox_sequence (id, n) values (1, 0);

-- The position consumed from each source. It moves by compare-and-set in the transaction of the effect.
create table feed.cursors (
    source text,
    seq bigint not null,
    constraint cursors_pkey primary key (source),
    constraint cursors_seq_check check (seq >= 0)
);

-- Facts that failed ten times, complete, so that an operator can publish them again. seq is 0 for a snapshot row.
create table feed.dead_facts (
    id bigserial,
    source text not null,
    seq bigint not null,
    kind text not null,
    key text not null,
    payload bytea not null,
    traceparent text,
    error text not null,
    at timestamptz not null,
    constraint dead_facts_pkey primary key (id)
);

-- Posts. Counters change in the statement of their cause.

create table feed.posts (
    id uuid,
    author_id uuid not null,
    -- Markdown in an article, plain text otherwise.
    content text not null,
    like_count bigint not null default 0,
    comment_count bigint not null default 0,
    created_at timestamptz not null,
    -- The time of creation in the unit of the ranking: see src/timeline/ranking.rs.
    freshness double precision not null,
    -- The relevance to a viewer without a relation to the author. Generated, so that it agrees with the counters.
    rank double precision not null
        generated always as (freshness + ln((1 + like_count + 2 * comment_count)::double precision)) stored,
    -- The community that may read the post; null for a public post.
    community_id uuid,
    -- The author's school at the time of creation: see src/timeline/ranking.rs.
    school_key text,
    -- The time of the last change of the text; null for an unchanged post.
    edited_at timestamptz,
    -- The reposted post. Not a foreign key: the id remains when that post is deleted.
    repost_of uuid,
    share_count bigint not null default 0,
    -- The title of an article; null for other posts.
    title text,
    -- The beginning of an article as plain text, for lists: see src/posts/excerpt.rs.
    excerpt text,
    -- A copy of the picture's row in feed.pictures, so that a page reads one table, and the author's alternative text.
    picture_hash text,
    picture_alt text,
    picture_width integer,
    picture_height integer,
    -- The address of a page with a video.
    video_url text,
    constraint posts_pkey primary key (id),
    constraint posts_like_count_check check (like_count >= 0),
    constraint posts_comment_count_check check (comment_count >= 0),
    constraint posts_share_count_check check (share_count >= 0),
    -- Only a repost may have an empty text.
    constraint posts_content_check
        check (
            char_length(content) <= case when title is null then 5000 else 40000 end
            and (content <> '' or repost_of is not null)
        ),
    constraint posts_title_check check (char_length(title) between 1 and 200),
    constraint posts_excerpt_check check ((excerpt is null) = (title is null) and char_length(excerpt) <= 600),
    constraint posts_picture_check
        check (
            num_nulls(picture_hash, picture_alt, picture_width, picture_height) in (0, 4)
            and char_length(picture_alt) <= 1000
        ),
    constraint posts_video_url_check check (char_length(video_url) between 1 and 2048),
    -- A picture excludes a video and a title, and a repost has none of the three.
    constraint posts_attached_check
        check (
            num_nonnulls(picture_hash, video_url) <= 1
            and num_nonnulls(picture_hash, title) <= 1
            and num_nonnulls(repost_of, title) <= 1
            and num_nonnulls(repost_of, picture_hash) <= 1
            and num_nonnulls(repost_of, video_url) <= 1
        )
);

-- Public posts and posts of communities have separate partial indexes, so that no list skips rows of the other kind.

-- Public posts: one index per order, one for a member's page, one for viewers from the author's school.
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

-- Posts of communities: one index per order, one for a member's page as another member of the community sees it.
create index posts_community_recent_idx on feed.posts (community_id, created_at desc, id desc)
    where community_id is not null;
create index posts_community_top_idx on feed.posts (community_id, like_count desc, created_at desc, id desc)
    where community_id is not null;
create index posts_community_relevant_idx on feed.posts (community_id, rank desc, id desc)
    where community_id is not null;
create index posts_community_author_idx on feed.posts (author_id, community_id, created_at desc, id desc)
    where community_id is not null;

-- The author's own posts in all communities, which the author sees also after leaving one.
create index posts_own_recent_idx on feed.posts (author_id, created_at desc, id desc)
    where community_id is not null;
create index posts_own_top_idx on feed.posts (author_id, like_count desc, created_at desc, id desc)
    where community_id is not null;

-- Posts of both kinds, for the author and the author's connections.
create index posts_author_relevant_idx on feed.posts (author_id, rank desc, id desc);

-- A member reposts a post without a text once for each audience.
create unique index posts_author_id_repost_of_key
    on feed.posts (author_id, repost_of, coalesce(community_id, '00000000-0000-0000-0000-000000000000'))
    where content = '';

-- The pictures in the store, so that unused ones are found and deleted: see src/pictures.rs.
create table feed.pictures (
    id uuid,
    -- Null after the account is erased.
    member_id uuid,
    hash text not null,
    width integer not null,
    height integer not null,
    -- The post that shows the picture.
    post_id uuid,
    -- The time since which no post shows the picture.
    unused_since timestamptz,
    constraint pictures_pkey primary key (id),
    constraint pictures_hash_key unique (hash),
    constraint pictures_hash_check check (hash ~ '^[0-9a-f]{64}$'),
    constraint pictures_size_check check (width between 1 and 4096 and height between 1 and 4096),
    constraint pictures_post_id_key unique (post_id),
    constraint pictures_unused_since_check check ((post_id is null) = (unused_since is not null))
);

create index pictures_member_id_idx on feed.pictures (member_id);

create index pictures_unused_since_idx on feed.pictures (unused_since)
    where post_id is null;

-- Reactions and comments.

create table feed.reactions (
    post_id uuid,
    member_id uuid,
    kind text not null,
    -- The number of changes of the kind: 0 distinguishes a new row from a changed one.
    changes integer not null default 0,
    created_at timestamptz not null,
    constraint reactions_pkey primary key (post_id, member_id),
    constraint reactions_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade,
    constraint reactions_kind_check check (kind in ('like', 'celebrate', 'support', 'insightful', 'thanks'))
);

-- The newest reactions of a post, by an index-only scan.
create index reactions_newest_idx on feed.reactions (post_id, created_at desc, member_id desc) include (kind);
-- A member's activity, newest first.
create index reactions_activity_idx on feed.reactions (member_id, created_at desc, post_id desc);

create table feed.comments (
    id uuid,
    post_id uuid not null,
    author_id uuid not null,
    content text not null,
    created_at timestamptz not null,
    -- The time of the last change of the text; null for an unchanged comment.
    edited_at timestamptz,
    constraint comments_pkey primary key (id),
    constraint comments_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade,
    constraint comments_content_check check (char_length(content) between 1 and 2000)
);

create index comments_newest_idx on feed.comments (post_id, created_at desc, id desc);
-- A member's activity, newest first.
create index comments_activity_idx on feed.comments (author_id, created_at desc, id desc);

-- The average post has few comments and reactions, the most read posts have thousands. With the average, Postgres sorts
-- all rows of a post and scans all its reactions for one member's. With a post assumed to have a hundredth of the
-- table, it scans the index from the newest row to the limit, at the same cost for either kind of post. In force from
-- the next analyze.
alter table feed.reactions alter column post_id set (n_distinct = 100);
alter table feed.comments alter column post_id set (n_distinct = 100);

-- Saved items: posts of this service and items of other services, by their owner's id.

create table feed.saved_items (
    member_id uuid,
    kind text,
    item_id text,
    saved_at timestamptz not null,
    constraint saved_items_pkey primary key (member_id, kind, item_id),
    constraint saved_items_kind_check check (kind in ('post', 'job', 'article', 'resource', 'event')),
    constraint saved_items_item_id_check check (char_length(item_id) between 1 and 64)
);

create index saved_items_newest_idx on feed.saved_items (member_id, saved_at desc, item_id desc, kind desc);

-- The number of saved items, updated by the statement that saves or removes one. The constraint enforces the limit
-- under concurrent requests.
create table feed.savers (
    member_id uuid,
    items integer not null,
    constraint savers_pkey primary key (member_id),
    constraint savers_items_check check (items between 0 and 1000)
);

-- Impressions: one for each post, viewer and day.

-- The day comes first in the key, because rows are pruned by day; rows of a viewer and day are adjacent, because they
-- are inserted together. Without a foreign key: the check of some million rows a day would cost more than the rows, and
-- those of a deleted post are pruned two days later.
create table feed.impressions (
    day date,
    viewer_id uuid,
    post_id uuid,
    constraint impressions_pkey primary key (day, viewer_id, post_id)
);

-- The total of each author, updated by the statement that inserts the impressions.
create table feed.author_stats (
    member_id uuid,
    impressions bigint not null default 0,
    constraint author_stats_pkey primary key (member_id),
    constraint author_stats_impressions_check check (impressions >= 0)
);

-- Reports of members to the operators, and the decisions.

create table feed.reports (
    id uuid,
    -- Null after the reporter's account is erased; the report stays.
    reporter_id uuid,
    kind text not null,
    -- The id that the item's owner gave it.
    item_id uuid not null,
    -- The member that the item belongs to; null for a job posting.
    subject_id uuid,
    -- A copy of the item's text at the time of the report, for operators after a change or deletion.
    excerpt text not null,
    reason text not null,
    -- The reporter's text.
    words text,
    created_at timestamptz not null,
    resolved_at timestamptz,
    outcome text,
    constraint reports_pkey primary key (id),
    constraint reports_kind_check check (kind in ('post', 'comment', 'member', 'message', 'job')),
    constraint reports_excerpt_check check (char_length(excerpt) <= 4000),
    constraint reports_reason_check
        check (reason in ('spam', 'harassment', 'false-information', 'illegal', 'other')),
    constraint reports_words_check check (char_length(words) between 1 and 1000),
    constraint reports_outcome_check
        check (outcome in ('removed', 'dismissed') and (outcome is null) = (resolved_at is null))
);

-- A member has one open report of an item.
create unique index reports_reporter_id_kind_item_id_key
    on feed.reports (reporter_id, kind, item_id)
    where resolved_at is null;
-- Open reports by age, and those of one item, which are resolved together.
create index reports_created_at_idx on feed.reports (created_at, id) where resolved_at is null;
create index reports_kind_item_id_idx on feed.reports (kind, item_id) where resolved_at is null;
-- For the export and the erasure of a member.
create index reports_reporter_id_idx on feed.reports (reporter_id) where reporter_id is not null;
create index reports_subject_id_idx on feed.reports (subject_id) where subject_id is not null;

-- The read model from the facts of auth, profile and social-graph, so that a page is one statement. No foreign keys:
-- each source is consumed at its own pace.

-- Members with closed accounts.
create table feed.hidden_members (
    member_id uuid,
    hidden_at timestamptz not null,
    constraint hidden_members_pkey primary key (member_id)
);

-- Members with a school in their profile.
create table feed.members (
    member_id uuid,
    -- The name for comparison: lower case, single spaces.
    school_key text not null,
    constraint members_pkey primary key (member_id),
    constraint members_school_key_check check (char_length(school_key) between 1 and 200)
);

-- Two rows for each connection, one for either member. The ids are in the order of time.
create table feed.connections (
    member_id uuid,
    connection_id uuid,
    other_id uuid not null,
    constraint connections_pkey primary key (member_id, connection_id) include (other_id),
    constraint connections_other_id_check check (other_id <> member_id)
);

create table feed.communities (
    id uuid,
    name text not null,
    constraint communities_pkey primary key (id)
);

create table feed.memberships (
    member_id uuid,
    community_id uuid,
    constraint memberships_pkey primary key (member_id, community_id)
);

create index memberships_community_id_idx on feed.memberships (community_id);

-- A row in either direction hides each of the two members from the other.
create table feed.blocks (
    blocker_id uuid,
    blocked_id uuid,
    constraint blocks_pkey primary key (blocker_id, blocked_id)
);

create index blocks_blocked_id_idx on feed.blocks (blocked_id, blocker_id);

-- Erased accounts with remaining rows, which are deleted in small transactions.
create table feed.erasures (
    member_id uuid,
    requested_at timestamptz not null,
    constraint erasures_pkey primary key (member_id)
);

-- Idempotency keys: the resource that a request created. A repeated request is answered with it for 24 hours.
create table feed.idempotency_keys (
    member_id uuid,
    route text,
    key text,
    -- SHA-256 of the request: the same key with another body is refused.
    body_hash bytea not null,
    resource_id uuid not null,
    created_at timestamptz not null,
    constraint idempotency_keys_pkey primary key (member_id, route, key),
    constraint idempotency_keys_body_hash_check check (octet_length(body_hash) = 32)
);

create index idempotency_keys_created_at_idx on feed.idempotency_keys (created_at);

-- The search index of posts, read and written by the library `search`.

-- The words of each document: lower case, without accents, each once.
create table feed.search_documents (
    id uuid,
    -- Twice the number of the community; 0 for public posts: see src/search.rs.
    shelf integer not null,
    -- Seconds since 2000.
    at integer not null,
    title text[] not null,
    body text[] not null,
    -- 0: must be read again. 1: has words missing from search_words. 2: complete.
    state smallint not null,
    constraint search_documents_pkey primary key (id),
    constraint search_documents_state_check check (state between 0 and 2)
);

create index search_documents_state_idx on feed.search_documents (state, id)
    where state < 2;

-- One row for each word of a document: title words on its shelf, body words on the next one. The newest documents with
-- a word are a range of the key. Early vacuum allows index-only scans of the range.
create table feed.search_entries (
    word text collate "C",
    shelf integer,
    at integer,
    id uuid,
    constraint search_entries_pkey primary key (word, shelf, at, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- The known words, their stems, and their variants with one letter removed. A mistyped word shares a variant with the
-- intended one.
create table feed.search_words (
    word text collate "C",
    stem text collate "C" not null,
    slips text[] not null,
    constraint search_words_pkey primary key (word)
);

create index search_words_stem_idx on feed.search_words (stem, word);

create index search_words_slips_idx on feed.search_words using gin (slips);

-- Authors with closed or reopened accounts, until all their posts are indexed again: see src/search/reindex.rs.
create table feed.search_authors (
    member_id uuid,
    -- The last indexed post, in ascending order of time.
    created_at timestamptz not null default 'epoch',
    post_id uuid not null default '00000000-0000-0000-0000-000000000000',
    constraint search_authors_pkey primary key (member_id)
);

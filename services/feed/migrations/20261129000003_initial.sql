-- The tables of feed.

-- Previews of the links in posts: see src/link_previews.rs.

create table feed.link_previews (
    id uuid,
    -- Who may learn that the link was used: the nil id for public posts, a community, or a member who writes a post. Each has a
    -- row of its own, so that the speed of a preview tells nothing about the posts of others.
    audience uuid not null,
    -- https, without fragment and tracking parameters.
    url text not null,
    -- What a post shows: see LinkPreview. Null until the page was fetched, and when it has no preview.
    card jsonb,
    -- The hashes of all objects that may exist in the picture store.
    pictures text[] not null default '{}',
    -- The last attempt that was not followed by another one.
    fetched_at timestamptz,
    attempts smallint not null default 0,
    -- When a worker may fetch the page. While one does, the end of its lease.
    due_at timestamptz,
    -- From when on a row without posts is deleted; null for a row that posts use.
    check_at timestamptz,
    created_at timestamptz not null,
    constraint link_previews_pkey primary key (id),
    constraint link_previews_audience_url_key unique (audience, url),
    constraint link_previews_url_check check (char_length(url) between 1 and 2048),
    constraint link_previews_card_check check (card is null or fetched_at is not null)
);

comment on column feed.link_previews.audience is 'exported in previewed-links; erased';
comment on column feed.link_previews.url is 'not erased: the row belongs to no member any more and is deleted in the background';
comment on column feed.link_previews.card is 'not exported: a copy of the page; not erased: as the address';
comment on column feed.link_previews.pictures is 'not exported: copies of pictures of the page; not erased: as the address';

create index link_previews_due_idx on feed.link_previews (due_at) where due_at is not null;
create index link_previews_check_idx on feed.link_previews (check_at) where check_at is not null;
-- The gateway asks whether a viewer may see a picture, also that of a link preview: see src/pictures.rs.
create index link_previews_pictures_idx on feed.link_previews using gin (pictures);

-- The new links of a member in an hour.
create table feed.link_quotas (
    member_id uuid,
    since timestamptz not null,
    used integer not null,
    constraint link_quotas_pkey primary key (member_id),
    constraint link_quotas_used_check check (used > 0)
);

comment on column feed.link_quotas.member_id is 'not exported: a counter of an hour; erased';

create index link_quotas_since_idx on feed.link_quotas (since);

-- Posts. Counters change in the statement of their cause.

-- Reactions, comments and reposts change only counters of a post, and Postgres prepares and evaluates every check constraint of the
-- row for each statement: eleven of them take 40 % of the time of such an update. A constraint with a function in plpgsql is prepared
-- in a fraction of the time of its expressions.

-- The limits count the text shown. A mention is stored as `@[<member id>]` and shown as a name, so that a stored text may have the
-- characters of twenty mentions more: see src/mentions.rs. The length of a text in bytes is known without reading it. Only of a text
-- with more bytes than characters are allowed the characters are counted.
create function feed.is_post_content(content text, title text, repost_of uuid) returns boolean
language plpgsql immutable parallel safe
as $$
declare
    longest integer := case when title is null then 5780 else 40780 end;
begin
    return (octet_length(content) <= longest or char_length(content) <= longest)
        and (content <> '' or repost_of is not null);
end
$$;

-- A picture excludes a video and a title, and a repost has none of the three. Only a text has a link preview.
create function feed.are_post_attachments(
    title text,
    excerpt text,
    repost_of uuid,
    picture_hash text,
    picture_alt text,
    picture_width integer,
    picture_height integer,
    video_url text,
    media jsonb,
    link_preview_id uuid,
    without_link_preview boolean
) returns boolean
language plpgsql immutable parallel safe
as $$
begin
    -- Most posts.
    if num_nonnulls(
        title, excerpt, picture_hash, picture_alt, picture_width, picture_height, video_url, media, link_preview_id
    ) = 0 then
        return true;
    end if;
    return (title is null) = (excerpt is null)
        and (title is null or char_length(title) between 1 and 200)
        and (excerpt is null or char_length(excerpt) <= 600)
        and num_nulls(picture_hash, picture_alt, picture_width, picture_height) in (0, 4)
        and (picture_alt is null or char_length(picture_alt) <= 1000)
        and (video_url is null or char_length(video_url) between 1 and 2048)
        and num_nonnulls(picture_hash, video_url) <= 1
        and num_nonnulls(picture_hash, title) <= 1
        and num_nonnulls(repost_of, title) <= 1
        and num_nonnulls(repost_of, picture_hash) <= 1
        and num_nonnulls(repost_of, video_url) <= 1
        and (media is null or num_nonnulls(title, video_url, repost_of) = 0)
        and (
            media -> 'pictures' is null
            or (picture_hash is not null and jsonb_array_length(media -> 'pictures') <= 3)
        )
        and (media -> 'pdf' is null or picture_hash is null)
        and (
            link_preview_id is null
            or (not without_link_preview and num_nonnulls(title, repost_of, picture_hash, video_url, media) = 0)
        );
end
$$;

-- What a change of a comment writes of its post is in no index. Free space on a page lets such a row stay there, without new entries
-- in the indexes.
create table feed.posts (
    id uuid,
    author_id uuid not null,
    -- Markdown in an article, plain text otherwise.
    content text not null,
    like_count bigint not null default 0,
    comment_count bigint not null default 0,
    share_count bigint not null default 0,
    created_at timestamptz not null,
    -- The time of creation in the unit of the ranking: see src/timeline/ranking.rs.
    freshness double precision not null,
    -- The relevance to a viewer without a relation to the author. Generated, so that it agrees with the counters.
    rank double precision not null
        generated always as (freshness + ln((1 + like_count + 2 * comment_count)::double precision)) stored,
    -- Whether a comment on the post has had reactions. Only then lists look for the viewer's.
    has_comment_reactions boolean not null default false,
    -- The community that may read the post; null for a public post.
    community_id uuid,
    -- The author's school at the time of creation: see src/timeline/ranking.rs.
    school_key text,
    -- The time of the last change of the text; null for an unchanged post.
    edited_at timestamptz,
    -- The reposted post. Not a foreign key: the id remains when that post is deleted.
    repost_of uuid,
    -- The title of an article; null for other posts.
    title text,
    -- The beginning of an article as plain text, for lists: see src/posts/excerpt.rs.
    excerpt text,
    -- A copy of the picture's row in feed.pictures, so that a page reads one table, and the author's alternative text.
    picture_hash text,
    picture_alt text,
    picture_width integer,
    picture_height integer,
    -- The pictures after the first one, and the description of the PDF file: see src/media.rs. Null for most posts. Copies, so
    -- that a page reads one table.
    media jsonb,
    -- The address of a page with a video.
    video_url text,
    -- The preview of the first link of the text.
    link_preview_id uuid,
    -- The author removed the preview.
    without_link_preview boolean not null default false,
    constraint posts_pkey primary key (id),
    constraint posts_link_preview_id_fkey foreign key (link_preview_id) references feed.link_previews (id),
    constraint posts_counts_check check (least(like_count, comment_count, share_count) >= 0),
    constraint posts_content_check check (feed.is_post_content(content, title, repost_of)),
    constraint posts_attachments_check
        check (
            feed.are_post_attachments(
                title, excerpt, repost_of, picture_hash, picture_alt, picture_width, picture_height, video_url, media,
                link_preview_id, without_link_preview
            )
        )
) with (fillfactor = 90);

comment on column feed.posts.author_id is 'exported in posts; erased';
comment on column feed.posts.community_id is 'no member';
comment on column feed.posts.repost_of is 'no member';
comment on column feed.posts.excerpt is 'not exported: the beginning of the text';

-- Public posts and posts of communities have separate partial indexes, so that no list skips rows of the other kind.

-- Public posts: one index per order, one for a member's page, two for viewers from the author's school.
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
create index posts_school_recent_idx on feed.posts (school_key, created_at desc, id desc)
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

create index posts_link_preview_id_idx on feed.posts (link_preview_id) where link_preview_id is not null;

-- What the statements of lists read of a post. The version is the transaction that wrote the row: see
-- src/timeline/versions.rs.
create view feed.listed_posts as
    select
        id, author_id, created_at, community_id, like_count, rank, school_key, repost_of, link_preview_id,
        has_comment_reactions, title is not null as is_article, xmin as version
    from feed.posts;

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

comment on column feed.post_topics.author_id is 'not exported: copies of the post; erased';
comment on column feed.post_topics.community_id is 'no member';

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

comment on column feed.topic_follows.member_id is 'exported in followed-topics; erased';

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
    constraint pictures_unused_since_check check ((post_id is null) = (unused_since is not null))
);

comment on column feed.pictures.member_id is 'exported in pictures; erased';
comment on column feed.pictures.hash is
    'not erased: the row belongs to no member any more and is deleted in the background, after the picture';
comment on column feed.pictures.post_id is 'no member';

-- A post shows up to four pictures.
create index pictures_post_id_idx on feed.pictures (post_id)
    where post_id is not null;

create index pictures_member_id_idx on feed.pictures (member_id);

create index pictures_unused_since_idx on feed.pictures (unused_since)
    where post_id is null;

-- PDF files of posts. The bytes are in the row: a file is erased in the transaction of its post, and only read with the
-- visibility of the post. One that no post uses within a day is deleted.
create table feed.pdf_files (
    id uuid,
    member_id uuid not null,
    -- The post that shows the file.
    post_id uuid,
    -- The name on the computer of the member.
    name text not null,
    -- In bytes.
    size integer not null,
    content bytea not null,
    uploaded_at timestamptz not null,
    constraint pdf_files_pkey primary key (id),
    constraint pdf_files_post_id_key unique (post_id),
    constraint pdf_files_name_check check (char_length(name) between 5 and 260),
    constraint pdf_files_size_check check (size = octet_length(content) and size between 5 and 5 * 1024 * 1024)
);

comment on column feed.pdf_files.member_id is 'exported in pdf-files; erased';
comment on column feed.pdf_files.post_id is 'no member';
comment on column feed.pdf_files.content is 'exported in files';

-- A PDF file is compressed already. Without compression, a chunk is read without the rest of the file.
alter table feed.pdf_files alter column content set storage external;

create index pdf_files_member_id_idx on feed.pdf_files (member_id);

create index pdf_files_unused_idx on feed.pdf_files (uploaded_at)
    where post_id is null;

-- Reactions and comments. Counters change in the transaction of their cause.

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

comment on column feed.reactions.member_id is 'exported in reactions; erased';

-- The newest reactions of a post, by an index-only scan.
create index reactions_newest_idx on feed.reactions (post_id, created_at desc, member_id desc) include (kind);
-- A member's activity, newest first.
create index reactions_activity_idx on feed.reactions (member_id, created_at desc, post_id desc);

-- The counters of a comment are in no index: free space as in feed.posts.
create table feed.comments (
    id uuid,
    post_id uuid not null,
    -- The top-level comment of a reply: there is one level.
    reply_to uuid,
    author_id uuid not null,
    content text not null,
    reply_count bigint not null default 0,
    like_count bigint not null default 0,
    created_at timestamptz not null,
    -- The time of the last change of the text; null for an unchanged comment.
    edited_at timestamptz,
    constraint comments_pkey primary key (id),
    constraint comments_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade,
    constraint comments_reply_to_fkey foreign key (reply_to) references feed.comments (id) on delete cascade,
    -- With room for mentions, like that of a post.
    constraint comments_content_check check (char_length(content) between 1 and 2780),
    constraint comments_reply_count_check check (reply_count >= 0),
    constraint comments_like_count_check check (like_count >= 0),
    -- A reply has no replies.
    constraint comments_level_check check (reply_to is null or reply_count = 0)
) with (fillfactor = 90);

comment on column feed.comments.author_id is 'exported in comments; erased';

-- Lists read top-level comments or the replies to one of them, never both: partial indexes, so that no list skips rows of
-- the other kind.
create index comments_newest_idx on feed.comments (post_id, created_at desc, id desc) where reply_to is null;
create index comments_replies_idx on feed.comments (reply_to, created_at, id) where reply_to is not null;
-- All comments on a deleted post.
create index comments_post_id_idx on feed.comments (post_id);
-- A member's activity, newest first.
create index comments_activity_idx on feed.comments (author_id, created_at desc, id desc);

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

comment on column feed.comment_reactions.member_id is 'exported in comment-reactions; erased';

-- The newest reactions to a comment, by an index-only scan.
create index comment_reactions_newest_idx
    on feed.comment_reactions (comment_id, created_at desc, member_id desc) include (kind);
-- For the export and the erasure of a member.
create index comment_reactions_member_id_idx on feed.comment_reactions (member_id);

-- The average post has few comments and reactions, the most read posts have thousands. With the average, Postgres sorts
-- all rows of a post and scans all its reactions for one member's. With a post assumed to have a hundredth of the
-- table, it scans the index from the newest row to the limit, at the same cost for either kind of post. In force from
-- the next analyze.
alter table feed.reactions alter column post_id set (n_distinct = 100);
alter table feed.comments alter column post_id set (n_distinct = 100);

-- In the same way, a comment is assumed to have a large share of the table, so that one with thousands of reactions or replies is
-- read in the order of the index to the limit, instead of all its rows being sorted.
alter table feed.comment_reactions alter column comment_id set (n_distinct = 10);
alter table feed.comments alter column reply_to set (n_distinct = 10);

-- How many members, apart from those who know the author, an author may still notify by mentions within a day.
create table feed.mention_allowances (
    member_id uuid,
    -- The time at which the whole allowance is free again.
    full_at timestamptz not null,
    constraint mention_allowances_pkey primary key (member_id)
);

comment on column feed.mention_allowances.member_id is 'not exported: a counter of a day; erased';

-- What a member may still do within a day: comments of a new account on the posts of strangers, and bytes of PDF files.
create table feed.daily_allowances (
    member_id uuid,
    kind text,
    -- The time at which the whole allowance is free again.
    full_at timestamptz not null,
    constraint daily_allowances_pkey primary key (member_id, kind),
    constraint daily_allowances_kind_check check (kind in ('comments', 'files'))
);

comment on column feed.daily_allowances.member_id is 'not exported: a counter of a day; erased';

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

comment on column feed.saved_items.member_id is 'exported in saved-items; erased';

create index saved_items_newest_idx on feed.saved_items (member_id, saved_at desc, item_id desc, kind desc);

-- The number of saved items, updated by the statement that saves or removes one. The constraint enforces the limit
-- under concurrent requests.
create table feed.savers (
    member_id uuid,
    items integer not null,
    constraint savers_pkey primary key (member_id),
    constraint savers_items_check check (items between 0 and 1000)
);

comment on column feed.savers.member_id is 'not exported: the number of saved items; erased';

-- What a member controls in their lists: hidden posts, and mutes.

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

comment on column feed.hidden_posts.member_id is 'exported in hidden-posts; erased';
comment on column feed.hidden_posts.post_id is 'no member';
comment on column feed.hidden_posts.author_id is 'not exported: the choice of another member; erased';
comment on column feed.hidden_posts.topics is 'not exported: copies of the post';

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

comment on column feed.mutes.member_id is 'exported in mutes; erased';
comment on column feed.mutes.target_id is 'not exported: the choice of another member; erased';

create unique index mutes_word_key on feed.mutes (member_id, word)
    where word is not null;
create unique index mutes_target_id_key on feed.mutes (member_id, kind, target_id)
    where target_id is not null;
-- For the removal of a member or community.
create index mutes_target_id_idx on feed.mutes (target_id)
    where target_id is not null;
create index mutes_expires_at_idx on feed.mutes (expires_at)
    where expires_at is not null;

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

comment on column feed.impressions.viewer_id is 'exported in shown-posts; erased';
comment on column feed.impressions.post_id is 'no member';

-- The total of each author, updated by the statement that inserts the impressions.
create table feed.author_stats (
    member_id uuid,
    impressions bigint not null default 0,
    constraint author_stats_pkey primary key (member_id),
    constraint author_stats_impressions_check check (impressions >= 0)
);

comment on column feed.author_stats.member_id is 'exported in impressions; erased';

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
    -- The moderator who decided; null for an operator and after the account of the moderator is erased.
    decided_by uuid,
    decision_reason text,
    -- A remark for operators and moderators.
    note text,
    -- The report by which all open reports of the item were decided; null for a decision on this one only.
    decision_id uuid,
    constraint reports_pkey primary key (id),
    constraint reports_kind_check check (kind in ('post', 'comment', 'member', 'message', 'job')),
    constraint reports_excerpt_check check (char_length(excerpt) <= 4000),
    constraint reports_reason_check check (
        reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other'
        )
    ),
    constraint reports_words_check check (char_length(words) between 1 and 1000),
    constraint reports_outcome_check
        check (outcome in ('removed', 'dismissed') and (outcome is null) = (resolved_at is null)),
    constraint reports_decision_reason_check check (
        decision_reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other',
            'no-violation', 'resolved'
        )
    ),
    constraint reports_note_check check (char_length(note) between 1 and 1000),
    constraint reports_decision_check
        check (resolved_at is not null or num_nonnulls(decided_by, decision_reason, note, decision_id) = 0)
);

comment on column feed.reports.reporter_id is 'exported in reports; erased';
comment on column feed.reports.kind is 'not erased: the report of another member stays';
comment on column feed.reports.item_id is 'no member';
comment on column feed.reports.subject_id is 'not exported: reports of the member by others are confidential; erased';
comment on column feed.reports.excerpt is 'not exported: it belongs to another member; not erased: as the kind';
comment on column feed.reports.reason is 'not erased: as the kind';
comment on column feed.reports.outcome is 'not exported: the decision concerns another member; not erased: as the kind';
comment on column feed.reports.decided_by is 'not exported: an action of a moderator, about another member; erased';
comment on column feed.reports.decision_reason is 'not exported: the decision concerns another member; not erased: as the kind';
comment on column feed.reports.note is 'not exported: a remark for moderators; not erased: as the kind';
comment on column feed.reports.decision_id is 'no member';

-- A member has one open report of an item.
create unique index reports_reporter_id_kind_item_id_key
    on feed.reports (reporter_id, kind, item_id)
    where resolved_at is null;
-- Open reports by age, and those of one item, which are resolved together.
create index reports_created_at_idx on feed.reports (created_at, id) where resolved_at is null;
create index reports_kind_item_id_idx on feed.reports (kind, item_id) where resolved_at is null;
-- Decided reports, newest first; of reports that were decided together only the first one.
create index reports_decided_idx on feed.reports (resolved_at desc, id desc)
    where resolved_at is not null and (decision_id is null or decision_id = id);
-- The reports of one item, open or decided, and those that were decided together.
create index reports_item_idx on feed.reports (kind, item_id);
create index reports_decision_id_idx on feed.reports (decision_id) where decision_id is not null;
create index reports_decided_by_idx on feed.reports (decided_by) where decided_by is not null;
-- For the export and the erasure of a member.
create index reports_reporter_id_idx on feed.reports (reporter_id) where reporter_id is not null;
create index reports_subject_id_idx on feed.reports (subject_id) where subject_id is not null;

-- Posts and comments that a decision removed. The content is kept for 30 days, so that an appeal can restore it: a post in
-- feed.posts with an author and a community that do not exist (src/moderation/removal.rs), comments in
-- feed.removed_comments.
create table feed.removals (
    -- The id of the report that was decided, and of the audit row.
    id uuid,
    kind text not null,
    item_id uuid not null,
    author_id uuid not null,
    -- The text as it was reported.
    excerpt text not null,
    reason text not null,
    -- The moderator; null for an operator and after the account of the moderator is erased.
    removed_by uuid,
    removed_at timestamptz not null,
    -- The end of the time in which the content is kept; null when it is not, or no longer.
    kept_until timestamptz,
    -- Of a removed post. A restored one gets its preview again.
    community_id uuid,
    repost_of uuid,
    had_link_preview boolean not null default false,
    -- The text of the author.
    appeal text,
    appealed_at timestamptz,
    appeal_outcome text,
    appeal_reason text,
    -- A remark for moderators.
    appeal_note text,
    appeal_decided_by uuid,
    appeal_decided_at timestamptz,
    -- Whether the content is visible again.
    is_restored boolean not null default false,
    constraint removals_pkey primary key (id),
    constraint removals_kind_check check (kind in ('post', 'comment')),
    constraint removals_reason_check check (
        reason in (
            'spam', 'harassment', 'false-information', 'impersonation', 'privileged-information', 'illegal', 'other'
        )
    ),
    constraint removals_appeal_check
        check (char_length(appeal) between 1 and 1000 and (appeal is null) = (appealed_at is null)),
    constraint removals_appeal_outcome_check
        check (
            appeal_outcome in ('upheld', 'overturned')
            and (appeal_outcome is null or appealed_at is not null)
            and (appeal_outcome is null) = (appeal_decided_at is null)
            and (appeal_outcome is null) = (appeal_reason is null)
        ),
    constraint removals_appeal_note_check check (char_length(appeal_note) between 1 and 1000),
    -- Another moderator decides the appeal.
    constraint removals_appeal_decided_by_check check (appeal_decided_by <> removed_by),
    constraint removals_is_restored_check check (not is_restored or appeal_outcome = 'overturned')
);

comment on column feed.removals.item_id is 'no member';
comment on column feed.removals.author_id is 'exported in removals; erased';
comment on column feed.removals.removed_by is 'not exported: an action of a moderator, about another member; erased';
comment on column feed.removals.community_id is 'no member';
comment on column feed.removals.repost_of is 'no member';
comment on column feed.removals.appeal_reason is 'not exported: it may reveal who reported the content';
comment on column feed.removals.appeal_note is 'not exported: a remark for moderators';
comment on column feed.removals.appeal_decided_by is 'not exported: an action of a moderator, about another member; erased';

create index removals_appeals_idx on feed.removals (appealed_at, id)
    where appealed_at is not null and appeal_outcome is null;
create index removals_decided_appeals_idx on feed.removals (appeal_decided_at desc, id desc)
    where appeal_decided_at is not null;
create index removals_kept_until_idx on feed.removals (kept_until) where kept_until is not null;
create index removals_item_id_idx on feed.removals (item_id);
-- For the export and the erasure of a member.
create index removals_author_id_idx on feed.removals (author_id);
create index removals_removed_by_idx on feed.removals (removed_by) where removed_by is not null;
create index removals_appeal_decided_by_idx on feed.removals (appeal_decided_by) where appeal_decided_by is not null;

-- A removed comment and the replies to it. They are deleted with their post.
create table feed.removed_comments (
    id uuid,
    removal_id uuid not null,
    post_id uuid not null,
    author_id uuid not null,
    content text not null,
    created_at timestamptz not null,
    edited_at timestamptz,
    reply_to uuid,
    constraint removed_comments_pkey primary key (id),
    constraint removed_comments_removal_id_fkey
        foreign key (removal_id) references feed.removals (id) on delete cascade,
    constraint removed_comments_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade
);

comment on column feed.removed_comments.author_id is 'exported in removals, removed-replies; erased';
comment on column feed.removed_comments.reply_to is 'no member';

create index removed_comments_removal_id_idx on feed.removed_comments (removal_id);
create index removed_comments_post_id_idx on feed.removed_comments (post_id);
create index removed_comments_author_id_idx on feed.removed_comments (author_id);

-- The parties of a case do not decide it.

-- The members who may not decide the reports of an item and the appeal of its author: its owner, its reporters, and the moderators who
-- decided on it before.
create view feed.case_parties as
select kind, item_id, subject_id as member_id from feed.reports where subject_id is not null
union all
select kind, item_id, reporter_id from feed.reports where reporter_id is not null
union all
select kind, item_id, decided_by from feed.reports where decided_by is not null
union all
select kind, item_id, author_id from feed.removals
union all
select kind, item_id, removed_by from feed.removals where removed_by is not null
union all
select kind, item_id, appeal_decided_by from feed.removals where appeal_decided_by is not null;

-- The read model from the facts of auth, profile and social-graph, so that a page is one statement. No foreign keys:
-- each source is consumed at its own pace.

-- Members with closed accounts.
create table feed.hidden_members (
    member_id uuid,
    hidden_at timestamptz not null,
    constraint hidden_members_pkey primary key (member_id)
);

comment on column feed.hidden_members.member_id is 'not exported: a copy of the state of the account, in auth; erased';

-- One row, written with every row of feed.hidden_members: a closed or reopened account may occur in any post.
create table feed.hidden_members_changes (
    id smallint,
    n bigint not null,
    constraint hidden_members_changes_pkey primary key (id),
    constraint hidden_members_changes_id_check check (id = 1)
);

insert into feed.hidden_members_changes (id, n) values (1, 0);

-- Members with a school in their profile.
create table feed.members (
    member_id uuid,
    -- The name for comparison: lower case, single spaces.
    school_key text not null,
    constraint members_pkey primary key (member_id),
    constraint members_school_key_check check (char_length(school_key) between 1 and 200)
);

comment on column feed.members.member_id is 'not exported: a copy, which profile exports; erased';

-- Two rows for each connection, one for either member. The ids are in the order of time.
create table feed.connections (
    member_id uuid,
    connection_id uuid,
    other_id uuid not null,
    constraint connections_pkey primary key (member_id, connection_id) include (other_id),
    constraint connections_other_id_check check (other_id <> member_id)
);

comment on column feed.connections.member_id is 'not exported: a copy, which social-graph exports; erased';
comment on column feed.connections.connection_id is 'no member';
comment on column feed.connections.other_id is 'not exported: a copy, which social-graph exports; erased';

-- A copy of the follows of social-graph.
create table feed.follows (
    member_id uuid,
    followed_id uuid,
    followed_at timestamptz not null,
    constraint follows_pkey primary key (member_id, followed_id)
);

comment on column feed.follows.member_id is 'not exported: a copy, which social-graph exports; erased';
comment on column feed.follows.followed_id is 'not exported: the choice of another member; erased';

-- The newest follows, which raise the rank.
create index follows_newest_idx on feed.follows (member_id, followed_at desc, followed_id);
-- For the erasure of a followed member.
create index follows_followed_id_idx on feed.follows (followed_id);

create table feed.communities (
    id uuid,
    name text not null,
    constraint communities_pkey primary key (id)
);

create table feed.memberships (
    member_id uuid,
    community_id uuid,
    -- Whether the member may remove content of the others, as owners and moderators of the community may.
    moderates boolean not null default false,
    constraint memberships_pkey primary key (member_id, community_id)
);

comment on column feed.memberships.member_id is 'not exported: a copy, which social-graph exports; erased';
comment on column feed.memberships.community_id is 'no member';

create index memberships_community_id_idx on feed.memberships (community_id);

-- A row in either direction hides each of the two members from the other.
create table feed.blocks (
    blocker_id uuid,
    blocked_id uuid,
    constraint blocks_pkey primary key (blocker_id, blocked_id)
);

comment on column feed.blocks.blocker_id is 'not exported: a copy, which social-graph exports; erased';
comment on column feed.blocks.blocked_id is 'not exported: the choice of another member; erased';

create index blocks_blocked_id_idx on feed.blocks (blocked_id, blocker_id);

-- A copy of profile's privacy settings that concern activity; members without a row have the defaults.
create table feed.privacy_settings (
    member_id uuid,
    profile_audience text not null,
    activity_shown boolean not null,
    constraint privacy_settings_pkey primary key (member_id),
    constraint privacy_settings_profile_audience_check
        check (profile_audience in ('public', 'members', 'connections'))
);

comment on column feed.privacy_settings.member_id is 'not exported: a copy, which profile exports; erased';

-- Erased accounts with remaining rows, which are deleted in small transactions.
create table feed.erasures (
    member_id uuid,
    requested_at timestamptz not null,
    constraint erasures_pkey primary key (member_id)
);

comment on column feed.erasures.member_id is 'not exported: the account is erased already; erased';
-- Authors with closed or reopened accounts, until all their posts are indexed again: see src/search/reindex.rs.
create table feed.search_authors (
    member_id uuid,
    -- The last indexed post, in ascending order of time.
    created_at timestamptz not null default 'epoch',
    post_id uuid not null default '00000000-0000-0000-0000-000000000000',
    constraint search_authors_pkey primary key (member_id)
);

comment on column feed.search_authors.member_id is 'not exported: work on the search index that waits; erased';
comment on column feed.search_authors.post_id is 'no member';

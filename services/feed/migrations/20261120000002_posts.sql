-- Posts, and what members answer to them. Counters change in the statement of their cause.

create table feed.posts (
    id uuid,
    author_id uuid not null,
    content text not null,
    like_count bigint not null default 0,
    comment_count bigint not null default 0,
    created_at timestamptz not null,
    -- When it was written, as relevance counts time: see src/ranking.rs.
    freshness double precision not null,
    -- Relevance to a stranger. Generated, so it cannot disagree with the counters beside it, whoever changes them.
    rank double precision not null
        generated always as (freshness + ln((1 + like_count + 2 * comment_count)::double precision)) stored,
    constraint posts_pkey primary key (id),
    constraint posts_content_check check (char_length(content) between 1 and 5000),
    constraint posts_like_count_check check (like_count >= 0),
    constraint posts_comment_count_check check (comment_count >= 0)
);

-- One index an order.
create index posts_recent_idx on feed.posts (created_at desc, id desc);
create index posts_top_idx on feed.posts (like_count desc, created_at desc, id desc);
create index posts_relevant_idx on feed.posts (rank desc, id desc);
create index posts_author_idx on feed.posts (author_id, created_at desc, id desc);

create table feed.reactions (
    post_id uuid,
    member_id uuid,
    kind text not null,
    -- How often the member changed their mind: 0 tells a new row from a changed one.
    changes integer not null default 0,
    created_at timestamptz not null,
    constraint reactions_pkey primary key (post_id, member_id),
    constraint reactions_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade,
    constraint reactions_kind_check check (kind in ('like', 'celebrate', 'support', 'insightful', 'thanks'))
);

-- The newest of a post without a look at the table itself.
create index reactions_newest_idx on feed.reactions (post_id, created_at desc, member_id desc) include (kind);
create index reactions_member_idx on feed.reactions (member_id);

create table feed.comments (
    id uuid,
    post_id uuid not null,
    author_id uuid not null,
    content text not null,
    created_at timestamptz not null,
    constraint comments_pkey primary key (id),
    constraint comments_post_id_fkey foreign key (post_id) references feed.posts (id) on delete cascade,
    constraint comments_content_check check (char_length(content) between 1 and 2000)
);

create index comments_newest_idx on feed.comments (post_id, created_at desc, id desc);
create index comments_author_idx on feed.comments (author_id);

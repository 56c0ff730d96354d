-- Versions of what lists show of a post: see src/timeline/versions.rs.

alter table feed.posts
    -- Whether a comment on the post has had reactions. Only then lists look for the viewer's.
    add column has_comment_reactions boolean not null default false;

-- What the statements of lists read of a post. The version is the transaction that wrote the row.
create view feed.listed_posts as
    select
        id, author_id, created_at, community_id, like_count, rank, school_key, repost_of, link_preview_id,
        has_comment_reactions, title is not null as is_article, xmin as version
    from feed.posts;

-- One row, written with every row of feed.hidden_members: a closed or reopened account may occur in any post.
create table feed.hidden_members_changes (
    id smallint,
    n bigint not null,
    constraint hidden_members_changes_pkey primary key (id),
    constraint hidden_members_changes_id_check check (id = 1)
);

insert into feed.hidden_members_changes (id, n) values (1, 0);

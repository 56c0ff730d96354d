//! Statements for a single post, the posts of a member and the posts of a community.

use uuid::Uuid;

use super::{
    rows::{self, posts_query},
    version_columns::{query_of_parts, version_columns},
    versions::{Row, versions_query},
};
use crate::{
    cursors::{AuthorCursor, CommunityCursor},
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

/// Selects a post with the whole text of an article, under the conditions of visibility.rs.
pub fn single(viewer: Option<Uuid>, id: Uuid) -> Statement<impl Mapper<rows::Row>> {
    posts_query!(
        "
        select
            id, author_id, content, null::text as excerpt, title, picture_hash, picture_alt, picture_width,
            picture_height, video_url, media, link_preview_id, like_count, comment_count, share_count, created_at,
            edited_at, community_id, repost_of, false as leads, rank as score
        from feed.posts
        where id = $3
            and (
                community_id is null
                or author_id = $1
                or exists (
                    select from feed.memberships m where m.member_id = $1 and m.community_id = posts.community_id
                )
            )
            and author_id not in (select member_id from blocked)
            and not exists (select from feed.hidden_members h where h.member_id = author_id)
        limit $2
        ",
        order by "p.id",
        viewer,
        1,
        id,
    )
}

/// Selects the version of a post that the viewer may see, apart from a block with its author: the row of
/// `versions_query` with half of its plan.
pub fn version(viewer: Option<Uuid>, id: Uuid) -> Statement<impl Mapper<Row>> {
    version_columns!(
        [query_of_parts],
        Row,
        [r#"
        select
            false as "leads?",
            p.rank as "score?",
            p.title is not null as "is_article?",
            p.xmin::text::bigint as "version?",
        "#,],
        [r#",
            exists (
                select from feed.blocks where blocker_id = $1
                union all
                select from feed.blocks where blocked_id = $1
            ) as "has_blocks?",
            null::boolean as "is_filtered?"
        from feed.posts p
        "#,],
        [r#"
        where p.id = $2
            and (
                p.community_id is null
                or p.author_id = $1
                or exists (select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id)
            )
            and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
        "#,],
        viewer,
        id,
    )
}

/// Selects the posts of a member: public posts merged with posts in the viewer's communities, or all posts if the
/// viewer is the member. Reads the indexes like home.rs.
pub fn by_author(
    viewer: Option<Uuid>,
    fetch: i64,
    author_id: Uuid,
    after: AuthorCursor,
) -> Statement<impl Mapper<Row>> {
    versions_query!(
        "
        with communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
                and $1 is distinct from $3
            order by community_id
            limit 100
        ),
        public_posts as materialized (
            select *
            from (
                select *
                from feed.listed_posts
                where author_id = $3
                    and community_id is null
                    and (created_at, id) < ($4, $5)
                order by created_at desc, id desc
                limit 101
            ) as most
            limit $2
        ),
        edge as materialized (
            select coalesce((select min(created_at) from public_posts having count(*) >= $2), '-infinity') as at
        )
        select *, false as leads, rank as score
        from (
            select *
            from public_posts
            union all
            select community_posts.*
            from communities c
            cross join lateral (
                select *
                from (
                    select *
                    from feed.listed_posts
                    where author_id = $3
                        and community_id = c.community_id
                        and (created_at, id) < ($4, $5)
                        and created_at >= (select at from edge)
                    order by created_at desc, id desc
                    limit 101
                ) as most
                limit $2
            ) as community_posts
            union all
            (
                select *
                from (
                    select *
                    from feed.listed_posts
                    where author_id = $3
                        and author_id = $1
                        and community_id is not null
                        and (created_at, id) < ($4, $5)
                        and created_at >= (select at from edge)
                    order by created_at desc, id desc
                    limit 101
                ) as most
                limit $2
            )
        ) as all_parts
        where $3 not in (select member_id from blocked)
            and not exists (select from feed.hidden_members where member_id = $3)
        order by created_at desc, id desc
        limit $2
        ",
        order by "p.created_at desc, p.id desc",
        viewer,
        fetch,
        author_id,
        *after.at,
        after.id,
    )
}

/// Selects the posts of a community. A community without posts gives one row of nulls; a viewer who does not belong to
/// it gets no row.
pub fn in_community(
    viewer: Option<Uuid>,
    fetch: i64,
    community_id: Uuid,
    after: CommunityCursor,
) -> Statement<impl Mapper<Row>> {
    versions_query!(
        "
        select community_posts.*, false as leads, community_posts.rank as score
        from feed.memberships m
        left join lateral (
            select *
            from (
                select *
                from feed.listed_posts
                where community_id = m.community_id
                    and (created_at, id) < ($4, $5)
                    and author_id not in (select member_id from blocked)
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                order by created_at desc, id desc
                limit 101
            ) as most
            limit $2
        ) as community_posts on true
        where m.member_id = $1
            and m.community_id = $3
        ",
        order by "p.created_at desc, p.id desc",
        viewer,
        fetch,
        community_id,
        *after.at,
        after.id,
    )
}

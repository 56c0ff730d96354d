//! The home feed by time and by reactions: public posts, and the posts of the viewer's communities between them.
//!
//! Public posts are one index scan. The last of them is the `edge`: posts of communities on the same page come before
//! it, so each community (at most 100) costs one index lookup, mostly without a row. The same holds for the viewer's
//! posts in communities that the viewer left. No scan reads posts that the viewer may not see, except hidden posts and
//! posts of blocked, muted and deactivated authors.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::versions::{Row, versions_query};
use crate::{
    cursors::{RecentCursor, TopCursor},
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

pub fn recent(
    viewer: Option<Uuid>,
    fetch: i64,
    now: DateTime<Utc>,
    after: RecentCursor,
) -> Statement<impl Mapper<Row>> {
    versions_query!(
        home "
        with public_posts as materialized (
            select *
            from (
                select *
                from feed.listed_posts
                where community_id is null
                    and (created_at, id) < ($4, $5)
                    and author_id not in (select member_id from excluded)
                    and id not in (select post_id from hidden_posts)
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
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
                    where community_id = c.community_id
                        and (created_at, id) < ($4, $5)
                        and created_at >= (select at from edge)
                        and author_id not in (select member_id from excluded)
                        and id not in (select post_id from hidden_posts)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
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
                    where author_id = $1
                        and community_id is not null
                        and (created_at, id) < ($4, $5)
                        and created_at >= (select at from edge)
                        and community_id not in (select community_id from communities)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by created_at desc, id desc
                    limit 101
                ) as most
                limit $2
            )
        ) as all_parts
        order by created_at desc, id desc
        limit $2
        ",
        order by "p.created_at desc, p.id desc",
        viewer,
        fetch,
        now,
        *after.at,
        after.id,
    )
}

pub fn top(viewer: Option<Uuid>, fetch: i64, now: DateTime<Utc>, after: TopCursor) -> Statement<impl Mapper<Row>> {
    versions_query!(
        home "
        with public_posts as materialized (
            select *
            from (
                select *
                from feed.listed_posts
                where community_id is null
                    and (like_count, created_at, id) < ($4, $5, $6)
                    and author_id not in (select member_id from excluded)
                    and id not in (select post_id from hidden_posts)
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                order by like_count desc, created_at desc, id desc
                limit 101
            ) as most
            limit $2
        ),
        edge as materialized (
            select coalesce((select min(like_count) from public_posts having count(*) >= $2), 0) as likes
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
                    where community_id = c.community_id
                        and (like_count, created_at, id) < ($4, $5, $6)
                        and like_count >= (select likes from edge)
                        and author_id not in (select member_id from excluded)
                        and id not in (select post_id from hidden_posts)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by like_count desc, created_at desc, id desc
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
                    where author_id = $1
                        and community_id is not null
                        and (like_count, created_at, id) < ($4, $5, $6)
                        and like_count >= (select likes from edge)
                        and community_id not in (select community_id from communities)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by like_count desc, created_at desc, id desc
                    limit 101
                ) as most
                limit $2
            )
        ) as all_parts
        order by like_count desc, created_at desc, id desc
        limit $2
        ",
        order by "p.like_count desc, p.created_at desc, p.id desc",
        viewer,
        fetch,
        now,
        after.likes,
        *after.at,
        after.id,
    )
}

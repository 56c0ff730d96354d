//! The feed by time and by reactions: what everybody may read, with what the viewer's communities say in between.
//!
//! What is for everybody is one index walk. Where it ends is the `edge`: what the page holds of the viewer's communities
//! lies before it, so each of these (the first hundred) is one look into its index, mostly for nothing. The same for what
//! the viewer wrote in communities they have left. No walk passes posts the viewer may not see, however many there are.

use uuid::Uuid;

use super::statement::{Row, posts};
use crate::{
    cursors::{Recent, Top},
    reactions::Kind,
    sql::{Mapper, Statement},
};

pub(super) fn recent(viewer: Option<Uuid>, fetch: i64, after: Recent) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        with communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
            order by community_id
            limit 100
        ),
        everybodys as materialized (
            select *
            from (
                select *
                from feed.posts
                where community_id is null
                    and (created_at, id) < ($3, $4)
                    and author_id not in (select member_id from unseen)
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                order by created_at desc, id desc
                limit 101
            ) as most
            limit $2
        ),
        edge as materialized (
            select coalesce((select min(created_at) from everybodys having count(*) >= $2), '-infinity') as at
        )
        select *, false as leads, rank as score
        from (
            select *
            from everybodys
            union all
            select said.*
            from communities c
            cross join lateral (
                select *
                from (
                    select *
                    from feed.posts
                    where community_id = c.community_id
                        and (created_at, id) < ($3, $4)
                        and created_at >= (select at from edge)
                        and author_id not in (select member_id from unseen)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by created_at desc, id desc
                    limit 101
                ) as most
                limit $2
            ) as said
            union all
            (
                select *
                from (
                    select *
                    from feed.posts
                    where author_id = $1
                        and community_id is not null
                        and (created_at, id) < ($3, $4)
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
        *after.at,
        after.id,
    )
}

pub(super) fn top(viewer: Option<Uuid>, fetch: i64, after: Top) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        with communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
            order by community_id
            limit 100
        ),
        everybodys as materialized (
            select *
            from (
                select *
                from feed.posts
                where community_id is null
                    and (like_count, created_at, id) < ($3, $4, $5)
                    and author_id not in (select member_id from unseen)
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                order by like_count desc, created_at desc, id desc
                limit 101
            ) as most
            limit $2
        ),
        edge as materialized (
            select coalesce((select min(like_count) from everybodys having count(*) >= $2), 0) as likes
        )
        select *, false as leads, rank as score
        from (
            select *
            from everybodys
            union all
            select said.*
            from communities c
            cross join lateral (
                select *
                from (
                    select *
                    from feed.posts
                    where community_id = c.community_id
                        and (like_count, created_at, id) < ($3, $4, $5)
                        and like_count >= (select likes from edge)
                        and author_id not in (select member_id from unseen)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by like_count desc, created_at desc, id desc
                    limit 101
                ) as most
                limit $2
            ) as said
            union all
            (
                select *
                from (
                    select *
                    from feed.posts
                    where author_id = $1
                        and community_id is not null
                        and (like_count, created_at, id) < ($3, $4, $5)
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
        after.likes,
        *after.at,
        after.id,
    )
}

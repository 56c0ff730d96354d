//! One post, a member's posts, a community's posts.

use uuid::Uuid;

use super::statement::{Row, posts};
use crate::{
    cursors::{Authored, Communal},
    reactions::Kind,
    sql::{Mapper, Statement},
};

/// One post, as a list would carry it, an article with its whole text. Who may see it is the rule of sight.rs.
pub(super) fn one(viewer: Option<Uuid>, id: Uuid) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        select
            id, author_id, content, null::text as excerpt, title, picture_hash, picture_alt, picture_width,
            picture_height, video_url, like_count, comment_count, share_count, created_at, edited_at, community_id,
            repost_of, false as leads, rank as score
        from feed.posts
        where id = $3
            and (
                community_id is null
                or author_id = $1
                or exists (
                    select from feed.memberships m where m.member_id = $1 and m.community_id = posts.community_id
                )
            )
            and author_id not in (select member_id from unseen)
            and not exists (select from feed.hidden_members h where h.member_id = author_id)
        limit $2
        ",
        order by "p.id",
        viewer,
        1,
        id,
    )
}

/// A member's posts: those for everybody, and between them those in communities the viewer shares with them, or all of
/// them if they are the viewer's own. Walked as home.rs does.
pub(super) fn by(viewer: Option<Uuid>, fetch: i64, author_id: Uuid, after: Authored) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        with communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
                and $1 is distinct from $3
            order by community_id
            limit 100
        ),
        everybodys as materialized (
            select *
            from (
                select *
                from feed.posts
                where author_id = $3
                    and community_id is null
                    and (created_at, id) < ($4, $5)
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
                    where author_id = $3
                        and community_id = c.community_id
                        and (created_at, id) < ($4, $5)
                        and created_at >= (select at from edge)
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
        where $3 not in (select member_id from unseen)
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

/// A community's posts, if the viewer belongs to it: a row that is no post says so where there is none.
pub(super) fn within(
    viewer: Option<Uuid>,
    fetch: i64,
    community_id: Uuid,
    after: Communal,
) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        select said.*, false as leads, said.rank as score
        from feed.memberships m
        left join lateral (
            select *
            from (
                select *
                from feed.posts
                where community_id = m.community_id
                    and (created_at, id) < ($4, $5)
                    and author_id not in (select member_id from unseen)
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                order by created_at desc, id desc
                limit 101
            ) as most
            limit $2
        ) as said on true
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

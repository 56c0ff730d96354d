//! The statement that reads posts, and the pages it is asked for: one function an order.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::Walk;
use crate::{
    comments::Comment,
    cursors::{Authored, Recent, Top},
    posts::Post,
    reactions::{Kind, Reaction},
    sql::{Mapper, Statement},
};

/// Reactions a listed post carries at most.
const REACTIONS: usize = 20;

/// A post as the statement below reads it.
#[derive(Debug)]
pub(super) struct Row {
    id: Uuid,
    author_id: Uuid,
    content: String,
    like_count: i64,
    comment_count: i64,
    created_at: DateTime<Utc>,
    rank: f64,
    leads: bool,
    my_id: Option<Uuid>,
    my_kind: Option<Kind>,
    reaction_members: Option<Vec<Uuid>>,
    reaction_kinds: Option<Vec<Kind>>,
    comment_ids: Option<Vec<Uuid>>,
    comment_authors: Option<Vec<Uuid>>,
    comment_contents: Option<Vec<String>>,
    comment_times: Option<Vec<DateTime<Utc>>>,
}

/// The one statement that reads posts: `$page` says which, and everything a list shows of them is joined here. Whom
/// nobody sees (hidden.rs) is left out below every limit, so that pages are full.
///
/// $1 is the viewer (null for a visitor) and $2 the number of rows. Inside `$page`, `limit 101` stands below `limit $2`:
/// it is the most a page can be, and tells the planner so. With a bound limit alone it reckons with a tenth of the
/// table, finds every plan for it dear, and plans each call anew.
macro_rules! posts {
    ($page:literal, order by $order:literal, $viewer:expr, $rows:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Row,
            r#"
            select
                p.id as "id!",
                p.author_id as "author_id!",
                p.content as "content!",
                p.like_count as "like_count!",
                p.comment_count as "comment_count!",
                p.created_at as "created_at!",
                p.rank as "rank!",
                p.leads as "leads!",
                mine.member_id as "my_id?",
                mine.kind as "my_kind?: Kind",
                newest.members as "reaction_members?",
                newest.kinds as "reaction_kinds?: Vec<Kind>",
                said.ids as "comment_ids?",
                said.authors as "comment_authors?",
                said.contents as "comment_contents?",
                said.times as "comment_times?"
            from (
            "#
                + $page
                + r#"
            ) as p
            left join feed.reactions mine on mine.post_id = p.id and mine.member_id = $1
            cross join lateral (
                select array_agg(member_id) as members, array_agg(kind) as kinds
                from (
                    select member_id, kind
                    from feed.reactions
                    where post_id = p.id
                        and member_id is distinct from $1
                        and not exists (select from feed.hidden_members h where h.member_id = reactions.member_id)
                    order by created_at desc, member_id desc
                    limit 20
                ) as r
            ) as newest
            cross join lateral (
                select
                    array_agg(id) as ids,
                    array_agg(author_id) as authors,
                    array_agg(content) as contents,
                    array_agg(created_at) as times
                from (
                    select id, author_id, content, created_at
                    from feed.comments
                    where post_id = p.id
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by created_at desc, id desc
                    limit 3
                ) as c
            ) as said
            order by "#
                + $order,
            $viewer,
            $rows
            $(, $argument)*
        )
    };
}

/// One post, as a list would carry it.
pub(super) fn one(viewer: Option<Uuid>, id: Uuid) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        select *, false as leads
        from feed.posts
        where id = $3
            and not exists (select from feed.hidden_members h where h.member_id = author_id)
        limit $2
        ",
        order by "p.id",
        viewer,
        1,
        id,
    )
}

pub(super) fn relevant(viewer: Option<Uuid>, fetch: i64, walk: Walk) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        select *
        from (
            (
                select *, true as leads
                from feed.posts
                where author_id = $1
                    and created_at > $4
                    and created_at <= $3
                    and (rank, id) < ($5, $6)
                    and not exists (select from feed.hidden_members h where h.member_id = author_id)
                order by rank desc, id desc
                limit $2
            )
            union all
            (
                select *
                from (
                    select *, false as leads
                    from feed.posts
                    where (rank, id) < ($7, $8)
                        and created_at <= $3
                        and (author_id is distinct from $1 or created_at <= $4)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by rank desc, id desc
                    limit 101
                ) as most
                limit $2
            )
        ) as both_parts
        order by leads desc, rank desc, id desc
        limit $2
        ",
        order by "p.leads desc, p.rank desc, p.id desc",
        viewer,
        fetch,
        *walk.until,
        walk.since,
        walk.leading.0,
        walk.leading.1,
        walk.others.0,
        walk.others.1,
    )
}

pub(super) fn recent(viewer: Option<Uuid>, fetch: i64, after: Recent) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        select *
        from (
            select *, false as leads
            from feed.posts
            where (created_at, id) < ($3, $4)
                and not exists (select from feed.hidden_members h where h.member_id = author_id)
            order by created_at desc, id desc
            limit 101
        ) as most
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
        select *
        from (
            select *, false as leads
            from feed.posts
            where (like_count, created_at, id) < ($3, $4, $5)
                and not exists (select from feed.hidden_members h where h.member_id = author_id)
            order by like_count desc, created_at desc, id desc
            limit 101
        ) as most
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

pub(super) fn by(viewer: Option<Uuid>, fetch: i64, author_id: Uuid, after: Authored) -> Statement<impl Mapper<Row>> {
    posts!(
        "
        select *
        from (
            select *, false as leads
            from feed.posts
            where author_id = $3
                and (created_at, id) < ($4, $5)
                and not exists (select from feed.hidden_members h where h.member_id = author_id)
            order by created_at desc, id desc
            limit 101
        ) as most
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

impl From<Row> for Post {
    fn from(row: Row) -> Self {
        let reaction = |(member_id, kind)| Reaction { member_id, kind };
        let mine = row.my_id.zip(row.my_kind);
        let others = row.reaction_members.into_iter().flatten().zip(row.reaction_kinds.into_iter().flatten());
        let said = row.comment_ids.into_iter().flatten().zip(row.comment_authors.into_iter().flatten());
        let words = row.comment_contents.into_iter().flatten().zip(row.comment_times.into_iter().flatten());
        let mut comments: Vec<_> = said
            .zip(words)
            .map(|((id, author_id), (content, created_at))| Comment {
                id,
                post_id: row.id,
                author_id,
                content,
                created_at,
            })
            .collect();
        comments.reverse();
        Self {
            id: row.id,
            author_id: row.author_id,
            content: row.content,
            created_at: row.created_at,
            like_count: row.like_count,
            comment_count: row.comment_count,
            reactions: mine.into_iter().chain(others).take(REACTIONS).map(reaction).collect(),
            comments,
            rank: row.rank,
            leads: row.leads,
        }
    }
}

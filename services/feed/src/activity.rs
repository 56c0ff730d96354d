//! What a member did lately: posts, comments and reactions in one list, newest first.

use chrono::{DateTime, Utc};
use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    comments::Comment,
    cursors::Acted,
    error::Error,
    reactions::Kind,
    sql::{Mapper, Statement},
};

/// What a member did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Wrote the post.
    Posted,
    /// Said this under it.
    Commented(Comment),
    /// Reacted so to it.
    Reacted(Kind),
}

/// One thing a member did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// When.
    pub at: DateTime<Utc>,
    /// The post that it is, or that it was done to.
    pub post_id: Uuid,
    /// Who wrote that.
    pub post_author_id: Uuid,
    /// The first 300 characters of it.
    pub post_excerpt: String,
    /// What.
    pub deed: Deed,
}

/// A page of a member's activity, as far as the viewer may see what it was done to. One who is hidden, or unknown, or
/// blocks the viewer or is blocked by them, did nothing.
///
/// # Errors
/// As any statement.
pub async fn list(
    conn: &mut PgConnection,
    viewer: Option<Uuid>,
    member_id: Uuid,
    size: PageSize,
    after: Acted,
) -> Result<Page<Activity>, Error> {
    let rows = newest(viewer, member_id, size.to_fetch(), after).fetch_all(conn).await?;
    let page = Page::cut(rows, size, |row| Acted { at: row.at.into(), id: row.id, part: row.part });
    Ok(Page {
        rows: page.rows.into_iter().map(|row| row.into_activity(member_id)).collect(),
        next_page_token: page.next_page_token,
    })
}

/// A row of a page: of a post, of a comment (it has words) or of a reaction (it has a kind).
#[derive(Debug)]
pub(crate) struct Row {
    at: DateTime<Utc>,
    id: Uuid,
    part: i32,
    post_id: Uuid,
    post_author_id: Uuid,
    post_excerpt: String,
    words: Option<String>,
    kind: Option<Kind>,
    edited_at: Option<DateTime<Utc>>,
}

impl Row {
    fn into_activity(self, member_id: Uuid) -> Activity {
        let deed = match (self.words, self.kind) {
            (Some(content), _) => Deed::Commented(Comment {
                id: self.id,
                post_id: self.post_id,
                author_id: member_id,
                content,
                created_at: self.at,
                edited_at: self.edited_at,
            }),
            (None, Some(kind)) => Deed::Reacted(kind),
            (None, None) => Deed::Posted,
        };
        Activity {
            at: self.at,
            post_id: self.post_id,
            post_author_id: self.post_author_id,
            post_excerpt: self.post_excerpt,
            deed,
        }
    }
}

/// The newest before `after`. Each part is read off its index and stops at the limit, whatever the member has done
/// besides; posts in communities are walked as in pages/home.rs. What they said under posts the viewer may not see is
/// passed one by one: at most all they ever said. A reaction's id is its post's, which a member may write and react to at
/// one moment: the number of the part tells them apart. `limit 101` is for the planner, see pages/statement.rs.
pub(crate) fn newest(viewer: Option<Uuid>, member_id: Uuid, fetch: i64, after: Acted) -> Statement<impl Mapper<Row>> {
    sqlx::query_as!(
        Row,
        r#"
        with unseen as materialized (
            select blocked_id as member_id
            from feed.blocks
            where blocker_id = $1
            union all
            select blocker_id
            from feed.blocks
            where blocked_id = $1
        ),
        communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
        )
        select
            a.at as "at!",
            a.id as "id!",
            a.part as "part!",
            a.post_id as "post_id!",
            a.post_author_id as "post_author_id!",
            a.post_excerpt as "post_excerpt!",
            a.words as "words?",
            a.kind as "kind?: Kind",
            a.edited_at as "edited_at?"
        from (
            (
                select *
                from (
                    select
                        p.created_at as at,
                        p.id,
                        3 as part,
                        p.id as post_id,
                        p.author_id as post_author_id,
                        left(coalesce(p.excerpt, p.content), 300) as post_excerpt,
                        null::text as words,
                        null::text as kind,
                        null::timestamptz as edited_at
                    from feed.posts p
                    where p.author_id = $2
                        and p.community_id is null
                        and (p.created_at, p.id, 3) < ($4, $5, $6)
                    order by p.created_at desc, p.id desc
                    limit 101
                ) as posted
                limit $3
            )
            union all
            select posted.*
            from (
                select community_id
                from communities
                where $1 is distinct from $2
                order by community_id
                limit 100
            ) as shared
            cross join lateral (
                select *
                from (
                    select
                        p.created_at, p.id, 3, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), null, null,
                        null::timestamptz
                    from feed.posts p
                    where p.author_id = $2
                        and p.community_id = shared.community_id
                        and (p.created_at, p.id, 3) < ($4, $5, $6)
                    order by p.created_at desc, p.id desc
                    limit 101
                ) as most
                limit $3
            ) as posted
            union all
            (
                select *
                from (
                    select
                        p.created_at, p.id, 3, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), null, null,
                        null::timestamptz
                    from feed.posts p
                    where p.author_id = $2
                        and p.author_id = $1
                        and p.community_id is not null
                        and (p.created_at, p.id, 3) < ($4, $5, $6)
                    order by p.created_at desc, p.id desc
                    limit 101
                ) as posted
                limit $3
            )
            union all
            (
                select *
                from (
                    select
                        c.created_at, c.id, 2, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), c.content,
                        null, c.edited_at
                    from feed.comments c
                    join feed.posts p on p.id = c.post_id
                    where c.author_id = $2
                        and (c.created_at, c.id, 2) < ($4, $5, $6)
                        and (
                            p.community_id is null
                            or p.author_id = $1
                            or p.community_id in (select community_id from communities)
                        )
                        and p.author_id not in (select member_id from unseen)
                        and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                    order by c.created_at desc, c.id desc
                    limit 101
                ) as commented
                limit $3
            )
            union all
            (
                select *
                from (
                    select
                        r.created_at, r.post_id, 1, p.id, p.author_id, left(coalesce(p.excerpt, p.content), 300), null,
                        r.kind, null::timestamptz
                    from feed.reactions r
                    join feed.posts p on p.id = r.post_id
                    where r.member_id = $2
                        and (r.created_at, r.post_id, 1) < ($4, $5, $6)
                        and (
                            p.community_id is null
                            or p.author_id = $1
                            or p.community_id in (select community_id from communities)
                        )
                        and p.author_id not in (select member_id from unseen)
                        and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                    order by r.created_at desc, r.post_id desc
                    limit 101
                ) as reacted
                limit $3
            )
        ) as a
        where $2 not in (select member_id from unseen)
            and not exists (select from feed.hidden_members where member_id = $2)
        order by a.at desc, a.id desc, a.part desc
        limit $3
        "#,
        viewer,
        member_id,
        fetch,
        *after.at,
        after.id,
        after.part
    )
}

//! What a member did lately: posts, comments and reactions in one list, newest first.

use chassis::input::{Page, PageSize};
use chrono::{DateTime, Utc};
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

/// A page of a member's activity. One who is hidden, or unknown, did nothing.
///
/// # Errors
/// As any statement.
pub async fn list(
    conn: &mut PgConnection,
    member_id: Uuid,
    size: PageSize,
    after: Acted,
) -> Result<Page<Activity>, Error> {
    let rows = newest(member_id, size.to_fetch(), after).fetch_all(conn).await?;
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

/// The newest before `after`. Each of the three parts is read off its index and stops at the limit, whatever the member
/// has done besides. A reaction's id is its post's, which a member may write and react to at one moment: the number of
/// the part tells them apart. `limit 101` is for the planner, see pages/statement.rs.
pub(crate) fn newest(member_id: Uuid, fetch: i64, after: Acted) -> Statement<impl Mapper<Row>> {
    sqlx::query_as!(
        Row,
        r#"
        select
            a.at as "at!",
            a.id as "id!",
            a.part as "part!",
            a.post_id as "post_id!",
            a.post_author_id as "post_author_id!",
            a.post_excerpt as "post_excerpt!",
            a.words as "words?",
            a.kind as "kind?: Kind"
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
                        left(p.content, 300) as post_excerpt,
                        null::text as words,
                        null::text as kind
                    from feed.posts p
                    where p.author_id = $1
                        and (p.created_at, p.id, 3) < ($3, $4, $5)
                    order by p.created_at desc, p.id desc
                    limit 101
                ) as posted
                limit $2
            )
            union all
            (
                select *
                from (
                    select c.created_at, c.id, 2, p.id, p.author_id, left(p.content, 300), c.content, null
                    from feed.comments c
                    join feed.posts p on p.id = c.post_id
                    where c.author_id = $1
                        and (c.created_at, c.id, 2) < ($3, $4, $5)
                        and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                    order by c.created_at desc, c.id desc
                    limit 101
                ) as commented
                limit $2
            )
            union all
            (
                select *
                from (
                    select r.created_at, r.post_id, 1, p.id, p.author_id, left(p.content, 300), null, r.kind
                    from feed.reactions r
                    join feed.posts p on p.id = r.post_id
                    where r.member_id = $1
                        and (r.created_at, r.post_id, 1) < ($3, $4, $5)
                        and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                    order by r.created_at desc, r.post_id desc
                    limit 101
                ) as reacted
                limit $2
            )
        ) as a
        where not exists (select from feed.hidden_members where member_id = $1)
        order by a.at desc, a.id desc, a.part desc
        limit $2
        "#,
        member_id,
        fetch,
        *after.at,
        after.id,
        after.part
    )
}

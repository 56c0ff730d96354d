//! Comments: adding one, and paging back through a post's.

use chassis::input::{Page, PageSize, Text};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cursors::Commented,
    error::Error,
    sql::{Mapper, Statement},
};

/// The longest comment, in characters.
pub const LONGEST: usize = 2_000;

/// A comment somebody wants to add.
#[derive(Debug)]
pub struct NewComment {
    /// To which post.
    pub post_id: Uuid,
    /// Its words.
    pub content: Text<LONGEST>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its id, in the bucket of the post's author.
    pub id: Uuid,
    /// Under which post.
    pub post_id: Uuid,
    /// Who wrote it.
    pub author_id: Uuid,
    /// Its words.
    pub content: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// Adds a comment and counts it, in one statement. Answers with the post's author.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn add(
    conn: &mut PgConnection,
    id: Uuid,
    author_id: Uuid,
    comment: &NewComment,
    at: DateTime<Utc>,
) -> Result<Uuid, Error> {
    let post_author = sqlx::query_scalar!(
        "
        with counted as (
            update feed.posts
            set comment_count = comment_count + 1
            where id = $2
                and not exists (select from feed.hidden_members h where h.member_id = author_id)
            returning author_id
        ),
        added as (
            insert into feed.comments (id, post_id, author_id, content, created_at)
            select $1, $2, $3, $4, $5
            from counted
        )
        select author_id
        from counted
        ",
        id,
        comment.post_id,
        author_id,
        &*comment.content,
        at
    )
    .fetch_optional(conn)
    .await?;
    post_author.ok_or(Error::PostNotFound)
}

/// One comment, if it is still there.
///
/// # Errors
/// As any statement.
pub async fn find(conn: &mut PgConnection, id: Uuid) -> Result<Option<Comment>, Error> {
    let comment = sqlx::query_as!(
        Comment,
        "select id, post_id, author_id, content, created_at
        from feed.comments
        where id = $1",
        id
    )
    .fetch_optional(conn)
    .await?;
    Ok(comment)
}

/// A page of a post's comments: the newest page first, within a page oldest first.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn list(
    conn: &mut PgConnection,
    post_id: Uuid,
    size: PageSize,
    after: Commented,
) -> Result<Page<Comment>, Error> {
    let rows = newest(post_id, size.to_fetch(), after).fetch_all(conn).await?;
    if rows.is_empty() {
        return Err(Error::PostNotFound);
    }
    let comments = rows.into_iter().filter_map(|row| {
        let (id, author_id, content, created_at) = (row.id?, row.author_id?, row.content?, row.created_at?);
        Some(Comment { id, post_id, author_id, content, created_at })
    });
    let mut page =
        Page::cut(comments.collect(), size, |comment| Commented { at: comment.created_at.into(), id: comment.id });
    page.rows.reverse();
    Ok(page)
}

/// A row of a page. A post without comments is one row of nulls; a post that is not there is none.
#[derive(Debug)]
pub(crate) struct Row {
    id: Option<Uuid>,
    author_id: Option<Uuid>,
    content: Option<String>,
    created_at: Option<DateTime<Utc>>,
}

/// The newest before `after`.
pub(crate) fn newest(post_id: Uuid, fetch: i64, after: Commented) -> Statement<impl Mapper<Row>> {
    sqlx::query_as!(
        Row,
        r#"
        select
            c.id as "id?",
            c.author_id as "author_id?",
            c.content as "content?",
            c.created_at as "created_at?"
        from feed.posts p
        left join lateral (
            select id, author_id, content, created_at
            from feed.comments
            where post_id = p.id
                and (created_at, id) < ($2, $3)
                and not exists (select from feed.hidden_members h where h.member_id = comments.author_id)
            order by created_at desc, id desc
            limit $4
        ) as c on true
        where p.id = $1
            and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
        order by c.created_at desc, c.id desc
        "#,
        post_id,
        *after.at,
        after.id,
        fetch
    )
}

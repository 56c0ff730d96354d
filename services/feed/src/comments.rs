//! Comments: adding one, and paging back through a post's.

use chrono::{DateTime, Utc};
use primitives::input::{Page, PageSize, Text};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cursors::Commented,
    error::Error,
    sight::in_sight,
    sql::{Mapper, Statement},
};

/// The longest comment, in characters.
pub const LONGEST: usize = 2_000;

/// A comment's words.
pub type Words = Text<LONGEST>;

/// A comment somebody wants to add.
#[derive(Debug)]
pub struct NewComment {
    /// To which post.
    pub post_id: Uuid,
    /// Its words.
    pub content: Words,
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
    /// When it was last changed.
    pub edited_at: Option<DateTime<Utc>>,
}

/// Under whose post something was said.
#[derive(Debug)]
struct Under {
    author_id: Uuid,
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
    let under = in_sight!(
        Under,
        r#"
        with counted as (
            update feed.posts p
            set comment_count = p.comment_count + 1
            where p.id = $2
                and
        "#,
        r#"
            returning p.author_id
        ),
        added as (
            insert into feed.comments (author_id, post_id, id, content, created_at)
            select $1, $2, $3, $4, $5
            from counted
        )
        select author_id
        from counted
        "#,
        author_id,
        comment.post_id,
        id,
        &*comment.content,
        at
    )
    .fetch_optional(conn)
    .await?;
    Ok(under.ok_or(Error::PostNotFound)?.author_id)
}

/// One comment, if it is still there.
///
/// # Errors
/// As any statement.
pub async fn find(conn: &mut PgConnection, id: Uuid) -> Result<Option<Comment>, Error> {
    let comment = sqlx::query_as!(
        Comment,
        "select id, post_id, author_id, content, created_at, edited_at
        from feed.comments
        where id = $1",
        id
    )
    .fetch_optional(conn)
    .await?;
    Ok(comment)
}

/// What a comment is, to somebody who may see it.
#[derive(Debug)]
pub struct Seen {
    /// Who wrote it.
    pub author_id: Uuid,
    /// What it says.
    pub content: String,
}

/// A comment, if `viewer` may see it: it stands under a post they may see, and they and its author meet.
///
/// # Errors
/// [`Error::CommentNotFound`].
pub async fn seen(conn: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<Seen, Error> {
    let seen = in_sight!(
        Seen,
        r#"
        select c.author_id, c.content
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        where c.id = $2
            and not exists (select from feed.hidden_members h where h.member_id = c.author_id)
            and not exists (select from feed.blocks b where b.blocker_id = $1 and b.blocked_id = c.author_id)
            and not exists (select from feed.blocks b where b.blocker_id = c.author_id and b.blocked_id = $1)
            and
        "#,
        "",
        viewer,
        id
    );
    seen.fetch_optional(conn).await?.ok_or(Error::CommentNotFound)
}

/// A page of a post's comments: the newest page first, within a page oldest first.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn list(
    conn: &mut PgConnection,
    viewer: Option<Uuid>,
    post_id: Uuid,
    size: PageSize,
    after: Commented,
) -> Result<Page<Comment>, Error> {
    let rows = newest(viewer, post_id, size.to_fetch(), after).fetch_all(conn).await?;
    if rows.is_empty() {
        return Err(Error::PostNotFound);
    }
    let comments = rows.into_iter().filter_map(|row| {
        let (id, author_id, content, created_at) = (row.id?, row.author_id?, row.content?, row.created_at?);
        Some(Comment { id, post_id, author_id, content, created_at, edited_at: row.edited_at })
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
    edited_at: Option<DateTime<Utc>>,
}

/// The newest before `after`, without those of members the viewer does not meet.
pub(crate) fn newest(viewer: Option<Uuid>, post_id: Uuid, fetch: i64, after: Commented) -> Statement<impl Mapper<Row>> {
    in_sight!(
        Row,
        r#"
        select
            c.id as "id?",
            c.author_id as "author_id?",
            c.content as "content?",
            c.created_at as "created_at?",
            c.edited_at as "edited_at?"
        from feed.posts p
        left join lateral (
            select id, author_id, content, created_at, edited_at
            from feed.comments
            where post_id = p.id
                and (created_at, id) < ($3, $4)
                and author_id not in (
                    select blocked_id
                    from feed.blocks
                    where blocker_id = $1
                    union all
                    select blocker_id
                    from feed.blocks
                    where blocked_id = $1
                )
                and not exists (select from feed.hidden_members h where h.member_id = comments.author_id)
            order by created_at desc, id desc
            limit $5
        ) as c on true
        where p.id = $2
            and
        "#,
        r#"
        order by c.created_at desc, c.id desc
        "#,
        viewer,
        post_id,
        *after.at,
        after.id,
        fetch
    )
}

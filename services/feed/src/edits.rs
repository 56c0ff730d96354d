//! Changing what one wrote: it is marked from then on. Saying the same again changes nothing.

use chrono::{DateTime, Utc};
use primitives::{error::Violation, input::Text};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    comments::{self, Comment},
    error::Error,
    markdown,
    posts::{self, LONGEST_ARTICLE, Title},
    sight::in_sight,
};

/// What a post is to say.
#[derive(Debug)]
pub struct PostEdit {
    /// Which post.
    pub post_id: Uuid,
    /// Its words: as many as an article may have, which its row knows whether it is.
    pub content: Text<LONGEST_ARTICLE>,
    /// What an article is called; as it was when `None`.
    pub title: Option<Title>,
    /// What is said of its picture; as it was when `None`.
    pub alt: Option<String>,
}

/// What a comment is to say.
#[derive(Debug)]
pub struct CommentEdit {
    /// Which comment.
    pub comment_id: Uuid,
    /// Its words.
    pub content: comments::Words,
}

/// Changes a member's own post.
///
/// # Errors
/// [`Error::PostNotFound`]; [`Error::NotTheAuthor`]; [`Error::Invalid`] where something is said of what it has not, or more
/// than a post may say.
pub async fn post(conn: &mut PgConnection, member_id: Uuid, edit: &PostEdit, at: DateTime<Utc>) -> Result<(), Error> {
    let changed = sqlx::query!(
        "update feed.posts
        set
            content = $3,
            title = coalesce($5, title),
            excerpt = case when title is not null then $6::text end,
            picture_alt = coalesce($7, picture_alt),
            edited_at = $4
        where id = $2
            and author_id = $1
            and case when $5::text is null then true else title is not null end
            and case when $7::text is null then true else picture_alt is not null end
            and (content, title, picture_alt) is distinct from ($3, coalesce($5, title), coalesce($7, picture_alt))",
        member_id,
        edit.post_id,
        &*edit.content,
        at,
        edit.title.as_deref(),
        markdown::excerpt(&edit.content),
        edit.alt.as_deref()
    )
    .execute(&mut *conn)
    .await?;
    if changed.rows_affected() == 1 {
        return Ok(());
    }
    let seen = posts::seen(conn, member_id, edit.post_id).await?;
    if seen.author_id != member_id {
        Err(Error::NotTheAuthor)
    } else if edit.title.is_some() && !seen.is_article {
        Err(Violation::new("title", "Only an article has a title.").into())
    } else if edit.alt.is_some() && !seen.has_picture {
        Err(Violation::new("pictureAlt", "This post has no picture.").into())
    } else {
        Ok(())
    }
}

/// A comment that is there.
#[derive(Debug)]
struct There {
    id: Uuid,
}

/// Changes a member's own comment, under a post they may see.
///
/// # Errors
/// [`Error::CommentNotFound`]; [`Error::NotTheAuthor`].
pub async fn comment(
    conn: &mut PgConnection,
    member_id: Uuid,
    edit: &CommentEdit,
    at: DateTime<Utc>,
) -> Result<Comment, Error> {
    let changed = in_sight!(
        There,
        r#"
        update feed.comments c
        set content = $3, edited_at = $4
        from feed.posts p
        where c.id = $2
            and c.author_id = $1
            and c.content <> $3
            and p.id = c.post_id
            and
        "#,
        "returning c.id",
        member_id,
        edit.comment_id,
        &*edit.content,
        at
    );
    let id = match changed.fetch_optional(&mut *conn).await? {
        Some(changed) => changed.id,
        None => {
            let seen = comments::seen(&mut *conn, member_id, edit.comment_id).await?;
            if seen.author_id != member_id {
                return Err(Error::NotTheAuthor);
            }
            edit.comment_id
        }
    };
    comments::find(conn, id).await?.ok_or(Error::CommentNotFound)
}

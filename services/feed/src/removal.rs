//! Taking away what was written.
//!
//! A post may have a hundred thousand reactions, and nobody is to wait for them. So it becomes nobody's first, in a
//! community that is none: from then on no statement finds it for anybody (sight.rs), its words are gone, and nothing more
//! can be said under it. What hangs on it goes a moment later, in bites (erase.rs).

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    comments, erase,
    error::Error,
    facts::{Facts, Passed},
    pictures, posts, reposts, search,
};

/// A member's own post goes, with what follows from it: nobody finds it, what it passed on was passed on once less, and
/// the others are told.
///
/// # Errors
/// [`Error::PostNotFound`]; [`Error::NotTheAuthor`].
pub async fn withdraw(
    conn: &mut PgConnection,
    facts: &Facts,
    member_id: Uuid,
    post_id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let gone = post(conn, member_id, post_id).await?;
    search::POSTS.remove(&mut *conn, &[post_id]).await?;
    if let Some(original) = gone.repost_of
        && let Some(author) = reposts::count_off(conn, original).await?
    {
        let passed = Passed { post: original, author, repost: post_id, member: member_id };
        facts.post_repost_removed(conn, &passed, at).await?;
    }
    facts.post_deleted(conn, post_id, member_id, gone.community_id, at).await?;
    Ok(())
}

/// A comment goes, and the others are told.
///
/// # Errors
/// [`Error::CommentNotFound`]; [`Error::NotTheAuthor`].
pub async fn unsay(
    conn: &mut PgConnection,
    facts: &Facts,
    member_id: Uuid,
    comment_id: Uuid,
    at: DateTime<Utc>,
) -> Result<Unsaid, Error> {
    let mut unsaid = comment(conn, member_id, comment_id).await?;
    facts.post_comment_removed(conn, comment_id, &unsaid, at).await?;
    match posts::seen(conn, member_id, unsaid.post_id).await {
        Ok(_) => {}
        Err(Error::PostNotFound) => unsaid.comment_count = None,
        Err(error) => return Err(error),
    }
    Ok(unsaid)
}

/// Where a post was that is gone, and what it passed on.
#[derive(Debug)]
pub struct Gone {
    /// In which community.
    pub community_id: Option<Uuid>,
    /// Which post.
    pub repost_of: Option<Uuid>,
}

/// Takes a member's own post away.
///
/// # Errors
/// [`Error::PostNotFound`]; [`Error::NotTheAuthor`].
pub async fn post(conn: &mut PgConnection, member_id: Uuid, post_id: Uuid) -> Result<Gone, Error> {
    let gone = sqlx::query_as!(
        Gone,
        r#"
        with own as (
            select id, community_id, repost_of
            from feed.posts
            where id = $2
                and author_id = $1
            for no key update
        )
        update feed.posts p
        set
            author_id = '00000000-0000-0000-0000-000000000000',
            community_id = '00000000-0000-0000-0000-000000000000',
            content = '-',
            title = null,
            excerpt = null,
            picture_hash = null,
            picture_alt = null,
            picture_width = null,
            picture_height = null,
            video_url = null,
            repost_of = null
        from own
        where p.id = own.id
        returning own.community_id as "community_id?", own.repost_of as "repost_of?"
        "#,
        member_id,
        post_id
    )
    .fetch_optional(&mut *conn)
    .await?;
    match gone {
        Some(gone) => {
            pictures::release(conn, post_id).await?;
            Ok(gone)
        }
        None => {
            posts::seen(conn, member_id, post_id).await?;
            Err(Error::NotTheAuthor)
        }
    }
}

/// A comment that is gone.
#[derive(Debug)]
pub struct Unsaid {
    /// Under which post it stood.
    pub post_id: Uuid,
    /// Who wrote that.
    pub post_author_id: Uuid,
    /// Who wrote it.
    pub author_id: Uuid,
    /// What is left under the post, if whoever took it away may see that.
    pub comment_count: Option<i64>,
}

/// Takes a comment away: the member's own, whether or not they still may see the post, or one under their own post. The
/// post is locked first, as by whoever comments.
///
/// # Errors
/// [`Error::CommentNotFound`]; [`Error::NotTheAuthor`].
pub async fn comment(conn: &mut PgConnection, member_id: Uuid, comment_id: Uuid) -> Result<Unsaid, Error> {
    let unsaid = sqlx::query_as!(
        Unsaid,
        r#"
        with locked as (
            select id, author_id
            from feed.posts
            where id = (select post_id from feed.comments where id = $2)
                and author_id <> '00000000-0000-0000-0000-000000000000'
            for no key update
        ),
        gone as (
            delete from feed.comments c
            using locked
            where c.id = $2
                and c.post_id = locked.id
                and (c.author_id = $1 or locked.author_id = $1)
            returning c.post_id, c.author_id
        )
        update feed.posts p
        set comment_count = p.comment_count - 1
        from gone
        where p.id = gone.post_id
        returning p.id as post_id, p.author_id as post_author_id, gone.author_id, p.comment_count as "comment_count?"
        "#,
        member_id,
        comment_id
    )
    .fetch_optional(&mut *conn)
    .await?;
    match unsaid {
        Some(unsaid) => Ok(unsaid),
        None => {
            comments::seen(conn, member_id, comment_id).await?;
            Err(Error::NotTheAuthor)
        }
    }
}

/// Clears away the posts that are nobody's any more, with what was said under them.
///
/// # Errors
/// As any statement; what was not done is done next time.
pub async fn clear(db: &PgPool) -> Result<(), sqlx::Error> {
    while let Some(post_id) = erase::next_post(db, Uuid::nil()).await? {
        erase::post(db, post_id).await?;
    }
    Ok(())
}

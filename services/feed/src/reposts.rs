//! Passing posts on: a post of its own that names another, which counts it.
//!
//! Only what is for everybody may be passed on, so that whoever sees the one may see the other, blocks and closed accounts
//! aside: for these the page looks (pages/statement.rs).

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    pictures::Shown,
    posts::{self, Seen},
    sight::in_sight,
};

/// What a post passes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repost {
    /// This.
    Of(Original),
    /// What is gone, or not for the viewer.
    Gone,
}

/// A post as another one shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// Its id.
    pub id: Uuid,
    /// Who wrote it.
    pub author_id: Uuid,
    /// Its words; of an article the beginning.
    pub content: String,
    /// An article's.
    pub title: Option<String>,
    /// What it shows.
    pub picture: Option<Shown>,
    /// The address of a page with a video.
    pub video_url: Option<String>,
    /// When it was published.
    pub created_at: DateTime<Utc>,
    /// When its words were last changed.
    pub edited_at: Option<DateTime<Utc>>,
}

/// What is passed on when a member passes on this: of what says nothing itself, what that passes on.
///
/// # Errors
/// [`Error::PostNotFound`]; [`Error::NotForEverybody`].
pub async fn original(conn: &mut PgConnection, member_id: Uuid, post_id: Uuid) -> Result<Uuid, Error> {
    let named = posts::seen(&mut *conn, member_id, post_id).await?;
    let seen = match named.passes_on {
        Some(original) => posts::seen(conn, member_id, original).await?,
        None => named,
    };
    match seen {
        Seen { id, is_public: true, .. } => Ok(id),
        Seen { is_public: false, .. } => Err(Error::NotForEverybody),
    }
}

/// What a member passed on without words, there before.
///
/// # Errors
/// As any statement.
pub async fn before(
    conn: &mut PgConnection,
    member_id: Uuid,
    original: Uuid,
    community_id: Option<Uuid>,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select id
        from feed.posts
        where author_id = $1
            and repost_of = $2
            and coalesce(community_id, '00000000-0000-0000-0000-000000000000')
                = coalesce($3, '00000000-0000-0000-0000-000000000000'::uuid)
            and content = ''",
        member_id,
        original,
        community_id
    )
    .fetch_optional(conn)
    .await
}

/// A post that counts.
#[derive(Debug)]
struct Counted {
    author_id: Uuid,
}

/// Counts that a member passed a post on. Answers who wrote it.
///
/// # Errors
/// [`Error::PostNotFound`]: it went, or out of sight, since it was looked at.
pub async fn count(conn: &mut PgConnection, member_id: Uuid, original: Uuid) -> Result<Uuid, Error> {
    let counted = in_sight!(
        Counted,
        r#"
        update feed.posts p
        set share_count = p.share_count + 1
        where p.id = $2
            and p.community_id is null
            and
        "#,
        "returning p.author_id",
        member_id,
        original
    );
    Ok(counted.fetch_optional(conn).await?.ok_or(Error::PostNotFound)?.author_id)
}

/// Counts off what passed it on and is gone. Answers who wrote it, while it is there itself.
///
/// # Errors
/// As any statement.
pub async fn count_off(conn: &mut PgConnection, original: Uuid) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "update feed.posts
        set share_count = share_count - 1
        where id = $1
            and author_id <> '00000000-0000-0000-0000-000000000000'
        returning author_id",
        original
    )
    .fetch_optional(conn)
    .await
}

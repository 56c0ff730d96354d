//! Posts: publishing one, and what one looks like.

use chassis::input::Text;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{comments::Comment, error::Error, ranking, reactions::Reaction};

/// The longest post, in characters.
pub const LONGEST: usize = 5_000;

/// A post somebody wants to publish.
#[derive(Debug)]
pub struct NewPost {
    /// Its words.
    pub content: Text<LONGEST>,
}

/// A post as lists carry it.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// Its id, in its author's bucket.
    pub id: Uuid,
    /// Who wrote it.
    pub author_id: Uuid,
    /// Its words.
    pub content: String,
    /// When it was published.
    pub created_at: DateTime<Utc>,
    /// Reactions of every kind.
    pub like_count: i64,
    /// Comments.
    pub comment_count: i64,
    /// At most 20: the viewer's first, then the newest.
    pub reactions: Vec<Reaction>,
    /// The 3 newest, oldest of them first.
    pub comments: Vec<Comment>,
    /// Relevance to a stranger.
    pub rank: f64,
    /// Whether it leads this page because the viewer just wrote it.
    pub leads: bool,
}

/// Publishes a post.
///
/// # Errors
/// As any statement.
pub async fn publish(
    conn: &mut PgConnection,
    id: Uuid,
    author_id: Uuid,
    post: &NewPost,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.posts (id, author_id, content, created_at, freshness)
        values ($1, $2, $3, $4, $5)",
        id,
        author_id,
        &*post.content,
        at,
        ranking::freshness(at)
    )
    .execute(conn)
    .await?;
    Ok(())
}

impl Post {
    /// A post just published: nobody has said anything yet.
    #[must_use]
    pub fn fresh(id: Uuid, author_id: Uuid, content: String, created_at: DateTime<Utc>) -> Self {
        Self {
            id,
            author_id,
            content,
            created_at,
            like_count: 0,
            comment_count: 0,
            reactions: Vec::new(),
            comments: Vec::new(),
            rank: ranking::rank(ranking::freshness(created_at), 0, 0),
            leads: true,
        }
    }
}

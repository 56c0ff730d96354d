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
    /// For whose members; for everybody when `None`.
    pub community_id: Option<Uuid>,
}

/// The community a post is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Community {
    /// Which.
    pub id: Uuid,
    /// What it is called; nothing once it is gone.
    pub name: String,
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
    /// Where it was published; `None` is for everybody.
    pub community: Option<Community>,
    /// Relevance to the viewer in a list by relevance, to a stranger anywhere else.
    pub score: f64,
    /// Whether it leads this page because the viewer just wrote it.
    pub leads: bool,
}

/// Publishes a post, into a community only if the author belongs to it. Answers with the community.
///
/// # Errors
/// [`Error::NotAWriter`] of the community; or there is none.
pub async fn publish(
    conn: &mut PgConnection,
    id: Uuid,
    author_id: Uuid,
    post: &NewPost,
    at: DateTime<Utc>,
) -> Result<Option<Community>, Error> {
    let published = sqlx::query_scalar!(
        "
        insert into feed.posts (id, author_id, content, created_at, freshness, community_id, school_key)
        select $1, $2, $3, $4, $5, $6, (select school_key from feed.members where member_id = $2)
        where $6::uuid is null
            or exists (select from feed.memberships where member_id = $2 and community_id = $6)
        returning (select name from feed.communities c where c.id = community_id)
        ",
        id,
        author_id,
        &*post.content,
        at,
        ranking::freshness(at),
        post.community_id
    )
    .fetch_optional(conn)
    .await?;
    let name = published.ok_or(Error::NotAWriter)?.unwrap_or_default();
    Ok(post.community_id.map(|id| Community { id, name }))
}

impl Post {
    /// A post just published to everybody: nobody has said anything yet.
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
            community: None,
            score: ranking::rank(ranking::freshness(created_at), 0, 0),
            leads: true,
        }
    }
}

//! What can go wrong here, and how a caller can react to it.

use std::time::Duration;

use chassis::{
    db,
    error::{Explain, Kind, Violation, status},
    input::Invalid,
};
use tonic::Status;

/// Every way a request to feed can fail.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks rules.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// There is no such post.
    #[error("Post not found")]
    PostNotFound,
    /// A post for a community the author does not belong to, or that is none.
    #[error("Join this community to post in it.")]
    NotAWriter,
    /// The posts of a community the viewer does not belong to, or that is none.
    #[error("Join this community to see its posts.")]
    NotAReader,
    /// An idempotency key came back with other words.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// The database refused or failed.
    #[error("the database failed")]
    Database(#[source] db::Error),
}

impl Explain for Error {
    const SERVICE: &'static str = "feed";

    fn kind(&self) -> Kind {
        match self {
            Self::Invalid(_) => Kind::Invalid,
            Self::PostNotFound => Kind::NotFound,
            Self::NotAWriter | Self::NotAReader => Kind::Forbidden,
            Self::KeyReused => Kind::KeyReused,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::PostNotFound => "POST_NOT_FOUND",
            Self::NotAWriter | Self::NotAReader => "NOT_A_MEMBER",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(Invalid(violations)) => violations,
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        (self.kind() == Kind::Unavailable).then_some(Duration::from_secs(1))
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<sqlx::Error> for Error {
    /// A row that names a post which is not there is refused by its foreign key: that is how we learn of it.
    fn from(error: sqlx::Error) -> Self {
        db::Error::from(error).into()
    }
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        match error.constraint() {
            Some("reactions_post_id_fkey" | "comments_post_id_fkey") => Self::PostNotFound,
            _ => Self::Database(error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        status(&error)
    }
}

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
    /// An idempotency key came back with other words.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// An export ended before it was complete: the process stops, or its reader took nothing any more.
    #[error("This was interrupted. Please try again.")]
    Interrupted,
    /// A record of an export cannot be written as JSON.
    #[error("a record cannot be written")]
    Record(#[from] serde_json::Error),
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
            Self::KeyReused => Kind::KeyReused,
            Self::Interrupted => Kind::Unavailable,
            Self::Record(_) => Kind::Internal,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::PostNotFound => "POST_NOT_FOUND",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::Interrupted => "INTERRUPTED",
            Self::Record(_) => "RECORD",
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

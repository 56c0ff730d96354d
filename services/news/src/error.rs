//! What can go wrong in news, and what a caller is told about it.

use primitives::{
    error::{ErrorKind, ServiceError, Violation, to_status},
    input::InvalidRequest,
};
use tonic::Status;

/// Why a call was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks a rule.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// There is no such article.
    #[error("Article not found")]
    ArticleNotFound,
    /// There is no such resource, or it waits for its approval.
    #[error("Resource not found")]
    ResourceNotFound,
    /// Its address is there, or waits.
    #[error("This resource is already known")]
    ResourceKnown,
    /// As many of the actor's wait as may.
    #[error("Ten of your suggestions are waiting already")]
    TooManySuggestions,
    /// The database refused, or is away.
    #[error(transparent)]
    Database(db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "news";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::ArticleNotFound | Self::ResourceNotFound => ErrorKind::NotFound,
            Self::ResourceKnown => ErrorKind::Conflict,
            Self::TooManySuggestions => ErrorKind::Limited,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::ArticleNotFound => "ARTICLE_NOT_FOUND",
            Self::ResourceNotFound => "RESOURCE_NOT_FOUND",
            Self::ResourceKnown => "RESOURCE_KNOWN",
            Self::TooManySuggestions => "TOO_MANY_SUGGESTIONS",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(InvalidRequest(violations)) => violations,
            _ => &[],
        }
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        db::Error::from(error).into()
    }
}

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        match error.constraint() {
            Some("resources_canonical_url_key") => Self::ResourceKnown,
            _ => Self::Database(error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        to_status(&error)
    }
}

//! The errors of the service, their kinds and reasons.

use primitives::{
    error::{ErrorKind, ServiceError, Violation, to_status},
    input::InvalidRequest,
};
use tonic::Status;

/// The errors of the service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// No such article.
    #[error("Article not found")]
    ArticleNotFound,
    /// No such resource, or it waits for approval.
    #[error("Resource not found")]
    ResourceNotFound,
    /// A resource or a pending suggestion has the same address.
    #[error("This resource is already known")]
    ResourceKnown,
    /// The caller has the maximum of pending suggestions.
    #[error("Ten of your suggestions are waiting already")]
    TooManySuggestions,
    /// A database error.
    #[error(transparent)]
    Database(db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "news";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::ArticleNotFound | Self::ResourceNotFound => ErrorKind::NotFound,
            Self::ResourceKnown | Self::TooManySuggestions => ErrorKind::Conflict,
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

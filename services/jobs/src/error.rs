//! What can go wrong in jobs, and what a caller is told about it.

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
    /// There is no such posting.
    #[error("Job not found")]
    JobNotFound,
    /// There is no such application, or it is another member's.
    #[error("Application not found")]
    ApplicationNotFound,
    /// One applies once.
    #[error("You have already applied for this job")]
    AlreadyApplied,
    /// Nobody is looked for any more.
    #[error("This job is no longer open")]
    JobClosed,
    /// An idempotency key came back with other words.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// The database refused, or is away.
    #[error(transparent)]
    Database(db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "jobs";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::JobNotFound | Self::ApplicationNotFound => ErrorKind::NotFound,
            Self::AlreadyApplied | Self::JobClosed => ErrorKind::Conflict,
            Self::KeyReused => ErrorKind::KeyReused,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::JobNotFound => "JOB_NOT_FOUND",
            Self::ApplicationNotFound => "APPLICATION_NOT_FOUND",
            Self::AlreadyApplied => "ALREADY_APPLIED",
            Self::JobClosed => "JOB_CLOSED",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
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

impl From<db::Error> for Error {
    fn from(error: db::Error) -> Self {
        match error.constraint() {
            Some("applications_member_id_posting_id_key") => Self::AlreadyApplied,
            _ => Self::Database(error),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        db::Error::from(error).into()
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        to_status(&error)
    }
}

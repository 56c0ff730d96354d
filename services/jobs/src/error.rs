//! The errors of the service, their kinds and reasons.

use std::time::Duration;

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
    /// No such posting.
    #[error("Job not found")]
    JobNotFound,
    /// No such application of the caller.
    #[error("Application not found")]
    ApplicationNotFound,
    /// No such file of an application of the caller.
    #[error("File not found")]
    FileNotFound,
    /// The member uploaded the maximum of bytes of a day.
    #[error("You have added 150 MB of files to applications within a day, which is the most. Please try again later.")]
    FilesOfDay {
        /// The time after which the file fits.
        retry_after: Duration,
    },
    /// The caller has an application for this posting.
    #[error("You have already applied for this job")]
    AlreadyApplied,
    /// The posting is closed.
    #[error("This job is no longer open")]
    JobClosed,
    /// The idempotency key was used with another body.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// A database error.
    #[error(transparent)]
    Database(db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "jobs";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::JobNotFound | Self::ApplicationNotFound | Self::FileNotFound => ErrorKind::NotFound,
            Self::AlreadyApplied | Self::JobClosed => ErrorKind::Conflict,
            Self::FilesOfDay { .. } => ErrorKind::Limited,
            Self::KeyReused => ErrorKind::KeyReused,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::JobNotFound => "JOB_NOT_FOUND",
            Self::ApplicationNotFound => "APPLICATION_NOT_FOUND",
            Self::FileNotFound => "FILE_NOT_FOUND",
            Self::AlreadyApplied => "ALREADY_APPLIED",
            Self::JobClosed => "JOB_CLOSED",
            Self::FilesOfDay { .. } => "FILES_OF_DAY",
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

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::FilesOfDay { retry_after } => Some(*retry_after),
            _ => None,
        }
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<idempotency::Error> for Error {
    fn from(error: idempotency::Error) -> Self {
        match error {
            idempotency::Error::KeyReused => Self::KeyReused,
            idempotency::Error::Database(error) => error.into(),
        }
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

//! What can go wrong in jobs, and what a caller is told about it.

use chassis::{
    db,
    error::{Explain, Kind, Violation, status},
    input::Invalid,
};
use tonic::Status;

/// Why a call was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks a rule.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The database refused, or is away.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl Explain for Error {
    const SERVICE: &'static str = "jobs";

    fn kind(&self) -> Kind {
        match self {
            Self::Invalid(_) => Kind::Invalid,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(Invalid(violations)) => violations,
            Self::Database(_) => &[],
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
        Self::Database(error.into())
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        status(&error)
    }
}

//! What can go wrong in social-graph, and what a caller is told about it.

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
    /// There is nobody to connect with: closed, or blocked by either side.
    #[error("Member not found")]
    MemberNotFound,
    /// There is no such connection, or it is none of the asker's.
    #[error("Connection not found")]
    ConnectionNotFound,
    /// The two are connected.
    #[error("You are already connected.")]
    AlreadyConnected,
    /// The other rejected a request less than 30 days ago.
    #[error("You can ask this member again 30 days after they ignored your request.")]
    AskedTooSoon,
    /// The other answer was given.
    #[error("This request has been answered already.")]
    AlreadyAnswered,
    /// A request is its recipient's to answer.
    #[error("Only the member who was asked can answer this request.")]
    NotRecipient,
    /// A request is its requester's to withdraw.
    #[error("Only the member who asked can withdraw this request.")]
    NotRequester,
    /// The database refused, or is away.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl Explain for Error {
    const SERVICE: &'static str = "social-graph";

    fn kind(&self) -> Kind {
        match self {
            Self::Invalid(_) => Kind::Invalid,
            Self::MemberNotFound | Self::ConnectionNotFound => Kind::NotFound,
            Self::AlreadyConnected | Self::AlreadyAnswered => Kind::Conflict,
            // The one kind that travels as FAILED_PRECONDITION.
            Self::AskedTooSoon => Kind::KeyReused,
            Self::NotRecipient | Self::NotRequester => Kind::Forbidden,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::MemberNotFound => "MEMBER_NOT_FOUND",
            Self::ConnectionNotFound => "CONNECTION_NOT_FOUND",
            Self::AlreadyConnected => "ALREADY_CONNECTED",
            Self::AskedTooSoon => "ASKED_TOO_SOON",
            Self::AlreadyAnswered => "ALREADY_ANSWERED",
            Self::NotRecipient => "NOT_RECIPIENT",
            Self::NotRequester => "NOT_REQUESTER",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(Invalid(violations)) => violations,
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
        Self::Database(error.into())
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        status(&error)
    }
}

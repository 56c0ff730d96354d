//! What can go wrong in auth, and what each case means to a caller.

use std::time::Duration;

use chassis::{
    actor::KeyError,
    db,
    error::{Explain, Kind, Violation},
    input::Invalid,
};
use tonic::Status;

use crate::hashing;

/// When a full hashing queue has certainly moved on.
const HASHING_RETRY: Duration = Duration::from_secs(1);

/// Everything auth answers besides success.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks rules.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// Another account has the name, in whatever case.
    #[error("Username is already taken")]
    UsernameTaken(Vec<Violation>),
    /// Another account has the id: the caller draws a new one.
    #[error("This account exists already.")]
    MemberIdTaken,
    /// No such account, or another password: which of the two is nobody's business.
    #[error("Invalid username or password")]
    BadCredentials,
    /// No such session, or it is over.
    #[error("Sign in required")]
    SessionEnded,
    /// The hashing queue is full.
    #[error("Many people are signing in at the moment. Please try again.")]
    HashingBusy,
    /// Hashing failed otherwise.
    #[error("hashing failed")]
    Hashing(#[source] hashing::Error),
    /// There is no randomness to make a token of.
    #[error("there is no randomness")]
    Randomness,
    /// The member token cannot be signed.
    #[error("signing failed")]
    Signing(#[from] KeyError),
    /// The database refused or is away.
    #[error("the database refused")]
    Database(#[from] db::Error),
}

impl Explain for Error {
    const SERVICE: &'static str = "auth";

    fn kind(&self) -> Kind {
        match self {
            Self::Invalid(_) => Kind::Invalid,
            Self::UsernameTaken(_) | Self::MemberIdTaken => Kind::Conflict,
            Self::BadCredentials | Self::SessionEnded => Kind::Unauthenticated,
            Self::HashingBusy => Kind::Limited,
            Self::Hashing(_) | Self::Randomness | Self::Signing(_) => Kind::Internal,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::UsernameTaken(_) => "USERNAME_TAKEN",
            Self::MemberIdTaken => "MEMBER_ID_TAKEN",
            Self::BadCredentials => "BAD_CREDENTIALS",
            Self::SessionEnded => "SESSION_ENDED",
            Self::HashingBusy => "HASHING_BUSY",
            Self::Hashing(_) => "HASHING",
            Self::Randomness => "RANDOMNESS",
            Self::Signing(_) => "SIGNING",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(Invalid(violations)) | Self::UsernameTaken(violations) => violations,
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        matches!(self, Self::HashingBusy).then_some(HASHING_RETRY)
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        chassis::error::status(&error)
    }
}

impl From<hashing::Error> for Error {
    fn from(error: hashing::Error) -> Self {
        match error {
            hashing::Error::Busy => Self::HashingBusy,
            other => Self::Hashing(other),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let error = db::Error::from(error);
        match error.constraint() {
            Some("accounts_username_key") => {
                Self::UsernameTaken(vec![Violation::new("username", "Username is already taken")])
            }
            _ => Self::Database(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use chassis::error::Explained;

    use super::*;

    #[test]
    fn a_full_hashing_queue_says_when_to_come_back() {
        let refused = Explained::from(&Status::from(Error::from(hashing::Error::Busy)));
        assert_eq!((refused.kind, refused.reason.as_str()), (Kind::Limited, "HASHING_BUSY"));
        assert_eq!(refused.retry_after, Some(HASHING_RETRY));
    }

    #[test]
    fn what_is_our_fault_is_not_explained_to_strangers() {
        let refused = Explained::from(&Status::from(Error::Randomness));
        assert_eq!(refused.kind, Kind::Internal);
        assert!(!refused.message.contains("random"));
    }
}

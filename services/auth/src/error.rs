//! What can go wrong in auth, and what each case means to a caller.

use std::time::Duration;

use primitives::{
    error::{ErrorKind, ServiceError, Violation},
    input::InvalidRequest,
};
use rpc::identity::KeyError;
use tonic::Status;

use crate::hashing;

/// When a full hashing queue has certainly moved on.
const HASHING_RETRY: Duration = Duration::from_secs(1);

/// Everything auth answers besides success.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks rules.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// Another account has the name, in whatever case.
    #[error("Username is already taken")]
    UsernameTaken(Vec<Violation>),
    /// Another account has the id: the caller draws a new one.
    #[error("This account exists already.")]
    MemberIdTaken,
    /// No such account, or another password: which of the two is nobody's business.
    #[error("Invalid username or password")]
    BadCredentials,
    /// The password is right, and an operator has suspended the account.
    #[error("This account is suspended")]
    Suspended,
    /// An operator asks for what is so already.
    #[error("This account is so already.")]
    AlreadyDecided,
    /// No such session, or it is over.
    #[error("Sign in required")]
    SessionEnded,
    /// There is no such account.
    #[error("User not found")]
    AccountNotFound,
    /// A new password is asked for without any proof, from a browser the account does not know.
    #[error("This browser is not known to this account. Enter one of its recovery codes.")]
    ProofMissing,
    /// The recovery code or link is not the account's, too old, or was used before: which of them is nobody's business.
    #[error("This recovery code or link is not valid.")]
    ProofRefused,
    /// A session this old may not do this for being signed in alone.
    #[error("Enter your password to go on.")]
    PasswordRequired(Vec<Violation>),
    /// Somebody signed in was asked for the password again, and had another.
    #[error("This is not your password.")]
    PasswordWrong(Vec<Violation>),
    /// The member has no such session.
    #[error("Session not found")]
    SessionNotFound,
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

impl ServiceError for Error {
    const SERVICE: &'static str = "auth";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::UsernameTaken(_) | Self::MemberIdTaken | Self::AlreadyDecided => ErrorKind::Conflict,
            Self::BadCredentials | Self::SessionEnded => ErrorKind::Unauthenticated,
            Self::AccountNotFound | Self::SessionNotFound => ErrorKind::NotFound,
            Self::Suspended | Self::ProofMissing | Self::ProofRefused => ErrorKind::Forbidden,
            Self::PasswordRequired(_) | Self::PasswordWrong(_) => ErrorKind::Forbidden,
            Self::HashingBusy => ErrorKind::Limited,
            Self::Hashing(_) | Self::Randomness | Self::Signing(_) => ErrorKind::Internal,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::UsernameTaken(_) => "USERNAME_TAKEN",
            Self::MemberIdTaken => "MEMBER_ID_TAKEN",
            Self::BadCredentials => "BAD_CREDENTIALS",
            Self::Suspended => "ACCOUNT_SUSPENDED",
            Self::AlreadyDecided => "ALREADY_DECIDED",
            Self::SessionEnded => "SESSION_ENDED",
            Self::AccountNotFound => "ACCOUNT_NOT_FOUND",
            Self::ProofMissing => "PROOF_MISSING",
            Self::ProofRefused => "PROOF_REFUSED",
            Self::PasswordRequired(_) => "PASSWORD_REQUIRED",
            Self::PasswordWrong(_) => "PASSWORD_WRONG",
            Self::SessionNotFound => "SESSION_NOT_FOUND",
            Self::HashingBusy => "HASHING_BUSY",
            Self::Hashing(_) => "HASHING",
            Self::Randomness => "RANDOMNESS",
            Self::Signing(_) => "SIGNING",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(InvalidRequest(violations))
            | Self::UsernameTaken(violations)
            | Self::PasswordRequired(violations)
            | Self::PasswordWrong(violations) => violations,
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        matches!(self, Self::HashingBusy).then_some(HASHING_RETRY)
    }
}

impl Error {
    /// The password somebody gave again, in `field`, is not theirs.
    #[must_use]
    pub fn password_wrong(field: &str) -> Self {
        Self::PasswordWrong(vec![Violation::new(field, "This is not your password.")])
    }

    /// The password is to be given again, in `password`.
    #[must_use]
    pub fn password_required() -> Self {
        Self::PasswordRequired(vec![Violation::new("password", "Enter your password to go on.")])
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        primitives::error::to_status(&error)
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
    use primitives::error::StatusDetails;

    use super::*;

    #[test]
    fn a_full_hashing_queue_says_when_to_come_back() {
        let refused = StatusDetails::from(&Status::from(Error::from(hashing::Error::Busy)));
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "HASHING_BUSY"));
        assert_eq!(refused.retry_after, Some(HASHING_RETRY));
    }

    #[test]
    fn what_is_our_fault_is_not_explained_to_strangers() {
        let refused = StatusDetails::from(&Status::from(Error::Randomness));
        assert_eq!(refused.kind, ErrorKind::Internal);
        assert!(!refused.message.contains("random"));
    }
}

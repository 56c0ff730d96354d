//! The errors of auth with their kinds and reasons.

use std::{collections::HashMap, fmt, time::Duration};

use argon2::password_hash;
use primitives::{
    error::{ErrorKind, ServiceError, Violation},
    input::InvalidRequest,
};
use rpc::identity::KeyError;
use tonic::Status;
use totp_rs::TotpError;
use zeroize::Zeroizing;

/// The hashing queue drains within this time.
const HASHING_RETRY: Duration = Duration::from_secs(1);

/// The errors of auth.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// Another account has the username, compared without regard to case.
    #[error("Username is already taken")]
    UsernameTaken(Vec<Violation>),
    /// Another account has the id: the gateway generates a new one.
    #[error("This account exists already.")]
    MemberIdTaken,
    /// Unknown username or wrong password. The caller must not learn which.
    #[error("Invalid username or password")]
    BadCredentials,
    /// The password is right, and the account needs a code too.
    #[error("Enter the code of your authenticator app to continue.")]
    SecondFactorRequired,
    /// The password is right, the code is wrong, expired or used. The caller must not learn which.
    #[error("This code is not valid.")]
    SecondFactorWrong(Vec<Violation>),
    /// The account has an authenticator app, which must be removed first.
    #[error("An authenticator app is set up already.")]
    TotpExists,
    /// The account has no authenticator app.
    #[error("No authenticator app is set up.")]
    TotpNotFound,
    /// An operator or a moderator suspended the account. Returned only for the right credentials, with the state of the appeal.
    #[error("This account is suspended")]
    Suspended(AppealState),
    /// The token of an appeal is unknown, used or expired, or the suspension ended. The caller must not learn which.
    #[error("Please sign in again to appeal.")]
    AppealTokenRefused,
    /// No suspension with an appeal has this id.
    #[error("This does not exist.")]
    AppealNotFound,
    /// The moderator reported the member, was reported by them, or decided before.
    #[error("You cannot decide on a member with whom you have a case, or on whom you decided before.")]
    OwnCase,
    /// The account is in the state that the operator requests.
    #[error("The account is already in this state.")]
    StateUnchanged,
    /// The caller is not a moderator, or no longer one.
    #[error("This does not exist.")]
    NotModerator,
    /// A moderator cannot suspend a moderator.
    #[error("Only an operator can suspend a moderator.")]
    ModeratorProtected,
    /// The session does not exist, or a person ended it. For a member token, the session may also have expired.
    #[error("Sign in required")]
    SessionEnded,
    /// The session of a token has expired. No person ended it.
    #[error("Sign in required")]
    SessionExpired,
    /// The account does not exist.
    #[error("User not found")]
    AccountNotFound,
    /// A reset without a proof, from an untrusted browser.
    #[error("This browser is not known to this account. Enter one of its recovery codes.")]
    ProofMissing,
    /// The recovery code or link is wrong, expired or used. The caller must not learn which.
    #[error("This recovery code or link is not valid.")]
    ProofRefused,
    /// The passkey is unknown, of another account, or its assertion is not valid. The caller must not learn which.
    #[error("This passkey cannot be used for this account.")]
    PasskeyProofRefused,
    /// This call needs a recent proof. A violation of `oneTimeCode` says that the password is not enough.
    #[error("Please confirm that it is you to continue.")]
    StepUpRequired(Vec<Violation>),
    /// The signed-in caller's password is wrong.
    #[error("This is not your password.")]
    PasswordWrong(Vec<Violation>),
    /// The signed-in caller's one-time code is wrong, expired or used. The caller must not learn which.
    #[error("This code is not valid.")]
    CodeWrong(Vec<Violation>),
    /// The passkey of the signed-in caller's proof is unknown, of another account, or its assertion is not valid.
    #[error("This passkey cannot be used for this account.")]
    PasskeyWrong,
    /// The caller has no session of this id.
    #[error("Session not found")]
    SessionNotFound,
    /// The caller has no trusted browser of this session.
    #[error("Trusted browser not found")]
    TrustedBrowserNotFound,
    /// The origin has an IP address, for which browsers have no passkeys.
    #[error("Passkeys do not work at this address.")]
    PasskeysUnavailable,
    /// The ceremony is unknown, used, expired, or of another purpose or session.
    #[error("This took too long. Please try again.")]
    PasskeyExpired,
    /// The answer to a registration is not valid.
    #[error("This passkey could not be verified.")]
    PasskeyRefused,
    /// An account has this passkey already.
    #[error("This passkey is already added.")]
    PasskeyExists,
    /// The account has the maximum number of passkeys.
    #[error("You can have at most 20 passkeys.")]
    TooManyPasskeys,
    /// The caller has no passkey of this id.
    #[error("Passkey not found")]
    PasskeyNotFound,
    /// The state of a ceremony or a passkey cannot be read or written.
    #[error("the state of a passkey is unreadable")]
    PasskeyState(#[source] serde_json::Error),
    /// A secret cannot be decrypted: its key is missing, or it was changed.
    #[error("a stored secret cannot be decrypted")]
    SealedSecret,
    /// The hashing queue is full.
    #[error("Many people are signing in at the moment. Please try again.")]
    HashingBusy,
    /// Hashing failed for another reason.
    #[error("hashing failed")]
    Hashing(#[source] HashError),
    /// The system's random number generator failed.
    #[error("random bytes are unavailable")]
    Randomness,
    /// A secret cannot be shared with an app.
    #[error("the secret of an authenticator app is unusable")]
    Totp(#[from] TotpError),
    /// The member token cannot be signed.
    #[error("signing failed")]
    Signing(#[from] KeyError),
    /// A statement failed, or the database is unavailable.
    #[error("database error")]
    Database(#[from] db::Error),
}

/// Why a password was not hashed.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    /// The queue is full.
    #[error("too many passwords are being checked")]
    Busy,
    /// The stored hash is malformed, or memory is exhausted.
    #[error("the password cannot be hashed")]
    Argon2(#[from] password_hash::Error),
    /// The system's random number generator failed.
    #[error("random bytes are unavailable")]
    Randomness,
    /// The process is stopping.
    #[error("hashing was cancelled")]
    Stopped,
}

/// Whether a suspended member can appeal, as the response to a refused sign-in states.
pub enum AppealState {
    /// The member can appeal once, with the token of this text. Its memory is wiped on drop, and `Debug` does not show
    /// it.
    Possible(Zeroizing<String>),
    /// The appeal waits for a decision.
    Waiting,
    /// A moderator decided that the suspension stays.
    Upheld,
    /// An operator suspended the account: appeals go to the operators.
    Unavailable,
}

impl AppealState {
    /// The text in the details of the error.
    pub const fn text(&self) -> &'static str {
        match self {
            Self::Possible(_) => "possible",
            Self::Waiting => "waiting",
            Self::Upheld => "upheld",
            Self::Unavailable => "unavailable",
        }
    }
}

impl fmt::Debug for AppealState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AppealState({})", self.text())
    }
}

impl ServiceError for Error {
    const SERVICE: &'static str = "auth";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) | Self::PasskeysUnavailable | Self::PasskeyExpired | Self::PasskeyRefused => {
                ErrorKind::Invalid
            }
            Self::UsernameTaken(_)
            | Self::MemberIdTaken
            | Self::StateUnchanged
            | Self::TotpExists
            | Self::PasskeyExists
            | Self::TooManyPasskeys => ErrorKind::Conflict,
            Self::BadCredentials
            | Self::SecondFactorRequired
            | Self::SecondFactorWrong(_)
            | Self::SessionEnded
            | Self::SessionExpired => ErrorKind::Unauthenticated,
            Self::AccountNotFound
            | Self::SessionNotFound
            | Self::TrustedBrowserNotFound
            | Self::TotpNotFound
            | Self::NotModerator
            | Self::AppealNotFound
            | Self::PasskeyNotFound => ErrorKind::NotFound,
            Self::Suspended(_)
            | Self::AppealTokenRefused
            | Self::OwnCase
            | Self::ProofMissing
            | Self::ProofRefused
            | Self::PasskeyProofRefused
            | Self::ModeratorProtected => ErrorKind::Forbidden,
            Self::StepUpRequired(_) | Self::PasswordWrong(_) | Self::CodeWrong(_) | Self::PasskeyWrong => {
                ErrorKind::Forbidden
            }
            Self::HashingBusy => ErrorKind::Limited,
            Self::Hashing(_)
            | Self::Randomness
            | Self::Totp(_)
            | Self::Signing(_)
            | Self::SealedSecret
            | Self::PasskeyState(_) => ErrorKind::Internal,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::UsernameTaken(_) => "USERNAME_TAKEN",
            Self::MemberIdTaken => "MEMBER_ID_TAKEN",
            Self::BadCredentials => "BAD_CREDENTIALS",
            Self::SecondFactorRequired => "SECOND_FACTOR_REQUIRED",
            Self::SecondFactorWrong(_) => "SECOND_FACTOR_WRONG",
            Self::TotpExists => "TOTP_EXISTS",
            Self::TotpNotFound => "TOTP_NOT_FOUND",
            Self::Suspended(_) => "ACCOUNT_SUSPENDED",
            Self::AppealTokenRefused => "APPEAL_TOKEN_REFUSED",
            Self::AppealNotFound => "APPEAL_NOT_FOUND",
            Self::OwnCase => "OWN_CASE",
            Self::StateUnchanged => "ALREADY_DECIDED",
            Self::NotModerator => "NOT_FOUND",
            Self::ModeratorProtected => "MODERATOR_PROTECTED",
            Self::SessionEnded => "SESSION_ENDED",
            Self::SessionExpired => "SESSION_EXPIRED",
            Self::AccountNotFound => "ACCOUNT_NOT_FOUND",
            Self::ProofMissing => "PROOF_MISSING",
            Self::ProofRefused | Self::PasskeyProofRefused => "PROOF_REFUSED",
            Self::StepUpRequired(_) => "STEP_UP_REQUIRED",
            Self::PasswordWrong(_) => "PASSWORD_WRONG",
            Self::CodeWrong(_) => "CODE_WRONG",
            Self::PasskeyWrong => "PASSKEY_WRONG",
            Self::SessionNotFound => "SESSION_NOT_FOUND",
            Self::TrustedBrowserNotFound => "TRUSTED_BROWSER_NOT_FOUND",
            Self::PasskeysUnavailable => "PASSKEYS_UNAVAILABLE",
            Self::PasskeyExpired => "PASSKEY_EXPIRED",
            Self::PasskeyRefused => "PASSKEY_REFUSED",
            Self::PasskeyExists => "PASSKEY_EXISTS",
            Self::TooManyPasskeys => "TOO_MANY_PASSKEYS",
            Self::PasskeyNotFound => "PASSKEY_NOT_FOUND",
            Self::PasskeyState(_) => "PASSKEY_STATE",
            Self::SealedSecret => "SEALED_SECRET",
            Self::HashingBusy => "HASHING_BUSY",
            Self::Hashing(_) => "HASHING",
            Self::Randomness => "RANDOMNESS",
            Self::Totp(_) => "TOTP",
            Self::Signing(_) => "SIGNING",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(InvalidRequest(violations))
            | Self::UsernameTaken(violations)
            | Self::SecondFactorWrong(violations)
            | Self::StepUpRequired(violations)
            | Self::PasswordWrong(violations)
            | Self::CodeWrong(violations) => violations,
            _ => &[],
        }
    }

    fn metadata(&self) -> HashMap<String, String> {
        let Self::Suspended(appeal) = self else { return HashMap::new() };
        let mut metadata = HashMap::from([("appealState".to_owned(), appeal.text().to_owned())]);
        if let AppealState::Possible(token) = appeal {
            metadata.insert("appealToken".to_owned(), token.as_str().to_owned());
        }
        metadata
    }

    fn retry_after(&self) -> Option<Duration> {
        matches!(self, Self::HashingBusy).then_some(HASHING_RETRY)
    }
}

impl Error {
    /// Returns the error for a username that belongs to an account or is reserved.
    pub fn username_taken() -> Self {
        Self::UsernameTaken(vec![Violation::new("username", "Username is already taken")])
    }

    /// Returns the error for a wrong password in `field`.
    pub fn password_wrong(field: &str) -> Self {
        Self::PasswordWrong(vec![Violation::new(field, "This is not your password.")])
    }

    /// Returns the error for a wrong code in `oneTimeCode` of a signed-in member.
    pub fn code_wrong() -> Self {
        Self::CodeWrong(vec![Self::wrong_code()])
    }

    /// Returns the error for a wrong code in `oneTimeCode` of a sign-in.
    pub fn second_factor_wrong() -> Self {
        Self::SecondFactorWrong(vec![Self::wrong_code()])
    }

    /// Returns the error for a sensitive change after a proof of the password only, when the account has an
    /// authenticator app.
    pub fn second_factor_proof_required() -> Self {
        let sentence = "Use a code of your authenticator app, a recovery code or a passkey.";
        Self::StepUpRequired(vec![Violation::new("oneTimeCode", sentence)])
    }

    fn wrong_code() -> Violation {
        Violation::new("oneTimeCode", "This code is not valid.")
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

impl From<HashError> for Error {
    fn from(error: HashError) -> Self {
        match error {
            HashError::Busy => Self::HashingBusy,
            other => Self::Hashing(other),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let error = db::Error::from(error);
        match error.constraint() {
            Some("accounts_username_key") => Self::username_taken(),
            Some("passkeys_credential_id_key") => Self::PasskeyExists,
            _ => Self::Database(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use primitives::error::StatusDetails;

    use super::*;

    #[test]
    fn a_full_hashing_queue_sends_retry_after() {
        let refused = StatusDetails::from(&Status::from(Error::from(HashError::Busy)));
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "HASHING_BUSY"));
        assert_eq!(refused.retry_after, Some(HASHING_RETRY));
    }

    #[test]
    fn an_internal_error_hides_its_cause() {
        let refused = StatusDetails::from(&Status::from(Error::Randomness));
        assert_eq!(refused.kind, ErrorKind::Internal);
        assert!(!refused.message.contains("random"));
    }
}

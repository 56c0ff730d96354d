//! The proof that a password reset needs: a link, a recovery code, a passkey or a trusted browser.
//!
//! A reset verifies the proof before it hashes the new password, so that a guess costs a lookup and not a hash. It then
//! consumes the proof with a conditional statement in the transaction that sets the password.

use chrono::{DateTime, Utc};
use portia_proto::auth::ProofMethod;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    audit::AuditEvent,
    credentials::token::Token,
    error::Error,
    passkeys::{
        Purpose,
        credentials::{self, Assertion, VerifiedUse},
    },
    recovery::{
        codes::{self, RecoveryCode},
        links,
        trusted_browsers::{self, BrowserHash},
    },
};

/// Lists the proofs that a reset on this browser accepts, the most convenient first. Only the trust in the browser
/// depends on the account: the answer must not tell a visitor which credentials it has.
pub async fn list_methods(
    db: &PgPool,
    account: Uuid,
    browser: Option<BrowserHash>,
    now: DateTime<Utc>,
) -> Result<Vec<ProofMethod>, Error> {
    let is_trusted = match browser {
        Some(browser) => trusted_browsers::is_trusted(db, account, &browser, now).await?,
        None => false,
    };
    let trusted = is_trusted.then_some(ProofMethod::TrustedBrowser);
    let others = [ProofMethod::Passkey, ProofMethod::RecoveryCode, ProofMethod::OperatorLink];
    Ok(trusted.into_iter().chain(others).collect())
}

/// A proof as the request carries it; `None` when the value has no valid format.
#[derive(Debug)]
pub enum Proof {
    /// The token of an operator's link.
    Link(Option<Token>),
    /// A recovery code.
    Code(Option<RecoveryCode>),
    /// The use of a passkey.
    Passkey(Option<Box<PasskeyProof>>),
    /// The token of a trusted browser; `None` also without a cookie.
    Browser(Option<BrowserHash>),
}

/// The use of a passkey as a proof.
#[derive(Debug)]
pub struct PasskeyProof {
    /// The answer of the browser.
    pub assertion: Assertion,
    /// The verified use; `None` before the verification.
    pub verified: Option<VerifiedUse>,
}

impl PasskeyProof {
    async fn verify(&mut self, db: &PgPool, account: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
        let verified = credentials::verify(db, Purpose::Reset, &self.assertion, now).await?;
        self.verified = verified.ok().map(|(used, _)| used).filter(|used| used.member == account);
        Ok(self.verified.is_some())
    }
}

impl Proof {
    /// Checks the proof. A link and a code stay valid; the ceremony of a passkey ends.
    ///
    /// # Errors
    /// [`Error::ProofMissing`], [`Error::ProofRefused`], [`Error::PasskeyProofRefused`] or [`Error::PasskeyExpired`].
    pub async fn verify(&mut self, db: &PgPool, account: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
        let valid = match self {
            Self::Link(Some(link)) => links::is_valid(db, account, link, now).await?,
            Self::Code(Some(code)) => codes::is_valid(db, account, code).await?,
            Self::Passkey(Some(passkey)) => passkey.verify(db, account, now).await?,
            Self::Browser(Some(browser)) => trusted_browsers::is_trusted(db, account, browser, now).await?,
            Self::Link(None) | Self::Code(None) | Self::Passkey(None) | Self::Browser(None) => false,
        };
        if valid { Ok(()) } else { Err(self.refusal()) }
    }

    /// Consumes a link or a code or records the use of a passkey, then deletes the account's link and its trust in browsers, also in this one: its token may
    /// be a copy. The caller must hold the lock on the account.
    ///
    /// # Errors
    /// [`Error::ProofMissing`], [`Error::ProofRefused`] or [`Error::PasskeyProofRefused`]: the caller must roll back.
    pub async fn consume(&self, db: &mut PgConnection, account: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
        let valid = match self {
            Self::Link(Some(link)) => links::consume(db, account, link, now).await?,
            Self::Code(Some(code)) => codes::consume(db, account, code, now).await?,
            Self::Passkey(Some(passkey)) => match passkey.verified {
                Some(verified) => credentials::record_use(db, verified, now).await?,
                None => false,
            },
            Self::Browser(Some(browser)) => trusted_browsers::is_trusted(&mut *db, account, browser, now).await?,
            Self::Link(None) | Self::Code(None) | Self::Passkey(None) | Self::Browser(None) => false,
        };
        if !valid {
            return Err(self.refusal());
        }
        links::delete(db, account).await?;
        trusted_browsers::delete_all(db, account).await
    }

    /// Whether a reset needs a code of the app too: two recovery codes, one here and one at the sign-in, would take over an account
    /// that has an app.
    pub const fn needs_app(&self) -> bool {
        matches!(self, Self::Code(_))
    }

    /// Returns the error for an unknown username. A passkey is refused as for a known username, because an answer must
    /// not reveal the credentials of an account.
    ///
    /// # Errors
    /// Always: [`Error::PasskeyProofRefused`] or [`Error::PasskeyExpired`] for a passkey, else [`Error::AccountNotFound`].
    pub async fn refuse_without_account(mut self, db: &PgPool, now: DateTime<Utc>) -> Result<(), Error> {
        if matches!(self, Self::Passkey(_)) {
            self.verify(db, Uuid::nil(), now).await
        } else {
            Err(Error::AccountNotFound)
        }
    }

    /// The audit event of a reset with this proof.
    pub const fn audit_event(&self) -> AuditEvent {
        match self {
            Self::Link(_) => AuditEvent::ResetByLink,
            Self::Code(_) => AuditEvent::ResetByCode,
            Self::Passkey(_) => AuditEvent::ResetByPasskey,
            Self::Browser(_) => AuditEvent::ResetByBrowser,
        }
    }

    const fn refusal(&self) -> Error {
        match self {
            Self::Link(_) | Self::Code(_) => Error::ProofRefused,
            Self::Passkey(_) => Error::PasskeyProofRefused,
            Self::Browser(_) => Error::ProofMissing,
        }
    }
}

//! Resets: which proof somebody offers for an account whose password is forgotten, looked at first and used up later.
//!
//! A proof is looked at before the new password is hashed, so that a guess costs a lookup and not a hash; and used up by
//! a conditional statement in the transaction that sets the password, because it may have been used in between.

use chrono::{DateTime, Utc};
use portia_proto::auth::ProofMethod;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    audit::Event,
    error::Error,
    links,
    recovery::{self, Code},
    token::Token,
    trusted::{self, BrowserHash},
};

/// How the owner of an account may prove themselves from a browser, best first. An operator can always be asked.
///
/// # Errors
/// When the database is away.
pub async fn methods(
    db: &PgPool,
    account: Uuid,
    browser: Option<BrowserHash>,
    now: DateTime<Utc>,
) -> Result<Vec<ProofMethod>, Error> {
    let mut methods = Vec::new();
    if let Some(browser) = browser
        && trusted::is_trusted(db, account, &browser, now).await?
    {
        methods.push(ProofMethod::TrustedBrowser);
    }
    if recovery::are_left(db, account).await? {
        methods.push(ProofMethod::RecoveryCode);
    }
    methods.push(ProofMethod::OperatorLink);
    Ok(methods)
}

/// What somebody offers to show that an account is theirs.
#[derive(Debug)]
pub enum Proof {
    /// The link an operator sent them; `None` when it is no link of ours.
    Link(Option<Token>),
    /// What they typed in as a recovery code; `None` when it is none.
    Code(Option<Code>),
    /// The browser they sit at; `None` when it brought nothing.
    Browser(Option<BrowserHash>),
}

impl Proof {
    /// Looks at it, and uses nothing up.
    ///
    /// # Errors
    /// [`Error::ProofMissing`] or [`Error::ProofRefused`].
    pub async fn look_at(&self, db: &PgPool, account: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
        let good = match self {
            Self::Link(Some(link)) => links::is_good(db, account, link, now).await?,
            Self::Code(Some(code)) => recovery::is_good(db, account, code).await?,
            Self::Browser(Some(browser)) => trusted::is_trusted(db, account, browser, now).await?,
            Self::Link(None) | Self::Code(None) | Self::Browser(None) => false,
        };
        if good { Ok(()) } else { Err(self.refusal()) }
    }

    /// Uses it up where it is good for once, and ends what else would open the account: its link, and its trust in every
    /// browser but the proving one. The account's row must be locked.
    ///
    /// # Errors
    /// [`Error::ProofMissing`] or [`Error::ProofRefused`] when it is good no more: roll back.
    pub async fn use_up(&self, conn: &mut PgConnection, account: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
        let good = match self {
            Self::Link(Some(link)) => links::use_up(conn, account, link, now).await?,
            Self::Code(Some(code)) => recovery::use_up(conn, account, code, now).await?,
            Self::Browser(Some(browser)) => trusted::is_trusted(&mut *conn, account, browser, now).await?,
            Self::Link(None) | Self::Code(None) | Self::Browser(None) => false,
        };
        if !good {
            return Err(self.refusal());
        }
        links::take_back(conn, account).await?;
        trusted::forget(conn, account, self.browser()).await
    }

    /// What is noted of a reset it was good for.
    #[must_use]
    pub const fn event(&self) -> Event {
        match self {
            Self::Link(_) => Event::ResetByLink,
            Self::Code(_) => Event::ResetByCode,
            Self::Browser(_) => Event::ResetByBrowser,
        }
    }

    fn browser(&self) -> Option<&[u8]> {
        match self {
            Self::Browser(Some(browser)) => Some(browser),
            _ => None,
        }
    }

    const fn refusal(&self) -> Error {
        match self {
            Self::Link(_) | Self::Code(_) => Error::ProofRefused,
            Self::Browser(_) => Error::ProofMissing,
        }
    }
}

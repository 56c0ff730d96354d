//! Asking a signed-in member for the password again.
//!
//! A writing RPC verifies the password without a connection, then locks the account and compares the hashes.

use chrono::{DateTime, TimeDelta, Utc};

use super::AuthService;
use crate::{
    accounts::Account,
    audit::AuditEvent,
    convert::{Browser, Reauthentication},
    credentials::{hashing::Verification, password::Password},
    error::Error,
};

/// A younger session needs no password for sensitive changes.
const FRESH: TimeDelta = TimeDelta::minutes(15);

/// Asks for the password unless the session is fresh.
pub(super) async fn require(
    service: &AuthService,
    account: &Account,
    signed_in_at: DateTime<Utc>,
    reauthentication: Reauthentication,
) -> Result<Browser, Error> {
    let Reauthentication { password, browser } = reauthentication;
    if service.clock.now() - signed_in_at >= FRESH {
        let password = password.ok_or_else(Error::password_required)?;
        verify_password(service, account, password, "password", &browser).await?;
    }
    Ok(browser)
}

pub(super) async fn verify_password(
    service: &AuthService,
    account: &Account,
    password: Password,
    field: &str,
    browser: &Browser,
) -> Result<(), Error> {
    match service.hashing.verify(password, Some(&account.password_hash)).await? {
        Verification::Match { .. } => Ok(()),
        Verification::Mismatch => {
            service.record_later(account.id, AuditEvent::PasswordRefused, browser);
            Err(Error::password_wrong(field))
        }
    }
}

/// Fails when the password was changed between its verification and the lock.
pub(super) fn ensure_unchanged(verified: &Account, locked: &Account) -> Result<(), Error> {
    if verified.password_hash == locked.password_hash { Ok(()) } else { Err(Error::password_wrong("password")) }
}

//! Ends sessions and removes credentials of a member, who is told.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use portia_proto::auth::SecurityNoticeCause;
use primitives::{clock::Clock, ids::Ids};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::get_account;
use crate::{
    accounts::{self, Account},
    audit::{self, ActionBy, AdminAction, AuditEvent, Note},
    error::Error,
    passkeys::credentials,
    publishing,
    recovery::trusted_browsers,
    second_factor::totp,
    sessions,
};

/// Ends every session of an account and the trust in every browser, as the member can do. Returns the username and the number of
/// ended sessions.
///
/// # Errors
/// [`Error::AccountNotFound`].
pub async fn revoke_sessions(
    db: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<(String, usize), Error> {
    let (now, outbox) = (clock.now(), Outbox::new("auth"));
    let mut tx = db.begin().await?;
    let Account { id: member, username, .. } = get_account(&mut tx, username, now).await?;
    accounts::lock(&mut tx, member).await?;
    trusted_browsers::delete_all(&mut tx, member).await?;
    let ended = sessions::end_all(&mut tx, member, None).await?;
    let change = (AuditEvent::SessionsRevoked, SecurityNoticeCause::SessionsRevokedByOperator);
    record_change(&mut tx, member, change, note, ids, now).await?;
    publishing::publish_sessions_ended(&outbox, &mut tx, member, &ended, now).await?;
    tx.commit().await?;
    Ok((username, ended.len()))
}

/// Removes the authenticator app of a member who has lost it and has no recovery code. The operator verifies the owner's identity.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::StateUnchanged`] when none is set up.
pub async fn remove_totp(
    db: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<String, Error> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    let Account { id: member, username, .. } = get_account(&mut tx, username, now).await?;
    accounts::lock(&mut tx, member).await?;
    if !totp::delete(&mut tx, member).await? {
        return Err(Error::StateUnchanged);
    }
    let change = (AuditEvent::TotpRemoved, SecurityNoticeCause::TotpRemovedByOperator);
    record_change(&mut tx, member, change, note, ids, now).await?;
    tx.commit().await?;
    Ok(username)
}

/// Removes every passkey of an account, for example after another person added one. The operator verifies the owner's identity.
/// Returns the username and the number of removed passkeys.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::StateUnchanged`] when there is none.
pub async fn remove_passkeys(
    db: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<(String, u64), Error> {
    let now = clock.now();
    let mut tx = db.begin().await?;
    let Account { id: member, username, .. } = get_account(&mut tx, username, now).await?;
    accounts::lock(&mut tx, member).await?;
    let removed = credentials::delete_all(&mut tx, member).await?;
    if removed == 0 {
        return Err(Error::StateUnchanged);
    }
    let change = (AuditEvent::PasskeysRemoved, SecurityNoticeCause::PasskeysRemovedByOperator);
    record_change(&mut tx, member, change, note, ids, now).await?;
    tx.commit().await?;
    Ok((username, removed))
}

/// Writes the audit row of an operator's change of an account, and publishes the notice for its owner.
async fn record_change(
    db: &mut PgConnection,
    member: Uuid,
    (event, cause): (AuditEvent, SecurityNoticeCause),
    note: Option<&Note>,
    ids: &Ids,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let action = AdminAction { event, by: ActionBy::Operator, member: Some(member), about: None, reason: None, note };
    audit::record_action(&mut *db, ids.owned_by(member), &action, now).await?;
    let notice = publishing::Notice { cause, browser: None, session: None, passkeys: Vec::new() };
    publishing::publish_notice(&Outbox::new("auth"), db, member, notice, ids, now).await
}

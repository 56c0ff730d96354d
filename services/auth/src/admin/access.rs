//! Ends sessions and removes credentials of a member, who is told.

use outbox::{Outbox, UnitOfWork};
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
    publishing::{self, Notice},
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
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("auth"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let Account { id: member, username, .. } = get_account(work.db, username, work.now).await?;
    accounts::lock(work.db, member).await?;
    trusted_browsers::delete_all(work.db, member).await?;
    let ended = sessions::end_all(work, member, None).await?;
    let change = (AuditEvent::SessionsRevoked, SecurityNoticeCause::SessionsRevokedByOperator);
    record_change(work, member, change, note).await?;
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
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("auth"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let Account { id: member, username, .. } = get_account(work.db, username, work.now).await?;
    accounts::lock(work.db, member).await?;
    if !totp::delete(work.db, member).await? {
        return Err(Error::StateUnchanged);
    }
    let change = (AuditEvent::TotpRemoved, SecurityNoticeCause::TotpRemovedByOperator);
    record_change(work, member, change, note).await?;
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
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("auth"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let Account { id: member, username, .. } = get_account(work.db, username, work.now).await?;
    accounts::lock(work.db, member).await?;
    let removed = credentials::delete_all(work.db, member).await?;
    if removed == 0 {
        return Err(Error::StateUnchanged);
    }
    let change = (AuditEvent::PasskeysRemoved, SecurityNoticeCause::PasskeysRemovedByOperator);
    record_change(work, member, change, note).await?;
    tx.commit().await?;
    Ok((username, removed))
}

/// Writes the audit row of an operator's change of an account, and publishes the notice for its owner.
async fn record_change(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    (event, cause): (AuditEvent, SecurityNoticeCause),
    note: Option<&Note>,
) -> Result<(), Error> {
    let action = AdminAction { event, by: ActionBy::Operator, member: Some(member), about: None, reason: None, note };
    audit::record_action(work, member, &action).await?;
    publishing::publish_notice(work, member, Notice::new(cause)).await
}

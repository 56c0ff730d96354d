//! The operator's actions, called by `portia admin`. Each writes an audit row in its transaction.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids, input::Text};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::{
    accounts::{self, Account},
    audit::{self, AdminAction, AuditEvent},
    convert::Username,
    credentials::token::Token,
    deactivation,
    error::Error,
    facts,
    recovery::links,
    sessions,
};

pub use crate::audit::AuditEntry;

/// The operator's reason for an action.
pub type Note = Text<1_000>;

/// A link that allows one password reset. The database stores only its hash.
#[derive(Debug)]
pub struct ResetLink {
    /// The username, as typed at registration.
    pub username: String,
    /// The link's secret.
    pub token: Token,
    /// The expiry.
    pub ends_at: DateTime<Utc>,
}

/// Creates the one-time link of an account, replacing an earlier one. The operator verifies the owner's identity.
///
/// # Errors
/// [`Error::AccountNotFound`].
pub async fn create_reset_link(
    db: &mut PgConnection,
    username: &str,
    ids: &Ids,
    clock: &Clock,
) -> Result<ResetLink, Error> {
    let (now, token) = (clock.now(), Token::generate()?);
    let account = get_account(db, username, now).await?;
    if !links::create(db, account.id, &token, ids.owned_by(account.id), now).await? {
        return Err(Error::AccountNotFound);
    }
    Ok(ResetLink { username: account.username, token, ends_at: now + links::LIFETIME })
}

/// An account that was suspended or restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuspensionChange {
    /// The username, as typed at registration.
    pub username: String,
    /// The owner has closed it, independently of the suspension.
    pub is_closed: bool,
    /// The number of ended sessions.
    pub ended: usize,
}

/// Suspends an account: ends its sessions, deletes its link, refuses sign-ins and hides the member.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::StateUnchanged`] when it is suspended already.
pub async fn suspend(
    db: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<SuspensionChange, Error> {
    let (now, outbox) = (clock.now(), Outbox::new("auth"));
    let mut tx = db.begin().await?;
    let Account { id: member, username, .. } = get_account(&mut tx, username, now).await?;
    let account = deactivation::suspend(&mut tx, member, now).await?.ok_or(Error::StateUnchanged)?;
    let ended = sessions::end_all(&mut tx, member, None).await?;
    links::delete(&mut tx, member).await?;
    let action = AdminAction { event: AuditEvent::Suspended, member: Some(member), about: None, note };
    audit::record_action(&mut *tx, ids.owned_by(member), &action, now).await?;
    facts::publish_sessions_ended(&outbox, &mut tx, member, &ended, now).await?;
    if !account.is_closed {
        facts::publish_account_closed(&outbox, &mut tx, member, now).await?;
    }
    tx.commit().await?;
    Ok(SuspensionChange { username, is_closed: account.is_closed, ended: ended.len() })
}

/// Restores a suspended account. The owner must sign in again.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::StateUnchanged`] when it is not suspended.
pub async fn restore(
    db: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<SuspensionChange, Error> {
    let (now, outbox) = (clock.now(), Outbox::new("auth"));
    let mut tx = db.begin().await?;
    let Account { id: member, username, .. } = get_account(&mut tx, username, now).await?;
    let account = deactivation::restore(&mut tx, member).await?.ok_or(Error::StateUnchanged)?;
    let action = AdminAction { event: AuditEvent::Restored, member: Some(member), about: None, note };
    audit::record_action(&mut *tx, ids.owned_by(member), &action, now).await?;
    if !account.is_closed {
        facts::publish_account_reopened(&outbox, &mut tx, member, now).await?;
    }
    tx.commit().await?;
    Ok(SuspensionChange { username, is_closed: account.is_closed, ended: 0 })
}

/// A decision about a report in feed.
#[derive(Debug)]
pub struct ReportDecision<'a> {
    /// The report's id. It is also the id of the audit row, which makes the call idempotent.
    pub report: Uuid,
    /// True: the reported content was removed. False: the report was dismissed.
    pub removed: bool,
    /// The author of the reported content.
    pub member: Option<Uuid>,
    /// The kind and id of the reported content.
    pub about: &'a str,
    /// The operator's reason.
    pub note: Option<&'a Note>,
}

/// Records a decision that feed has applied.
pub async fn record_decision(db: &mut PgConnection, decision: &ReportDecision<'_>, clock: &Clock) -> Result<(), Error> {
    let ReportDecision { report, removed, member, about, note } = *decision;
    let event = if removed { AuditEvent::Removed } else { AuditEvent::ReportDismissed };
    let action = AdminAction { event, member, about: Some(about), note };
    audit::record_action(&mut *db, report, &action, clock.now()).await
}

/// Lists the last actions of operators, oldest first.
pub async fn list_actions(db: &mut PgConnection, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    audit::list_actions(db, limit).await
}

/// Returns the usernames of the accounts that exist.
pub async fn batch_get_usernames(db: &mut PgConnection, members: &[Uuid]) -> Result<Vec<(Uuid, String)>, Error> {
    accounts::batch_get_usernames(db, members).await
}

async fn get_account(db: &mut PgConnection, username: &str, now: DateTime<Utc>) -> Result<Account, Error> {
    let username = Username::parse(username).map_err(|_| Error::AccountNotFound)?;
    accounts::find_by_username(db, &username, now).await?.ok_or(Error::AccountNotFound)
}

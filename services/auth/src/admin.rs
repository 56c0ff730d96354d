//! The operator's actions, called by `portia admin`. Each writes an audit row in its transaction.

mod access;

use chrono::{DateTime, Utc};
use outbox::{Outbox, UnitOfWork};
use primitives::{clock::Clock, ids::Ids};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::{
    accounts::{self, Account},
    audit::{self, ActionBy, AdminAction, AuditEvent},
    convert,
    credentials::token::Token,
    error::Error,
    moderators,
    recovery::links,
    suspension::{self, Decision},
};

pub use self::access::{remove_passkeys, remove_totp, revoke_sessions};
pub use crate::{
    audit::{
        AuditEntry, Note,
        chain::{AuditHead, InvalidHead},
        verification::{Finding, Verification},
    },
    moderators::Moderator,
    suspension::SuspensionChange,
};

/// The longest `about` of an audit row, in characters.
const MAX_ABOUT: usize = 100;

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
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("auth"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let Account { id: member, username, .. } = get_account(work.db, username, work.now).await?;
    let account = suspension::suspend(work, member, None).await?.ok_or(Error::StateUnchanged)?;
    let decision = Decision { by: ActionBy::Operator, reason: None, note };
    let ended = suspension::suspended(work, member, account, &decision).await?;
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
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("auth"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let Account { id: member, username, .. } = get_account(work.db, username, work.now).await?;
    let account = suspension::restore(work.db, member, None).await?.ok_or(Error::StateUnchanged)?;
    let decision = Decision { by: ActionBy::Operator, reason: None, note };
    suspension::restored(work, member, account, &decision).await?;
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
    let action = AdminAction { event, by: ActionBy::Operator, member, about: Some(about), reason: None, note };
    audit::insert_action(&mut *db, report, &action, clock.now()).await
}

/// An operator's decision about a verification or a steward, which are rows of profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerificationEvent {
    /// The member was verified.
    Verified,
    /// The verification was withdrawn.
    Withdrawn,
    /// The member became the steward of a school.
    StewardAdded,
    /// The member lost that role.
    StewardRemoved,
}

/// Records a decision about a member in the audit. Commit it after profile has committed the decision.
pub async fn record_verification(
    db: &mut PgConnection,
    member: Uuid,
    event: VerificationEvent,
    school: Option<&str>,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<(), Error> {
    let event = match event {
        VerificationEvent::Verified => AuditEvent::Verified,
        VerificationEvent::Withdrawn => AuditEvent::VerificationWithdrawn,
        VerificationEvent::StewardAdded => AuditEvent::StewardAdded,
        VerificationEvent::StewardRemoved => AuditEvent::StewardRemoved,
    };
    let about = school.map(|school| school.chars().take(MAX_ABOUT).collect::<String>());
    let about = about.as_deref();
    let action = AdminAction { event, by: ActionBy::Operator, member: Some(member), about, reason: None, note };
    audit::record_action(&mut UnitOfWork::new(db, &Outbox::new("auth"), ids, clock), member, &action).await
}

/// Returns the id of the account, and its username as typed at registration.
///
/// # Errors
/// [`Error::AccountNotFound`].
pub async fn find_account(db: &mut PgConnection, username: &str, clock: &Clock) -> Result<(Uuid, String), Error> {
    let account = get_account(db, username, clock.now()).await?;
    Ok((account.id, account.username))
}

/// Makes a member a moderator.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::StateUnchanged`] when the member is one.
pub async fn grant_moderator(
    db: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<String, Error> {
    change_role(db, username, AuditEvent::ModeratorGranted, note, ids, clock).await
}

/// Takes the role of a moderator away. Requests of running sessions lose it within seconds.
///
/// # Errors
/// [`Error::AccountNotFound`]; [`Error::StateUnchanged`] when the member is none.
pub async fn revoke_moderator(
    db: &mut PgConnection,
    username: &str,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<String, Error> {
    change_role(db, username, AuditEvent::ModeratorRevoked, note, ids, clock).await
}

async fn change_role(
    db: &mut PgConnection,
    username: &str,
    event: AuditEvent,
    note: Option<&Note>,
    ids: &Ids,
    clock: &Clock,
) -> Result<String, Error> {
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("auth"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let Account { id: member, username, .. } = get_account(work.db, username, work.now).await?;
    // Every writer locks the account before its dependent rows.
    accounts::lock(work.db, member).await?;
    let changed = match event {
        AuditEvent::ModeratorGranted => moderators::grant(work, member).await?,
        _ => moderators::revoke(work, member).await?,
    };
    if !changed {
        return Err(Error::StateUnchanged);
    }
    let action = AdminAction { event, by: ActionBy::Operator, member: Some(member), about: None, reason: None, note };
    audit::record_action(work, member, &action).await?;
    tx.commit().await?;
    Ok(username)
}

/// Lists all moderators.
///
/// # Errors
/// When the database is unavailable.
pub async fn list_moderators(db: &mut PgConnection) -> Result<Vec<Moderator>, Error> {
    moderators::list(db).await
}

/// Lists the last actions of operators and moderators, oldest first.
pub async fn list_actions(db: &mut PgConnection, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    audit::list_actions(db, limit).await
}

/// Computes the chain of the audit again, and compares it with a head that was kept elsewhere.
///
/// # Errors
/// When the database is unavailable.
pub async fn verify_audit(db: &mut PgConnection, kept: Option<AuditHead>) -> Result<Verification, Error> {
    audit::verification::verify(db, kept).await
}

/// Returns the usernames of the accounts that exist.
pub async fn batch_get_usernames(db: &mut PgConnection, members: &[Uuid]) -> Result<Vec<(Uuid, String)>, Error> {
    accounts::batch_get_usernames(db, members).await
}

async fn get_account(db: &mut PgConnection, username: &str, now: DateTime<Utc>) -> Result<Account, Error> {
    let username = convert::parse_username(username).map_err(|_| Error::AccountNotFound)?;
    accounts::find_by_username(db, &username, now).await?.ok_or(Error::AccountNotFound)
}

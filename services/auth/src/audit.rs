//! The audit log: sign-ins, changes of credentials and actions of operators and moderators, with ids and addresses.
//!
//! It contains no names and no secrets. Its rows outlive the account, then without addresses and notes. The role of the service only
//! appends rows and reads them; functions of the migrations link rows to a chain and remove what an erasure must remove.

pub mod chain;
mod decisions;
pub mod verification;

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page, PageSize, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::{browser::Browser, error::Error};

pub use decisions::{record_appeal_decided, record_report_decided};

/// An audit event. The statements that register, sign in and create a link write their own events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditEvent {
    /// A sign-in had the wrong password. An unknown username leaves no row.
    SignInFailed,
    /// A sign-in or a reset had the first factor, and no code of the second.
    SecondFactorMissing,
    /// A member signed out.
    SignedOut(Uuid),
    /// A member ended another of their sessions.
    SessionEnded(Uuid),
    /// A newer session exceeded the maximum.
    SessionDisplaced(Uuid),
    /// A member ended the trust in the browser of a session.
    TrustEnded(Uuid),
    /// A member ended all sessions.
    SignedOutEverywhere,
    /// A member changed the password.
    PasswordChanged,
    /// A signed-in caller entered a wrong password.
    PasswordRefused,
    /// A signed-in member proved again who they are.
    Reauthenticated,
    /// A signed-in caller, or a caller with the right password, entered a wrong code.
    CodeRefused,
    /// A signed-in caller used a wrong passkey as a proof.
    PasskeyRefused,
    /// The member set up an authenticator app.
    TotpAdded,
    /// The member or an operator removed the authenticator app.
    TotpRemoved,
    /// An operator ended all sessions.
    SessionsRevoked,
    /// A trusted browser set a new password.
    ResetByBrowser,
    /// A recovery code set a new password.
    ResetByCode,
    /// An operator's link set a new password.
    ResetByLink,
    /// A passkey set a new password.
    ResetByPasskey,
    /// A reset had a wrong proof or none.
    ResetRefused,
    /// New recovery codes replaced the old ones.
    CodesMade,
    /// A member added a passkey.
    PasskeyAdded,
    /// A member renamed a passkey.
    PasskeyRenamed,
    /// A member removed a passkey.
    PasskeyRemoved,
    /// An operator removed all passkeys.
    PasskeysRemoved,
    /// The owner closed the account.
    Closed,
    /// A sign-in reactivated the account.
    Reopened,
    /// The account was erased.
    Erased,
    /// The owner exported the data.
    Exported,
    /// An operator or moderator suspended the account.
    Suspended,
    /// An operator or moderator restored the account.
    Restored,
    /// A sign-in to a suspended account had the right password.
    SignInRefused,
    /// A suspended member appealed.
    SuspensionAppealed,
    /// An operator or moderator removed the reported content.
    Removed,
    /// An operator or moderator dismissed a report.
    ReportDismissed,
    /// An operator made the member a moderator.
    ModeratorGranted,
    /// An operator took the role away.
    ModeratorRevoked,
    /// A removal or a suspension remains after the appeal.
    AppealUpheld,
    /// A removal or a suspension was reversed after the appeal.
    AppealOverturned,
    /// An operator verified the member.
    Verified,
    /// An operator withdrew a verification.
    VerificationWithdrawn,
    /// An operator made the member steward of a school.
    StewardAdded,
    /// An operator took that role away.
    StewardRemoved,
}

/// The stated reason of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "kebab-case")]
pub enum Reason {
    /// Advertising or repetition.
    Spam,
    /// Directed against a person.
    Harassment,
    /// Untrue statements.
    FalseInformation,
    /// An account or a text that pretends to be of another person.
    Impersonation,
    /// Confidential information between a lawyer and a client.
    PrivilegedInformation,
    /// Against the law.
    Illegal,
    /// Explained in the note.
    Other,
    /// The content or the member breaks no rule.
    NoViolation,
    /// The matter was settled in another way.
    Resolved,
}

/// A remark about an action, for operators and moderators.
pub type Note = Text<1_000>;

/// The caller of an action on another member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionBy {
    /// A person at the command line.
    Operator,
    /// A member with the role.
    Moderator(Uuid),
}

impl ActionBy {
    const fn text(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Moderator(_) => "moderator",
        }
    }

    pub const fn moderator(self) -> Option<Uuid> {
        match self {
            Self::Operator => None,
            Self::Moderator(id) => Some(id),
        }
    }
}

impl AuditEvent {
    const fn text(self) -> &'static str {
        match self {
            Self::SignInFailed => "sign-in failed",
            Self::SecondFactorMissing => "second factor missing",
            Self::SignedOut(_) => "signed out",
            Self::SessionEnded(_) => "session ended",
            Self::SessionDisplaced(_) => "session displaced",
            Self::TrustEnded(_) => "trust ended",
            Self::SignedOutEverywhere => "signed out everywhere",
            Self::PasswordChanged => "password changed",
            Self::PasswordRefused => "password refused",
            Self::Reauthenticated => "reauthenticated",
            Self::CodeRefused => "code refused",
            Self::PasskeyRefused => "passkey refused",
            Self::TotpAdded => "totp added",
            Self::TotpRemoved => "totp removed",
            Self::SessionsRevoked => "sessions revoked",
            Self::ResetByBrowser => "reset by trusted browser",
            Self::ResetByCode => "reset by recovery code",
            Self::ResetByLink => "reset by link",
            Self::ResetByPasskey => "reset by passkey",
            Self::ResetRefused => "reset refused",
            Self::CodesMade => "recovery codes made",
            Self::PasskeyAdded => "passkey added",
            Self::PasskeyRenamed => "passkey renamed",
            Self::PasskeyRemoved => "passkey removed",
            Self::PasskeysRemoved => "passkeys removed",
            Self::Closed => "closed",
            Self::Reopened => "reopened",
            Self::Erased => "erased",
            Self::Exported => "exported",
            Self::Suspended => "suspended",
            Self::Restored => "restored",
            Self::SignInRefused => "sign-in refused",
            Self::SuspensionAppealed => "suspension appealed",
            Self::Removed => "removed",
            Self::ReportDismissed => "report dismissed",
            Self::ModeratorGranted => "moderator granted",
            Self::ModeratorRevoked => "moderator revoked",
            Self::AppealUpheld => "appeal upheld",
            Self::AppealOverturned => "appeal overturned",
            Self::Verified => "verified",
            Self::VerificationWithdrawn => "verification withdrawn",
            Self::StewardAdded => "steward added",
            Self::StewardRemoved => "steward removed",
        }
    }

    const fn session(self) -> Option<Uuid> {
        match self {
            Self::SignedOut(session)
            | Self::SessionEnded(session)
            | Self::SessionDisplaced(session)
            | Self::TrustEnded(session) => Some(session),
            _ => None,
        }
    }
}

/// Writes a row about a member's account.
pub async fn record(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    event: AuditEvent,
    browser: Option<&Browser>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, session_id, address, at)
        values ($1, $2, $3, $4, $5, $6)",
        work.ids.owned_by(member),
        member,
        event.text(),
        event.session(),
        browser.and_then(|browser| browser.address.as_deref()),
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// An action of an operator or a moderator.
#[derive(Debug)]
pub struct AdminAction<'a> {
    pub event: AuditEvent,
    pub by: ActionBy,
    /// The member concerned, if any.
    pub member: Option<Uuid>,
    /// The kind and id of the content concerned.
    pub about: Option<&'a str>,
    /// The stated reason.
    pub reason: Option<Reason>,
    /// A remark for operators and moderators.
    pub note: Option<&'a Note>,
}

/// Writes a row about an action on a member.
pub async fn record_action(work: &mut UnitOfWork<'_>, member: Uuid, action: &AdminAction<'_>) -> Result<(), Error> {
    insert_action(&mut *work.db, work.ids.owned_by(member), action, work.now).await
}

/// Writes a row about an action. The id makes it idempotent.
pub async fn insert_action(
    db: impl PgExecutor<'_>,
    id: Uuid,
    action: &AdminAction<'_>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, actor, actor_id, about, reason, note, at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (id) do nothing",
        id,
        action.member,
        action.event.text(),
        action.by.text(),
        action.by.moderator(),
        action.about,
        action.reason as Option<Reason>,
        action.note.map(|note| &**note),
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A row about an action of an operator or a moderator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The id of the row.
    pub id: Uuid,
    /// The time of the action.
    pub at: DateTime<Utc>,
    /// The event's text.
    pub event: String,
    /// The moderator who acted; `None` for an operator.
    pub actor_id: Option<Uuid>,
    /// The moderator's username, while the account exists.
    pub actor: Option<String>,
    /// The member concerned.
    pub member_id: Option<Uuid>,
    /// The member's username, while the account exists.
    pub username: Option<String>,
    /// The content concerned.
    pub about: Option<String>,
    /// The stated reason.
    pub reason: Option<String>,
    /// The remark.
    pub note: Option<String>,
}

/// The log of moderation, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogCursor {
    /// The time of the last row.
    #[serde(rename = "logged")]
    pub at: DateTime<Utc>,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for LogCursor {}

/// Lists the last actions of operators and moderators, oldest first.
pub async fn list_actions(db: impl PgExecutor<'_>, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    let entries = sqlx::query_as!(
        AuditEntry,
        "select
            entry.id, entry.at, entry.event, entry.actor_id, moderator.username as \"actor?\", entry.member_id,
            account.username as \"username?\", entry.about, entry.reason, entry.note
        from auth.audit entry
        left join auth.accounts account on account.id = entry.member_id
        left join auth.accounts moderator on moderator.id = entry.actor_id
        where entry.actor is not null
        order by entry.at desc, entry.id desc
        limit $1",
        i64::from(limit),
    );
    let mut entries = entries.fetch_all(db).await?;
    entries.reverse();
    Ok(entries)
}

/// Lists a page of the decisions on content, members and their role, newest first. Leaves out the links that operators
/// create, and verifications, which are not moderation. Empty for a caller without the role.
pub async fn list_log(
    db: impl PgExecutor<'_>,
    moderator: Uuid,
    size: PageSize,
    after: Option<LogCursor>,
) -> Result<Page<AuditEntry>, Error> {
    let after = after.unwrap_or(LogCursor { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() });
    let entries = sqlx::query_as!(
        AuditEntry,
        "select
            entry.id, entry.at, entry.event, entry.actor_id, moderator.username as \"actor?\", entry.member_id,
            account.username as \"username?\", entry.about, entry.reason, entry.note
        from auth.audit entry
        left join auth.accounts account on account.id = entry.member_id
        left join auth.accounts moderator on moderator.id = entry.actor_id
        where entry.actor is not null
            and entry.event not in (
                'reset link made', 'sessions revoked', 'totp removed', 'passkeys removed', 'verified',
                'verification withdrawn', 'steward added', 'steward removed'
            )
            and (entry.at, entry.id) < ($2, $3)
            and exists (select from auth.moderators caller where caller.member_id = $1)
        order by entry.at desc, entry.id desc
        limit $4",
        moderator,
        after.at,
        after.id,
        size.to_fetch(),
    );
    let entries = entries.fetch_all(db).await?;
    Ok(Page::cut(entries, size, |entry| LogCursor { at: entry.at, id: entry.id }))
}

/// Removes the addresses and notes of a member whose account is deleted in this transaction.
pub async fn redact(db: impl PgExecutor<'_>, member: Uuid) -> Result<(), Error> {
    sqlx::query!("select from auth.redact_audit($1)", member).execute(db).await?;
    Ok(())
}

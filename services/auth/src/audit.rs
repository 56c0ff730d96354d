//! The audit log: sign-ins, changes of credentials and actions of operators, with ids and addresses.
//!
//! It contains no names and no secrets. Its rows outlive the account, then without addresses and notes.

use chrono::{DateTime, Utc};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::{admin::Note, error::Error};

/// An audit event. The statements that register, sign in and create a link write their own events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditEvent {
    /// A sign-in had the wrong password. An unknown username leaves no row.
    SignInFailed,
    /// A member signed out.
    SignedOut(Uuid),
    /// A member ended another of their sessions.
    SessionEnded(Uuid),
    /// A newer session exceeded the maximum.
    SessionDisplaced(Uuid),
    /// A member ended all sessions.
    SignedOutEverywhere,
    /// A member changed the password.
    PasswordChanged,
    /// A signed-in caller entered a wrong password.
    PasswordRefused,
    /// A trusted browser set a new password.
    ResetByBrowser,
    /// A recovery code set a new password.
    ResetByCode,
    /// An operator's link set a new password.
    ResetByLink,
    /// A reset had a wrong proof or none.
    ResetRefused,
    /// New recovery codes replaced the old ones.
    CodesMade,
    /// The owner closed the account.
    Closed,
    /// A sign-in reactivated the account.
    Reopened,
    /// The account was erased.
    Erased,
    /// The owner exported the data.
    Exported,
    /// An operator suspended the account.
    Suspended,
    /// An operator restored the account.
    Restored,
    /// A sign-in to a suspended account had the right password.
    SignInRefused,
    /// An operator removed the reported content.
    Removed,
    /// An operator dismissed a report.
    ReportDismissed,
}

impl AuditEvent {
    const fn text(self) -> &'static str {
        match self {
            Self::SignInFailed => "sign-in failed",
            Self::SignedOut(_) => "signed out",
            Self::SessionEnded(_) => "session ended",
            Self::SessionDisplaced(_) => "session displaced",
            Self::SignedOutEverywhere => "signed out everywhere",
            Self::PasswordChanged => "password changed",
            Self::PasswordRefused => "password refused",
            Self::ResetByBrowser => "reset by trusted browser",
            Self::ResetByCode => "reset by recovery code",
            Self::ResetByLink => "reset by link",
            Self::ResetRefused => "reset refused",
            Self::CodesMade => "recovery codes made",
            Self::Closed => "closed",
            Self::Reopened => "reopened",
            Self::Erased => "erased",
            Self::Exported => "exported",
            Self::Suspended => "suspended",
            Self::Restored => "restored",
            Self::SignInRefused => "sign-in refused",
            Self::Removed => "removed",
            Self::ReportDismissed => "report dismissed",
        }
    }

    const fn session(self) -> Option<Uuid> {
        match self {
            Self::SignedOut(session) | Self::SessionEnded(session) | Self::SessionDisplaced(session) => Some(session),
            _ => None,
        }
    }
}

/// Writes a row about a member's account.
pub async fn record(
    db: impl PgExecutor<'_>,
    id: Uuid,
    member: Uuid,
    event: AuditEvent,
    address: Option<&str>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, session_id, address, at)
        values ($1, $2, $3, $4, $5, $6)",
        id,
        member,
        event.text(),
        event.session(),
        address,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// An action of an operator.
#[derive(Debug)]
pub struct AdminAction<'a> {
    pub event: AuditEvent,
    /// The member concerned, if any.
    pub member: Option<Uuid>,
    /// The kind and id of the content concerned.
    pub about: Option<&'a str>,
    /// The operator's reason.
    pub note: Option<&'a Note>,
}

/// Writes a row about an action. The id makes it idempotent.
pub async fn record_action(
    db: impl PgExecutor<'_>,
    id: Uuid,
    action: &AdminAction<'_>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, actor, about, note, at)
        values ($1, $2, $3, 'operator', $4, $5, $6)
        on conflict (id) do nothing",
        id,
        action.member,
        action.event.text(),
        action.about,
        action.note.map(|note| &**note),
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A row about an operator's action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The time of the action.
    pub at: DateTime<Utc>,
    /// The event's text.
    pub event: String,
    /// The member concerned.
    pub member_id: Option<Uuid>,
    /// The member's username, while the account exists.
    pub username: Option<String>,
    /// The content concerned.
    pub about: Option<String>,
    /// The operator's reason.
    pub note: Option<String>,
}

/// Lists the last actions of operators, oldest first.
pub async fn list_actions(db: impl PgExecutor<'_>, limit: u32) -> Result<Vec<AuditEntry>, Error> {
    let entries = sqlx::query_as!(
        AuditEntry,
        "select entry.at, entry.event, entry.member_id, account.username as \"username?\", entry.about, entry.note
        from auth.audit entry
        left join auth.accounts account on account.id = entry.member_id
        where entry.actor = 'operator'
        order by entry.at desc, entry.id desc
        limit $1",
        i64::from(limit),
    );
    let mut entries = entries.fetch_all(db).await?;
    entries.reverse();
    Ok(entries)
}

/// Removes the addresses and notes of an erased member.
pub async fn redact(db: impl PgExecutor<'_>, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "update auth.audit
        set address = null, note = null
        where member_id = $1 and (address is not null or note is not null)",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

//! Suspended accounts: a suspension and a restoration by an operator or a moderator, and their effects.

pub mod appeals;
pub mod decisions;

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    audit::{self, ActionBy, AdminAction, AuditEvent, Note, Reason},
    error::Error,
    publishing,
    recovery::{links, trusted_browsers},
    sessions,
};

/// A decision of an operator or a moderator.
#[derive(Clone, Copy)]
pub struct Decision<'a> {
    pub by: ActionBy,
    pub reason: Option<Reason>,
    pub note: Option<&'a Note>,
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

/// The other state of an account that was suspended or restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuspendedAccount {
    /// The owner closed it, so no fact about its visibility is due.
    pub is_closed: bool,
}

/// Suspends an account and locks its row; `None` when it is suspended already, or the moderator is a party of the case.
pub async fn suspend(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    moderator: Option<Uuid>,
) -> Result<Option<SuspendedAccount>, Error> {
    let account = sqlx::query_as!(
        SuspendedAccount,
        "update auth.accounts
        set suspended_at = $2
        where id = $1
            and suspended_at is null
            and not exists (
                select from auth.case_parties party where party.account_id = $1 and party.member_id = $3::uuid
            )
        returning closed_at is not null as \"is_closed!\"",
        member,
        work.now,
        moderator,
    );
    Ok(account.fetch_optional(&mut *work.db).await?)
}

/// Restores a suspended account and locks its row; `None` when it is not suspended, or the moderator is a party of the case.
pub async fn restore(
    db: &mut PgConnection,
    member: Uuid,
    moderator: Option<Uuid>,
) -> Result<Option<SuspendedAccount>, Error> {
    let account = sqlx::query_as!(
        SuspendedAccount,
        "update auth.accounts
        set suspended_at = null
        where id = $1
            and suspended_at is not null
            and not exists (
                select from auth.case_parties party where party.account_id = $1 and party.member_id = $2::uuid
            )
        returning closed_at is not null as \"is_closed!\"",
        member,
        moderator,
    );
    Ok(account.fetch_optional(db).await?)
}

/// Ends the sessions of a suspended account and its trust in browsers, deletes its link, records the decision and hides the member. Returns the ended
/// sessions.
pub async fn suspended(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    account: SuspendedAccount,
    decision: &Decision<'_>,
) -> Result<Vec<Uuid>, Error> {
    let ended = sessions::end_all(work, member, None).await?;
    links::delete(work.db, member).await?;
    trusted_browsers::delete_all(work.db, member).await?;
    insert(work, member, decision).await?;
    let action = decision.action(AuditEvent::Suspended, member);
    audit::record_action(work, member, &action).await?;
    if !account.is_closed {
        publishing::publish_account_closed(work, member).await?;
    }
    Ok(ended)
}

/// Records the restoration of an account and shows the member.
pub async fn restored(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    account: SuspendedAccount,
    decision: &Decision<'_>,
) -> Result<(), Error> {
    end(work, member, decision).await?;
    let action = decision.action(AuditEvent::Restored, member);
    audit::record_action(work, member, &action).await?;
    if !account.is_closed {
        publishing::publish_account_reopened(work, member).await?;
    }
    Ok(())
}

/// Stores a suspension. Ends an earlier one whose restoration a version before 2026-12 did not record.
async fn insert(work: &mut UnitOfWork<'_>, member: Uuid, decision: &Decision<'_>) -> Result<(), Error> {
    sqlx::query!(
        "update auth.suspensions set ended_at = $2 where member_id = $1 and ended_at is null",
        member,
        work.now
    )
    .execute(&mut *work.db)
    .await?;
    sqlx::query!(
        "insert into auth.suspensions (id, member_id, suspended_at, by_moderator, suspended_by, reason, note)
        values ($1, $2, $3, $4, $5, $6, $7)",
        work.ids.owned_by(member),
        member,
        work.now,
        decision.by != ActionBy::Operator,
        decision.by.moderator(),
        decision.reason as Option<Reason>,
        decision.note.map(|note| &**note),
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

async fn end(work: &mut UnitOfWork<'_>, member: Uuid, decision: &Decision<'_>) -> Result<(), Error> {
    sqlx::query!(
        "update auth.suspensions
        set ended_at = $2, restored_by = $3, appeal_token_hash = null, appeal_token_ends_at = null
        where member_id = $1
            and ended_at is null",
        member,
        work.now,
        decision.by.moderator(),
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

impl<'a> Decision<'a> {
    /// Returns the audit row of the decision on a member.
    const fn action(&self, event: AuditEvent, member: Uuid) -> AdminAction<'a> {
        AdminAction { event, by: self.by, member: Some(member), about: None, reason: self.reason, note: self.note }
    }
}

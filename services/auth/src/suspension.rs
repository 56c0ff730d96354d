//! The effects of a suspension and of a restoration, by an operator or a moderator.

use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    admin::Note,
    audit::{self, ActionBy, AdminAction, AuditEvent, Reason},
    deactivation::SuspendedAccount,
    error::Error,
    facts,
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

/// Ends the sessions of a suspended account and its trust in browsers, deletes its link, records the decision and hides the member. Returns the ended
/// sessions.
pub async fn suspended(
    db: &mut PgConnection,
    outbox: &Outbox,
    member: Uuid,
    account: SuspendedAccount,
    decision: &Decision<'_>,
    ids: &Ids,
    clock: &Clock,
) -> Result<Vec<Uuid>, Error> {
    let now = clock.now();
    let ended = sessions::end_all(db, member, None).await?;
    links::delete(db, member).await?;
    trusted_browsers::delete_all(db, member).await?;
    let action = decision.action(AuditEvent::Suspended, member);
    audit::record_action(&mut *db, ids.owned_by(member), &action, now).await?;
    facts::publish_sessions_ended(outbox, db, member, &ended, now).await?;
    if !account.is_closed {
        facts::publish_account_closed(outbox, db, member, now).await?;
    }
    Ok(ended)
}

/// Records the restoration of an account and shows the member.
pub async fn restored(
    db: &mut PgConnection,
    outbox: &Outbox,
    member: Uuid,
    account: SuspendedAccount,
    decision: &Decision<'_>,
    ids: &Ids,
    clock: &Clock,
) -> Result<(), Error> {
    let now = clock.now();
    let action = decision.action(AuditEvent::Restored, member);
    audit::record_action(&mut *db, ids.owned_by(member), &action, now).await?;
    if !account.is_closed {
        facts::publish_account_reopened(outbox, db, member, now).await?;
    }
    Ok(())
}

impl<'a> Decision<'a> {
    /// The audit row of the decision on a member.
    const fn action(&self, event: AuditEvent, member: Uuid) -> AdminAction<'a> {
        AdminAction { event, by: self.by, member: Some(member), about: None, reason: self.reason, note: self.note }
    }
}

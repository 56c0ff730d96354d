//! Decisions of moderators on members: suspend and restore.

use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::{Decision, SuspensionChange, restored, suspended};
use crate::{
    audit::{ActionBy, Note, Reason},
    error::Error,
    moderators,
};

/// A decision of a moderator on a member.
pub struct MemberDecision {
    /// The moderator.
    pub by: Uuid,
    /// The member concerned.
    pub member: Uuid,
    /// The stated reason.
    pub reason: Reason,
    /// A remark for operators and moderators.
    pub note: Option<Note>,
}

impl MemberDecision {
    const fn decision(&self) -> Decision<'_> {
        Decision { by: ActionBy::Moderator(self.by), reason: Some(self.reason), note: self.note.as_ref() }
    }
}

/// Suspends a member who is no moderator. Returns the ended sessions.
///
/// # Errors
/// [`Error::NotModerator`]; [`Error::AccountNotFound`]; [`Error::ModeratorProtected`]; [`Error::StateUnchanged`]; [`Error::OwnCase`].
pub async fn suspend(
    db: &mut PgConnection,
    decision: &MemberDecision,
    ids: &Ids,
    clock: &Clock,
) -> Result<Vec<Uuid>, Error> {
    let mut tx = db.begin().await?;
    moderators::lock_role(&mut tx, decision.by).await?;
    let standing = moderators::get_standing(&mut *tx, decision.by, decision.member).await?;
    if standing.moderator {
        return Err(Error::ModeratorProtected);
    }
    let account = super::suspend(&mut tx, decision.member, Some(decision.by), clock.now()).await?;
    let Some(account) = account else { return Err(refusal(&mut tx, decision, true).await?) };
    // The lock on the account excludes that an operator grants the role meanwhile.
    if moderators::is_moderator(&mut *tx, decision.member).await? {
        return Err(Error::ModeratorProtected);
    }
    let outbox = Outbox::new("auth");
    let ended = suspended(&mut tx, &outbox, decision.member, account, &decision.decision(), ids, clock).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Restores a suspended member. Operators suspend and restore moderators.
///
/// # Errors
/// [`Error::NotModerator`]; [`Error::AccountNotFound`]; [`Error::ModeratorProtected`]; [`Error::StateUnchanged`]; [`Error::OwnCase`].
pub async fn restore(
    db: &mut PgConnection,
    decision: &MemberDecision,
    ids: &Ids,
    clock: &Clock,
) -> Result<SuspensionChange, Error> {
    let mut tx = db.begin().await?;
    moderators::lock_role(&mut tx, decision.by).await?;
    let standing = moderators::get_standing(&mut *tx, decision.by, decision.member).await?;
    if standing.moderator {
        return Err(Error::ModeratorProtected);
    }
    let account = super::restore(&mut tx, decision.member, Some(decision.by)).await?;
    let Some(account) = account else { return Err(refusal(&mut tx, decision, false).await?) };
    restored(&mut tx, &Outbox::new("auth"), decision.member, account, &decision.decision(), ids, clock).await?;
    tx.commit().await?;
    Ok(SuspensionChange { username: standing.username, is_closed: account.is_closed, ended: 0 })
}

/// Returns the error for a decision that changed nothing.
async fn refusal(db: &mut PgConnection, decision: &MemberDecision, suspend: bool) -> Result<Error, Error> {
    let standing = moderators::get_standing(&mut *db, decision.by, decision.member).await?;
    Ok(if standing.suspended_at.is_some() == suspend { Error::StateUnchanged } else { Error::OwnCase })
}

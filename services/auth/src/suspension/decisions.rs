//! Decisions of moderators on members: suspend and restore.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Decision, restored, suspended};
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
pub async fn suspend(work: &mut UnitOfWork<'_>, decision: &MemberDecision) -> Result<Vec<Uuid>, Error> {
    moderators::lock_role(work.db, decision.by).await?;
    let standing = moderators::get_standing(&mut *work.db, decision.by, decision.member).await?;
    if standing.moderator {
        return Err(Error::ModeratorProtected);
    }
    let account = super::suspend(work, decision.member, Some(decision.by)).await?;
    let Some(account) = account else { return Err(refusal(work.db, decision, true).await?) };
    // The lock on the account excludes that an operator grants the role meanwhile.
    if moderators::is_moderator(&mut *work.db, decision.member).await? {
        return Err(Error::ModeratorProtected);
    }
    suspended(work, decision.member, account, &decision.decision()).await
}

/// Restores a suspended member. Operators suspend and restore moderators.
///
/// # Errors
/// [`Error::NotModerator`]; [`Error::AccountNotFound`]; [`Error::ModeratorProtected`]; [`Error::StateUnchanged`]; [`Error::OwnCase`].
pub async fn restore(work: &mut UnitOfWork<'_>, decision: &MemberDecision) -> Result<(), Error> {
    moderators::lock_role(work.db, decision.by).await?;
    let standing = moderators::get_standing(&mut *work.db, decision.by, decision.member).await?;
    if standing.moderator {
        return Err(Error::ModeratorProtected);
    }
    let account = super::restore(work.db, decision.member, Some(decision.by)).await?;
    let Some(account) = account else { return Err(refusal(work.db, decision, false).await?) };
    restored(work, decision.member, account, &decision.decision()).await
}

/// Returns the error for a decision that changed nothing.
async fn refusal(db: &mut PgConnection, decision: &MemberDecision, suspend: bool) -> Result<Error, Error> {
    let standing = moderators::get_standing(&mut *db, decision.by, decision.member).await?;
    Ok(if standing.suspended_at.is_some() == suspend { Error::StateUnchanged } else { Error::OwnCase })
}

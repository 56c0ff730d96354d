//! Moderators: the role, and their actions on accounts.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use primitives::{
    clock::Clock,
    ids::Ids,
    input::{Cursor, Page, PageSize},
};
use serde::{Deserialize, Serialize};
use sqlx::{Connection as _, PgConnection, PgExecutor};
use uuid::Uuid;

use crate::{
    admin::{Note, SuspensionChange},
    audit::{ActionBy, Reason},
    deactivation,
    error::Error,
    suspension::{self, Decision},
};

/// Gives the role to a member; `false` when the member has it.
pub async fn grant(db: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    let granted = sqlx::query!(
        "insert into auth.moderators (member_id, granted_at)
        values ($1, $2)
        on conflict (member_id) do nothing",
        member,
        now,
    );
    Ok(granted.execute(db).await?.rows_affected() == 1)
}

/// Takes the role away; `false` when the member does not have it.
pub async fn revoke(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let revoked = sqlx::query!("delete from auth.moderators where member_id = $1", member);
    Ok(revoked.execute(db).await?.rows_affected() == 1)
}

/// A member with the role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moderator {
    /// As typed at registration.
    pub username: String,
    /// The time since which the member has the role.
    pub granted_at: DateTime<Utc>,
}

/// All moderators, in the order in which they got the role.
pub async fn list(db: impl PgExecutor<'_>) -> Result<Vec<Moderator>, Error> {
    let moderators = sqlx::query_as!(
        Moderator,
        "select account.username, moderator.granted_at
        from auth.moderators moderator
        join auth.accounts account on account.id = moderator.member_id
        order by moderator.granted_at, account.username",
    );
    Ok(moderators.fetch_all(db).await?)
}

/// Whether the member has the role.
pub async fn is_moderator(db: impl PgExecutor<'_>, member: Uuid) -> Result<bool, Error> {
    let found =
        sqlx::query_scalar!("select exists (select from auth.moderators where member_id = $1) as \"exists!\"", member,);
    Ok(found.fetch_one(db).await?)
}

/// What moderators see of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The member.
    pub id: Uuid,
    /// As typed at registration.
    pub username: String,
    /// The time of the suspension, if the member is suspended.
    pub suspended_at: Option<DateTime<Utc>>,
    /// Whether the member has the role.
    pub moderator: bool,
    /// The caller may suspend or restore the member, who is no moderator and has no case with the caller.
    pub is_decidable: bool,
}

/// The standing of a member, for a moderator.
///
/// # Errors
/// [`Error::AccountNotFound`], also for a caller without the role.
pub async fn get_standing(db: impl PgExecutor<'_>, moderator: Uuid, member: Uuid) -> Result<Standing, Error> {
    let standing = sqlx::query_as!(
        Standing,
        "select
            account.id, account.username, account.suspended_at,
            exists (select from auth.moderators m where m.member_id = account.id) as \"moderator!\",
            not exists (select from auth.moderators m where m.member_id = account.id)
                and not exists (
                    select from auth.case_parties party where party.account_id = account.id and party.member_id = $1
                ) as \"is_decidable!\"
        from auth.accounts account
        where account.id = $2
            and exists (select from auth.moderators caller where caller.member_id = $1)",
        moderator,
        member,
    );
    standing.fetch_optional(db).await?.ok_or(Error::AccountNotFound)
}

/// The suspended members, the last suspended first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuspendedCursor {
    /// The time of the last row.
    #[serde(rename = "suspended")]
    pub at: DateTime<Utc>,
    /// Its id, for rows of the same time.
    pub id: Uuid,
}

impl Cursor for SuspendedCursor {}

/// A page of the suspended members; empty for a caller without the role.
pub async fn list_suspended(
    db: impl PgExecutor<'_>,
    moderator: Uuid,
    size: PageSize,
    after: Option<SuspendedCursor>,
) -> Result<Page<Standing>, Error> {
    let after = after.unwrap_or(SuspendedCursor { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() });
    let members = sqlx::query_as!(
        Standing,
        "select
            account.id, account.username, account.suspended_at,
            exists (select from auth.moderators m where m.member_id = account.id) as \"moderator!\",
            not exists (select from auth.moderators m where m.member_id = account.id)
                and not exists (
                    select from auth.case_parties party where party.account_id = account.id and party.member_id = $1
                ) as \"is_decidable!\"
        from auth.accounts account
        where account.suspended_at is not null
            and (account.suspended_at, account.id) < ($2, $3)
            and exists (select from auth.moderators caller where caller.member_id = $1)
        order by account.suspended_at desc, account.id desc
        limit $4",
        moderator,
        after.at,
        after.id,
        size.to_fetch(),
    );
    let members = members.fetch_all(db).await?;
    let cursor = |member: &Standing| SuspendedCursor { at: member.suspended_at.unwrap_or_default(), id: member.id };
    Ok(Page::cut(members, size, cursor))
}

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
    lock_role(&mut tx, decision.by).await?;
    let standing = get_standing(&mut *tx, decision.by, decision.member).await?;
    if standing.moderator {
        return Err(Error::ModeratorProtected);
    }
    let account = deactivation::suspend(&mut tx, decision.member, Some(decision.by), clock.now()).await?;
    let Some(account) = account else { return Err(refusal(&mut tx, decision, true).await?) };
    // The lock on the account excludes that an operator grants the role meanwhile.
    if is_moderator(&mut *tx, decision.member).await? {
        return Err(Error::ModeratorProtected);
    }
    let outbox = Outbox::new("auth");
    let ended =
        suspension::suspended(&mut tx, &outbox, decision.member, account, &decision.decision(), ids, clock).await?;
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
    lock_role(&mut tx, decision.by).await?;
    let standing = get_standing(&mut *tx, decision.by, decision.member).await?;
    if standing.moderator {
        return Err(Error::ModeratorProtected);
    }
    let account = deactivation::restore(&mut tx, decision.member, Some(decision.by)).await?;
    let Some(account) = account else { return Err(refusal(&mut tx, decision, false).await?) };
    suspension::restored(&mut tx, &Outbox::new("auth"), decision.member, account, &decision.decision(), ids, clock)
        .await?;
    tx.commit().await?;
    Ok(SuspensionChange { username: standing.username, is_closed: account.is_closed, ended: 0 })
}

/// The reason for which a decision changed nothing.
async fn refusal(db: &mut PgConnection, decision: &MemberDecision, suspend: bool) -> Result<Error, Error> {
    let standing = get_standing(&mut *db, decision.by, decision.member).await?;
    Ok(if standing.suspended_at.is_some() == suspend { Error::StateUnchanged } else { Error::OwnCase })
}

/// Locks the role of the caller until the transaction ends: a token may be older than the end of the role, or a suspension.
pub async fn lock_role(db: &mut PgConnection, moderator: Uuid) -> Result<(), Error> {
    let locked = sqlx::query_scalar!(
        "select m.member_id
        from auth.moderators m
        join auth.accounts a on a.id = m.member_id
        where m.member_id = $1
            and a.suspended_at is null
        for key share of m",
        moderator
    );
    locked.fetch_optional(db).await?.map(drop).ok_or(Error::NotModerator)
}

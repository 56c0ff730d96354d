//! Moderators: the role, and what they see of accounts.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::{error::Error, publishing};

/// Gives the role to a member; `false` when the member has it.
pub async fn grant(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<bool, Error> {
    let granted = sqlx::query!(
        "insert into auth.moderators (member_id, granted_at)
        values ($1, $2)
        on conflict (member_id) do nothing",
        member,
        work.now,
    );
    let is_granted = granted.execute(&mut *work.db).await?.rows_affected() == 1;
    if is_granted {
        publishing::publish_moderator_changed(work, member).await?;
    }
    Ok(is_granted)
}

/// Takes the role away; `false` when the member does not have it.
pub async fn revoke(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<bool, Error> {
    let revoked = sqlx::query!("delete from auth.moderators where member_id = $1", member);
    let is_revoked = revoked.execute(&mut *work.db).await?.rows_affected() == 1;
    if is_revoked {
        publishing::publish_moderator_changed(work, member).await?;
    }
    Ok(is_revoked)
}

/// A member with the role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moderator {
    /// As typed at registration.
    pub username: String,
    /// The time since which the member has the role.
    pub granted_at: DateTime<Utc>,
}

/// Lists all moderators, in the order in which they got the role.
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

/// An account as moderators see it.
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

/// Returns the standing of a member, for a moderator.
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

/// Lists a page of the suspended members; empty for a caller without the role.
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

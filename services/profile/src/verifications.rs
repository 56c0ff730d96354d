//! Verified members: verify, withdraw, and the end of a verification when the member changes what it confirmed.

pub mod list;
pub mod stewards;

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    decisions::{self, Cause, Decision, Reason},
    error::Error,
    publishing,
};

/// A verification of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The school that verified the member; `None` for Portia.
    pub school: Option<String>,
}

impl Verification {
    /// Reads the verification from the columns of a row.
    pub fn of(verified: bool, school: Option<String>) -> Option<Self> {
        verified.then_some(Self { school })
    }
}

/// A verification by a steward.
#[derive(Debug)]
pub struct VerificationRequest {
    pub member: Uuid,
    /// The name that the steward saw.
    pub full_name: String,
    pub reason: Reason,
}

/// The withdrawal of a verification by a steward.
#[derive(Debug)]
pub struct WithdrawalRequest {
    pub member: Uuid,
    pub reason: Reason,
}

/// A member whose row is locked until the transaction ends. Every decision locks the member before the steward, as the erasure
/// of a steward does.
#[derive(Debug)]
pub struct LockedMember {
    pub full_name: String,
    pub is_verified: bool,
}

/// Locks the row of a member who is not hidden.
pub async fn lock(db: &mut PgConnection, member: Uuid) -> Result<Option<LockedMember>, Error> {
    let locked = sqlx::query_as!(
        LockedMember,
        r#"select full_name, verified_at is not null as "is_verified!"
        from profile.members
        where id = $1
            and not hidden
        for no key update"#,
        member,
    );
    Ok(locked.fetch_optional(db).await?)
}

/// Verifies a member whose row is locked. A school verifies only members who state it, and a steward only members whose
/// profile the steward may see. `false` for others, for the steward, and for a verified member.
pub async fn verify(work: &mut UnitOfWork<'_>, decision: &Decision<'_>) -> Result<bool, Error> {
    let done = sqlx::query!(
        "update profile.members m
        set verified_at = $2,
            verified_school = $3
        where id = $1
            and not hidden
            and ($3::text is null or profile.comparison_key(school) = profile.comparison_key($3))
            and (
                $4::uuid is null
                or id <> $4
                and (
                    profile_audience <> 'connections'
                    or exists (
                        select from profile.connections
                        where lower_id = least(m.id, $4)
                            and upper_id = greatest(m.id, $4)
                    )
                )
                and not exists (
                    select from profile.blocks
                    where lower_id = least(m.id, $4)
                        and upper_id = greatest(m.id, $4)
                )
            )
            and verified_at is null",
        decision.member,
        work.now,
        decision.school,
        decision.steward,
    )
    .execute(&mut *work.db)
    .await?;
    let verified = done.rows_affected() == 1;
    if verified {
        record(work, decision, true).await?;
        publishing::publish_member_changed(work, decision.member).await?;
    }
    Ok(verified)
}

/// Withdraws the verification of a member whose row is locked: the one by the school of the decision, or any if the
/// decision names no school. `false` when there is none.
pub async fn withdraw(work: &mut UnitOfWork<'_>, decision: &Decision<'_>) -> Result<bool, Error> {
    let ended = end(work, decision).await?;
    if ended {
        publishing::publish_member_changed(work, decision.member).await?;
    }
    Ok(ended)
}

/// Ends a verification as [`withdraw`] does. The caller publishes the change of the card, because it changes more of it.
pub async fn end(work: &mut UnitOfWork<'_>, decision: &Decision<'_>) -> Result<bool, Error> {
    let ended = sqlx::query_scalar!(
        r#"with verified as (
            select id, verified_school as school
            from profile.members
            where id = $1
                and verified_at is not null
                and ($2::text is null or profile.comparison_key(verified_school) = profile.comparison_key($2))
                and ($3::uuid is null or id <> $3)
        )
        update profile.members m
        set verified_at = null,
            verified_school = null
        from verified v
        where m.id = v.id
        returning v.school as "school: Option<String>""#,
        decision.member,
        decision.school,
        decision.steward,
    );
    let Some(school) = ended.fetch_optional(&mut *work.db).await? else { return Ok(false) };
    let school = school.flatten();
    record(work, &Decision { school: school.as_deref(), ..*decision }, false).await?;
    Ok(true)
}

/// Ends the verification of a member whose name is no longer `confirmed_name`, or who no longer states the school that
/// verified. Call it after the change, in its transaction.
pub async fn end_if_changed(work: &mut UnitOfWork<'_>, member: Uuid, confirmed_name: &str) -> Result<(), Error> {
    let row = sqlx::query!(
        r#"select full_name <> $2 as "is_renamed!",
            verified_school is not null and profile.comparison_key(verified_school) <> coalesce(
                profile.comparison_key(school), ''
            ) as "is_elsewhere!"
        from profile.members
        where id = $1
            and verified_at is not null"#,
        member,
        confirmed_name,
    );
    let cause = match row.fetch_optional(&mut *work.db).await? {
        Some(row) if row.is_renamed => Cause::NameChanged,
        Some(row) if row.is_elsewhere => Cause::SchoolChanged,
        _ => return Ok(()),
    };
    end(work, &Decision { member, cause, steward: None, school: None, reason: None }).await.map(drop)
}

/// Inserts the row of a decision, and publishes it unless the closing of the account caused it.
async fn record(work: &mut UnitOfWork<'_>, decision: &Decision<'_>, verified: bool) -> Result<(), Error> {
    let id = work.ids.owned_by(decision.member);
    decisions::insert(work, id, decision, verified).await?;
    if decision.cause != Cause::AccountClosed {
        publishing::publish_verification_changed(work, id, decision, verified).await?;
    }
    Ok(())
}

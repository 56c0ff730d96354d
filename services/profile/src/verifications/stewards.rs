//! Stewards: members who may verify the members of one school.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::Line;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use super::{
    VerificationRequest, WithdrawalRequest,
    list::{self, SchoolMember},
};
use crate::{
    decisions::{Cause, Decision, Reason},
    error::Error,
};

/// A steward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steward {
    /// As typed at registration.
    pub username: String,
    /// As the operator entered it.
    pub school: String,
    /// The time since which the member is steward of this school.
    pub granted_at: DateTime<Utc>,
}

/// Makes a member who is not hidden the steward of a school, instead of an earlier one; `false` when the member is that
/// already.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn add(db: &mut PgConnection, member: Uuid, school: &Line<200>, at: DateTime<Utc>) -> Result<bool, Error> {
    sqlx::query!(
        "select id
        from profile.members
        where id = $1
            and not hidden
        for no key update",
        member,
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    let added = sqlx::query!(
        "insert into profile.stewards as s (member_id, school, granted_at)
        values ($1, $2, $3)
        on conflict (member_id) do update
        set school = excluded.school,
            granted_at = excluded.granted_at
        where s.school <> excluded.school",
        member,
        &**school,
        at,
    );
    Ok(added.execute(db).await?.rows_affected() == 1)
}

/// Takes the role away; `false` when the member has none.
pub async fn remove(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let removed = sqlx::query!("delete from profile.stewards where member_id = $1", member);
    Ok(removed.execute(db).await?.rows_affected() == 1)
}

/// Lists all stewards, by school.
pub async fn list(db: impl PgExecutor<'_>) -> Result<Vec<Steward>, Error> {
    let stewards = sqlx::query_as!(
        Steward,
        "select m.username, s.school, s.granted_at
        from profile.stewards s
        join profile.members m on m.id = s.member_id
        order by s.school, s.granted_at, m.username",
    );
    Ok(stewards.fetch_all(db).await?)
}

/// Returns the school of a steward.
///
/// # Errors
/// [`Error::NotSteward`].
pub async fn school_of(db: impl PgExecutor<'_>, member: Uuid) -> Result<String, Error> {
    let school = sqlx::query_scalar!(
        "select s.school
        from profile.stewards s
        join profile.members m on m.id = s.member_id
        where s.member_id = $1
            and not m.hidden",
        member,
    );
    school.fetch_optional(db).await?.ok_or(Error::NotSteward)
}

/// Locks the role of a steward until the transaction ends, and returns the school.
///
/// # Errors
/// [`Error::NotSteward`].
async fn lock_school_of(db: &mut PgConnection, member: Uuid) -> Result<String, Error> {
    let school = sqlx::query_scalar!(
        "select s.school
        from profile.stewards s
        join profile.members m on m.id = s.member_id
        where s.member_id = $1
            and not m.hidden
        for share of s",
        member,
    );
    school.fetch_optional(db).await?.ok_or(Error::NotSteward)
}

/// Verifies a member of the steward's school, who has the name that the steward saw.
///
/// # Errors
/// [`Error::NotSteward`]; [`Error::MemberNotFound`]; [`Error::AlreadyVerified`]; [`Error::NameChanged`].
pub async fn verify(
    work: &mut UnitOfWork<'_>,
    steward: Uuid,
    request: &VerificationRequest,
) -> Result<SchoolMember, Error> {
    let member = request.member;
    let locked = super::lock(work.db, member).await?;
    let school = lock_school_of(work.db, steward).await?;
    let locked = locked.ok_or(Error::MemberNotFound)?;
    if !super::verify(work, &decision_of(steward, &school, member, &request.reason)).await? {
        let seen = list::get_member(&mut *work.db, steward, &school, member).await?;
        let is_verified = seen.verified_at.is_some() && member != steward;
        return Err(if is_verified { Error::AlreadyVerified } else { Error::MemberNotFound });
    }
    // Rolls the verification back. The steward confirms the name on the screen, not a later one.
    if locked.full_name != request.full_name {
        return Err(Error::NameChanged);
    }
    list::get_member(&mut *work.db, steward, &school, member).await
}

/// Withdraws a verification by the steward's school. `None` when the steward may no longer see the member.
///
/// # Errors
/// [`Error::NotSteward`]; [`Error::MemberNotFound`]; [`Error::NotVerified`].
pub async fn withdraw(
    work: &mut UnitOfWork<'_>,
    steward: Uuid,
    request: &WithdrawalRequest,
) -> Result<Option<SchoolMember>, Error> {
    let member = request.member;
    let locked = super::lock(work.db, member).await?;
    let school = lock_school_of(work.db, steward).await?;
    locked.ok_or(Error::MemberNotFound)?;
    if !super::withdraw(work, &decision_of(steward, &school, member, &request.reason)).await? {
        // A member of another school is not known to the steward.
        list::get_member(&mut *work.db, steward, &school, member).await?;
        return Err(Error::NotVerified);
    }
    match list::get_member(&mut *work.db, steward, &school, member).await {
        Ok(member) => Ok(Some(member)),
        Err(Error::MemberNotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

fn decision_of<'a>(steward: Uuid, school: &'a str, member: Uuid, reason: &'a Reason) -> Decision<'a> {
    Decision { member, cause: Cause::Steward, steward: Some(steward), school: Some(school), reason: Some(reason) }
}

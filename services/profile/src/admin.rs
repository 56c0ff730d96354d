//! The operator's actions on verifications and stewards, called by `portia admin`.

use outbox::{Outbox, UnitOfWork};
use primitives::{clock::Clock, ids::Ids, input::Line};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::{
    decisions::Decision,
    error::Error,
    verifications::{self, stewards},
};

pub use crate::{
    decisions::{Cause, LoggedDecision, Reason},
    verifications::stewards::Steward,
};

/// Verifies a member, by Portia or by a school that the member states. Returns the full name.
///
/// # Errors
/// [`Error::MemberNotFound`]; [`Error::AlreadyVerified`]; [`Error::OtherSchool`].
pub async fn verify(
    db: &mut PgConnection,
    member: Uuid,
    school: Option<&Line<200>>,
    reason: &Reason,
    ids: &Ids,
    clock: &Clock,
) -> Result<String, Error> {
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("profile"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let locked = verifications::lock(work.db, member).await?.ok_or(Error::MemberNotFound)?;
    let decision = Decision {
        member,
        cause: Cause::Operator,
        steward: None,
        school: school.map(|school| &**school),
        reason: Some(reason),
    };
    if !verifications::verify(work, &decision).await? {
        return Err(if locked.is_verified { Error::AlreadyVerified } else { Error::OtherSchool });
    }
    tx.commit().await?;
    Ok(locked.full_name)
}

/// Withdraws the verification of a member, by Portia or by a school. Returns the full name.
///
/// # Errors
/// [`Error::MemberNotFound`]; [`Error::StateUnchanged`] when the member is not verified.
pub async fn withdraw(
    db: &mut PgConnection,
    member: Uuid,
    reason: &Reason,
    ids: &Ids,
    clock: &Clock,
) -> Result<String, Error> {
    let (mut tx, outbox) = (db.begin().await?, Outbox::new("profile"));
    let work = &mut UnitOfWork::new(&mut tx, &outbox, ids, clock);
    let locked = verifications::lock(work.db, member).await?.ok_or(Error::MemberNotFound)?;
    let decision = Decision { member, cause: Cause::Operator, steward: None, school: None, reason: Some(reason) };
    if !verifications::withdraw(work, &decision).await? {
        return Err(Error::StateUnchanged);
    }
    tx.commit().await?;
    Ok(locked.full_name)
}

/// Makes a member the steward of a school, instead of an earlier one.
///
/// # Errors
/// [`Error::MemberNotFound`]; [`Error::StateUnchanged`] when the member is that already.
pub async fn add_steward(db: &mut PgConnection, member: Uuid, school: &Line<200>, clock: &Clock) -> Result<(), Error> {
    let mut tx = db.begin().await?;
    if !stewards::add(&mut tx, member, school, clock.now()).await? {
        return Err(Error::StateUnchanged);
    }
    tx.commit().await?;
    Ok(())
}

/// Takes the role of a steward away, at once. Verifications of the school stay.
///
/// # Errors
/// [`Error::StateUnchanged`] when the member is no steward.
pub async fn remove_steward(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    if stewards::remove(db, member).await? { Ok(()) } else { Err(Error::StateUnchanged) }
}

/// Lists all stewards, by school.
pub async fn list_stewards(db: &mut PgConnection) -> Result<Vec<Steward>, Error> {
    stewards::list(db).await
}

/// Lists the last decisions of stewards, operators and members, oldest first.
pub async fn list_decisions(db: &mut PgConnection, limit: u32) -> Result<Vec<LoggedDecision>, Error> {
    let decisions = sqlx::query_as!(
        LoggedDecision,
        r#"select id, member_id, verified, cause as "cause: Cause", steward_id, school, reason, at
        from profile.verification_decisions
        order by at desc, id desc
        limit $1"#,
        i64::from(limit),
    );
    let mut decisions = decisions.fetch_all(db).await?;
    decisions.reverse();
    Ok(decisions)
}

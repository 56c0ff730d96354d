//! Stewards: members who may verify the members of one school.

use chrono::{DateTime, Utc};
use primitives::input::Line;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::error::Error;

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
pub async fn lock_school_of(db: &mut PgConnection, member: Uuid) -> Result<String, Error> {
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

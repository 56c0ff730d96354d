//! The read model of members, built from the facts of auth and profile.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The resolution of `active_at`: several actions within it are one write.
const ACTIVITY_RESOLUTION: TimeDelta = TimeDelta::hours(1);

/// A school or location in the form used for comparison.
pub struct ComparisonKey(pub Option<String>);

/// The longest key in characters; it must fit into an index entry.
const MAX_LENGTH: usize = 200;

impl ComparisonKey {
    /// Ignores case and white space. Blank text has no key, so two blanks do not match.
    pub fn from_text(raw: Option<&str>) -> Self {
        let words: Vec<&str> = raw.unwrap_or_default().split_whitespace().collect();
        let key: String = words.join(" ").to_lowercase().chars().filter(|c| *c != '\0').take(MAX_LENGTH).collect();
        Self(Some(key).filter(|key| !key.is_empty()))
    }
}

/// Creates and locks both members' rows, in the order of their ids, until the transaction ends. Blocks, deactivation and
/// connection requests are serialised by it. Updates the activity of `actor`.
pub async fn lock_pair(work: &mut UnitOfWork<'_>, actor: Uuid, other: Uuid) -> Result<(), Error> {
    // `on conflict do update` locks the row even when its condition skips the update.
    sqlx::query!(
        "insert into social_graph.members as known (member_id, active_at)
        select member_id, case when member_id = $1 then $3::timestamptz end
        from unnest(array[$1, $2]::uuid[]) as pair (member_id)
        order by member_id
        on conflict (member_id) do update
        set active_at = excluded.active_at
        where known.member_id = $1
            and (known.active_at is null or known.active_at < $4)",
        actor,
        other,
        work.now,
        work.now - ACTIVITY_RESOLUTION,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Creates and locks a member's row until the transaction ends, which serialises it with deactivation. Updates the
/// member's activity.
pub async fn lock(work: &mut UnitOfWork<'_>, actor: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into social_graph.members as known (member_id, active_at)
        values ($1, $2)
        on conflict (member_id) do update
        set active_at = excluded.active_at
        where known.active_at is null
            or known.active_at < $3",
        actor,
        work.now,
        work.now - ACTIVITY_RESOLUTION,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// A member whose account is not erased.
pub struct ExistingMember {
    pub member_id: Uuid,
    pub hidden: bool,
}

/// Locks the rows of two members that exist, in the order of their ids, until the transaction ends, and returns them. An
/// erasure waits for the lock, and then deletes what the transaction wrote about its member.
pub async fn lock_existing(db: &mut PgConnection, actor: Uuid, other: Uuid) -> Result<Vec<ExistingMember>, Error> {
    let rows = sqlx::query_as!(
        ExistingMember,
        "select member_id, hidden
        from social_graph.members
        where member_id in ($1, $2)
        order by member_id
        for no key update",
        actor,
        other,
    );
    Ok(rows.fetch_all(db).await?)
}

/// Applies a registration. Keys that profile has already set take precedence.
pub async fn apply_registration(
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
    school: &ComparisonKey,
    location: &ComparisonKey,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into social_graph.members as known (member_id, school_key, location_key, joined_at, active_at)
        values ($1, $2, $3, $4, $4)
        on conflict (member_id) do update
        set
            school_key = coalesce(known.school_key, excluded.school_key),
            location_key = coalesce(known.location_key, excluded.location_key),
            joined_at = excluded.joined_at,
            active_at = coalesce(known.active_at, excluded.active_at)
        where known.joined_at is null",
        member,
        school.0,
        location.0,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Applies the school and location of a profile.
pub async fn apply_profile(
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
    school: &ComparisonKey,
    location: &ComparisonKey,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into social_graph.members as known (member_id, school_key, location_key, active_at)
        values ($1, $2, $3, $4)
        on conflict (member_id) do update
        set
            school_key = excluded.school_key,
            location_key = excluded.location_key,
            active_at = coalesce(known.active_at, excluded.active_at)",
        member,
        school.0,
        location.0,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Sets whether the member is left out of suggestions. A row without a registration is deleted by `remove_profile`: the
/// last fact of profile about an erased member.
pub async fn set_unlisted(db: &mut PgConnection, member: Uuid, unlisted: bool) -> Result<(), Error> {
    sqlx::query!(
        "insert into social_graph.members as known (member_id, unlisted)
        values ($1, $2)
        on conflict (member_id) do update
        set unlisted = excluded.unlisted
        where known.unlisted <> excluded.unlisted",
        member,
        unlisted,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Lists every member in suggestions. Runs before a snapshot of profile, which contains the settings of all others.
pub async fn list_all(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("update social_graph.members set unlisted = false where unlisted").execute(db).await?;
    Ok(())
}

/// Applies a profile without school and location. Deletes a row without a registration: profile's last fact about an
/// erased member may arrive after auth's.
pub async fn remove_profile(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from social_graph.members
        where member_id = $1
            and joined_at is null
            and not hidden",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ignore_case_and_white_space() {
        assert_eq!(ComparisonKey::from_text(Some("  Yale\u{a0}Law  SCHOOL ")).0.as_deref(), Some("yale law school"));
        assert_eq!(ComparisonKey::from_text(Some("école")).0, ComparisonKey::from_text(Some("ÉCOLE")).0);
        for nothing in [None, Some(""), Some(" \t"), Some("\0")] {
            assert_eq!(ComparisonKey::from_text(nothing).0, None, "{nothing:?}");
        }
        assert_eq!(ComparisonKey::from_text(Some(&"é".repeat(1 << 20))).0.map(|key| key.chars().count()), Some(200));
    }
}

//! What the graph knows of members: copied from what auth and profile tell.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Activity is noted this coarsely: a member who connects with twenty in a row is one write.
const ACTIVITY: TimeDelta = TimeDelta::hours(1);

/// A school or a location as two members' are compared.
pub struct Key(pub Option<String>);

/// The longest key: names are shorter, and it must fit an index.
const LONGEST: usize = 200;

impl Key {
    /// Case and white space make no difference. What is blank is nothing in common.
    pub fn of(raw: Option<&str>) -> Self {
        let words: Vec<&str> = raw.unwrap_or_default().split_whitespace().collect();
        let key: String = words.join(" ").to_lowercase().chars().filter(|c| *c != '\0').take(LONGEST).collect();
        Self(Some(key).filter(|key| !key.is_empty()))
    }
}

/// Makes sure of both rows of a pair and locks them, in the order of their ids, until the transaction ends: blocks,
/// closing an account and requests to connect then see what the one before them did. Notes that `actor` is active.
pub async fn lock_pair(db: &mut PgConnection, actor: Uuid, other: Uuid, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    // A row in conflict is locked even where the update's condition leaves it as it is.
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
        now,
        now - ACTIVITY,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Makes sure of a member's row and locks it until the transaction ends: closing the account then sees what they did
/// before, and they what closing it did. Notes that they are active.
pub async fn lock(db: &mut PgConnection, actor: Uuid, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into social_graph.members as known (member_id, active_at)
        values ($1, $2)
        on conflict (member_id) do update
        set active_at = excluded.active_at
        where known.active_at is null
            or known.active_at < $3",
        actor,
        now,
        now - ACTIVITY,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// An account was made. Profile may have told of the member first, and then knows better where they are.
pub async fn joined(
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
    school: &Key,
    location: &Key,
) -> Result<(), sqlx::Error> {
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

/// The profile says where the member studies and is.
pub async fn described(
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
    school: &Key,
    location: &Key,
) -> Result<(), sqlx::Error> {
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

/// The profile is gone, or says nothing. A row auth knows nothing of goes with it: profile's last word about an erased
/// member may come after auth's.
pub async fn undescribed(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
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
    fn case_and_white_space_make_no_difference() {
        assert_eq!(Key::of(Some("  Yale\u{a0}Law  SCHOOL ")).0.as_deref(), Some("yale law school"));
        assert_eq!(Key::of(Some("école")).0, Key::of(Some("ÉCOLE")).0);
        for nothing in [None, Some(""), Some(" \t"), Some("\0")] {
            assert_eq!(Key::of(nothing).0, None, "{nothing:?}");
        }
        assert_eq!(Key::of(Some(&"é".repeat(1 << 20))).0.map(|key| key.chars().count()), Some(200));
    }
}

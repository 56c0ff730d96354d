//! Advisory locks of members and of pairs, for work that has no row to lock yet or must not wait for one.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Locks a pair of members until the transaction ends: a block and the opening of a conversation wait for each other,
/// although a new conversation has no row to lock yet.
pub async fn lock_pair(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<(), Error> {
    let pair = format!("messaging.pair {} {}", one.min(other), one.max(other));
    sqlx::query!("select from pg_advisory_xact_lock(hashtextextended($1, 0))", pair).execute(db).await?;
    Ok(())
}

/// Locks the pairs of a member with others, as [`lock_pair`] does, in the order of their keys.
pub async fn lock_pairs(db: &mut PgConnection, one: Uuid, others: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(k.key) is null as "locked?"
        from (
            select hashtextextended('messaging.pair ' || least($1::uuid, o) || ' ' || greatest($1::uuid, o), 0) as key
            from unnest($2::uuid[]) o
            order by key
            offset 0
        ) k"#,
        one,
        others,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

/// Locks members against erasures and blocks until the transaction ends, before any row, so that an invitation does not
/// wait for rows that these lock. The keys are few, so that the facts of a snapshot cannot exhaust the locks of the
/// server.
pub async fn lock_members(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock_shared(hashtext('messaging.member'), k.key) is null as "locked?"
        from (
            select distinct hashtext(m::text) & 1023 as key
            from unnest($1::uuid[]) m
            order by key
            offset 0
        ) k"#,
        members,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

/// Locks members for an erasure or a block, which excludes [`lock_members`].
pub async fn lock_members_exclusively(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtext('messaging.member'), k.key) is null as "locked?"
        from (
            select distinct hashtext(m::text) & 1023 as key
            from unnest($1::uuid[]) m
            order by key
            offset 0
        ) k"#,
        members,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

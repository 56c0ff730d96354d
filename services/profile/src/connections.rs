//! Who is connected with whom: a copy of what social-graph tells, for endorsing and for a count.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Notes that two members are connected, and counts it once for each. A member who is hidden counts for nobody, until
/// they come back: `closing` does that.
///
/// # Errors
/// When the database is away.
pub async fn made(conn: &mut PgConnection, one: Uuid, other: Uuid) -> Result<(), Error> {
    lock(conn, one, other).await?;
    sqlx::query!(
        "with made as (
            insert into profile.connections (lower_id, upper_id)
            values (least($1::uuid, $2), greatest($1, $2))
            on conflict (lower_id, upper_id) do nothing
            returning lower_id, upper_id
        )
        update profile.members m
        set connection_count = m.connection_count + 1
        from made
        where m.id in (made.lower_id, made.upper_id)
            and not exists (
                select from profile.members o
                where o.id in (made.lower_id, made.upper_id)
                    and o.id <> m.id
                    and o.hidden
            )",
        one,
        other,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that two members are not connected, if they were. Endorsements given stay: they were true.
///
/// # Errors
/// When the database is away.
pub async fn ended(conn: &mut PgConnection, one: Uuid, other: Uuid) -> Result<(), Error> {
    lock(conn, one, other).await?;
    sqlx::query!(
        "with ended as (
            delete from profile.connections
            where lower_id = least($1::uuid, $2)
                and upper_id = greatest($1, $2)
            returning lower_id, upper_id
        )
        update profile.members m
        set connection_count = m.connection_count - 1
        from ended
        where m.id in (ended.lower_id, ended.upper_id)
            and not exists (
                select from profile.members o
                where o.id in (ended.lower_id, ended.upper_id)
                    and o.id <> m.id
                    and o.hidden
            )",
        one,
        other,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets every connection, before all of them are told anew.
///
/// # Errors
/// When the database is away.
pub async fn clear(conn: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from profile.connections").execute(&mut *conn).await?;
    sqlx::query!(
        "update profile.members
        set connection_count = 0
        where connection_count <> 0",
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Both members in the order of their ids, before a statement that looks whether one is hidden: it sees what whoever
/// held the lock before has done.
async fn lock(conn: &mut PgConnection, one: Uuid, other: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "select id
        from profile.members
        where id in ($1, $2)
        order by id
        for no key update",
        one,
        other,
    )
    .fetch_all(conn)
    .await?;
    Ok(())
}

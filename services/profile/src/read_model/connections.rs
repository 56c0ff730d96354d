//! A copy of social-graph's connections, for endorsements, the connection count and the order of search results.
//!
//! A change of a connection writes the rows of both members, even if no count changes, to change their versions
//! (members/versions.rs).

#[cfg(test)]
mod tests;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Inserts connections and increments the counts of their members. A connection with a hidden member is counted when
/// `deactivation` shows that member again. A connection may occur twice.
pub async fn insert_all(db: &mut PgConnection, requesters: &[Uuid], recipients: &[Uuid]) -> Result<(), Error> {
    lock(db, &[requesters, recipients].concat()).await?;
    // Subqueries for the lists: with bare parameters Postgres plans each call, which takes longer than the execution.
    sqlx::query!(
        "with inserted as (
            insert into profile.connections (lower_id, upper_id)
            select distinct least(c.requester_id, c.recipient_id), greatest(c.requester_id, c.recipient_id)
            from unnest((select $1::uuid[]), (select $2::uuid[])) as c (requester_id, recipient_id)
            order by 1, 2
            on conflict (lower_id, upper_id) do nothing
            returning lower_id, upper_id
        ),
        connected as (
            select side.member_id, count(*) filter (where not coalesce(o.hidden, false)) as n
            from inserted
            cross join lateral (
                values (inserted.lower_id, inserted.upper_id), (inserted.upper_id, inserted.lower_id)
            ) as side (member_id, other_id)
            left join profile.members o on o.id = side.other_id
            group by side.member_id
        )
        update profile.members m
        set connection_count = m.connection_count + connected.n
        from connected
        where m.id = connected.member_id",
        requesters,
        recipients,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a connection, if it exists. Its endorsements stay.
pub async fn delete(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<(), Error> {
    lock(db, &[one, other]).await?;
    sqlx::query!(
        "with deleted as (
            delete from profile.connections
            where lower_id = least($1::uuid, $2)
                and upper_id = greatest($1, $2)
            returning lower_id, upper_id
        )
        update profile.members m
        set connection_count = m.connection_count - case
            when exists (
                select from profile.members o
                where o.id in (deleted.lower_id, deleted.upper_id)
                    and o.id <> m.id
                    and o.hidden
            ) then 0
            else 1
        end
        from deleted
        where m.id in (deleted.lower_id, deleted.upper_id)",
        one,
        other,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the connections of an erased member and decrements the counts of the others, unless the member is still stored as
/// hidden: those counts leave out hidden members.
pub async fn delete_of(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "select id
        from profile.members
        where id = $1
            or id in (
                select upper_id
                from profile.connections
                where lower_id = $1
                union all
                select lower_id
                from profile.connections
                where upper_id = $1
            )
        order by id
        for no key update",
        member,
    )
    .fetch_all(&mut *db)
    .await?;
    sqlx::query!(
        "with deleted as (
            delete from profile.connections
            where lower_id = $1
                or upper_id = $1
            returning lower_id, upper_id
        )
        update profile.members m
        set connection_count = m.connection_count - case
            when exists (
                select from profile.members o
                where o.id = $1
                    and o.hidden
            ) then 0
            else 1
        end
        from deleted
        where m.id in (deleted.lower_id, deleted.upper_id)
            and m.id <> $1",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!("update profile.members set connection_count = 0 where id = $1", member).execute(db).await?;
    Ok(())
}

/// Deletes all rows before a snapshot.
pub async fn delete_all(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!(
        "with deleted as (
            delete from profile.connections
            returning lower_id, upper_id
        )
        update profile.members
        set connection_count = 0
        where connection_count <> 0
            or id in (
                select lower_id
                from deleted
                union all
                select upper_id
                from deleted
            )",
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Locks members in the order of their ids. The next statement then sees whether a concurrent transaction hid one.
async fn lock(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        "select id
        from profile.members
        where id = any((select $1::uuid[])::uuid[])
        order by id
        for no key update",
        members,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

//! Who is connected with whom, belongs to which community and blocks whom: copied from what social-graph tells.
//!
//! Each effect can be repeated: a fact may come again after a snapshot. A community that is gone takes its memberships
//! along; its posts stay, and only their authors see them, as if everybody had left.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// Two members are connected.
///
/// # Errors
/// As any statement; so the others.
pub async fn connected(conn: &mut PgConnection, id: Uuid, one: Uuid, other: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.connections (connection_id, member_id, other_id)
        values ($1, $2, $3), ($1, $3, $2)
        on conflict (member_id, connection_id) do nothing",
        id,
        one,
        other
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// They are not any more, or it came to nothing.
///
/// # Errors
/// As any statement.
pub async fn parted(conn: &mut PgConnection, id: Uuid, one: Uuid, other: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from feed.connections
        where member_id in ($2, $3)
            and connection_id = $1",
        id,
        one,
        other
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A community is called so.
///
/// # Errors
/// As any statement.
pub async fn named(conn: &mut PgConnection, community_id: Uuid, name: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.communities (id, name)
        values ($1, $2)
        on conflict (id) do update
        set name = excluded.name",
        community_id,
        name
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A community is gone, with everybody's membership.
///
/// # Errors
/// As any statement.
pub async fn dissolved(conn: &mut PgConnection, community_id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from feed.memberships where community_id = $1", community_id).execute(&mut *conn).await?;
    sqlx::query!("delete from feed.communities where id = $1", community_id).execute(conn).await?;
    Ok(())
}

/// A member belongs to a community.
///
/// # Errors
/// As any statement.
pub async fn joined(conn: &mut PgConnection, member_id: Uuid, community_id: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.memberships (member_id, community_id)
        values ($1, $2)
        on conflict (member_id, community_id) do nothing",
        member_id,
        community_id
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A member does not belong to it any more.
///
/// # Errors
/// As any statement.
pub async fn left(conn: &mut PgConnection, member_id: Uuid, community_id: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from feed.memberships
        where member_id = $1
            and community_id = $2",
        member_id,
        community_id
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A member blocks another.
///
/// # Errors
/// As any statement.
pub async fn blocked(conn: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.blocks (blocker_id, blocked_id)
        values ($1, $2)
        on conflict (blocker_id, blocked_id) do nothing",
        blocker,
        blocked
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A member lifted their block; the other's own stands.
///
/// # Errors
/// As any statement.
pub async fn unblocked(conn: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from feed.blocks
        where blocker_id = $1
            and blocked_id = $2",
        blocker,
        blocked
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets all of it, because social-graph is about to tell anew.
///
/// # Errors
/// As any statement.
pub async fn clear(conn: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from feed.connections").execute(&mut *conn).await?;
    sqlx::query!("delete from feed.communities").execute(&mut *conn).await?;
    sqlx::query!("delete from feed.memberships").execute(&mut *conn).await?;
    sqlx::query!("delete from feed.blocks").execute(conn).await?;
    Ok(())
}

/// Forgets some of an erased member's connections, from both sides. Answers how many it found.
///
/// # Errors
/// As any statement.
pub async fn forget_connections(db: &PgPool, member_id: Uuid, at_most: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with bite as (
            select connection_id, other_id
            from feed.connections
            where member_id = $1
            limit $2
        ),
        theirs as (
            delete from feed.connections c
            using bite
            where c.member_id = bite.other_id
                and c.connection_id = bite.connection_id
        ),
        own as (
            delete from feed.connections c
            using bite
            where c.member_id = $1
                and c.connection_id = bite.connection_id
        )
        select count(*) as "n!"
        from bite
        "#,
        member_id,
        at_most
    )
    .fetch_one(db)
    .await
}

/// Forgets what else is copied of an erased member.
///
/// # Errors
/// As any statement.
pub async fn forget(conn: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.memberships where member_id = $1", member_id).execute(&mut *conn).await?;
    sqlx::query!("delete from feed.blocks where blocker_id = $1 or blocked_id = $1", member_id)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("delete from feed.members where member_id = $1", member_id).execute(conn).await?;
    Ok(())
}

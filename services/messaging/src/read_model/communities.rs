//! Names, members and former members of communities.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Sets the name of a new or renamed community.
pub async fn set_name(db: &mut PgConnection, id: Uuid, name: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into messaging.communities (id, name)
        values ($1, $2)
        on conflict (id) do update
        set name = excluded.name",
        id,
        name,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a community and its memberships.
pub async fn delete(db: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.former_memberships where community_id = $1", id).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.memberships where community_id = $1", id).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.communities where id = $1", id).execute(db).await?;
    Ok(())
}

/// Inserts a membership, or sets its role.
pub async fn set_membership(db: &mut PgConnection, community: Uuid, member: Uuid, is_owner: bool) -> Result<(), Error> {
    sqlx::query!(
        "with again as (
            delete from messaging.former_memberships
            where community_id = $1
                and member_id = $2
        )
        insert into messaging.memberships (community_id, member_id, is_owner)
        values ($1, $2, $3)
        on conflict (community_id, member_id) do update
        set is_owner = excluded.is_owner",
        community,
        member,
        is_owner,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends a membership, and keeps the name that the community has now for the notifications of the former member.
pub async fn delete_membership(db: &mut PgConnection, community: Uuid, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "with gone as (
            delete from messaging.memberships
            where community_id = $1
                and member_id = $2
            returning community_id, member_id
        )
        insert into messaging.former_memberships (community_id, member_id, name)
        select g.community_id, g.member_id, c.name
        from gone g
        join messaging.communities c on c.id = g.community_id
        on conflict (community_id, member_id) do update
        set name = excluded.name",
        community,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Lists the owners of a community, if `member` does not belong to it yet.
pub async fn list_owners_if_new(db: &mut PgConnection, community: Uuid, member: Uuid) -> Result<Vec<Uuid>, Error> {
    let owners = sqlx::query_scalar!(
        "select o.member_id
        from messaging.memberships o
        where o.community_id = $1
            and o.is_owner
            and not exists (
                select
                from messaging.memberships m
                where m.community_id = $1
                    and m.member_id = $2
            )",
        community,
        member,
    );
    Ok(owners.fetch_all(db).await?)
}

/// Lists the members of a community who turned on notifications of posts. They are few, so the statement begins with
/// them.
pub async fn list_subscribers(db: &mut PgConnection, community: Uuid) -> Result<Vec<Uuid>, Error> {
    let subscribers = sqlx::query_scalar!(
        "select s.member_id
        from messaging.notification_switches s
        join messaging.memberships m on m.member_id = s.member_id
        where s.kind = 'community_posted'
            and s.is_on
            and m.community_id = $1",
        community,
    );
    Ok(subscribers.fetch_all(db).await?)
}

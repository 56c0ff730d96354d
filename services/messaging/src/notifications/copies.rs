//! What the bell must know of communities and events: copied from what social-graph tells.
//!
//! Each effect can be repeated: a fact may come again after a snapshot.

use sqlx::PgConnection;
use uuid::Uuid;

type Done = Result<(), sqlx::Error>;

/// A community is called so.
pub async fn community_called(db: &mut PgConnection, id: Uuid, name: &str) -> Done {
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

/// A community is gone, with everybody's membership.
pub async fn community_removed(db: &mut PgConnection, id: Uuid) -> Done {
    sqlx::query!("delete from messaging.memberships where community_id = $1", id).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.communities where id = $1", id).execute(db).await?;
    Ok(())
}

/// A member belongs to a community, as an owner or not.
pub async fn joined(db: &mut PgConnection, community: Uuid, member: Uuid, is_owner: bool) -> Done {
    sqlx::query!(
        "insert into messaging.memberships (community_id, member_id, is_owner)
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

/// A member does not belong to it any more.
pub async fn left(db: &mut PgConnection, community: Uuid, member: Uuid) -> Done {
    sqlx::query!(
        "delete from messaging.memberships
        where community_id = $1
            and member_id = $2",
        community,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Who owns a community that `member` does not belong to yet: whom it concerns that they join.
pub async fn owners_of_what_is_new_to(
    db: &mut PgConnection,
    member: Uuid,
    community: Uuid,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
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
    )
    .fetch_all(db)
    .await
}

/// Who has asked to hear of communities' posts and belongs to this one: the fewer of the two come first.
pub async fn readers(db: &mut PgConnection, community: Uuid) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select s.member_id
        from messaging.notification_switches s
        join messaging.memberships m on m.member_id = s.member_id
        where s.kind = 'community_posted'
            and s.is_on
            and m.community_id = $1",
        community,
    )
    .fetch_all(db)
    .await
}

/// An event, as it is from now on; an older state told again changes nothing.
pub async fn event_changed(
    db: &mut PgConnection,
    id: Uuid,
    organiser: Option<Uuid>,
    title: &str,
    revision: i32,
) -> Done {
    sqlx::query!(
        "insert into messaging.events as known (id, organiser_id, title, revision)
        values ($1, $2, $3, $4)
        on conflict (id) do update
        set
            organiser_id = excluded.organiser_id,
            title = excluded.title,
            revision = excluded.revision
        where known.revision <= excluded.revision",
        id,
        organiser,
        title,
        revision,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// An event was called off, and whoever wanted to come with it.
pub async fn event_removed(db: &mut PgConnection, id: Uuid) -> Done {
    sqlx::query!("delete from messaging.attendances where event_id = $1", id).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.events where id = $1", id).execute(db).await?;
    Ok(())
}

/// A member comes to an event.
pub async fn attended(db: &mut PgConnection, event: Uuid, member: Uuid) -> Done {
    sqlx::query!(
        "insert into messaging.attendances (event_id, member_id)
        values ($1, $2)
        on conflict (event_id, member_id) do nothing",
        event,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A member does not come any more.
pub async fn unattended(db: &mut PgConnection, event: Uuid, member: Uuid) -> Done {
    sqlx::query!(
        "delete from messaging.attendances
        where event_id = $1
            and member_id = $2",
        event,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// An event as it was told last.
pub struct Event {
    /// None once that account is gone.
    pub organiser_id: Option<Uuid>,
    pub title: String,
    pub revision: i32,
}

/// What is known of an event.
pub async fn event(db: &mut PgConnection, id: Uuid) -> Result<Option<Event>, sqlx::Error> {
    sqlx::query_as!(Event, "select organiser_id, title, revision from messaging.events where id = $1", id)
        .fetch_optional(db)
        .await
}

/// Who comes to an event.
pub async fn attendees(db: &mut PgConnection, event: Uuid) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select member_id from messaging.attendances where event_id = $1", event).fetch_all(db).await
}

/// Forgets all of it, because social-graph is about to tell anew.
pub async fn clear(db: &mut PgConnection) -> Done {
    sqlx::query!("delete from messaging.communities").execute(&mut *db).await?;
    sqlx::query!("delete from messaging.memberships").execute(&mut *db).await?;
    sqlx::query!("delete from messaging.events").execute(&mut *db).await?;
    sqlx::query!("delete from messaging.attendances").execute(db).await?;
    Ok(())
}

/// Forgets what is copied of a member who is gone.
pub async fn forget(db: &mut PgConnection, member: Uuid) -> Done {
    sqlx::query!("delete from messaging.memberships where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.attendances where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("update messaging.events set organiser_id = null where organiser_id = $1", member).execute(db).await?;
    Ok(())
}

//! Titles, organisers and attendees of events.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// An event in its latest known revision.
pub struct Event {
    /// None after that account is erased.
    pub organiser_id: Option<Uuid>,
    pub title: String,
    pub revision: i32,
}

/// Sets the state of an event. An older revision changes nothing.
pub async fn set(
    db: &mut PgConnection,
    id: Uuid,
    organiser: Option<Uuid>,
    title: &str,
    revision: i32,
) -> Result<(), Error> {
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

/// Deletes an event and its attendances.
pub async fn delete(db: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.attendances where event_id = $1", id).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.events where id = $1", id).execute(db).await?;
    Ok(())
}

/// Inserts an attendance.
pub async fn insert_attendance(db: &mut PgConnection, event: Uuid, member: Uuid) -> Result<(), Error> {
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

/// Deletes an attendance.
pub async fn delete_attendance(db: &mut PgConnection, event: Uuid, member: Uuid) -> Result<(), Error> {
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

/// Returns an event, if it is known.
pub async fn get(db: &mut PgConnection, id: Uuid) -> Result<Option<Event>, Error> {
    let event = sqlx::query_as!(Event, "select organiser_id, title, revision from messaging.events where id = $1", id);
    Ok(event.fetch_optional(db).await?)
}

/// Returns the attendees of an event.
pub async fn list_attendees(db: &mut PgConnection, event: Uuid) -> Result<Vec<Uuid>, Error> {
    let attendees = sqlx::query_scalar!("select member_id from messaging.attendances where event_id = $1", event);
    Ok(attendees.fetch_all(db).await?)
}

//! Read marks of notifications: a notification is read while its mark is not older than its newest cause.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    publishing::publish_notifications_changed,
    unread::{self, UnreadDelta},
};

/// The notifications to mark as read.
#[derive(Clone, Copy, Debug)]
pub enum ReadMark {
    One(Uuid),
    /// All that are not newer than this time.
    UpTo(DateTime<Utc>),
}

/// Marks notifications of a member as read.
pub async fn mark_read(work: &mut UnitOfWork<'_>, member: Uuid, mark: ReadMark) -> Result<(), Error> {
    // A later notification waits for the lock and gets a time after the mark.
    sqlx::query!("select member_id from messaging.notification_locks where member_id = $1 for update", member)
        .fetch_optional(&mut *work.db)
        .await?;
    let marked = match mark {
        ReadMark::One(id) => mark_one(work.db, member, id).await?,
        ReadMark::UpTo(at) => mark_up_to(work.db, member, at).await?,
    };
    if marked > 0 {
        unread::update(work.db, member, UnreadDelta { notifications: -marked, ..UnreadDelta::default() }).await?;
        publish_notifications_changed(work, &[member]).await?;
    }
    Ok(())
}

async fn mark_one(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<i32, Error> {
    let marked = sqlx::query_scalar!(
        r#"with found as (
            select id, coalesce(read_at < active_at, true) as unread
            from messaging.notifications
            where id = $1
                and member_id = $2
        ),
        marked as (
            update messaging.notifications n
            set read_at = n.active_at
            from found f
            where n.id = f.id
                and f.unread
        )
        select unread::integer as "unread!"
        from found"#,
        id,
        member,
    );
    marked.fetch_optional(db).await?.ok_or(Error::NotificationNotFound)
}

async fn mark_up_to(db: &mut PgConnection, member: Uuid, at: DateTime<Utc>) -> Result<i32, Error> {
    let marked = sqlx::query_scalar!(
        r#"with marked as (
            update messaging.notifications
            set read_at = active_at
            where member_id = $1
                and active_at <= $2
                and (read_at is null or read_at < active_at)
            returning id
        )
        select count(*)::integer as "n!"
        from marked"#,
        member,
        at,
    );
    Ok(marked.fetch_one(db).await?)
}

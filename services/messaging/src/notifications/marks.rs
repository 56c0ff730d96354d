//! What a member has seen of the bell: a notification is read while its mark is no older than its newest cause.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Bell;
use crate::{
    error::Error,
    unread::{self, Delta},
};

/// Which notifications were seen.
#[derive(Clone, Copy, Debug)]
pub enum Seen {
    /// This one.
    One(Uuid),
    /// All that were active no later.
    UpTo(DateTime<Utc>),
}

impl Bell {
    /// Marks what `member` has seen.
    pub async fn seen(&self, db: &mut PgConnection, member: Uuid, seen: Seen) -> Result<(), Error> {
        // What rings later finds the mark, and is newer than it.
        sqlx::query!("select member_id from messaging.bells where member_id = $1 for update", member)
            .fetch_optional(&mut *db)
            .await?;
        let fewer = match seen {
            Seen::One(id) => one(db, member, id).await?,
            Seen::UpTo(at) => up_to(db, member, at).await?,
        };
        if fewer > 0 {
            unread::add(db, member, Delta { notifications: -fewer, ..Delta::default() }).await?;
            self.changed(db, &[member]).await?;
        }
        Ok(())
    }
}

async fn one(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<i32, Error> {
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

async fn up_to(db: &mut PgConnection, member: Uuid, at: DateTime<Utc>) -> Result<i32, Error> {
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

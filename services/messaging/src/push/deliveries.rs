//! Waiting pushes. One worker at a time leases a push, decides by the current state whether it is wanted, and completes
//! it.
//!
//! A push is wanted while its conversation or notification is unread. So reading, muting, blocking, deleting and
//! withdrawing cancel it without a separate statement.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// The maximum number of pushes in one lease.
pub const BATCH: i64 = 32;
/// The duration of a lease: longer than a batch takes. After a crash another worker sends the push.
const LEASE: TimeDelta = TimeDelta::seconds(90);

/// A leased push with its subscription.
pub struct Delivery {
    pub subscription_id: Uuid,
    pub subject_id: Uuid,
    /// The newest message of a conversation.
    pub message_id: Option<Uuid>,
    pub revision: i32,
    pub attempts: i32,
    pub expires_at: DateTime<Utc>,
    pub endpoint: String,
    pub p256dh: Vec<u8>,
    pub auth: Vec<u8>,
    pub language: String,
    /// The conversation is a request that is not accepted.
    pub is_request: bool,
    /// The push is not expired, and its subject is unread.
    pub is_wanted: bool,
}

/// Leases due pushes, earliest first. Skips rows that another worker is leasing.
pub async fn lease(db: &PgPool, now: DateTime<Utc>) -> Result<Vec<Delivery>, Error> {
    let leased = sqlx::query_as!(
        Delivery,
        r#"with due as (
            select subscription_id, subject_id
            from messaging.push_deliveries
            where due_at <= $1
            order by due_at
            limit $3
            for update skip locked
        ),
        leased as (
            update messaging.push_deliveries d
            set
                attempts = d.attempts + 1,
                due_at = $2
            from due
            where d.subscription_id = due.subscription_id
                and d.subject_id = due.subject_id
            returning
                d.subscription_id, d.subject_id, d.subject_kind, d.message_id, d.revision, d.attempts, d.expires_at
        )
        select
            l.subscription_id, l.subject_id, l.message_id, l.revision, l.attempts, l.expires_at,
            s.endpoint, s.p256dh, s.auth, s.language,
            coalesce(p.folder = 'requests', false) as "is_request!",
            l.expires_at > $1
                and not exists (select from messaging.closed_members g where g.member_id = s.member_id)
                and case l.subject_kind
                    when 'conversation' then coalesce(
                        p.unread_count > 0 and not p.muted and m.deleted_at is null and 'messages' = any(s.topics),
                        false
                    )
                    else n.id is not null and coalesce(n.read_at < n.active_at, true)
                end as "is_wanted!"
        from leased l
        join messaging.push_subscriptions s on s.id = l.subscription_id
        left join messaging.participants p
            on l.subject_kind = 'conversation'
            and p.conversation_id = l.subject_id
            and p.member_id = s.member_id
        left join messaging.messages m on m.id = l.message_id
        left join messaging.notifications n
            on l.subject_kind = 'notification'
            and n.id = l.subject_id
            and n.member_id = s.member_id"#,
        now,
        now + LEASE,
        BATCH,
    );
    Ok(leased.fetch_all(db).await?)
}

/// Deletes a push that was sent or is not wanted. A push with a newer cause becomes due instead.
pub async fn complete(db: &mut PgConnection, delivery: &Delivery, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "with completed as (
            delete from messaging.push_deliveries
            where subscription_id = $1
                and subject_id = $2
                and revision = $3
        )
        update messaging.push_deliveries
        set
            attempts = 0,
            due_at = $4
        where subscription_id = $1
            and subject_id = $2
            and revision <> $3",
        delivery.subscription_id,
        delivery.subject_id,
        delivery.revision,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Sends a push again at `due_at`, also when it has a newer cause by then.
pub async fn postpone(db: &PgPool, delivery: &Delivery, due_at: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "update messaging.push_deliveries
        set due_at = $3
        where subscription_id = $1
            and subject_id = $2",
        delivery.subscription_id,
        delivery.subject_id,
        due_at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Counts the waiting pushes.
pub async fn count(db: &PgPool) -> Result<i64, Error> {
    let waiting = sqlx::query_scalar!(r#"select count(*) as "n!" from messaging.push_deliveries"#);
    Ok(waiting.fetch_one(db).await?)
}

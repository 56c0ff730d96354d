//! Queues pushes in the transaction of their message or notification.
//!
//! The statements lock rows of subscriptions, so that a concurrent sign-out cannot fail the message. Later causes reuse
//! a waiting row and keep its time, so that it waits as long as its push service asked.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Topic;
use crate::error::Error;

/// The delay of a push: a member who reads in an open tab needs none.
const DELAY: TimeDelta = TimeDelta::seconds(3);
/// The time after which a push expires.
const LIFETIME: TimeDelta = TimeDelta::days(1);

/// Queues a message for the browsers of its recipients. Skips members who muted the conversation, are in a block with
/// the sender, or have a closed account. Queues only the first message of a request that is not accepted.
pub async fn message(
    db: &mut PgConnection,
    conversation: Uuid,
    message: Uuid,
    sender: Uuid,
    recipients: &[Uuid],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "with subscribed as (
            select s.id
            from messaging.push_subscriptions s
            join messaging.participants p on p.conversation_id = $1 and p.member_id = s.member_id
            join messaging.conversations c on c.id = p.conversation_id
            where s.member_id = any($4)
                and 'messages' = any(s.topics)
                and not p.muted
                and (p.folder = 'inbox' or c.last_seq = 1)
                and not exists (select from messaging.closed_members g where g.member_id = s.member_id)
                and not exists (
                    select
                    from messaging.blocks b
                    where (b.blocker_id = s.member_id and b.blocked_id = $3)
                        or (b.blocker_id = $3 and b.blocked_id = s.member_id)
                )
            order by s.id
            for key share of s skip locked
        )
        insert into messaging.push_deliveries as d
            (subscription_id, subject_id, subject_kind, message_id, due_at, expires_at)
        select id, $1, 'conversation', $2, $5, $6
        from subscribed
        on conflict (subscription_id, subject_id) do update
        set
            message_id = excluded.message_id,
            revision = d.revision + 1,
            expires_at = excluded.expires_at",
        conversation,
        message,
        sender,
        recipients,
        now + DELAY,
        now + LIFETIME,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Queues notifications for the members' browsers that chose the topic. Queues none without a topic.
pub async fn notifications(
    db: &mut PgConnection,
    topic: Option<Topic>,
    notifications: &[Uuid],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let Some(topic) = topic.filter(|_| !notifications.is_empty()) else { return Ok(()) };
    sqlx::query!(
        "with subscribed as (
            select s.id, n.id as notification_id
            from messaging.notifications n
            join messaging.push_subscriptions s on s.member_id = n.member_id
            where n.id = any((select $1::uuid[])::uuid[])
                and $2 = any(s.topics)
                and not exists (select from messaging.closed_members g where g.member_id = s.member_id)
            order by s.id
            for key share of s skip locked
        )
        insert into messaging.push_deliveries as d (subscription_id, subject_id, subject_kind, due_at, expires_at)
        select id, notification_id, 'notification', $3, $4
        from subscribed
        on conflict (subscription_id, subject_id) do update
        set
            revision = d.revision + 1,
            expires_at = excluded.expires_at",
        notifications,
        topic.as_str(),
        now + DELAY,
        now + LIFETIME,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Queues a security notice for every browser of its member, whatever its topics, except the browser of `session`,
/// which made the change.
pub async fn security_notice(
    db: &mut PgConnection,
    notice: Uuid,
    member: Uuid,
    session: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "with subscribed as (
            select s.id, n.id as notification_id
            from messaging.push_subscriptions s
            join messaging.notifications n
                on n.member_id = s.member_id
                and n.kind = 'security'
                and n.subject_id = $1
            where s.member_id = $2
                and s.session_id is distinct from $3
                and not exists (select from messaging.closed_members g where g.member_id = s.member_id)
            order by s.id
            for key share of s skip locked
        )
        insert into messaging.push_deliveries (subscription_id, subject_id, subject_kind, due_at, expires_at)
        select id, notification_id, 'notification', $4, $5
        from subscribed
        on conflict (subscription_id, subject_id) do nothing",
        notice,
        member,
        session,
        now + DELAY,
        now + LIFETIME,
    )
    .execute(db)
    .await?;
    Ok(())
}

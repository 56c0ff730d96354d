//! The subscriptions of a member's browsers.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use primitives::input::Line;
use sqlx::PgConnection;
use url::Url;
use uuid::Uuid;

use super::Topic;
use crate::error::Error;

/// The maximum number of subscriptions of a member.
const MAX_SUBSCRIPTIONS: i64 = 10;
/// The time after which no token of an ended session is valid, by a wide margin.
const ENDED_SESSION_RETENTION: TimeDelta = TimeDelta::hours(1);

/// A language of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Filipino,
}

impl Language {
    /// Returns the value in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Filipino => "fil",
        }
    }
}

/// The subscription of a browser, as it sends it.
pub struct NewSubscription {
    pub endpoint: Url,
    pub p256dh: Vec<u8>,
    pub auth: Vec<u8>,
    pub language: Language,
    pub topics: Vec<Topic>,
    pub browser: Line<80>,
}

/// A subscription without its secrets.
pub struct Subscription {
    pub id: Uuid,
    pub browser: String,
    pub language: String,
    pub topics: Vec<String>,
    pub created_at: DateTime<Utc>,
    pub last_success_at: Option<DateTime<Utc>>,
    pub is_current_session: bool,
}

/// Returns the subscriptions of a member, the oldest first.
pub async fn list(db: &mut PgConnection, member: Uuid, session: Uuid) -> Result<Vec<Subscription>, Error> {
    let subscriptions = sqlx::query_as!(
        Subscription,
        r#"select
            id, browser, language, topics, created_at, last_success_at, session_id = $2 as "is_current_session!"
        from messaging.push_subscriptions
        where member_id = $1
        order by created_at, id"#,
        member,
        session,
    );
    Ok(subscriptions.fetch_all(db).await?)
}

/// Inserts a subscription, or replaces the one of the same endpoint. Replaces a subscription of
/// another member only if the keys are the same: two members of one browser share them, and others do not know them.
pub async fn set(
    work: &mut UnitOfWork<'_>,
    (member, session): (Uuid, Uuid),
    new: &NewSubscription,
) -> Result<Subscription, Error> {
    // Locks before the state is read: a session that ends meanwhile waits, and then deletes this subscription.
    lock_session(work.db, session).await?;
    // Two browsers that subscribe at once wait for each other, so that the maximum holds.
    let lock = format!("messaging.push {member}");
    sqlx::query!("select from pg_advisory_xact_lock(hashtextextended($1, 0))", lock).execute(&mut *work.db).await?;
    let state = sqlx::query!(
        r#"select
            exists (select from messaging.closed_members g where g.member_id = $1) as "is_closed!",
            exists (select from messaging.ended_sessions e where e.session_id = $3) as "is_ended!",
            (
                select count(*)
                from messaging.push_subscriptions s
                where s.member_id = $1
                    and s.endpoint <> $2
            ) as "others!""#,
        member,
        new.endpoint.as_str(),
        session,
    );
    let state = state.fetch_one(&mut *work.db).await?;
    if state.is_ended {
        return Err(Error::SessionEnded);
    }
    if state.is_closed || state.others >= MAX_SUBSCRIPTIONS {
        return Err(Error::PushSubscriptionsFull);
    }
    let topics: Vec<String> = new.topics.iter().map(|topic| topic.as_str().to_owned()).collect();
    let stored = sqlx::query_as!(
        Subscription,
        r#"insert into messaging.push_subscriptions as s
            (id, member_id, session_id, endpoint, p256dh, auth, language, topics, browser, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        on conflict (endpoint) do update
        set
            member_id = excluded.member_id,
            session_id = excluded.session_id,
            p256dh = excluded.p256dh,
            auth = excluded.auth,
            language = excluded.language,
            topics = excluded.topics,
            browser = excluded.browser,
            created_at = case when s.member_id = excluded.member_id then s.created_at else excluded.created_at end,
            last_success_at = case when s.member_id = excluded.member_id then s.last_success_at end
        where s.member_id = excluded.member_id
            or (s.p256dh = excluded.p256dh and s.auth = excluded.auth)
        returning s.id, s.browser, s.language, s.topics, s.created_at, s.last_success_at, true as "is_current_session!""#,
        work.ids.owned_by(member),
        member,
        session,
        new.endpoint.as_str(),
        new.p256dh,
        new.auth,
        new.language.as_str(),
        &topics,
        &*new.browser,
        work.now,
    );
    stored.fetch_optional(&mut *work.db).await?.ok_or(Error::PushEndpointTaken)
}

/// Deletes a subscription of a member and its waiting pushes.
pub async fn delete(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<(), Error> {
    let deleted = sqlx::query!(
        "delete from messaging.push_subscriptions
        where id = $1
            and member_id = $2",
        id,
        member,
    );
    match deleted.execute(db).await?.rows_affected() {
        0 => Err(Error::PushSubscriptionNotFound),
        _ => Ok(()),
    }
}

/// Deletes the subscriptions of a session that ended, and refuses later ones. Idempotent.
pub async fn end_session(work: &mut UnitOfWork<'_>, session: Uuid) -> Result<(), Error> {
    lock_session(work.db, session).await?;
    sqlx::query!(
        "with expired as (
            delete from messaging.ended_sessions
            where ended_at < $3
        ),
        deleted as (
            delete from messaging.push_subscriptions
            where session_id = $1
        )
        insert into messaging.ended_sessions (session_id, ended_at)
        values ($1, $2)
        on conflict (session_id) do nothing",
        session,
        work.now,
        work.now - ENDED_SESSION_RETENTION,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Locks a session until the transaction ends: a subscription and the end of its session wait for each other, although
/// neither row may exist yet.
async fn lock_session(db: &mut PgConnection, session: Uuid) -> Result<(), Error> {
    let lock = format!("messaging.session {session}");
    sqlx::query!("select from pg_advisory_xact_lock(hashtextextended($1, 0))", lock).execute(db).await?;
    Ok(())
}

/// Deletes the subscriptions of a closed or erased account. Idempotent.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.push_subscriptions where member_id = $1", member).execute(db).await?;
    Ok(())
}

/// Deletes a subscription that its push service no longer knows.
pub async fn drop_expired(db: &mut PgConnection, id: Uuid, endpoint: &str) -> Result<(), Error> {
    sqlx::query!(
        "delete from messaging.push_subscriptions
        where id = $1
            and endpoint = $2",
        id,
        endpoint,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Notes that the push service accepted a push.
pub async fn note_success(db: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!("update messaging.push_subscriptions set last_success_at = $2 where id = $1", id, now)
        .execute(db)
        .await?;
    Ok(())
}

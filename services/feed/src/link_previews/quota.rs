//! Limits the new links of a member in an hour: each makes this service read a page from a server that the member
//! chooses.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// The most new links of a member in a period, in posts and in the composer together.
const MAX_NEW_LINKS: i32 = 30;
const PERIOD: TimeDelta = TimeDelta::hours(1);

/// Returns whether the link needs no request: the audience has its preview, or the author saw it in the composer.
pub async fn is_free(db: &mut PgConnection, audience: Uuid, author_id: Uuid, url: &str) -> Result<bool, sqlx::Error> {
    let is_free = sqlx::query_scalar!(
        r#"
        select exists (
            select
            from feed.link_previews
            where url = $3
                and (audience = $1 or (audience = $2 and fetched_at is not null and due_at is null))
        ) as "is_free!"
        "#,
        audience,
        author_id,
        url
    );
    is_free.fetch_one(db).await
}

/// Counts a new link of the member. Returns false, and does not count it, when the period has too many.
pub async fn take(work: &mut UnitOfWork<'_>, member_id: Uuid) -> Result<bool, sqlx::Error> {
    let taken = sqlx::query!(
        "insert into feed.link_quotas as q (member_id, since, used)
        values ($1, $2, 1)
        on conflict (member_id) do update
        set
            since = case when q.since <= $3 then $2 else q.since end,
            used = case when q.since <= $3 then 1 else q.used + 1 end
        where q.since <= $3
            or q.used < $4",
        member_id,
        work.now,
        work.now - PERIOD,
        MAX_NEW_LINKS
    );
    Ok(taken.execute(&mut *work.db).await?.rows_affected() > 0)
}

/// Deletes the counts of earlier periods.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.link_quotas where since <= $1", now - PERIOD).execute(db).await?;
    Ok(())
}

//! Leases of due rows and their outcomes. The number of attempts identifies a lease: an outcome of an expired one changes nothing.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::LinkPreview;
use crate::{mentions::MentionChange, publishing};

/// The duration of a lease: longer than two requests may take.
const LEASE: TimeDelta = TimeDelta::seconds(90);
/// The delays before the second and further attempts. After the last one there is no preview.
const DELAYS: [TimeDelta; 4] =
    [TimeDelta::minutes(1), TimeDelta::minutes(5), TimeDelta::minutes(30), TimeDelta::hours(2)];
/// The maximum number of posts for which a new preview is published.
const MAX_POSTS: i64 = 100;

/// A row that this worker fetches.
pub struct Lease {
    pub id: Uuid,
    pub url: String,
    attempts: i16,
}

impl Lease {
    /// Returns when to try again after a failure, or `None` after the last attempt.
    pub fn next_attempt(&self, now: DateTime<Utc>, at_least: TimeDelta) -> Option<DateTime<Utc>> {
        let failed = usize::try_from(self.attempts).ok()?.checked_sub(1)?;
        DELAYS.get(failed).map(|delay| now + (*delay).max(at_least))
    }
}

/// Leases the row that has been due longest. A released row waits for the cleanup or its next post; otherwise a member
/// who edits a post repeatedly would occupy the workers.
pub async fn claim(db: &PgPool, now: DateTime<Utc>) -> Result<Option<Lease>, sqlx::Error> {
    let claimed = sqlx::query_as!(
        Lease,
        "update feed.link_previews l
        set attempts = l.attempts + 1, due_at = $2
        from (
            select id
            from feed.link_previews
            where due_at <= $1
                and check_at is distinct from 'epoch'
            order by due_at
            limit 1
            for update skip locked
        ) as due
        where l.id = due.id
        returning l.id, l.url, l.attempts",
        now,
        now + LEASE
    );
    claimed.fetch_optional(db).await
}

/// Stores when a row is due again.
pub async fn postpone(db: &PgPool, lease: &Lease, due_at: DateTime<Utc>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update feed.link_previews set due_at = $3 where id = $1 and attempts = $2 and due_at is not null",
        lease.id,
        lease.attempts,
        due_at
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores the name of a picture before its object, so that the cleanup finds every object. False when the lease was lost.
pub async fn add_picture(db: &PgPool, lease: &Lease, hash: &str) -> Result<bool, sqlx::Error> {
    let added = sqlx::query!(
        "update feed.link_previews
        set pictures = case when $3 = any(pictures) then pictures else pictures || $3 end
        where id = $1
            and attempts = $2
            and due_at is not null",
        lease.id,
        lease.attempts,
        hash
    );
    Ok(added.execute(db).await?.rows_affected() > 0)
}

/// Stores the outcome and publishes a first preview as a change of the posts that use it. A page without metadata keeps
/// its older preview. Returns the hashes of all pictures; `None` when the lease was lost.
pub async fn finish(
    work: &mut UnitOfWork<'_>,
    lease: &Lease,
    preview: Option<LinkPreview>,
) -> Result<Option<Vec<String>>, sqlx::Error> {
    let is_ready = preview.is_some();
    let stored = sqlx::query!(
        r#"
        with before as (
            select id, card is null as is_first
            from feed.link_previews
            where id = $1
                and attempts = $2
                and due_at is not null
            for no key update
        )
        update feed.link_previews l
        set card = coalesce($3, l.card), fetched_at = $4, due_at = null
        from before
        where l.id = before.id
        returning l.pictures, before.is_first as "is_first!"
        "#,
        lease.id,
        lease.attempts,
        preview.map(Json) as _,
        work.now
    );
    let Some(stored) = stored.fetch_optional(&mut *work.db).await? else { return Ok(None) };
    if is_ready && stored.is_first {
        let posts = sqlx::query!(
            "select id, author_id
            from feed.posts
            where link_preview_id = $1
            order by created_at desc
            limit $2",
            lease.id,
            MAX_POSTS
        );
        for post in posts.fetch_all(&mut *work.db).await? {
            publishing::publish_post_edited(work, post.id, post.author_id, &MentionChange::default()).await?;
        }
    }
    Ok(Some(stored.pictures))
}

/// Returns whether a row exists.
pub async fn exists(db: &PgPool, id: Uuid) -> Result<bool, sqlx::Error> {
    let exists =
        sqlx::query_scalar!(r#"select exists (select from feed.link_previews where id = $1) as "exists!""#, id);
    exists.fetch_one(db).await
}

/// Removes the names of deleted objects.
pub async fn remove_pictures(db: &PgPool, id: Uuid, hashes: &[String]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update feed.link_previews
        set pictures = array(select unnest(pictures) except select unnest($2::text[]))
        where id = $1",
        id,
        hashes
    )
    .execute(db)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_follows_with_growing_delays_and_then_none() {
        let now = DateTime::UNIX_EPOCH;
        let lease = |attempts| Lease { id: Uuid::nil(), url: String::new(), attempts };
        let delays: Vec<_> = (1..=5)
            .map(|attempts| lease(attempts).next_attempt(now, TimeDelta::zero()).map(|at| (at - now).num_minutes()))
            .collect();
        assert_eq!(delays, [Some(1), Some(5), Some(30), Some(120), None]);
        assert_eq!(lease(1).next_attempt(now, TimeDelta::hours(1)), Some(now + TimeDelta::hours(1)));
    }
}

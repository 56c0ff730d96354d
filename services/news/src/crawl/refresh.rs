//! Somebody wants news now: at most once a minute, whoever asks and wherever.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

/// How long one refresh is enough for everybody.
pub const COOLDOWN: TimeDelta = TimeDelta::seconds(60);

/// What a refresh set going.
#[derive(Debug)]
pub struct Asked {
    /// The sources that were made due.
    sources: Vec<String>,
    /// Articles ever found there until then.
    ever: i64,
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Whether a source is still due or being crawled.
    pub is_busy: bool,
    /// Articles found since it began that nobody knew.
    pub new: i32,
}

/// Makes every real source due, unless somebody did within the last minute. One that asked to be left alone is.
///
/// # Errors
/// As any statement.
pub async fn ask(db: &mut PgConnection, now: DateTime<Utc>) -> Result<Option<Asked>, sqlx::Error> {
    let begun = sqlx::query!(
        "update news.refreshes
        set began_at = $1
        where id = 1
            and began_at <= $2",
        now,
        now - COOLDOWN,
    );
    if begun.execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let made_due = sqlx::query!(
        "with asked as (
            select id
            from news.sources
            where is_on
                and connector <> 'demo'
                and (rests_until is null or rests_until <= $1)
            -- As whoever configures takes them.
            order by id
            for no key update
        )
        update news.sources s
        set due_at = least(s.due_at, $1)
        from asked
        where s.id = asked.id
        returning s.id, s.new_ever",
        now,
    )
    .fetch_all(db)
    .await?;
    let ever = made_due.iter().map(|source| source.new_ever).sum();
    Ok(Some(Asked { sources: made_due.into_iter().map(|source| source.id).collect(), ever }))
}

/// Looks how far the crawls of a refresh have come.
///
/// # Errors
/// As any statement.
pub async fn look(db: &mut PgConnection, asked: &Asked, now: DateTime<Utc>) -> Result<Progress, sqlx::Error> {
    let row = sqlx::query!(
        r#"select
            coalesce(bool_or(due_at <= $2 or leased_until > $2), false) as "is_busy!",
            coalesce(sum(new_ever), 0)::bigint as "ever!"
        from news.sources
        where id = any ($1)
            and is_on"#,
        &asked.sources,
        now,
    )
    .fetch_one(db)
    .await?;
    let new = row.ever.saturating_sub(asked.ever).max(0);
    Ok(Progress { is_busy: row.is_busy, new: i32::try_from(new).unwrap_or(i32::MAX) })
}

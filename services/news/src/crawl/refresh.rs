//! Refreshes on request: at most one a minute for all callers and replicas.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

/// The time between two refreshes.
pub const COOLDOWN: TimeDelta = TimeDelta::seconds(60);

/// A refresh in progress.
#[derive(Debug)]
pub struct Refresh {
    /// The sources that were made due.
    sources: Vec<String>,
    /// The sum of `new_ever` of these sources at the start.
    new_ever: i64,
}

/// The progress of a refresh.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Whether a source is still due or being crawled.
    pub is_busy: bool,
    /// New articles since the start.
    pub new: i32,
}

/// Makes every source except the demo due; `None` within the cooldown of an earlier refresh. A source that sent
/// `Retry-After` keeps its due time.
pub async fn begin(db: &mut PgConnection, now: DateTime<Utc>) -> Result<Option<Refresh>, sqlx::Error> {
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
        "with selected as (
            select id
            from news.sources
            where is_on
                and connector <> 'demo'
                and (rests_until is null or rests_until <= $1)
            -- The order of crawl/configure.rs.
            order by id
            for no key update
        )
        update news.sources s
        set due_at = least(s.due_at, $1)
        from selected
        where s.id = selected.id
        returning s.id, s.new_ever",
        now,
    )
    .fetch_all(db)
    .await?;
    let new_ever = made_due.iter().map(|source| source.new_ever).sum();
    Ok(Some(Refresh { sources: made_due.into_iter().map(|source| source.id).collect(), new_ever }))
}

pub async fn get_progress(
    db: &mut PgConnection,
    refresh: &Refresh,
    now: DateTime<Utc>,
) -> Result<Progress, sqlx::Error> {
    let row = sqlx::query!(
        r#"select
            coalesce(bool_or(due_at <= $2 or leased_until > $2), false) as "is_busy!",
            coalesce(sum(new_ever), 0)::bigint as "new_ever!"
        from news.sources
        where id = any ($1)
            and is_on"#,
        &refresh.sources,
        now,
    )
    .fetch_one(db)
    .await?;
    let new = row.new_ever.saturating_sub(refresh.new_ever).max(0);
    Ok(Progress { is_busy: row.is_busy, new: i32::try_from(new).unwrap_or(i32::MAX) })
}

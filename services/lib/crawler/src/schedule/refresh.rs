//! Refreshes on request: at most one a minute for all callers and replicas.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::{Instant, sleep, sleep_until};

use super::{Schedule, SourceId, sql::query_as};

/// The time between two refreshes.
const COOLDOWN: TimeDelta = TimeDelta::seconds(60);
/// How often crawls of other processes are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A refresh in progress.
struct Refresh<Id> {
    began_at: DateTime<Utc>,
    /// The sources that were made due.
    sources: Vec<Id>,
    /// New items that crawls in progress had stored before.
    earlier: i64,
}

impl<Id: SourceId> Schedule<Id> {
    /// Makes the sources due, unless a refresh began within the cooldown, waits for their crawls at most until `until`, and
    /// returns the number of new items. The crawls continue when the caller leaves.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn refresh(&self, until: Instant) -> Result<i32, db::Error> {
        let Some(refresh) = self.begin_refresh().await? else { return Ok(0) };
        let mut ended = self.0.ended.subscribe();
        self.0.due.notify_one();
        loop {
            let (is_busy, new): (bool, i64) = query_as(&self.0.sql.get_progress)
                .bind(&refresh.sources)
                .bind(refresh.began_at)
                .bind(self.0.clock.now())
                .fetch_one(&self.0.db)
                .await?;
            if !is_busy || Instant::now() >= until {
                return Ok(i32::try_from(new.saturating_sub(refresh.earlier).max(0)).unwrap_or(i32::MAX));
            }
            tokio::select! {
                _ = ended.changed() => {}
                () = sleep(POLL_INTERVAL) => {}
                () = sleep_until(until) => {}
            }
        }
    }

    /// `None` within the cooldown, or without sources.
    async fn begin_refresh(&self) -> Result<Option<Refresh<Id>>, db::Error> {
        // Another request of this process is beginning a refresh.
        let Ok(mut refreshed_at) = self.0.refreshed_at.try_lock() else { return Ok(None) };
        let now = self.0.clock.now();
        if refreshed_at.is_some_and(|at| now - at < COOLDOWN) {
            return Ok(None);
        }
        let made_due: Vec<(Id, i64)> =
            query_as(&self.0.sql.begin_refresh).bind(now).bind(now - COOLDOWN).fetch_all(&self.0.db).await?;
        if made_due.is_empty() {
            return Ok(None);
        }
        *refreshed_at = Some(now);
        let earlier = made_due.iter().map(|(_, new)| new).sum();
        Ok(Some(Refresh { began_at: now, sources: made_due.into_iter().map(|(id, _)| id).collect(), earlier }))
    }
}

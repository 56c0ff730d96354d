//! The sequencer: numbers committed facts in the order in which they became visible, and prunes old ones.

use std::{pin::pin, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures::{FutureExt as _, StreamExt as _, stream};
use metrics::{describe_gauge, gauge};
use sqlx::{
    PgPool,
    postgres::{PgListener, PgNotification},
};
use tokio::{
    sync::watch,
    time::{interval, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::{
    Outbox,
    sql::{self, BATCH, Sql},
    wakeups::{GATHERING, Looks, Wakeups},
};
use chassis::lifecycle::Activity;
use primitives::clock::Clock;

/// The safety net of NOTIFY, for a connection that is lost without an error. In an idle process longer, see [`Activity`].
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The retention of facts. A later consumer starts from a snapshot.
const RETENTION: TimeDelta = TimeDelta::days(14);
/// The interval between two prunings.
const PRUNE_INTERVAL: Duration = Duration::from_mins(10);

/// Numbers the facts of one schema. Any number of replicas can run it: the row of `outbox_sequence` is their lock.
#[derive(Clone, Debug)]
pub struct Sequencer {
    sql: Arc<Sql>,
    wakeups: Arc<Wakeups>,
    pool: PgPool,
    clock: Clock,
    newest: watch::Sender<i64>,
    activity: Activity,
}

impl Sequencer {
    /// The sequencer of an outbox. Clones share the newest number.
    #[must_use]
    pub fn new(outbox: &Outbox, pool: PgPool, clock: Clock) -> Self {
        Self {
            sql: Arc::clone(&outbox.sql),
            wakeups: Arc::clone(&outbox.wakeups),
            pool,
            clock,
            newest: watch::Sender::new(0),
            activity: Activity::default(),
        }
    }

    /// Records published facts as events of the process.
    #[must_use]
    pub fn recording(self, activity: Activity) -> Self {
        Self { activity, ..self }
    }

    /// The newest number, of any replica.
    pub(super) fn newest(&self) -> watch::Sender<i64> {
        self.newest.clone()
    }

    /// Numbers published facts until `stopped`.
    ///
    /// # Errors
    /// When the database is unavailable. A restart loses nothing.
    pub async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen_all([self.sql.published_channel.as_str(), self.sql.numbered_channel.as_str()]).await?;
        // Waiting on the stream is cancel-safe: the poll cannot lose half of a notification.
        let mut notifications = pin!(stream::unfold(listener, async |mut listener| {
            let notification = listener.try_recv().await;
            Some((notification, listener))
        }));
        let _running = self.wakeups.sequencer();
        let mut looks = Looks::new(&self.wakeups);
        let mut published = true;
        loop {
            if published {
                let numbered = self.catch_up().await?;
                looks.looked(numbered);
                if numbered > 0 {
                    self.activity.record();
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = sleep(GATHERING) => {}
                    }
                }
            }
            published = tokio::select! {
                () = stopped.cancelled() => return Ok(()),
                () = self.activity.pause(POLL_INTERVAL) => true,
                notification = notifications.next() => self.accept(notification)?,
                () = looks.due() => true,
                () = self.wakeups.published() => {
                    looks.schedule();
                    false
                }
            };
            while let Some(notification) = notifications.next().now_or_never() {
                published |= self.accept(notification)?;
            }
        }
    }

    /// Takes the number of another replica. Returns whether there may be published facts.
    fn accept(&self, notification: Option<Result<Option<PgNotification>, sqlx::Error>>) -> anyhow::Result<bool> {
        let notification = notification.ok_or_else(|| anyhow::anyhow!("the notifications ended"))??;
        // The connection was lost and is open again. What was published between them is not announced.
        let Some(notification) = notification else { return Ok(true) };
        if notification.channel() != self.sql.numbered_channel {
            return Ok(true);
        }
        if let Ok(n) = notification.payload().parse() {
            advance(&self.newest, n);
        }
        Ok(false)
    }

    /// Numbers all committed facts. Returns how many there were.
    async fn catch_up(&self) -> Result<u64, sqlx::Error> {
        // Most wake-ups find that another replica or an earlier wake-up did the work: they take no lock.
        let (n, pending) = sql::query_as::<(i64, bool)>(&self.sql.pending).fetch_one(&self.pool).await?;
        advance(&self.newest, n);
        let mut numbered = 0;
        if pending {
            loop {
                let batch = self.number().await?;
                numbered += batch;
                if batch < BATCH {
                    break;
                }
            }
        }
        Ok(numbered.unsigned_abs())
    }

    /// Numbers one batch in one transaction. Returns its length.
    async fn number(&self) -> Result<i64, sqlx::Error> {
        let mut tx = db::begin_plain(&self.pool).await?;
        let (before,) = sql::query_as::<(i64,)>(&self.sql.lock_sequence).fetch_one(&mut *tx).await?;
        let moved = sql::query_as::<(i64, bool)>(&self.sql.number).bind(before).fetch_optional(&mut *tx).await?;
        tx.commit().await?;
        let Some((n, _)) = moved else { return Ok(0) };
        advance(&self.newest, n);
        Ok(n - before)
    }

    /// Deletes facts older than 14 days, until `stopped`. Replicas can do so concurrently.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn prune(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut every = interval(PRUNE_INTERVAL);
        loop {
            tokio::select! {
                () = stopped.cancelled() => return Ok(()),
                _ = every.tick() => {
                    self.prune_now().await?;
                    self.report_size().await?;
                }
            };
        }
    }

    /// Reports the number of stored facts and the age of the oldest one.
    async fn report_size(&self) -> Result<(), sqlx::Error> {
        describe_gauge!("outbox_stored_facts", "Facts in the outbox of this service");
        describe_gauge!("outbox_oldest_fact_seconds", "Age of the oldest fact in the outbox of this service");
        type Row = (i64, Option<DateTime<Utc>>);
        let (stored, oldest) = sql::query_as::<Row>(&self.sql.stored).fetch_one(&self.pool).await?;
        let age = oldest.and_then(|at| (self.clock.now() - at).to_std().ok()).unwrap_or_default();
        // Exact up to 2^53 facts.
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        let stored = stored as f64;
        gauge!("outbox_stored_facts", "source" => self.sql.schema).set(stored);
        gauge!("outbox_oldest_fact_seconds", "source" => self.sql.schema).set(age.as_secs_f64());
        Ok(())
    }

    /// Deletes facts older than 14 days. Returns their number.
    pub async fn prune_now(&self) -> Result<u64, sqlx::Error> {
        let mut pruned = 0;
        loop {
            // Batches hold no lock for long and stay below the statement timeout.
            let cut = self.clock.now() - RETENTION;
            let deleted = sql::query(&self.sql.prune).bind(cut).execute(&self.pool).await?.rows_affected();
            if deleted == 0 {
                return Ok(pruned);
            }
            pruned += deleted;
        }
    }
}

/// Moves the newest number forward. Notifications of other replicas can arrive late.
pub(super) fn advance(newest: &watch::Sender<i64>, n: i64) {
    newest.send_if_modified(|known| {
        let moved = n > *known;
        *known = n.max(*known);
        moved
    });
}

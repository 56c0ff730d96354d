//! The sequencer: numbers committed facts in the order in which they became visible, and prunes old ones.

use std::{pin::pin, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures::{FutureExt as _, StreamExt as _, stream};
use metrics::{describe_gauge, gauge};
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgListener, PgNotification, PgPoolOptions},
};
use tokio::{
    sync::watch,
    time::{interval, sleep},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    Outbox,
    position::{Position, advance, observe},
    sql::{self, BATCH, Sql},
    wakeups::{Looks, Wakeups},
};
use chassis::lifecycle::Activity;
use primitives::clock::Clock;

/// The safety net of NOTIFY, for a connection that is lost without an error. An idle process waits longer, see
/// [`Activity`].
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
    newest: watch::Sender<Position>,
    activity: Activity,
    /// The address of Postgres itself when the pool uses a connection pooler, which passes no notification on.
    direct: Option<PgConnectOptions>,
}

impl Sequencer {
    /// Creates the sequencer of an outbox. Clones share the newest number.
    #[must_use]
    pub fn new(outbox: &Outbox, pool: PgPool, clock: Clock) -> Self {
        Self {
            sql: Arc::clone(&outbox.sql),
            wakeups: Arc::clone(&outbox.wakeups),
            pool,
            clock,
            newest: watch::Sender::default(),
            activity: Activity::default(),
            direct: None,
        }
    }

    /// Records published facts as events of the process.
    #[must_use]
    pub fn recording(self, activity: Activity) -> Self {
        Self { activity, ..self }
    }

    /// Listens at Postgres itself instead of the pool.
    #[must_use]
    pub fn listening_at(self, direct: Option<PgConnectOptions>) -> Self {
        Self { direct, ..self }
    }

    /// The newest position, of any replica.
    pub(super) fn newest(&self) -> watch::Sender<Position> {
        self.newest.clone()
    }

    /// Numbers published facts until `stopped`.
    ///
    /// # Errors
    /// When the database is unavailable. A restart loses nothing.
    pub async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut listener = match &self.direct {
            None => PgListener::connect_with(&self.pool).await?,
            Some(direct) => {
                let options = direct.clone().application_name(self.sql.schema);
                let one = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
                PgListener::connect_with(&one.connect_lazy_with(options)).await?
            }
        };
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
                        () = sleep(self.wakeups.gathering()) => {}
                    }
                }
            }
            published = tokio::select! {
                () = stopped.cancelled() => return Ok(()),
                () = self.activity.pause(POLL_INTERVAL) => true,
                notification = notifications.next() => self.accept(notification)?,
                () = looks.due() => true,
                () = self.wakeups.published() => {
                    // The poll of an active process is the safety net of a fact that commits after the last look.
                    self.activity.record();
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
        type Row = (Option<Uuid>, i64, bool, bool);
        let known = *self.newest.borrow();
        let mut tx = db::begin_indexed(&self.pool).await?;
        let (history, seq, pending, here) = sql::query_as::<Row>(&self.sql.pending).fetch_one(&mut *tx).await?;
        // A position behind a known one was read on a restored database, also if everything else is the same.
        let is_present = here && (history != known.history || seq >= known.seq);
        if is_present {
            observe(&self.newest, Position { history, seq });
            if !pending {
                tx.rollback().await?;
                return Ok(0);
            }
        }
        let mut numbered = 0;
        loop {
            let batch = self.number(tx).await?;
            numbered += batch;
            if batch < BATCH {
                return Ok(numbered.unsigned_abs());
            }
            tx = db::begin_indexed(&self.pool).await?;
        }
    }

    /// Numbers one batch, and commits. Returns its length.
    async fn number(&self, mut tx: db::Transaction) -> Result<i64, sqlx::Error> {
        let known = *self.newest.borrow();
        type Row = (Option<Uuid>, i64, bool);
        let (history, seq, here) = sql::query_as::<Row>(&self.sql.lock_sequence).fetch_one(&mut *tx).await?;
        let mut before = Position { history, seq };
        // The known position was committed, so the locked row can be behind it only on a restored database.
        if !here || (before.history == known.history && before.seq < known.seq) {
            before = sql::query_as::<Position>(&self.sql.begin_history).fetch_one(&mut *tx).await?;
            tracing::info!(source = self.sql.schema, history = ?before.history, seq = before.seq, "a history of facts begins");
        }
        let moved = sql::query_as::<(i64, bool)>(&self.sql.number).bind(before.seq).fetch_optional(&mut *tx).await?;
        tx.commit().await?;
        let seq = moved.map_or(before.seq, |(n, _)| n);
        observe(&self.newest, Position { seq, ..before });
        Ok(seq - before.seq)
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

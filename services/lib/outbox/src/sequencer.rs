//! The sequencer: numbers committed facts in the order in which they became visible, and prunes the old ones.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use futures::StreamExt as _;
use sqlx::{PgPool, postgres::PgListener};
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

use crate::{
    Outbox,
    sql::{self, BATCH, Sql},
};
use primitives::clock::Clock;

/// The net below NOTIFY: a lost connection costs at most this much.
const POLL: Duration = Duration::from_secs(1);
/// How long facts are kept; whoever comes later starts from a snapshot.
const KEPT: TimeDelta = TimeDelta::days(14);
/// How often the old ones are looked for.
const PRUNE_EVERY: Duration = Duration::from_mins(10);

/// Numbers one schema's facts. Any number of replicas may run it: the row of `outbox_sequence` lets one at a time.
#[derive(Clone, Debug)]
pub struct Sequencer {
    sql: Arc<Sql>,
    pool: PgPool,
    clock: Clock,
    newest: watch::Sender<i64>,
}

impl Sequencer {
    /// The sequencer of an outbox. Clones share what they know.
    #[must_use]
    pub fn new(outbox: &Outbox, pool: PgPool, clock: Clock) -> Self {
        Self { sql: Arc::clone(&outbox.sql), pool, clock, newest: watch::Sender::new(0) }
    }

    /// Tells the newest seq, whoever numbered it.
    pub(super) fn newest(&self) -> watch::Sender<i64> {
        self.newest.clone()
    }

    /// Numbers whenever something was published, until `stopped`.
    ///
    /// # Errors
    /// When the database is away; nothing is lost by starting again.
    pub async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen_all([self.sql.published_channel.as_str(), self.sql.numbered_channel.as_str()]).await?;
        // As a stream, waiting for a notification may be given up for the poll without losing half of one.
        let mut notifications = listener.into_stream();
        let mut poll = interval(POLL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stopped.cancelled() => return Ok(()),
                _ = poll.tick() => self.catch_up().await?,
                notification = notifications.next() => match notification {
                    Some(Ok(heard)) if heard.channel() == self.sql.numbered_channel => {
                        if let Ok(n) = heard.payload().parse() {
                            advance(&self.newest, n);
                        }
                    }
                    Some(Ok(_)) => self.catch_up().await?,
                    Some(Err(error)) => return Err(error.into()),
                    None => anyhow::bail!("the notifications ended"),
                },
            }
        }
    }

    /// Numbers whatever is committed by now.
    async fn catch_up(&self) -> Result<(), sqlx::Error> {
        // Most wake-ups find that a replica, or the wake-up before, has done the work: they take no lock.
        let (n, mut pending) = sql::query_as::<(i64, bool)>(&self.sql.pending).fetch_one(&self.pool).await?;
        advance(&self.newest, n);
        while pending {
            pending = self.number().await?;
        }
        Ok(())
    }

    /// Numbers one batch, in one transaction. Tells whether there may be more.
    async fn number(&self) -> Result<bool, sqlx::Error> {
        let mut tx = db::begin_plain(&self.pool).await?;
        let (before,) = sql::query_as::<(i64,)>(&self.sql.lock_sequence).fetch_one(&mut *tx).await?;
        let moved = sql::query_as::<(i64, bool)>(&self.sql.number).bind(before).fetch_optional(&mut *tx).await?;
        tx.commit().await?;
        let Some((n, _)) = moved else { return Ok(false) };
        advance(&self.newest, n);
        Ok(n - before == BATCH)
    }

    /// Deletes facts told more than 14 days ago, until `stopped`. Replicas may do so at once.
    ///
    /// # Errors
    /// When the database is away.
    pub async fn prune(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut every = interval(PRUNE_EVERY);
        loop {
            tokio::select! {
                () = stopped.cancelled() => return Ok(()),
                _ = every.tick() => self.prune_now().await?,
            };
        }
    }

    /// Deletes facts told more than 14 days ago, and tells how many.
    ///
    /// # Errors
    /// As any statement.
    pub async fn prune_now(&self) -> Result<u64, sqlx::Error> {
        let mut pruned = 0;
        loop {
            // Small statements: nobody waits for one, and none runs into the statement time-out.
            let cut = self.clock.now() - KEPT;
            let deleted = sql::query(&self.sql.prune).bind(cut).execute(&self.pool).await?.rows_affected();
            if deleted == 0 {
                return Ok(pruned);
            }
            pruned += deleted;
        }
    }
}

/// Moves the newest known seq forward: what comes from other replicas may come late.
pub(super) fn advance(newest: &watch::Sender<i64>, n: i64) {
    newest.send_if_modified(|known| {
        let moved = n > *known;
        *known = n.max(*known);
        moved
    });
}

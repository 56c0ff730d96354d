//! A standby of the primary: a copy by streaming replication that answers reads, once it contains the data that the
//! read must see.
//!
//! A read names a position in the write-ahead log. When the standby does not reach it in time, or has no free
//! connection, the read goes to the primary, and so do all reads for a while: a standby that is late or unavailable
//! must not make every read wait.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use metrics::{Counter, counter, describe_counter};
use primitives::log_position::LogPosition;
use sqlx::{PgConnection, PgPool};
use tokio::{
    sync::Semaphore,
    time::{MissedTickBehavior, interval, sleep, timeout},
};

use crate::{Connection, Connections as _, Pool, Settings};

/// The most that a read waits for a connection to the standby and for its position. Replication takes some milliseconds.
const MAX_WAIT: Duration = Duration::from_millis(100);
/// The time between two looks at a standby that is behind a read.
const PAUSE: Duration = Duration::from_millis(5);
/// The reads that wait for its position at the same time. Others go to the primary.
const MAX_WAITING: usize = 4;
/// The time between two checks, and the longest time of one. A standby is used only when it has reached the position
/// that the primary had at the check before.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// The position, in bytes. A transaction that does not wait for the disk is behind the end of what was flushed.
const WRITTEN: &str = "
    select system_identifier, timeline_id, (
        case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end
        - '0/0'
    )::bigint
    from pg_control_system(), pg_control_checkpoint()";
const REPLAYED: &str = "
    select system_identifier, timeline_id, case
        when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::bigint
        else 0
    end
    from pg_control_system(), pg_control_checkpoint()";

/// The state of a server at one time.
struct Server {
    /// The cluster and its timeline, in which positions can be compared.
    log: (i64, i32),
    position: LogPosition,
}

/// The standby of a schema's primary.
pub struct Standby {
    pool: Pool,
    primary: Pool,
    state: Arc<State>,
    waiting: Semaphore,
    reads: Reads,
}

/// The known state of the standby.
#[derive(Default)]
struct State {
    /// The position of the standby, as last seen; zero after each new connection, which may be to another server or an earlier state.
    replayed: AtomicU64,
    /// The position of the primary at the last check.
    written: AtomicU64,
    /// Whether the standby is used.
    follows: AtomicBool,
}

/// Connections for reads, by server.
struct Reads {
    standby: Counter,
    primary: Counter,
}

impl Standby {
    /// Opens the standby at the address of `settings`. It is used once [`Self::follow`] runs. Returns its pool as well,
    /// to be closed.
    #[must_use]
    pub fn open(settings: &Settings, primary: Pool) -> (Self, PgPool) {
        describe_counter!("db_standby_reads_total", "Connections for what only reads, by the server that they lead to");
        let schema = settings.schema;
        let reads = |server| counter!("db_standby_reads_total", "schema" => schema, "server" => server);
        let reads = Reads { standby: reads("standby"), primary: reads("primary") };
        reads.standby.increment(0);
        reads.primary.increment(0);
        let state = Arc::<State>::default();
        let connected = Arc::clone(&state);
        let pool = crate::pool_of_standby(settings, move || connected.replayed.store(0, Ordering::Release));
        let waiting = Semaphore::new(MAX_WAITING);
        (Self { pool: Pool::of(&pool), primary, state, waiting, reads }, pool)
    }

    /// Lends a connection to the standby, which contains the log up to `position`.
    pub(crate) async fn lend_after(&self, position: LogPosition) -> Option<Connection> {
        let is_used = position != LogPosition::PRIMARY && self.state.follows.load(Ordering::Acquire);
        let connection = if is_used { self.lend_in_time(position).await } else { None };
        let reads = if connection.is_some() { &self.reads.standby } else { &self.reads.primary };
        reads.increment(1);
        connection
    }

    async fn lend_in_time(&self, position: LogPosition) -> Option<Connection> {
        match timeout(MAX_WAIT, self.lend(position)).await {
            Ok(lent) => lent.ok().flatten(),
            Err(_) => {
                // A position that the primary never had does not count: a client may have invented it.
                if position.0 <= self.state.written.load(Ordering::Acquire) {
                    self.state.follows.store(false, Ordering::Release);
                }
                None
            }
        }
    }

    async fn lend(&self, position: LogPosition) -> Result<Option<Connection>, sqlx::Error> {
        let mut connection = self.pool.lend().await?;
        if self.has_reached(&mut connection, position).await? {
            return Ok(Some(connection));
        }
        let Ok(_waiting) = self.waiting.try_acquire() else { return Ok(None) };
        loop {
            sleep(PAUSE).await;
            if self.has_reached(&mut connection, position).await? {
                return Ok(Some(connection));
            }
        }
    }

    async fn has_reached(&self, standby: &mut PgConnection, position: LogPosition) -> Result<bool, sqlx::Error> {
        if self.state.replayed.load(Ordering::Acquire) >= position.0 {
            return Ok(true);
        }
        let replayed = server(standby, REPLAYED).await?.position;
        self.state.replayed.fetch_max(replayed.0, Ordering::AcqRel);
        Ok(replayed >= position)
    }

    /// Returns the position of the primary: the log before it contains every committed write.
    ///
    /// # Errors
    /// When the primary is unavailable.
    pub async fn written(&self) -> Result<LogPosition, sqlx::Error> {
        Ok(self.primary_now().await?.position)
    }

    async fn primary_now(&self) -> Result<Server, sqlx::Error> {
        server(&mut *self.primary.lend().await?, WRITTEN).await
    }

    /// Checks again and again whether the standby follows its primary.
    pub async fn follow(self: Arc<Self>) {
        let mut ticks = interval(CHECK_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut before: Option<Server> = None;
        let mut was_following = false;
        loop {
            ticks.tick().await;
            // Without the primary, its position is unknown.
            let follows = match &before {
                Some(primary) => matches!(timeout(CHECK_INTERVAL, self.is_behind(primary)).await, Ok(Ok(false))),
                None => false,
            };
            self.state.follows.store(follows, Ordering::Release);
            if follows != was_following {
                tracing::info!(follows, "whether the standby follows its primary has changed");
            }
            was_following = follows;
            before = timeout(CHECK_INTERVAL, self.primary_now()).await.ok().and_then(Result::ok);
            if let Some(primary) = &before {
                self.state.written.store(primary.position.0, Ordering::Release);
            }
        }
    }

    /// Whether the standby is of another log than the primary, or has not reached its position.
    async fn is_behind(&self, primary: &Server) -> Result<bool, sqlx::Error> {
        let standby = server(&mut *self.pool.lend().await?, REPLAYED).await?;
        Ok(standby.log != primary.log || standby.position < primary.position)
    }
}

#[expect(clippy::disallowed_methods, reason = "functions of Postgres, and no table of a schema")]
async fn server(db: &mut PgConnection, statement: &'static str) -> Result<Server, sqlx::Error> {
    let (system, timeline, bytes): (i64, i32, i64) = sqlx::query_as(statement).fetch_one(db).await?;
    Ok(Server { log: (system, timeline), position: LogPosition(bytes.unsigned_abs()) })
}

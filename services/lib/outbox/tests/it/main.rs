//! Facts between two services of the test: a source with counters, and a consumer that records what it receives.
#![cfg(test)]

mod batches;
mod consumers;
mod live_only;
mod operations;
mod pruning;
mod race;
mod restores;
mod resumed_snapshots;
mod snapshots;
mod tails;
mod wakeups;

use std::{sync::Arc, time::Duration};

use futures::{FutureExt as _, TryStreamExt as _};
use outbox::{
    Consumer, Handlers, Outbox, Sequencer, Server, SnapshotError, SnapshotSource, Snapshotter,
    proto::outbox_server::OutboxServer,
};
use primitives::clock::Clock;
use rpc::{Slot, Transport};
use sqlx::{AssertSqlSafe, PgConnection, PgPool, postgres::PgPoolOptions};
use testkit::{Actors, Database, outbox_tables};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

/// A fact of the source: `key` was counted `n` times.
#[derive(Clone, PartialEq, prost::Message)]
struct Counted {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(int64, tag = "2")]
    n: i64,
}

impl prost::Name for Counted {
    const NAME: &'static str = "Counted";
    const PACKAGE: &'static str = "portia.test.v1";
}

/// A fact of the source without a handler.
#[derive(Clone, PartialEq, prost::Message)]
struct Ignored {}

impl prost::Name for Ignored {
    const NAME: &'static str = "Ignored";
    const PACKAGE: &'static str = "portia.test.v1";
}

const TABLE: &str =
    "create table feed.counters (key text, n bigint not null, constraint counters_pkey primary key (key));";

/// The schema `feed` with the outbox under test.
struct Source {
    outbox: Outbox,
    sequencer: Sequencer,
    pool: PgPool,
    clock: Clock,
    actors: Arc<Actors>,
    /// Dropped last.
    database: Database,
}

impl Source {
    async fn new() -> Self {
        Self::on(Database::fresh("feed", &outbox_tables("feed", TABLE)).await)
    }

    fn on(database: Database) -> Self {
        let pool = PgPoolOptions::new().max_connections(20).connect_lazy_with(database.options());
        let clock = testkit::clock();
        let outbox = Outbox::new("feed");
        let sequencer = Sequencer::new(&outbox, pool.clone(), clock.clone());
        Self { outbox, sequencer, pool, actors: Arc::new(Actors::new(clock.clone())), clock, database }
    }

    /// Serves the facts in this process, through the layers of a real process.
    fn transport(&self) -> Transport {
        self.transport_with(CounterSnapshot)
    }

    /// Like [`Self::transport`], with another snapshot source.
    fn transport_with(&self, state: impl SnapshotSource) -> Transport {
        let (pool, draining) = (self.pool.clone(), CancellationToken::new());
        let server = Server::new(&self.outbox, pool, &self.sequencer, draining, state);
        let routes = Routes::new(OutboxServer::new(server));
        let slot = Slot::default();
        slot.fill(rpc::wrap("feed", routes, self.actors.keyring()));
        Transport::local("feed", slot)
    }

    /// Runs a sequencer until the test ends.
    fn number(&self) -> Running {
        Running(tokio::spawn(self.sequencer.clone().run(CancellationToken::new()).map(drop)))
    }

    /// Increments a counter and publishes it in one transaction.
    async fn count(&self, key: &str) -> i64 {
        let mut tx = db::begin(&self.pool).await.unwrap();
        let n = self.count_in(&mut tx, key).await;
        tx.commit().await.unwrap();
        n
    }

    /// The same in a transaction that may be rolled back.
    async fn count_in(&self, conn: &mut PgConnection, key: &str) -> i64 {
        let sql = "insert into feed.counters as t (key, n) values ($1, 1) \
                   on conflict (key) do update set n = t.n + 1 returning n";
        let n = sqlx::query_scalar::<_, i64>(sql).bind(key).fetch_one(&mut *conn).await.unwrap();
        let fact = Counted { key: key.to_owned(), n };
        self.outbox.publish(conn, key, &fact, self.clock.now()).await.unwrap();
        n
    }

    /// The newest seq, once every committed fact has one.
    async fn wait_until_numbered(&self) -> i64 {
        let waiting = "select count(*) from feed.outbox where seq is null";
        wait_until("every fact is numbered", async || value::<i64>(&self.pool, waiting).await == 0).await;
        value(&self.pool, "select n from feed.outbox_sequence").await
    }
}

/// The snapshot of the source.
struct CounterSnapshot;

impl SnapshotSource for CounterSnapshot {
    async fn publish(&self, conn: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        let Some(after) = to.start::<Counted>() else { return Ok(()) };
        let sql = "select key || ' ' || n from feed.counters where key > $1 order by key";
        let mut rows = sqlx::query_scalar::<_, String>(sql).bind(after.text(0)).fetch(conn);
        while let Some(row) = rows.try_next().await? {
            let (key, n) = row.rsplit_once(' ').unwrap();
            to.publish(&[&key], key, &Counted { key: key.to_owned(), n: n.parse().unwrap() }).await?;
        }
        Ok(())
    }
}

/// `received` contains every fact in order of arrival, `copies` the state of the source as copied by the subscriber.
const RECEIVED: &str = "
    create table profile.received (
        place bigserial,
        key text not null,
        n bigint not null,
        constraint heard_pkey primary key (place)
    );
    create table profile.copies (key text, n bigint not null, constraint copies_pkey primary key (key));";

/// The schema `profile` with the consumer under test.
struct Subscriber {
    outbox: Outbox,
    pool: PgPool,
    database: Database,
}

impl Subscriber {
    async fn new() -> Self {
        Self::on(Database::fresh("profile", &outbox_tables("profile", RECEIVED)).await)
    }

    fn on(database: Database) -> Self {
        let pool = PgPoolOptions::new().max_connections(20).connect_lazy_with(database.options());
        Self { outbox: Outbox::new("profile"), pool, database }
    }

    /// A consumer that records the received facts.
    fn consumer(&self, source: &Source, transport: &Transport) -> Consumer {
        self.consumer_with(source, transport, Handlers::new().on(&(), record))
    }

    fn consumer_with(&self, source: &Source, transport: &Transport, handlers: Handlers) -> Consumer {
        // A process that may consume the facts of feed, with the schema of another one.
        let (pool, credentials) = (self.pool.clone(), source.actors.credentials("jobs"));
        Consumer::new(&self.outbox, pool, "feed", transport.clone(), credentials, source.clock.clone(), handlers)
    }

    /// Waits until the cursor is at the source's newest fact.
    async fn wait_until_caught_up(&self, source: &Source) {
        let newest = source.wait_until_numbered().await;
        let cursor = "select coalesce(max(seq), -1) from profile.cursors where source = 'feed'";
        wait_until("the subscriber has caught up", async || value::<i64>(&self.pool, cursor).await == newest).await;
    }
}

/// An effect that reveals every loss and every repetition.
async fn record(conn: &mut PgConnection, _: &(), fact: Counted) -> Result<(), sqlx::Error> {
    let sql = "insert into profile.received (key, n) values ($1, $2) returning place";
    sqlx::query_scalar::<_, i64>(sql).bind(fact.key).bind(fact.n).fetch_one(conn).await.map(drop)
}

/// An effect as in a service: the copy is the content of the last fact.
async fn copy(conn: &mut PgConnection, _: &(), fact: Counted) -> Result<(), sqlx::Error> {
    let sql = "insert into profile.copies (key, n) values ($1, $2) \
               on conflict (key) do update set n = excluded.n returning n";
    sqlx::query_scalar::<_, i64>(sql).bind(fact.key).bind(fact.n).fetch_one(conn).await.map(drop)
}

/// The cleanup before a snapshot.
async fn clear(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("delete from profile.copies").execute(conn).await.map(drop)
}

/// A task that ends with the test.
struct Running(tokio::task::JoinHandle<()>);

impl Running {
    fn start(consumer: Consumer) -> Self {
        Self(tokio::spawn(consumer.run(CancellationToken::new()).map(drop)))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn value<T>(pool: &PgPool, sql: &str) -> T
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
{
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap()
}

/// The timeout of a wait, also on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Waits for an effect of another task.
async fn wait_until(what: &str, holds: impl AsyncFn() -> bool) {
    let waited = timeout(TIMEOUT, async {
        while !holds().await {
            sleep(Duration::from_millis(5)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("in vain: {what}"));
}

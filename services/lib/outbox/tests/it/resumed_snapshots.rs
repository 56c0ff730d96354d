//! Snapshots in chunks: a killed one continues after its last chunk, and rows are applied together.

use std::sync::{Arc, Mutex};

use futures::TryStreamExt as _;
use outbox::{Handlers, SnapshotError, SnapshotSource, Snapshotter};
use sqlx::PgConnection;

use super::{Counted, Running, Source, Subscriber, clear, copy, snapshots::same, value, wait_until};

const ROWS: i64 = 4_500;

/// Stops in the middle of the first stream, and notes the key after which each stream starts.
#[derive(Clone, Default)]
struct Interrupted(Arc<Mutex<Vec<String>>>);

#[expect(clippy::disallowed_methods, reason = "the table is created by the test")]
impl SnapshotSource for Interrupted {
    async fn publish(&self, conn: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        let Some(after) = to.start::<Counted>() else { return Ok(()) };
        let first = {
            let mut starts = self.0.lock().unwrap();
            starts.push(after.text(0).to_owned());
            starts.len() == 1
        };
        type Row = (String, i64);
        let sql = "select key, n from feed.counters where key > $1 order by key";
        let mut rows = sqlx::query_as::<_, Row>(sql).bind(after.text(0)).fetch(conn);
        let mut sent = 0;
        while let Some((key, n)) = rows.try_next().await? {
            to.publish(&[&key], &key, &Counted { key: key.clone(), n }).await?;
            sent += 1;
            if first && sent == 2_500 {
                std::future::pending::<()>().await;
            }
        }
        Ok(())
    }
}

async fn fill(source: &Source) {
    let rows = format!(
        "insert into feed.counters (key, n) select 'key ' || lpad(n::text, 5, '0'), 1 from generate_series(1, {ROWS}) n"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(rows)).execute(&source.pool).await.unwrap();
}

/// Like [`copy`], of several facts.
async fn copy_all(conn: &mut PgConnection, _: &(), facts: Vec<Counted>) -> Result<(), sqlx::Error> {
    let sql = "insert into profile.copies (key, n)
        select key, max(n) from unnest($1::text[], $2::bigint[]) as f (key, n) group by key
        on conflict (key) do update set n = excluded.n
        returning n";
    assert!(facts.len() <= 1_000);
    let poison = facts.iter().any(|fact| fact.key == "poison");
    let (keys, ns): (Vec<_>, Vec<_>) = facts.into_iter().map(|fact| (fact.key, fact.n)).unzip();
    sqlx::query_scalar::<_, i64>(sql).bind(keys).bind(ns).fetch_all(&mut *conn).await?;
    if poison {
        // After the write, which must not remain.
        sqlx::raw_sql("select 1 / 0").execute(conn).await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_killed_snapshot_continues_after_its_last_chunk() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    fill(&source).await;
    // The history begins with the first number, and only a snapshot of the same history continues.
    source.count("key 00001").await;
    source.wait_until_numbered().await;
    let (state, handlers) = (Interrupted::default(), Handlers::new().on(&(), copy).before_snapshot(clear));
    let transport = source.transport_with(state.clone());
    let killed = Running::start(subscriber.consumer_with(&source, &transport, handlers.clone()));
    let chunks = "select coalesce(max(chunks), 0) from profile.snapshots where source = 'feed'";
    wait_until("two chunks are stored", async || value::<i64>(&subscriber.pool, chunks).await == 2).await;
    drop(killed);
    let copied = "select count(*) from profile.copies";
    assert_eq!(value::<i64>(&subscriber.pool, copied).await, 0, "a copy is never half new");

    // In the stored part, in the other one, and in none of them.
    for key in ["key 00001", "key 04000", "key 99999"] {
        source.count(key).await;
    }
    source.wait_until_numbered().await;
    let _consumer = Running::start(subscriber.consumer_with(&source, &transport, handlers));
    subscriber.wait_until_caught_up(&source).await;
    same(&source, &subscriber).await;
    assert_eq!(value::<i64>(&subscriber.pool, copied).await, ROWS + 1);
    assert_eq!(*state.0.lock().unwrap(), ["", "key 02000"]);
    let left = "select (select count(*) from profile.snapshots) + (select count(*) from profile.snapshot_rows)";
    assert_eq!(value::<i64>(&subscriber.pool, left).await, 0);
}

#[tokio::test]
async fn a_snapshot_of_a_source_that_is_restored_meanwhile_starts_again() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    fill(&source).await;
    source.database.back_up().await;
    let sequencer = source.number();
    source.count("lost").await;
    source.wait_until_numbered().await;
    let state = Interrupted::default();
    let transport = source.transport_with(state.clone());
    let consumer = || {
        subscriber.consumer_with(&source, &transport, Handlers::new().on_batch(&(), copy_all).before_snapshot(clear))
    };
    let killed = Running::start(consumer());
    let chunks = "select coalesce(max(chunks), 0) from profile.snapshots where source = 'feed'";
    wait_until("two chunks are stored", async || value::<i64>(&subscriber.pool, chunks).await == 2).await;
    drop((killed, sequencer));

    source.database.restore().await;
    let _sequencer = source.number();
    source.count("new").await;
    source.wait_until_numbered().await;
    let _consumer = Running::start(consumer());
    subscriber.wait_until_caught_up(&source).await;
    same(&source, &subscriber).await;
    assert_eq!(state.0.lock().unwrap().last().map(String::as_str), Some(""));
}

#[tokio::test]
async fn a_row_that_fails_among_others_leaves_them_applied() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    for key in ["a", "poison", "z"] {
        source.count(key).await;
    }
    source.wait_until_numbered().await;
    let handlers = Handlers::new().on_batch(&(), copy_all).before_snapshot(clear);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    let known: String = value(&subscriber.pool, "select string_agg(key, ' ' order by key) from profile.copies").await;
    assert_eq!(known, "a z");
    assert_eq!(
        value::<String>(&subscriber.pool, "select string_agg(key, ' ') from profile.dead_facts").await,
        "poison"
    );
}

//! Batches: facts that have arrived together are applied in one transaction, as if each had its own.

use std::sync::Arc;

use outbox::{Handlers, Reversible};
use sqlx::PgConnection;
use tokio::{sync::Notify, time::timeout};

use super::{Counted, Ignored, Running, Source, Subscriber, TIMEOUT, copy, record, value, wait_until};

/// Publishes one fact for each key in one transaction.
async fn count_all(source: &Source, keys: &[&str]) {
    let mut tx = db::begin(&source.pool).await.unwrap();
    for key in keys {
        source.count_in(&mut tx, key).await;
    }
    tx.commit().await.unwrap();
}

/// A source and a subscriber with its cursor: facts from now on arrive in the stream.
async fn subscribed() -> (Source, Subscriber, Running) {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let sequencer = source.number();
    let _first = Running::start(subscriber.consumer(&source, &source.transport()));
    subscriber.wait_until_caught_up(&source).await;
    (source, subscriber, sequencer)
}

#[tokio::test]
async fn facts_that_arrived_together_share_transactions() {
    let (source, subscriber, _sequencer) = subscribed().await;
    count_all(&source, &["one"; 200]).await;
    source.wait_until_numbered().await;
    let _consumer = Running::start(subscriber.consumer(&source, &source.transport()));
    subscriber.wait_until_caught_up(&source).await;
    let in_order = "select count(*) from profile.received where n = place";
    assert_eq!(value::<i64>(&subscriber.pool, in_order).await, 200);
    let transactions: i64 = value(&subscriber.pool, "select count(distinct xmin::text) from profile.received").await;
    assert!((4..100).contains(&transactions), "{transactions}");
}

/// Records the facts of each call with one statement, which fails for the poison.
async fn record_all(conn: &mut PgConnection, _: &(), facts: Vec<Counted>) -> Result<(), sqlx::Error> {
    let (keys, counts): (Vec<String>, Vec<i64>) = facts.into_iter().map(|fact| (fact.key, fact.n)).unzip();
    let sql = "insert into profile.received (key, n)
        select key, case when key <> 'poison' then n end
        from unnest($1::text[], $2::bigint[]) with ordinality as f (key, n, place)
        order by place
        returning place";
    sqlx::query_scalar::<_, i64>(sql).bind(keys).bind(counts).fetch_all(conn).await.map(drop)
}

#[tokio::test]
async fn a_handler_of_batches_applies_consecutive_facts_with_one_statement() {
    let (source, subscriber, _sequencer) = subscribed().await;
    count_all(&source, &["one"; 200]).await;
    source.wait_until_numbered().await;
    let handlers = Handlers::new().on_live_batch(&(), record_all);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    let in_order = "select count(*) from profile.received where n = place";
    assert_eq!(value::<i64>(&subscriber.pool, in_order).await, 200);
    let statements = "select count(distinct xmin::text || ' ' || cmin) from profile.received";
    let transactions = "select count(distinct xmin::text) from profile.received";
    let statements: i64 = value(&subscriber.pool, statements).await;
    assert_eq!(statements, value::<i64>(&subscriber.pool, transactions).await);
    assert!(statements < 100, "{statements}");
}

/// The change that a test records, or its reversal.
type Change = Reversible<Counted, Ignored>;

async fn record_changes(conn: &mut PgConnection, _: &(), facts: Vec<Change>) -> Result<(), sqlx::Error> {
    let counted = |fact| match fact {
        Change::Made(counted) => counted,
        Change::Reversed(Ignored {}) => Counted { key: "reversed".to_owned(), n: 0 },
    };
    record_all(conn, &(), facts.into_iter().map(counted).collect()).await
}

#[tokio::test]
async fn changes_and_their_reversals_are_applied_together_in_their_order() {
    let (source, subscriber, _sequencer) = subscribed().await;
    let mut tx = db::begin(&source.pool).await.unwrap();
    for _ in 0..100 {
        source.count_in(&mut tx, "one").await;
        source.outbox.publish(&mut tx, "one", &Ignored {}, source.clock.now()).await.unwrap();
    }
    tx.commit().await.unwrap();
    source.wait_until_numbered().await;
    let handlers = Handlers::new().on_live_any(&(), record_changes);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    let in_order = "select count(*) from profile.received
        where case when place % 2 = 1 then n = (place + 1) / 2 else key = 'reversed' end";
    assert_eq!(value::<i64>(&subscriber.pool, in_order).await, 200);
    let statements = "select count(distinct xmin::text || ' ' || cmin) from profile.received";
    let statements: i64 = value(&subscriber.pool, statements).await;
    assert!(statements < 100, "{statements}");
}

#[tokio::test]
async fn a_failing_fact_in_the_middle_of_a_batch_leaves_those_around_it_applied_once() {
    let (source, subscriber, _sequencer) = subscribed().await;
    let keys: Vec<String> =
        (0..30).map(|n| if n == 15 { "poison".to_owned() } else { format!("key {n:02}") }).collect();
    count_all(&source, &keys.iter().map(String::as_str).collect::<Vec<_>>()).await;
    source.wait_until_numbered().await;
    let handlers = Handlers::new().on_live_batch(&(), record_all);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    let applied: String =
        value(&subscriber.pool, "select string_agg(key, ' ' order by place) from profile.received").await;
    let expected: Vec<&str> = keys.iter().map(String::as_str).filter(|key| *key != "poison").collect();
    assert_eq!(applied, expected.join(" "));
    assert_eq!(value::<String>(&subscriber.pool, "select key from profile.dead_facts").await, "poison");
}

async fn record_unless_poison(conn: &mut PgConnection, _: &(), fact: Counted) -> Result<(), sqlx::Error> {
    let poison = fact.key == "poison";
    record(conn, &(), fact).await?;
    if poison { Err(sqlx::Error::RowNotFound) } else { Ok(()) }
}

#[tokio::test]
async fn a_failing_fact_leaves_those_around_it_applied_once() {
    let (source, subscriber, _sequencer) = subscribed().await;
    count_all(&source, &["before", "poison", "after"]).await;
    source.wait_until_numbered().await;
    let handlers = Handlers::new().on(&(), record_unless_poison);
    let consumer = subscriber.consumer_with(&source, &source.transport(), handlers);
    let _consumer = Running::start(consumer);
    subscriber.wait_until_caught_up(&source).await;
    let keys = "select string_agg(key, ' ' order by place) from profile.received";
    assert_eq!(value::<String>(&subscriber.pool, keys).await, "before after");
    assert_eq!(value::<String>(&subscriber.pool, "select key from profile.dead_facts").await, "poison");
}

/// A gap comes from a damaged table only. The facts in front of it are applied, and the rest by a snapshot.
#[tokio::test]
async fn the_facts_in_front_of_a_gap_are_applied() {
    let (source, subscriber, _sequencer) = subscribed().await;
    count_all(&source, &["a", "b", "c", "d"]).await;
    source.wait_until_numbered().await;
    sqlx::raw_sql("delete from feed.outbox where seq = 3").execute(&source.pool).await.unwrap();
    let _consumer = Running::start(subscriber.consumer(&source, &source.transport()));
    subscriber.wait_until_caught_up(&source).await;
    let first = "select string_agg(key, '' order by place) from profile.received where place <= 2";
    assert_eq!(value::<String>(&subscriber.pool, first).await, "ab");
}

/// Stops the handler in front of the second fact.
#[derive(Default)]
struct Gate {
    reached: Notify,
    opened: Notify,
}

async fn copy_behind_gate(conn: &mut PgConnection, gate: &Arc<Gate>, fact: Counted) -> Result<(), sqlx::Error> {
    if fact.key == "b" {
        gate.reached.notify_one();
        gate.opened.notified().await;
        gate.opened.notify_one();
    }
    copy(conn, &(), fact).await
}

/// A request holds the row of the second fact and waits for the row of the first, which the batch holds.
#[tokio::test]
async fn a_batch_gives_up_before_a_request_that_waits_for_it_fails() {
    let (source, subscriber, _sequencer) = subscribed().await;
    subscriber.database.keep_deadlocks().await;
    let subscriber = Subscriber::on(subscriber.database);
    sqlx::raw_sql("insert into profile.copies values ('a', 0), ('b', 0)").execute(&subscriber.pool).await.unwrap();
    let mut request = db::begin(&subscriber.pool).await.unwrap();
    sqlx::raw_sql("select from profile.copies where key = 'b' for update").execute(&mut *request).await.unwrap();

    count_all(&source, &["a", "b"]).await;
    source.wait_until_numbered().await;
    let gate = Arc::new(Gate::default());
    let handlers = Handlers::new().on(&gate, copy_behind_gate);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    gate.reached.notified().await;
    let update = tokio::spawn(async move {
        sqlx::raw_sql("update profile.copies set n = n + 10 where key = 'a'").execute(&mut *request).await.unwrap();
        request.commit().await.unwrap();
    });
    let waiting =
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    wait_until("the request waits for the batch", async || value::<i64>(&subscriber.pool, waiting).await == 1).await;
    gate.opened.notify_one();
    timeout(TIMEOUT, update).await.expect("the batch gives up").unwrap();
    subscriber.wait_until_caught_up(&source).await;
    let copies = "select string_agg(key || n, ' ' order by key) from profile.copies";
    // After the batch gave up, the request and the fact that is applied alone follow in either order.
    let copies = value::<String>(&subscriber.pool, copies).await;
    assert!(["a1 b1", "a11 b1"].contains(&copies.as_str()), "{copies}");
}

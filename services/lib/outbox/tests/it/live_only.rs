//! Handlers for new facts only: they do not run for rows of a snapshot.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use outbox::{Handlers, SnapshotError, SnapshotSource, Snapshotter};
use sqlx::PgConnection;

use super::{Counted, Running, Source, Subscriber, clear, copy, record, value};

/// Publishes nothing and records whether rows were requested.
#[derive(Clone, Default)]
struct RequestProbe(Arc<AtomicBool>);

impl SnapshotSource for RequestProbe {
    async fn publish(&self, _: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        self.0.fetch_or(to.start::<Counted>().is_some(), Ordering::Relaxed);
        Ok(())
    }
}

async fn received(subscriber: &Subscriber) -> String {
    let received = "select coalesce(string_agg(key || ' ' || n, ', ' order by place), '') from profile.received";
    value(&subscriber.pool, received).await
}

async fn copied(subscriber: &Subscriber) -> String {
    let copied = "select coalesce(string_agg(key || ' ' || n, ', ' order by key), '') from profile.copies";
    value(&subscriber.pool, copied).await
}

/// Records the count that the copy has for the key of the fact; it is above zero once the fact was copied.
async fn record_copied_count(conn: &mut PgConnection, _: &(), fact: Counted) -> Result<(), sqlx::Error> {
    let known = sqlx::query_scalar::<_, i64>("select coalesce(max(n), 0) from profile.copies where key = $1");
    let n = known.bind(&fact.key).fetch_one(&mut *conn).await?;
    record(conn, &(), Counted { n, ..fact }).await
}

#[tokio::test]
async fn a_snapshot_is_copied_and_not_delivered_as_live() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    for key in ["old", "old", "older"] {
        source.count(key).await;
    }
    source.wait_until_numbered().await;
    let handlers = Handlers::new().before_snapshot(clear).on(&(), copy).on_live(&(), record);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    assert_eq!((copied(&subscriber).await.as_str(), received(&subscriber).await.as_str()), ("old 2, older 1", ""));
    source.count("old").await;
    source.count("new").await;
    subscriber.wait_until_caught_up(&source).await;
    assert_eq!(copied(&subscriber).await, "new 1, old 3, older 1");
    assert_eq!(received(&subscriber).await, "old 3, new 1");
}

/// Copies all of these facts.
async fn copy_each(conn: &mut PgConnection, _: &(), facts: Vec<Counted>) -> Result<(), sqlx::Error> {
    for fact in facts {
        copy(&mut *conn, &(), fact).await?;
    }
    Ok(())
}

#[tokio::test]
async fn rows_of_a_snapshot_and_new_facts_have_a_handler_each() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    for key in ["old", "old", "older"] {
        source.count(key).await;
    }
    source.wait_until_numbered().await;
    let handlers = Handlers::new().before_snapshot(clear).on_snapshot_batch(&(), copy_each).on_live(&(), record);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    assert_eq!((copied(&subscriber).await.as_str(), received(&subscriber).await.as_str()), ("old 2, older 1", ""));
    source.count("old").await;
    subscriber.wait_until_caught_up(&source).await;
    assert_eq!((copied(&subscriber).await.as_str(), received(&subscriber).await.as_str()), ("old 2, older 1", "old 3"));
}

#[tokio::test]
async fn a_live_only_consumer_requests_no_rows_and_starts_after_them() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    source.count("old").await;
    source.wait_until_numbered().await;
    let (handlers, probe) = (Handlers::new().on_live(&(), record), RequestProbe::default());
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport_with(probe.clone()), handlers));
    subscriber.wait_until_caught_up(&source).await;
    assert!(!probe.0.load(Ordering::Relaxed));
    source.count("new").await;
    subscriber.wait_until_caught_up(&source).await;
    assert_eq!(received(&subscriber).await, "new 1");
    assert_eq!(value::<i64>(&subscriber.pool, "select seq from profile.cursors").await, 2);
}

#[tokio::test]
async fn handlers_of_one_kind_run_in_the_order_of_registration() {
    for (before, expected) in [(true, "a 0, a 1"), (false, "a 1, a 2")] {
        let (source, subscriber) = (Source::new().await, Subscriber::new().await);
        let _sequencer = source.number();
        let handlers = if before {
            Handlers::new().on_live(&(), record_copied_count).on(&(), copy)
        } else {
            Handlers::new().on(&(), copy).on_live(&(), record_copied_count)
        };
        let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
        subscriber.wait_until_caught_up(&source).await;
        for _ in 0..2 {
            source.count("a").await;
        }
        subscriber.wait_until_caught_up(&source).await;
        assert_eq!(received(&subscriber).await, expected);
    }
}

/// A failing handler for one key.
async fn refuse(_: &mut PgConnection, _: &(), fact: Counted) -> Result<(), sqlx::Error> {
    if fact.key == "poison" { Err(sqlx::Error::RowNotFound) } else { Ok(()) }
}

#[tokio::test]
async fn a_failing_live_handler_fails_the_whole_fact() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    let handlers = Handlers::new().on(&(), copy).on_live(&(), refuse);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    for key in ["a", "poison", "b"] {
        source.count(key).await;
    }
    subscriber.wait_until_caught_up(&source).await;
    assert_eq!(copied(&subscriber).await, "a 1, b 1");
    assert_eq!(value::<i64>(&subscriber.pool, "select count(*) from profile.dead_facts").await, 1);
}

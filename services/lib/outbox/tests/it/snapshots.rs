//! Snapshots: the start of a new consumer, and concurrent writes.

use std::collections::BTreeSet;

use futures::future::join_all;
use outbox::Handlers;
use sqlx::PgConnection;

use super::{Counted, Running, Source, Subscriber, clear, copy, value, wait_until};

fn copies() -> Handlers {
    Handlers::new().on(&(), copy).before_snapshot(clear)
}

/// One counter per line.
const STATE: &str = "select coalesce(string_agg(key || ' ' || n, e'\\n' order by key), '') from {}";

pub async fn same(source: &Source, subscriber: &Subscriber) {
    let state: String = value(&source.pool, &STATE.replace("{}", "feed.counters")).await;
    let known: String = value(&subscriber.pool, &STATE.replace("{}", "profile.copies")).await;
    let (state, known): (BTreeSet<_>, BTreeSet<_>) = (state.lines().collect(), known.lines().collect());
    let wrong: Vec<_> = state.symmetric_difference(&known).take(10).collect();
    assert!(wrong.is_empty(), "known differently: {wrong:?}");
}

#[tokio::test]
async fn a_new_consumer_starts_from_a_snapshot_and_receives_later_facts() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    for key in ["a", "a", "b"] {
        source.count(key).await;
    }
    assert_eq!(source.wait_until_numbered().await, 3);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), copies()));
    subscriber.wait_until_caught_up(&source).await;
    same(&source, &subscriber).await;
    source.count("b").await;
    source.count("c").await;
    subscriber.wait_until_caught_up(&source).await;
    same(&source, &subscriber).await;
}

#[tokio::test]
async fn a_snapshot_includes_concurrent_writes() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    for key in 0..200 {
        source.count(&format!("old {key}")).await;
    }
    let transport = source.transport();
    let writing = join_all((0..4).map(|writer| {
        let source = &source;
        async move {
            for key in 0..150 {
                source.count(&format!("old {}", (key * 7 + writer) % 200)).await;
                source.count(&format!("new {writer} {key}")).await;
            }
        }
    }));
    let hearing = async {
        // Both replicas start without a cursor: one takes the snapshot, and the other must not overwrite later facts
        // with it.
        let replicas = [(); 2].map(|()| Running::start(subscriber.consumer_with(&source, &transport, copies())));
        let arrived = async || value::<i64>(&subscriber.pool, "select count(*) from profile.cursors").await == 1;
        wait_until("a snapshot is taken", arrived).await;
        replicas
    };
    let (_, _twins) = tokio::join!(writing, hearing);
    subscriber.wait_until_caught_up(&source).await;
    same(&source, &subscriber).await;
}

async fn copy_unless_poison(conn: &mut PgConnection, _: &(), fact: Counted) -> Result<(), sqlx::Error> {
    if fact.key == "poison" {
        // A failed statement aborts the whole transaction.
        return sqlx::raw_sql("select 1 / 0").execute(conn).await.map(drop);
    }
    copy(conn, &(), fact).await
}

#[tokio::test]
async fn a_row_that_cannot_be_applied_does_not_block_the_others() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    for key in ["a", "poison", "b"] {
        source.count(key).await;
    }
    source.wait_until_numbered().await;
    let handlers = Handlers::new().on(&(), copy_unless_poison);
    let _consumer = Running::start(subscriber.consumer_with(&source, &source.transport(), handlers));
    subscriber.wait_until_caught_up(&source).await;
    let known: String = value(&subscriber.pool, &STATE.replace("{}", "profile.copies")).await;
    assert_eq!(known, "a 1\nb 1");
    let dead: String =
        value(&subscriber.pool, "select string_agg(key || ' ' || seq, ', ') from profile.dead_facts").await;
    assert_eq!(dead, "poison 0");
}

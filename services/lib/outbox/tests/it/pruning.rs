//! Facts are retained for 14 days. A later consumer starts from a snapshot.

use chrono::TimeDelta;
use outbox::{Handlers, proto::TailRequest};
use tonic::Code;

use super::{Running, Source, Subscriber, clear, copy, tails::tail, value};

#[tokio::test]
async fn the_retention_is_exact() {
    let source = Source::new().await;
    let _sequencer = source.number();
    for _ in 0..3 {
        source.count("old").await;
    }
    source.wait_until_numbered().await;
    source.clock.advance(TimeDelta::days(14));
    source.count("young").await;
    source.wait_until_numbered().await;
    assert_eq!(source.sequencer.prune_now().await.unwrap(), 0, "the retention has not expired");
    source.clock.advance(TimeDelta::seconds(1));
    assert_eq!(source.sequencer.prune_now().await.unwrap(), 3);

    let transport = source.transport();
    for (after_seq, answer) in
        [(0, Err(Code::OutOfRange)), (2, Err(Code::OutOfRange)), (3, Ok(4)), (5, Err(Code::OutOfRange))]
    {
        let received =
            tail(&source, &transport, TailRequest { after_seq, from_now: false, ..TailRequest::default() }).await;
        assert_eq!(received, answer, "after {after_seq}");
    }
    // With every fact deleted, the sequence still has the last number.
    source.clock.advance(TimeDelta::days(15));
    assert_eq!(source.sequencer.prune_now().await.unwrap(), 1);
    let received =
        tail(&source, &transport, TailRequest { after_seq: 3, from_now: false, ..TailRequest::default() }).await;
    assert_eq!(received, Err(Code::OutOfRange));
    source.count("next").await;
    assert_eq!(source.wait_until_numbered().await, 5);
    let received =
        tail(&source, &transport, TailRequest { after_seq: 4, from_now: false, ..TailRequest::default() }).await;
    assert_eq!(received, Ok(5));
}

#[tokio::test]
async fn a_consumer_later_than_the_retention_starts_from_a_snapshot() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    let transport = source.transport();
    let handlers = Handlers::new().on(&(), copy).before_snapshot(clear);
    let consumer = subscriber.consumer_with(&source, &transport, handlers);
    for key in ["stays", "goes"] {
        source.count(key).await;
    }
    let running = Running::start(consumer.clone());
    subscriber.wait_until_caught_up(&source).await;
    drop(running);

    // Meanwhile one counter is incremented, one is deleted, and their facts are pruned.
    source.count("stays").await;
    sqlx::raw_sql("delete from feed.counters where key = 'goes'").execute(&source.pool).await.unwrap();
    source.wait_until_numbered().await;
    source.clock.advance(TimeDelta::days(15));
    assert_eq!(source.sequencer.prune_now().await.unwrap(), 3);

    let _running = Running::start(consumer);
    subscriber.wait_until_caught_up(&source).await;
    let known: String = value(&subscriber.pool, "select string_agg(key || ' ' || n, ', ') from profile.copies").await;
    assert_eq!(known, "stays 2");
    assert_eq!(value::<i64>(&subscriber.pool, "select count(*) from profile.dead_facts").await, 0);
}

//! The lag of a consumer and its dead facts, which operators see and repair.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::TimeDelta;
use outbox::{Handlers, Lag};
use rpc::{Slot, Transport};
use sqlx::PgConnection;

use super::{Counted, Running, Source, Subscriber, record, value, wait_until};

/// Refuses the key `poison` until `repaired`.
async fn record_if_repaired(
    conn: &mut PgConnection,
    repaired: &Arc<AtomicBool>,
    fact: Counted,
) -> Result<(), sqlx::Error> {
    let fails = fact.key == "poison" && !repaired.load(Ordering::SeqCst);
    record(conn, &(), fact).await?;
    if fails { Err(sqlx::Error::RowNotFound) } else { Ok(()) }
}

#[tokio::test]
async fn the_lag_counts_what_the_consumer_has_not_applied() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let sequencer = source.number();
    let consumer = subscriber.consumer(&source, &source.transport());
    {
        let _running = Running::start(consumer.clone());
        source.count("one").await;
        subscriber.wait_until_caught_up(&source).await;
    }
    assert_eq!(consumer.lag().await.unwrap(), Lag { facts: 0, age: Duration::ZERO });
    source.clock.advance(TimeDelta::seconds(60));
    for _ in 0..40 {
        source.count("one").await;
    }
    source.wait_until_numbered().await;
    drop(sequencer);
    source.clock.advance(TimeDelta::seconds(7));
    assert_eq!(consumer.lag().await.unwrap(), Lag { facts: 40, age: Duration::from_secs(7) });
    // Without a sequencer.
    source.count("one").await;
    assert_eq!(consumer.lag().await.unwrap(), Lag { facts: 41, age: Duration::from_secs(7) });
    let unavailable = subscriber.consumer(&source, &Transport::local("feed", Slot::default()));
    assert!(unavailable.lag().await.is_err());
}

#[tokio::test]
async fn the_lag_of_a_consumer_that_fails_is_not_zero() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    let transport = source.transport();
    {
        let _first = Running::start(subscriber.consumer(&source, &transport));
        subscriber.wait_until_caught_up(&source).await;
    }
    // A lock that the effect needs: the facts arrive and are not applied.
    let mut blocking = db::begin(&subscriber.pool).await.unwrap();
    sqlx::raw_sql("lock table profile.received").execute(&mut *blocking).await.unwrap();
    let consumer = subscriber.consumer(&source, &transport);
    let _running = Running::start(consumer.clone());
    for _ in 0..40 {
        source.count("one").await;
    }
    source.wait_until_numbered().await;
    let waits = "select count(*) from pg_locks l join pg_database d on d.oid = l.database
        where not l.granted and d.datname = current_database()";
    wait_until("an effect waits", async || value::<i64>(&subscriber.pool, waits).await > 0).await;
    assert_eq!(consumer.lag().await.unwrap().facts, 40);
    blocking.commit().await.unwrap();
    wait_until("the lag is gone", async || consumer.lag().await.unwrap().facts == 0).await;
}

#[tokio::test]
async fn a_dead_fact_is_shown_applied_again_or_deleted() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    let repaired = Arc::new(AtomicBool::new(false));
    let transport = source.transport();
    {
        let _first = Running::start(subscriber.consumer(&source, &transport));
        subscriber.wait_until_caught_up(&source).await;
    }
    let handlers = Handlers::new().on(&repaired, record_if_repaired);
    let _running = Running::start(subscriber.consumer_with(&source, &transport, handlers));
    for key in ["poison", "after", "poison"] {
        source.count(key).await;
    }
    subscriber.wait_until_caught_up(&source).await;
    let (outbox, mut db) = (&subscriber.outbox, subscriber.pool.acquire().await.unwrap());
    let dead = outbox.list_dead_facts(&mut db, 10).await.unwrap();
    let keys: Vec<_> = dead.iter().map(|fact| (fact.seq, fact.key.as_str(), fact.replays)).collect();
    assert_eq!(keys, [(1, "poison", false), (3, "poison", false)]);
    let (fact, content) = outbox.get_dead_fact(&mut db, dead[0].id).await.unwrap().unwrap();
    assert_eq!(fact, dead[0]);
    assert_eq!(<Counted as prost::Message>::decode(&*content.payload).unwrap(), Counted { key: "poison".into(), n: 1 });
    assert!(outbox.get_dead_fact(&mut db, 1_000).await.unwrap().is_none());

    let now = source.clock.now();
    sqlx::raw_sql("update profile.dead_facts set error = 'before'").execute(&mut *db).await.unwrap();
    assert!(outbox.request_replay(&mut db, dead[0].id, now).await.unwrap());
    assert!(!outbox.request_replay(&mut db, 1_000, now).await.unwrap());
    let failed_again = "select count(*) from profile.dead_facts where replay_at is null and error <> 'before'";
    wait_until("it failed again", async || value::<i64>(&subscriber.pool, failed_again).await == 1).await;

    repaired.store(true, Ordering::SeqCst);
    assert!(outbox.request_replay(&mut db, dead[0].id, now).await.unwrap());
    let left = "select count(*) from profile.dead_facts";
    wait_until("it is applied", async || value::<i64>(&subscriber.pool, left).await == 1).await;
    let received = "select string_agg(key || n, ' ' order by place) from profile.received";
    assert_eq!(value::<String>(&subscriber.pool, received).await, "after1 poison1");
    assert!(outbox.delete_dead_fact(&mut db, dead[1].id).await.unwrap());
    assert!(!outbox.delete_dead_fact(&mut db, dead[1].id).await.unwrap());
    assert_eq!(value::<i64>(&subscriber.pool, left).await, 0);
}

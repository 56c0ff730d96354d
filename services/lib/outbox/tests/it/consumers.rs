//! Consumers: two replicas, facts that cannot be applied, facts without a handler, and trace propagation.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use opentelemetry::trace::FutureExt as _;
use outbox::Handlers;
use sqlx::PgConnection;
use telemetry::{current_traceparent, parse_traceparent};

use super::{Counted, Ignored, Running, Source, Subscriber, record, value, wait_until};

#[tokio::test]
async fn two_replicas_apply_each_fact_once() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    let transport = source.transport();
    // The cursor exists, so that both receive facts from the start.
    {
        let _first = Running::start(subscriber.consumer(&source, &transport));
        subscriber.wait_until_caught_up(&source).await;
    }
    for _ in 0..300 {
        source.count("one").await;
    }
    let _twins = [(); 2].map(|()| Running::start(subscriber.consumer(&source, &transport)));
    for _ in 0..300 {
        source.count("one").await;
    }
    subscriber.wait_until_caught_up(&source).await;
    let received: i64 = value(&subscriber.pool, "select count(*) from profile.received").await;
    let different: i64 = value(&subscriber.pool, "select count(distinct n) from profile.received").await;
    assert_eq!((received, different), (600, 600));
}

/// The failure of the effect of the key `poison`, and the number of its failures.
#[derive(Clone)]
struct Poison {
    tries: Arc<AtomicU32>,
    panics: bool,
}

/// An effect that writes first and then fails, or panics, for one key.
async fn record_unless_poison(conn: &mut PgConnection, poison: &Poison, fact: Counted) -> Result<(), sqlx::Error> {
    let fails = fact.key == "poison";
    record(conn, &(), fact).await?;
    if fails {
        poison.tries.fetch_add(1, Ordering::Relaxed);
        assert!(!poison.panics, "poison");
        return Err(sqlx::Error::RowNotFound);
    }
    Ok(())
}

async fn a_failing_fact_moves_to_dead_facts(panics: bool, reason: &str) {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    // The cursor exists, so the facts arrive by Tail.
    let _consumer = {
        let poison = Poison { tries: Arc::default(), panics };
        let handlers = Handlers::new().on(&poison, record_unless_poison);
        let consumer = subscriber.consumer_with(&source, &source.transport(), handlers);
        let running = Running::start(consumer);
        subscriber.wait_until_caught_up(&source).await;
        for key in ["before", "poison", "after"] {
            source.count(key).await;
        }
        subscriber.wait_until_caught_up(&source).await;
        assert_eq!(poison.tries.load(Ordering::Relaxed), 10);
        running
    };
    let received: String =
        value(&subscriber.pool, "select string_agg(key, ' ' order by place) from profile.received").await;
    assert_eq!(received, "before after", "a failed effect leaves nothing behind");
    let dead: String = value(
        &subscriber.pool,
        "select source || ' ' || seq || ' ' || kind || ' ' || key || ': ' || error from profile.dead_facts",
    )
    .await;
    assert_eq!(dead, format!("feed 2 portia.test.v1.Counted poison: {reason}"));
}

#[tokio::test]
async fn a_fact_that_fails_ten_times_moves_to_dead_facts() {
    let reason = sqlx::Error::RowNotFound.to_string();
    a_failing_fact_moves_to_dead_facts(false, &reason).await;
}

#[tokio::test]
async fn a_fact_whose_handler_panics_moves_to_dead_facts() {
    a_failing_fact_moves_to_dead_facts(true, "the handler panicked").await;
}

#[tokio::test]
async fn facts_without_a_handler_move_only_the_cursor() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    let _consumer = Running::start(subscriber.consumer(&source, &source.transport()));
    subscriber.wait_until_caught_up(&source).await;
    let mut tx = db::begin(&source.pool).await.unwrap();
    for _ in 0..1_000 {
        source.outbox.publish(&mut tx, "ignored", &Ignored {}, source.clock.now()).await.unwrap();
    }
    tx.commit().await.unwrap();
    source.count("counted").await;
    subscriber.wait_until_caught_up(&source).await;
    assert_eq!(value::<i64>(&subscriber.pool, "select count(*) from profile.received").await, 1);
    assert_eq!(value::<i64>(&subscriber.pool, "select seq from profile.cursors").await, 1_001);
}

/// Each move is a transaction with a row version, in every consumer of a source.
#[tokio::test]
async fn the_cursor_moves_seldom_over_facts_without_a_handler() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = source.number();
    let _consumer = Running::start(subscriber.consumer(&source, &source.transport()));
    subscriber.wait_until_caught_up(&source).await;
    let record_moves = "create table profile.moves (seq bigint);
        create function profile.record_move() returns trigger language plpgsql as
            'begin insert into profile.moves values (new.seq); return new; end';
        create trigger record_move after update on profile.cursors for each row execute function profile.record_move()";
    subscriber.database.run_as_owner(record_moves).await;
    for n in 1..=40 {
        let mut conn = source.pool.acquire().await.unwrap();
        source.outbox.publish(&mut conn, "ignored", &Ignored {}, source.clock.now()).await.unwrap();
        // Each fact reaches the consumer alone.
        wait_until("it is numbered", async || source.wait_until_numbered().await == n).await;
    }
    subscriber.wait_until_caught_up(&source).await;
    let moves: i64 = value(&subscriber.pool, "select count(*) from profile.moves").await;
    assert!(moves < 20, "{moves}");
}

#[tokio::test]
async fn a_fact_keeps_the_trace_of_the_request_that_caused_it() {
    const REQUEST: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let source = Source::new().await;
    source.count("traced").with_context(parse_traceparent(REQUEST)).await;
    source.count("untraced").await;
    assert_eq!(current_traceparent(), None);
    let kept: String =
        value(&source.pool, "select string_agg(coalesce(traceparent, 'none'), ' ' order by id) from feed.outbox").await;
    assert_eq!(kept, format!("{REQUEST} none"));
}

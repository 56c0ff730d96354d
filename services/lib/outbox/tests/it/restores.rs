//! The database of a source is restored or fails over while its process and its consumers run.

use std::sync::{Arc, Mutex};

use outbox::{Consumer, Delivery, EmptySnapshot, Handlers, Outbox, Sequencer, watch};
use sqlx::PgConnection;
use testkit::{Harness, outbox_tables};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use super::{Counted, Running, Source, Subscriber, TABLE, clear, copy, value, wait_until};

/// Numbers until the test ends, and starts again after a failure, as in a process.
fn number(sequencer: &Sequencer) -> Running {
    let sequencer = sequencer.clone();
    Running(tokio::spawn(async move {
        loop {
            sequencer.clone().run(CancellationToken::new()).await.ok();
            tokio::task::yield_now().await;
        }
    }))
}

fn consumer(source: &Source, subscriber: &Subscriber) -> Consumer {
    let handlers = Handlers::new().on(&(), copy).before_snapshot(clear).before_snapshot(record_snapshot);
    subscriber.consumer_with(source, &source.transport(), handlers)
}

async fn record_snapshot(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    let sql = "insert into profile.received (key, n) values ('snapshot', 0)";
    sqlx::raw_sql(sql).execute(conn).await.map(drop)
}

/// The copy of the consumer, and the number of snapshots that it took.
async fn copied(subscriber: &Subscriber) -> (String, i64) {
    let copies = "select coalesce(string_agg(key || ' ' || n, ', ' order by key), '') from profile.copies";
    let snapshots = "select count(*) from profile.received";
    (value(&subscriber.pool, copies).await, value(&subscriber.pool, snapshots).await)
}

async fn count(source: &Source, keys: &str) {
    for key in keys.split(' ') {
        source.count(key).await;
    }
}

async fn wait_for(subscriber: &Subscriber, copies: &str) {
    wait_until(&format!("the copy is {copies}"), async || copied(subscriber).await.0 == copies).await;
}

#[tokio::test]
async fn consumers_that_run_recover_from_a_restore() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = number(&source.sequencer);
    let _consumer = Running::start(consumer(&source, &subscriber));
    count(&source, "a b").await;
    wait_for(&subscriber, "a 1, b 1").await;
    source.database.back_up().await;
    count(&source, "a lost").await;
    wait_for(&subscriber, "a 2, b 1, lost 1").await;

    source.database.restore().await;
    wait_for(&subscriber, "a 1, b 1").await;
    assert_eq!(copied(&subscriber).await.1, 2);
    // The numbers of the lost facts are given again.
    count(&source, "b c d").await;
    wait_for(&subscriber, "a 1, b 2, c 1, d 1").await;
    assert_eq!(copied(&subscriber).await.1, 2, "one snapshot for one restore");
}

#[tokio::test]
async fn a_restored_source_that_has_grown_past_the_cursor_is_noticed() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = number(&source.sequencer);
    let running = Running::start(consumer(&source, &subscriber));
    count(&source, "a").await;
    wait_for(&subscriber, "a 1").await;
    source.database.back_up().await;
    count(&source, "lost").await;
    wait_for(&subscriber, "a 1, lost 1").await;
    drop(running);

    source.database.restore().await;
    count(&source, "b c d").await;
    assert_eq!(source.wait_until_numbered().await, 4);
    let _consumer = Running::start(consumer(&source, &subscriber));
    wait_for(&subscriber, "a 1, b 1, c 1, d 1").await;
}

#[tokio::test]
async fn a_failover_without_a_loss_needs_no_snapshot() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = number(&source.sequencer);
    let _consumer = Running::start(consumer(&source, &subscriber));
    count(&source, "a b").await;
    wait_for(&subscriber, "a 1, b 1").await;
    source.database.back_up().await;
    source.database.restore().await;
    count(&source, "a c").await;
    wait_for(&subscriber, "a 2, b 1, c 1").await;
    assert_eq!(copied(&subscriber).await.1, 1);
    let same = "select history from profile.cursors where source = 'feed'";
    let history = "select history from feed.outbox_sequence";
    let history: uuid::Uuid = value(&source.pool, history).await;
    assert_eq!(value::<uuid::Uuid>(&subscriber.pool, same).await, history);
}

#[tokio::test]
async fn rows_that_are_restored_in_place_are_noticed() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = number(&source.sequencer);
    let _consumer = Running::start(consumer(&source, &subscriber));
    count(&source, "a").await;
    wait_for(&subscriber, "a 1").await;
    let older = testkit::Database::fresh("feed", &outbox_tables("feed", TABLE)).await;
    source.database.dump_into(&older).await;
    count(&source, "lost").await;
    wait_for(&subscriber, "a 1, lost 1").await;
    // The server and the tables stay the same.
    older.dump_into(&source.database).await;
    wait_for(&subscriber, "a 1").await;
    count(&source, "b c").await;
    wait_for(&subscriber, "a 1, b 1, c 1").await;
}

#[tokio::test]
async fn a_copy_restored_to_an_older_state_applies_the_facts_again() {
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    let _sequencer = number(&source.sequencer);
    let _consumer = Running::start(consumer(&source, &subscriber));
    count(&source, "a").await;
    wait_for(&subscriber, "a 1").await;
    subscriber.database.back_up().await;
    count(&source, "b").await;
    wait_for(&subscriber, "a 1, b 1").await;
    subscriber.database.restore().await;
    count(&source, "c").await;
    wait_for(&subscriber, "a 1, b 1, c 1").await;
    assert_eq!(copied(&subscriber).await.1, 1);
}

#[tokio::test]
async fn a_watcher_receives_a_gap_after_a_restore() {
    let tables = outbox_tables("feed", TABLE);
    let feed = Harness::of("feed").database(&tables).await;
    let feed = feed.start(async |context| {
        let pool = context.database("feed", &tables).await?;
        Ok(Routes::new(Outbox::new("feed").serve(&context, &pool, EmptySnapshot)))
    });
    let feed = feed.await;
    let received = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&received);
    watch(&feed.context_of("gateway"), "feed", move |delivery| {
        note.lock().unwrap().push(match delivery {
            Delivery::Gap => "gap".to_owned(),
            Delivery::Fact(fact) => fact.key.clone(),
        });
    })
    .unwrap();
    let so_far = || received.lock().unwrap().join(" ");
    let publish = async |key: &str| {
        let fact = Counted { key: key.to_owned(), n: 1 };
        let mut conn = feed.pool().acquire().await.unwrap();
        Outbox::new("feed").publish(&mut conn, key, &fact, feed.clock.now()).await.unwrap();
    };
    wait_until("the stream is established", async || so_far() == "gap").await;
    feed.database().back_up().await;
    publish("lost").await;
    wait_until("the fact arrives", async || so_far() == "gap lost").await;
    feed.database().restore().await;
    wait_until("the loss is reported", async || so_far() == "gap lost gap").await;
    publish("new").await;
    wait_until("later facts arrive", async || so_far() == "gap lost gap new").await;
}

//! Wake-ups: a busy process notifies the sequencers of all services less often than it publishes.

use std::time::{Duration, Instant};

use sqlx::postgres::PgListener;
use tokio::{task::JoinHandle, time::sleep};

use super::{Source, value};

#[tokio::test]
async fn a_process_with_a_sequencer_notifies_once_while_facts_are_gathered() {
    let source = Source::new().await;
    let mut listener = PgListener::connect_with(&source.pool).await.unwrap();
    listener.listen("feed_outbox_published").await.unwrap();
    // Without a sequencer in the process, each transaction does.
    for _ in 0..3 {
        source.count("alone").await;
    }
    for _ in 0..3 {
        assert_eq!(listener.recv().await.unwrap().payload(), "");
    }

    let _sequencer = source.number();
    source.wait_until_numbered().await;
    let started = Instant::now();
    for n in 0..200 {
        source.count(&format!("thing {n}")).await;
    }
    let most = 1 + started.elapsed().as_millis() / 20;
    assert_eq!(source.wait_until_numbered().await, 203);
    assert_eq!(value::<String>(&source.pool, "select pg_notify('feed_outbox_published', 'end')::text").await, "");
    let mut notified = 0;
    while listener.recv().await.unwrap().payload() != "end" {
        notified += 1;
    }
    assert!((1..=most).contains(&notified), "{notified} times, not more than {most}");
}

/// Wakes the sequencer before each poll until the value is dropped, by notifications after which it does not look for facts.
struct WithoutPolls(JoinHandle<()>);

impl WithoutPolls {
    fn of(source: &Source) -> Self {
        let pool = source.pool.clone();
        Self(tokio::spawn(async move {
            loop {
                value::<String>(&pool, "select pg_notify('feed_outbox_numbered', '0')::text").await;
                sleep(Duration::from_millis(100)).await;
            }
        }))
    }
}

impl Drop for WithoutPolls {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[tokio::test]
async fn a_fact_without_a_notification_that_is_committed_late_is_numbered() {
    /// The last look comes 620 ms after the one that numbered a fact.
    const LAST_LOOK: Duration = Duration::from_millis(400);
    let source = Source::new().await;
    let _sequencer = source.number();
    loop {
        source.count("first").await;
        let before = source.wait_until_numbered().await;
        let _without_polls = WithoutPolls::of(&source);
        let started = Instant::now();
        // The first of two takes the notification along when it is rolled back; the other one is committed after a look.
        let (mut one, mut other) = (db::begin(&source.pool).await.unwrap(), db::begin(&source.pool).await.unwrap());
        source.count_in(&mut one, "one").await;
        source.count_in(&mut other, "other").await;
        one.rollback().await.unwrap();
        source.count("between").await;
        assert_eq!(source.wait_until_numbered().await, before + 1);
        other.commit().await.unwrap();
        // A busy machine may take longer than the looks, which leave the fact to the poll then: it proves nothing.
        if started.elapsed() < LAST_LOOK {
            assert_eq!(source.wait_until_numbered().await, before + 2);
            return;
        }
    }
}

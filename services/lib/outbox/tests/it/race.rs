//! The race: eight writers, rollbacks, two sequencers and two consumers that are killed repeatedly; no fact is lost or
//! applied twice.

use std::{
    future::Future,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    time::Duration,
};

use futures::future::join_all;
use outbox::Sequencer;
use sqlx::PgPool;
use testkit::{Database, OtherServer, outbox_tables};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{RECEIVED, Running, Source, Subscriber, TABLE, value};

const WRITERS: usize = 8;
/// Few keys, so that writers contend for their rows.
const KEYS: u64 = 40;

/// Pseudo-random numbers, the same in each run.
struct Rng(AtomicU64);

impl Rng {
    fn draw(&self, below: u64) -> u64 {
        let n = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (n ^ (n >> 31)) % below
    }
}

/// Runs `work` repeatedly, and kills it at an arbitrary point each time. Returns the number of kills.
async fn kill_often<F>(work: impl Fn() -> F, rng: &Rng, over: &CancellationToken) -> u32
where
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    for kills in 0.. {
        let task = tokio::spawn(work());
        let ended = tokio::select! {
            () = sleep(Duration::from_millis(10 + rng.draw(150))) => false,
            () = over.cancelled() => true,
        };
        task.abort();
        if let Ok(done) = task.await {
            done.unwrap();
        }
        if ended {
            return kills;
        }
    }
    0
}

/// Writes until `facts` are committed; one transaction in six is rolled back.
async fn write(source: &Source, rng: &Rng, committed: &AtomicUsize, facts: usize) {
    while committed.load(Ordering::Relaxed) < facts {
        let mut tx = db::begin(&source.pool).await.unwrap();
        let published = 1 + usize::try_from(rng.draw(4)).unwrap();
        // Always in the same order, so that two writers with two keys cannot deadlock.
        let mut keys: Vec<u64> = (0..published).map(|_| rng.draw(KEYS)).collect();
        keys.sort_unstable();
        for key in keys {
            source.count_in(&mut tx, &format!("thing {key}")).await;
            if rng.draw(3) == 0 {
                // Other transactions interleave here, and commit later ids first.
                sleep(Duration::from_micros(rng.draw(2_000))).await;
            }
        }
        if rng.draw(6) == 0 {
            tx.rollback().await.unwrap();
        } else {
            tx.commit().await.unwrap();
            committed.fetch_add(published, Ordering::Relaxed);
        }
    }
}

/// Runs writers, sequencers and consumers until `facts` more facts are committed and received.
async fn race(source: &Source, subscriber: &Subscriber, rng: &Rng, facts: usize) {
    let (committed, over) = (AtomicUsize::new(0), CancellationToken::new());
    let transport = source.transport();
    {
        // The first start takes a snapshot; after that every fact counts.
        let (_sequencer, _consumer) = (source.number(), Running::start(subscriber.consumer(source, &transport)));
        subscriber.wait_until_caught_up(source).await;
    }
    let writers = async {
        join_all((0..WRITERS).map(|_| write(source, rng, &committed, facts))).await;
        over.cancel();
    };
    // A replica: a sequencer that shares only the tables with the first.
    let replica = Sequencer::new(&source.outbox, source.pool.clone(), source.clock.clone());
    let sequence = || source.sequencer.clone().run(CancellationToken::new());
    let sequence_too = || replica.clone().run(CancellationToken::new());
    let consume = || subscriber.consumer(source, &transport).run(CancellationToken::new());
    let killed = tokio::join!(
        kill_often(sequence, rng, &over),
        kill_often(sequence_too, rng, &over),
        kill_often(consume, rng, &over),
        kill_often(consume, rng, &over),
        writers,
    );
    assert!(killed.0.min(killed.1).min(killed.2).min(killed.3) >= 5, "killed only {killed:?} times");
    // The remaining facts after the kills.
    let _sequencer = source.number();
    let _consumer = Running::start(subscriber.consumer(source, &transport));
    subscriber.wait_until_caught_up(source).await;
}

async fn check(source: &PgPool, subscriber: &PgPool) -> i64 {
    let facts: i64 = value(source, "select count(*) from feed.outbox").await;
    let numbered = "select count(distinct seq) = count(*) and min(seq) = 1 and max(seq) = count(*) from feed.outbox";
    assert!(value::<bool>(source, numbered).await, "the numbers are gapless");
    let counted: i64 = value(source, "select sum(n)::bigint from feed.counters").await;
    assert_eq!(counted, facts, "exactly the committed counts are published");

    let received: i64 = value(subscriber, "select count(*) from profile.received").await;
    let different: i64 = value(subscriber, "select count(distinct (key, n)) from profile.received").await;
    assert_eq!(facts - different, 0, "lost");
    assert_eq!(received - different, 0, "doubled");
    let disorder = "select count(*) from (
        select n - lag(n, 1, 0::bigint) over (partition by key order by place) as step from profile.received
    ) as steps where step <> 1";
    assert_eq!(value::<i64>(subscriber, disorder).await, 0, "facts of one key are out of order");
    assert_eq!(value::<i64>(subscriber, "select count(*) from profile.dead_facts").await, 0);
    facts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fact_is_lost_or_repeated_after_kills_and_a_move_of_the_schema() {
    let rng = Rng(AtomicU64::new(1));
    let (source, subscriber) = (Source::new().await, Subscriber::new().await);
    race(&source, &subscriber, &rng, 20_000).await;
    assert!(check(&source.pool, &subscriber.pool).await >= 20_000);
    // The race did occur: a reader that orders by ids would have missed these facts.
    let late =
        "select count(*) from (select id < lag(id) over (order by seq) as late from feed.outbox) as ids where late";
    assert!(value::<i64>(&source.pool, late).await > 0, "no transaction committed behind a later id");

    // Both schemas move to another server with other transaction ids.
    let server = OtherServer::start().await;
    let (feed, profile) = (outbox_tables("feed", TABLE), outbox_tables("profile", RECEIVED));
    let (there, received_there) = tokio::join!(server.database("feed", &feed), server.database("profile", &profile));
    let xid = "select pg_current_xact_id()::text::bigint";
    let (before, after): (i64, i64) = (value(&source.pool, xid).await, value(there.pool(), xid).await);
    assert!(before - after > 1_000, "{before} and {after} do not test the order by transaction id");
    let (source, subscriber) =
        (move_to(source.database, there).await, move_to(subscriber.database, received_there).await);
    let (source, subscriber) = (Source::on(source), Subscriber::on(subscriber));
    race(&source, &subscriber, &rng, 5_000).await;
    assert!(check(&source.pool, &subscriber.pool).await >= 25_000);
}

async fn move_to(from: Database, to: Database) -> Database {
    from.dump_into(&to).await;
    to
}

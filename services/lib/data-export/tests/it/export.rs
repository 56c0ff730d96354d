//! Exports: streamed as fast as they are read, from one snapshot, and never cut off without an error.

use std::{sync::Arc, time::Duration};

use data_export::{
    BUFFER, ExportError, ExportSource, Exporter, MAX_CONCURRENT, MAX_DURATION, RecordStream, RecordWriter,
    WRITE_TIMEOUT,
};
use futures::{FutureExt as _, StreamExt as _};
use primitives::error::StatusDetails;
use sqlx::{PgConnection, PgPool, migrate::Migrator};
use testkit::{Harness, member};
use tokio::{sync::Barrier, time};
use tonic::{Code, Status};

static NO_TABLES: Migrator = Migrator::DEFAULT;

/// What a test's service keeps.
enum TestExport {
    /// So many numbers: more than [`BUFFER`] wait for a reader with the transaction open.
    Numbers(usize),
    /// What `things` hold, before and after the test has met us twice.
    Things(Arc<Barrier>),
    /// How the transaction is set up.
    Settings,
    /// One record, and then nothing as it should be.
    Failing(Failure),
}

enum Failure {
    Database,
    Json,
    Panic,
}

impl ExportSource for TestExport {
    type Record = (String, String);

    fn record(section: String, json: String) -> Self::Record {
        (section, json)
    }

    async fn write(
        &self,
        conn: &mut PgConnection,
        _: uuid::Uuid,
        to: &RecordWriter<Self::Record>,
    ) -> Result<(), ExportError> {
        match self {
            Self::Numbers(n) => {
                for n in 1..=*n {
                    to.write("numbers", &n).await?;
                }
            }
            Self::Things(met) => {
                for section in ["before", "after"] {
                    to.write_all(section, sqlx::query_scalar::<_, i32>("select n from feed.things").fetch(&mut *conn))
                        .await?;
                    met.wait().await;
                    met.wait().await;
                }
            }
            Self::Settings => {
                for name in ["transaction_isolation", "transaction_read_only", "statement_timeout"] {
                    let set = sqlx::query_scalar::<_, String>("select current_setting($1)").bind(name);
                    to.write_all(name, set.fetch(&mut *conn)).await?;
                }
            }
            Self::Failing(how) => {
                to.write("numbers", &1).await?;
                match how {
                    Failure::Database => {
                        to.write_all("numbers", sqlx::query_scalar::<_, i32>("select 1 / 0").fetch(conn)).await?;
                    }
                    Failure::Json => to.write("numbers", &std::collections::HashMap::from([((1, 2), 3)])).await?,
                    Failure::Panic => panic!("a section panics, as this test means it to"),
                }
            }
        }
        Ok(())
    }
}

struct Stand {
    harness: Harness,
    pool: PgPool,
}

impl Stand {
    async fn new() -> Self {
        let harness = Harness::of("feed").database(&NO_TABLES).await.context();
        let pool = harness.context.database("feed", &NO_TABLES).await.unwrap();
        Self { harness, pool }
    }

    fn exports(&self, kept: TestExport) -> Exporter<TestExport> {
        Exporter::new(&self.harness.context, &self.pool, kept)
    }

    async fn transactions(&self) -> i64 {
        let open = "select count(*) from pg_stat_activity
            where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()";
        sqlx::query_scalar(open).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// Waits until so many exports hold a transaction.
    async fn wait_until_held(&self, held: i64) {
        let reached = async { while self.transactions().await != held {} };
        time::timeout(Duration::from_secs(20), reached).await.expect("exports take and give back their transactions");
    }
}

/// Waits until the buffer of an export is full.
async fn full(records: &RecordStream<(String, String)>) {
    let reached = async {
        while records.as_ref().len() < BUFFER {
            tokio::task::yield_now().await;
        }
    };
    time::timeout(Duration::from_secs(20), reached).await.expect("the export fills its buffer");
}

type Records = Vec<Result<(String, String), Status>>;

async fn read(records: RecordStream<(String, String)>) -> Records {
    records.collect().await
}

/// How it ended, after so many records.
fn cut(records_read: Records) -> (usize, StatusDetails) {
    let (end, records) = records_read.split_last().expect("an end");
    assert!(records.iter().all(Result::is_ok));
    (records.len(), StatusDetails::from(end.as_ref().expect_err("never as if it were complete")))
}

#[tokio::test]
async fn it_is_read_no_further_than_it_is_taken() {
    let stand = Stand::new().await;
    let mut records = stand.exports(TestExport::Numbers(10_000)).stream(member(1));
    full(&records).await;
    assert_eq!(records.next().await.unwrap().unwrap(), ("numbers".to_owned(), "1".to_owned()));
    full(&records).await;
    assert_eq!(records.as_ref().max_capacity(), BUFFER);
    let rest: Vec<String> = read(records).await.into_iter().map(|records_read| records_read.unwrap().1).collect();
    assert_eq!(rest, (2..=10_000).map(|n| n.to_string()).collect::<Vec<_>>());
    stand.wait_until_held(0).await;
}

#[tokio::test]
async fn it_is_of_one_moment() {
    let stand = Stand::new().await;
    stand
        .harness
        .database()
        .run("create table feed.things (n int primary key); insert into feed.things values (1)")
        .await;
    let met = Arc::new(Barrier::new(2));
    let records = stand.exports(TestExport::Things(Arc::clone(&met))).stream(member(1));
    met.wait().await;
    stand.harness.database().run("update feed.things set n = 2; insert into feed.things values (3)").await;
    for _ in 0..3 {
        met.wait().await;
    }
    let records_read: Vec<_> = read(records).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(records_read, [("before", "1"), ("after", "1")].map(|(section, n)| (section.to_owned(), n.to_owned())));
}

#[tokio::test]
async fn the_transaction_writes_nothing_and_may_take_its_time() {
    let stand = Stand::new().await;
    let records_read: Vec<_> =
        read(stand.exports(TestExport::Settings).stream(member(1))).await.into_iter().map(Result::unwrap).collect();
    let set: Vec<&str> = records_read.iter().map(|(_, set)| set.as_str()).collect();
    assert_eq!(set, [r#""repeatable read""#, r#""on""#, r#""0""#]);
    let left: String =
        sqlx::query_scalar("select current_setting('statement_timeout')").fetch_one(&stand.pool).await.unwrap();
    assert_ne!(left, "0", "and requests have theirs");
}

#[tokio::test]
async fn whatever_stops_it_it_does_not_end_as_if_it_were_complete() {
    let stand = Stand::new().await;
    for (how, code, reason) in [
        (Failure::Database, Code::InvalidArgument, "VALUE"),
        (Failure::Json, Code::Internal, "RECORD"),
        (Failure::Panic, Code::Internal, "PANIC"),
    ] {
        let records_read = read(stand.exports(TestExport::Failing(how)).stream(member(1))).await;
        assert_eq!(records_read.last().unwrap().as_ref().unwrap_err().code(), code, "{reason}");
        let (records, end) = cut(records_read);
        assert_eq!((records, end.reason.as_str()), (1, reason));
        stand.wait_until_held(0).await;
    }
}

#[tokio::test]
async fn a_third_waits_until_one_of_two_is_read() {
    let stand = Stand::new().await;
    let exports = stand.exports(TestExport::Numbers(1_000));
    let held = [(); MAX_CONCURRENT].map(|()| exports.stream(member(1)));
    for records in &held {
        full(records).await;
    }
    let third = exports.stream(member(2));
    // Many times what it takes to begin.
    for _ in 0..50 {
        assert_eq!(stand.transactions().await, 2);
    }
    assert!(third.as_ref().is_empty());
    let [first, second] = held;
    assert_eq!(read(first).await.len(), 1_000);
    full(&third).await;
    drop(second);
    assert_eq!(read(third).await.len(), 1_000);
}

#[tokio::test]
async fn a_reader_who_leaves_gives_everything_back() {
    let stand = Stand::new().await;
    let exports = stand.exports(TestExport::Numbers(1_000));
    for _ in 0..MAX_CONCURRENT * 3 {
        let mut records = exports.stream(member(1));
        assert!(records.next().await.unwrap().is_ok());
        full(&records).await;
        stand.wait_until_held(1).await;
        drop(records);
        stand.wait_until_held(0).await;
    }
}

#[tokio::test]
async fn a_reader_who_stops_reading_holds_nothing_for_long() {
    let stand = Stand::new().await;
    let exports = stand.exports(TestExport::Numbers(1_000));
    let idle = [(); MAX_CONCURRENT].map(|()| exports.stream(member(1)));
    for records in &idle {
        full(records).await;
    }
    let waiting = exports.stream(member(2));
    // Nothing but the idle readers' patience runs out here: the database is not asked while the clock is ours.
    time::pause();
    time::advance(WRITE_TIMEOUT - Duration::from_secs(1)).await;
    assert!(idle.iter().all(|records| records.as_ref().len() == BUFFER) && waiting.as_ref().is_empty());
    time::advance(Duration::from_secs(2)).await;
    time::resume();
    assert_eq!(read(waiting).await.len(), 1_000, "others get their places");
    stand.wait_until_held(0).await;
    for records in idle {
        let (records, end) = cut(read(records).await);
        assert_eq!((records, end.reason.as_str()), (BUFFER, "INTERRUPTED"));
    }
}

#[tokio::test]
async fn nor_one_who_reads_now_and_then_only() {
    let stand = Stand::new().await;
    let mut records = stand.exports(TestExport::Numbers(1_000)).stream(member(1));
    full(&records).await;
    let pause = WRITE_TIMEOUT - Duration::from_secs(10);
    time::pause();
    for taken in 0..MAX_DURATION.as_secs() / pause.as_secs() - 1 {
        time::advance(pause).await;
        assert!(
            records.next().now_or_never().flatten().is_some_and(|records_read| records_read.is_ok()),
            "after {taken}"
        );
        // The next one takes the place that became free.
        tokio::task::yield_now().await;
    }
    assert_eq!(records.as_ref().len(), BUFFER);
    time::advance(pause + Duration::from_secs(1)).await;
    time::resume();
    stand.wait_until_held(0).await;
    let (rest, end) = cut(read(records).await);
    assert_eq!((rest, end.reason.as_str()), (BUFFER, "INTERRUPTED"));
}

#[tokio::test]
async fn a_process_that_stops_waits_for_none_of_them() {
    let stand = Stand::new().await;
    let exports = stand.exports(TestExport::Numbers(1_000));
    let held = [(); MAX_CONCURRENT].map(|()| exports.stream(member(1)));
    for records in &held {
        full(records).await;
    }
    let waiting = exports.stream(member(2));
    // It closes the pool, which waits for the connections of all.
    time::timeout(Duration::from_secs(8), stand.harness.stop()).await.expect("nothing holds it up");
    assert!(stand.pool.is_closed());
    for (records, records_read) in held.into_iter().map(|records| (records, BUFFER)).chain([(waiting, 0)]) {
        let (before, end) = cut(read(records).await);
        assert_eq!((before, end.reason.as_str()), (records_read, "INTERRUPTED"));
    }
}

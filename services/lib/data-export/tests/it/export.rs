//! Exports: streamed at the speed of the reader, from one snapshot, and never truncated without an error.

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

/// The service of a test.
enum TestExport {
    /// The number of records: more than [`BUFFER`], so the export waits for its reader with an open transaction.
    Numbers(usize),
    /// The content of `items` before and after another transaction of the test.
    Items(Arc<Barrier>),
    /// The settings of the transaction.
    Settings,
    /// One record, and then a failure.
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
            Self::Items(met) => {
                for section in ["before", "after"] {
                    to.write_all(section, sqlx::query_scalar::<_, i32>("select n from feed.items").fetch(&mut *conn))
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
                    Failure::Panic => panic!("a section panics, as intended by this test"),
                }
            }
        }
        Ok(())
    }
}

struct Fixture {
    harness: Harness,
    pool: PgPool,
}

impl Fixture {
    async fn new() -> Self {
        let harness = Harness::of("feed").database(&NO_TABLES).await.context();
        let pool = harness.context.database("feed", &NO_TABLES).await.unwrap();
        Self { harness, pool }
    }

    fn exports(&self, export: TestExport) -> Exporter<TestExport> {
        Exporter::new(&self.harness.context, &self.pool, export)
    }

    async fn transactions(&self) -> i64 {
        let open = "select count(*) from pg_stat_activity
            where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()";
        sqlx::query_scalar(open).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// Waits until so many exports hold a transaction.
    async fn wait_until_held(&self, held: i64) {
        let reached = async {
            while self.transactions().await != held {
                testkit::pause().await;
            }
        };
        time::timeout(Duration::from_secs(120), reached).await.expect("exports acquire and release their transactions");
    }
}

/// Waits until the buffer of an export is full.
async fn wait_until_full(records: &RecordStream<(String, String)>) {
    let reached = async {
        while records.as_ref().len() < BUFFER {
            tokio::task::yield_now().await;
        }
    };
    time::timeout(Duration::from_secs(120), reached).await.expect("the export fills its buffer");
}

type Records = Vec<Result<(String, String), Status>>;

async fn read(records: RecordStream<(String, String)>) -> Records {
    records.collect().await
}

/// Asserts that it ended with this status after so many records.
fn assert_truncated(records_read: Records) -> (usize, StatusDetails) {
    let (end, records) = records_read.split_last().expect("an end");
    assert!(records.iter().all(Result::is_ok));
    (records.len(), StatusDetails::from(end.as_ref().expect_err("a truncated export must end with an error")))
}

#[tokio::test]
async fn rows_are_read_only_as_fast_as_the_reader_takes_them() {
    let fixture = Fixture::new().await;
    let mut records = fixture.exports(TestExport::Numbers(10_000)).stream(member(1));
    wait_until_full(&records).await;
    assert_eq!(records.next().await.unwrap().unwrap(), ("numbers".to_owned(), "1".to_owned()));
    wait_until_full(&records).await;
    assert_eq!(records.as_ref().max_capacity(), BUFFER);
    let rest: Vec<String> = read(records).await.into_iter().map(|records_read| records_read.unwrap().1).collect();
    assert_eq!(rest, (2..=10_000).map(|n| n.to_string()).collect::<Vec<_>>());
    fixture.wait_until_held(0).await;
}

#[tokio::test]
async fn an_export_is_one_snapshot() {
    let fixture = Fixture::new().await;
    fixture
        .harness
        .database()
        .run_as_owner("create table feed.items (n int primary key); insert into feed.items values (1)")
        .await;
    let met = Arc::new(Barrier::new(2));
    let records = fixture.exports(TestExport::Items(Arc::clone(&met))).stream(member(1));
    met.wait().await;
    fixture.harness.database().run("update feed.items set n = 2; insert into feed.items values (3)").await;
    for _ in 0..3 {
        met.wait().await;
    }
    let records_read: Vec<_> = read(records).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(records_read, [("before", "1"), ("after", "1")].map(|(section, n)| (section.to_owned(), n.to_owned())));
}

#[tokio::test]
async fn the_transaction_is_read_only_and_has_no_statement_timeout() {
    let fixture = Fixture::new().await;
    let records_read: Vec<_> =
        read(fixture.exports(TestExport::Settings).stream(member(1))).await.into_iter().map(Result::unwrap).collect();
    let set: Vec<&str> = records_read.iter().map(|(_, set)| set.as_str()).collect();
    assert_eq!(set, [r#""repeatable read""#, r#""on""#, r#""0""#]);
    let left: String =
        sqlx::query_scalar("select current_setting('statement_timeout')").fetch_one(&fixture.pool).await.unwrap();
    assert_ne!(left, "0", "requests have a timeout");
}

#[tokio::test]
async fn an_interrupted_export_ends_with_an_error() {
    let fixture = Fixture::new().await;
    for (how, code, reason) in [
        (Failure::Database, Code::InvalidArgument, "VALUE"),
        (Failure::Json, Code::Internal, "RECORD"),
        (Failure::Panic, Code::Internal, "PANIC"),
    ] {
        let records_read = read(fixture.exports(TestExport::Failing(how)).stream(member(1))).await;
        assert_eq!(records_read.last().unwrap().as_ref().unwrap_err().code(), code, "{reason}");
        let (records, end) = assert_truncated(records_read);
        assert_eq!((records, end.reason.as_str()), (1, reason));
        fixture.wait_until_held(0).await;
    }
}

#[tokio::test]
async fn a_third_export_waits_for_the_end_of_one() {
    let fixture = Fixture::new().await;
    let exports = fixture.exports(TestExport::Numbers(1_000));
    let held = [(); MAX_CONCURRENT].map(|()| exports.stream(member(1)));
    for records in &held {
        wait_until_full(records).await;
    }
    let third = exports.stream(member(2));
    // Many times the duration of a start.
    for _ in 0..50 {
        assert_eq!(fixture.transactions().await, 2);
    }
    assert!(third.as_ref().is_empty());
    let [first, second] = held;
    assert_eq!(read(first).await.len(), 1_000);
    wait_until_full(&third).await;
    drop(second);
    assert_eq!(read(third).await.len(), 1_000);
}

#[tokio::test]
async fn a_cancelled_export_releases_its_connection() {
    let fixture = Fixture::new().await;
    let exports = fixture.exports(TestExport::Numbers(1_000));
    for _ in 0..MAX_CONCURRENT * 3 {
        let mut records = exports.stream(member(1));
        assert!(records.next().await.unwrap().is_ok());
        wait_until_full(&records).await;
        fixture.wait_until_held(1).await;
        drop(records);
        fixture.wait_until_held(0).await;
    }
}

#[tokio::test]
async fn a_stalled_export_times_out() {
    let fixture = Fixture::new().await;
    let exports = fixture.exports(TestExport::Numbers(1_000));
    let idle = [(); MAX_CONCURRENT].map(|()| exports.stream(member(1)));
    for records in &idle {
        wait_until_full(records).await;
    }
    let waiting = exports.stream(member(2));
    // Only the timeouts of idle readers expire: no query runs while the clock is paused.
    time::pause();
    time::advance(WRITE_TIMEOUT - Duration::from_secs(1)).await;
    assert!(idle.iter().all(|records| records.as_ref().len() == BUFFER) && waiting.as_ref().is_empty());
    time::advance(Duration::from_secs(2)).await;
    time::resume();
    assert_eq!(read(waiting).await.len(), 1_000, "waiting exports get the permits");
    fixture.wait_until_held(0).await;
    for records in idle {
        let (records, end) = assert_truncated(read(records).await);
        assert_eq!((records, end.reason.as_str()), (BUFFER, "INTERRUPTED"));
    }
}

#[tokio::test]
async fn a_slow_export_times_out() {
    let fixture = Fixture::new().await;
    let mut records = fixture.exports(TestExport::Numbers(1_000)).stream(member(1));
    wait_until_full(&records).await;
    let pause = WRITE_TIMEOUT - Duration::from_secs(10);
    time::pause();
    for taken in 0..MAX_DURATION.as_secs() / pause.as_secs() - 1 {
        time::advance(pause).await;
        assert!(
            records.next().now_or_never().flatten().is_some_and(|records_read| records_read.is_ok()),
            "after {taken}"
        );
        // The next export takes the free permit.
        tokio::task::yield_now().await;
    }
    assert_eq!(records.as_ref().len(), BUFFER);
    time::advance(pause + Duration::from_secs(1)).await;
    time::resume();
    fixture.wait_until_held(0).await;
    let (rest, end) = assert_truncated(read(records).await);
    assert_eq!((rest, end.reason.as_str()), (BUFFER, "INTERRUPTED"));
}

#[tokio::test]
async fn a_shutdown_does_not_wait_for_exports() {
    let fixture = Fixture::new().await;
    let exports = fixture.exports(TestExport::Numbers(1_000));
    let held = [(); MAX_CONCURRENT].map(|()| exports.stream(member(1)));
    for records in &held {
        wait_until_full(records).await;
    }
    let waiting = exports.stream(member(2));
    // It closes the pool, which waits for all connections.
    time::timeout(Duration::from_secs(8), fixture.harness.stop()).await.expect("the shutdown is not delayed");
    assert!(fixture.pool.is_closed());
    for (records, records_read) in held.into_iter().map(|records| (records, BUFFER)).chain([(waiting, 0)]) {
        let (before, end) = assert_truncated(read(records).await);
        assert_eq!((before, end.reason.as_str()), (records_read, "INTERRUPTED"));
    }
}

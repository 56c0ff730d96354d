//! The cost of a crawl: a feed of articles and a board of postings, served by this machine, and a thousand concurrent
//! refreshes.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use serde::Serialize;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection};

use crate::{
    cpu,
    data_folder::DataFolder,
    fill::Progress,
    portia::Portia,
    sources::{self, Sources},
};

/// The number of articles of the feed: the maximum of one crawl.
const STORIES: u32 = 500;
/// The number of postings of the board.
const POSTINGS: u32 = 10_000;
/// The number of concurrent refreshes.
const CONCURRENT: usize = 1_000;
/// The timeout of a crawl.
const TIMEOUT: Duration = Duration::from_secs(300);
/// The polling interval.
const POLL: Duration = Duration::from_millis(50);

/// The result of the measurement.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Memory of the whole Portia, all its services, before the first crawl, in KiB.
    pub idle_kib: u64,
    /// The feed and the board, each with only new items and again with none.
    pub crawls: Vec<Crawl>,
    /// The concurrent refreshes.
    pub refresh: RefreshBurst,
}

/// One crawl.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Crawl {
    /// The name of the source.
    pub what: String,
    /// Bytes of the response of the source.
    pub bytes: usize,
    /// The number of items.
    pub items: i64,
    /// The number of new items.
    pub new_items: i64,
    /// The duration.
    pub seconds: f64,
    /// Items per second.
    pub rate: f64,
    /// Processor time of Portia and Postgres during the crawl.
    pub cpu_ms: u64,
    /// Peak memory of Portia during the crawl, in KiB.
    pub peak_kib: u64,
    /// Memory before the crawl.
    pub before_kib: u64,
}

/// The result of a thousand concurrent refreshes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RefreshBurst {
    /// The number of requests.
    pub asked: usize,
    /// Responses by status.
    pub answers: BTreeMap<u16, usize>,
    /// The number of requests that the source received.
    pub crawls: usize,
    /// The time until all were completed.
    pub seconds: f64,
}

/// A crawled source: the schema of its service, and a part of its path.
struct Kind {
    schema: &'static str,
    part: &'static str,
}

const NEWS: Kind = Kind { schema: "news", part: "/feed" };
const JOBS: Kind = Kind { schema: "jobs", part: "/boards/bench/" };

/// Starts `program` on a new folder, with a local feed and a local board as its only sources.
///
/// # Errors
/// When the machine is not Linux, the folder is not empty, or a crawl fails.
pub async fn measure(program: &Path, folder: &DataFolder, progress: Progress<'_>) -> anyhow::Result<Report> {
    cpu::available()?;
    anyhow::ensure!(
        !folder.is_taken(),
        "{} holds a Portia already: name a folder that is not there.",
        folder.path().display()
    );
    let sources = Sources::start().await?;
    let here = sources.address.to_string();
    let variables = [
        ("PORTIA_CRAWL", "on".to_owned()),
        ("PORTIA_CRAWL_ADMIT", here.clone()),
        ("PORTIA_NEWS_FEEDS", format!("bench=http://{here}/feed")),
        ("PORTIA_JOBS_SOURCES", "greenhouse:bench=Bench LLP".to_owned()),
        ("PORTIA_GREENHOUSE_URL", format!("http://{here}")),
    ];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    progress("Starting Portia with unavailable sources ...");
    let portia = Portia::start_with(program, folder, &variables)?;
    let (_, options) = folder.server()?;
    let mut db = options.connect().await?;
    let setup = Setup { portia, sources, client: reqwest::Client::builder().timeout(TIMEOUT).build()? };
    let mut crawls = Vec::new();
    // Both first crawls must have failed, so that they do not overlap a measured one.
    for kind in [&NEWS, &JOBS] {
        setup.wait_for_crawl(&mut db, kind, 0, false).await?;
    }
    let idle_kib = setup.memory("VmRSS")?;
    for (kind, what, page) in [
        (&NEWS, format!("a feed of {STORIES}"), sources::feed(STORIES)),
        (&JOBS, format!("a board of {POSTINGS}"), sources::board(POSTINGS)),
    ] {
        let bytes = page.body.len();
        setup.sources.serve(kind.part, Some(page));
        for again in ["", ", again"] {
            let what = format!("{what}{again}");
            progress(&format!("Crawling {what} ..."));
            crawls.push(setup.crawl(&mut db, kind, what, bytes).await?);
        }
    }
    progress(&format!("Refreshing {CONCURRENT} times at once ..."));
    let refresh = setup.refresh_burst(&mut db).await?;
    db.close().await?;
    setup.portia.stop()?;
    // The folder was created for this measurement.
    fs::remove_dir_all(folder.path()).with_context(|| format!("{} cannot be deleted", folder.path().display()))?;
    Ok(Report { idle_kib, crawls, refresh })
}

struct Setup {
    portia: Portia,
    sources: Sources,
    client: reqwest::Client,
}

impl Setup {
    /// Makes a source due, and waits for the end of its crawl.
    async fn crawl(&self, db: &mut PgConnection, kind: &Kind, what: String, bytes: usize) -> anyhow::Result<Crawl> {
        let ended = self.ended(db, kind).await?;
        self.reset_peak_memory()?;
        let (before_kib, cpu) = (self.memory("VmRSS")?, self.cpu()?);
        let statement = format!("update {}.sources set due_at = '2000-01-01' where is_on", kind.schema);
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *db).await?;
        self.wait_for_crawl(db, kind, ended, true).await?;
        let items: i64 = last(db, kind, "found::bigint").await?;
        let new_items: i64 = last(db, kind, "new_items::bigint").await?;
        let seconds: f64 = last(db, kind, "extract(epoch from ended_at - started_at)::float8").await?;
        Ok(Crawl {
            what,
            bytes,
            items,
            new_items,
            seconds,
            rate: items as f64 / seconds.max(0.001),
            cpu_ms: self.cpu()?.saturating_sub(cpu),
            peak_kib: self.memory("VmHWM")?,
            before_kib,
        })
    }

    /// A thousand concurrent visitors.
    async fn refresh_burst(&self, db: &mut PgConnection) -> anyhow::Result<RefreshBurst> {
        let (before, ended) = (self.sources.request_count(JOBS.part), self.ended(db, &JOBS).await?);
        let began = Instant::now();
        let mut asking = tokio::task::JoinSet::new();
        for _ in 0..CONCURRENT {
            let (client, base) = (self.client.clone(), self.portia.base.clone());
            asking.spawn(async move { refresh_jobs(&client, &base).await });
        }
        let mut answers = BTreeMap::new();
        while let Some(answer) = asking.join_next().await {
            *answers.entry(answer??).or_default() += 1;
        }
        let seconds = began.elapsed().as_secs_f64();
        self.wait_for_crawl(db, &JOBS, ended, true).await?;
        Ok(RefreshBurst { asked: CONCURRENT, answers, crawls: self.sources.request_count(JOBS.part) - before, seconds })
    }

    /// Waits for the end of a crawl that is not in the list, successful or not.
    async fn wait_for_crawl(&self, db: &mut PgConnection, kind: &Kind, ended: i64, well: bool) -> anyhow::Result<()> {
        let began = Instant::now();
        while self.ended(db, kind).await? <= ended {
            anyhow::ensure!(began.elapsed() < TIMEOUT, "{} does not end its crawl", kind.schema);
            tokio::time::sleep(POLL).await;
        }
        let failure: String = last(db, kind, "coalesce(failure, '')").await?;
        anyhow::ensure!(well == failure.is_empty(), "the crawl of {} ended with '{failure}'", kind.schema);
        Ok(())
    }

    async fn ended(&self, db: &mut PgConnection, kind: &Kind) -> anyhow::Result<i64> {
        let statement = format!("select count(*) from {}.crawls where ended_at is not null", kind.schema);
        Ok(sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(db).await?)
    }

    fn cpu(&self) -> anyhow::Result<u64> {
        cpu::millis([self.portia.process()], self.portia.postgres)
    }

    /// proc(5): writing 5 resets the peak.
    fn reset_peak_memory(&self) -> anyhow::Result<()> {
        let path = format!("/proc/{}/clear_refs", self.portia.process());
        fs::write(&path, "5").with_context(|| format!("{path} cannot be written"))
    }

    /// A line of proc(5)'s status, in KiB.
    fn memory(&self, what: &str) -> anyhow::Result<u64> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.portia.process()))?;
        let line = text.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
        let number = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        number.with_context(|| format!("there is no {what}"))
    }
}

/// Sends a refresh of the jobs.
async fn refresh_jobs(client: &reqwest::Client, base: &str) -> anyhow::Result<u16> {
    let answer = client.post(format!("{base}/api/jobs/refresh")).header("sec-fetch-site", "same-origin").send().await?;
    let status = answer.status().as_u16();
    answer.bytes().await?;
    Ok(status)
}

/// The last completed crawl.
async fn last<T>(db: &mut PgConnection, kind: &Kind, what: &str) -> anyhow::Result<T>
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
{
    let statement =
        format!("select {what} from {}.crawls where ended_at is not null order by ended_at desc limit 1", kind.schema);
    Ok(sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(db).await?)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |kib: u64| kib as f64 / 1_024.0;
        writeln!(f, "All of Portia in one process; {:.0} MiB before it took anything in.\n", mib(self.idle_kib))?;
        writeln!(
            f,
            "  {:<28} {:>8} {:>7} {:>7} {:>8} {:>8} {:>8} {:>9} {:>9}",
            "crawl", "MiB sent", "items", "new", "seconds", "items/s", "CPU-ms", "MiB peak", "MiB rise"
        )?;
        for taken in &self.crawls {
            writeln!(
                f,
                "  {:<28} {:>8.1} {:>7} {:>7} {:>8.2} {:>8.0} {:>8} {:>9.0} {:>9.0}",
                taken.what,
                taken.bytes as f64 / 1_048_576.0,
                taken.items,
                taken.new_items,
                taken.seconds,
                taken.rate,
                taken.cpu_ms,
                mib(taken.peak_kib),
                mib(taken.peak_kib.saturating_sub(taken.before_kib)),
            )?;
        }
        let RefreshBurst { asked, answers, crawls, seconds } = &self.refresh;
        writeln!(f, "\n{asked} refreshes at once: {crawls} crawl(s), answers {answers:?}, all within {seconds:.2} s")
    }
}

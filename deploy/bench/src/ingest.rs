//! What taking in costs: a feed of stories and a board of postings, crawled from this machine, and a thousand who press
//! Refresh at once.

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
    fill::Say,
    place::Place,
    portia::Portia,
    sources::{self, Sources},
};

/// Stories of the feed: as many as one is read for.
const STORIES: u32 = 500;
/// Postings of the board.
const POSTINGS: u32 = 10_000;
/// Who press Refresh at once.
const AT_ONCE: usize = 1_000;
/// A crawl that has not ended by then does not.
const PATIENCE: Duration = Duration::from_secs(300);
/// Between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// Everything that was measured.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Memory of the whole Portia, all its services, before anything was taken in, in KiB.
    pub idle_kib: u64,
    /// The feed and the board, each when all of it is new and again when nothing is.
    pub crawls: Vec<Taken>,
    /// The thousand.
    pub refresh: Refreshed,
}

/// One crawl.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// What was crawled.
    pub what: String,
    /// Bytes the source sent.
    pub bytes: usize,
    /// Items in it.
    pub items: i64,
    /// Those that were new.
    pub new_items: i64,
    /// From its beginning to its end.
    pub seconds: f64,
    /// Items a second.
    pub rate: f64,
    /// Processor time of Portia and Postgres meanwhile.
    pub cpu_ms: u64,
    /// The most memory Portia had meanwhile, in KiB.
    pub peak_kib: u64,
    /// And before.
    pub before_kib: u64,
}

/// What a thousand refreshes at once came to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    /// Asked.
    pub asked: usize,
    /// Answers by status.
    pub answers: BTreeMap<u16, usize>,
    /// How often the source was asked for it.
    pub crawls: usize,
    /// Until all were answered.
    pub seconds: f64,
}

/// A crawled source: the schema of its service, and a part of its path.
struct Kind {
    schema: &'static str,
    part: &'static str,
}

const NEWS: Kind = Kind { schema: "news", part: "/feed" };
const JOBS: Kind = Kind { schema: "jobs", part: "/boards/bench/" };

/// Starts `program` on a new folder, with a feed and a board of this machine's for its only sources.
///
/// # Errors
/// When the machine is not Linux, the folder is taken, or a crawl fails.
pub async fn measure(program: &Path, place: &Place, say: Say<'_>) -> anyhow::Result<Report> {
    cpu::available()?;
    anyhow::ensure!(
        !place.is_taken(),
        "{} holds a Portia already: name a folder that is not there.",
        place.path().display()
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
    say("Starting Portia, whose sources are away ...");
    let portia = Portia::start_with(program, place, &variables)?;
    let (_, options) = place.server()?;
    let mut db = options.connect().await?;
    let stand = Stand { portia, sources, client: reqwest::Client::builder().timeout(PATIENCE).build()? };
    let mut crawls = Vec::new();
    // Until both were found away, so that no crawl of the start's is measured with another.
    for kind in [&NEWS, &JOBS] {
        stand.until(&mut db, kind, 0, false).await?;
    }
    let idle_kib = stand.memory("VmRSS")?;
    for (kind, what, page) in [
        (&NEWS, format!("a feed of {STORIES}"), sources::feed(STORIES)),
        (&JOBS, format!("a board of {POSTINGS}"), sources::board(POSTINGS)),
    ] {
        let bytes = page.body.len();
        stand.sources.serve(kind.part, Some(page));
        for again in ["", ", again"] {
            let what = format!("{what}{again}");
            say(&format!("Crawling {what} ..."));
            crawls.push(stand.crawl(&mut db, kind, what, bytes).await?);
        }
    }
    say(&format!("Refreshing {AT_ONCE} times at once ..."));
    let refresh = stand.storm(&mut db).await?;
    db.close().await?;
    stand.portia.stop()?;
    // It was made for this.
    fs::remove_dir_all(place.path()).with_context(|| format!("{} cannot be deleted", place.path().display()))?;
    Ok(Report { idle_kib, crawls, refresh })
}

struct Stand {
    portia: Portia,
    sources: Sources,
    client: reqwest::Client,
}

impl Stand {
    /// Makes a source due, and waits for the end of its crawl.
    async fn crawl(&self, db: &mut PgConnection, kind: &Kind, what: String, bytes: usize) -> anyhow::Result<Taken> {
        let ended = self.ended(db, kind).await?;
        self.forget_peak()?;
        let (before_kib, cpu) = (self.memory("VmRSS")?, self.cpu()?);
        let statement = format!("update {}.sources set due_at = '2000-01-01' where is_on", kind.schema);
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *db).await?;
        self.until(db, kind, ended, true).await?;
        let items: i64 = last(db, kind, "found::bigint").await?;
        let new_items: i64 = last(db, kind, "new_items::bigint").await?;
        let seconds: f64 = last(db, kind, "extract(epoch from ended_at - started_at)::float8").await?;
        Ok(Taken {
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

    /// A thousand visitors at once, the first who ever do.
    async fn storm(&self, db: &mut PgConnection) -> anyhow::Result<Refreshed> {
        let (before, ended) = (self.sources.asked(JOBS.part), self.ended(db, &JOBS).await?);
        let began = Instant::now();
        let mut asking = tokio::task::JoinSet::new();
        for _ in 0..AT_ONCE {
            let (client, base) = (self.client.clone(), self.portia.base.clone());
            asking.spawn(async move { press(&client, &base).await });
        }
        let mut answers = BTreeMap::new();
        while let Some(answer) = asking.join_next().await {
            *answers.entry(answer??).or_default() += 1;
        }
        let seconds = began.elapsed().as_secs_f64();
        self.until(db, &JOBS, ended, true).await?;
        Ok(Refreshed { asked: AT_ONCE, answers, crawls: self.sources.asked(JOBS.part) - before, seconds })
    }

    /// Waits until another crawl than those has ended, well or not.
    async fn until(&self, db: &mut PgConnection, kind: &Kind, ended: i64, well: bool) -> anyhow::Result<()> {
        let began = Instant::now();
        while self.ended(db, kind).await? <= ended {
            anyhow::ensure!(began.elapsed() < PATIENCE, "{} does not end its crawl", kind.schema);
            tokio::time::sleep(LOOK).await;
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
        cpu::millis(self.portia.process(), self.portia.postgres)
    }

    /// proc(5): 5 resets the peak.
    fn forget_peak(&self) -> anyhow::Result<()> {
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

/// Refresh Jobs.
async fn press(client: &reqwest::Client, base: &str) -> anyhow::Result<u16> {
    let answer = client.post(format!("{base}/api/jobs/refresh")).header("sec-fetch-site", "same-origin").send().await?;
    let status = answer.status().as_u16();
    answer.bytes().await?;
    Ok(status)
}

/// What the last crawl that has ended says of itself.
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
        let Refreshed { asked, answers, crawls, seconds } = &self.refresh;
        writeln!(f, "\n{asked} refreshes at once: {crawls} crawl(s), answers {answers:?}, all within {seconds:.2} s")
    }
}

//! The bare contestant: one axum server with one prepared statement a request on tables of its own, without sessions, blocks,
//! communities, facts and processes in between. Its cost is the least that a request of Portia could cost.
//!
//! Its tables are copies of Portia's rows in the same database, so that both have the same server, settings and data.

mod queries;
mod server;

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::Context as _;
use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};

use crate::fill::Progress;

pub use server::serve;

/// Its output when it is ready.
const READY: &str = "Bare is at ";
/// The variable with the URL of the database: the arguments of a process are visible to every user of the machine.
pub const DATABASE: &str = "BENCH_DATABASE_URL";

/// Copies the rows, unless a previous measurement did.
///
/// # Errors
/// When this is not a database of Portia.
pub async fn ensure_tables(db: &mut PgConnection, progress: Progress<'_>) -> anyhow::Result<()> {
    let exist: bool = sqlx::query_scalar("select exists (select from pg_namespace where nspname = 'bare')")
        .fetch_one(&mut *db)
        .await?;
    if exist {
        return Ok(());
    }
    progress("Copying the rows for the bare server ...");
    let mut transaction = db.begin().await?;
    sqlx::raw_sql(include_str!("bare/tables.sql")).execute(&mut *transaction).await?;
    transaction.commit().await?;
    for table in ["members", "posts", "comments", "likes", "connections", "participants"] {
        let vacuum = sqlx::AssertSqlSafe(format!("vacuum (analyze) bare.{table}"));
        sqlx::raw_sql(vacuum).execute(&mut *db).await?;
    }
    Ok(())
}

/// A running bare server; killed when dropped, because it has nothing to finish.
#[derive(Debug)]
pub struct Bare {
    child: Child,
    /// Its address.
    pub base: String,
}

impl Bare {
    /// Starts `program` (`portia-bench`) as a bare server. Blocks until it listens.
    ///
    /// # Errors
    /// When it ends before that.
    pub fn start(program: &Path, database: &PgConnectOptions) -> anyhow::Result<Self> {
        use sqlx::ConnectOptions as _;

        let mut command = Command::new(program);
        command.arg("bare").env(DATABASE, database.to_url_lossy().as_str());
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{} could not be started", program.display()))?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("it has no output")?).read_line(&mut line)?;
        let Some(base) = line.strip_prefix(READY) else {
            let ended = child.wait()?;
            anyhow::bail!("the bare server ended before it listened ({ended})");
        };
        Ok(Self { base: base.trim().to_owned(), child })
    }

    /// Its process id.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

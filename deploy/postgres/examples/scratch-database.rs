//! Creates a bootstrapped database and applies SQL files to it, or drops it again; `cargo xtask` runs it.
//!
//! It is an example rather than a part of xtask, so that `cargo xtask up` on a new machine does not wait for a database
//! driver to compile.

use std::{env, fs, process::ExitCode};

use portia_postgres::BOOTSTRAP;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, postgres::PgConnectOptions};

const USAGE: &str = "usage: scratch-database create <url> <name> [file.sql ...] | drop <url> <name>";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["create", url, name, files @ ..] => create(url, name, files).await,
        ["drop", url, name] => drop_database(url, name).await,
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

async fn create(url: &str, name: &str, files: &[&str]) -> Result<()> {
    drop_database(url, name).await?;
    let options: PgConnectOptions = url.parse()?;
    let mut admin = PgConnection::connect_with(&options).await?;
    admin.execute(AssertSqlSafe(format!(r#"create database "{name}""#))).await?;

    let mut fresh = PgConnection::connect_with(&options.database(name)).await?;
    fresh.execute(sqlx::raw_sql(BOOTSTRAP)).await?;
    for file in files {
        let sql = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let applied = fresh.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await;
        applied.map_err(|error| format!("{file}: {error}"))?;
    }
    fresh.close().await?;
    Ok(admin.close().await?)
}

async fn drop_database(url: &str, name: &str) -> Result<()> {
    let mut admin = PgConnection::connect(url).await?;
    admin.execute(AssertSqlSafe(format!(r#"drop database if exists "{name}" with (force)"#))).await?;
    Ok(admin.close().await?)
}

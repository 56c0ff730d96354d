//! `portia-bench`, the program of `cargo xtask seed` and `cargo xtask bench`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use clap::{Parser, Subcommand};
use portia_bench::{
    bare, client::Member, compare, data_folder::DataFolder, effort::Effort, explain, facts, ingest, live, report, seed,
    size::Size,
};
use serde::Serialize;

/// Fill a Portia with data of any size, and measure the cost of its requests
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    /// The standalone Portia
    #[arg(long, global = true, default_value = "target/release/portia")]
    portia: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fill a data folder
    Seed {
        /// S, M, L or a number of members
        #[arg(long)]
        size: Size,
        /// The folder
        #[arg(long)]
        data: PathBuf,
        /// The time of the generated data: the same size and time give the same rows [default: this hour]
        #[arg(long, value_name = "RFC 3339")]
        as_of: Option<DateTime<Utc>>,
    },
    /// Measure filled folders beside a bare server, interleaved, and print the table of goals
    Compare {
        /// The folders
        #[arg(long, required = true)]
        data: Vec<PathBuf>,
        /// Seconds per row
        #[arg(long, default_value_t = 10.0)]
        seconds: f64,
        /// A file for the numbers as JSON
        #[arg(long)]
        json: PathBuf,
        /// A file to which the table is appended
        #[arg(long, requires = "commit")]
        results: Option<PathBuf>,
        /// The measured commit
        #[arg(long)]
        commit: Option<String>,
        /// A folder with the programs of the services and the gateway: these eight processes are measured as well
        #[arg(long)]
        processes: Option<PathBuf>,
    },
    /// Serve the bare server; `compare` starts it
    #[command(hide = true)]
    Bare {
        /// The URL of the database
        #[arg(env = bare::DATABASE, hide_env_values = true)]
        database: String,
    },
    /// Measure every route of filled folders, interleaved
    Report {
        /// The folders
        #[arg(long, required = true)]
        data: Vec<PathBuf>,
        /// Seconds per route
        #[arg(long, default_value_t = 10.0)]
        seconds: f64,
        /// A file for the numbers as JSON
        #[arg(long)]
        json: PathBuf,
    },
    /// Measure the cost of crawling a feed and a board that this machine serves
    Ingest {
        /// A folder that does not exist yet
        #[arg(long)]
        data: PathBuf,
        /// A file for the numbers as JSON
        #[arg(long)]
        json: PathBuf,
    },
    /// Measure the consumption of a backlog of facts
    Facts {
        /// S, M, L or a number of members
        #[arg(long)]
        size: Size,
        /// The facts of each kind
        #[arg(long, default_value_t = 10_000)]
        facts: u32,
        /// A folder that does not exist yet
        #[arg(long)]
        data: PathBuf,
        /// A file for the numbers as JSON
        #[arg(long)]
        json: PathBuf,
    },
    /// Measure the delay of a message on a running Portia, through two of its gateways if it has two
    Live {
        /// The gateway of the sender
        #[arg(long)]
        sender_at: String,
        /// The gateway of the reader
        #[arg(long)]
        reader_at: String,
        /// The usernames of the sender and the reader
        #[arg(long, num_args = 2, value_names = ["SENDER", "READER"])]
        usernames: Vec<String>,
        /// The password of both
        #[arg(long)]
        password: String,
        /// The number of messages
        #[arg(long, default_value_t = 1_000)]
        messages: u32,
    },
    /// Show the query plans of each list
    Explain {
        /// The folder
        #[arg(long)]
        data: PathBuf,
        /// A file for the plans as JSON
        #[arg(long)]
        json: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("there is no runtime")
        .and_then(|runtime| runtime.block_on(run(&arguments.portia, arguments.command)));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn progress(line: &str) {
    eprintln!("\u{2022} {line}");
}

async fn run(portia: &Path, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Seed { size, data, as_of } => {
            let folder = DataFolder::at(&data)?;
            let note = seed::ensure(portia, &folder, size, as_of, &progress).await?;
            println!("{} members and {} posts are in {}", note.members, note.posts, folder.path().display());
            println!("Password of every member: {}; sign in as {}", note.password, note.typical.join(", "));
        }
        Command::Compare { data, seconds, json, results, commit, processes } => {
            let folders = folders(&data, seconds)?;
            let bench = std::env::current_exe()?;
            let programs = compare::Programs { portia, bench: &bench, processes: processes.as_deref() };
            let compared = compare::measure(programs, &folders, Effort::regular(seconds), &progress).await?;
            println!("{compared}");
            write(&json, &compared)?;
            anyhow::ensure!(compared.is_clean(), "Some requests failed: these numbers are invalid.");
            if let Some((results, commit)) = results.zip(commit) {
                let is_kept = compare::append(&results, &commit, &compared)?;
                let kept = if is_kept { "Appended to" } else { "Too busy a machine: not appended to" };
                progress(&format!("{kept} {}", results.display()));
            }
        }
        Command::Bare { database } => bare::serve(database.parse()?).await?,
        Command::Report { data, seconds, json } => {
            let folders = folders(&data, seconds)?;
            let effort = Effort { rounds: 10, ..Effort::regular(seconds) };
            let report = report::measure(portia, &folders, effort, &progress).await?;
            println!("{report}");
            write(&json, &report)?;
            anyhow::ensure!(report.is_clean(), "Some requests failed: these numbers are invalid.");
        }
        Command::Ingest { data, json } => {
            let report = ingest::measure(portia, &DataFolder::at(&data)?, &progress).await?;
            println!("{report}");
            write(&json, &report)?;
            anyhow::ensure!(report.refresh.crawls <= 1, "Refresh had one source crawled more than once.");
        }
        Command::Facts { size, facts, data, json } => {
            let folder = DataFolder::at(&data)?;
            anyhow::ensure!(!folder.is_taken(), "{} holds a Portia already", folder.path().display());
            seed::ensure(portia, &folder, size, None, &progress).await?;
            let report = facts::measure(portia, &folder, facts, &progress).await?;
            println!("{report}");
            write(&json, &report)?;
            // The folder was created for this measurement.
            fs::remove_dir_all(folder.path())?;
        }
        Command::Live { sender_at, reader_at, usernames, password, messages } => {
            let [sender, reader] = usernames.as_slice() else { anyhow::bail!("--usernames are two") };
            let sender = Member::sign_in(&sender_at, sender, &password).await?;
            let reader = Member::sign_in(&reader_at, reader, &password).await?;
            println!("{}", live::measure(&sender, &reader, messages).await?);
        }
        Command::Explain { data, json } => {
            let explained =
                explain::explain(portia, &DataFolder::at(&data)?, explain::WARM_UP_REQUESTS, &progress).await?;
            println!("{explained}");
            write(&json, &explained)?;
        }
    }
    Ok(())
}

fn folders(data: &[PathBuf], seconds: f64) -> anyhow::Result<Vec<DataFolder>> {
    anyhow::ensure!((0.1..=3_600.0).contains(&seconds), "--seconds is from 0.1 to 3600");
    data.iter().map(|path| DataFolder::at(path)).collect()
}

fn write(path: &Path, what: &impl Serialize) -> anyhow::Result<()> {
    fs::write(path, serde_json::to_vec_pretty(what)?)
        .with_context(|| format!("{} cannot be written", path.display()))?;
    progress(&format!("Also in {}", path.display()));
    Ok(())
}

//! `portia-bench`: what `cargo xtask seed` and `cargo xtask bench` run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use clap::{Parser, Subcommand};
use portia_bench::{client::Member, explain, ingest, live, place::Place, report, seed, size::Size};
use serde::Serialize;

/// A Portia of any size, and what its requests cost.
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
        /// The moment it is to be: the same size and moment give the same rows [default: this hour]
        #[arg(long, value_name = "RFC 3339")]
        as_of: Option<DateTime<Utc>>,
    },
    /// Measure filled folders, in turn
    Report {
        /// The folders
        #[arg(long, required = true)]
        data: Vec<PathBuf>,
        /// For how long each route is asked for
        #[arg(long, default_value_t = 10.0)]
        seconds: f64,
        /// Where the numbers go as JSON
        #[arg(long)]
        json: PathBuf,
    },
    /// Measure what crawling a feed and a board of this machine's costs
    Ingest {
        /// A folder that is not there yet
        #[arg(long)]
        data: PathBuf,
        /// Where the numbers go as JSON
        #[arg(long)]
        json: PathBuf,
    },
    /// Measure how soon a message is seen, on a Portia that runs: through two gateways of it, if it has two
    Live {
        /// Where the sender asks
        #[arg(long)]
        sender_at: String,
        /// Where the reader looks
        #[arg(long)]
        reader_at: String,
        /// The sender's username and the reader's
        #[arg(long, num_args = 2, value_names = ["SENDER", "READER"])]
        usernames: Vec<String>,
        /// Both have it
        #[arg(long)]
        password: String,
        /// How many
        #[arg(long, default_value_t = 1_000)]
        messages: u32,
    },
    /// Show what Postgres does for each list
    Explain {
        /// The folder
        #[arg(long)]
        data: PathBuf,
        /// Where the plans go as JSON
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

fn say(line: &str) {
    eprintln!("\u{2022} {line}");
}

async fn run(portia: &Path, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Seed { size, data, as_of } => {
            let place = Place::at(&data)?;
            let note = seed::ensure(portia, &place, size, as_of, &say).await?;
            println!("{} members and {} posts are in {}", note.members, note.posts, place.path().display());
            println!("Password of every member: {}; sign in as {}", note.password, note.typical.join(", "));
        }
        Command::Report { data, seconds, json } => {
            anyhow::ensure!((0.1..=3_600.0).contains(&seconds), "--seconds is from 0.1 to 3600");
            let places: Vec<Place> = data.iter().map(|path| Place::at(path)).collect::<anyhow::Result<_>>()?;
            let report = report::measure(portia, &places, seconds, &say).await?;
            println!("{report}");
            write(&json, &report)?;
            anyhow::ensure!(report.is_clean(), "Some requests were not answered: these numbers are worth nothing.");
        }
        Command::Ingest { data, json } => {
            let report = ingest::measure(portia, &Place::at(&data)?, &say).await?;
            println!("{report}");
            write(&json, &report)?;
            anyhow::ensure!(report.refresh.crawls <= 1, "Refresh had one source crawled more than once.");
        }
        Command::Live { sender_at, reader_at, usernames, password, messages } => {
            let [sender, reader] = usernames.as_slice() else { anyhow::bail!("--usernames are two") };
            let sender = Member::sign_in(&sender_at, sender, &password).await?;
            let reader = Member::sign_in(&reader_at, reader, &password).await?;
            println!("{}", live::measure(&sender, &reader, messages).await?);
        }
        Command::Explain { data, json } => {
            let explained = explain::explain(portia, &Place::at(&data)?, explain::WARM, &say).await?;
            println!("{explained}");
            write(&json, &explained)?;
        }
    }
    Ok(())
}

fn write(path: &Path, what: &impl Serialize) -> anyhow::Result<()> {
    fs::write(path, serde_json::to_vec_pretty(what)?)
        .with_context(|| format!("{} cannot be written", path.display()))?;
    say(&format!("Also in {}", path.display()));
    Ok(())
}

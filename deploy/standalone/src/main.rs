//! `portia`: the whole product on one machine, and the keys of a distributed installation.

use std::{net::SocketAddr, path::PathBuf, pin::pin, process::ExitCode, time::SystemTime};

use anyhow::Context as _;
use chassis::{
    config::{Encryption, Source, variables},
    lifecycle::{self, StopSignal},
};
use clap::{Parser, Subcommand};
use portia::{
    admin, certificates, key_rotation, keys,
    output::{self, print_progress},
    stack::{Options, Stack},
};

/// Portia in one process on a private Postgres.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(flatten)]
    run: Run,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Args)]
struct Run {
    /// The port to listen on, on 127.0.0.1
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The folder for database, keys and pictures
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// Start without the demo members and posts
    #[arg(long)]
    empty: bool,
    /// The build of the web client
    #[arg(long, default_value = "web/dist")]
    web: PathBuf,
}

#[derive(Subcommand)]
enum Command {
    /// Create the keys and certificates of a distributed installation, and renew old certificates
    #[command(args_conflicts_with_subcommands = true)]
    Keys {
        #[command(subcommand)]
        change: Option<KeyChange>,
        /// The folder to write them to
        #[arg(long, required = true)]
        dir: Option<PathBuf>,
    },
    /// Migrate the schemas of a distributed installation, before its processes start
    Migrate,
    /// Print every variable of the environment, in Markdown
    Config,
    /// Operate the Portia that runs on this machine
    #[command(subcommand)]
    Admin(admin::Command),
}

#[derive(Subcommand)]
enum KeyChange {
    /// Sign with the next keys, and announce further ones
    Rotate {
        /// The folder with the keys
        #[arg(long)]
        dir: PathBuf,
    },
    /// Remove the public keys that sign no longer
    Prune {
        /// The folder with the keys
        #[arg(long)]
        dir: PathBuf,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(Command::Keys { change, dir }) => print(change_keys(change, dir)),
        Some(Command::Migrate) => lifecycle::block_on("portia", migrate()),
        Some(Command::Config) => print(Ok(variables::page())),
        Some(Command::Admin(command)) => {
            lifecycle::block_on("portia", async { admin::run(command, &Source::environment()?).await })
        }
        None => lifecycle::block_on("portia", run(arguments.run)),
    }
}

/// Prints the result of a command.
fn print(text: anyhow::Result<String>) -> ExitCode {
    match text.and_then(|text| Ok(output::print(&text)?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("portia: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns what is said to the operator.
fn change_keys(change: Option<KeyChange>, dir: Option<PathBuf>) -> anyhow::Result<String> {
    match change {
        None => {
            let dir = dir.context("--dir is missing")?;
            keys::ensure(&dir)?;
            certificates::ensure(&dir.join("tls"))?;
            Ok(String::new())
        }
        Some(KeyChange::Rotate { dir }) => Ok(format!("{}\n", key_rotation::rotate(&dir, SystemTime::now())?)),
        Some(KeyChange::Prune { dir }) => Ok(format!("{}\n", key_rotation::prune(&dir, SystemTime::now())?)),
    }
}

async fn migrate() -> anyhow::Result<()> {
    let config = Source::environment()?;
    let telemetry = telemetry::start(log_settings(&config, "info,sqlx=warn")?)?;
    portia::migrate::run(&config, &print_progress).await?;
    telemetry.shutdown().await;
    Ok(())
}

/// Returns the log settings of a command, which prints its own output to the terminal.
fn log_settings(config: &Source, filter: &str) -> anyhow::Result<telemetry::Settings> {
    Ok(telemetry::Settings {
        filter: config.text("log").unwrap_or_else(|| filter.to_owned()),
        json: config.text("log_format").as_deref() == Some("json"),
        otlp_endpoint: config.text("otlp_endpoint"),
        otlp_certificate: config.text("otlp_certificate").map(PathBuf::from),
        sampling: config.sampling()?,
        ..telemetry::Settings::new("portia")
    })
}

/// Without a public origin only this machine can connect: limits of a client would protect nothing.
fn unlimited_on_loopback(config: Source) -> Source {
    let decided = ["rate_limit_scale", "connections_per_client", "public_origin", "trusted_hops"];
    if decided.iter().any(|field| config.is_set(field)) {
        return config;
    }
    config.with("rate_limit_scale", 1_000).with("connections_per_client", 8_192)
}

async fn run(arguments: Run) -> anyhow::Result<()> {
    let mut stop_signal = pin!(StopSignal::listen()?.received());
    let config = unlimited_on_loopback(Source::environment()?);
    if let Some(endpoint) = config.text("otlp_endpoint") {
        Encryption::read(&config)?.check_url("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint, "https")?;
    }
    // The terminal shows what this program prints; the log is for warnings and errors.
    let telemetry = telemetry::start(log_settings(&config, "warn,sqlx::query=error")?)?;
    telemetry::log_panics();
    let options = Options {
        listen: SocketAddr::from(([127, 0, 0, 1], arguments.port)),
        data: portia_postgres::home_for(&std::path::absolute(arguments.data)?)?,
        empty: arguments.empty,
        web: Some(arguments.web),
    };
    let stack = tokio::select! {
        stack = Stack::start(options, config, &print_progress) => stack?,
        () = &mut stop_signal => {
            // An interrupted start stops its Postgres; the next start continues.
            print_progress("\nStopped before it was ready.");
            return Ok(());
        }
    };
    print_progress(&format!("\nPortia is at http://{}\n", stack.address));
    for sign_in in &stack.sign_ins {
        print_progress(&format!("  sign in as {:<18} password {}", sign_in.username, sign_in.password));
    }
    print_progress("\nCtrl-C stops it.");
    stop_signal.await;
    print_progress("\nStopping ...");
    stack.stop().await?;
    telemetry.shutdown().await;
    print_progress("Stopped.");
    Ok(())
}

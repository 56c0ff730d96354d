//! `cargo xtask`: what people and CI type to run, test and check Portia.

mod command;
mod database;
mod sqlx;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Runs, tests and checks Portia.")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Start a Postgres for development, print its URL and keep it until Ctrl-C.
    Db(database::Db),
    /// Ask a real database about every query! and write the answers to services/<service>/.sqlx.
    Sqlx(sqlx::Sqlx),
}

fn main() -> ExitCode {
    let task = Arguments::parse().task;
    let done = Workspace::here().and_then(|workspace| match task {
        Task::Db(db) => db.run(&workspace),
        Task::Sqlx(sqlx) => sqlx.run(&workspace),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

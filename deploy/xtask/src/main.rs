//! `cargo xtask`: the commands that run, test and check Portia.

mod bench;
mod chaos;
mod check;
mod command;
mod configuration;
mod database;
mod dev;
mod fuzz;
mod generate;
mod mutate;
mod new;
mod openapi;
mod portia;
mod pypi;
mod sbom;
mod sqlx;
mod tally;
mod test;
mod up;
mod web;
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
    /// Build Portia and run it here: web client, seven services, gateway and database in one process.
    Up(up::Up),
    /// Run Portia for development: rebuild and restart it when a file is saved, with the web client's own server at the same address.
    Dev(dev::Dev),
    /// Write every file that follows from others: layout, described queries, API document and its types, page of variables, snapshots.
    Generate(generate::Generate),
    /// Write the skeleton of an RPC, a table, a fact or a kind of notifications in the places that know of it.
    New(new::New),
    /// Run every test, install missing programs first, and print the counts.
    Test(test::Test),
    /// Check format, lints, layers, contract, SQL, dependencies and generated files.
    Check(check::Check),
    /// Remove checks of the product, and prove that the tests of the whole notice each.
    Mutate(mutate::Mutate),
    /// Send generated requests to the API and compare the answers with gateway/openapi.json.
    Fuzz(fuzz::Fuzz),
    /// Fill a data folder with generated members and posts.
    Seed(bench::Seed),
    /// Measure the cost of requests on such data, or print the query plans of its lists.
    Bench(bench::Bench),
    /// Kill, suspend and disconnect processes under load, and verify every acknowledged write afterwards.
    Chaos(chaos::Chaos),
    /// Run a Postgres for development until Ctrl-C, and print its URL.
    Db(database::Db),
    /// Write the bills of materials of Rust and npm, in CycloneDX, into the build folder.
    Sbom(sbom::Sbom),
}

fn main() -> ExitCode {
    let task = Arguments::parse().task;
    let done = Workspace::here().and_then(|workspace| match task {
        Task::Up(up) => up.run(&workspace),
        Task::Dev(dev) => dev.run(&workspace),
        Task::Generate(generate) => generate.run(&workspace),
        Task::New(new) => new.run(&workspace),
        Task::Test(test) => test.run(&workspace),
        Task::Check(check) => check.run(&workspace),
        Task::Mutate(mutate) => mutate.run(&workspace),
        Task::Fuzz(fuzz) => fuzz.run(&workspace),
        Task::Seed(seed) => seed.run(&workspace),
        Task::Bench(bench) => bench.run(&workspace),
        Task::Chaos(chaos) => chaos.run(&workspace),
        Task::Db(db) => db.run(&workspace),
        Task::Sbom(sbom) => sbom.run(&workspace),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

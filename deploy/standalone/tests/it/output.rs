//! The output of the program: its security log, and when its reader leaves, as in `portia config | head`.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _, pipe},
    process::{Command, Output, Stdio},
};

use chassis::config::Source;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use portia::{database::Database, folder::Folder};
use serde_json::json;
use sqlx::ConnectOptions as _;

use crate::{browser::Browser, local::folder};

/// Runs the program with a standard output that no one reads.
fn run_unread(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let (reader, mut writer) = pipe().unwrap();
    drop(reader);
    assert!(writer.write_all(b"a").is_err(), "the pipe is broken before the program starts");
    let mut command = Command::new(env!("CARGO_BIN_EXE_portia"));
    command.args(arguments).envs(environment.iter().copied()).stdin(Stdio::null()).stdout(writer);
    command.stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap()
}

#[track_caller]
fn assert_quiet(output: &Output) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), text.as_ref()), (Some(0), ""));
}

#[test]
fn a_command_whose_output_no_one_reads_ends_quietly() {
    assert_quiet(&run_unread(&["config"], &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_whose_progress_no_one_reads_end_quietly() {
    let data = folder();
    let folder = Folder::open(data.path().join("data")).unwrap();
    let database = Database::open(&Source::default().with("database_sync", "off"), &folder, &|_| {}).await.unwrap();
    let url = database.of_migrations("auth").unwrap().to_url_lossy().to_string();
    // On a busy machine sqlx logs statements that take more than a second.
    let environment = [("PORTIA_MIGRATION_DATABASE_URL", url.as_str()), ("PORTIA_LOG", "info,sqlx=error")];
    assert_quiet(&tokio::task::block_in_place(|| run_unread(&["migrate"], &environment)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_logs_refused_requests() {
    let data = folder();
    let web = data.path().join("web");
    fs::create_dir(&web).unwrap();
    fs::write(web.join("index.html"), "<!doctype html><title>Portia</title>").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_portia"));
    command.args(["--empty", "--port", "0", "--data"]).arg(data.path().join("data")).arg("--web").arg(web);
    command.env("PORTIA_DATABASE_SYNC", "off").env_remove("PORTIA_LOG");
    let mut portia = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(portia.stdout.take().unwrap()).lines().map_while(Result::ok);
    let base = lines.filter_map(|line| Some(line.strip_prefix("Portia is at ")?.to_owned())).next().expect("it ended");

    let sign_in = json!({"username": "ana_reyes", "password": "not the password"});
    Browser::new(base).post("/api/auth/login", sign_in).await.expect(401);
    kill(Pid::from_raw(portia.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
    let mut log = String::new();
    portia.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let ended = portia.wait().unwrap();
    assert!(ended.success(), "{ended}: {log}");
    let refused = log.lines().find(|line| line.contains("security") && line.contains("/api/auth/login"));
    assert!(refused.is_some_and(|line| line.contains("401")), "{log}");
    assert!(!log.contains("not the password"), "{log}");
}

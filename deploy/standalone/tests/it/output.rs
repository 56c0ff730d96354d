//! The output of the program when its reader leaves, as in `portia config | head`.

use std::{
    io::{Write as _, pipe},
    process::{Command, Output, Stdio},
};

use chassis::config::Source;
use portia::{database::Database, folder::Folder};
use sqlx::ConnectOptions as _;

use crate::local::folder;

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
    let migrate = move || run_unread(&["migrate"], &[("PORTIA_MIGRATION_DATABASE_URL", &url)]);
    assert_quiet(&tokio::task::spawn_blocking(migrate).await.unwrap());
}

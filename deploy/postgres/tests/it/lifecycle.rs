//! The life cycle of a server: first start, stop, a killed owner, a killed server, damaged and foreign folders.

use std::{fs, os::unix::fs::PermissionsExt, process::Command, str::FromStr as _};

use portia_postgres::{Error, discard};
use sqlx::{ConnectOptions as _, Connection, postgres::PgConnectOptions};

use super::{connect, folder, start};

#[tokio::test]
async fn written_data_survives_a_restart() {
    let folder = folder();
    let first = start(&folder.data).unwrap();
    let mut connection = connect(&first.admin_url()).await;
    sqlx::raw_sql("create table notes (text text); insert into notes values ('kept')")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    first.stop().unwrap();

    let second = start(&folder.data).unwrap();
    let mut connection = connect(&second.admin_url()).await;
    let text: String = sqlx::query_scalar("select text from notes").fetch_one(&mut connection).await.unwrap();
    assert_eq!(text, "kept");
}

#[tokio::test]
async fn a_password_is_needed_and_only_its_owner_can_read_it() {
    let folder = folder();
    let running = start(&folder.data).unwrap();
    let without = format!("postgres://postgres@127.0.0.1:{}/postgres", running.port());
    assert!(sqlx::PgConnection::connect(&without).await.is_err());
    let mode = |name: &str| fs::metadata(folder.data.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("password"), mode("cluster")), (0o600, 0o700));
}

#[test]
fn two_owners_cannot_share_a_folder() {
    let folder = folder();
    let _running = start(&folder.data).unwrap();
    assert!(matches!(start(&folder.data), Err(Error::InUse { .. })));
    assert!(matches!(discard(&folder.data), Err(Error::InUse { .. })));
}

/// The state after a SIGKILL of the process that owns a server: the server, its pid file, no lock.
#[tokio::test]
async fn a_server_whose_owner_was_killed_is_replaced() {
    let folder = folder();
    let running = start(&folder.data).unwrap();
    let before = postmaster(&folder.data);
    // The lock is on this file, so without it the folder is as after a killed owner.
    fs::remove_file(folder.data.join("lock")).unwrap();

    let next = start(&folder.data).unwrap();
    assert_ne!(postmaster(&folder.data), before);
    connect(&next.admin_url()).await.close().await.unwrap();
    drop(running);
    connect(&next.admin_url()).await.close().await.unwrap();
}

#[tokio::test]
async fn a_killed_server_recovers() {
    let folder = folder();
    let running = start(&folder.data).unwrap();
    let killed = Command::new("kill").args(["-9", &postmaster(&folder.data)]).status().unwrap();
    assert!(killed.success());
    drop(running);
    let again = start(&folder.data).unwrap();
    connect(&again.admin_url()).await.close().await.unwrap();
}

#[tokio::test]
async fn a_killed_server_restarts_on_its_port_with_its_data() {
    let folder = folder();
    let mut running = start(&folder.data).unwrap();
    let url = running.admin_url();
    let mut connection = connect(&url).await;
    // A throwaway server does not wait for its log; this transaction does.
    let written = "set synchronous_commit = on; create table notes (text text); insert into notes values ('kept')";
    sqlx::raw_sql(written).execute(&mut connection).await.unwrap();
    assert!(!running.has_ended().unwrap());
    let killed = Command::new("kill").args(["-9", &postmaster(&folder.data)]).status().unwrap();
    assert!(killed.success());
    while !running.has_ended().unwrap() {
        tokio::task::yield_now().await;
    }
    running.restart().unwrap();
    assert!(!running.has_ended().unwrap());
    let text: String = sqlx::query_scalar("select text from notes").fetch_one(&mut connect(&url).await).await.unwrap();
    assert_eq!(text, "kept");
}

#[tokio::test]
async fn a_pid_file_with_the_id_of_another_process_is_ignored() {
    let folder = folder();
    start(&folder.data).unwrap().stop().unwrap();
    // The test process: alive, not a Postgres, and must not be signalled.
    let pid = std::process::id();
    fs::write(folder.data.join("cluster/postmaster.pid"), format!("{pid}\n/elsewhere\n")).unwrap();
    let running = start(&folder.data).unwrap();
    connect(&running.admin_url()).await.close().await.unwrap();
}

#[tokio::test]
async fn a_killed_server_restarts_on_its_socket_although_another_process_has_its_number() {
    let folder = folder();
    let mut running = start(&folder.data).unwrap();
    let socket = running.socket_folder().expect("the path of a temporary folder is short");
    let options = PgConnectOptions::from_str(&running.admin_url()).unwrap().socket(&socket);
    options.connect().await.unwrap().close().await.unwrap();
    let killed = Command::new("kill").args(["-9", &postmaster(&folder.data)]).status().unwrap();
    assert!(killed.success());
    while !running.has_ended().unwrap() {
        tokio::task::yield_now().await;
    }
    // The test process: alive, and not a Postgres.
    let lock = socket.join(format!(".s.PGSQL.{}.lock", running.port()));
    let text = fs::read_to_string(&lock).unwrap();
    let (_, rest) = text.split_once('\n').unwrap();
    fs::write(&lock, format!("{}\n{rest}", std::process::id())).unwrap();
    running.restart().unwrap();
    options.connect().await.unwrap().close().await.unwrap();
}

#[test]
fn an_interrupted_first_start_is_repeated() {
    let folder = folder();
    fs::create_dir_all(folder.data.join("cluster.new")).unwrap();
    fs::set_permissions(&folder.data, fs::Permissions::from_mode(0o711)).unwrap();
    fs::write(folder.data.join("cluster.new/half"), "").unwrap();
    start(&folder.data).unwrap().stop().unwrap();
    assert!(!folder.data.join("cluster.new").exists());
    assert!(!folder.data.join("password.initdb").exists());
}

#[test]
fn damage_is_reported_in_one_sentence() {
    let folder = folder();
    start(&folder.data).unwrap().stop().unwrap();

    let password = fs::read(folder.data.join("password")).unwrap();
    fs::remove_file(folder.data.join("password")).unwrap();
    assert_error_contains(start(&folder.data).unwrap_err(), "its file 'password' is missing");
    fs::write(folder.data.join("password"), password).unwrap();

    fs::remove_file(folder.data.join("cluster/global/pg_control")).unwrap();
    assert_error_contains(start(&folder.data).unwrap_err(), "did not start on the data");

    fs::write(folder.data.join("cluster/PG_VERSION"), "9\n").unwrap();
    assert_error_contains(start(&folder.data).unwrap_err(), "was written by PostgreSQL 9");

    fs::remove_file(folder.data.join("cluster/PG_VERSION")).unwrap();
    assert_error_contains(start(&folder.data).unwrap_err(), "PG_VERSION is missing");
}

#[test]
fn a_file_in_place_of_the_folder_is_an_error() {
    let folder = folder();
    fs::write(&folder.data, "not a folder").unwrap();
    assert_error_contains(start(&folder.data).unwrap_err(), "could not create");
}

#[test]
fn discarding_stops_the_server_and_deletes_the_folder() {
    let folder = folder();
    let running = start(&folder.data).unwrap();
    let pid = postmaster(&folder.data);
    fs::remove_file(folder.data.join("lock")).unwrap();
    discard(&folder.data).unwrap();
    assert!(!folder.data.exists());
    drop(running);
    assert!(!Command::new("kill").args(["-0", &pid]).status().unwrap().success());
}

fn assert_error_contains(error: Error, words: &str) {
    let text = error.to_string();
    assert!(text.contains(words), "{text}");
    assert!(text.ends_with('.') && text.lines().count() == 1, "{text}");
}

fn postmaster(data: &std::path::Path) -> String {
    let text = fs::read_to_string(data.join("cluster/postmaster.pid")).unwrap();
    text.lines().next().unwrap().to_owned()
}

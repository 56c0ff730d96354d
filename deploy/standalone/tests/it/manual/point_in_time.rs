//! deploy/manual/point-in-time.md: an archive of the log, and recovery to a named point and to a moment before a wrong delete.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, chown},
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use chassis::config::field_name;
use portia::SERVICES;
use serde_json::json;
use sqlx::{ConnectOptions as _, postgres::PgConnectOptions};

use super::{
    backup::{histories, like_and_wait_for_the_notification, post, server_of, wait_until, wait_until_served},
    replication::restart_postgres,
    shell::{Server, Shell},
};
use crate::{
    browser::Browser,
    local::folder,
    processes::{Processes, free_port},
};

pub const BLOCKS: &[&str] = &[
    "archive-log",
    "base-backup",
    "name-point",
    "archive-rest",
    "recover",
    "stop-recovered",
    "dump-service",
    "restore-service",
    "after-restore",
];

/// The user of Postgres, and the folder of its programs.
pub struct Account {
    uid: u32,
    gid: u32,
    programs: PathBuf,
}

impl Account {
    /// Returns the account of the private server; `None` if the system does not reveal its program.
    pub fn of(processes: &Processes) -> Option<Self> {
        let cluster = processes.folder().join("postgres/cluster");
        let pid = fs::read_to_string(cluster.join("postmaster.pid")).unwrap().lines().next()?.to_owned();
        let program = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
        let owner = fs::metadata(cluster).unwrap();
        Some(Self { uid: owner.uid(), gid: owner.gid(), programs: program.parent()?.to_owned() })
    }

    /// An operator is the user of Postgres, the test may be root: then `pg_ctl` changes the user, and the owner of the data before.
    pub fn prepare(&self, shell: &mut Shell, wrappers: &Path, this_user: u32) {
        if self.uid != this_user {
            let Self { uid, gid, programs } = self;
            let script = format!(
                "#!/bin/sh\ncd /\ndata=${{RECOVERED:-$STANDBY}}\n\
                # A running server owns its files already, and removes some.\n\
                [ -e \"$data/postmaster.pid\" ] || chown --recursive {uid}:{gid} \"$data\" || exit\n\
                exec setpriv --reuid={uid} --regid={gid} --clear-groups {}/pg_ctl \"$@\"\n",
                programs.display()
            );
            shell.replace_program("pg_ctl", wrappers, &script);
        }
        shell.add_programs(&self.programs);
    }
}

/// A server that a block started. A failed test leaves none.
pub struct Recovered {
    pub server: Server,
    pub data: PathBuf,
}

impl Drop for Recovered {
    fn drop(&mut self) {
        let pid_file = fs::read_to_string(self.data.join("postmaster.pid")).unwrap_or_default();
        if let Some(pid) = pid_file.lines().next() {
            Command::new("kill").args(["-QUIT", pid]).status().ok();
        }
    }
}

/// The options of a second server on this machine.
pub fn server_options(port: u16) -> String {
    let listens = format!("port={port}");
    let options = [
        listens.as_str(),
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=200",
        "fsync=off",
    ];
    options.map(|option| format!("-c {option}")).join(" ")
}

/// Runs `recover` up to `target`, and prints what it took.
fn recover(shell: &mut Shell, old: &Server, data: PathBuf, target: &str) -> Recovered {
    let port = free_port();
    let server = Server { port, ..old.clone() };
    shell.use_server(&server);
    shell.set("SERVER_OPTIONS", &server_options(port));
    shell.set("RECOVERED", data.to_str().unwrap());
    shell.set("TARGET", target);
    let (begun, recovered) = (Instant::now(), Recovered { server, data });
    shell.run("recover");
    let size = |path: &Path| {
        let said = Command::new("du").arg("-sh").arg(path).output().unwrap().stdout;
        String::from_utf8(said).unwrap().split_whitespace().next().unwrap().to_owned()
    };
    let archive = size(Path::new(shell.variable("ARCHIVE")));
    eprintln!("{target}: recovered after {:?}, data {}, archive {archive}", begun.elapsed(), size(&recovered.data));
    recovered
}

/// The number of posts.
async fn posts(feed: &PgConnectOptions) -> i64 {
    sqlx::query_scalar("select count(*) from feed.posts").fetch_one(&mut feed.connect().await.unwrap()).await.unwrap()
}

/// How often messaging found that feed had lost facts.
async fn restores_reported(processes: &Processes) -> String {
    let scraped = reqwest::get(format!("{}/metrics", processes.admin("messaging"))).await.unwrap();
    let text = scraped.text().await.unwrap();
    let reported = text.lines().filter(|line| line.starts_with("outbox_restored_sources_total{"));
    let of_feed =
        reported.filter(|line| line.contains("source=\"feed\"")).filter_map(|line| line.split(' ').next_back());
    of_feed.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_delete_is_undone_for_one_service_and_for_everything() {
    let mut processes = Processes::start_with_admin_ports(&[]).await;
    let (Some(old), Some(account)) = (server_of(&processes).await, Account::of(&processes)) else { return };
    let work = folder();
    let [backup, archive] = ["backup", "archive"].map(|name| work.path().join(name));
    for folder in [&backup, &archive] {
        fs::create_dir(folder).unwrap();
    }
    chown(&archive, Some(account.uid), Some(account.gid)).unwrap();
    let mut shell = Shell::new(&old, &[("BACKUP", &*backup), ("ARCHIVE", &*archive)]);
    account.prepare(&mut shell, &work.path().join("programs"), fs::metadata(&backup).unwrap().uid());
    shell.run("archive-log");
    let all = [&SERVICES[..], &["gateway"]].concat();
    restart_postgres(&mut processes, &all, ("archive_mode", "on")).await;
    processes.wait_until_consumes("messaging", "feed").await;
    shell.run("base-backup");

    // Acknowledged before the point.
    let mut author = Browser::new(&processes.base);
    let id = author.register("before.the.mistake").await;
    let before = post(&mut author, "Before the point").await;
    like_and_wait_for_the_notification(&processes.base, "early.fan", &mut author, &before).await;
    shell.set("POINT", "before-the-mistake");
    shell.run("name-point");
    let mut db = processes.database("feed").connect().await.unwrap();
    let moment: String = sqlx::query_scalar("select clock_timestamp()::text").fetch_one(&mut db).await.unwrap();
    // And after it: messaging applies these facts, which feed will not have.
    let after = post(&mut author, "After the point").await;
    like_and_wait_for_the_notification(&processes.base, "late.fan", &mut author, &after).await;
    sqlx::raw_sql("delete from feed.posts").execute(&mut db).await.unwrap();
    assert_eq!(posts(&processes.database("feed")).await, 0);
    drop(db);
    shell.run("archive-rest");

    // Feed goes back, while the others continue.
    let [of_mistake, _] = histories(&processes).await;
    let target = "recovery_target_name = 'before-the-mistake'";
    let recovered = recover(&mut shell, &old, work.path().join("by-name"), target);
    shell.set("SCHEMA", "feed");
    shell.set("DUMP", backup.join("feed.dump").to_str().unwrap());
    shell.run("dump-service");
    shell.run("stop-recovered");
    drop(recovered);
    processes.stop("feed").await;
    shell.use_server(&old);
    shell.run("restore-service");
    processes.spawn("feed");
    processes.restart("gateway").await;
    wait_until_served(&mut processes, &before).await;
    author.get(&format!("/api/posts/{after}")).await.expect(404);
    wait_until("messaging follows the recovered facts", async || {
        let [source, cursor] = histories(&processes).await;
        source != of_mistake && cursor == source
    })
    .await;
    assert_eq!(restores_reported(&processes).await, "1");
    let later = post(&mut author, "After the recovery of feed").await;
    like_and_wait_for_the_notification(&processes.base, "first.fan", &mut author, &later).await;

    // Everything goes back to the same moment, on the other server.
    for process in &all {
        processes.stop(process).await;
    }
    let target = format!("recovery_target_time = '{moment}'");
    let recovered = recover(&mut shell, &old, work.path().join("by-time"), &target);
    for service in SERVICES {
        let options = processes.database(service);
        let mut url = options.to_url_lossy();
        url.set_query(None);
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(recovered.server.port)).unwrap();
        processes.set(service, "PORTIA_DATABASE_URL", url.as_str());
        shell.set(&format!("PORTIA_{}_DATABASE_URL", field_name(service).to_uppercase()), url.as_str());
        processes.spawn(service);
    }
    processes.spawn("gateway");
    wait_until_served(&mut processes, &before).await;
    assert_eq!(author.get("/api/auth/me").await.expect(200)["id"], json!(id), "sessions are recovered");
    let likes = author.get(&format!("/api/posts/{before}")).await.expect(200)["likes"].as_array().unwrap().len();
    assert_eq!(likes, 1);
    for gone in [&after, &later] {
        author.get(&format!("/api/posts/{gone}")).await.expect(404);
    }
    let new = post(&mut author, "On the recovered server").await;
    like_and_wait_for_the_notification(&processes.base, "second.fan", &mut author, &new).await;
    let said = shell.run("after-restore");
    assert!(said.contains("Every fact was applied.") && said.contains("The audit is unchanged"), "{said}");
    for process in &all {
        processes.stop(process).await;
    }
    shell.run("stop-recovered");
    shell.finish(BLOCKS);
}

//! deploy/manual/backup.md: dumps, restores of everything and of one service, the data folder of standalone.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use chassis::config::field_name;
use portia::SERVICES;
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;

use super::shell::{Server, Shell, has_client_of};
use crate::{
    browser::Browser,
    local::{self, folder},
    processes::Processes,
};

pub const BLOCKS: &[&str] = &[
    "make-secrets",
    "dump-database",
    "archive-pictures",
    "archive-secrets",
    "prepare-server",
    "restore-database",
    "restore-pictures",
    "restore-service",
    "after-restore",
];
pub const BLOCKS_OF_STANDALONE: &[&str] = &["archive-folder", "restore-folder"];

/// The timeout of a wait, also on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Waits until a condition on the API holds.
pub async fn wait_until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < TIMEOUT, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Creates a post, and returns its id.
pub async fn post(author: &mut Browser, content: &str) -> String {
    let post = author.post("/api/posts", json!({ "content": content })).await.expect(201);
    post["id"].as_str().unwrap().to_owned()
}

/// A fact of feed arrives at messaging: the author is notified of a like.
pub async fn like_and_wait_for_the_notification(base: &str, fan: &str, author: &mut Browser, post: &str) {
    let mut reader = Browser::new(base);
    let id = reader.register(fan).await;
    let liked = reader.post(&format!("/api/posts/{post}/likes"), json!({"userId": id, "type": "like"})).await;
    assert!(liked.status.is_success(), "{}", liked.body);
    let name = format!("Member {fan}");
    wait_until("the author is notified", async || {
        let notifications = author.get("/api/notifications").await;
        notifications.status == 200 && notifications.body.to_string().contains(&name)
    })
    .await;
}

/// The processes wait for the new state of Postgres, and the gateway has forgotten the old one.
pub async fn wait_until_served(processes: &mut Processes, post: &str) {
    processes.wait_until_ready().await;
    let mut visitor = Browser::new(&processes.base);
    processes.wait_for_status(&mut visitor, &format!("/api/posts/{post}"), 200).await;
}

/// The server of running processes; `None` when this machine cannot dump it.
pub async fn server_of(processes: &Processes) -> Option<Server> {
    let mut db = processes.database("auth").connect().await.unwrap();
    let version: String = sqlx::query_scalar("show server_version_num").fetch_one(&mut db).await.unwrap();
    let (port, password) = processes.superuser();
    has_client_of(version.parse::<u32>().unwrap() / 10_000).then_some(Server { port, password })
}

/// Returns the histories of feed's facts and of messaging's cursor.
pub async fn histories(processes: &Processes) -> [Option<String>; 2] {
    let read = async |service: &str, sql: &'static str| {
        let mut db = processes.database(service).connect().await.unwrap();
        sqlx::query_scalar::<_, Option<String>>(sql).fetch_one(&mut db).await.unwrap()
    };
    let of_source = read("feed", "select history::text from feed.outbox_sequence").await;
    let of_cursor = "select history::text from messaging.cursors where source = 'feed'";
    [of_source, read("messaging", of_cursor).await]
}

/// The passwords that `make-secrets` made, for `portia_feed` and so on.
pub fn password(secrets: &Path, role: &str) -> String {
    let line = fs::read_to_string(secrets.join("passwords").join(role)).unwrap();
    line.trim().rsplit(':').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_restores_everything_and_one_service_among_others() {
    let mut processes = Processes::start(&[]).await;
    let Some(server) = server_of(&processes).await else { return };
    let work = folder();
    let [backup, secrets] = ["backup", "secrets"].map(|name| work.path().join(name));
    fs::create_dir(&backup).unwrap();
    let pictures = processes.folder().join("pictures");
    fs::create_dir_all(&pictures).unwrap();
    fs::write(pictures.join("probe"), "a picture").unwrap();
    let variables = [("BACKUP", &*backup), ("SECRETS", &*secrets), ("PICTURES", &*pictures)];
    let mut shell = Shell::new(&server, &variables);
    shell.run("make-secrets");

    let mut author = Browser::new(&processes.base);
    let id = author.register("backed.up").await;
    let before = post(&mut author, "Before the backup").await;
    for block in ["dump-database", "archive-pictures", "archive-secrets"] {
        shell.run(block);
    }
    assert!(fs::read_to_string(backup.join("portia.list")).unwrap().contains("TABLE DATA feed posts"));
    let after = post(&mut author, "After the backup").await;

    // One service, while the others continue.
    processes.wait_until_consumes("messaging", "feed").await;
    let [before_restore, _] = histories(&processes).await;
    processes.stop("feed").await;
    shell.set("SCHEMA", "feed");
    shell.set("DUMP", backup.join("portia.dump").to_str().unwrap());
    shell.run("restore-service");
    processes.spawn("feed");
    processes.restart("gateway").await;
    wait_until_served(&mut processes, &before).await;
    author.get(&format!("/api/posts/{after}")).await.expect(404);
    // A like before the snapshot would be in it, and notify the author of nothing.
    wait_until("messaging follows the restored facts", async || {
        let [source, cursor] = histories(&processes).await;
        source != before_restore && cursor == source
    })
    .await;
    let later = post(&mut author, "After the restore of feed").await;
    like_and_wait_for_the_notification(&processes.base, "first.fan", &mut author, &later).await;

    // Everything, on another server.
    for process in SERVICES.iter().chain(&["gateway"]) {
        processes.stop(process).await;
    }
    let (running, other) = Server::start(&work.path().join("postgres")).await;
    shell.use_server(&other);
    shell.run("prepare-server");
    shell.run("restore-database");
    fs::remove_file(pictures.join("probe")).unwrap();
    shell.run("restore-pictures");
    assert_eq!(fs::read_to_string(pictures.join("probe")).unwrap(), "a picture");
    for service in SERVICES {
        let role = field_name(service);
        let url = other.url(&role, &password(&secrets, &role));
        processes.set(service, "PORTIA_DATABASE_URL", &url);
        shell.set(&format!("PORTIA_{}_DATABASE_URL", role.to_uppercase()), &url);
        processes.spawn(service);
    }
    processes.spawn("gateway");
    wait_until_served(&mut processes, &before).await;
    assert_eq!(author.get("/api/auth/me").await.expect(200)["id"], json!(id), "sessions are restored");
    for gone in [&after, &later] {
        author.get(&format!("/api/posts/{gone}")).await.expect(404);
    }
    let new = post(&mut author, "On the other server").await;
    like_and_wait_for_the_notification(&processes.base, "second.fan", &mut author, &new).await;
    let said = shell.run("after-restore");
    assert!(said.contains("Every fact was applied.") && said.contains("The audit is unchanged"), "{said}");
    shell.finish(BLOCKS);
    drop(processes);
    running.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_the_data_folder_is_a_backup_of_standalone() {
    let (data, restored, work) = (folder(), folder(), folder());
    let stack = local::start(&data, true).await;
    let mut author = Browser::new(format!("http://{}", stack.address));
    author.register("copied.folder").await;
    let id = post(&mut author, "In the folder").await;
    stack.stop().await.unwrap();

    let server = Server { port: 0, password: String::new() };
    let (from, to) = (data.path().join("data"), restored.path().join("data"));
    let mut shell = Shell::new(&server, &[("BACKUP", work.path()), ("DATA", &from), ("RESTORED", &to)]);
    shell.run("archive-folder");
    shell.run("restore-folder");
    let stack = local::start(&restored, true).await;
    let mut author = author.at(format!("http://{}", stack.address));
    let post: Value = author.get(&format!("/api/posts/{id}")).await.expect(200);
    assert_eq!(post["content"], json!("In the folder"));
    author.get("/api/auth/me").await.expect(200);
    stack.stop().await.unwrap();
    shell.finish(BLOCKS_OF_STANDALONE);
}

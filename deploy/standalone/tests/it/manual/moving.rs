//! deploy/manual/moving.md, and the blocks that look at a running installation: upgrades, sizing, incidents.

use std::{fs, path::Path};

use chassis::config::field_name;
use portia::SERVICES;
use serde_json::json;
use sqlx::ConnectOptions as _;

use super::{
    backup::{like_and_wait_for_the_notification, password, post, server_of, wait_until_served},
    shell::{Server, Shell},
};
use crate::{browser::Browser, local::folder, processes::Processes};

pub const BLOCKS: &[&str] = &[
    "make-secrets",
    "migrate-version",
    "show-versions",
    "show-connections",
    "show-sizes",
    "show-activity",
    "show-facts",
    "show-sources",
    "prepare-server",
    "dump-service",
    "restore-service",
    "count-rows",
    "name-database",
    "create-secrets",
    "migrate",
    "drop-old-schema",
];

/// Checks what an operator sees of a healthy installation.
fn look(shell: &mut Shell) {
    let migrated: Vec<String> = SERVICES.iter().map(|service| format!("{service} is migrated.")).collect();
    assert_eq!(shell.run("migrate-version").lines().collect::<Vec<_>>(), migrated);
    let versions = shell.run("show-versions");
    assert_eq!(versions.lines().count(), SERVICES.len(), "{versions}");
    for schema in SERVICES.map(field_name) {
        assert!(versions.lines().any(|line| line.starts_with(&format!("{schema} 202"))), "{versions}");
        for block in ["show-connections", "show-sizes"] {
            assert!(shell.run(block).contains(&schema), "{block}: {schema}");
        }
    }
    assert!(shell.run("show-activity").contains("portia_feed"));
    let facts = shell.run("show-facts");
    assert!(facts.starts_with("Every fact was applied.\n") && facts.contains("\nmessaging feed "), "{facts}");
    assert!(shell.run("show-sources").contains("demo"));
}

/// Instead of a cluster: writes the name of each Secret and its addresses of Postgres.
const KUBECTL: &str = r#"#!/bin/bash
[[ "$3" == create ]] || exec cat >/dev/null
for argument; do
    [[ "$argument" == --from-file=*database-url ]] && echo "$6 ${argument##*/} $(<"${argument#--from-file=}")" >>"$ADDRESSES"
done
exit 0
"#;

/// Checks that `create-secrets` gives the new address to the moved service and its migrations, and the common address
/// to all others.
fn assert_addresses(shell: &mut Shell, work: &Path, secrets: &Path) {
    let addresses = work.join("addresses");
    shell.replace_program("kubectl", &work.join("programs"), KUBECTL);
    shell.set("ADDRESSES", addresses.to_str().unwrap());
    shell.set("DATABASE", "db.example/portia?sslmode=verify-full");
    shell.run("create-secrets");
    let written = fs::read_to_string(addresses).unwrap();
    let line = |secret: &str, key: &str, role: &str, host: &str| {
        let password = password(secrets, role);
        format!("{secret} {key} postgres://portia_{role}:{password}@{host}/portia?sslmode=verify-full")
    };
    let mut expected: Vec<String> = SERVICES
        .iter()
        .map(|service| {
            let host = if *service == "feed" { "feed-db.example:5432" } else { "db.example" };
            line(service, "database-url", &field_name(service), host)
        })
        .collect();
    expected.push(line("migrate", "database-url", "migrate", "db.example"));
    expected.push(line("migrate", "feed-database-url", "migrate", "feed-db.example:5432"));
    assert_eq!(written.lines().collect::<Vec<_>>(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_moves_to_a_postgres_of_its_own() {
    let mut processes = Processes::start(&[]).await;
    let Some(old) = server_of(&processes).await else { return };
    let work = folder();
    let [backup, secrets] = ["backup", "secrets"].map(|name| work.path().join(name));
    fs::create_dir(&backup).unwrap();
    let mut shell = Shell::new(&old, &[("BACKUP", &backup), ("SECRETS", &secrets)]);
    for service in SERVICES {
        let url = processes.database(service).to_url_lossy().to_string();
        shell.set(&format!("PORTIA_{}_DATABASE_URL", field_name(service).to_uppercase()), &url);
    }
    shell.set("PORTIA_MIGRATION_DATABASE_URL", &processes.migrations());
    processes.wait_until_consumes("messaging", "feed").await;
    let mut author = Browser::new(&processes.base);
    author.register("before.the.move").await;
    let first = post(&mut author, "On the old server").await;
    shell.run("make-secrets");
    look(&mut shell);

    let (running, new) = Server::start(&work.path().join("postgres")).await;
    shell.use_server(&new);
    shell.run("prepare-server");
    processes.stop("feed").await;
    shell.set("SCHEMA", "feed");
    shell.set("SERVICE", "feed");
    shell.set("DUMP", backup.join("feed.dump").to_str().unwrap());
    shell.use_server(&old);
    shell.run("dump-service");
    let rows = shell.run("count-rows");
    shell.use_server(&new);
    shell.run("restore-service");
    assert_eq!(shell.run("count-rows"), rows);
    assert!(rows.lines().any(|line| line == "posts 1"), "{rows}");
    shell.set("NEW_DATABASE", "feed-db.example:5432/portia?sslmode=verify-full");
    shell.run("name-database");
    assert_addresses(&mut shell, work.path(), &secrets);

    // Without the second variable the schema at the old server would be migrated.
    let of_migrations = new.url("migrate", &password(&secrets, "migrate"));
    shell.set("PORTIA_FEED_MIGRATION_DATABASE_URL", &of_migrations);
    assert!(shell.run("migrate").contains("feed is migrated.\n"));
    processes.set("feed", "PORTIA_FEED_DATABASE_URL", &new.url("feed", &password(&secrets, "feed")));
    processes.spawn("feed");
    wait_until_served(&mut processes, &first).await;
    like_and_wait_for_the_notification(&processes.base, "fan.after.move", &mut author, &first).await;

    shell.use_server(&old);
    shell.run("drop-old-schema");
    assert!(shell.run("migrate").contains("feed is migrated.\n"), "the old server is not needed");
    let mut member = Browser::new(&processes.base);
    member.register("after.the.move").await;
    let second = post(&mut member, "On the new server").await;
    let read = author.get(&format!("/api/posts/{second}")).await.expect(200);
    assert_eq!(read["user"]["fullName"], json!("Member after.the.move"), "feed learns of new members");
    like_and_wait_for_the_notification(&processes.base, "another.fan", &mut member, &second).await;
    shell.finish(BLOCKS);
    drop(processes);
    running.stop().unwrap();
}

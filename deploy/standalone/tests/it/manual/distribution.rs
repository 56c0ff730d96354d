//! deploy/manual/distribution.md: feed on three servers with Citus, while members use it. Their binaries are not everywhere: this runs
//! where `PORTIA_TEST_CITUS` has the ports of three servers on this machine, the coordinator first. They admit every user without a
//! password, and have `shared_preload_libraries = 'citus'`.

use reqwest::Method;
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection, postgres::PgConnectOptions};

use super::{
    backup::{post, wait_until},
    shell::{Server, Shell},
};
use crate::{browser::Browser, local::folder, processes::Processes};

pub const BLOCKS: &[&str] =
    &["make-secrets", "enable-citus", "prepare-server", "add-workers", "distribute-feed", "show-shards", "return-feed"];

/// The ports of the servers.
fn ports() -> Option<[u16; 3]> {
    let ports = std::env::var_os("PORTIA_TEST_CITUS").and_then(|ports| ports.into_string().ok());
    if ports.is_none() {
        eprintln!("the blocks do not run: PORTIA_TEST_CITUS names no servers with Citus");
    }
    let ports: Vec<u16> = ports?.split(',').map(|port| port.parse().unwrap()).collect();
    Some(ports.try_into().unwrap())
}

/// The databases of the test, dropped with the value.
struct Databases {
    name: String,
    ports: [u16; 3],
}

impl Databases {
    /// A role in the database of a server. The certificate that Citus makes is not one that clients accept.
    fn url(&self, port: u16, role: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{port}/{}?sslmode=disable", self.name)
    }

    async fn superuser(&self, port: u16) -> PgConnection {
        self.url(port, "postgres").parse::<PgConnectOptions>().unwrap().connect().await.unwrap()
    }

    /// The rows of the shards of a table that a server has.
    async fn rows(&self, port: u16, table: &str) -> i64 {
        let mut db = self.superuser(port).await;
        sqlx::raw_sql("set citus.override_table_visibility = off").execute(&mut db).await.unwrap();
        let shards = format!(
            "select coalesce(sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s', oid::regclass),
                false, true, '')))[1]::text::bigint), 0)::bigint
            from pg_class
            where relnamespace = to_regnamespace('feed') and relkind = 'r' and relname ~ '^{table}_[0-9]+$'"
        );
        sqlx::query_scalar(AssertSqlSafe(shards)).fetch_one(&mut db).await.unwrap()
    }
}

impl Drop for Databases {
    fn drop(&mut self) {
        for port in self.ports {
            let url = self.url(port, "postgres").replace(&format!("/{}?", self.name), "/postgres?");
            let drop = format!("drop database if exists {} with (force)", self.name);
            std::process::Command::new("psql").args(["--quiet", "--command", &drop, &url]).status().ok();
        }
    }
}

async fn save(member: &mut Browser, post: &str) {
    let saved = member.send(Method::PUT, &format!("/api/saved-items/post/{post}"), None, &[]).await;
    assert!(saved.status.is_success(), "{}", saved.body);
}

async fn saved(member: &mut Browser) -> String {
    member.get("/api/saved-items").await.expect(200).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_feed_are_distributed_and_return() {
    let Some(ports) = ports() else { return };
    let databases = Databases { name: format!("portia_manual_{}", std::process::id()), ports };
    let mut processes = Processes::start(&[]).await;
    let work = folder();
    let secrets = work.path().join("secrets");
    let server = |port| Server { port, password: "unused".to_owned() };
    let [coordinator, workers @ ..] = ports;
    let mut shell = Shell::new(&server(coordinator), &[("SECRETS", &secrets)]);
    shell.set("PGDATABASE", "postgres");
    shell.run("make-secrets");
    for port in ports {
        shell.use_server(&server(port));
        shell.set("PGDATABASE", "postgres");
        shell.run("enable-citus");
        shell.set("PGDATABASE", &databases.name);
        shell.run("prepare-server");
    }
    shell.use_server(&server(coordinator));
    shell.set("PORTIA_MIGRATION_DATABASE_URL", &processes.migrations());
    shell.set("PORTIA_FEED_MIGRATION_DATABASE_URL", &databases.url(coordinator, "portia_migrate"));
    assert!(shell.run("migrate").contains("feed is migrated.\n"));
    processes.set("feed", "PORTIA_FEED_DATABASE_URL", &databases.url(coordinator, "portia_feed"));
    processes.restart("feed").await;
    processes.wait_until_started().await;
    processes.wait_until_consumes("messaging", "feed").await;

    let mut author = Browser::new(&processes.base);
    author.register("writes.posts").await;
    let mut members = Vec::new();
    let first = post(&mut author, "Saved before").await;
    for n in 0..12 {
        let mut member = Browser::new(&processes.base);
        member.register(&format!("saves.posts.{n}")).await;
        save(&mut member, &first).await;
        members.push(member);
    }
    shell.set("COORDINATOR", &format!("127.0.0.1:{coordinator}"));
    shell.set("WORKERS", &workers.map(|port| format!("127.0.0.1:{port}")).join(" "));
    shell.run_beside("add-workers").await;
    shell.run_beside("distribute-feed").await;
    let shards = shell.run("show-shards");
    for port in workers {
        let has_shards = |table: &str| {
            let mut lines = shards.lines();
            lines.any(|line| line.contains(&format!("feed.{table} ")) && line.contains(&port.to_string()))
        };
        assert!(["impressions", "saved_items", "savers"].into_iter().all(has_shards), "{shards}");
        assert_ne!(databases.rows(port, "saved_items").await, 0, "{port}");
    }
    assert!(shell.run("migrate").contains("feed is migrated.\n"));
    let second = post(&mut author, "Saved afterwards").await;
    for member in &mut members {
        member.get(&format!("/api/posts/{second}")).await.expect(200);
        member.get("/api/posts?sort=recent").await.expect(200);
        save(member, &second).await;
        let saved = saved(member).await;
        assert!(saved.contains(&first) && saved.contains(&second), "{saved}");
    }
    wait_until("impressions are written", async || {
        databases.rows(workers[0], "impressions").await > 0 && databases.rows(workers[1], "impressions").await > 0
    })
    .await;

    shell.run_beside("return-feed").await;
    for port in workers {
        assert_eq!(databases.rows(port, "saved_items").await, 0, "{port}");
    }
    let third = post(&mut author, "Saved at the end").await;
    for member in &mut members {
        save(member, &third).await;
        let saved = saved(member).await;
        assert!([&first, &second, &third].into_iter().all(|post| saved.contains(post)), "{saved}");
    }
    // `migrate` is a block of moving.md.
    shell.finish(&[BLOCKS, &["migrate"]].concat());
}

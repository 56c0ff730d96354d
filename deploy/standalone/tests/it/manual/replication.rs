//! deploy/manual/moving.md, by replication: feed moves while members write.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use chassis::config::field_name;
use portia::SERVICES;
use sqlx::{ConnectOptions as _, PgConnection, postgres::PgConnectOptions};

use super::{
    backup::{password, post, server_of, wait_until},
    shell::{Server, Shell},
    writers::{Journal, register, write},
};
use crate::{browser::Browser, local::folder, processes::Processes};

pub const BLOCKS: &[&str] = &[
    "enable-replication",
    "make-secrets",
    "prepare-server",
    "dump-schema",
    "restore-service",
    "replicate-schema",
    "migrate",
    "switch-service",
    "drop-old-schema",
];

/// The number of concurrent writers.
const WRITERS: usize = 6;

/// The notifications that the rows of feed cause.
const EXPECTED: &str = "
    select format('post_liked %s %s %s', p.author_id, p.id, r.member_id)
    from feed.reactions r
    join feed.posts p on p.id = r.post_id
    where r.member_id <> p.author_id
    union all
    select format('post_commented %s %s %s %s', p.author_id, p.id, c.author_id, c.id)
    from feed.comments c
    join feed.posts p on p.id = c.post_id
    where c.author_id <> p.author_id
    order by 1";
const FOUND: &str = "
    select trim(format('%s %s %s %s %s', n.kind, n.member_id, n.subject_id, c.actor_id, c.cause))
    from messaging.notifications n
    join messaging.notification_causes c on c.notification_id = n.id
    where n.kind in ('post_liked', 'post_commented')
    order by 1";

async fn texts(db: &mut PgConnection, sql: &'static str) -> Vec<String> {
    sqlx::query_scalar(sql).fetch_all(db).await.unwrap()
}

/// The newest fact of a source with its history, or the position of a consumer of it.
async fn position(db: &mut PgConnection, sql: String) -> String {
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(db).await.unwrap()
}

/// Restarts the private Postgres, which its supervisor starts again on its port, until a setting has a value. The processes are stopped
/// meanwhile: each of their connections would fail a request.
pub async fn restart_postgres(processes: &mut Processes, all: &[&str], (setting, value): (&str, &str)) {
    for process in all {
        processes.stop(process).await;
    }
    let pid_file = processes.folder().join("postgres/cluster/postmaster.pid");
    let pid = || fs::read_to_string(&pid_file).ok()?.lines().next().map(str::to_owned);
    let before = pid().unwrap();
    assert!(Command::new("kill").args(["-INT", &before]).status().unwrap().success());
    wait_until("Postgres restarts", async || pid().is_some_and(|now| now != before)).await;
    let setting = async || {
        let mut db = processes.database("feed").connect().await.ok()?;
        let shown = sqlx::query_scalar::<_, String>("select current_setting($1)").bind(setting);
        shown.fetch_one(&mut db).await.ok()
    };
    wait_until("Postgres has the setting", async || setting().await.as_deref() == Some(value)).await;
    for process in all {
        processes.spawn(process);
    }
    processes.wait_until_started().await;
}

/// A server in the form that the blocks of the chapter expect.
fn conninfo(server: &Server) -> String {
    format!("host=127.0.0.1 port={} user=postgres password={} dbname=portia", server.port, server.password)
}

/// A process of feed starts with the new address.
async fn restart_at(processes: &mut Processes, process: &str, url: &str) {
    processes.stop(process).await;
    processes.set(process, "PORTIA_FEED_DATABASE_URL", url);
    processes.spawn(process);
}

/// Every consumer has applied the last fact of each of its sources.
async fn wait_until_applied(processes: &Processes, feed: &PgConnectOptions) {
    let position_of = async |service: &str, sql: String| {
        let options = if service == "feed" { feed.clone() } else { processes.database(service) };
        position(&mut options.connect().await.unwrap(), sql).await
    };
    let of_feed = ["messaging", "jobs", "social-graph", "auth"].map(|consumer| ("feed", consumer));
    let by_feed = ["auth", "profile", "social-graph"].map(|source| (source, "feed"));
    for (source, consumer) in of_feed.into_iter().chain(by_feed) {
        let (schema, of_consumer) = (field_name(source), field_name(consumer));
        wait_until(&format!("{consumer} has applied the facts of {source}"), async || {
            let newest = format!(
                "select s.history || ' ' || s.n + (select count(*) from {schema}.outbox where seq is null)
                from {schema}.outbox_sequence as s"
            );
            let cursor = format!("select history || ' ' || seq from {of_consumer}.cursors where source = '{source}'");
            position_of(source, newest).await == position_of(consumer, cursor).await
        })
        .await;
        let dead = format!("select count(*)::text from {of_consumer}.dead_facts");
        assert_eq!(position_of(consumer, dead).await, "0", "{consumer}");
    }
}

/// Asserts that each acknowledged write exists once, nothing else exists, and each fact had its effect once.
async fn assert_complete(
    processes: &Processes,
    feed: &PgConnectOptions,
    journal: &Journal,
    members: &BTreeSet<String>,
) {
    wait_until_applied(processes, feed).await;
    let mut db = feed.connect().await.unwrap();
    let contents = async |db: &mut PgConnection, sql: &'static str| -> BTreeMap<String, String> {
        let lines = texts(db, sql).await;
        lines
            .iter()
            .map(|line| line.split_once(' ').unwrap())
            .map(|(id, text)| (id.to_owned(), text.to_owned()))
            .collect()
    };
    let acknowledged = journal.acknowledged();
    assert_eq!(contents(&mut db, "select id || ' ' || content from feed.posts").await, acknowledged.posts);
    assert_eq!(contents(&mut db, "select id || ' ' || content from feed.comments").await, acknowledged.comments);
    let likes = "select format('%s %s', post_id, member_id) from feed.reactions order by 1";
    assert_eq!(texts(&mut db, likes).await, acknowledged.likes.into_iter().collect::<Vec<_>>());
    let differing = "
        select id::text
        from feed.posts p
        where like_count <> (select count(*) from feed.reactions r where r.post_id = p.id)
            or comment_count <> (select count(*) from feed.comments c where c.post_id = p.id)";
    assert_eq!(texts(&mut db, differing).await, [""; 0]);
    let published = "select key from feed.outbox where kind = 'portia.feed.v1.PostCreated' order by key";
    assert_eq!(texts(&mut db, published).await, acknowledged.posts.into_keys().collect::<Vec<_>>());
    // Of the facts that feed itself consumes.
    let of_a_school = texts(&mut db, "select member_id::text from feed.members order by 1").await;
    assert_eq!(of_a_school, members.iter().cloned().collect::<Vec<_>>());

    let mut messaging = processes.database("messaging").connect().await.unwrap();
    let found = texts(&mut messaging, FOUND).await;
    assert!(found.len() > 10, "{}", found.len());
    assert_eq!(found, texts(&mut db, EXPECTED).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_moves_by_replication_while_members_write() {
    let mut processes = Processes::start_replicated("feed").await;
    let Some(old) = server_of(&processes).await else { return };
    let work = folder();
    let [backup, secrets] = ["backup", "secrets"].map(|name| work.path().join(name));
    fs::create_dir(&backup).unwrap();
    let mut shell = Shell::new(&old, &[("BACKUP", &backup), ("SECRETS", &secrets)]);
    shell.set("PORTIA_MIGRATION_DATABASE_URL", &processes.migrations());
    let (running, new) = Server::start(&work.path().join("postgres")).await;
    for (name, value) in
        [("SCHEMA", "feed"), ("SERVICE", "feed"), ("DUMP", backup.join("feed.schema").to_str().unwrap())]
    {
        shell.set(name, value);
    }
    shell.set("OLD_SERVER", &conninfo(&old));
    shell.set("NEW_SERVER", &conninfo(&new));
    shell.run("enable-replication");
    let all = [&SERVICES[..], &["feed-2", "gateway"]].concat();
    restart_postgres(&mut processes, &all, ("wal_level", "logical")).await;
    for consumer in ["messaging", "jobs"] {
        processes.wait_until_consumes(consumer, "feed").await;
    }

    let journal = Journal::default();
    let mut authors = Vec::new();
    for n in 0..WRITERS {
        let mut author = Browser::new(&processes.base);
        let id = author.register(&format!("writer.{n}")).await;
        let first = post(&mut author, &format!("First {n}")).await;
        journal.post(first, format!("First {n}"));
        authors.push((author, id));
    }
    let (finished, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let base = processes.base.clone();
    let more = async |more: usize| {
        let goal = count.load(Ordering::SeqCst) + more;
        wait_until("members write", async || count.load(Ordering::SeqCst) >= goal).await;
    };
    let operate = async {
        more(50).await;
        shell.run_beside("make-secrets").await;
        shell.use_server(&new);
        for block in ["prepare-server", "dump-schema", "restore-service", "replicate-schema"] {
            shell.run_beside(block).await;
        }
        more(50).await;
        let of_migrations = new.url("migrate", &password(&secrets, "migrate"));
        shell.set("PORTIA_FEED_MIGRATION_DATABASE_URL", &of_migrations);
        assert!(shell.run_beside("migrate").await.contains("feed is migrated.\n"));
        let url = new.url("feed", &password(&secrets, "feed"));
        restart_at(&mut processes, "feed-2", &url).await;
        more(50).await;
        journal.begin_switch();
        shell.run_beside("switch-service").await;
        restart_at(&mut processes, "feed", &url).await;
        journal.end_switch();
        more(300).await;
        finished.store(true, Ordering::SeqCst);
    };
    let writers = authors.into_iter().enumerate().map(|(n, (author, id))| {
        let (finished, count, journal) = (&finished, &count, &journal);
        async move { write(n, author, &id, journal, finished, count).await }
    });
    let (_, members, ()) = tokio::join!(futures::future::join_all(writers), register(&base, &finished), operate);
    let [pause, refusals] = journal.pause();
    let writes = count.load(Ordering::SeqCst);
    eprintln!(
        "{writes} writes: the longest time without an acknowledged one was {pause:?}; some were refused for {refusals:?}"
    );
    let met = journal.met_switch();
    assert!(met >= WRITERS, "the writers met the switch with {met} writes");

    assert!(processes.database("feed").connect().await.is_err(), "a forgotten process cannot write at the old server");
    let url: PgConnectOptions = new.url("feed", &password(&secrets, "feed")).parse().unwrap();
    assert_complete(&processes, &url, &journal, &members).await;
    shell.use_server(&old);
    shell.run("drop-old-schema");
    assert_complete(&processes, &url, &journal, &members).await;
    shell.finish(BLOCKS);
    drop(processes);
    running.stop().unwrap();
}

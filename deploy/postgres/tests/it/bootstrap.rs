//! bootstrap.sql: repeatable, safe in parallel, and isolating the services from each other.

use portia_postgres::{BOOTSTRAP, Running};
use sqlx::{AssertSqlSafe, PgConnection, raw_sql};

use super::{Folder, connect, folder, start};

const SERVICES: [&str; 7] = ["auth", "profile", "social_graph", "feed", "jobs", "news", "messaging"];

async fn run(connection: &mut PgConnection, sql: impl Into<String>) -> Result<(), String> {
    let done = raw_sql(AssertSqlSafe(sql.into())).execute(connection).await;
    // SQLSTATE, which callers can rely on.
    done.map(drop).map_err(|error| error.as_database_error().unwrap().code().unwrap().into_owned())
}

/// A bootstrapped database in which every role may sign in.
async fn server() -> (Folder, Running) {
    let folder = folder();
    let running = start(&folder.data).unwrap();
    let mut admin = connect(&running.admin_url()).await;
    run(&mut admin, "create database portia").await.unwrap();
    let mut admin = connect(&running.admin_url_of("portia")).await;
    run(&mut admin, BOOTSTRAP).await.unwrap();
    for role in SERVICES.into_iter().chain(["migrate"]) {
        run(&mut admin, format!("alter role portia_{role} password 'secret'")).await.unwrap();
    }
    (folder, running)
}

async fn signed_in(running: &Running, service: &str) -> PgConnection {
    connect(&format!("postgres://portia_{service}:secret@127.0.0.1:{}/portia", running.port())).await
}

const DENIED: &str = "42501";

/// A table of each schema, as a migration creates it.
async fn migrate(running: &Running) {
    let mut migrate = signed_in(running, "migrate").await;
    for service in SERVICES {
        let table = format!(
            "set role portia_{service}_owner;
            create table {service}.items (id bigserial primary key);
            reset role"
        );
        run(&mut migrate, table).await.unwrap();
    }
}

#[tokio::test]
async fn a_service_uses_its_tables_and_has_no_access_to_others() {
    let (_folder, running) = server().await;
    migrate(&running).await;
    for service in SERVICES {
        let mut own = signed_in(&running, service).await;
        // Unqualified names refer to the role's schema.
        run(&mut own, "insert into items default values").await.unwrap();
        let made = run(&mut own, format!("create table {service}.more (id int)")).await;
        assert_eq!(made.unwrap_err(), DENIED, "{service} creates a table");
        let changed = run(&mut own, "alter table items add column more int").await;
        assert_eq!(changed.unwrap_err(), DENIED, "{service} changes its table");
        for other in SERVICES.into_iter().filter(|other| *other != service) {
            let read = run(&mut own, format!("select * from {other}.items")).await;
            assert_eq!(read.unwrap_err(), DENIED, "{service} reads {other}");
            let made = run(&mut own, format!("create table {other}.planted (id int)")).await;
            assert_eq!(made.unwrap_err(), DENIED, "{service} writes {other}");
        }
        for other in SERVICES.into_iter().flat_map(|other| [other.to_owned(), format!("{other}_owner")]) {
            if other != service {
                let become_it = run(&mut own, format!("set role portia_{other}")).await;
                assert_eq!(become_it.unwrap_err(), DENIED, "{service} becomes {other}");
            }
        }
    }
}

#[tokio::test]
async fn the_role_of_migrations_has_the_rights_of_owners_only_when_it_takes_them() {
    let (_folder, running) = server().await;
    migrate(&running).await;
    let mut migrate = signed_in(&running, "migrate").await;
    assert_eq!(run(&mut migrate, "select * from feed.items").await.unwrap_err(), DENIED);
    assert_eq!(run(&mut migrate, "set role portia_feed").await.unwrap_err(), DENIED);
    run(&mut migrate, "set role portia_feed_owner; select * from feed.items").await.unwrap();
}

#[tokio::test]
async fn tables_of_a_service_from_before_the_roles_of_owners_change_their_owner() {
    let (_folder, running) = server().await;
    let mut admin = connect(&running.admin_url_of("portia")).await;
    // As an earlier version left it.
    let earlier = "alter schema feed owner to portia_feed;
        alter default privileges for role portia_feed_owner in schema feed revoke all on tables from portia_feed;
        create table feed.items (id bigserial primary key, name text);
        create function feed.one() returns int language sql as 'select 1';
        alter table feed.items owner to portia_feed;
        alter function feed.one() owner to portia_feed;
        grant portia_feed to portia_migrate";
    run(&mut admin, earlier).await.unwrap();
    for _ in 0..2 {
        run(&mut admin, BOOTSTRAP).await.unwrap();
        let mut feed = signed_in(&running, "feed").await;
        run(&mut feed, "insert into feed.items (name) values ('one'); delete from feed.items").await.unwrap();
        for refused in ["alter table feed.items drop column name", "drop function feed.one()", "truncate feed.items"] {
            assert_eq!(run(&mut feed, refused).await.unwrap_err(), DENIED, "{refused}");
        }
        let mut migrate = signed_in(&running, "migrate").await;
        assert_eq!(run(&mut migrate, "set role portia_feed").await.unwrap_err(), DENIED);
        run(&mut migrate, "set role portia_feed_owner; alter table feed.items add column more int").await.unwrap();
        run(&mut migrate, "alter table feed.items drop column more").await.unwrap();
        // A privilege that a migration has revoked stays revoked.
        run(&mut migrate, "revoke update on feed.items from portia_feed").await.unwrap();
    }
    let mut feed = signed_in(&running, "feed").await;
    assert_eq!(run(&mut feed, "update feed.items set name = 'two'").await.unwrap_err(), DENIED);
}

#[tokio::test]
async fn a_service_has_the_extensions_and_nothing_else() {
    let (_folder, running) = server().await;
    let mut feed = signed_in(&running, "feed").await;
    run(&mut feed, "select 'torts' % 'tort', similarity('a', 'b'), unaccent('é')").await.unwrap();
    for forbidden in [
        "create table public.items (id int)",
        "create table ext.items (id int)",
        "create schema mine",
        "create temporary table items (id int)",
        "create role another",
        "create database another",
        "alter role portia_auth password 'mine'",
    ] {
        assert_eq!(run(&mut feed, forbidden).await.unwrap_err(), DENIED, "{forbidden}");
    }
}

#[tokio::test]
async fn a_role_without_a_password_cannot_sign_in_and_strangers_cannot_connect() {
    let (_folder, running) = server().await;
    let mut admin = connect(&running.admin_url_of("portia")).await;
    run(&mut admin, "alter role portia_news password null").await.unwrap();
    run(&mut admin, "create role stranger login password 'secret'").await.unwrap();
    for user in ["portia_news", "stranger"] {
        let url = format!("postgres://{user}:secret@127.0.0.1:{}/portia", running.port());
        assert!(<PgConnection as sqlx::Connection>::connect(&url).await.is_err(), "{user}");
    }
}

#[tokio::test]
async fn many_databases_are_bootstrapped_at_once_and_again() {
    let folder = folder();
    let running = start(&folder.data).unwrap();
    let mut admin = connect(&running.admin_url()).await;
    for number in 0..4 {
        run(&mut admin, format!("create database portia_{number}")).await.unwrap();
    }
    // Three at a time in each database, with all roles missing: the race of two catalogs.
    let mut crowd = tokio::task::JoinSet::new();
    for number in (0..4).cycle().take(12) {
        let url = running.admin_url_of(&format!("portia_{number}"));
        crowd.spawn(async move { run(&mut connect(&url).await, BOOTSTRAP).await });
    }
    while let Some(done) = crowd.join_next().await {
        done.unwrap().unwrap();
    }
    let mut one = connect(&running.admin_url_of("portia_0")).await;
    run(&mut one, BOOTSTRAP).await.unwrap();
}

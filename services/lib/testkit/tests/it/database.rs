//! New databases: isolated from each other, under roles without access to other schemas, and dropped at the end.

use std::time::Duration;

use sqlx::{PgPool, Row as _, migrate::Migrator};
use testkit::{Database, outbox_tables};

fn tables() -> Migrator {
    outbox_tables("feed", "create table feed.items (name text, constraint items_pkey primary key (name));")
}

async fn names(pool: &PgPool) -> Vec<String> {
    let rows = sqlx::raw_sql("select name from feed.items").fetch_all(pool).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn two_tests_have_separate_databases() {
    let tables = tables();
    let (one, other) = tokio::join!(Database::fresh("feed", &tables), Database::fresh("feed", &tables));
    sqlx::raw_sql("insert into feed.items (name) values ('mine')").execute(one.pool()).await.unwrap();
    assert_eq!(names(one.pool()).await, ["mine"]);
    assert!(names(other.pool()).await.is_empty());
}

#[tokio::test]
async fn a_role_has_access_to_its_schema_and_the_extensions_only() {
    let feed = Database::fresh("feed", &tables()).await;
    let whoami =
        sqlx::raw_sql("select current_user::text, similarity('law', 'laws') > 0.3").fetch_one(feed.pool()).await;
    let row = whoami.unwrap();
    assert_eq!((row.get::<String, _>(0).as_str(), row.get::<bool, _>(1)), ("portia_feed", true));

    let auth = PgPool::connect_with(feed.options_as("auth")).await.unwrap();
    let refused = sqlx::raw_sql("select name from feed.items").fetch_all(&auth).await.unwrap_err();
    let code = refused.as_database_error().and_then(|error| error.code().map(|code| code.into_owned()));
    assert_eq!(code.as_deref(), Some("42501"), "{refused}");
}

#[tokio::test]
async fn a_database_is_dropped_with_its_value() {
    let database = Database::fresh("feed", &tables()).await;
    let options = database.options();
    sqlx::raw_sql("select 1").execute(database.pool()).await.unwrap();
    drop(database);
    // The drop runs in the background; connections that open meanwhile are closed.
    let gone = async {
        loop {
            let refused = PgPool::connect_with(options.clone()).await.err();
            let code = refused.as_ref().and_then(|error| error.as_database_error()?.code());
            if code.as_deref() == Some("3D000") {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), gone).await.unwrap();
}

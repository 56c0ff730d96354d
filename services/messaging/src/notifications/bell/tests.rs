//! What it takes to tell thousands.

use outbox::Outbox;
use primitives::ids::Ids;
use sqlx::{AssertSqlSafe, PgConnection};
use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{Bell, Deed};
use crate::{MIGRATOR, notifications::Kind};

/// Two and a half times as many as one statement takes.
const AUDIENCE: u128 = 2_500;

/// How many rows a transaction wrote into a table, and by how many statements.
async fn written(db: &mut PgConnection, table: &str) -> String {
    let written = format!("select count(*) || ' by ' || count(distinct cmin::text) from messaging.{table}");
    sqlx::query_scalar(AssertSqlSafe(written)).fetch_one(db).await.unwrap()
}

#[tokio::test]
async fn thousands_are_told_by_a_few_statements_that_none_of_them_is_long() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let clock = clock();
    let bell = Bell::new(Outbox::new("messaging"), clock.clone(), Ids::seeded(clock, 1));
    let (event, organiser) = (member(5_001), member(5_002));
    let deed = Deed { cause: "1", ..Deed::new(Kind::EventChanged, event, organiser) };
    // In whatever order, and one of them named twice.
    let members: Vec<Uuid> = (1..=AUDIENCE).rev().chain([7]).map(member).collect();
    let mut tx = db::begin(database.pool()).await.unwrap();
    bell.ring(&mut tx, &deed, &members).await.unwrap();
    for table in ["bells", "notifications", "notification_causes", "unread_counts", "outbox"] {
        assert_eq!(written(&mut tx, table).await, "2500 by 3", "{table}");
    }
    let keys = "select key from messaging.outbox order by id";
    let keys: Vec<String> = sqlx::query_scalar(keys).fetch_all(&mut *tx).await.unwrap();
    let mut expected: Vec<String> = (1..=AUDIENCE).map(|who| member(who).to_string()).collect();
    expected.sort();
    assert!(keys == expected, "in the order of the members");
    bell.ring(&mut tx, &deed, &members).await.unwrap();
    assert_eq!(written(&mut tx, "outbox").await, "2500 by 3", "again, nobody is told");

    bell.remove(&mut tx, &[Kind::EventChanged], event).await.unwrap();
    assert_eq!(written(&mut tx, "outbox").await, "5000 by 6");
    let waiting = "select count(*) from messaging.unread_counts where notifications > 0";
    assert_eq!(sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut *tx).await.unwrap(), 0);
    let wrong = include_str!("../../../tests/it/notifications/truth.sql");
    assert_eq!(sqlx::query_scalar::<_, String>(wrong).fetch_all(&mut *tx).await.unwrap(), Vec::<String>::new());
}

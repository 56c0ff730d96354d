//! The number of statements for thousands of recipients.

use outbox::Outbox;
use primitives::ids::Ids;
use sqlx::{AssertSqlSafe, PgConnection};
use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{NotificationTrigger, Notifier};
use crate::{MIGRATOR, notifications::Kind};

/// Two and a half times as many as one statement takes.
const RECIPIENTS: u128 = 2_500;

/// The number of rows that a transaction inserted into a table, and of its statements.
async fn inserted(db: &mut PgConnection, table: &str) -> String {
    let inserted = format!("select count(*) || ' by ' || count(distinct cmin::text) from messaging.{table}");
    sqlx::query_scalar(AssertSqlSafe(inserted)).fetch_one(db).await.unwrap()
}

#[tokio::test]
async fn thousands_of_recipients_are_notified_by_statements_of_bounded_size() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let clock = clock();
    let notifier = Notifier::new(Outbox::new("messaging"), clock.clone(), Ids::seeded(clock, 1));
    let (event, organiser) = (member(5_001), member(5_002));
    let trigger = NotificationTrigger { cause: "1", ..NotificationTrigger::new(Kind::EventChanged, event, organiser) };
    // In descending order, and one of them twice.
    let members: Vec<Uuid> = (1..=RECIPIENTS).rev().chain([7]).map(member).collect();
    let mut tx = db::begin(database.pool()).await.unwrap();
    notifier.notify(&mut tx, &trigger, &members).await.unwrap();
    for table in ["bells", "notifications", "notification_causes", "unread_counts", "outbox"] {
        assert_eq!(inserted(&mut tx, table).await, "2500 by 3", "{table}");
    }
    let keys = "select key from messaging.outbox order by id";
    let keys: Vec<String> = sqlx::query_scalar(keys).fetch_all(&mut *tx).await.unwrap();
    let mut expected: Vec<String> = (1..=RECIPIENTS).map(|who| member(who).to_string()).collect();
    expected.sort();
    assert!(keys == expected, "in the order of the members");
    notifier.notify(&mut tx, &trigger, &members).await.unwrap();
    assert_eq!(inserted(&mut tx, "outbox").await, "2500 by 3", "a repeated cause notifies no member");

    notifier.delete_by_subject(&mut tx, &[Kind::EventChanged], event).await.unwrap();
    assert_eq!(inserted(&mut tx, "outbox").await, "5000 by 6");
    let unread = "select count(*) from messaging.unread_counts where notifications > 0";
    assert_eq!(sqlx::query_scalar::<_, i64>(unread).fetch_one(&mut *tx).await.unwrap(), 0);
    let violations = include_str!("../../../tests/it/notifications/truth.sql");
    assert_eq!(sqlx::query_scalar::<_, String>(violations).fetch_all(&mut *tx).await.unwrap(), Vec::<String>::new());
}

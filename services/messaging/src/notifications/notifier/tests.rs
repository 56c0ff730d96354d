//! The number of statements for thousands of recipients, and for many triggers.

use outbox::{Changes, Outbox};
use primitives::ids::Ids;
use sqlx::{AssertSqlSafe, PgConnection};
use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{NotificationTrigger, delete_by_subject, notify, notify_each, withdraw_each};
use crate::{MIGRATOR, notifications::Kind};

/// The number of recipients: two and a half times the maximum of one statement.
const RECIPIENTS: u128 = 2_500;

/// Returns the number of rows that a transaction inserted into a table, and the number of its statements.
async fn inserted(db: &mut PgConnection, table: &str) -> String {
    let inserted = format!("select count(*) || ' by ' || count(distinct cmin::text) from messaging.{table}");
    sqlx::query_scalar(AssertSqlSafe(inserted)).fetch_one(db).await.unwrap()
}

#[tokio::test]
async fn thousands_of_recipients_are_notified_by_statements_of_bounded_size() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let clock = clock();
    let changes = Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock };
    let (event, organiser) = (member(5_001), member(5_002));
    let trigger = NotificationTrigger { cause: "1", ..NotificationTrigger::new(Kind::EventChanged, event, organiser) };
    // In descending order, and one of them twice.
    let members: Vec<Uuid> = (1..=RECIPIENTS).rev().chain([7]).map(member).collect();
    let mut tx = db::begin(database.pool()).await.unwrap();
    notify(&mut changes.work(&mut tx), &trigger, &members).await.unwrap();
    for table in ["notification_locks", "notifications", "notification_causes", "unread_counts", "outbox"] {
        assert_eq!(inserted(&mut tx, table).await, "2500 by 3", "{table}");
    }
    let keys = "select key from messaging.outbox order by id";
    let keys: Vec<String> = sqlx::query_scalar(keys).fetch_all(&mut *tx).await.unwrap();
    let mut expected: Vec<String> = (1..=RECIPIENTS).map(|who| member(who).to_string()).collect();
    expected.sort();
    assert!(keys == expected, "in the order of the members");
    notify(&mut changes.work(&mut tx), &trigger, &members).await.unwrap();
    assert_eq!(inserted(&mut tx, "outbox").await, "2500 by 3", "a repeated cause notifies no member");

    delete_by_subject(&mut changes.work(&mut tx), &[Kind::EventChanged], event).await.unwrap();
    assert_eq!(inserted(&mut tx, "outbox").await, "5000 by 6");
    let unread = "select count(*) from messaging.unread_counts where notifications > 0";
    assert_eq!(sqlx::query_scalar::<_, i64>(unread).fetch_one(&mut *tx).await.unwrap(), 0);
    let violations = include_str!("../../../tests/it/notifications/truth.sql");
    assert_eq!(sqlx::query_scalar::<_, String>(violations).fetch_all(&mut *tx).await.unwrap(), Vec::<String>::new());
}

/// Fifty members like ten posts of two authors, each twice, in a mixed order.
#[tokio::test]
async fn triggers_of_one_kind_share_statements_and_are_applied_in_order() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let clock = clock();
    let changes = Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock };
    let (post, author) = (|n: u128| member(5_000 + n % 10), |n: u128| member(n % 2 + 1));
    let like = |n: u128| (NotificationTrigger::new(Kind::PostLiked, post(n), member(100 + n / 10)), author(n));
    let mut tx = db::begin(database.pool()).await.unwrap();
    // The newest actor of the first post is known: another like of this member changes nothing.
    notify_each(&mut changes.work(&mut tx), vec![like(490)]).await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = db::begin(database.pool()).await.unwrap();
    // An author's like of the own post is skipped.
    let own = (NotificationTrigger::new(Kind::PostLiked, post(0), author(0)), author(0));
    let likes = (0..500).chain(0..500).map(like).chain([own]).collect();
    assert_eq!(notify_each(&mut changes.work(&mut tx), likes).await.unwrap(), [member(1), member(2)]);
    let inserted = "select string_agg(n, ', ' order by n) from (
            select 'causes ' || count(*) || ' by ' || count(distinct cmin::text) as n
            from messaging.notification_causes where xmin = pg_current_xact_id()::xid
            union all
            select 'facts ' || count(*) || ' by ' || count(distinct cmin::text)
            from messaging.outbox where xmin = pg_current_xact_id()::xid
        ) as counts";
    let inserted: String = sqlx::query_scalar(inserted).fetch_one(&mut *tx).await.unwrap();
    assert_eq!(inserted, "causes 499 by 1, facts 2 by 1");
    let unread = "select string_agg(notifications::text, ' ') from messaging.unread_counts";
    assert_eq!(sqlx::query_scalar::<_, String>(unread).fetch_one(&mut *tx).await.unwrap(), "5 5");
    let actors = "select distinct array_to_string(array(
                select (right(id::text, 4))::text from unnest(member_ids) with ordinality as m (id, place) order by place
            ), ' ') || ' of ' || member_count
        from messaging.notifications
        order by 1";
    let end_of = |n: u128| member(n).to_string()[32..].to_owned();
    let latest = format!("{} {} {} of 50", end_of(149), end_of(148), end_of(147));
    // The known actor stays behind the new ones.
    let known = format!("{} {} {} of 50", end_of(148), end_of(147), end_of(146));
    let actors: Vec<String> = sqlx::query_scalar(actors).fetch_all(&mut *tx).await.unwrap();
    let mut expected = [latest, known];
    expected.sort();
    assert_eq!(actors, expected);
    let violations = include_str!("../../../tests/it/notifications/truth.sql");
    assert_eq!(sqlx::query_scalar::<_, String>(violations).fetch_all(&mut *tx).await.unwrap(), Vec::<String>::new());
}

/// Fifty members like ten posts of two authors, and most likes are withdrawn.
#[tokio::test]
async fn withdrawals_of_one_kind_share_statements() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let clock = clock();
    let changes = Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock };
    let (post, author) = (|n: u128| member(5_000 + n % 10), |n: u128| member(n % 2 + 1));
    let like = |n: u128| NotificationTrigger::new(Kind::PostLiked, post(n), member(100 + n / 10));
    let mut tx = db::begin(database.pool()).await.unwrap();
    notify_each(&mut changes.work(&mut tx), (0..500).map(|n| (like(n), author(n))).collect()).await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = db::begin(database.pool()).await.unwrap();
    // All likes of post 0, all but one of post 1, all but four of post 2, the newest of post 3; one of them twice; an unknown one.
    let of_post = |post: u128, members: std::ops::Range<u128>| members.map(move |who| who * 10 + post);
    let withdrawn = of_post(0, 0..50).chain(of_post(1, 1..50)).chain(of_post(2, 0..46)).chain(of_post(3, 49..50));
    let unknown = NotificationTrigger::new(Kind::PostLiked, post(4), member(4_000));
    let withdrawn: Vec<_> = withdrawn.chain([10]).map(like).chain([unknown]).collect();
    withdraw_each(&mut changes.work(&mut tx), &withdrawn).await.unwrap();
    let facts = "select count(*) || ' by ' || count(distinct cmin::text)
        from messaging.outbox where xmin = pg_current_xact_id()::xid";
    assert_eq!(sqlx::query_scalar::<_, String>(facts).fetch_one(&mut *tx).await.unwrap(), "2 by 1");
    let remaining = "select string_agg(n.actors || ' of ' || n.member_count, ', ' order by n.place)
        from (
            select array_position($1, subject_id) as place, member_count, array_to_string(array(
                select right(id::text, 4) from unnest(member_ids) with ordinality as m (id, place) order by place
            ), ' ') as actors
            from messaging.notifications
            where subject_id = any($1)
        ) as n";
    let posts: Vec<Uuid> = (0..4).map(post).collect();
    let remaining: String = sqlx::query_scalar(remaining).bind(posts).fetch_one(&mut *tx).await.unwrap();
    let actors = |actors: [u128; 3]| actors.map(|n| member(100 + n).to_string()[32..].to_owned()).join(" ");
    let one = member(100).to_string()[32..].to_owned();
    assert_eq!(remaining, format!("{one} of 1, {} of 4, {} of 49", actors([49, 48, 47]), actors([48, 47, 46])));
    let unread = "select string_agg(notifications::text, ' ' order by member_id) from messaging.unread_counts";
    assert_eq!(sqlx::query_scalar::<_, String>(unread).fetch_one(&mut *tx).await.unwrap(), "4 5");
    let violations = include_str!("../../../tests/it/notifications/truth.sql");
    assert_eq!(sqlx::query_scalar::<_, String>(violations).fetch_all(&mut *tx).await.unwrap(), Vec::<String>::new());
}

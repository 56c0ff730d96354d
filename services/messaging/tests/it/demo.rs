//! The demo conversations: loaded once, with valid counts.

use sqlx::{AssertSqlSafe, PgConnection};
use testkit::member;

use crate::fixtures::{Fixture, INBOX, REQUESTS, connection_id};

#[tokio::test]
async fn the_demo_is_loaded_once_regardless_of_earlier_facts() {
    let inbox = Fixture::new().await;
    let now = inbox.harness.clock.now();
    // Some demo connections are applied before the load.
    inbox.apply_connection(1, 36, connection_id(now, 30, 1)).await;
    inbox.apply_connection(3, 2, connection_id(now, 30, 2)).await;
    let before = inbox.published_facts().await.len();
    for _ in 0..2 {
        messaging::demo::load(&inbox.harness.context).await.unwrap();
    }
    assert_eq!(inbox.published_facts().await.len(), before, "the demo creates no notifications");
    assert!((12..=15).contains(&inbox.count_rows("conversations").await));
    inbox.assert_invariants().await;
    // The others are applied after it.
    inbox.apply_connection(1, 17, connection_id(now, 30, 3)).await;
    assert!((12..=15).contains(&inbox.count_rows("conversations").await));
    inbox.assert_invariants().await;
}

/// Opens a conversation as the fact of a connection does, in a transaction that stays open.
async fn open(transaction: &mut PgConnection, one: u128, other: u128) -> Result<(), sqlx::Error> {
    let (one, other) = (member(one).min(member(other)), member(one).max(member(other)));
    let insert = format!(
        "insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at)
        values (gen_random_uuid(), '{one}', '{other}', now())"
    );
    sqlx::raw_sql(AssertSqlSafe(insert)).execute(transaction).await.map(drop)
}

#[tokio::test]
async fn the_demo_is_loaded_despite_a_deadlock_with_the_facts_of_its_connections() {
    let inbox = Fixture::new().await;
    // The second conversation of the demo first, then its first one, which the load has inserted and holds meanwhile.
    let mut facts = inbox.harness.pool().acquire().await.unwrap();
    sqlx::raw_sql("begin").execute(&mut *facts).await.unwrap();
    open(&mut facts, 1, 36).await.unwrap();
    let deadlock = async {
        let waiting = "select exists (select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock')";
        while !sqlx::query_scalar::<_, bool>(waiting).fetch_one(inbox.harness.pool()).await.unwrap() {
            testkit::pause().await;
        }
        let opened = open(&mut facts, 1, 2).await;
        // Postgres ends the transaction of the facts or of the load, whichever looks for a deadlock first.
        let end = if opened.is_ok() { "commit" } else { "rollback" };
        sqlx::raw_sql(end).execute(&mut *facts).await.unwrap();
    };
    let (loaded, ()) = tokio::join!(messaging::demo::load(&inbox.harness.context), deadlock);
    loaded.unwrap();
    assert!((12..=15).contains(&inbox.count_rows("conversations").await));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn both_demo_accounts_have_unread_messages_and_a_request() {
    let inbox = Fixture::new().await;
    messaging::demo::load(&inbox.harness.context).await.unwrap();
    let late = "select count(*) from messaging.messages m
        left join messaging.messages before
            on before.conversation_id = m.conversation_id and before.seq = m.seq - 1
        where m.sent_at > $1 or m.sent_at <= before.sent_at or m.sent_at < $1 - interval '14 days'";
    let late: i64 =
        sqlx::query_scalar(late).bind(inbox.harness.clock.now()).fetch_one(inbox.harness.pool()).await.unwrap();
    assert_eq!(late, 0, "in ascending order, recent, and not in the future");
    for sign_in in [1, 2] {
        let (list, requests) =
            (inbox.list_conversations(sign_in, INBOX).await, inbox.list_conversations(sign_in, REQUESTS).await);
        assert!((6..=8).contains(&list.len()) && requests.len() == 1);
        assert!(list.iter().any(|c| c.unread_count > 0) && list.iter().any(|c| c.unread_count == 0));
        let (messages, waiting) = inbox.unread_counts(sign_in).await;
        assert_eq!((messages, waiting), (list.iter().map(|c| c.unread_count).sum(), 1));
    }
    // The conversation accepts further messages.
    let request = inbox.list_conversations(1, REQUESTS).await.remove(0);
    inbox.send(1, &request.id, "Of course!").await.unwrap();
    assert_eq!(inbox.unread_counts(1).await.1, 0);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn both_demo_accounts_have_a_group_with_a_reply_and_reactions() {
    let inbox = Fixture::new().await;
    messaging::demo::load(&inbox.harness.context).await.unwrap();
    for sign_in in [1, 2] {
        let list = inbox.list_conversations(sign_in, INBOX).await;
        let group = list.iter().find(|one| one.group.is_some()).unwrap();
        assert_eq!(group.group.as_ref().unwrap().title.as_deref(), Some("Moot court practice"));
        let messages = inbox.list_messages(sign_in, &group.id).await.unwrap().messages;
        assert!(messages.iter().filter(|one| one.reply_to.is_some()).count() == 2, "{messages:?}");
        assert!(messages.iter().any(|one| one.reactions.len() == 2), "{messages:?}");
        assert!(messages.last().unwrap().system_line.is_some(), "the creation is the oldest one");
    }
}

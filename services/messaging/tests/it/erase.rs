//! An erased account leaves nothing of the member here; what they said stays for the other side.

use portia_proto::{auth::AccountErased, messaging::ListConversationsRequest};
use testkit::member;

use crate::inbox::Inbox;

async fn erase(inbox: &Inbox, who: u128) {
    let erased = AccountErased { member_id: member(who).to_string() };
    inbox.auth.tell(member(who), &erased);
    let seq = inbox.auth.tell(member(who), &erased);
    inbox.harness.heard("auth", seq).await;
}

async fn count(inbox: &Inbox, table: &str) -> i64 {
    let sql = format!("select count(*) from messaging.{table}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(inbox.harness.pool()).await.unwrap()
}

#[tokio::test]
async fn the_other_side_keeps_the_thread_with_nobody_and_the_last_one_takes_it_along() {
    let inbox = Inbox::open().await;
    // One is the lower id of the first pair and the upper of none; two is the upper of the first.
    inbox.converse(1, member(1), member(2)).await;
    inbox.converse(2, member(2), member(3)).await;
    inbox.say(1, member(1), "From one").await;
    inbox.say(1, member(2), "From two").await;
    inbox.say(2, member(2), "To three").await;
    let database = inbox.harness.database();
    assert_eq!(database.tables_naming(member(2)).await, ["conversations", "messages", "participants"]);

    erase(&inbox, 2).await;
    assert_eq!(database.tables_naming(member(2)).await, Vec::<String>::new());
    let kept = inbox.list(member(1), ListConversationsRequest::default()).await.unwrap().conversations;
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].other_member_id.as_deref(), kept[0].last_message.as_deref()), (None, Some("From two")));
    assert_eq!((kept[0].unread_count, count(&inbox, "messages").await), (1, 3));

    erase(&inbox, 1).await;
    assert_eq!(database.tables_naming(member(1)).await, Vec::<String>::new());
    assert_eq!((count(&inbox, "conversations").await, count(&inbox, "messages").await), (1, 1), "three has theirs");
    inbox.harness.stop().await;
}

#[tokio::test]
async fn a_notification_goes_with_its_last_cause() {
    let inbox = Inbox::open().await;
    let sql = format!(
        "insert into messaging.notifications (id, member_id, kind, subject_id, active_at)
        values
            ('01930000-0000-7000-8000-000000000001', '{two}', 'post-reaction', gen_random_uuid(), '2026-01-01'),
            ('01930000-0000-7000-8000-000000000002', '{two}', 'post-comment', gen_random_uuid(), '2026-01-01'),
            ('01930000-0000-7000-8000-000000000003', '{one}', 'post-comment', gen_random_uuid(), '2026-01-01');
        insert into messaging.notification_causes (notification_id, actor_id, at)
        values
            ('01930000-0000-7000-8000-000000000001', '{one}', '2026-01-01'),
            ('01930000-0000-7000-8000-000000000001', '{three}', '2026-01-01'),
            ('01930000-0000-7000-8000-000000000002', '{one}', '2026-01-01'),
            ('01930000-0000-7000-8000-000000000003', '{three}', '2026-01-01')",
        one = member(1),
        two = member(2),
        three = member(3),
    );
    inbox.harness.database().run(sql).await;
    erase(&inbox, 1).await;
    assert_eq!(inbox.harness.database().tables_naming(member(1)).await, Vec::<String>::new());
    let kept = "select kind from messaging.notifications";
    let kept: Vec<String> = sqlx::query_scalar(kept).fetch_all(inbox.harness.pool()).await.unwrap();
    assert_eq!(kept, ["post-reaction"]);
    assert_eq!(count(&inbox, "notification_causes").await, 1);
    inbox.harness.stop().await;
}

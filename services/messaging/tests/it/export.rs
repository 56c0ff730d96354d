//! A member's export: what they took part in, nothing of another's, and as fast as it is read.

use std::time::Duration;

use portia_proto::messaging::{ExportMemberRequest, ExportMemberResponse};
use serde_json::{Value, json};
use testkit::member;
use tonic::{Code, Status, Streaming};
use uuid::Uuid;

use crate::inbox::{Inbox, conversation_id};

async fn export(inbox: &Inbox, who: Uuid) -> Streaming<ExportMemberResponse> {
    let request = inbox.harness.actors.member(who).request(ExportMemberRequest {}).unwrap();
    inbox.messaging.clone().export_member(request).await.unwrap().into_inner()
}

async fn read(mut stream: Streaming<ExportMemberResponse>) -> Result<Vec<(String, Value)>, Status> {
    let mut records = Vec::new();
    while let Some(record) = stream.message().await? {
        records.push((record.section, serde_json::from_str(&record.json).unwrap()));
    }
    Ok(records)
}

/// A record without the id that a test's row draws.
fn without_id((section, mut record): (String, Value)) -> (String, Value) {
    assert!(record.as_object_mut().unwrap().remove("id").is_some());
    (section, record)
}

#[tokio::test]
async fn everything_of_the_member_and_nothing_of_another() {
    let inbox = Inbox::open().await;
    inbox.converse(2, member(1), member(2)).await;
    inbox.say(2, member(1), "From me").await;
    inbox.say(2, member(2), "To me").await;
    inbox.converse(1, member(3), member(1)).await;
    inbox.converse(3, member(2), member(3)).await;
    inbox.say(3, member(2), "None of mine").await;
    let subject = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0003_0000);
    let sql = format!(
        "insert into messaging.notifications (id, member_id, kind, subject_id, active_at, read_at)
        values
            (gen_random_uuid(), '{me}', 'post-reaction', '{subject}', '2026-01-02', '2026-01-03'),
            (gen_random_uuid(), '{me}', 'post-comment', '{subject}', '2026-01-04', null),
            (gen_random_uuid(), '{other}', 'post-comment', '{subject}', '2026-01-01', null);
        insert into messaging.notification_causes (notification_id, actor_id, at)
        select n.id, actor.id::uuid, n.active_at
        from messaging.notifications n
        cross join unnest(array['{other}', '{third}']) as actor (id)
        where n.kind = 'post-reaction'",
        me = member(1),
        other = member(2),
        third = member(3),
    );
    inbox.harness.database().run(sql).await;

    let at = |minute: u32| format!("2026-03-02T08:{minute}:00Z");
    let conversation = |n: u32, other: u128, last: Value, unread: u32| {
        let (opened, other) = (at(60 - n), member(other));
        json!({
            "id": conversation_id(n),
            "otherMemberId": other,
            "openedAt": opened,
            "lastMessageAt": last,
            "unreadCount": unread,
        })
    };
    let message = |mine: bool, content: &str| {
        json!({
            "conversationId": conversation_id(2),
            "senderIsMe": mine,
            "content": content,
            "sentAt": at(58),
        })
    };
    let notification = |kind: &str, active: &str, read: Value, causes: &[Uuid]| {
        json!({
            "kind": kind,
            "subjectId": subject,
            "activeAt": active,
            "readAt": read,
            "causedBy": causes,
        })
    };
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    let (conversations, rest) = records.split_at(2);
    assert_eq!(
        conversations,
        [conversation(2, 2, json!(at(58)), 1), conversation(1, 3, Value::Null, 0)]
            .map(|record| ("conversations".to_owned(), record))
    );
    let expected = [
        ("messages", message(true, "From me")),
        ("messages", message(false, "To me")),
        (
            "notifications",
            notification(
                "post-reaction",
                "2026-01-02T00:00:00Z",
                json!("2026-01-03T00:00:00Z"),
                &[member(2), member(3)],
            ),
        ),
        ("notifications", notification("post-comment", "2026-01-04T00:00:00Z", Value::Null, &[])),
    ];
    let rest: Vec<_> = rest.iter().cloned().map(without_id).collect();
    assert_eq!(rest, expected.map(|(section, record)| (section.to_owned(), record)));
    assert_eq!(read(export(&inbox, member(4)).await).await.unwrap(), []);
}

#[tokio::test]
async fn what_a_former_member_said_is_not_mine() {
    let inbox = Inbox::open().await;
    inbox.converse(1, member(1), member(2)).await;
    inbox.say(1, member(2), "Farewell").await;
    inbox.harness.database().run("update messaging.messages set sender_id = null").await;
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    assert_eq!(
        (records[1].1["senderIsMe"].as_bool(), records[1].1["content"].as_str()),
        (Some(false), Some("Farewell"))
    );
}

#[tokio::test]
async fn a_visitor_has_nothing_to_export() {
    let inbox = Inbox::open().await;
    let request = inbox.harness.actors.service("gateway").request(ExportMemberRequest {}).unwrap();
    let refused = inbox.messaging.clone().export_member(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}

/// 10,000 messages of 2,000 characters: 20 MB, more than any socket's buffers hold.
async fn talkative() -> Inbox {
    let inbox = Inbox::open().await;
    inbox.converse(1, member(1), member(2)).await;
    let fill = format!(
        "insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at)
        select gen_random_uuid(), '{}', n, '{}', repeat('x', 2000), to_timestamp(n) from generate_series(1, 10000) n",
        conversation_id(1),
        member(2)
    );
    inbox.harness.database().run(fill).await;
    inbox
}

/// Waits until so many statements of exports stand still because nobody takes their rows.
async fn wait_until_held(inbox: &Inbox, held: i64) {
    let waiting = "select count(*) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event = 'ClientWrite'";
    let count = async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(inbox.harness.pool()).await.unwrap();
    let reached = async { while count().await != held {} };
    tokio::time::timeout(Duration::from_secs(30), reached).await.expect("rows wait for their reader");
}

#[tokio::test]
async fn ten_thousand_records_are_read_as_they_are_taken() {
    let inbox = talkative().await;
    let mut stream = export(&inbox, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    // Postgres waits for us, so nobody has collected the rows between it and us.
    wait_until_held(&inbox, 1).await;
    assert_eq!(read(stream).await.unwrap().len(), 10_000);
}

#[tokio::test]
async fn a_reader_who_leaves_stops_it() {
    let inbox = talkative().await;
    // More than may be read at once: a place that was not given back would hold up the last ones for good.
    for _ in 0..5 {
        let mut stream = export(&inbox, member(1)).await;
        stream.message().await.unwrap().expect("a record");
        wait_until_held(&inbox, 1).await;
        drop(stream);
        wait_until_held(&inbox, 0).await;
    }
}

#[tokio::test]
async fn one_cut_off_ends_with_an_error() {
    let inbox = talkative().await;
    let mut stream = export(&inbox, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    wait_until_held(&inbox, 1).await;
    let (_, read) = tokio::join!(inbox.harness.stop(), read(stream));
    assert_eq!(read.unwrap_err().code(), Code::Unavailable, "never as if it were complete");
}

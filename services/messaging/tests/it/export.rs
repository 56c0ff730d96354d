//! A member's export: what they took part in, nothing of another's, and as fast as it is read.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use portia_proto::messaging::{ExportMemberRequest, ExportMemberResponse};
use serde_json::{Value, json};
use testkit::member;
use tonic::{Code, Status, Streaming};
use uuid::Uuid;

use crate::inbox::Inbox;

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

/// A section's records, without the ids that messages draw.
fn section(records: &[(String, Value)], name: &str) -> Vec<Value> {
    let of_it = records.iter().filter(|(section, _)| section == name).map(|(_, record)| record.clone());
    of_it
        .map(|mut record| {
            if name == "messages" {
                assert!(record.as_object_mut().unwrap().remove("id").is_some());
            }
            record
        })
        .collect()
}

#[tokio::test]
async fn everything_of_the_member_and_nothing_of_another() {
    let inbox = Inbox::open().await;
    let asked_at = inbox.harness.clock.now();
    let asked = inbox.ask(3, 1).await;
    inbox.say(3, &asked, "May I?").await.unwrap();
    inbox.wait(60);
    let opened_at = inbox.harness.clock.now();
    let id = inbox.ask(1, 2).await;
    inbox.say(1, &id, "From me").await.unwrap();
    inbox.say(2, &id, "To me").await.unwrap();
    let between_others = inbox.connect(2, 3).await;
    inbox.say(2, &between_others, "None of mine").await.unwrap();

    let at = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    let conversation = |id: &str, other: u128, folder: &str, moment: DateTime<Utc>| {
        json!({
            "id": id,
            "otherMemberId": member(other),
            "openedAt": at(moment),
            "folder": folder,
            "lastMessageAt": at(moment),
            "unreadCount": 1,
        })
    };
    let message = |id: &str, mine: bool, content: &str, moment: DateTime<Utc>| {
        json!({
            "conversationId": id,
            "senderIsMe": mine,
            "content": content,
            "sentAt": at(moment),
        })
    };
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    assert_eq!(
        section(&records, "conversations"),
        [conversation(&asked, 3, "requests", asked_at), conversation(&id, 2, "inbox", opened_at)]
    );
    let to_me = message(&id, false, "To me", opened_at);
    let from_me = message(&id, true, "From me", opened_at);
    let may_i = message(&asked, false, "May I?", asked_at);
    assert_eq!(section(&records, "messages"), [may_i.clone(), from_me.clone(), to_me]);

    // What one cleared is the other's; one's own words there are one's own.
    inbox.clear(1, &id).await.unwrap();
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    assert_eq!(section(&records, "messages"), [may_i, from_me]);
    assert_eq!(section(&records, "conversations").len(), 2);
    assert_eq!(read(export(&inbox, member(4)).await).await.unwrap(), []);
}

#[tokio::test]
async fn what_a_former_member_said_is_not_mine() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    inbox.say(2, &id, "Farewell").await.unwrap();
    inbox.erase(2).await;
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
    // Whoever asked to connect is told that it came about: one record more.
    let id = inbox.connect(2, 1).await;
    let fill = format!(
        "insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at)
        select gen_random_uuid(), '{id}', n, '{}', repeat('x', 2000), to_timestamp(n) from generate_series(1, 10000) n",
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

//! The export: all rows of the member, none of others, streamed under backpressure.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use portia_proto::messaging::{ExportMemberRequest, ExportMemberResponse, MessageReactionKind};
use serde_json::{Value, json};
use testkit::member;
use tonic::{Code, Status, Streaming};
use uuid::Uuid;

use crate::fixtures::Fixture;

async fn export(inbox: &Fixture, who: Uuid) -> Streaming<ExportMemberResponse> {
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

/// Returns the records of a section, without the random ids of messages.
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
async fn the_export_contains_all_rows_of_the_member_and_none_of_others() {
    let inbox = Fixture::new().await;
    let asked_at = inbox.harness.clock.now();
    let asked = inbox.open_request(3, 1).await;
    inbox.send(3, &asked, "May I?").await.unwrap();
    inbox.advance_clock(60);
    let opened_at = inbox.harness.clock.now();
    let id = inbox.open_request(1, 2).await;
    inbox.send(1, &id, "From me").await.unwrap();
    inbox.send(2, &id, "To me").await.unwrap();
    let between_others = inbox.connect_pair(2, 3).await;
    inbox.send(2, &between_others, "None of mine").await.unwrap();

    let at = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    let conversation = |id: &str, other: u128, folder: &str, moment: DateTime<Utc>| {
        json!({
            "id": id,
            "otherMemberId": member(other),
            "openedAt": at(moment),
            "folder": folder,
            "lastMessageAt": at(moment),
            "unreadCount": 1,
            "muted": false,
            "isGroup": false,
            "groupTitle": null,
            "groupMemberIds": [],
            "ownedByMe": false,
        })
    };
    let message = |id: &str, mine: bool, content: &str, moment: DateTime<Utc>| {
        json!({
            "conversationId": id,
            "senderIsMe": mine,
            "content": content,
            "sentAt": at(moment),
            "editedAt": null,
            "deletedAt": null,
            "replyToId": null,
            "systemKind": null,
            "attachments": null,
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

    // A cleared conversation keeps only the member's own messages in the export.
    inbox.clear_conversation(1, &id).await.unwrap();
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    assert_eq!(section(&records, "messages"), [may_i, from_me]);
    assert_eq!(section(&records, "conversations").len(), 2);
    assert_eq!(read(export(&inbox, member(4)).await).await.unwrap(), []);
}

#[tokio::test]
async fn the_export_contains_changed_messages_and_own_reactions() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    let asked = inbox.send(1, &id, "Nine?").await.unwrap().id;
    let reply = inbox.reply(2, &id, &asked, "Ten").await.unwrap().id;
    let deleted = inbox.send(1, &id, "Oops").await.unwrap().id;
    inbox.edit_message(1, &id, &asked, "At nine?").await.unwrap();
    inbox.delete_message(1, &id, &deleted).await.unwrap();
    inbox.react(1, &id, &reply, MessageReactionKind::Thanks, true).await.unwrap();
    inbox.react(2, &id, &asked, MessageReactionKind::Like, true).await.unwrap();
    inbox.mute(1, &id, true).await.unwrap();
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    let messages = section(&records, "messages");
    assert_eq!((&messages[0]["content"], messages[0]["editedAt"].is_string()), (&json!("At nine?"), true));
    assert_eq!(messages[1]["replyToId"], json!(asked));
    assert_eq!((&messages[2]["content"], messages[2]["deletedAt"].is_string()), (&json!(""), true));
    assert_eq!(section(&records, "conversations")[0]["muted"], json!(true));
    let reactions = section(&records, "message-reactions");
    assert_eq!(reactions.len(), 1, "only those of the member");
    assert_eq!((&reactions[0]["messageId"], &reactions[0]["kind"]), (&json!(reply), &json!("thanks")));
}

#[tokio::test]
async fn the_export_contains_groups_and_own_messages_of_groups_that_the_member_left() {
    let inbox = Fixture::new().await;
    let id = inbox.create_group(2, Some("Moot court"), &[1, 3]).await.unwrap().id;
    inbox.send(1, &id, "Mine").await.unwrap();
    inbox.send(2, &id, "Of the owner").await.unwrap();
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    let group = &section(&records, "conversations")[0];
    assert_eq!(
        (&group["isGroup"], &group["groupTitle"], &group["ownedByMe"]),
        (&json!(true), &json!("Moot court"), &json!(false))
    );
    assert_eq!(group["groupMemberIds"], json!([member(2), member(3)]));
    assert_eq!(section(&records, "messages").len(), 3, "with the line of the creation");
    inbox.remove_from_group(1, &id, 1).await.unwrap();
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    assert_eq!(section(&records, "conversations"), Vec::<Value>::new());
    let messages = section(&records, "messages");
    assert_eq!(messages.iter().map(|one| &one["content"]).collect::<Vec<_>>(), [&json!("Mine"), &json!("")]);
}

#[tokio::test]
async fn a_message_of_an_erased_member_is_not_exported_as_own() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(2, &id, "Farewell").await.unwrap();
    inbox.erase(2).await;
    let records = read(export(&inbox, member(1)).await).await.unwrap();
    assert_eq!(
        (records[1].1["senderIsMe"].as_bool(), records[1].1["content"].as_str()),
        (Some(false), Some("Farewell"))
    );
}

#[tokio::test]
async fn an_export_for_a_visitor_is_refused() {
    let inbox = Fixture::new().await;
    let request = inbox.harness.actors.service("gateway").request(ExportMemberRequest {}).unwrap();
    let refused = inbox.messaging.clone().export_member(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}

/// Inserts 10,000 messages of 2,000 characters: 20 MB, more than the socket buffers hold.
async fn with_large_conversation() -> Fixture {
    let inbox = Fixture::new().await;
    // Member 2 requests, so that member 1 has no notification of the acceptance in the export.
    let id = inbox.connect_pair(2, 1).await;
    let fill = format!(
        "insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at)
        select gen_random_uuid(), '{id}', n, '{}', repeat('x', 2000), to_timestamp(n) from generate_series(1, 10000) n",
        member(2)
    );
    inbox.harness.database().run(fill).await;
    inbox
}

/// Waits until this many export statements wait for their client to read.
async fn wait_until_stalled(inbox: &Fixture, expected: i64) {
    let waiting = "select count(*) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event = 'ClientWrite'";
    let count = async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(inbox.harness.pool()).await.unwrap();
    let reached = async {
        while count().await != expected {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), reached).await.expect("the statements wait for their client");
}

#[tokio::test]
async fn ten_thousand_records_are_streamed_under_backpressure() {
    let inbox = with_large_conversation().await;
    let mut stream = export(&inbox, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    // Postgres waits for the client, so the rows are not collected in memory.
    wait_until_stalled(&inbox, 1).await;
    assert_eq!(read(stream).await.unwrap().len(), 10_000);
}

#[tokio::test]
async fn a_client_that_disconnects_stops_its_export() {
    let inbox = with_large_conversation().await;
    // More than the limit of concurrent exports: a permit that is not returned would block the last ones.
    for _ in 0..5 {
        let mut stream = export(&inbox, member(1)).await;
        stream.message().await.unwrap().expect("a record");
        wait_until_stalled(&inbox, 1).await;
        drop(stream);
        wait_until_stalled(&inbox, 0).await;
    }
}

#[tokio::test]
async fn an_interrupted_export_ends_with_an_error() {
    let inbox = with_large_conversation().await;
    let mut stream = export(&inbox, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    wait_until_stalled(&inbox, 1).await;
    let (_, read) = tokio::join!(inbox.harness.stop(), read(stream));
    assert_eq!(read.unwrap_err().code(), Code::Unavailable, "not as if it were complete");
}

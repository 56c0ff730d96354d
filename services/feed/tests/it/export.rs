//! The export: all rows of the member, none of others, streamed under backpressure.

use std::time::Duration;

use feed::impressions::ImpressionBuffer;
use portia_proto::feed::{
    CreateMuteRequest, CreatePostRequest, ExportMemberResponse, FollowTopicRequest, HidePostRequest, ReactionKind,
    ReportItemRequest, ReportReason, ReportedKind, SaveItemRequest, SavedKind,
};
use primitives::error::StatusDetails;
use serde_json::{Value, json};
use tonic::Streaming;
use uuid::Uuid;

use crate::fixtures::{Fixture, member};

async fn read_records(mut stream: Streaming<ExportMemberResponse>) -> Result<Vec<(String, Value)>, StatusDetails> {
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.map_err(|status| StatusDetails::from(&status))? {
        records.push((record.section, serde_json::from_str(&record.json).unwrap()));
    }
    Ok(records)
}

pub async fn export(fixture: &Fixture, who: Uuid) -> Vec<(String, Value)> {
    read_records(fixture.export_member(&fixture.as_member(who)).await.unwrap()).await.unwrap()
}

#[tokio::test]
async fn the_export_contains_all_rows_of_the_member_and_none_of_others() {
    let fixture = Fixture::new().await;
    let (me, other) = (member(1), member(2));
    let mine = fixture.create_post_of(me, "mine \"quoted\" \u{1f389}").await;
    let other_post = fixture.create_post_of(other, "theirs").await;
    fixture.advance_clock(1);
    let comment = fixture.create_comment_of(me, &other_post.id, "my words").await;
    let liked = fixture.create_comment_of(other, &mine.id, "their words").await;
    fixture.like_comment(me, &liked.id).await;
    fixture.like_comment(other, &comment.id).await;
    fixture.create_reply_of(other, &comment, "their answer").await;
    fixture.set_reaction_of(me, &other_post.id, ReactionKind::Thanks).await;
    fixture.set_reaction_of(other, &mine.id, ReactionKind::Celebrate).await;
    for (who, post, words) in [(me, &other_post, "my complaint"), (other, &mine, "their complaint")] {
        let (kind, reason) = (ReportedKind::Post.into(), ReportReason::FalseInformation.into());
        let (id, words) = (post.id.clone(), Some(words.to_owned()));
        let report = ReportItemRequest { kind, id, reason, words, ..Default::default() };
        fixture.report_item(&fixture.as_member(who), report).await.unwrap();
    }
    let (kind, id) = (SavedKind::Post.into(), other_post.id.clone());
    fixture.save_item(&fixture.as_member(me), SaveItemRequest { kind, id }).await.unwrap();
    fixture.save_item(&fixture.as_member(other), SaveItemRequest { kind, id: mine.id.clone() }).await.unwrap();
    for (who, topic) in [(me, "Moot"), (other, "theirs")] {
        let request = FollowTopicRequest { topic: topic.to_owned() };
        fixture.follow_topic(&fixture.as_member(who), request).await.unwrap();
    }
    let hide = HidePostRequest { post_id: other_post.id.clone(), not_interested: true };
    fixture.hide_post(&fixture.as_member(me), hide).await.unwrap();
    for (who, word) in [(me, "Bar"), (other, "theirs")] {
        let mute = CreateMuteRequest { kind: 1, word: Some(word.to_owned()), ..Default::default() };
        fixture.create_mute(&fixture.as_member(who), mute).await.unwrap();
    }
    let (impressions, now) = (ImpressionBuffer::default(), fixture.harness.clock.now());
    for (post, author, viewer) in [(&mine, me, other), (&other_post, other, me)] {
        impressions.record(Some(viewer), [(author, post.id.parse().unwrap())].into_iter(), now);
    }
    impressions.write(fixture.pool()).await.unwrap();

    let (at, later) = ("2026-03-02T09:00:00Z", "2026-03-02T09:00:01Z");
    let section = |name: &str, record: Value| (name.to_owned(), record);
    let words = "mine \"quoted\" \u{1f389}";
    let expected = [
        section(
            "posts",
            json!({"id": mine.id, "content": words, "title": null, "picture": null, "pictureAlt": null,
            "videoUrl": null, "media": null, "withoutLinkPreview": false, "createdAt": at, "editedAt": null, "likeCount": 1,
            "commentCount": 1, "shareCount": 0, "repostOf": null, "communityId": null, "school": null}),
        ),
        section(
            "comments",
            json!({"id": comment.id, "postId": other_post.id, "content": "my words", "createdAt": later, "editedAt": null,
            "replyTo": null, "replyCount": 1, "likeCount": 1}),
        ),
        section("reactions", json!({"postId": other_post.id, "type": "thanks", "createdAt": later})),
        section(
            "comment-reactions",
            json!({"commentId": liked.id, "postId": mine.id, "type": "like", "createdAt": later}),
        ),
        section("saved-items", json!({"kind": "post", "id": other_post.id, "savedAt": later})),
        section("followed-topics", json!({"topic": "moot", "followedAt": later})),
        section("hidden-posts", json!({"postId": other_post.id, "hiddenAt": later, "notInterested": true})),
        section("mutes", json!({"kind": "word", "word": "bar", "targetId": null, "mutedAt": later, "expiresAt": null})),
        section("shown-posts", json!({"postId": other_post.id, "day": "2026-03-02"})),
        section(
            "reports",
            json!({"kind": "post", "id": other_post.id, "reason": "false-information", "words": "my complaint",
            "createdAt": later}),
        ),
        section("impressions", json!({"impressions": 1})),
    ];
    assert_eq!(export(&fixture, me).await, expected);
    for (_, record) in export(&fixture, me).await {
        let record = record.to_string();
        assert!(!record.contains(&other.to_string()) && !record.contains("their"), "{record}");
    }
    assert_eq!(export(&fixture, member(3)).await, [section("impressions", json!({"impressions": 0}))]);
}

#[tokio::test]
async fn the_export_contains_attachments_and_unused_pictures() {
    let fixture = Fixture::new().await;
    let taken = fixture.upload_picture(member(1), &crate::pictures::small(1), None).await.unwrap();
    let waits = fixture.upload_picture(member(1), &crate::pictures::small(2), None).await.unwrap();
    fixture.upload_picture(member(2), &crate::pictures::small(1), None).await.unwrap();
    let request = CreatePostRequest {
        content: "Look".to_owned(),
        picture_id: Some(taken.picture_id),
        picture_alt: Some("A court".to_owned()),
        ..Default::default()
    };
    let post = fixture.create_post(&fixture.as_member(member(1)), request).await.unwrap().post.unwrap();
    let file = |url: &str| url.trim_start_matches("/media/signed/").to_owned();
    let records = export(&fixture, member(1)).await;
    assert_eq!((&records[0].1["picture"], &records[0].1["pictureAlt"]), (&json!(file(&taken.url)), &json!("A court")));
    let mut pictures: Vec<Value> =
        records.into_iter().filter(|(section, _)| section == "pictures").map(|(_, record)| record).collect();
    pictures.sort_by_key(|picture| picture["postId"].is_null());
    let expected =
        [json!({"file": file(&taken.url), "postId": post.id}), json!({"file": file(&waits.url), "postId": null})];
    assert_eq!(pictures, expected);
}

/// Inserts 10,000 posts of 2,000 characters: 20 MB, more than the socket buffers hold.
async fn fixture_with_many_posts() -> Fixture {
    let fixture = Fixture::new().await;
    let fill = format!(
        "insert into feed.posts (id, author_id, content, created_at, freshness)
        select gen_random_uuid(), '{}', repeat('x', 2000), to_timestamp(n), 0 from generate_series(1, 10000) n",
        member(1)
    );
    fixture.harness.database().run(fill).await;
    fixture
}

/// Waits until this many export statements wait for their client to read.
async fn wait_for_backpressure(fixture: &Fixture, held: i64) {
    let waiting = "select count(*) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event = 'ClientWrite'";
    let reached = async {
        while fixture.count(waiting).await != held {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), reached).await.expect("the statements wait for their client");
}

#[tokio::test]
async fn ten_thousand_records_are_streamed_under_backpressure() {
    let fixture = fixture_with_many_posts().await;
    let mut stream = fixture.export_member(&fixture.as_member(member(1))).await.unwrap();
    stream.message().await.unwrap().expect("a record");
    // Postgres waits for the client, so the rows are not collected in memory.
    wait_for_backpressure(&fixture, 1).await;
    let rest = read_records(stream).await.unwrap();
    assert_eq!(rest.len(), 10_000 - 1 + 1);
    assert!(rest[..9_999].iter().all(|(section, _)| section == "posts"));
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 10_000);
}

#[tokio::test]
async fn a_client_that_disconnects_stops_its_export() {
    let fixture = fixture_with_many_posts().await;
    // More than the limit of concurrent exports: a permit that is not returned would block the last ones.
    for _ in 0..5 {
        let mut stream = fixture.export_member(&fixture.as_member(member(1))).await.unwrap();
        stream.message().await.unwrap().expect("a record");
        wait_for_backpressure(&fixture, 1).await;
        drop(stream);
        wait_for_backpressure(&fixture, 0).await;
    }
}

#[tokio::test]
async fn an_interrupted_export_ends_with_an_error() {
    let fixture = fixture_with_many_posts().await;
    let mut stream = fixture.export_member(&fixture.as_member(member(1))).await.unwrap();
    stream.message().await.unwrap().expect("a record");
    wait_for_backpressure(&fixture, 1).await;
    let (_, read) = tokio::join!(fixture.harness.stop(), read_records(stream));
    assert_eq!(read.unwrap_err().kind, primitives::error::ErrorKind::Unavailable, "not as if it were complete");
}

//! A member's export: all of theirs, nothing of another's, and as fast as it is read.

use std::time::Duration;

use feed::{impressions::Impressions, posts::Post};
use portia_proto::feed::{
    CreatePostRequest, ExportMemberResponse, ReactionKind, ReportItemRequest, ReportReason, ReportedKind,
    SaveItemRequest, SavedKind,
};
use primitives::error::StatusDetails;
use serde_json::{Value, json};
use tonic::Streaming;
use uuid::Uuid;

use crate::stand::{Stand, member};

async fn read(mut stream: Streaming<ExportMemberResponse>) -> Result<Vec<(String, Value)>, StatusDetails> {
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.map_err(|status| StatusDetails::from(&status))? {
        records.push((record.section, serde_json::from_str(&record.json).unwrap()));
    }
    Ok(records)
}

async fn export(stand: &Stand, who: Uuid) -> Vec<(String, Value)> {
    read(stand.export(&stand.by(who)).await.unwrap()).await.unwrap()
}

#[tokio::test]
async fn everything_of_the_member_and_nothing_of_another() {
    let stand = Stand::new().await;
    let (me, other) = (member(1), member(2));
    let mine = stand.post(me, "mine \"quoted\" \u{1f389}").await;
    let theirs = stand.post(other, "theirs").await;
    stand.wait(1);
    let comment = stand.comment(me, &theirs.id, "my words").await;
    stand.comment(other, &mine.id, "their words").await;
    stand.react(me, &theirs.id, ReactionKind::Thanks).await;
    stand.react(other, &mine.id, ReactionKind::Celebrate).await;
    for (who, post, words) in [(me, &theirs, "my complaint"), (other, &mine, "their complaint")] {
        let (kind, reason) = (ReportedKind::Post.into(), ReportReason::FalseInformation.into());
        let (id, words) = (post.id.clone(), Some(words.to_owned()));
        let report = ReportItemRequest { kind, id, reason, words, ..Default::default() };
        stand.report_item(&stand.by(who), report).await.unwrap();
    }
    let (kind, id) = (SavedKind::Post.into(), theirs.id.clone());
    stand.save_item(&stand.by(me), SaveItemRequest { kind, id }).await.unwrap();
    stand.save_item(&stand.by(other), SaveItemRequest { kind, id: mine.id.clone() }).await.unwrap();
    let (shown, now) = (Impressions::default(), stand.harness.clock.now());
    for (post, author, viewer) in [(&mine, me, other), (&theirs, other, me)] {
        let post = Post::fresh(post.id.parse().unwrap(), author, String::new(), now);
        shown.note(Some(viewer), &[post], now);
    }
    shown.write(stand.pool()).await.unwrap();

    let (at, later) = ("2026-03-02T09:00:00Z", "2026-03-02T09:00:01Z");
    let section = |name: &str, record: Value| (name.to_owned(), record);
    let words = "mine \"quoted\" \u{1f389}";
    let expected = [
        section(
            "posts",
            json!({"id": mine.id, "content": words, "title": null, "picture": null, "pictureAlt": null,
            "videoUrl": null, "createdAt": at, "editedAt": null, "likeCount": 1,
            "commentCount": 1, "shareCount": 0, "repostOf": null, "communityId": null, "school": null}),
        ),
        section(
            "comments",
            json!({"id": comment.id, "postId": theirs.id, "content": "my words", "createdAt": later, "editedAt": null}),
        ),
        section("reactions", json!({"postId": theirs.id, "type": "thanks", "createdAt": later})),
        section("saved-items", json!({"kind": "post", "id": theirs.id, "savedAt": later})),
        section("shown-posts", json!({"postId": theirs.id, "day": "2026-03-02"})),
        section(
            "reports",
            json!({"kind": "post", "id": theirs.id, "reason": "false-information", "words": "my complaint",
            "createdAt": later}),
        ),
        section("impressions", json!({"impressions": 1})),
    ];
    assert_eq!(export(&stand, me).await, expected);
    for (_, record) in export(&stand, me).await {
        let record = record.to_string();
        assert!(!record.contains(&other.to_string()) && !record.contains("their"), "{record}");
    }
    assert_eq!(export(&stand, member(3)).await, [section("impressions", json!({"impressions": 0}))]);
}

#[tokio::test]
async fn what_a_post_shows_is_told_and_pictures_that_wait() {
    let stand = Stand::new().await;
    let taken = stand.upload(member(1), &crate::pictures::small(1), None).await.unwrap();
    let waits = stand.upload(member(1), &crate::pictures::small(2), None).await.unwrap();
    stand.upload(member(2), &crate::pictures::small(1), None).await.unwrap();
    let request = CreatePostRequest {
        content: "Look".to_owned(),
        picture_id: Some(taken.picture_id),
        picture_alt: Some("A court".to_owned()),
        ..Default::default()
    };
    let post = stand.create_post(&stand.by(member(1)), request).await.unwrap().post.unwrap();
    let file = |url: &str| url.trim_start_matches("/media/").to_owned();
    let told = export(&stand, member(1)).await;
    assert_eq!((&told[0].1["picture"], &told[0].1["pictureAlt"]), (&json!(file(&taken.url)), &json!("A court")));
    let mut pictures: Vec<Value> =
        told.into_iter().filter(|(section, _)| section == "pictures").map(|(_, record)| record).collect();
    pictures.sort_by_key(|picture| picture["postId"].is_null());
    let expected =
        [json!({"file": file(&taken.url), "postId": post.id}), json!({"file": file(&waits.url), "postId": null})];
    assert_eq!(pictures, expected);
}

/// 10,000 posts of 2,000 characters: 20 MB, more than any socket's buffers hold.
async fn prolific() -> Stand {
    let stand = Stand::new().await;
    let fill = format!(
        "insert into feed.posts (id, author_id, content, created_at, freshness)
        select gen_random_uuid(), '{}', repeat('x', 2000), to_timestamp(n), 0 from generate_series(1, 10000) n",
        member(1)
    );
    stand.harness.database().run(fill).await;
    stand
}

/// Waits until so many statements of the export stand still because nobody takes their rows.
async fn wait_until_held(stand: &Stand, held: i64) {
    let waiting = "select count(*) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event = 'ClientWrite'";
    let reached = async { while stand.count(waiting).await != held {} };
    tokio::time::timeout(Duration::from_secs(30), reached).await.expect("rows wait for their reader");
}

#[tokio::test]
async fn ten_thousand_records_are_read_as_they_are_taken() {
    let stand = prolific().await;
    let mut stream = stand.export(&stand.by(member(1))).await.unwrap();
    stream.message().await.unwrap().expect("a record");
    // Postgres waits for us, so nobody has collected the rows between it and us.
    wait_until_held(&stand, 1).await;
    let rest = read(stream).await.unwrap();
    assert_eq!(rest.len(), 10_000 - 1 + 1);
    assert!(rest[..9_999].iter().all(|(section, _)| section == "posts"));
    assert_eq!(stand.count("select count(*) from feed.posts").await, 10_000);
}

#[tokio::test]
async fn a_reader_who_leaves_stops_it() {
    let stand = prolific().await;
    // More than may be read at once: a place that was not given back would hold up the last ones for good.
    for _ in 0..5 {
        let mut stream = stand.export(&stand.by(member(1))).await.unwrap();
        stream.message().await.unwrap().expect("a record");
        wait_until_held(&stand, 1).await;
        drop(stream);
        wait_until_held(&stand, 0).await;
    }
}

#[tokio::test]
async fn one_cut_off_ends_with_an_error() {
    let stand = prolific().await;
    let mut stream = stand.export(&stand.by(member(1))).await.unwrap();
    stream.message().await.unwrap().expect("a record");
    wait_until_held(&stand, 1).await;
    let (_, read) = tokio::join!(stand.harness.stop(), read(stream));
    assert_eq!(read.unwrap_err().kind, primitives::error::ErrorKind::Unavailable, "never as if it were complete");
}

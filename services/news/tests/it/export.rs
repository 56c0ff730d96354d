//! A member's export: all they suggested, nothing of another's.

use portia_proto::news::ExportMemberRequest;
use serde_json::{Value, json};
use testkit::member;
use uuid::Uuid;

use crate::{newsroom::Newsroom, suggestions::suggestion};

async fn export(newsroom: &Newsroom, who: Uuid) -> Vec<(String, Value)> {
    let request = newsroom.harness.actors.member(who).request(ExportMemberRequest {}).unwrap();
    let mut stream = newsroom.news.clone().export_member(request).await.unwrap().into_inner();
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        records.push((record.section, serde_json::from_str(&record.json).unwrap()));
    }
    records
}

#[tokio::test]
async fn everything_of_the_member_and_nothing_of_another() {
    let newsroom = Newsroom::open().await;
    newsroom.offer(5, Some(member(1)), true).await;
    let waits = newsroom.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    newsroom.suggest(member(2), &suggestion("https://contracts.example/")).await.unwrap();
    let approved = json!({
        "id": crate::newsroom::resource_id(5),
        "title": "Outline 5",
        "description": null,
        "url": null,
        "type": "guide",
        "suggestedAt": "2026-03-02T08:55:00Z",
        "approvedAt": "2026-03-02T08:55:00Z",
    });
    let waiting = json!({
        "id": waits.id,
        "title": "Torts in two hours",
        "description": "Short.\n\nAnd to the point.",
        "url": "https://torts.example/",
        "type": "guide",
        "suggestedAt": "2026-03-02T09:00:00Z",
        "approvedAt": null,
    });
    let expected = [approved, waiting].map(|record| ("resource-suggestions".to_owned(), record));
    assert_eq!(export(&newsroom, member(1)).await, expected);
    assert_eq!(export(&newsroom, member(3)).await, []);
}

#[tokio::test]
async fn a_visitor_has_nothing_to_export() {
    let newsroom = Newsroom::open().await;
    let request = newsroom.visitor().request(ExportMemberRequest {}).unwrap();
    let refused = newsroom.news.clone().export_member(request).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::Unauthenticated);
}

//! The export of a member: all own suggestions and none of others.

use portia_proto::news::ExportMemberRequest;
use serde_json::{Value, json};
use testkit::member;
use uuid::Uuid;

use crate::{fixtures::Fixture, suggestions::suggestion};

async fn export(fixture: &Fixture, member_id: Uuid) -> Vec<(String, Value)> {
    let request = fixture.harness.actors.member(member_id).request(ExportMemberRequest {}).unwrap();
    let mut stream = fixture.news.clone().export_member(request).await.unwrap().into_inner();
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        records.push((record.section, serde_json::from_str(&record.json).unwrap()));
    }
    records
}

#[tokio::test]
async fn an_export_contains_the_suggestions_of_the_member_only() {
    let fixture = Fixture::empty().await;
    fixture.insert_resource(5, Some(member(1)), true).await;
    let waits = fixture.suggest(member(1), &suggestion("https://torts.example/")).await.unwrap();
    fixture.suggest(member(2), &suggestion("https://contracts.example/")).await.unwrap();
    let approved = json!({
        "id": crate::fixtures::resource_id(5),
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
    assert_eq!(export(&fixture, member(1)).await, expected);
    assert_eq!(export(&fixture, member(3)).await, []);
}

#[tokio::test]
async fn a_visitor_cannot_export() {
    let fixture = Fixture::empty().await;
    let request = fixture.visitor().request(ExportMemberRequest {}).unwrap();
    let refused = fixture.news.clone().export_member(request).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::Unauthenticated);
}

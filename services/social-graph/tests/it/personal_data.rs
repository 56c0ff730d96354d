//! Personal data: every column about a member is declared, and exported and erased as declared.

use portia_proto::social_graph::ExportMemberRequest;
use testkit::personal_data::{self, Filled};

use crate::fixtures::Fixture;

/// The values of columns that differ from the default ones.
const VALUES: &[(&str, &str)] = &[
    ("connections.status", "'pending'"),
    ("community_log.action", "'role_set'"),
    ("events.ends_at", "timestamptz '2026-03-02 10:00Z'"),
    ("memberships.role", "'member'"),
];

#[tokio::test]
async fn every_column_about_a_member_is_declared() {
    personal_data::assert_declared("social_graph", &social_graph::MIGRATOR).await;
}

async fn export(service: &Fixture) -> Vec<(String, String)> {
    let request = service.harness.actors.member(Filled::MEMBER).request(ExportMemberRequest {}).unwrap();
    let mut stream = service.client.clone().export_member(request).await.unwrap().into_inner();
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        records.push((record.section, record.json));
    }
    records
}

#[tokio::test]
async fn a_row_in_every_declared_column_is_exported_and_erased() {
    for round in 0.. {
        let service = Fixture::empty().await;
        let Some(rows) = Filled::of(&service.harness, round, VALUES).await else { break };
        rows.assert_exported(async || export(&service).await).await;
        service.erase(1).await;
        rows.assert_erased().await;
        service.harness.stop().await;
    }
}

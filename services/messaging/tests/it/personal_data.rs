//! Personal data: every column about a member is declared, and exported and erased as declared.

use portia_proto::messaging::ExportMemberRequest;
use testkit::personal_data::{self, Filled};

use crate::fixtures::Fixture;

/// The values of columns that differ from the default ones.
const VALUES: &[(&str, &str)] = &[
    ("erasures", ""),
    ("attachments.size", "64"),
    ("attachments.kind", "'file'"),
    ("reported_attachments.size", "64"),
    ("messages.system_kind", "null"),
    (
        "messages.attachments",
        "jsonb_build_object('file', jsonb_build_object('id', '{row}', 'name', 'the file', 'size', 64))",
    ),
    ("push_deliveries.subject_kind", "'notification'"),
    ("notifications.member_count", "0"),
    ("notifications.member_ids", "'{}'"),
    ("notifications.kind", "'verified'"),
    ("conversations.title", "null"),
    ("conversations.member_count", "0"),
    ("conversations.last_message_at", "now()"),
    (
        "conversations.last_attachments",
        "jsonb_build_object('file', jsonb_build_object('id', '{row}', 'name', 'the file', 'size', 64))",
    ),
    ("conversations.upper_member_id when lower_member_id", "'01940000-0000-7000-8000-000000000001'"),
    ("conversations.lower_member_id when requested_by", "'{member}'"),
    ("conversations.is_group when owner_id", "true"),
    ("conversations.member_count when owner_id", "1"),
    ("conversations.title when owner_id", "'conversations title'"),
    ("conversations.last_attachments when owner_id", "null"),
    ("conversations.is_group when other", "true"),
    ("conversations.member_count when other", "2"),
    ("conversations.title when other", "'conversations title'"),
    ("conversations.last_attachments when other", "null"),
    ("conversations.lower_member_id when other", "null"),
    ("conversations.owner_id when other", "'01920000-0000-7000-8000-000000000000'"),
    ("participants.cleared_seq", "0"),
    ("participants.joined_seq", "0"),
    ("participants.member_id when other_member_id", "'{member}'"),
    ("messages.subject_ids", "'{}'"),
    ("messages.subject_ids when subject_ids", "array['{member}'::uuid]"),
    ("messages.audience when subject_ids", "array['{member}'::uuid]"),
    ("messages.system_kind when subject_ids", "'added'"),
    ("messages.content when subject_ids", "''"),
    ("messages.attachments when subject_ids", "null"),
    ("push_subscriptions.topics", "array['messages']"),
    ("notifications.member_ids when member_ids", "array['{member}'::uuid]"),
    ("notifications.member_count when member_ids", "1"),
    ("notifications.kind when member_ids", "'post_liked'"),
];

#[tokio::test]
async fn every_column_about_a_member_is_declared() {
    personal_data::assert_declared("messaging", &messaging::MIGRATOR).await;
}

async fn export(service: &Fixture) -> Vec<(String, String)> {
    let request = service.harness.actors.member(Filled::MEMBER).request(ExportMemberRequest {}).unwrap();
    let mut stream = service.messaging.clone().export_member(request).await.unwrap().into_inner();
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        records.push((record.section, record.json));
        records.extend(record.part.map(|part| ("files".to_owned(), String::from_utf8_lossy(&part.chunk).into_owned())));
    }
    records
}

#[tokio::test]
async fn a_row_in_every_declared_column_is_exported_and_erased() {
    for round in 0.. {
        let service = Fixture::new().await;
        let Some(rows) = Filled::of(&service.harness, round, VALUES).await else { break };
        rows.assert_exported(async || export(&service).await).await;
        service.erase(1).await;
        rows.assert_erased().await;
        service.harness.stop().await;
    }
}

//! Personal data: every column about a member is declared, and exported and erased as declared.

use portia_proto::{auth::AccountErased, profile::ExportMemberRequest};
use testkit::personal_data::{self, Filled};

use crate::Profile;

/// The values of columns that differ from the default ones.
const VALUES: &[(&str, &str)] = &[
    ("members.website", "'https://members.example/website'"),
    ("members.linkedin", "'https://members.example/linkedin'"),
    ("members.graduation_year", "'2031'"),
    ("members.verified_at", "now()"),
    ("onboarding.done", "array['school']"),
    ("onboarding.skipped", "array['people']"),
    ("experiences.start_date", "'2024-01'"),
    ("experiences.end_date", "'2024-02'"),
    ("educations.start_date", "'2024-03'"),
    ("educations.end_date", "'2024-04'"),
    ("blocks.blocker_id when lower_id", "'{member}'"),
    ("blocks.blocker_id when upper_id", "'{member}'"),
    ("blocks.lower_id when blocker_id", "'{member}'"),
    ("blocks.upper_id when blocker_id", "'01940000-0000-7000-8000-000000000001'"),
    ("blocks.blocker_id when other", "'01920000-0000-7000-8000-000000000000'"),
    ("verification_decisions.cause when steward_id", "'steward'"),
    ("endorsements.skill", "'skills name'"),
    // A word of the document leads to its entry.
    ("search_entries.word", "'search_documents title'"),
];

#[tokio::test]
async fn every_column_about_a_member_is_declared() {
    personal_data::assert_declared("profile", &profile::MIGRATOR).await;
}

async fn export(service: &Profile) -> Vec<(String, String)> {
    let request = service.harness.actors.member(Filled::MEMBER).request(ExportMemberRequest {}).unwrap();
    let mut stream = service.client().export_member(request).await.unwrap().into_inner();
    let mut records = Vec::new();
    // Without the profile, the export fails.
    while let Ok(Some(record)) = stream.message().await {
        records.push((record.section, record.json));
    }
    records
}

#[tokio::test]
async fn a_row_in_every_declared_column_is_exported_and_erased() {
    for round in 0.. {
        let service = Profile::start().await;
        let Some(rows) = Filled::of(&service.harness, round, VALUES).await else { break };
        rows.assert_exported(async || export(&service).await).await;
        let erased = AccountErased { member_id: Filled::MEMBER.to_string() };
        let seq = service.auth.publish(Filled::MEMBER, &erased);
        service.harness.wait_until_applied("auth", seq).await;
        rows.assert_erased().await;
        service.harness.stop().await;
    }
}

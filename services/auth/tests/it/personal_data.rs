//! Personal data: every column about a member is declared, and exported and erased as declared.

use chrono::TimeDelta;
use portia_proto::auth::ExportMemberRequest;
use testkit::personal_data::{self, Filled};

use crate::Auth;

/// The values of columns that differ from the default ones.
const VALUES: &[(&str, &str)] = &[
    ("accounts.username", "'Member.1'"),
    ("accounts.username_key", "'member.1'"),
    ("accounts.password_hash", "'$'"),
    ("sessions.ends_at", "now() + interval '1 year'"),
    ("suspensions.by_moderator", "true"),
    ("suspensions.appeal_token_ends_at", "now()"),
    ("suspensions.appealed_at", "now()"),
    ("suspensions.appeal_decided_at", "now()"),
    ("audit.actor", "null"),
    ("totp_secrets.secret", "convert_to(rpad('', 48), 'UTF8')"),
    ("audit.actor when actor_id", "'moderator'"),
];

#[tokio::test]
async fn every_column_about_a_member_is_declared() {
    personal_data::assert_declared("auth", &auth::MIGRATOR).await;
}

async fn export(service: &Auth) -> Vec<(String, String)> {
    // The session of the rows. Without the account or the session, the export is refused.
    let request = service.harness.actors.session(Filled::MEMBER, Filled::ROW).request(ExportMemberRequest {}).unwrap();
    let Ok(stream) = service.client().export_member(request).await else { return Vec::new() };
    let mut stream = stream.into_inner();
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        records.push((record.section, record.json));
    }
    // Each export adds one.
    records.retain(|(_, record)| !record.contains(r#""event":"exported""#));
    records
}

#[tokio::test]
async fn a_row_in_every_declared_column_is_exported_and_erased() {
    for round in 0.. {
        let service = Auth::start().await;
        let Some(rows) = Filled::of(&service.harness, round, VALUES).await else { break };
        rows.assert_exported(async || export(&service).await).await;
        let close = format!("update auth.accounts set closed_at = '{}'", service.harness.clock.now());
        service.harness.database().run(close).await;
        service.harness.clock.advance(TimeDelta::days(14));
        service.erase_due().await;
        rows.assert_erased().await;
        service.harness.stop().await;
    }
}

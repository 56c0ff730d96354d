//! Personal data: every column about a member is declared, and exported and erased as declared.

use portia_proto::{auth::AccountErased, feed::ExportMemberRequest};
use sqlx::AssertSqlSafe;
use testkit::{
    FactSource, member,
    personal_data::{self, Filled},
};

use crate::fixtures::Fixture;

/// The values of columns that differ from the default ones.
const VALUES: &[(&str, &str)] = &[
    ("erasures", ""),
    ("connections", ""),
    ("post_topics", ""),
    ("posts.excerpt", "null"),
    ("posts.title", "null"),
    ("posts.video_url", "null"),
    ("posts.freshness", "1"),
    ("posts.picture_width", "1"),
    ("posts.picture_height", "1"),
    (
        "posts.media",
        "jsonb_build_object('pictures', jsonb_build_array(jsonb_build_object('hash', 'the hash', 'alt', 'the alt', 'width', 1, 'height', 1)))",
    ),
    ("link_previews.card", "null"),
    ("pdf_files.size", "64"),
    ("mutes.word", "null"),
    ("mutes.target_id", "'0192aaaa-0000-7000-8000-000000000001'"),
    ("mutes.kind", "'member'"),
    ("reports.resolved_at", "now()"),
    ("removals.appealed_at", "now()"),
    ("removals.appeal_decided_at", "now()"),
    // A reply that was removed with the comment of another member.
    ("removals.item_id when other", "'01920000-0000-7000-8000-000000000001'"),
    ("pictures.post_id", "'{row}'"),
];

#[tokio::test]
async fn every_column_about_a_member_is_declared() {
    personal_data::assert_declared("feed", &feed::MIGRATOR).await;
}

async fn export(service: &Fixture) -> Vec<(String, String)> {
    let request = service.harness.actors.member(Filled::MEMBER).request(ExportMemberRequest {}).unwrap();
    let mut stream = service.feed.clone().export_member(request).await.unwrap().into_inner();
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        records.push((record.section, record.json));
        records.extend(record.part.map(|part| ("files".to_owned(), String::from_utf8_lossy(&part.chunk).into_owned())));
    }
    records
}

/// Inserts rows that do not exist alone: both sides of a connection, and the topic of a post, which has the author of the post.
async fn insert_copies(service: &Fixture, round: usize) {
    let [row, one, other] = [Filled::ROW, Filled::MEMBER, member(2)];
    let author = if round == 0 { one } else { other };
    let insert = format!(
        "insert into feed.connections values ('{one}', '{row}', '{other}'), ('{other}', '{row}', '{one}');
        insert into feed.post_topics values ('{row}', 'topic', '{author}', null, now())"
    );
    sqlx::raw_sql(AssertSqlSafe(insert)).execute(service.pool()).await.unwrap();
}

#[tokio::test]
async fn a_row_in_every_declared_column_is_exported_and_erased() {
    for round in 0.. {
        let auth = FactSource::default();
        let service = Fixture::with_upstreams(|builder| builder.upstream("auth", auth.routes())).await;
        let Some(rows) = Filled::of(&service.harness, round, VALUES).await else { break };
        insert_copies(&service, round).await;
        rows.assert_exported(async || export(&service).await).await;
        let seq = auth.publish(Filled::MEMBER, &AccountErased { member_id: Filled::MEMBER.to_string() });
        service.harness.wait_until_applied("auth", seq).await;
        feed::deactivation::erase::erase_requested(service.pool()).await.unwrap();
        rows.assert_erased().await;
        service.harness.stop().await;
    }
}

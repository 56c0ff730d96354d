//! The export of a member: all own rows, none of others, at the pace of the reader.

use std::time::Duration;

use portia_proto::jobs::{ExportMemberRequest, ExportMemberResponse};
use serde_json::{Value, json};
use testkit::member;
use tonic::{Code, Status, Streaming};
use uuid::Uuid;

use crate::fixtures::{Fixture, Posting, SOURCE, posting, posting_id};

async fn export(fixture: &Fixture, who: Uuid) -> Streaming<ExportMemberResponse> {
    let request = fixture.harness.actors.member(who).request(ExportMemberRequest {}).unwrap();
    fixture.jobs.clone().export_member(request).await.unwrap().into_inner()
}

async fn read(mut stream: Streaming<ExportMemberResponse>) -> Result<Vec<(String, Value)>, Status> {
    let mut records = Vec::new();
    while let Some(record) = stream.message().await? {
        records.push((record.section, serde_json::from_str(&record.json).unwrap()));
    }
    Ok(records)
}

#[tokio::test]
async fn an_export_contains_the_rows_of_the_member_only() {
    let fixture = Fixture::empty().await;
    let plain =
        |n| Posting { employment_type: Some("internship"), location: Some("Albany, NY"), ..posting(n, "Clerk") };
    fixture.insert_posting(plain(1)).await;
    fixture.insert_posting(Posting { closed: true, ..plain(2) }).await;
    fixture.insert_application(3, member(1), 1, "applied").await;
    fixture.insert_application(2, member(1), 2, "interviewed").await;
    fixture.insert_application(1, member(2), 1, "offered").await;
    let answered =
        "update jobs.applications set sent_to_employer = 'not-yet', sent_to_employer_at = '2026-03-02 08:59Z'
        where status = 'applied'";
    fixture.harness.database().run(answered).await;

    let application = |n: u32, job: u32, status: &str, closed: Value| {
        json!({
            "id": Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_0000 + u128::from(n)),
            "status": status,
            "notes": "my notes",
            "appliedAt": format!("2026-03-02T08:{}:00Z", 60 - n),
            "sentToEmployer": if n == 3 { json!("not-yet") } else { Value::Null },
            "sentToEmployerAt": if n == 3 { json!("2026-03-02T08:59:00Z") } else { Value::Null },
            "job": {
                "id": posting_id(job),
                "title": "Clerk",
                "company": "Legal Aid Society",
                "location": "Albany, NY",
                "description": "Plain text.",
                "employmentType": "internship",
                "experienceLevel": null,
                "practiceArea": null,
                "salary": null,
                "source": "Court Jobs",
                "applicationDeadline": null,
                "externalUrl": null,
                "postedAt": format!("2026-03-02T08:{}:00Z", 60 - job),
                "closedAt": closed,
                "isDemo": false,
            },
        })
    };
    let standing = |n: u32, status: &str| {
        json!({
            "applicationId": Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_0000 + u128::from(n)),
            "status": status,
            "at": format!("2026-03-02T08:{}:00Z", 60 - n),
        })
    };
    let expected = [
        ("applications", application(3, 1, "applied", Value::Null)),
        ("applications", application(2, 2, "interviewed", json!("2026-03-02T09:00:00Z"))),
        ("application-history", standing(3, "applied")),
        ("application-history", standing(2, "interviewed")),
    ];
    let expected = expected.map(|(section, record)| (section.to_owned(), record));
    assert_eq!(read(export(&fixture, member(1)).await).await.unwrap(), expected);
    assert_eq!(read(export(&fixture, member(3)).await).await.unwrap(), []);
}

#[tokio::test]
async fn a_visitor_cannot_export() {
    let fixture = Fixture::empty().await;
    let request = fixture.harness.actors.service("gateway").request(ExportMemberRequest {}).unwrap();
    let refused = fixture.jobs.clone().export_member(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}

/// 10,000 applications for postings of 2,000 characters: 20 MB, more than any socket's buffers hold.
async fn with_many_applications() -> Fixture {
    let fixture = Fixture::empty().await;
    let fill = format!(
        "insert into jobs.postings (id, source_id, url, title, company, remote, description, posted_at)
        select gen_random_uuid(), '{SOURCE}', 'https://example.org/' || n, 'Clerk', 'Firm', false, repeat('x', 2000),
            to_timestamp(n)
        from generate_series(1, 10000) n;
        insert into jobs.applications (id, posting_id, member_id, status, applied_at, job, job_description)
        select id, id, '{}', 'applied', posted_at,
            json_build_object(
                'title', title, 'company', company, 'summary', summary, 'source', 'Court Jobs', 'posted_at', posted_at,
                'is_demo', false
            ),
            description
        from jobs.postings",
        member(1)
    );
    fixture.harness.database().run(fill).await;
    fixture
}

/// Waits until this number of export statements is blocked because their rows are not read.
async fn wait_until_held(fixture: &Fixture, held: i64) {
    let waiting = "select count(*) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event = 'ClientWrite'";
    let count = async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(fixture.harness.pool()).await.unwrap();
    let reached = async {
        while count().await != held {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), reached).await.expect("rows wait for their reader");
}

#[tokio::test]
async fn records_are_read_at_the_pace_of_the_reader() {
    let fixture = with_many_applications().await;
    let mut stream = export(&fixture, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    // Postgres waits for the reader, so no layer has collected the rows.
    wait_until_held(&fixture, 1).await;
    assert_eq!(read(stream).await.unwrap().len(), 9_999);
}

#[tokio::test]
async fn a_closed_stream_ends_the_export() {
    let fixture = with_many_applications().await;
    // More exports than are allowed at once: without the release of a permit, the last ones would wait forever.
    for _ in 0..5 {
        let mut stream = export(&fixture, member(1)).await;
        stream.message().await.unwrap().expect("a record");
        wait_until_held(&fixture, 1).await;
        drop(stream);
        wait_until_held(&fixture, 0).await;
    }
}

#[tokio::test]
async fn an_interrupted_export_ends_with_an_error() {
    let fixture = with_many_applications().await;
    let mut stream = export(&fixture, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    wait_until_held(&fixture, 1).await;
    let (_, read) = tokio::join!(fixture.harness.stop(), read(stream));
    assert_eq!(read.unwrap_err().code(), Code::Unavailable, "never as if it were complete");
}

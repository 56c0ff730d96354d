//! A member's export: all of theirs, nothing of another's, and as fast as it is read.

use std::time::Duration;

use portia_proto::jobs::{ExportMemberRequest, ExportMemberResponse};
use serde_json::{Value, json};
use testkit::member;
use tonic::{Code, Status, Streaming};
use uuid::Uuid;

use crate::board::{Board, Posting, SOURCE, posting, posting_id};

async fn export(board: &Board, who: Uuid) -> Streaming<ExportMemberResponse> {
    let request = board.harness.actors.member(who).request(ExportMemberRequest {}).unwrap();
    board.jobs.clone().export_member(request).await.unwrap().into_inner()
}

async fn read(mut stream: Streaming<ExportMemberResponse>) -> Result<Vec<(String, Value)>, Status> {
    let mut records = Vec::new();
    while let Some(record) = stream.message().await? {
        records.push((record.section, serde_json::from_str(&record.json).unwrap()));
    }
    Ok(records)
}

#[tokio::test]
async fn everything_of_the_member_and_nothing_of_another() {
    let board = Board::open().await;
    let plain =
        |n| Posting { employment_type: Some("internship"), location: Some("Albany, NY"), ..posting(n, "Clerk") };
    board.put(plain(1)).await;
    board.put(Posting { closed: true, ..plain(2) }).await;
    board.apply(3, member(1), 1, "applied").await;
    board.apply(2, member(1), 2, "interviewed").await;
    board.apply(1, member(2), 1, "offered").await;

    let application = |n: u32, job: u32, status: &str, closed: Value| {
        json!({
            "id": Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_0000 + u128::from(n)),
            "status": status,
            "notes": "my notes",
            "appliedAt": format!("2026-03-02T08:{}:00Z", 60 - n),
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
    assert_eq!(read(export(&board, member(1)).await).await.unwrap(), expected);
    assert_eq!(read(export(&board, member(3)).await).await.unwrap(), []);
}

#[tokio::test]
async fn a_visitor_has_nothing_to_export() {
    let board = Board::open().await;
    let request = board.harness.actors.service("gateway").request(ExportMemberRequest {}).unwrap();
    let refused = board.jobs.clone().export_member(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}

/// 10,000 applications for postings of 2,000 characters: 20 MB, more than any socket's buffers hold.
async fn tireless() -> Board {
    let board = Board::open().await;
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
    board.harness.database().run(fill).await;
    board
}

/// Waits until so many statements of exports stand still because nobody takes their rows.
async fn wait_until_held(board: &Board, held: i64) {
    let waiting = "select count(*) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event = 'ClientWrite'";
    let count = async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(board.harness.pool()).await.unwrap();
    let reached = async { while count().await != held {} };
    tokio::time::timeout(Duration::from_secs(30), reached).await.expect("rows wait for their reader");
}

#[tokio::test]
async fn ten_thousand_records_are_read_as_they_are_taken() {
    let board = tireless().await;
    let mut stream = export(&board, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    // Postgres waits for us, so nobody has collected the rows between it and us.
    wait_until_held(&board, 1).await;
    assert_eq!(read(stream).await.unwrap().len(), 9_999);
}

#[tokio::test]
async fn a_reader_who_leaves_stops_it() {
    let board = tireless().await;
    // More than may be read at once: a place that was not given back would hold up the last ones for good.
    for _ in 0..5 {
        let mut stream = export(&board, member(1)).await;
        stream.message().await.unwrap().expect("a record");
        wait_until_held(&board, 1).await;
        drop(stream);
        wait_until_held(&board, 0).await;
    }
}

#[tokio::test]
async fn one_cut_off_ends_with_an_error() {
    let board = tireless().await;
    let mut stream = export(&board, member(1)).await;
    stream.message().await.unwrap().expect("a record");
    wait_until_held(&board, 1).await;
    let (_, read) = tokio::join!(board.harness.stop(), read(stream));
    assert_eq!(read.unwrap_err().code(), Code::Unavailable, "never as if it were complete");
}

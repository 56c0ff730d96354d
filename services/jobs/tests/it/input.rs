//! Invalid input: each a clear error without a stored row.

use portia_proto::jobs::{ApplyRequest, UpdateApplicationRequest};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, fields, posting, posting_id};

const IDS: [&str; 8] = [
    "",
    "1",
    "\0",
    "00000000-0000-0000-0000-000000000000",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "01930000-0000-7000-8000-00000001000\u{661}",
    "' or true --",
    "{01930000-0000-7000-8000-000000010001}",
];

fn texts() -> Vec<String> {
    ["a\0", "\0a", "a\0b", "\u{202e}gpj.exe", "a\u{2066}b", "\u{1b}[31m", "\u{ffff}"]
        .iter()
        .map(|bad| (*bad).to_owned())
        .chain(["a".repeat(4_001), "a".repeat(1 << 20)])
        .collect()
}

#[tokio::test]
async fn invalid_ids_name_the_field() {
    let fixture = Fixture::empty().await;
    let long = "0".repeat(1 << 20);
    for id in IDS.iter().copied().chain([long.as_str()]) {
        let refused = fixture.get_job(None, id).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["jobId"]), "{id:.20}");
        let request = ApplyRequest { job_id: id.to_owned(), ..Default::default() };
        let refused = fixture.apply(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["jobId"]), "{id:.20}");
        let request = UpdateApplicationRequest { application_id: id.to_owned(), status: 1, ..Default::default() };
        let refused = fixture.update_application(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["applicationId"]), "{id:.20}");
    }
    let unknown = posting_id(404).to_string();
    assert_eq!(fixture.get_job(None, &unknown).await.unwrap_err().reason, "JOB_NOT_FOUND");
}

#[tokio::test]
async fn invalid_notes_and_keys_name_the_field() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let id = posting_id(1).to_string();
    for notes in texts() {
        let request = ApplyRequest { job_id: id.clone(), notes: notes.clone(), ..Default::default() };
        let refused = fixture.apply(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["notes"]), "{notes:.9?}");
    }
    let long = "k".repeat(129);
    for key in ["", " ", "a b", "ü", "a\0", "\n", &long] {
        let request = ApplyRequest { job_id: id.clone(), idempotency_key: Some(key.to_owned()), ..Default::default() };
        let refused = fixture.apply(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["idempotencyKey"]), "{key:.9?}");
    }
    assert_eq!(fixture.count("select count(*) from jobs.applications").await, 0);
    let longest = ApplyRequest { job_id: id, idempotency_key: Some("k".repeat(128)), ..Default::default() };
    fixture.apply(member(1), longest).await.unwrap();
}

#[tokio::test]
async fn an_update_without_a_change_is_invalid() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let request = ApplyRequest { job_id: posting_id(1).to_string(), notes: "mine".to_owned(), ..Default::default() };
    let made = fixture.apply(member(1), request).await.unwrap();
    let change = |status: i32, notes: Option<String>| UpdateApplicationRequest {
        application_id: made.id.clone(),
        status,
        notes,
        ..Default::default()
    };
    for (status, notes, field) in
        [(0, None, "status"), (7, None, "status"), (-1, None, "status"), (i32::MAX, Some("x".to_owned()), "status")]
    {
        let refused = fixture.update_application(member(1), change(status, notes)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{status}");
    }
    for notes in texts() {
        let refused = fixture.update_application(member(1), change(2, Some(notes))).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["notes"]));
    }
    let mine = fixture.list_applications(member(1), Default::default()).await.unwrap().applications.remove(0);
    assert_eq!((mine.status, mine.notes.as_deref()), (1, Some("mine")));
}

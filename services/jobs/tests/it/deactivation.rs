//! Erasure: no row names the member, and rows of others stay.

use portia_proto::{
    auth::AccountErased,
    jobs::{ApplicationFileKind, ApplyRequest, ListMyApplicationsRequest, UpdateApplicationRequest},
};
use testkit::member;

use crate::fixtures::{Fixture, posting, posting_id};

#[tokio::test]
async fn an_erased_member_is_named_in_no_row() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    fixture.insert_application(1, member(1), 1, "applied").await;
    fixture.insert_application(2, member(2), 1, "offered").await;
    fixture.insert_posting(posting(2, "Judge")).await;
    let job_id = posting_id(2).to_string();
    let request = ApplyRequest {
        job_id,
        notes: "For me.".to_owned(),
        idempotency_key: Some("k".to_owned()),
        ..Default::default()
    };
    let made = fixture.apply(member(1), request).await.unwrap();
    let change = UpdateApplicationRequest { application_id: made.id, status: 2, ..Default::default() };
    let kept = fixture.update_application(member(1), change).await.unwrap();
    fixture.upload_file(member(1), &kept.id, ApplicationFileKind::Resume, "cv.pdf", b"%PDF-1.7").await.unwrap();
    let database = fixture.harness.database();
    assert_eq!(database.tables_referencing(member(1)).await, ["applications", "file_allowances", "idempotency_keys"]);

    let erased = AccountErased { member_id: member(1).to_string() };
    fixture.auth.publish(member(1), &erased);
    let seq = fixture.auth.publish(member(1), &erased);
    fixture.harness.wait_until_applied("auth", seq).await;

    assert_eq!(database.tables_referencing(member(1)).await, Vec::<String>::new());
    let others = fixture.list_applications(member(2), ListMyApplicationsRequest::default()).await.unwrap();
    assert_eq!(others.applications.len(), 1);
    let history = sqlx::query_scalar::<_, i64>("select count(*) from jobs.application_history");
    assert_eq!(history.fetch_one(fixture.harness.pool()).await.unwrap(), 1);
    assert_eq!(fixture.count("select count(*) from jobs.application_files").await, 0);
    fixture.harness.stop().await;
}

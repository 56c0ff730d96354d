//! An erased account leaves nothing of the member here, and nobody else's rows are touched.

use portia_proto::{
    auth::AccountErased,
    jobs::{ApplyRequest, ListMyApplicationsRequest, UpdateApplicationRequest},
};
use testkit::member;

use crate::board::{Board, posting, posting_id};

#[tokio::test]
async fn nothing_of_the_member_is_left() {
    let board = Board::open().await;
    board.put(posting(1, "Clerk")).await;
    board.apply(1, member(1), 1, "applied").await;
    board.apply(2, member(2), 1, "offered").await;
    board.put(posting(2, "Judge")).await;
    let job_id = posting_id(2).to_string();
    let request = ApplyRequest { job_id, notes: "For me.".to_owned(), idempotency_key: Some("k".to_owned()) };
    let made = board.applies(member(1), request).await.unwrap();
    let change = UpdateApplicationRequest { application_id: made.id, status: 2, notes: None };
    board.changes(member(1), change).await.unwrap();
    let database = board.harness.database();
    assert_eq!(database.tables_naming(member(1)).await, ["applications", "idempotency_keys"]);

    let erased = AccountErased { member_id: member(1).to_string() };
    board.auth.tell(member(1), &erased);
    let seq = board.auth.tell(member(1), &erased);
    board.harness.heard("auth", seq).await;

    assert_eq!(database.tables_naming(member(1)).await, Vec::<String>::new());
    let others = board.applications(member(2), ListMyApplicationsRequest::default()).await.unwrap();
    assert_eq!(others.applications.len(), 1);
    let history = sqlx::query_scalar::<_, i64>("select count(*) from jobs.application_history");
    assert_eq!(history.fetch_one(board.harness.pool()).await.unwrap(), 1);
    board.harness.stop().await;
}

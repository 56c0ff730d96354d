//! What a snapshot, which is one long transaction, holds of conversations that are there already.

use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{connected, open};
use crate::{MIGRATOR, standing};

/// Has social-graph say anew that the two are connected, and answers whether a step in their conversation can begin
/// before all of the snapshot is told.
async fn is_free_meanwhile(database: &Database, id: Uuid) -> bool {
    let mut snapshot = db::begin(database.pool()).await.unwrap();
    let new = Uuid::from_u128(id.as_u128() + 1);
    let unread = connected(&mut snapshot, new, member(1), member(2), clock().now()).await.unwrap();
    unread.keep(&mut snapshot).await.unwrap();
    let mut step = db::begin(database.pool()).await.unwrap();
    sqlx::raw_sql("set local lock_timeout = '100ms'").execute(&mut *step).await.unwrap();
    let free = standing::lock(&mut step, id, member(1)).await.is_ok();
    step.rollback().await.unwrap();
    snapshot.commit().await.unwrap();
    free
}

#[tokio::test]
async fn who_is_connected_goes_on_writing_while_a_snapshot_says_so_again() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let id = Uuid::from_u128(0x0193_0000_0000_7000_9000_0000_0000_0000);
    let mut tx = db::begin(database.pool()).await.unwrap();
    open(&mut tx, id, member(1), member(2), clock().now()).await.unwrap().effects.unread.keep(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert!(!is_free_meanwhile(&database, id).await, "it was a request, and is none from now on");
    for _ in 0..2 {
        assert!(is_free_meanwhile(&database, id).await, "nothing of it changes");
    }
    let sides = "select string_agg(folder, ' ') from messaging.participants";
    let sides: String = sqlx::query_scalar(sides).fetch_one(database.pool()).await.unwrap();
    assert_eq!(sides, "inbox inbox");
}

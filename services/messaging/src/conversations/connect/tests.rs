//! Tests which rows a snapshot of connections locks in its one long transaction.

use outbox::{Changes, Outbox};
use primitives::ids::Ids;
use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{Connected, connect_all};
use crate::{
    MIGRATOR,
    conversations::{state, transitions::open},
};

/// Applies the connection again, and returns whether another transaction can lock the conversation before the commit.
async fn is_unlocked_during_snapshot(database: &Database, id: Uuid) -> bool {
    let mut snapshot = db::begin(database.pool()).await.unwrap();
    let new = Uuid::from_u128(id.as_u128() + 1);
    let connected = Connected { requester: member(1), recipient: member(2), new_id: new, at: clock().now() };
    connect_all(&mut snapshot, &[connected]).await.unwrap();
    let mut transition = db::begin(database.pool()).await.unwrap();
    sqlx::raw_sql("set local lock_timeout = '100ms'").execute(&mut *transition).await.unwrap();
    let unlocked = state::lock(&mut transition, id, member(1)).await.is_ok();
    transition.rollback().await.unwrap();
    snapshot.commit().await.unwrap();
    unlocked
}

#[tokio::test]
async fn a_snapshot_does_not_lock_the_conversations_of_known_connections() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let id = Uuid::from_u128(0x0193_0000_0000_7000_9000_0000_0000_0000);
    let mut tx = db::begin(database.pool()).await.unwrap();
    let clock = clock();
    let changes = Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock };
    open(&mut changes.work(&mut tx), id, member(1), member(2)).await.unwrap();
    tx.commit().await.unwrap();
    assert!(!is_unlocked_during_snapshot(&database, id).await, "the first application accepts a request");
    for _ in 0..2 {
        assert!(is_unlocked_during_snapshot(&database, id).await, "a repetition changes nothing");
    }
    let folders = "select string_agg(folder, ' ') from messaging.participants";
    let folders: String = sqlx::query_scalar(folders).fetch_one(database.pool()).await.unwrap();
    assert_eq!(folders, "inbox inbox");
}

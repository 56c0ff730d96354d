//! A messaging that ran before a migration did.

use std::sync::Arc;

use portia_proto::auth::{AccountClosed, AccountErased};
use testkit::{FactSource, Harness, member};

use crate::inbox::settled;

#[tokio::test]
async fn accounts_that_were_closed_before_anybody_kept_that_are_known() {
    let auth = FactSource::default();
    auth.stands("state", &AccountClosed { member_id: member(8).to_string() });
    auth.stands("state", &AccountErased { member_id: member(9).to_string() });
    let builder = Harness::of("messaging").database(&messaging::MIGRATOR).await;
    let harness = builder.neighbour("auth", auth.routes()).context();
    // It has heard auth for long. Whose account is open by now, auth does not tell.
    let before = format!(
        "delete from messaging._sqlx_migrations where version = 20261123000023;
        insert into messaging.cursors (source, seq) values ('auth', 7);
        insert into messaging.closed_members (member_id) values ('{}')",
        member(7),
    );
    harness.database().run(before).await;
    let _routes = messaging::start(Arc::clone(&harness.context)).await.unwrap();
    harness.heard("auth", 0).await;
    settled(&harness).await;
    let closed: Vec<uuid::Uuid> =
        sqlx::query_scalar("select member_id from messaging.closed_members").fetch_all(harness.pool()).await.unwrap();
    assert_eq!(closed, [member(8)]);
    harness.stop().await;
}

//! The operator's reset link.

use auth::{admin, error::Error};
use chrono::TimeDelta;

use crate::{Auth, with_link};

#[tokio::test]
async fn a_reset_link_is_created_for_a_username_in_any_case_and_audited() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let context = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    let link = admin::create_reset_link(&mut conn, " MEMBER.1 ", &context.ids, &context.clock).await.unwrap();
    assert_eq!(link.username, "Member.1", "as typed at registration");
    assert_eq!(link.ends_at, context.clock.now() + TimeDelta::minutes(30));
    assert_eq!(auth.audit_of(home.member).await, ["registered", "reset link made"]);
    for row in auth.state().await {
        assert!(!row.contains(&link.token.encoded()), "{row}");
    }
    assert!(auth.reset(with_link(1, &link.token.encoded())).await.is_ok());
}

#[tokio::test]
async fn an_unknown_username_gets_no_reset_link() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let context = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    for name in ["unknown.member", "", "\0", "member.1' or 1=1", "ab"] {
        let error = admin::create_reset_link(&mut conn, name, &context.ids, &context.clock).await;
        assert!(matches!(error, Err(Error::AccountNotFound)), "{name:?}");
    }
    home.close("member.1", None).await.unwrap();
    assert!(
        admin::create_reset_link(&mut conn, "member.1", &context.ids, &context.clock).await.is_ok(),
        "closed, not erased"
    );
    auth.harness.clock.advance(TimeDelta::days(14));
    let error = admin::create_reset_link(&mut conn, "member.1", &context.ids, &context.clock).await;
    assert!(matches!(error, Err(Error::AccountNotFound)), "due for erasure");
}

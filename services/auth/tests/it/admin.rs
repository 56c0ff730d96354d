//! What an operator does from the command line: a link for one account, and only for one that is there.

use auth::{admin, error::Error};
use chrono::TimeDelta;

use crate::{Auth, with_link};

#[tokio::test]
async fn a_link_is_made_for_a_name_in_any_case_and_noted() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let frame = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    let link = admin::reset_link(&mut conn, " MEMBER.1 ", &frame.ids, &frame.clock).await.unwrap();
    assert_eq!(link.username, "Member.1", "as its owner typed it");
    assert_eq!(link.ends_at, frame.clock.now() + TimeDelta::minutes(30));
    assert_eq!(auth.audit_of(home.member).await, ["registered", "reset link made"]);
    for row in auth.state().await {
        assert!(!row.contains(&link.token.encoded()), "{row}");
    }
    assert!(auth.reset(with_link(1, &link.token.encoded())).await.is_ok());
}

#[tokio::test]
async fn nobodys_name_gets_none() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let frame = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    for name in ["nobody.here", "", "\0", "member.1' or 1=1", "ab"] {
        let refused = admin::reset_link(&mut conn, name, &frame.ids, &frame.clock).await;
        assert!(matches!(refused, Err(Error::AccountNotFound)), "{name:?}");
    }
    home.close("member.1", None).await.unwrap();
    assert!(admin::reset_link(&mut conn, "member.1", &frame.ids, &frame.clock).await.is_ok(), "closed, not gone");
    auth.harness.clock.advance(TimeDelta::days(14));
    let refused = admin::reset_link(&mut conn, "member.1", &frame.ids, &frame.clock).await;
    assert!(matches!(refused, Err(Error::AccountNotFound)), "gone, if for the sweep");
}

//! Closing an account, and its reactivation within fourteen days.

use chrono::TimeDelta;
use portia_proto::auth::{AccountClosed, AccountReopened, RegisterRequest, SessionEnded};
use primitives::error::ErrorKind;
use testkit::member;

use crate::{Auth, PASSWORD, details, registration, with_browser};

#[tokio::test]
async fn closing_ends_every_session_and_publishes_facts() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.sign_in(1, "").await);
    let answer = home.close(" MEMBER.1 ").await.unwrap();
    assert_eq!(answer.ended_session_ids.len(), 2);
    let fortnight = auth.harness.clock.now() + TimeDelta::days(14);
    assert_eq!(answer.erased_at.unwrap().seconds, fortnight.timestamp());
    assert!(!home.is_open().await && !work.is_open().await);
    assert_eq!(auth.facts::<AccountClosed>().await, [member(1).to_string()]);
    assert_eq!(auth.facts::<SessionEnded>().await.len(), 2);
    assert!(auth.audit().await.contains(&"closed".to_owned()));
    let error = details(home.close("member.1").await);
    assert_eq!(error.reason, "SESSION_ENDED", "again");
}

#[tokio::test]
async fn closing_needs_the_username() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.member(2).await;
    let before = auth.state().await;
    let long = "member.1".repeat(1 << 17);
    for wrong in ["", "member.2", "member", "\0member.1", "member.1\0", "ｍember.1", &long] {
        let error = details(home.close(wrong).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "confirmation"));
    }
    auth.harness.clock.advance(TimeDelta::minutes(10));
    assert_eq!(details(home.close("member.2").await).kind, ErrorKind::Invalid, "before a proof is asked for");
    assert_eq!(details(home.close("member.1").await).reason, "STEP_UP_REQUIRED");
    assert_eq!(auth.state().await, before);
}

#[tokio::test]
async fn the_username_stays_reserved_and_a_sign_in_reactivates_the_account() {
    let auth = Auth::start().await;
    auth.member(1).await.close("member.1").await.unwrap();
    let again = RegisterRequest { username: "MEMBER.1".into(), ..registration(2) };
    assert_eq!(details(auth.register(again).await).reason, "USERNAME_TAKEN");
    assert_eq!(details(auth.login("member.1", "wrong password").await).reason, "BAD_CREDENTIALS");
    assert!(auth.facts::<AccountReopened>().await.is_empty());

    auth.harness.clock.advance(TimeDelta::days(14) - TimeDelta::seconds(1));
    let answer = auth.login("member.1", PASSWORD).await.unwrap();
    assert!(answer.reopened);
    assert!(auth.resolve(&answer.session.unwrap().token).await.is_ok());
    assert_eq!(auth.facts::<AccountReopened>().await, [member(1).to_string()]);
    assert!(auth.audit().await.contains(&"reopened".to_owned()));
    assert!(!auth.login("member.1", PASSWORD).await.unwrap().reopened, "the account is open");
    assert_eq!(auth.facts::<AccountReopened>().await.len(), 1);

    auth.harness.clock.advance(TimeDelta::days(30));
    let erased = auth.erase_due().await;
    assert_eq!(erased, 0, "a reactivated account is not erased");
}

#[tokio::test]
async fn concurrent_sign_ins_reactivate_an_account_once() {
    let auth = Auth::start().await;
    auth.member(1).await.close("member.1").await.unwrap();
    let answers = futures::future::join_all((0..4).map(|_| auth.login("member.1", PASSWORD))).await;
    assert_eq!(answers.into_iter().filter(|answer| answer.as_ref().unwrap().reopened).count(), 1);
    assert_eq!(auth.facts::<AccountReopened>().await.len(), 1);
}

#[tokio::test]
async fn after_fourteen_days_no_sign_in_reactivates_the_account() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.close("member.1").await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(14));
    assert_eq!(details(auth.login("member.1", PASSWORD).await).reason, "BAD_CREDENTIALS");
    assert_eq!(details(auth.methods("member.1", &home.browser).await).reason, "ACCOUNT_NOT_FOUND");
    assert_eq!(details(auth.reset(with_browser(1, &home.browser)).await).reason, "ACCOUNT_NOT_FOUND");
    // A repeated registration is a sign-in.
    assert_eq!(details(auth.register(registration(1)).await).reason, "MEMBER_ID_TAKEN");
}

//! Closing an account, and coming back within fourteen days.

use chrono::TimeDelta;
use portia_proto::auth::{AccountClosed, AccountReopened, RegisterRequest, SessionEnded};
use primitives::error::ErrorKind;
use testkit::member;

use crate::{Auth, PASSWORD, explained, registration, with_browser};

#[tokio::test]
async fn every_session_ends_at_once_and_the_others_are_told() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.come_back(1, "").await);
    let answer = home.close(" MEMBER.1 ", None).await.unwrap();
    assert_eq!(answer.ended_session_ids.len(), 2);
    let fortnight = auth.harness.clock.now() + TimeDelta::days(14);
    assert_eq!(answer.erased_at.unwrap().seconds, fortnight.timestamp());
    assert!(!home.is_open().await && !work.is_open().await);
    assert_eq!(auth.told::<AccountClosed>().await, [member(1).to_string()]);
    assert_eq!(auth.told::<SessionEnded>().await.len(), 2);
    assert!(auth.audit().await.contains(&"closed".to_owned()));
    let refused = explained(home.close("member.1", None).await);
    assert_eq!(refused.reason, "SESSION_ENDED", "again");
}

#[tokio::test]
async fn it_takes_the_username_typed_and_after_fifteen_minutes_the_password() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.member(2).await;
    let before = auth.state().await;
    let long = "member.1".repeat(1 << 17);
    for wrong in ["", "member.2", "member", "\0member.1", "member.1\0", "ｍember.1", &long] {
        let refused = explained(home.close(wrong, None).await);
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "confirmation"));
    }
    auth.harness.clock.advance(TimeDelta::minutes(15));
    assert_eq!(explained(home.close("member.1", None).await).reason, "PASSWORD_REQUIRED");
    assert_eq!(explained(home.close("member.1", Some("wrong password")).await).reason, "PASSWORD_WRONG");
    assert_eq!(auth.state().await, before);
    home.close("member.1", Some(PASSWORD)).await.unwrap();
}

#[tokio::test]
async fn the_name_stays_held_and_a_sign_in_undoes_it() {
    let auth = Auth::start().await;
    auth.member(1).await.close("member.1", None).await.unwrap();
    let again = RegisterRequest { username: "MEMBER.1".into(), ..registration(2) };
    assert_eq!(explained(auth.register(again).await).reason, "USERNAME_TAKEN");
    assert_eq!(explained(auth.login("member.1", "wrong password").await).reason, "BAD_CREDENTIALS");
    assert!(auth.told::<AccountReopened>().await.is_empty());

    auth.harness.clock.advance(TimeDelta::days(14) - TimeDelta::seconds(1));
    let answer = auth.login("member.1", PASSWORD).await.unwrap();
    assert!(answer.reopened);
    assert!(auth.resolve(&answer.session.unwrap().token).await.is_ok());
    assert_eq!(auth.told::<AccountReopened>().await, [member(1).to_string()]);
    assert!(auth.audit().await.contains(&"reopened".to_owned()));
    assert!(!auth.login("member.1", PASSWORD).await.unwrap().reopened, "it is open");
    assert_eq!(auth.told::<AccountReopened>().await.len(), 1);

    let frame = &auth.harness.context;
    auth.harness.clock.advance(TimeDelta::days(30));
    let outbox = outbox::Outbox::new("auth");
    let erased = ::auth::closing::erase_due(auth.pool(), &outbox, &frame.ids, &frame.clock).await.unwrap();
    assert_eq!(erased, 0, "an account that came back stays");
}

#[tokio::test]
async fn of_many_who_come_back_at_once_one_is_told() {
    let auth = Auth::start().await;
    auth.member(1).await.close("member.1", None).await.unwrap();
    let answers = futures::future::join_all((0..4).map(|_| auth.login("member.1", PASSWORD))).await;
    assert_eq!(answers.into_iter().filter(|answer| answer.as_ref().unwrap().reopened).count(), 1);
    assert_eq!(auth.told::<AccountReopened>().await.len(), 1);
}

#[tokio::test]
async fn after_fourteen_days_nobody_comes_back_even_before_the_sweep() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.close("member.1", None).await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(14));
    assert_eq!(explained(auth.login("member.1", PASSWORD).await).reason, "BAD_CREDENTIALS");
    assert_eq!(explained(auth.methods("member.1", &home.browser).await).reason, "ACCOUNT_NOT_FOUND");
    assert_eq!(explained(auth.reset(with_browser(1, &home.browser)).await).reason, "ACCOUNT_NOT_FOUND");
    // A registration sent once more is a sign-in by another door.
    assert_eq!(explained(auth.register(registration(1)).await).reason, "MEMBER_ID_TAKEN");
}

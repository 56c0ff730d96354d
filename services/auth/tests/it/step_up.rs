//! Step-up authentication: the calls that need a recent proof, and the proofs.

use chrono::TimeDelta;
use primitives::error::{ErrorKind, StatusDetails};
use tonic::Status;

use crate::{Auth, NEW_PASSWORD, PASSWORD, actors::SignedIn, details};

/// Every call that needs a recent proof, with its result for this session. The last ones end sessions.
async fn sensitive(home: &SignedIn<'_>, other: &SignedIn<'_>) -> Vec<(&'static str, Result<(), Status>)> {
    vec![
        ("codes", home.renew_codes().await.map(drop)),
        ("export", home.export().await.map(drop)),
        ("another session", home.end(Some(other.session.to_string())).await.map(drop)),
        ("closing", home.close("member.1").await.map(drop)),
    ]
}

fn reason(result: Result<(), Status>) -> String {
    result.map_or_else(|status| StatusDetails::from(&status).reason, |()| String::new())
}

#[tokio::test]
async fn sensitive_calls_need_a_proof_within_ten_minutes() {
    let auth = Auth::start().await;
    let (home, other) = (auth.member(1).await, auth.sign_in(1, "").await);
    let clock = &auth.harness.clock;
    clock.advance(TimeDelta::minutes(10));
    let (before, audit) = (auth.state().await, auth.audit().await);
    for (call, result) in sensitive(&home, &other).await {
        let error = details(result);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "STEP_UP_REQUIRED"), "{call}");
    }
    assert_eq!(details(home.end(None).await).reason, "STEP_UP_REQUIRED");
    assert_eq!((auth.state().await, auth.audit().await), (before, audit));

    home.prove(Some(PASSWORD), None).await.unwrap();
    clock.advance(TimeDelta::minutes(10) - TimeDelta::seconds(1));
    assert_eq!(details(other.renew_codes().await).reason, "STEP_UP_REQUIRED", "a proof counts in its session only");
    for (call, result) in sensitive(&home, &other).await {
        assert_eq!(reason(result), "", "{call}");
    }
}

#[tokio::test]
async fn a_session_may_always_end_itself_and_be_read() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.harness.clock.advance(TimeDelta::hours(1));
    assert!(home.sessions().await.is_ok());
    assert!(home.code_status().await.is_ok());
    home.end(Some(home.session.to_string())).await.unwrap();
}

#[tokio::test]
async fn a_registration_a_sign_in_and_a_new_password_are_proofs() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.renew_codes().await.unwrap();
    auth.harness.clock.advance(TimeDelta::hours(1));
    auth.sign_in(1, "").await.renew_codes().await.unwrap();
    assert_eq!(details(home.renew_codes().await).reason, "STEP_UP_REQUIRED");
    home.change(PASSWORD, NEW_PASSWORD).await.unwrap();
    home.renew_codes().await.unwrap();
}

#[tokio::test]
async fn a_proof_is_checked_and_audited() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    auth.harness.clock.advance(TimeDelta::hours(1));
    let before = auth.state().await;
    let error = details(home.prove(Some("wrong password"), None).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "PASSWORD_WRONG"));
    assert_eq!(error.violations[0].field, "password");
    for wrong in ["0000-0000-0000-0000", "x", "\0", &"1".repeat(1 << 20)] {
        let error = details(home.prove(None, Some(wrong)).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "CODE_WRONG"), "{wrong:.20}");
        assert_eq!(error.violations[0].field, "oneTimeCode");
    }
    for (password, code) in [(None, None), (Some(""), Some("")), (Some("12345"), None), (Some("\0password"), None)] {
        let error = details(home.prove(password, code).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "password"));
    }
    assert_eq!(auth.state().await, before);
    assert_eq!(details(home.renew_codes().await).reason, "STEP_UP_REQUIRED");

    home.prove(None, Some(&codes[0])).await.unwrap();
    assert_eq!(home.code_status().await.unwrap().remaining, 7);
    assert_eq!(details(home.prove(None, Some(&codes[0])).await).reason, "CODE_WRONG", "used");
    home.renew_codes().await.unwrap();
    auth.harness.stop().await;
    let mut events = auth.audit_of(home.member).await;
    events.dedup();
    assert_eq!(events, ["code refused", "password refused", "reauthenticated", "recovery codes made", "registered"]);
}

#[tokio::test]
async fn codes_of_another_member_are_no_proof() {
    let auth = Auth::start().await;
    let (home, other) = (auth.member(1).await, auth.member(2).await);
    let codes = other.renew_codes().await.unwrap();
    assert_eq!(details(home.prove(None, Some(&codes[0])).await).reason, "CODE_WRONG");
    assert_eq!(other.code_status().await.unwrap().remaining, 8);
}

#[tokio::test]
async fn an_ended_session_proves_nothing() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.end(None).await.unwrap();
    assert_eq!(details(home.prove(Some(PASSWORD), None).await).reason, "SESSION_ENDED");
    assert_eq!(details(home.has_proved().await).reason, "SESSION_ENDED");
}

#[tokio::test]
async fn the_check_leaves_a_minute_for_the_call() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.harness.clock.advance(TimeDelta::minutes(9) - TimeDelta::seconds(1));
    home.has_proved().await.unwrap();
    auth.harness.clock.advance(TimeDelta::seconds(1));
    assert_eq!(details(home.has_proved().await).reason, "STEP_UP_REQUIRED");
    home.renew_codes().await.unwrap();
}

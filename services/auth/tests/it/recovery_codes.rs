//! Recovery codes: renewal with a fresh session or the password.

use chrono::TimeDelta;
use primitives::error::ErrorKind;

use crate::{Auth, PASSWORD, details, with_code};

#[tokio::test]
async fn a_renewal_replaces_the_eight_codes() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let none = home.code_status().await.unwrap();
    assert_eq!((none.remaining, none.made_at), (0, None));

    let first = home.renew_codes(None).await.unwrap();
    assert_eq!(first.len(), 8);
    assert!(first.iter().all(|code| code.len() == 19 && code.matches('-').count() == 3), "{first:?}");
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let second = home.renew_codes(None).await.unwrap();
    assert!(second.iter().all(|code| !first.contains(code)));
    let left = home.code_status().await.unwrap();
    assert_eq!((left.remaining, left.made_at.unwrap().seconds), (8, auth.harness.clock.now().timestamp()));
    assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes").await, 8);
    assert_eq!(auth.audit_of(home.member).await, ["recovery codes made", "recovery codes made", "registered"]);
}

#[tokio::test]
async fn a_used_code_is_not_counted() {
    let auth = Auth::start().await;
    let codes = auth.member(1).await.renew_codes(None).await.unwrap();
    let back = crate::ResetPasswordRequest { password: PASSWORD.into(), ..with_code(1, &codes[7]) };
    auth.reset(back).await.unwrap();
    assert_eq!(auth.sign_in(1, "").await.code_status().await.unwrap().remaining, 7);
}

#[tokio::test]
async fn a_renewal_needs_the_password_after_fifteen_minutes() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let clock = &auth.harness.clock;
    clock.advance(TimeDelta::minutes(15) - TimeDelta::seconds(1));
    assert!(home.renew_codes(None).await.is_ok());
    clock.advance(TimeDelta::seconds(1));
    let before = auth.state().await;
    for nothing in [None, Some("")] {
        let error = details(home.renew_codes(nothing).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "PASSWORD_REQUIRED"));
        assert_eq!(error.violations[0].field, "password");
    }
    let error = details(home.renew_codes(Some("wrong password")).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "PASSWORD_WRONG"));
    assert_eq!(error.violations[0].field, "password");
    for bad in ["12345", "\0password", "pass\u{202e}word"] {
        let error = details(home.renew_codes(Some(bad)).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "password"), "{bad:?}");
    }
    assert_eq!(auth.state().await, before);
    assert_eq!(home.renew_codes(Some(PASSWORD)).await.unwrap().len(), 8);
}

#[tokio::test]
async fn concurrent_renewals_leave_one_set() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    for _ in 0..10 {
        let sets = futures::future::join_all((0..4).map(|_| home.renew_codes(None))).await;
        assert!(sets.iter().all(Result::is_ok), "{sets:?}");
        assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes").await, 8);
    }
}

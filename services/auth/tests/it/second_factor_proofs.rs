//! Where an authenticator app is set up, the password alone permits no sensitive call, and a recovery code alone no reset.

use std::time::Duration;

use chrono::TimeDelta;
use portia_proto::auth::{
    PasskeyAssertion, ReauthenticateRequest, ResetPasswordRequest, StartPasskeyProofRequest, StartPasskeyProofResponse,
};
use primitives::error::ErrorKind;
use tonic::Status;

use crate::{
    Auth, NEW_PASSWORD, PASSWORD,
    actors::SignedIn,
    authenticator::{Authenticator, ORIGIN, USER_VERIFIED},
    browser, details,
    passkeys::with_passkey,
    with_browser, with_code, with_link,
};

impl SignedIn<'_> {
    async fn start_proof(&self) -> Result<StartPasskeyProofResponse, Status> {
        let start = StartPasskeyProofRequest { origin: ORIGIN.into() };
        Ok(self.auth.client().start_passkey_proof(self.request(start)).await?.into_inner())
    }

    async fn prove_by(&self, ceremony: &str, credential: String) -> Result<(), Status> {
        let passkey = PasskeyAssertion { ceremony: ceremony.into(), credential, origin: ORIGIN.into() };
        let message = ReauthenticateRequest {
            passkey: Some(passkey),
            browser: Some(browser("192.0.2.9")),
            ..ReauthenticateRequest::default()
        };
        self.auth.client().reauthenticate(self.request(message)).await.map(drop)
    }

    /// Proves again with the key of an authenticator.
    pub async fn prove_by_passkey(&self, device: &Authenticator) -> Result<(), Status> {
        let started = self.start_proof().await?;
        self.prove_by(&started.ceremony, device.assert(&started.options)).await
    }
}

/// Every sensitive call, all of which need the second factor. The last one ends the account.
async fn sensitive(
    auth: &Auth,
    home: &SignedIn<'_>,
    passkey: &str,
    other: &SignedIn<'_>,
) -> Vec<(&'static str, Result<(), Status>)> {
    vec![
        ("the check before an export", home.has_proved().await),
        ("the export", home.export().await.map(drop)),
        ("ending another session", home.end(Some(other.session.to_string())).await.map(drop)),
        ("renewing the codes", home.renew_codes().await.map(drop)),
        ("adding a passkey", home.start_passkey(auth).await.map(drop)),
        ("removing a passkey", home.delete_passkey(auth, passkey).await),
        ("changing the password", home.change(PASSWORD, NEW_PASSWORD).await.map(drop)),
        ("closing the account", home.close("member.1").await.map(drop)),
    ]
}

#[tokio::test]
async fn with_an_app_the_password_alone_permits_nothing_sensitive() {
    let auth = Auth::start().await;
    let (home, _, passkey) = with_passkey(&auth, 1).await;
    let other = auth.sign_in(1, "").await;
    let secret = auth.set_up(&other).await;
    // A session from before the app, within ten minutes of its sign-in and later.
    for minutes in [0, 11] {
        auth.harness.clock.advance(TimeDelta::minutes(minutes));
        let before = auth.state().await;
        let refused = details(home.prove(Some(PASSWORD), None).await);
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "STEP_UP_REQUIRED"));
        assert_eq!(refused.violations[0].field, "oneTimeCode");
        assert_eq!(details(home.prove(Some("wrong password"), None).await).reason, "PASSWORD_WRONG");
        assert_eq!(details(home.end(None).await).reason, "STEP_UP_REQUIRED");
        assert_eq!(details(home.delete_totp().await).reason, "STEP_UP_REQUIRED");
        for (call, result) in sensitive(&auth, &home, &passkey.id, &other).await {
            let error = details(result);
            assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "STEP_UP_REQUIRED"), "{call}");
            assert_eq!(error.violations[0].field, "oneTimeCode", "{call}");
        }
        assert_eq!(auth.state().await, before);
    }

    home.prove(None, Some(&auth.code(&secret))).await.unwrap();
    home.prove(Some(PASSWORD), None).await.unwrap();
    for (call, result) in sensitive(&auth, &home, &passkey.id, &other).await {
        assert!(result.is_ok(), "{call}: {result:?}");
    }
}

#[tokio::test]
async fn without_an_app_the_password_is_enough_again() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.set_up(&home).await;
    home.delete_totp().await.unwrap();
    auth.harness.clock.advance(TimeDelta::minutes(11));
    home.prove(Some(PASSWORD), None).await.unwrap();
    home.renew_codes().await.unwrap();
    home.export().await.unwrap();
}

#[tokio::test]
async fn each_second_factor_permits_changes_in_its_session_for_ten_minutes() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    auth.set_up(&home).await;
    let codes = home.renew_codes().await.unwrap();
    let other = auth.passkey_login(&device).await.unwrap();
    let other = auth.at(other.session.unwrap().token, String::new()).await;
    auth.harness.clock.advance(TimeDelta::minutes(10));
    assert_eq!(details(other.delete_totp().await).reason, "STEP_UP_REQUIRED", "a sign-in by passkey was a proof");

    home.prove(None, Some(&codes[0])).await.unwrap();
    assert_eq!(details(other.renew_codes().await).reason, "STEP_UP_REQUIRED", "of another session");
    home.renew_codes().await.unwrap();
    auth.harness.clock.advance(TimeDelta::minutes(10));
    assert_eq!(details(home.renew_codes().await).reason, "STEP_UP_REQUIRED");
    home.prove_by_passkey(&device).await.unwrap();
    // A later proof by the password does not void it.
    home.prove(Some(PASSWORD), None).await.unwrap();
    home.delete_totp().await.unwrap();
}

#[tokio::test]
async fn a_sign_in_with_the_second_factor_is_a_proof_of_it() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    let secret = auth.set_up(&home).await;
    auth.harness.clock.advance(TimeDelta::hours(1));
    let signed_in = auth.login_with(PASSWORD, Some(&auth.code(&secret))).await.unwrap();
    auth.at(signed_in.session.unwrap().token, String::new()).await.renew_codes().await.unwrap();
    let signed_in = auth.passkey_login(&device).await.unwrap();
    auth.at(signed_in.session.unwrap().token, String::new()).await.delete_totp().await.unwrap();
}

#[tokio::test]
async fn a_proof_by_passkey_belongs_to_its_session_and_member() {
    let auth = Auth::start().await;
    let (home, mut device, _) = with_passkey(&auth, 1).await;
    let (other, stranger, _) = with_passkey(&auth, 2).await;
    let elsewhere = auth.sign_in(1, "").await;
    auth.harness.clock.advance(TimeDelta::hours(1));
    // The passkey of another member.
    let error = details(home.prove_by_passkey(&stranger).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "PASSKEY_WRONG"));
    device.flags &= !USER_VERIFIED;
    assert_eq!(details(home.prove_by_passkey(&device).await).reason, "PASSKEY_WRONG");
    device.flags |= USER_VERIFIED;
    // The challenge of another session, and of another purpose.
    let started = home.start_proof().await.unwrap();
    for thief in [&elsewhere, &other] {
        let refused = details(thief.prove_by(&started.ceremony, device.assert(&started.options)).await);
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Invalid, "PASSKEY_EXPIRED"));
    }
    let sign_in = auth.challenge(portia_proto::auth::PasskeyUse::SignIn).await;
    let crossed = home.prove_by(&sign_in.ceremony, device.assert(&sign_in.options)).await;
    assert_eq!(details(crossed).reason, "PASSKEY_EXPIRED");
    let crossed = auth.answer(&started.ceremony, device.assert(&started.options)).await;
    assert_eq!(details(crossed).reason, "PASSKEY_EXPIRED");
    assert_eq!(details(home.prove_by(&started.ceremony, "{}".to_owned()).await).violations[0].field, "credential");
    assert_eq!(details(home.renew_codes().await).reason, "STEP_UP_REQUIRED", "nothing was proved");

    let answer = device.assert(&started.options);
    home.prove_by(&started.ceremony, answer.clone()).await.unwrap();
    assert_eq!(details(home.prove_by(&started.ceremony, answer).await).reason, "PASSKEY_EXPIRED", "once");
    home.renew_codes().await.unwrap();
    home.end(None).await.unwrap();
    assert_eq!(details(home.start_proof().await).reason, "SESSION_ENDED");
    auth.harness.context.tasks.stop(Duration::from_secs(10)).await;
    let events = auth.audit_of(home.member).await;
    assert_eq!(events.iter().filter(|event| *event == "passkey refused").count(), 2, "{events:?}");
    assert!(events.contains(&"reauthenticated".to_owned()));
}

/// A reset by a recovery code with a code of the app.
fn with_both(code: &str, one_time_code: &str) -> ResetPasswordRequest {
    ResetPasswordRequest { one_time_code: Some(one_time_code.into()), ..with_code(1, code) }
}

#[tokio::test]
async fn recovery_codes_alone_do_not_take_over_an_account_with_an_app() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    let secret = auth.set_up(&home).await;
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let before = auth.state().await;
    let current = auth.code(&secret);
    for (request, kind, reason) in [
        // A wrong recovery code does not reveal that there is an app.
        (with_code(1, "0000-0000-0000-0000-0000-0000"), ErrorKind::Forbidden, "PROOF_REFUSED"),
        (with_both("0000-0000-0000-0000-0000-0000", &current), ErrorKind::Forbidden, "PROOF_REFUSED"),
        (with_code(1, &codes[0]), ErrorKind::Unauthenticated, "SECOND_FACTOR_REQUIRED"),
        (with_both(&codes[0], " "), ErrorKind::Unauthenticated, "SECOND_FACTOR_REQUIRED"),
        (with_both(&codes[0], "000000"), ErrorKind::Unauthenticated, "SECOND_FACTOR_WRONG"),
        (with_both(&codes[0], &codes[1]), ErrorKind::Unauthenticated, "SECOND_FACTOR_WRONG"),
        (with_both(&codes[0], &codes[0]), ErrorKind::Unauthenticated, "SECOND_FACTOR_WRONG"),
    ] {
        let error = details(auth.reset(request).await);
        assert_eq!((error.kind, error.reason.as_str()), (kind, reason));
        assert_eq!(auth.state().await, before, "{reason}");
    }
    auth.reset(with_both(&codes[0], &current)).await.unwrap();
    assert_eq!(details(auth.login_with(NEW_PASSWORD, None).await).reason, "SECOND_FACTOR_REQUIRED");
    auth.harness.clock.advance(TimeDelta::minutes(1));
    auth.login_with(NEW_PASSWORD, Some(&auth.code(&secret))).await.unwrap();
    auth.harness.context.tasks.stop(Duration::from_secs(10)).await;
    let events = auth.audit_of(home.member).await;
    let count = |name: &str| events.iter().filter(|event| *event == name).count();
    assert_eq!((count("second factor missing"), count("code refused"), count("reset refused")), (3, 3, 2));
}

#[tokio::test]
async fn the_other_proofs_of_a_reset_need_no_code_of_the_app() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    home.renew_codes().await.unwrap();
    auth.set_up(&home).await;
    auth.reset(with_browser(1, &home.browser)).await.unwrap();
    auth.reset(with_link(1, &auth.link(1).await)).await.unwrap();
    let by_passkey = auth.passkey_reset(1, &device).await;
    auth.reset(by_passkey).await.unwrap();
    assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes where used_at is null").await, 8);
}

#[tokio::test]
async fn a_reset_by_passkey_does_not_reveal_whether_a_username_exists() {
    let auth = Auth::start().await;
    let (_, device, _) = with_passkey(&auth, 1).await;
    let mut stranger = Authenticator::new();
    stranger.user.clone_from(&device.user);
    for device in [&device, &stranger] {
        // A valid challenge; for the owner of another account, and for a name without an account.
        let known = auth.passkey_reset(2, device).await;
        auth.register(crate::registration(2)).await.ok();
        let known = details(auth.reset(known).await);
        let unknown = details(auth.reset(auth.passkey_reset(3, device).await).await);
        assert_eq!(known, unknown);
        assert_eq!((known.kind, known.reason.as_str()), (ErrorKind::Forbidden, "PROOF_REFUSED"));
    }
    for ceremony in ["", "junk"] {
        let junk = |n| ResetPasswordRequest {
            passkey: Some(PasskeyAssertion {
                ceremony: ceremony.into(),
                credential: "{}".into(),
                origin: ORIGIN.into(),
            }),
            ..crate::reset_of(n)
        };
        assert_eq!(details(auth.reset(junk(1)).await), details(auth.reset(junk(3)).await));
    }
    let started = auth.challenge(portia_proto::auth::PasskeyUse::Reset).await;
    let expired = |n| {
        let passkey = PasskeyAssertion {
            ceremony: "A".repeat(43),
            credential: device.assert(&started.options),
            origin: ORIGIN.into(),
        };
        ResetPasswordRequest { passkey: Some(passkey), ..crate::reset_of(n) }
    };
    let (known, unknown) = (details(auth.reset(expired(1)).await), details(auth.reset(expired(3)).await));
    assert_eq!(known, unknown);
    assert_eq!(known.reason, "PASSKEY_EXPIRED");
}

#[tokio::test]
async fn the_right_password_without_a_code_and_a_wrong_confirmation_are_audited() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let secret = home.create_totp().await.unwrap().secret;
    home.confirm_totp("000000").await.unwrap_err();
    home.confirm_totp("x").await.unwrap_err();
    home.confirm_totp(&auth.code(&secret)).await.unwrap();
    auth.login_with(PASSWORD, None).await.unwrap_err();
    auth.login_with(PASSWORD, Some("000000")).await.unwrap_err();
    auth.harness.context.tasks.stop(Duration::from_secs(10)).await;
    let expected =
        ["code refused", "code refused", "code refused", "registered", "second factor missing", "totp added"];
    assert_eq!(auth.audit_of(home.member).await, expected);
    let rows = "select count(*) from auth.audit where event in ('code refused', 'second factor missing') and address is not null";
    assert_eq!(auth.value::<i64>(rows).await, 4);
}

//! Authenticator apps: set up, used at sign-in and as a proof, removed by the member or an operator.

use auth::{admin, error::Error};
use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::auth::{LoginRequest, LoginResponse, ResetPasswordRequest, SessionEnded};
use primitives::error::ErrorKind;
use tonic::Status;
use totp_rs::{Builder, Secret};

use crate::{
    Auth, NEW_PASSWORD, PASSWORD, actors::SignedIn, browser, details, registration, with_browser, with_code, with_link,
};

/// The code that an app shows at a time.
fn code_at(secret: &str, at: DateTime<Utc>) -> String {
    let totp = Builder::new().with_secret(Secret::try_from_base32(secret).unwrap()).build().unwrap();
    totp.generate(at.timestamp().unsigned_abs()).to_string()
}

impl Auth {
    /// The code that an app shows now.
    pub fn code(&self, secret: &str) -> String {
        code_at(secret, self.harness.clock.now())
    }

    /// Sets up an app and returns its secret. The code of this moment is used then.
    pub async fn set_up(&self, home: &SignedIn<'_>) -> String {
        let secret = home.create_totp().await.unwrap().secret;
        home.confirm_totp(&self.code(&secret)).await.unwrap();
        secret
    }

    pub async fn login_with(&self, password: &str, code: Option<&str>) -> Result<LoginResponse, Status> {
        let message = LoginRequest {
            username: "member.1".into(),
            password: password.into(),
            one_time_code: code.map(str::to_owned),
            browser: Some(browser("192.0.2.7")),
            ..LoginRequest::default()
        };
        Ok(self.client().login(self.request(message)).await?.into_inner())
    }

    async fn login_refused(&self, code: &str) -> String {
        details(self.login_with(PASSWORD, Some(code)).await).reason
    }
}

#[tokio::test]
async fn a_confirmed_app_is_asked_at_sign_in_after_the_password() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    assert_eq!(home.totp_since().await.unwrap(), None);
    let created = home.create_totp().await.unwrap();
    assert!(created.uri.starts_with("otpauth://totp/Portia:Member") && created.uri.contains(&created.secret));
    assert_eq!(home.totp_since().await.unwrap(), None, "not confirmed");
    assert!(auth.login_with(PASSWORD, None).await.is_ok());

    home.confirm_totp(&auth.code(&created.secret)).await.unwrap();
    assert_eq!(home.totp_since().await.unwrap(), Some(auth.harness.clock.now().timestamp()));
    auth.harness.clock.advance(TimeDelta::seconds(30));
    let code = auth.code(&created.secret);
    for (password, code, reason) in [
        ("wrong password", None, "BAD_CREDENTIALS"),
        ("wrong password", Some(code.as_str()), "BAD_CREDENTIALS"),
        (PASSWORD, None, "SECOND_FACTOR_REQUIRED"),
        (PASSWORD, Some(" "), "SECOND_FACTOR_REQUIRED"),
        (PASSWORD, Some("x"), "SECOND_FACTOR_WRONG"),
        (PASSWORD, Some("0000-0000-0000-0000-0000-0000"), "SECOND_FACTOR_WRONG"),
    ] {
        let before = auth.state().await;
        let error = details(auth.login_with(password, code).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Unauthenticated, reason), "{code:?}");
        assert_eq!(auth.state().await, before);
    }
    let opened = auth.login_with(PASSWORD, Some(&code)).await.unwrap();
    assert!(auth.resolve(&opened.session.unwrap().token).await.is_ok());
}

#[tokio::test]
async fn a_code_is_valid_for_one_step_around_and_once() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let secret = auth.set_up(&home).await;
    assert_eq!(auth.login_refused(&auth.code(&secret)).await, "SECOND_FACTOR_WRONG", "its confirmation used it");
    auth.harness.clock.advance(TimeDelta::minutes(5));
    let now = auth.harness.clock.now();
    let around = |seconds| code_at(&secret, now + TimeDelta::seconds(seconds));
    for off in [-60, 60] {
        assert_eq!(auth.login_refused(&around(off)).await, "SECOND_FACTOR_WRONG", "{off}");
    }
    auth.login_with(PASSWORD, Some(&around(-30))).await.unwrap();
    assert_eq!(auth.login_refused(&around(-30)).await, "SECOND_FACTOR_WRONG", "used");
    auth.login_with(PASSWORD, Some(&around(30))).await.unwrap();
    assert_eq!(auth.login_refused(&around(0)).await, "SECOND_FACTOR_WRONG", "earlier than the last used one");
    auth.harness.clock.advance(TimeDelta::minutes(1));
    let code = auth.code(&secret);
    let answers = futures::future::join_all((0..4).map(|_| auth.login_with(PASSWORD, Some(&code)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "of concurrent sign-ins one");
}

#[tokio::test]
async fn a_recovery_code_takes_the_place_of_the_app_once() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    auth.set_up(&home).await;
    auth.login_with(PASSWORD, Some(&codes[0].to_lowercase().replace('-', " "))).await.unwrap();
    assert_eq!(auth.login_refused(&codes[0]).await, "SECOND_FACTOR_WRONG", "used");
    assert_eq!(details(auth.login_with("wrong password", Some(&codes[1])).await).reason, "BAD_CREDENTIALS");
    assert_eq!(home.code_status().await.unwrap().remaining, 7, "a wrong password uses no code");
}

#[tokio::test]
async fn a_code_proves_again() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let secret = auth.set_up(&home).await;
    auth.harness.clock.advance(TimeDelta::hours(1));
    assert_eq!(details(home.prove(None, Some("000000")).await).reason, "CODE_WRONG");
    let code = auth.code(&secret);
    home.prove(None, Some(&code)).await.unwrap();
    assert_eq!(details(home.prove(None, Some(&code)).await).reason, "CODE_WRONG", "used");
    home.renew_codes().await.unwrap();
}

#[tokio::test]
async fn setting_up_and_removing_need_a_recent_proof() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let secret = home.create_totp().await.unwrap().secret;
    auth.harness.clock.advance(TimeDelta::minutes(10));
    let before = auth.state().await;
    for refused in
        [home.create_totp().await.map(drop), home.confirm_totp(&auth.code(&secret)).await, home.delete_totp().await]
    {
        let error = details(refused);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "STEP_UP_REQUIRED"));
    }
    assert_eq!(auth.state().await, before);
    home.prove(Some(PASSWORD), None).await.unwrap();
    home.confirm_totp(&auth.code(&secret)).await.unwrap();
    assert_eq!(details(home.create_totp().await).reason, "TOTP_EXISTS", "an app is not replaced unnoticed");
    home.delete_totp().await.unwrap();
    assert_eq!(details(home.delete_totp().await).reason, "TOTP_NOT_FOUND");
    assert!(auth.login_with(PASSWORD, None).await.is_ok());
    let events = auth.audit_of(home.member).await;
    assert_eq!(events, ["reauthenticated", "registered", "signed in", "totp added", "totp removed"]);
}

#[tokio::test]
async fn a_wrong_or_late_confirmation_is_refused() {
    let auth = Auth::start().await;
    let (home, other) = (auth.member(1).await, auth.member(2).await);
    assert_eq!(details(home.confirm_totp("123456").await).reason, "CODE_WRONG", "nothing to confirm");
    let first = home.create_totp().await.unwrap().secret;
    let second = home.create_totp().await.unwrap().secret;
    let foreign = other.create_totp().await.unwrap().secret;
    for wrong in [auth.code(&first), auth.code(&foreign), String::new(), "\0".into(), "1".repeat(1 << 20)] {
        let error = details(home.confirm_totp(&wrong).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "CODE_WRONG"), "{wrong:.8}");
        assert_eq!(error.violations[0].field, "oneTimeCode");
    }
    auth.harness.clock.advance(TimeDelta::minutes(15));
    home.prove(Some(PASSWORD), None).await.unwrap();
    assert_eq!(details(home.confirm_totp(&auth.code(&second)).await).reason, "CODE_WRONG", "too late");
    assert!(auth.login_with(PASSWORD, None).await.is_ok());
}

#[tokio::test]
async fn a_reset_does_not_remove_the_app() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    let secret = auth.set_up(&home).await;
    for (n, proof) in ["browser", "code", "link"].into_iter().enumerate() {
        auth.harness.clock.advance(TimeDelta::minutes(1));
        let reset = match proof {
            "browser" => with_browser(1, &home.browser),
            "code" => {
                let one_time_code = Some(auth.code(&secret));
                ResetPasswordRequest { one_time_code, ..with_code(1, &codes[0]) }
            }
            _ => with_link(1, &auth.link(1).await),
        };
        let password = format!("{NEW_PASSWORD} {n}");
        auth.reset(ResetPasswordRequest { password: password.clone(), ..reset }).await.unwrap();
        assert_eq!(details(auth.login_with(&password, None).await).reason, "SECOND_FACTOR_REQUIRED", "{proof}");
        auth.harness.clock.advance(TimeDelta::minutes(1));
        auth.login_with(&password, Some(&auth.code(&secret))).await.unwrap();
    }
}

#[tokio::test]
async fn a_repeated_registration_does_not_pass_by_the_app() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.set_up(&home).await;
    assert_eq!(details(auth.register(registration(1)).await).reason, "MEMBER_ID_TAKEN");
}

#[tokio::test]
async fn an_operator_removes_a_lost_app() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.set_up(&home).await;
    let context = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    let (ids, clock) = (&context.ids, &context.clock);
    let unknown = admin::remove_totp(&mut conn, "unknown", None, ids, clock).await;
    assert!(matches!(unknown, Err(Error::AccountNotFound)));
    assert_eq!(admin::remove_totp(&mut conn, "MEMBER.1", None, ids, clock).await.unwrap(), "Member.1");
    assert!(auth.login_with(PASSWORD, None).await.is_ok());
    let again = admin::remove_totp(&mut conn, "member.1", None, ids, clock).await;
    assert!(matches!(again, Err(Error::StateUnchanged)));
    let actions = admin::list_actions(&mut conn, 10).await.unwrap();
    assert_eq!(actions.iter().map(|action| action.event.as_str()).collect::<Vec<_>>(), ["totp removed"]);
}

#[tokio::test]
async fn an_operator_ends_every_session_and_all_trust() {
    let auth = Auth::start().await;
    let (home, work, other) = (auth.member(1).await, auth.sign_in(1, "").await, auth.member(2).await);
    let context = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    let (ids, clock) = (&context.ids, &context.clock);
    let (username, ended) = admin::revoke_sessions(&mut conn, "member.1", None, ids, clock).await.unwrap();
    assert_eq!((username.as_str(), ended), ("Member.1", 2));
    assert!(!home.is_open().await && !work.is_open().await && other.is_open().await);
    assert!(!auth.is_trusted("member.1", &home.browser).await);
    assert_eq!(auth.facts::<SessionEnded>().await.len(), 2);
    let (_, ended) = admin::revoke_sessions(&mut conn, "member.1", None, ids, clock).await.unwrap();
    assert_eq!(ended, 0, "without a session");
    assert!(auth.login("member.1", PASSWORD).await.is_ok());
    let unknown = admin::revoke_sessions(&mut conn, "unknown", None, ids, clock).await;
    assert!(matches!(unknown, Err(Error::AccountNotFound)));
    assert_eq!(admin::list_actions(&mut conn, 10).await.unwrap().len(), 2, "both are audited");
}

#[tokio::test]
async fn an_export_does_not_contain_the_secret() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let secret = auth.set_up(&home).await;
    let records = home.exported().await;
    let (_, app) = records.iter().find(|(section, _)| section == "authenticator-app").unwrap();
    let now = serde_json::to_value(auth.harness.clock.now()).unwrap();
    assert_eq!(app, &serde_json::json!({ "createdAt": now, "confirmedAt": now }));
    let stored: String = auth.value("select encode(secret, 'hex') from auth.totp_secrets").await;
    let texts = format!("{records:?}").to_lowercase();
    assert!(!texts.contains(&secret.to_lowercase()) && !texts.contains(&stored));
}

//! Security notices: the changes that publish one, and the sign-ins that do not.

use chrono::TimeDelta;
use portia_proto::auth::{LoginRequest, SecurityNoticeCause as Cause, SecurityNoticeCreated};
use prost::{Message as _, Name as _};
use testkit::member;

use crate::{
    Auth, NEW_PASSWORD, PASSWORD, authenticator::Authenticator, browser, registration, with_browser, with_code,
};

impl Auth {
    /// The published notices, oldest first.
    async fn notices(&self) -> Vec<SecurityNoticeCreated> {
        let payloads = sqlx::query_scalar::<_, Vec<u8>>("select payload from auth.outbox where kind = $1 order by id")
            .bind(SecurityNoticeCreated::full_name());
        let payloads = payloads.fetch_all(self.pool()).await.unwrap();
        payloads.iter().map(|payload| SecurityNoticeCreated::decode(payload.as_slice()).unwrap()).collect()
    }

    pub async fn causes(&self) -> Vec<Cause> {
        self.notices().await.iter().map(SecurityNoticeCreated::cause).collect()
    }
}

#[tokio::test]
async fn a_sign_in_on_an_unknown_browser_is_a_notice_with_browser_network_and_time() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    assert_eq!(auth.causes().await, [], "a registration is none");
    auth.sign_in(1, &home.browser).await;
    assert_eq!(auth.causes().await, [], "the browser is known");
    auth.harness.clock.advance(TimeDelta::minutes(5));
    let elsewhere = auth.sign_in(1, "").await;
    let notices = auth.notices().await;
    let [notice] = notices.as_slice() else { panic!("{notices:?}") };
    assert_eq!((notice.cause(), notice.member_id.as_str()), (Cause::NewBrowser, member(1).to_string().as_str()));
    assert_eq!(notice.browser, Some(browser("192.0.2.7")));
    assert_eq!(notice.at.unwrap().seconds, auth.harness.clock.now().timestamp());
    assert_eq!(notice.session_id, Some(elsewhere.session.to_string()));
}

#[tokio::test]
async fn a_browser_stays_known_after_the_trust_in_it_ends() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.change(PASSWORD, NEW_PASSWORD).await.unwrap();
    assert!(!auth.is_trusted("member.1", &home.browser).await);
    auth.logout(&home.token).await.unwrap();
    auth.login_at("member.1", NEW_PASSWORD, &home.browser).await.unwrap();
    assert_eq!(auth.causes().await, [Cause::PasswordChanged]);
}

#[tokio::test]
async fn a_browser_of_another_account_is_new() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let other = auth.member(2).await;
    let shared = auth.sign_in(1, &other.browser).await;
    assert_eq!(auth.causes().await, [Cause::NewBrowser]);
    auth.sign_in(2, &shared.browser).await;
    auth.sign_in(1, &shared.browser).await;
    assert_eq!(auth.causes().await, [Cause::NewBrowser, Cause::NewBrowser], "the token was rotated meanwhile");
}

#[tokio::test]
async fn a_shared_computer_is_new_each_time() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    for (round, token) in [&home.browser, &home.browser].into_iter().enumerate() {
        let login = LoginRequest {
            username: "member.1".into(),
            password: PASSWORD.into(),
            browser: Some(browser("192.0.2.7")),
            trusted_browser_token: token.clone(),
            shared_computer: true,
            one_time_code: None,
        };
        auth.client().login(auth.request(login)).await.unwrap();
        assert_eq!(auth.causes().await.len(), round, "known until it was said to be shared");
    }
}

#[tokio::test]
async fn a_refused_sign_in_is_no_notice_and_makes_no_browser_known() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let other = auth.member(2).await;
    auth.login_at("member.1", "wrong password", &other.browser).await.unwrap_err();
    assert_eq!(auth.causes().await, []);
    assert_eq!(auth.value::<i64>("select count(*) from auth.known_browsers").await, 2);
}

#[tokio::test]
async fn the_first_sign_in_of_an_account_without_registration_is_no_notice() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    // An account of the demo data.
    auth.harness.database().run_as_owner("delete from auth.audit; delete from auth.known_browsers").await;
    auth.sign_in(1, "").await;
    assert_eq!(auth.causes().await, []);
    auth.sign_in(1, "").await;
    assert_eq!(auth.causes().await, [Cause::NewBrowser]);
}

#[tokio::test]
async fn changes_of_credentials_are_notices() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    auth.set_up(&home).await;
    home.delete_totp().await.unwrap();
    home.change(PASSWORD, NEW_PASSWORD).await.unwrap();
    auth.reset(with_code(1, &codes[0])).await.unwrap();
    let notices = auth.notices().await;
    let seen: Vec<_> = notices.iter().map(|notice| (notice.cause(), notice.session_id.clone())).collect();
    let session = Some(home.session.to_string());
    let expected = [
        (Cause::RecoveryCodesRenewed, session.clone()),
        (Cause::TotpAdded, session.clone()),
        (Cause::TotpRemoved, session.clone()),
        (Cause::PasswordChanged, session),
        (Cause::PasswordReset, None),
    ];
    assert_eq!(seen, expected);
    assert_eq!(notices[4].browser, Some(browser("192.0.2.66")));
    let text = format!("{notices:?}");
    for secret in codes.iter().map(String::as_str).chain([PASSWORD, NEW_PASSWORD, &home.token, &home.browser]) {
        assert!(!text.contains(secret));
    }
}

#[tokio::test]
async fn new_and_removed_passkeys_are_notices() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let passkey = home.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    home.delete_passkey(&auth, &passkey.id).await.unwrap();
    home.delete_passkey(&auth, &passkey.id).await.unwrap_err();
    assert_eq!(auth.causes().await, [Cause::PasskeyCreated, Cause::PasskeyRemoved]);
    let notices = auth.notices().await;
    assert!(notices.iter().all(|notice| notice.session_id == Some(home.session.to_string())));
    assert!(notices.iter().all(|notice| notice.browser == Some(browser("192.0.2.9"))));
}

#[tokio::test]
async fn ending_sessions_of_other_browsers_is_a_notice() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.sign_in(1, "").await);
    auth.harness.database().run("delete from auth.outbox").await;
    home.end(Some(work.session.to_string())).await.unwrap();
    assert_eq!(auth.notices().await[0].browser, Some(browser("192.0.2.9")));
    let work = auth.sign_in(1, &work.browser).await;
    work.end(Some(work.session.to_string())).await.unwrap();
    assert_eq!(auth.causes().await, [Cause::SessionEnded], "not the browser's own session");
    home.end(None).await.unwrap();
    assert_eq!(auth.causes().await, [Cause::SessionEnded, Cause::SignedOutEverywhere]);
}

#[tokio::test]
async fn changes_of_an_operator_are_notices_without_a_browser() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.set_up(&home).await;
    auth.harness.database().run("delete from auth.outbox").await;
    let context = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    let (ids, clock) = (&context.ids, &context.clock);
    auth::admin::remove_totp(&mut conn, "member.1", None, ids, clock).await.unwrap();
    auth::admin::revoke_sessions(&mut conn, "member.1", None, ids, clock).await.unwrap();
    assert_eq!(auth.causes().await, [Cause::TotpRemovedByOperator, Cause::SessionsRevokedByOperator]);
    let notices = auth.notices().await;
    assert!(notices.iter().all(|notice| notice.browser.is_none() && notice.session_id.is_none()));
}

#[tokio::test]
async fn a_refused_change_is_no_notice() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.change("wrong password", NEW_PASSWORD).await.unwrap_err();
    auth.reset(with_browser(1, "")).await.unwrap_err();
    home.end(Some(member(7).to_string())).await.unwrap_err();
    assert_eq!(auth.causes().await, []);
}

#[tokio::test]
async fn an_account_knows_at_most_fifty_browsers_for_sixty_days() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.harness.clock.advance(TimeDelta::days(1));
    auth.harness
        .database()
        .run(
            "insert into auth.known_browsers (browser_hash, member_id, signed_in_at)
            select sha256(n::text::bytea), member_id, signed_in_at + interval '1 hour'
            from auth.known_browsers, generate_series(1, 49) n",
        )
        .await;
    auth.sign_in(1, "").await;
    assert_eq!(auth.value::<i64>("select count(*) from auth.known_browsers").await, 50);
    auth.sign_in(1, &home.browser).await;
    assert_eq!(auth.causes().await, [Cause::NewBrowser, Cause::NewBrowser], "the oldest is forgotten");
    auth.harness.clock.advance(TimeDelta::days(60));
    assert_eq!(auth::known_browsers::delete_expired(auth.pool(), auth.harness.clock.now()).await.unwrap(), 50);
}

#[tokio::test]
async fn the_notice_of_a_reset_names_the_passkeys_that_remain() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let first = home.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    auth.harness.clock.advance(TimeDelta::seconds(1));
    home.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    home.rename_passkey(&auth, &first.id, "Laptop").await.unwrap();
    auth.reset(with_browser(1, &home.browser)).await.unwrap();
    let notices = auth.notices().await;
    let named: Vec<_> = notices.iter().map(|notice| (notice.cause(), notice.passkeys.clone())).collect();
    let names = vec!["Laptop".to_owned(), "Phone".to_owned()];
    assert_eq!(named.last(), Some(&(Cause::PasswordReset, names)));
    assert!(named[..2].iter().all(|(_, names)| names.is_empty()), "{named:?}");
}

//! Successful password resets with each proof, and their effects.

use portia_proto::auth::{ProofMethod, ResetPasswordRequest, SessionEnded};
use primitives::error::ErrorKind;
use testkit::member;

use crate::{
    Auth, NEW_PASSWORD, PASSWORD, authenticator::Authenticator, details, registration, reset_of, with_browser,
    with_code, with_link,
};

impl Auth {
    /// Creates a reset link for member `n`.
    pub async fn link(&self, n: u128) -> String {
        let context = &self.harness.context;
        let mut conn = self.pool().acquire().await.unwrap();
        let link =
            auth::admin::create_reset_link(&mut conn, &format!("member.{n}"), &context.ids, &context.clock).await;
        link.unwrap().token.encoded()
    }
}

/// Asserts that only the new password works.
async fn assert_set(auth: &Auth) {
    assert_eq!(details(auth.login("member.1", PASSWORD).await).reason, "BAD_CREDENTIALS", "the old password");
    assert!(auth.login("member.1", NEW_PASSWORD).await.is_ok(), "the new one");
}

#[tokio::test]
async fn a_reset_by_a_trusted_browser_ends_every_session_and_trust() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.sign_in(1, "").await);
    let bystander = auth.member(2).await;
    let answer = auth.reset(with_browser(1, &home.browser)).await.unwrap();
    assert_eq!(answer.member_id, member(1).to_string());
    let mut ended: Vec<String> = answer.ended_session_ids;
    ended.sort();
    let mut open = [home.session.to_string(), work.session.to_string()];
    open.sort();
    assert_eq!(ended, open);
    assert!(!home.is_open().await && !work.is_open().await, "every session has ended");
    assert!(bystander.is_open().await);
    assert_eq!(auth.facts::<SessionEnded>().await, [member(1).to_string(), member(1).to_string()]);
    assert!(!auth.is_trusted("member.1", &home.browser).await, "its token may be a copy");
    assert!(!auth.is_trusted("member.1", &work.browser).await);
    assert!(auth.is_trusted("member.2", &bystander.browser).await);
    assert!(auth.audit().await.contains(&"reset by trusted browser".to_owned()));
    let address: String = auth.value("select address from auth.audit where event like 'reset%'").await;
    assert_eq!(address, "192.0.2.66");
    assert_set(&auth).await;
}

#[tokio::test]
async fn a_recovery_code_is_valid_once_in_any_notation() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    let typed = codes[3].to_lowercase().replace('-', " ").replace('0', "o").replace('1', "l");
    auth.reset(with_code(1, &typed)).await.unwrap();
    assert!(!home.is_open().await);
    assert!(!auth.is_trusted("member.1", &home.browser).await, "the proof was no browser");
    assert!(auth.audit().await.contains(&"reset by recovery code".to_owned()));
    assert_set(&auth).await;
    let used = "select count(*) from auth.recovery_codes where used_at is not null";
    assert_eq!(auth.value::<i64>(used).await, 1);
}

#[tokio::test]
async fn an_operators_link_resets_the_password() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let link = auth.link(1).await;
    auth.reset(with_link(1, &link)).await.unwrap();
    assert!(!home.is_open().await);
    assert!(!auth.is_trusted("member.1", &home.browser).await);
    let events = auth.audit().await;
    assert!(events.contains(&"reset link made".to_owned()) && events.contains(&"reset by link".to_owned()));
    assert_eq!(auth.value::<i64>("select count(*) from auth.reset_links").await, 0);
    assert_set(&auth).await;
}

#[tokio::test]
async fn a_reset_and_a_change_delete_the_operators_link() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    let link = auth.link(1).await;
    home.change(PASSWORD, NEW_PASSWORD).await.unwrap();
    assert_eq!(details(auth.reset(with_link(1, &link)).await).reason, "PROOF_REFUSED");
    let link = auth.link(1).await;
    auth.reset(with_code(1, &codes[0])).await.unwrap();
    assert_eq!(details(auth.reset(with_link(1, &link)).await).reason, "PROOF_REFUSED");
}

#[tokio::test]
async fn the_proof_methods_do_not_reveal_the_credentials_of_an_account() {
    use ProofMethod::{OperatorLink, Passkey, RecoveryCode, TrustedBrowser};
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let others = [Passkey, RecoveryCode, OperatorLink];
    let here = [TrustedBrowser, Passkey, RecoveryCode, OperatorLink];
    assert_eq!(auth.methods("Member.1", "").await.unwrap(), others);
    assert_eq!(auth.methods("member.1", &home.browser).await.unwrap(), here);
    home.renew_codes().await.unwrap();
    home.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    auth.set_up(&home).await;
    assert_eq!(auth.methods("member.1", "").await.unwrap(), others);
    assert_eq!(auth.methods("member.1", &home.browser).await.unwrap(), here);
    home.close("member.1").await.unwrap();
    assert_eq!(auth.methods("member.1", "").await.unwrap(), others, "closed");
    auth.suspend("member.1", None).await.unwrap();
    assert_eq!(auth.methods("member.1", "").await.unwrap(), others, "suspended");
}

#[tokio::test]
async fn an_unknown_username_is_not_found() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    let error = [
        details(auth.methods("unknown.member", "").await),
        details(auth.reset(ResetPasswordRequest { username: "unknown.member".into(), ..reset_of(1) }).await),
    ];
    for error in error {
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::NotFound, "ACCOUNT_NOT_FOUND"));
        assert_eq!(error.message, "User not found");
    }
}

#[tokio::test]
async fn a_reset_password_must_satisfy_the_policy() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    for bad in ["12345", "Member.1", "MEMBER.1!", "iloveyou", "", "pass\0word"] {
        let request = ResetPasswordRequest { password: bad.into(), ..with_browser(1, &home.browser) };
        let error = details(auth.reset(request).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "password"), "{bad:?}");
    }
    assert!(home.is_open().await);
    assert!(auth.login("member.1", PASSWORD).await.is_ok());
}

#[tokio::test]
async fn a_reset_leaves_a_closed_account_closed() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.close("member.1").await.unwrap();
    auth.reset(with_browser(1, &home.browser)).await.unwrap();
    assert!(auth.value::<bool>("select closed_at is not null from auth.accounts").await);
    assert!(auth.login("member.1", NEW_PASSWORD).await.unwrap().reopened);
    assert!(auth.value::<bool>("select closed_at is null from auth.accounts").await);
}

//! The operator's reset link.

use auth::{
    admin::{self, VerificationEvent},
    error::Error,
};
use chrono::TimeDelta;
use portia_proto::auth::SecurityNoticeCause;

use crate::{Auth, authenticator::Authenticator, details, passkeys::with_passkey, with_link};

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
async fn decisions_about_verifications_are_audited_for_operators_only() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let context = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    let (member, username) = admin::find_account(&mut conn, "MEMBER.1", &context.clock).await.unwrap();
    assert_eq!((member, username.as_str()), (home.member, "Member.1"));
    let school = "a".repeat(200);
    for event in [
        VerificationEvent::Verified,
        VerificationEvent::Withdrawn,
        VerificationEvent::StewardAdded,
        VerificationEvent::StewardRemoved,
    ] {
        let (ids, clock) = (&context.ids, &context.clock);
        admin::record_verification(&mut conn, member, event, Some(&school), None, ids, clock).await.unwrap();
        auth.harness.clock.advance(TimeDelta::seconds(1));
    }
    let actions = admin::list_actions(&mut conn, 10).await.unwrap();
    let events: Vec<&str> = actions.iter().map(|action| action.event.as_str()).collect();
    assert_eq!(events, ["verified", "verification withdrawn", "steward added", "steward removed"]);
    assert_eq!(actions[0].about.as_deref(), Some(&school[..100]), "the column is shorter than the name of a school");
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
    home.close("member.1").await.unwrap();
    assert!(
        admin::create_reset_link(&mut conn, "member.1", &context.ids, &context.clock).await.is_ok(),
        "closed, not erased"
    );
    auth.harness.clock.advance(TimeDelta::days(14));
    let error = admin::create_reset_link(&mut conn, "member.1", &context.ids, &context.clock).await;
    assert!(matches!(error, Err(Error::AccountNotFound)), "due for erasure");
}

#[tokio::test]
async fn an_operator_removes_every_passkey_of_an_account() {
    let auth = Auth::start().await;
    let (home, planted, _) = with_passkey(&auth, 1).await;
    home.add_passkey(&auth, &mut Authenticator::new()).await.unwrap();
    let (_, other, _) = with_passkey(&auth, 2).await;
    let context = &auth.harness.context;
    let mut conn = auth.pool().acquire().await.unwrap();
    let (ids, clock) = (&context.ids, &context.clock);
    let removed = admin::remove_passkeys(&mut conn, "MEMBER.1", None, ids, clock).await.unwrap();
    assert_eq!(removed, ("Member.1".to_owned(), 2));
    assert_eq!(home.passkeys(&auth).await.unwrap(), []);
    assert_eq!(details(auth.passkey_login(&planted).await).reason, "BAD_CREDENTIALS");
    auth.passkey_login(&other).await.unwrap();
    let again = admin::remove_passkeys(&mut conn, "member.1", None, ids, clock).await;
    assert!(matches!(again, Err(Error::StateUnchanged)));
    let unknown = admin::remove_passkeys(&mut conn, "unknown", None, ids, clock).await;
    assert!(matches!(unknown, Err(Error::AccountNotFound)));
    let actions = admin::list_actions(&mut conn, 10).await.unwrap();
    assert_eq!(actions.iter().map(|action| action.event.as_str()).collect::<Vec<_>>(), ["passkeys removed"]);
    assert!(auth.causes().await.contains(&SecurityNoticeCause::PasskeysRemovedByOperator));
}

//! Suspended accounts: no sign-in until `restore`, independent of closing.

use auth::{
    admin::{self, AuditEntry, Note, ReportDecision, SuspensionChange},
    error::Error,
};
use chrono::TimeDelta;
use futures::future::{join, join_all};
use portia_proto::auth::{AccountClosed, AccountErased, AccountReopened, RegisterRequest, SessionEnded};
use primitives::error::ErrorKind;
use testkit::member;
use tonic::Status;

use crate::{Auth, NEW_PASSWORD, PASSWORD, details, facts::snapshot, registration, with_browser, with_code, with_link};

impl Auth {
    pub async fn suspend(&self, username: &str, note: Option<&str>) -> Result<SuspensionChange, Error> {
        let (context, note) = (&self.harness.context, note.map(|note| Note::parse("note", note).unwrap()));
        let mut conn = self.pool().acquire().await.unwrap();
        admin::suspend(&mut conn, username, note.as_ref(), &context.ids, &context.clock).await
    }

    pub async fn restore(&self, username: &str) -> Result<SuspensionChange, Error> {
        let context = &self.harness.context;
        admin::restore(&mut self.pool().acquire().await.unwrap(), username, None, &context.ids, &context.clock).await
    }

    async fn actions(&self, limit: u32) -> Vec<AuditEntry> {
        admin::list_actions(&mut self.pool().acquire().await.unwrap(), limit).await.unwrap()
    }
}

fn assert_suspended<T: std::fmt::Debug>(answer: Result<T, Status>) {
    let error = details(answer);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "ACCOUNT_SUSPENDED"));
    assert_eq!(error.message, "This account is suspended");
}

#[tokio::test]
async fn suspension_ends_every_session_and_refuses_sign_ins() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.sign_in(1, "").await);
    let other = auth.member(2).await;
    let decided = auth.suspend(" MEMBER.1 ", Some("Sells essays.")).await.unwrap();
    assert_eq!(decided, SuspensionChange { username: "Member.1".to_owned(), is_closed: false, ended: 2 });
    assert!(!home.is_open().await && !work.is_open().await && other.is_open().await);
    assert_eq!(auth.facts::<AccountClosed>().await, [member(1).to_string()]);
    assert_eq!(auth.facts::<SessionEnded>().await.len(), 2);

    let before = auth.state().await;
    assert_suspended(auth.login("member.1", PASSWORD).await);
    assert_suspended(auth.login_at("member.1", PASSWORD, &home.browser).await);
    // A repeated registration is a sign-in.
    assert_suspended(auth.register(registration(1)).await);
    let wrong = details(auth.login("member.1", "wrong password").await);
    assert_eq!(wrong.reason, "BAD_CREDENTIALS", "only the right password reveals the suspension");
    let again = RegisterRequest { username: "MEMBER.1".into(), ..registration(3) };
    assert_eq!(details(auth.register(again).await).reason, "USERNAME_TAKEN", "the username stays reserved");
    assert_eq!(auth.state().await, before);
    assert!(auth.login("member.2", PASSWORD).await.is_ok());
}

#[tokio::test]
async fn the_sessions_and_tokens_of_a_suspended_account_are_refused() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.renew_codes().await.unwrap();
    auth.suspend("member.1", None).await.unwrap();
    let before = auth.state().await;
    assert_eq!(details(auth.resolve(&home.token).await).reason, "SESSION_ENDED");
    let error = [
        details(home.change(PASSWORD, NEW_PASSWORD).await),
        details(home.renew_codes().await),
        details(home.close("member.1").await),
        details(home.sessions().await),
        details(home.end(None).await),
        details(home.code_status().await),
        details(home.export().await),
    ];
    assert!(error.iter().all(|error| error.reason == "SESSION_ENDED"), "{error:?}");
    assert_eq!(auth.state().await, before);
}

#[tokio::test]
async fn a_password_reset_does_not_end_a_suspension() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes().await.unwrap();
    let stale = auth.link(1).await;
    auth.suspend("member.1", None).await.unwrap();
    assert_eq!(
        details(auth.reset(with_link(1, &stale)).await).reason,
        "PROOF_REFUSED",
        "the suspension deleted the link"
    );
    let fresh = auth.link(1).await;
    for proof in [with_link(1, &fresh), with_code(1, &codes[0]), with_code(1, &codes[1])] {
        auth.reset(proof).await.unwrap();
        assert_suspended(auth.login("member.1", NEW_PASSWORD).await);
    }
    assert_eq!(
        details(auth.reset(with_browser(1, &home.browser)).await).reason,
        "PROOF_MISSING",
        "the resets ended the trust"
    );
    assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 0);
    assert!(auth.facts::<AccountReopened>().await.is_empty());
}

#[tokio::test]
async fn a_sign_in_concurrent_with_a_suspension_leaves_no_session() {
    let auth = Auth::start().await;
    auth.member(1).await;
    for round in 0..20 {
        let sign_ins = join_all((0..3).map(|_| auth.login("member.1", PASSWORD)));
        let (_, suspended) = join(sign_ins, auth.suspend("member.1", None)).await;
        suspended.unwrap();
        assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 0, "round {round}");
        auth.restore("member.1").await.unwrap();
    }
    let facts = (auth.facts::<AccountClosed>().await.len(), auth.facts::<AccountReopened>().await.len());
    assert_eq!(facts, (20, 20));
}

#[tokio::test]
async fn of_concurrent_suspensions_one_succeeds() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let decided = join_all((0..4).map(|_| auth.suspend("member.1", None))).await;
    assert_eq!(decided.iter().filter(|decided| decided.is_ok()).count(), 1);
    assert!(decided.iter().flat_map(Result::as_ref).all(|decided| decided.ended == 1));
    let restored = join_all((0..4).map(|_| auth.restore("member.1"))).await;
    assert_eq!(restored.iter().filter(|decided| decided.is_ok()).count(), 1);
    assert!(matches!(auth.restore("member.1").await, Err(Error::StateUnchanged)), "it is not suspended");
    assert_eq!(auth.actions(100).await.len(), 2);
    assert_eq!(auth.facts::<AccountClosed>().await.len(), 1);
}

#[tokio::test]
async fn a_restored_account_can_sign_in() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.suspend("member.1", None).await.unwrap();
    auth.restore("member.1").await.unwrap();
    assert_eq!(auth.facts::<AccountReopened>().await, [member(1).to_string()]);
    assert!(!home.is_open().await, "the owner must sign in again");
    let back = auth.login_at("member.1", PASSWORD, &home.browser).await.unwrap();
    assert!(!back.reopened, "it was never closed");
    assert!(auth.resolve(&back.session.unwrap().token).await.is_ok());
}

#[tokio::test]
async fn suspension_does_not_change_the_erasure_of_a_closed_account() {
    let auth = Auth::start().await;
    for n in 1..=2 {
        auth.member(n).await.close(&format!("member.{n}")).await.unwrap();
    }
    auth.harness.clock.advance(TimeDelta::days(7));
    for n in 1..=2 {
        assert!(auth.suspend(&format!("member.{n}"), None).await.unwrap().is_closed);
    }
    assert_eq!(auth.facts::<AccountClosed>().await.len(), 2, "closing published these facts");
    assert_suspended(auth.login("member.1", PASSWORD).await);
    assert!(auth.facts::<AccountReopened>().await.is_empty(), "a sign-in does not end the suspension");
    // The restored account is closed, and its owner can reactivate it.
    assert!(auth.restore("member.1").await.unwrap().is_closed);
    assert!(auth.facts::<AccountReopened>().await.is_empty());
    assert_eq!(snapshot::<AccountClosed>(&auth).await, [member(1).to_string(), member(2).to_string()]);
    assert!(auth.login("member.1", PASSWORD).await.unwrap().reopened);

    auth.harness.clock.advance(TimeDelta::days(7));
    let erased = auth.erase_due().await;
    assert_eq!((erased, auth.facts::<AccountErased>().await), (1, vec![member(2).to_string()]));
    assert!(matches!(auth.restore("member.2").await, Err(Error::AccountNotFound)), "the account is erased");
}

#[tokio::test]
async fn a_suspended_account_is_not_erased_and_is_in_the_snapshot() {
    let auth = Auth::start().await;
    for n in 1..=2 {
        auth.member(n).await;
    }
    auth.suspend("member.1", None).await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(400));
    let erased = auth.erase_due().await;
    assert_eq!(erased, 0);
    assert_eq!(snapshot::<AccountClosed>(&auth).await, [member(1).to_string()]);
    auth.restore("member.1").await.unwrap();
    assert!(snapshot::<AccountClosed>(&auth).await.is_empty());
}

#[tokio::test]
async fn an_unknown_username_cannot_be_suspended_or_restored() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let before = auth.state().await;
    for name in ["unknown.member", "", "\0", "member.1' or 1=1", "ab", "member.1%"] {
        assert!(matches!(auth.suspend(name, None).await, Err(Error::AccountNotFound)), "{name:?}");
        assert!(matches!(auth.restore(name).await, Err(Error::AccountNotFound)), "{name:?}");
    }
    assert_eq!((auth.state().await, auth.actions(100).await), (before, vec![]));
}

#[tokio::test]
async fn operator_actions_are_listed_and_a_decision_is_recorded_once() {
    let auth = Auth::start().await;
    auth.member(1).await;
    auth.link(1).await;
    let clock = &auth.harness.clock;
    clock.advance(TimeDelta::seconds(1));
    auth.suspend("member.1", Some("Sells essays.\nTwice.")).await.unwrap();
    clock.advance(TimeDelta::seconds(1));
    let mut conn = auth.pool().acquire().await.unwrap();
    let report = uuid::Uuid::from_u128(7);
    let decision = ReportDecision { report, removed: true, member: Some(member(1)), about: "post 5", note: None };
    for _ in 0..2 {
        admin::record_decision(&mut conn, &decision, &auth.harness.context.clock).await.unwrap();
    }
    clock.advance(TimeDelta::seconds(1));
    let without_member =
        ReportDecision { report: uuid::Uuid::from_u128(8), removed: false, member: None, about: "job 6", note: None };
    admin::record_decision(&mut conn, &without_member, &auth.harness.context.clock).await.unwrap();

    let deeds = auth.actions(100).await;
    let facts: Vec<_> = deeds
        .iter()
        .map(|done| (done.event.as_str(), done.username.as_deref(), done.about.as_deref(), done.note.as_deref()))
        .collect();
    assert_eq!(
        facts,
        [
            ("reset link made", Some("Member.1"), None, None),
            ("suspended", Some("Member.1"), None, Some("Sells essays.\nTwice.")),
            ("removed", Some("Member.1"), Some("post 5"), None),
            ("report dismissed", None, Some("job 6"), None),
        ],
        "without events of members"
    );
    assert_eq!(auth.actions(2).await, deeds[2..]);
    // The export does not contain the actions of others on the account: they would reveal reports.
    auth.restore("member.1").await.unwrap();
    let mine = serde_json::to_string(&auth.sign_in(1, "").await.exported().await).unwrap();
    assert!(!mine.contains("suspended") && !mine.contains("post 5") && !mine.contains("essays"), "{mine}");
}

#[tokio::test]
async fn erasing_an_account_removes_the_operators_notes() {
    let auth = Auth::start().await;
    auth.member(1).await.close("member.1").await.unwrap();
    auth.suspend("member.1", Some("Member.1 sells essays.")).await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(14));
    auth.erase_due().await;
    let deeds = auth.actions(100).await;
    assert_eq!(deeds.len(), 1);
    assert_eq!((deeds[0].member_id, &deeds[0].username, &deeds[0].note), (Some(member(1)), &None, &None));
    assert_eq!(auth.harness.database().tables_referencing(member(1)).await, ["audit"]);
}

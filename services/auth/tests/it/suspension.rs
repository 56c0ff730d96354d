//! Accounts that operators suspend: every way in is shut, nothing but `restore` opens one, and closing goes its own way.

use auth::{
    admin::{self, Decided, Decision, Done, Note},
    error::Error,
};
use chrono::TimeDelta;
use futures::future::{join, join_all};
use outbox::Outbox;
use portia_proto::auth::{AccountClosed, AccountErased, AccountReopened, RegisterRequest, SessionEnded};
use primitives::error::ErrorKind;
use testkit::member;
use tonic::Status;

use crate::{
    Auth, NEW_PASSWORD, PASSWORD, explained, facts::snapshot, registration, with_browser, with_code, with_link,
};

impl Auth {
    async fn suspend(&self, username: &str, note: Option<&str>) -> Result<Decided, Error> {
        let (frame, note) = (&self.harness.context, note.map(|note| Note::parse("note", note).unwrap()));
        let mut conn = self.pool().acquire().await.unwrap();
        admin::suspend(&mut conn, username, note.as_ref(), &frame.ids, &frame.clock).await
    }

    async fn restore(&self, username: &str) -> Result<Decided, Error> {
        let frame = &self.harness.context;
        admin::restore(&mut self.pool().acquire().await.unwrap(), username, None, &frame.ids, &frame.clock).await
    }

    async fn deeds(&self, limit: u32) -> Vec<Done> {
        admin::deeds(&mut self.pool().acquire().await.unwrap(), limit).await.unwrap()
    }
}

fn assert_suspended<T: std::fmt::Debug>(answer: Result<T, Status>) {
    let refused = explained(answer);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "ACCOUNT_SUSPENDED"));
    assert_eq!(refused.message, "This account is suspended");
}

#[tokio::test]
async fn every_session_ends_the_member_vanishes_and_nobody_signs_in() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.come_back(1, "").await);
    let other = auth.member(2).await;
    let decided = auth.suspend(" MEMBER.1 ", Some("Sells essays.")).await.unwrap();
    assert_eq!(decided, Decided { username: "Member.1".to_owned(), is_closed: false, ended: 2 });
    assert!(!home.is_open().await && !work.is_open().await && other.is_open().await);
    assert_eq!(auth.told::<AccountClosed>().await, [member(1).to_string()]);
    assert_eq!(auth.told::<SessionEnded>().await.len(), 2);

    let before = auth.state().await;
    assert_suspended(auth.login("member.1", PASSWORD).await);
    assert_suspended(auth.login_at("member.1", PASSWORD, &home.browser).await);
    // A registration sent once more is a sign-in by another door.
    assert_suspended(auth.register(registration(1)).await);
    let wrong = explained(auth.login("member.1", "wrong password").await);
    assert_eq!(wrong.reason, "BAD_CREDENTIALS", "only who has the password is told");
    let again = RegisterRequest { username: "MEMBER.1".into(), ..registration(3) };
    assert_eq!(explained(auth.register(again).await).reason, "USERNAME_TAKEN", "the name stays held");
    assert_eq!(auth.state().await, before);
    assert!(auth.login("member.2", PASSWORD).await.is_ok());
}

#[tokio::test]
async fn a_session_replayed_and_a_token_still_valid_do_nothing() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.renew_codes(None).await.unwrap();
    auth.suspend("member.1", None).await.unwrap();
    let before = auth.state().await;
    assert_eq!(explained(auth.resolve(&home.token).await).reason, "SESSION_ENDED");
    let refused = [
        explained(home.change(PASSWORD, NEW_PASSWORD).await),
        explained(home.renew_codes(Some(PASSWORD)).await),
        explained(home.close("member.1", Some(PASSWORD)).await),
        explained(home.sessions().await),
        explained(home.end(None).await),
        explained(home.codes_left().await),
        explained(home.export().await),
    ];
    assert!(refused.iter().all(|refused| refused.reason == "SESSION_ENDED"), "{refused:?}");
    assert_eq!(auth.state().await, before);
}

#[tokio::test]
async fn a_new_password_by_whatever_proof_undoes_nothing() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let codes = home.renew_codes(None).await.unwrap();
    let stale = auth.link(1).await;
    auth.suspend("member.1", None).await.unwrap();
    assert_eq!(explained(auth.reset(with_link(1, &stale)).await).reason, "PROOF_REFUSED", "made before, dead now");
    let fresh = auth.link(1).await;
    for proof in [with_link(1, &fresh), with_code(1, &codes[0]), with_code(1, &codes[1])] {
        auth.reset(proof).await.unwrap();
        assert_suspended(auth.login("member.1", NEW_PASSWORD).await);
    }
    assert_eq!(
        explained(auth.reset(with_browser(1, &home.browser)).await).reason,
        "PROOF_MISSING",
        "forgotten by then"
    );
    assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 0);
    assert!(auth.told::<AccountReopened>().await.is_empty());
}

#[tokio::test]
async fn a_sign_in_that_races_a_suspension_leaves_no_session() {
    let auth = Auth::start().await;
    auth.member(1).await;
    for round in 0..20 {
        let sign_ins = join_all((0..3).map(|_| auth.login("member.1", PASSWORD)));
        let (_, suspended) = join(sign_ins, auth.suspend("member.1", None)).await;
        suspended.unwrap();
        assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 0, "round {round}");
        auth.restore("member.1").await.unwrap();
    }
    let told = (auth.told::<AccountClosed>().await.len(), auth.told::<AccountReopened>().await.len());
    assert_eq!(told, (20, 20));
}

#[tokio::test]
async fn of_many_who_decide_at_once_one_does() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let decided = join_all((0..4).map(|_| auth.suspend("member.1", None))).await;
    assert_eq!(decided.iter().filter(|decided| decided.is_ok()).count(), 1);
    assert!(decided.iter().flat_map(Result::as_ref).all(|decided| decided.ended == 1));
    let restored = join_all((0..4).map(|_| auth.restore("member.1"))).await;
    assert_eq!(restored.iter().filter(|decided| decided.is_ok()).count(), 1);
    assert!(matches!(auth.restore("member.1").await, Err(Error::AlreadyDecided)), "it is not suspended");
    assert_eq!(auth.deeds(100).await.len(), 2);
    assert_eq!(auth.told::<AccountClosed>().await.len(), 1);
}

#[tokio::test]
async fn restored_the_account_is_as_it_was() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.suspend("member.1", None).await.unwrap();
    auth.restore("member.1").await.unwrap();
    assert_eq!(auth.told::<AccountReopened>().await, [member(1).to_string()]);
    assert!(!home.is_open().await, "its owner signs in anew");
    let back = auth.login_at("member.1", PASSWORD, &home.browser).await.unwrap();
    assert!(!back.reopened, "it was never closed");
    assert!(auth.resolve(&back.session.unwrap().token).await.is_ok());
}

#[tokio::test]
async fn an_account_its_owner_closed_stays_closed_and_its_days_count() {
    let auth = Auth::start().await;
    for n in 1..=2 {
        auth.member(n).await.close(&format!("member.{n}"), None).await.unwrap();
    }
    auth.harness.clock.advance(TimeDelta::days(7));
    for n in 1..=2 {
        assert!(auth.suspend(&format!("member.{n}"), None).await.unwrap().is_closed);
    }
    assert_eq!(auth.told::<AccountClosed>().await.len(), 2, "they were told when they were closed");
    assert_suspended(auth.login("member.1", PASSWORD).await);
    assert!(auth.told::<AccountReopened>().await.is_empty(), "to come back does not undo it");
    // One is restored: closed as before, and its owner may come back.
    assert!(auth.restore("member.1").await.unwrap().is_closed);
    assert!(auth.told::<AccountReopened>().await.is_empty());
    assert_eq!(snapshot::<AccountClosed>(&auth).await, [member(1).to_string(), member(2).to_string()]);
    assert!(auth.login("member.1", PASSWORD).await.unwrap().reopened);

    auth.harness.clock.advance(TimeDelta::days(7));
    let frame = &auth.harness.context;
    let erased = ::auth::closing::erase_due(auth.pool(), &Outbox::new("auth"), &frame.ids, &frame.clock).await.unwrap();
    assert_eq!((erased, auth.told::<AccountErased>().await), (1, vec![member(2).to_string()]));
    assert!(matches!(auth.restore("member.2").await, Err(Error::AccountNotFound)), "gone for good");
}

#[tokio::test]
async fn a_suspended_account_is_not_erased_and_newcomers_are_told_of_it() {
    let auth = Auth::start().await;
    for n in 1..=2 {
        auth.member(n).await;
    }
    auth.suspend("member.1", None).await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(400));
    let frame = &auth.harness.context;
    let erased = ::auth::closing::erase_due(auth.pool(), &Outbox::new("auth"), &frame.ids, &frame.clock).await.unwrap();
    assert_eq!(erased, 0);
    assert_eq!(snapshot::<AccountClosed>(&auth).await, [member(1).to_string()]);
    auth.restore("member.1").await.unwrap();
    assert!(snapshot::<AccountClosed>(&auth).await.is_empty());
}

#[tokio::test]
async fn nobodys_name_is_decided_about() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let before = auth.state().await;
    for name in ["nobody.here", "", "\0", "member.1' or 1=1", "ab", "member.1%"] {
        assert!(matches!(auth.suspend(name, None).await, Err(Error::AccountNotFound)), "{name:?}");
        assert!(matches!(auth.restore(name).await, Err(Error::AccountNotFound)), "{name:?}");
    }
    assert_eq!((auth.state().await, auth.deeds(100).await), (before, vec![]));
}

#[tokio::test]
async fn what_operators_did_is_read_back_and_decisions_are_noted_once() {
    let auth = Auth::start().await;
    auth.member(1).await;
    auth.link(1).await;
    let clock = &auth.harness.clock;
    clock.advance(TimeDelta::seconds(1));
    auth.suspend("member.1", Some("Sells essays.\nTwice.")).await.unwrap();
    clock.advance(TimeDelta::seconds(1));
    let mut conn = auth.pool().acquire().await.unwrap();
    let report = uuid::Uuid::from_u128(7);
    let decision = Decision { report, removed: true, member: Some(member(1)), about: "post 5", note: None };
    for _ in 0..2 {
        admin::note_decision(&mut conn, &decision, &auth.harness.context.clock).await.unwrap();
    }
    clock.advance(TimeDelta::seconds(1));
    let nobodys =
        Decision { report: uuid::Uuid::from_u128(8), removed: false, member: None, about: "job 6", note: None };
    admin::note_decision(&mut conn, &nobodys, &auth.harness.context.clock).await.unwrap();

    let deeds = auth.deeds(100).await;
    let told: Vec<_> = deeds
        .iter()
        .map(|done| (done.event.as_str(), done.username.as_deref(), done.about.as_deref(), done.note.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("reset link made", Some("Member.1"), None, None),
            ("suspended", Some("Member.1"), None, Some("Sells essays.\nTwice.")),
            ("removed", Some("Member.1"), Some("post 5"), None),
            ("report dismissed", None, Some("job 6"), None),
        ],
        "and none of what happened at doors"
    );
    assert_eq!(auth.deeds(2).await, deeds[2..]);
    // What its owner takes home says what was done, and not in whose words.
    auth.restore("member.1").await.unwrap();
    let mine = serde_json::to_string(&auth.come_back(1, "").await.exported().await).unwrap();
    assert!(mine.contains("\"suspended\"") && mine.contains("post 5") && !mine.contains("essays"), "{mine}");
}

#[tokio::test]
async fn of_an_account_that_is_gone_the_notes_go_too() {
    let auth = Auth::start().await;
    auth.member(1).await.close("member.1", None).await.unwrap();
    auth.suspend("member.1", Some("Member.1 sells essays.")).await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(14));
    let frame = &auth.harness.context;
    ::auth::closing::erase_due(auth.pool(), &Outbox::new("auth"), &frame.ids, &frame.clock).await.unwrap();
    let deeds = auth.deeds(100).await;
    assert_eq!(deeds.len(), 1);
    assert_eq!((deeds[0].member_id, &deeds[0].username, &deeds[0].note), (Some(member(1)), &None, &None));
    assert_eq!(auth.harness.database().tables_naming(member(1)).await, ["audit"]);
}

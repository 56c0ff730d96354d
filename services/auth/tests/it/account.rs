//! A member's own account: password change, session list and the end of sessions.

use chrono::TimeDelta;
use portia_proto::auth::SessionEnded;
use primitives::error::ErrorKind;
use testkit::member;

use crate::{Auth, NEW_PASSWORD, PASSWORD, details, registration};

#[tokio::test]
async fn a_password_change_ends_other_sessions_and_trust() {
    let auth = Auth::start().await;
    let (here, there) = (auth.member(1).await, auth.sign_in(1, "").await);
    let answer = here.change(PASSWORD, NEW_PASSWORD).await.unwrap();
    assert_eq!(answer.ended_session_ids, [there.session.to_string()]);
    assert!(!here.is_open().await, "the previous token is void");
    let renewed = auth.resolve(&answer.session.unwrap().token).await.unwrap();
    assert_eq!(renewed.session_id, here.session.to_string(), "the caller's session stays open");
    assert!(answer.was_trusted);
    assert!(!there.is_open().await);
    assert_eq!(auth.facts::<SessionEnded>().await, [member(1).to_string()]);
    assert!(!auth.is_trusted("member.1", &here.browser).await, "its token may be a copy");
    assert!(!auth.is_trusted("member.1", &there.browser).await);
    assert!(auth.login("member.1", PASSWORD).await.is_err());
    assert!(auth.login("member.1", NEW_PASSWORD).await.is_ok());
    assert!(auth.audit().await.contains(&"password changed".to_owned()));
}

#[tokio::test]
async fn a_wrong_current_password_changes_nothing_and_is_audited() {
    let auth = Auth::start().await;
    let here = auth.member(1).await;
    let before = auth.state().await;
    let error = details(here.change("wrong password", NEW_PASSWORD).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "PASSWORD_WRONG"));
    assert_eq!(error.violations[0].field, "currentPassword");
    assert_eq!(auth.state().await, before);
    auth.harness.stop().await;
    assert_eq!(auth.audit_of(here.member).await, ["password refused", "registered"]);
}

#[tokio::test]
async fn an_invalid_password_change_reports_its_fields() {
    let auth = Auth::start().await;
    let here = auth.member(1).await;
    let before = auth.state().await;
    let long = "x".repeat(1 << 20);
    for bad in ["", "12345", "\0password", "pass\u{202e}word", &long] {
        for (current, new, field) in [(bad, NEW_PASSWORD, "currentPassword"), (PASSWORD, bad, "newPassword")] {
            let error = details(here.change(current, new).await);
            assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, field));
        }
    }
    let error = details(here.change(PASSWORD, "MEMBER.1").await);
    assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "newPassword"));
    assert_eq!(auth.state().await, before);
}

#[tokio::test]
async fn of_two_concurrent_password_changes_one_succeeds() {
    let auth = Auth::start().await;
    let (here, there) = (auth.member(1).await, auth.sign_in(1, "").await);
    let (one, other) =
        futures::join!(here.change(PASSWORD, "the first of two"), there.change(PASSWORD, "the second of two"));
    assert_ne!(one.is_ok(), other.is_ok());
    let (password, lost) = if one.is_ok() { ("the first of two", other) } else { ("the second of two", one) };
    assert_eq!(details(lost).reason, "SESSION_ENDED");
    assert!(auth.login("member.1", password).await.is_ok());
}

#[tokio::test]
async fn sessions_are_listed_by_last_use() {
    let auth = Auth::start().await;
    let first = auth.member(1).await;
    let clock = &auth.harness.clock;
    clock.advance(TimeDelta::minutes(5));
    let second = auth.sign_in(1, "").await;
    auth.member(2).await;
    let listed = second.sessions().await.unwrap();
    let ids: Vec<&str> = listed.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, [second.session.to_string(), first.session.to_string()]);
    assert_eq!(listed.iter().map(|session| session.is_current).collect::<Vec<_>>(), [true, false]);
    let browser = listed[0].browser.clone().unwrap();
    assert_eq!((browser.user_agent.as_str(), browser.address.as_str()), ("Mozilla/5.0 (X11)", "192.0.2.7"));
    assert_eq!(listed[0].created_at.unwrap().seconds, clock.now().timestamp());

    clock.advance(TimeDelta::minutes(5));
    assert!(first.is_open().await, "the session is used");
    let listed = first.sessions().await.unwrap();
    assert_eq!(listed[0].id, first.session.to_string());
    assert_eq!(listed[0].last_seen_at.unwrap().seconds, clock.now().timestamp());
    clock.advance(TimeDelta::days(14) - TimeDelta::minutes(5));
    assert_eq!(first.sessions().await.unwrap().len(), 1, "the other session has expired");
}

#[tokio::test]
async fn a_member_ends_one_session_or_all() {
    let auth = Auth::start().await;
    let (here, there, elsewhere) = (auth.member(1).await, auth.sign_in(1, "").await, auth.sign_in(1, "").await);
    let stranger = auth.member(2).await;
    let ended = here.end(Some(there.session.to_string())).await.unwrap();
    assert_eq!(ended.ended_session_ids, [there.session.to_string()]);
    assert!(!there.is_open().await);
    assert!(here.is_open().await && elsewhere.is_open().await);

    for wrong in [there.session, stranger.session, member(7)] {
        let error = details(here.end(Some(wrong.to_string())).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::NotFound, "SESSION_NOT_FOUND"), "{wrong}");
    }
    for garbage in ["", "\0", "1", "' or 1=1"] {
        let error = details(here.end(Some(garbage.into())).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "sessionId"), "{garbage:?}");
    }
    assert!(stranger.is_open().await);

    let ended = here.end(None).await.unwrap();
    assert_eq!(ended.ended_session_ids.len(), 2);
    assert!(!here.is_open().await && !elsewhere.is_open().await && stranger.is_open().await);
    assert_eq!(auth.facts::<SessionEnded>().await, vec![member(1).to_string(); 3]);
    let events = auth.audit().await;
    assert!(events.contains(&"session ended".to_owned()) && events.contains(&"signed out everywhere".to_owned()));
}

#[tokio::test]
async fn the_hundred_and_first_session_ends_the_least_recently_used() {
    let auth = Auth::start().await;
    let idlest = auth.member(1).await;
    auth.harness
        .database()
        .run(
            "insert into auth.sessions (id, token_hash, member_id, created_at, last_seen_at, ends_at)
            select gen_random_uuid(), sha256(n::text::bytea), member_id, created_at,
                last_seen_at + interval '1 second', ends_at
            from auth.sessions, generate_series(1, 99) n",
        )
        .await;
    assert!(idlest.is_open().await, "the hundredth");
    let newest = auth.sign_in(1, "").await;
    assert!(newest.is_open().await, "the new session stays, although its last use is the oldest");
    assert!(!idlest.is_open().await);
    assert_eq!(newest.sessions().await.unwrap().len(), 100);
    assert_eq!(auth.facts::<SessionEnded>().await, [member(1).to_string()]);
    assert!(auth.audit().await.contains(&"session displaced".to_owned()));
}

#[tokio::test]
async fn concurrent_sign_ins_open_at_most_a_hundred_sessions() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    auth.harness
        .database()
        .run(
            "insert into auth.sessions (id, token_hash, member_id, created_at, last_seen_at, ends_at)
            select gen_random_uuid(), sha256(n::text::bytea), member_id, created_at, last_seen_at, ends_at
            from auth.sessions, generate_series(1, 98) n",
        )
        .await;
    let answers = futures::future::join_all((0..6).map(|_| auth.login("member.1", PASSWORD))).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 100);
}

//! Attempts to take over an account by a password reset or an ended session.

use std::{future::Future, num::NonZeroUsize, task::Poll};

use auth::{
    credentials::{
        hashing::{Cost, PasswordHashing},
        password::Password,
    },
    error::HashError,
};
use chrono::TimeDelta;
use futures::future::{join, join_all};
use portia_proto::auth::{ResetPasswordRequest, auth_service_server::AuthService as _};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;
use tonic::Code;

use crate::{
    Auth, NEW_PASSWORD, PASSWORD, details, gateway_request, registration, reset_of, with_browser, with_code, with_link,
};

/// Asserts that the reset fails with this reason and changes nothing but the audit.
async fn assert_refused(auth: &Auth, request: ResetPasswordRequest, reason: &str) -> StatusDetails {
    let before = auth.state().await;
    let error = details(auth.reset(request).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, reason));
    assert_eq!(auth.state().await, before);
    error
}

#[tokio::test]
async fn a_username_alone_is_no_proof() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let error = assert_refused(&auth, reset_of(1), "PROOF_MISSING").await;
    assert_eq!(error.message, "This browser is not known to this account. Enter one of its recovery codes.");
    auth.harness.stop().await;
    assert!(auth.audit().await.contains(&"reset refused".to_owned()));
}

#[tokio::test]
async fn the_trusted_cookie_of_another_account_is_refused() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let thief = auth.member(2).await;
    assert_refused(&auth, with_browser(1, &thief.browser), "PROOF_MISSING").await;
    assert_refused(&auth, with_browser(1, &thief.token), "PROOF_MISSING").await;
}

#[tokio::test]
async fn a_reset_on_one_browser_ends_the_trust_in_the_others() {
    let auth = Auth::start().await;
    let (home, stolen) = (auth.member(1).await, auth.sign_in(1, "").await);
    auth.reset(with_browser(1, &home.browser)).await.unwrap();
    assert_refused(&auth, with_browser(1, &stolen.browser), "PROOF_MISSING").await;
}

#[tokio::test]
async fn a_used_or_replaced_or_foreign_recovery_code_is_refused() {
    let auth = Auth::start().await;
    let (home, other) = (auth.member(1).await, auth.member(2).await);
    let replaced = home.renew_codes().await.unwrap();
    let codes = home.renew_codes().await.unwrap();
    let others = other.renew_codes().await.unwrap();
    auth.reset(with_code(1, &codes[0])).await.unwrap();
    for wrong in [&codes[0], &replaced[0], &others[0]] {
        let error = assert_refused(&auth, with_code(1, wrong), "PROOF_REFUSED").await;
        assert_eq!(error.message, "This recovery code or link is not valid.");
    }
    assert!(auth.reset(with_code(2, &others[0])).await.is_ok(), "the failed attempts did not consume it");
}

#[tokio::test]
async fn a_malformed_code_or_link_is_refused_without_an_internal_error() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.renew_codes().await.unwrap();
    let long = "0".repeat(1 << 20);
    for garbage in ["0000-0000-0000-0000", "\0", "0000\0-0000-0000-0000", "' or 1=1 --", "\u{202e}x", "🔑", &long] {
        assert_refused(&auth, with_code(1, garbage), "PROOF_REFUSED").await;
        assert_refused(&auth, with_link(1, garbage), "PROOF_REFUSED").await;
        assert_refused(&auth, with_browser(1, garbage), "PROOF_MISSING").await;
    }
    // A valid second proof does not replace an invalid first one.
    let both = ResetPasswordRequest { link_token: Some("x".into()), ..with_browser(1, &home.browser) };
    assert_refused(&auth, both, "PROOF_REFUSED").await;
}

#[tokio::test]
async fn a_link_expires_after_thirty_minutes() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let link = auth.link(1).await;
    auth.harness.clock.advance(TimeDelta::minutes(30));
    assert_refused(&auth, with_link(1, &link), "PROOF_REFUSED").await;
    assert_eq!(::auth::recovery::links::delete_expired(auth.pool(), auth.harness.clock.now()).await.unwrap(), 1);

    let link = auth.link(1).await;
    auth.harness.clock.advance(TimeDelta::minutes(30) - TimeDelta::seconds(1));
    assert!(auth.reset(with_link(1, &link)).await.is_ok());
}

#[tokio::test]
async fn a_used_or_replaced_or_foreign_link_is_refused() {
    let auth = Auth::start().await;
    auth.member(1).await;
    auth.member(2).await;
    let (replaced, link, others) = (auth.link(1).await, auth.link(1).await, auth.link(2).await);
    assert_refused(&auth, with_link(1, &replaced), "PROOF_REFUSED").await;
    assert_refused(&auth, with_link(1, &others), "PROOF_REFUSED").await;
    auth.reset(with_link(1, &link)).await.unwrap();
    assert_refused(&auth, with_link(1, &link), "PROOF_REFUSED").await;
    assert!(auth.reset(with_link(2, &others)).await.is_ok(), "the failed attempts did not consume it");
}

#[tokio::test]
async fn of_two_concurrent_resets_with_one_proof_one_succeeds() {
    let auth = Auth::start().await;
    let mut home = auth.member(1).await;
    for round in 0..50 {
        let (one, other) = if round % 2 == 0 {
            let codes = home.renew_codes().await.unwrap();
            (with_code(1, &codes[0]), with_code(1, &codes[0]))
        } else {
            let link = auth.link(1).await;
            (with_link(1, &link), with_link(1, &link))
        };
        let passwords = [format!("one {round} of two"), format!("other {round} of two")];
        let one = ResetPasswordRequest { password: passwords[0].clone(), ..one };
        let other = ResetPasswordRequest { password: passwords[1].clone(), ..other };
        let (one, other) = join(auth.reset(one), auth.reset(other)).await;
        assert_ne!(one.is_ok(), other.is_ok(), "round {round}");
        let (won, lost) = if one.is_ok() { (&passwords[0], other) } else { (&passwords[1], one) };
        assert_eq!(details(lost).reason, "PROOF_REFUSED");
        // Restore the original password for the next round.
        auth.login("member.1", won).await.unwrap();
        let link = auth.link(1).await;
        let back = ResetPasswordRequest { password: PASSWORD.into(), ..with_link(1, &link) };
        auth.reset(back).await.unwrap();
        home = auth.sign_in(1, "").await;
    }
}

#[tokio::test]
async fn a_sign_in_concurrent_with_a_reset_leaves_no_session_and_no_trust() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let mut old = PASSWORD.to_owned();
    for round in 0..20 {
        let (link, new) = (auth.link(1).await, format!("new password {round}"));
        let reset = ResetPasswordRequest { password: new.clone(), ..with_link(1, &link) };
        let sign_ins = join_all((0..3).map(|_| auth.login("member.1", &old)));
        let (_, reset) = join(sign_ins, auth.reset(reset)).await;
        reset.unwrap();
        assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 0, "round {round}");
        assert_eq!(auth.value::<i64>("select count(*) from auth.trusted_browsers").await, 0, "round {round}");
        old = new;
    }
}

/// Fills the queue of a pool. The returned futures are not polled, so it stays full.
async fn fill(hashing: &PasswordHashing) -> Vec<impl Future<Output = Result<String, HashError>>> {
    let next = || Box::pin(hashing.hash(Password::parse(PASSWORD.to_owned()).unwrap()));
    let mut first = next();
    assert!(futures::poll!(&mut first).is_pending(), "the hash is running");
    let mut waiting = Vec::new();
    for first in [Some(first), None] {
        loop {
            let mut one = next();
            match futures::poll!(&mut one) {
                Poll::Pending => waiting.push(one),
                Poll::Ready(answer) => break assert!(matches!(answer, Err(HashError::Busy))),
            }
        }
        // The freed place goes to a call of the second round.
        if let Some(first) = first {
            first.await.unwrap();
        }
    }
    waiting
}

#[tokio::test]
async fn a_wrong_proof_costs_no_hash_and_a_full_queue_consumes_no_proof() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let code = home.renew_codes().await.unwrap().remove(0);
    let link = auth.link(1).await;
    let hashing = PasswordHashing::new(Cost::STANDARD, NonZeroUsize::MIN).unwrap();
    let service = auth.service(&hashing);
    for guess in [reset_of(1), with_code(1, "0000-0000-0000-0000"), with_link(1, "x"), with_browser(1, &home.token)] {
        service.reset_password(gateway_request(guess)).await.unwrap_err();
    }
    assert_eq!(hashing.hash_count(), 0);

    let _full = fill(&hashing).await;
    let before = auth.state().await;
    for good in [with_code(1, &code), with_link(1, &link), with_browser(1, &home.browser)] {
        let busy = details(service.reset_password(gateway_request(good)).await);
        assert_eq!((busy.kind, busy.reason.as_str()), (ErrorKind::Limited, "HASHING_BUSY"));
    }
    assert_eq!(auth.state().await, before);
    assert!(auth.reset(with_code(1, &code)).await.is_ok());
}

#[tokio::test]
async fn a_member_token_of_an_ended_session_is_refused() {
    let auth = Auth::start().await;
    let (home, revoked) = (auth.member(1).await, auth.sign_in(1, "").await);
    home.renew_codes().await.unwrap();
    home.end(Some(revoked.session.to_string())).await.unwrap();
    let before = auth.state().await;
    let error = [
        details(revoked.change(PASSWORD, NEW_PASSWORD).await),
        details(revoked.renew_codes().await),
        details(revoked.prove(Some(PASSWORD), None).await),
        details(revoked.has_proved().await),
        details(revoked.close("member.1").await),
        details(revoked.sessions().await),
        details(revoked.end(None).await),
        details(revoked.end(Some(home.session.to_string())).await),
        details(revoked.code_status().await),
        details(revoked.export().await),
    ];
    for error in error {
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Unauthenticated, "SESSION_ENDED"));
    }
    assert_eq!(auth.state().await, before);
}

#[tokio::test]
async fn a_session_that_ends_during_its_request_changes_nothing() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    for what in ["change", "renew", "close"] {
        let doomed = auth.sign_in(1, "").await;
        let mut revoking = db::begin(auth.pool()).await.unwrap();
        let end = format!("delete from auth.sessions where id = '{}'", doomed.session);
        sqlx::raw_sql(sqlx::AssertSqlSafe(end)).execute(&mut *revoking).await.unwrap();
        let request = async {
            match what {
                "change" => doomed.change(PASSWORD, NEW_PASSWORD).await.map(drop),
                "renew" => doomed.renew_codes().await.map(drop),
                _ => doomed.close("member.1").await.map(drop),
            }
        };
        // The call has read the session and now waits for the lock of the transaction that ends it.
        let waits =
            "select count(*) from pg_locks where not granted and database is null and locktype = 'transactionid'
            and pid in (select pid from pg_stat_activity where datname = current_database())";
        let revoke = async {
            while auth.value::<i64>(waits).await == 0 {
                testkit::pause().await;
            }
            revoking.commit().await.unwrap();
        };
        let (answer, ()) = join(request, revoke).await;
        assert_eq!(details(answer).reason, "SESSION_ENDED", "{what}");
    }
    assert!(auth.login("member.1", PASSWORD).await.is_ok());
    assert!(home.is_open().await);
    assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes").await, 0);
}

#[tokio::test]
async fn a_member_cannot_call_reset_and_a_service_has_no_account() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.register(registration(2)).await.unwrap();
    let mut client = auth.client();
    let code = client.reset_password(home.request(with_browser(1, &home.browser))).await.unwrap_err().code();
    assert_eq!(code, Code::PermissionDenied);
    let code = client.check_username(home.request(Default::default())).await.unwrap_err().code();
    assert_eq!(code, Code::PermissionDenied);
    let codes = [
        client.change_password(auth.request(Default::default())).await.unwrap_err().code(),
        client.list_sessions(auth.request(Default::default())).await.unwrap_err().code(),
        client.end_sessions(auth.request(Default::default())).await.unwrap_err().code(),
        client.get_recovery_codes(auth.request(Default::default())).await.unwrap_err().code(),
        client.renew_recovery_codes(auth.request(Default::default())).await.unwrap_err().code(),
        client.close_account(auth.request(Default::default())).await.unwrap_err().code(),
        client.export_member(auth.request(Default::default())).await.unwrap_err().code(),
    ];
    assert!(codes.iter().all(|code| *code == Code::Unauthenticated), "{codes:?}");
    assert!(home.is_open().await);
    assert_eq!(home.member, member(1));
}

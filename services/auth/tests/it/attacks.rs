//! Ways to take over somebody's account by its forgotten password, or by a session that is over: none of them works.

use std::{future::Future, num::NonZeroUsize, task::Poll};

use auth::{
    hashing::{self, Cost, Hashing},
    password::Password,
};
use chrono::TimeDelta;
use futures::future::{join, join_all};
use portia_proto::auth::{ResetPasswordRequest, auth_service_server::AuthService as _};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;
use tonic::Code;

use crate::{
    Auth, NEW_PASSWORD, PASSWORD, explained, of_gateway, registration, reset_of, with_browser, with_code, with_link,
};

/// The reset is refused with this reason, and nothing but the audit knows that it was tried.
async fn assert_refused(auth: &Auth, request: ResetPasswordRequest, reason: &str) -> StatusDetails {
    let before = auth.state().await;
    let refused = explained(auth.reset(request).await);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, reason));
    assert_eq!(auth.state().await, before);
    refused
}

#[tokio::test]
async fn a_name_alone_is_no_proof() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let refused = assert_refused(&auth, reset_of(1), "PROOF_MISSING").await;
    assert_eq!(refused.message, "This browser is not known to this account. Enter one of its recovery codes.");
    auth.harness.stop().await;
    assert!(auth.audit().await.contains(&"reset refused".to_owned()));
}

#[tokio::test]
async fn another_accounts_trusted_cookie_opens_nothing() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let thief = auth.member(2).await;
    assert_refused(&auth, with_browser(1, &thief.browser), "PROOF_MISSING").await;
    // Nor does a session's cookie, of whoever.
    assert_refused(&auth, with_browser(1, &thief.token), "PROOF_MISSING").await;
}

#[tokio::test]
async fn a_browser_trusted_before_a_reset_elsewhere_is_not_any_more() {
    let auth = Auth::start().await;
    let (home, stolen) = (auth.member(1).await, auth.come_back(1, "").await);
    auth.reset(with_browser(1, &home.browser)).await.unwrap();
    assert_refused(&auth, with_browser(1, &stolen.browser), "PROOF_MISSING").await;
}

#[tokio::test]
async fn a_used_code_a_replaced_one_and_another_members_are_refused() {
    let auth = Auth::start().await;
    let (home, other) = (auth.member(1).await, auth.member(2).await);
    let replaced = home.renew_codes(None).await.unwrap();
    let codes = home.renew_codes(None).await.unwrap();
    let others = other.renew_codes(None).await.unwrap();
    auth.reset(with_code(1, &codes[0])).await.unwrap();
    for wrong in [&codes[0], &replaced[0], &others[0]] {
        let refused = assert_refused(&auth, with_code(1, wrong), "PROOF_REFUSED").await;
        assert_eq!(refused.message, "This recovery code or link is not valid.");
    }
    assert!(auth.reset(with_code(2, &others[0])).await.is_ok(), "being tried elsewhere did not use it up");
}

#[tokio::test]
async fn what_is_no_code_and_no_link_is_refused_and_never_an_error_of_ours() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    home.renew_codes(None).await.unwrap();
    let long = "0".repeat(1 << 20);
    for garbage in ["0000-0000-0000-0000", "\0", "0000\0-0000-0000-0000", "' or 1=1 --", "\u{202e}x", "🔑", &long] {
        assert_refused(&auth, with_code(1, garbage), "PROOF_REFUSED").await;
        assert_refused(&auth, with_link(1, garbage), "PROOF_REFUSED").await;
        assert_refused(&auth, with_browser(1, garbage), "PROOF_MISSING").await;
    }
    // A wrong proof is not made good by another one that comes with it.
    let both = ResetPasswordRequest { link_token: Some("x".into()), ..with_browser(1, &home.browser) };
    assert_refused(&auth, both, "PROOF_REFUSED").await;
}

#[tokio::test]
async fn a_link_is_dead_after_thirty_minutes() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let link = auth.link(1).await;
    auth.harness.clock.advance(TimeDelta::minutes(30));
    assert_refused(&auth, with_link(1, &link), "PROOF_REFUSED").await;
    assert_eq!(::auth::links::sweep(auth.pool(), auth.harness.clock.now()).await.unwrap(), 1);

    let link = auth.link(1).await;
    auth.harness.clock.advance(TimeDelta::minutes(30) - TimeDelta::seconds(1));
    assert!(auth.reset(with_link(1, &link)).await.is_ok());
}

#[tokio::test]
async fn a_link_used_before_replaced_or_of_another_account_is_refused() {
    let auth = Auth::start().await;
    auth.member(1).await;
    auth.member(2).await;
    let (replaced, link, others) = (auth.link(1).await, auth.link(1).await, auth.link(2).await);
    assert_refused(&auth, with_link(1, &replaced), "PROOF_REFUSED").await;
    assert_refused(&auth, with_link(1, &others), "PROOF_REFUSED").await;
    auth.reset(with_link(1, &link)).await.unwrap();
    assert_refused(&auth, with_link(1, &link), "PROOF_REFUSED").await;
    assert!(auth.reset(with_link(2, &others)).await.is_ok(), "being tried elsewhere did not use it up");
}

#[tokio::test]
async fn of_two_resets_with_one_code_or_link_one_wins() {
    let auth = Auth::start().await;
    let mut home = auth.member(1).await;
    for round in 0..50 {
        let (one, other) = if round % 2 == 0 {
            let codes = home.renew_codes(None).await.unwrap();
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
        assert_eq!(explained(lost).reason, "PROOF_REFUSED");
        // The winner's password is the one; the old one comes back for the next round.
        auth.login("member.1", won).await.unwrap();
        let link = auth.link(1).await;
        let back = ResetPasswordRequest { password: PASSWORD.into(), ..with_link(1, &link) };
        auth.reset(back).await.unwrap();
        home = auth.come_back(1, "").await;
    }
}

#[tokio::test]
async fn a_sign_in_that_races_a_reset_leaves_no_session_and_no_trust() {
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

/// Takes every place of a pool. Nobody drives those who wait on, so it stays full.
async fn fill(hashing: &Hashing) -> Vec<impl Future<Output = Result<String, hashing::Error>>> {
    let next = || Box::pin(hashing.hash(Password::parse(PASSWORD.to_owned()).unwrap()));
    let mut first = next();
    assert!(futures::poll!(&mut first).is_pending(), "it is under way");
    let mut waiting = Vec::new();
    for first in [Some(first), None] {
        loop {
            let mut one = next();
            match futures::poll!(&mut one) {
                Poll::Pending => waiting.push(one),
                Poll::Ready(answer) => break assert!(matches!(answer, Err(hashing::Error::Busy))),
            }
        }
        // Its thread goes to the next in the queue, its place to whoever comes: the second time round.
        if let Some(first) = first {
            first.await.unwrap();
        }
    }
    waiting
}

#[tokio::test]
async fn a_guess_costs_no_hash_and_a_busy_pool_uses_nothing_up() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let code = home.renew_codes(None).await.unwrap().remove(0);
    let link = auth.link(1).await;
    let hashing = Hashing::new(Cost::STANDARD, NonZeroUsize::MIN).unwrap();
    let rpc = auth.rpc(&hashing);
    for guess in [reset_of(1), with_code(1, "0000-0000-0000-0000"), with_link(1, "x"), with_browser(1, &home.token)] {
        rpc.reset_password(of_gateway(guess)).await.unwrap_err();
    }
    assert_eq!(hashing.hashed(), 0);

    let _full = fill(&hashing).await;
    let before = auth.state().await;
    for good in [with_code(1, &code), with_link(1, &link), with_browser(1, &home.browser)] {
        let busy = explained(rpc.reset_password(of_gateway(good)).await);
        assert_eq!((busy.kind, busy.reason.as_str()), (ErrorKind::Limited, "HASHING_BUSY"));
    }
    assert_eq!(auth.state().await, before);
    assert!(auth.reset(with_code(1, &code)).await.is_ok());
}

#[tokio::test]
async fn a_token_whose_session_is_over_does_nothing() {
    let auth = Auth::start().await;
    let (home, revoked) = (auth.member(1).await, auth.come_back(1, "").await);
    home.renew_codes(None).await.unwrap();
    home.end(Some(revoked.session.to_string())).await.unwrap();
    let before = auth.state().await;
    let refused = [
        explained(revoked.change(PASSWORD, NEW_PASSWORD).await),
        explained(revoked.renew_codes(None).await),
        explained(revoked.renew_codes(Some(PASSWORD)).await),
        explained(revoked.close("member.1", Some(PASSWORD)).await),
        explained(revoked.sessions().await),
        explained(revoked.end(None).await),
        explained(revoked.end(Some(home.session.to_string())).await),
        explained(revoked.codes_left().await),
        explained(revoked.export().await),
    ];
    for refused in refused {
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Unauthenticated, "SESSION_ENDED"));
    }
    assert_eq!(auth.state().await, before);
}

#[tokio::test]
async fn a_session_that_ends_while_its_request_is_under_way_changes_nothing() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    for what in ["change", "renew", "close"] {
        let doomed = auth.come_back(1, "").await;
        let mut revoking = db::begin(auth.pool()).await.unwrap();
        let end = format!("delete from auth.sessions where id = '{}'", doomed.session);
        sqlx::raw_sql(sqlx::AssertSqlSafe(end)).execute(&mut *revoking).await.unwrap();
        let under_way = async {
            match what {
                "change" => doomed.change(PASSWORD, NEW_PASSWORD).await.map(drop),
                "renew" => doomed.renew_codes(None).await.map(drop),
                _ => doomed.close("member.1", None).await.map(drop),
            }
        };
        // It has read the session, which is still there for all to see, and now waits for who is ending it.
        let waits =
            "select count(*) from pg_locks where not granted and database is null and locktype = 'transactionid'
            and pid in (select pid from pg_stat_activity where datname = current_database())";
        let revoke = async {
            while auth.value::<i64>(waits).await == 0 {}
            revoking.commit().await.unwrap();
        };
        let (answer, ()) = join(under_way, revoke).await;
        assert_eq!(explained(answer).reason, "SESSION_ENDED", "{what}");
    }
    assert!(auth.login("member.1", PASSWORD).await.is_ok());
    assert!(home.is_open().await);
    assert_eq!(auth.value::<i64>("select count(*) from auth.recovery_codes").await, 0);
}

#[tokio::test]
async fn members_reset_nobody_and_services_have_no_account() {
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

//! Trusted browsers: rotation at every sign-in, expiry and maxima.

use chrono::TimeDelta;
use portia_proto::auth::{LoginRequest, LoginWithPasskeyRequest, PasskeyAssertion, PasskeyUse, RegisterRequest};
use primitives::error::ErrorKind;

use crate::{
    Auth, PASSWORD, authenticator::ORIGIN, browser, details, passkeys::with_passkey, registration, with_browser,
};

#[tokio::test]
async fn a_sign_in_makes_a_browser_trusted_and_logout_keeps_it() {
    let auth = Auth::start().await;
    let answer = auth.register(registration(1)).await.unwrap();
    let trust = answer.trusted_browser.unwrap();
    let sixty_days = auth.harness.clock.now() + TimeDelta::days(60);
    assert_eq!(trust.expires_at.unwrap().seconds, sixty_days.timestamp());
    assert!(auth.is_trusted("MEMBER.1", &trust.token).await);

    let other = auth.sign_in(1, "").await;
    assert_ne!(other.browser, trust.token);
    auth.logout(&other.token).await.unwrap();
    assert!(auth.is_trusted("member.1", &other.browser).await);
    assert!(auth.is_trusted("member.1", &trust.token).await, "a sign-in on another browser does not change it");
    for stranger in ["", "x", "\0", &"A".repeat(43), &other.token] {
        assert!(!auth.is_trusted("member.1", stranger).await, "{stranger:?}");
    }
}

#[tokio::test]
async fn only_hashes_are_stored() {
    let auth = Auth::start().await;
    let member = auth.member(1).await;
    let codes = member.renew_codes().await.unwrap();
    for row in auth.state().await {
        assert!(!row.contains(&member.browser), "{row}");
        for code in &codes {
            assert!(!row.contains(code.as_str()) && !row.contains(&code.replace('-', "")), "{row}");
        }
    }
}

#[tokio::test]
async fn the_next_sign_in_invalidates_a_planted_browser_cookie() {
    let auth = Auth::start().await;
    auth.member(1).await;
    // An attacker signs in to their own account and plants the cookie in member 1's browser.
    let planted = auth.member(2).await.browser;
    let victim = auth.sign_in(1, &planted).await;
    assert!(!auth.is_trusted("member.1", &planted).await);
    assert!(!auth.is_trusted("member.2", &planted).await, "no account trusts the planted token");
    assert!(auth.is_trusted("member.1", &victim.browser).await);
}

/// How another member begins to use a browser.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Login { shared: bool },
    Registration { shared: bool },
    Passkey { shared: bool },
}

const ENTRIES: [Entry; 6] = [
    Entry::Login { shared: false },
    Entry::Login { shared: true },
    Entry::Registration { shared: false },
    Entry::Registration { shared: true },
    Entry::Passkey { shared: false },
    Entry::Passkey { shared: true },
];

#[tokio::test]
async fn trust_in_a_browser_ends_when_another_account_signs_in_on_it() {
    for entry in ENTRIES {
        let auth = Auth::start().await;
        let (home, elsewhere) = (auth.member(1).await, auth.sign_in(1, "").await);
        auth.logout(&home.token).await.unwrap();
        let token = home.browser;
        let now = match entry {
            Entry::Login { shared } => {
                auth.member(2).await;
                let login = LoginRequest {
                    username: "member.2".into(),
                    password: PASSWORD.into(),
                    trusted_browser_token: token.clone(),
                    shared_computer: shared,
                    ..LoginRequest::default()
                };
                auth.client().login(auth.request(login)).await.unwrap().into_inner().trusted_browser
            }
            Entry::Registration { shared } => {
                let form = RegisterRequest {
                    trusted_browser_token: token.clone(),
                    shared_computer: shared,
                    ..registration(2)
                };
                auth.register(form).await.unwrap().trusted_browser
            }
            Entry::Passkey { shared } => {
                let (_, device, _) = with_passkey(&auth, 2).await;
                let started = auth.challenge(PasskeyUse::SignIn).await;
                let login = LoginWithPasskeyRequest {
                    passkey: Some(PasskeyAssertion {
                        ceremony: started.ceremony,
                        credential: device.assert(&started.options),
                        origin: ORIGIN.into(),
                    }),
                    trusted_browser_token: token.clone(),
                    shared_computer: shared,
                    browser: None,
                };
                auth.client().login_with_passkey(auth.request(login)).await.unwrap().into_inner().trusted_browser
            }
        };
        let now = now.map(|trusted| trusted.token);
        for cookie in now.iter().chain([&token]) {
            assert!(!auth.is_trusted("member.1", cookie).await, "{entry:?}");
            assert_eq!(details(auth.reset(with_browser(1, cookie)).await).reason, "PROOF_MISSING", "{entry:?}");
        }
        if let Some(cookie) = &now {
            assert!(auth.is_trusted("member.2", cookie).await, "{entry:?}");
        }
        assert!(auth.is_trusted("member.1", &elsewhere.browser).await, "{entry:?}: of another browser");
        assert_eq!(auth.login("member.1", PASSWORD).await.unwrap().member_id, testkit::member(1).to_string());
    }
}

#[tokio::test]
async fn a_refused_sign_in_of_another_account_ends_no_trust() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.member(2).await;
    auth.login_at("member.2", "wrong password", &home.browser).await.unwrap_err();
    let taken = RegisterRequest { trusted_browser_token: home.browser.clone(), ..registration(2) };
    let taken = RegisterRequest { member_id: testkit::member(3).to_string(), ..taken };
    assert_eq!(details(auth.register(taken).await).reason, "USERNAME_TAKEN");
    assert!(auth.is_trusted("member.1", &home.browser).await);
}

#[tokio::test]
async fn a_shared_computer_is_not_trusted() {
    let auth = Auth::start().await;
    auth.member(1).await;
    let home = auth.sign_in(1, "").await.browser;
    let login = LoginRequest {
        username: "member.1".into(),
        password: PASSWORD.into(),
        trusted_browser_token: home.clone(),
        shared_computer: true,
        ..LoginRequest::default()
    };
    let answer = auth.client().login(auth.request(login)).await.unwrap().into_inner();
    assert!(answer.trusted_browser.is_none() && answer.session.is_some());
    assert!(!auth.is_trusted("member.1", &home).await, "no longer");
    let shared = RegisterRequest { shared_computer: true, ..registration(2) };
    assert_eq!(auth.register(shared).await.unwrap().trusted_browser, None);
    assert_eq!(auth.value::<i64>("select count(*) from auth.trusted_browsers").await, 1, "that of the registration");
}

#[tokio::test]
async fn closing_the_account_ends_trust_in_every_other_browser() {
    let auth = Auth::start().await;
    let (home, work, left) = (auth.member(1).await, auth.sign_in(1, "").await, auth.sign_in(1, "").await);
    let bystander = auth.member(2).await;
    auth.logout(&left.token).await.unwrap();
    home.close("member.1").await.unwrap();
    for other in [&work, &left] {
        assert!(!auth.is_trusted("member.1", &other.browser).await);
        assert_eq!(details(auth.reset(with_browser(1, &other.browser)).await).reason, "PROOF_MISSING");
    }
    assert!(auth.is_trusted("member.1", &home.browser).await);
    assert!(auth.is_trusted("member.2", &bystander.browser).await);
    assert!(auth.login_at("member.1", PASSWORD, &work.browser).await.unwrap().reopened, "by the password");
}

#[tokio::test]
async fn trust_expires_sixty_days_after_the_last_sign_in() {
    let auth = Auth::start().await;
    let one = auth.member(1).await.browser;
    let two = auth.member(2).await.browser;
    let clock = &auth.harness.clock;
    clock.advance(TimeDelta::days(60) - TimeDelta::seconds(1));
    assert!(auth.is_trusted("member.1", &one).await);
    let two = auth.sign_in(2, &two).await.browser;
    clock.advance(TimeDelta::seconds(1));
    assert!(!auth.is_trusted("member.1", &one).await);
    assert!(auth.is_trusted("member.2", &two).await, "the sign-in extended the trust");
    assert_eq!(::auth::recovery::trusted_browsers::delete_expired(auth.pool(), clock.now()).await.unwrap(), 1);
    assert_eq!(auth.value::<i64>("select count(*) from auth.trusted_browsers").await, 1);
}

#[tokio::test]
async fn an_account_trusts_at_most_fifty_browsers() {
    let auth = Auth::start().await;
    let first = auth.member(1).await.browser;
    auth.harness.clock.advance(TimeDelta::days(1));
    auth.harness
        .database()
        .run(
            "insert into auth.trusted_browsers (browser_hash, member_id, trusted_at, session_id)
            select sha256(n::text::bytea), member_id, trusted_at + interval '1 hour', session_id
            from auth.trusted_browsers, generate_series(1, 49) n",
        )
        .await;
    assert!(auth.is_trusted("member.1", &first).await, "the fiftieth");
    let newest = auth.sign_in(1, "").await.browser;
    assert_eq!(auth.value::<i64>("select count(*) from auth.trusted_browsers").await, 50);
    assert!(!auth.is_trusted("member.1", &first).await, "its sign-in is the oldest");
    assert!(auth.is_trusted("member.1", &newest).await);
}

#[tokio::test]
async fn a_failed_sign_in_does_not_rotate_the_cookie() {
    let auth = Auth::start().await;
    let cookie = auth.member(1).await.browser;
    auth.login_at("member.1", "wrong password", &cookie).await.unwrap_err();
    assert!(auth.is_trusted("member.1", &cookie).await);
}

#[tokio::test]
async fn concurrent_sign_ins_on_one_browser_trust_one_account_each() {
    let auth = Auth::start().await;
    let mut cookie = auth.member(1).await.browser;
    auth.member(2).await;
    for round in 0..20 {
        let (one, two) = futures::join!(auth.sign_in(1, &cookie), auth.sign_in(2, &cookie));
        assert!(auth.is_trusted("member.1", &one.browser).await, "round {round}");
        assert!(auth.is_trusted("member.2", &two.browser).await, "round {round}");
        assert!(!auth.is_trusted("member.1", &two.browser).await, "round {round}");
        assert!(!auth.is_trusted("member.2", &one.browser).await, "round {round}");
        assert!(!auth.is_trusted("member.1", &cookie).await, "the old token is invalid");
        cookie = two.browser;
    }
}

#[tokio::test]
async fn a_session_ended_from_elsewhere_takes_its_trust_along() {
    let auth = Auth::start().await;
    let (home, stolen) = (auth.member(1).await, auth.sign_in(1, "").await);
    home.end(Some(stolen.session.to_string())).await.unwrap();
    assert!(!auth.is_trusted("member.1", &stolen.browser).await);
    assert!(auth.is_trusted("member.1", &home.browser).await);
}

#[tokio::test]
async fn signing_out_on_the_browser_itself_keeps_its_trust() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.sign_in(1, "").await);
    auth.logout(&home.token).await.unwrap();
    work.end(Some(work.session.to_string())).await.unwrap();
    assert!(auth.is_trusted("member.1", &home.browser).await && auth.is_trusted("member.1", &work.browser).await);
}

#[tokio::test]
async fn trust_belongs_to_the_last_sign_in_on_a_browser() {
    let auth = Auth::start().await;
    let first = auth.member(1).await;
    let again = auth.sign_in(1, &first.browser).await;
    again.end(Some(first.session.to_string())).await.unwrap();
    assert!(auth.is_trusted("member.1", &again.browser).await, "the session of an earlier sign-in");
    let other = auth.sign_in(1, "").await;
    other.end(Some(again.session.to_string())).await.unwrap();
    assert!(!auth.is_trusted("member.1", &again.browser).await);
}

#[tokio::test]
async fn signing_out_everywhere_ends_all_trust() {
    let auth = Auth::start().await;
    let (home, work, bystander) = (auth.member(1).await, auth.sign_in(1, "").await, auth.member(2).await);
    work.end(None).await.unwrap();
    assert!(!auth.is_trusted("member.1", &home.browser).await && !auth.is_trusted("member.1", &work.browser).await);
    assert!(auth.is_trusted("member.2", &bystander.browser).await);
}

#[tokio::test]
async fn a_suspension_ends_all_trust() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    auth.suspend("member.1", None).await.unwrap();
    auth.restore("member.1").await.unwrap();
    assert!(!auth.is_trusted("member.1", &home.browser).await);
}

#[tokio::test]
async fn trusted_browsers_are_listed_with_and_without_a_session() {
    let auth = Auth::start().await;
    let clock = &auth.harness.clock;
    let (start, home) = (clock.now().timestamp(), auth.member(1).await);
    auth.member(2).await;
    clock.advance(TimeDelta::hours(1));
    let work = auth.sign_in(1, "").await;
    clock.advance(TimeDelta::hours(1));
    auth.logout(&home.token).await.unwrap();
    clock.advance(TimeDelta::hours(1));
    auth.resolve(&work.token).await.unwrap();

    let listed = work.trusted_browsers().await.unwrap();
    let [first, second] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((&first.session_id, first.is_signed_in, first.is_current), (&work.session.to_string(), true, true));
    assert_eq!((first.since.unwrap().seconds, first.last_seen_at.unwrap().seconds), (start + 3600, start + 3 * 3600));
    assert_eq!((&second.session_id, second.is_signed_in, second.is_current), (&home.session.to_string(), false, false));
    assert_eq!((second.since.unwrap().seconds, second.last_seen_at.unwrap().seconds), (start, start + 2 * 3600));
    assert_eq!(second.browser, Some(browser("192.0.2.1")));
}

#[tokio::test]
async fn a_session_says_since_when_its_browser_is_trusted() {
    let auth = Auth::start().await;
    let clock = &auth.harness.clock;
    let (start, home) = (clock.now().timestamp(), auth.member(1).await);
    clock.advance(TimeDelta::days(1));
    let home = auth.sign_in(1, &home.browser).await;
    let shared = LoginRequest {
        username: "member.1".into(),
        password: PASSWORD.into(),
        shared_computer: true,
        ..LoginRequest::default()
    };
    auth.client().login(auth.request(shared)).await.unwrap();
    let since: Vec<_> = home.sessions().await.unwrap().iter().map(|s| s.trusted_since.map(|at| at.seconds)).collect();
    // The shared computer, the second sign-in at home, and the first, whose trust moved to the second.
    assert_eq!(since, [None, Some(start), None]);
    clock.advance(TimeDelta::days(60));
    let again = auth.sign_in(1, &home.browser).await;
    let since = again.trusted_browsers().await.unwrap()[0].since.unwrap().seconds;
    assert_eq!(since, clock.now().timestamp(), "the trust had expired");
}

#[tokio::test]
async fn the_end_of_trust_leaves_the_session_and_is_final() {
    let auth = Auth::start().await;
    let (home, work, other) = (auth.member(1).await, auth.sign_in(1, "").await, auth.member(2).await);
    home.end_trust(&work.session.to_string()).await.unwrap();
    assert!(work.is_open().await && !auth.is_trusted("member.1", &work.browser).await);
    assert!(auth.is_trusted("member.1", &home.browser).await);
    assert!(auth.audit().await.contains(&"trust ended".to_owned()));
    for (of, kind) in [(&work, "gone"), (&other, "of another member")] {
        let error = details(home.end_trust(&of.session.to_string()).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::NotFound, "TRUSTED_BROWSER_NOT_FOUND"), "{kind}");
    }
    assert!(auth.is_trusted("member.2", &other.browser).await);
    for bad in ["", "x", "\0"] {
        assert_eq!(details(home.end_trust(bad).await).kind, ErrorKind::Invalid, "{bad:?}");
    }
}

#[tokio::test]
async fn an_ended_session_neither_lists_nor_ends_trust() {
    let auth = Auth::start().await;
    let (home, work) = (auth.member(1).await, auth.sign_in(1, "").await);
    auth.logout(&home.token).await.unwrap();
    assert_eq!(details(home.trusted_browsers().await).reason, "SESSION_ENDED");
    assert_eq!(details(home.end_trust(&work.session.to_string()).await).reason, "SESSION_ENDED");
    assert!(auth.is_trusted("member.1", &work.browser).await);
}

#[tokio::test]
async fn an_expired_session_leaves_its_last_use_with_the_trust() {
    let auth = Auth::start().await;
    let clock = &auth.harness.clock;
    let (home, work) = (auth.member(1).await, auth.sign_in(1, "").await);
    clock.advance(TimeDelta::days(10));
    auth.resolve(&home.token).await.unwrap();
    let seen = clock.now().timestamp();
    clock.advance(TimeDelta::days(10));
    auth.login("member.1", PASSWORD).await.unwrap();
    clock.advance(TimeDelta::days(6));
    assert_eq!(::auth::sessions::delete_expired(auth.pool(), clock.now()).await.unwrap(), 2);
    let now = auth.sign_in(1, &work.browser).await;
    let listed = now.trusted_browsers().await.unwrap();
    let of_home = listed.iter().find(|browser| browser.session_id == home.session.to_string()).unwrap();
    assert_eq!((of_home.last_seen_at.unwrap().seconds, of_home.is_signed_in), (seen, false));
}

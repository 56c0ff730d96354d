//! Sign-in and reset by passkey: sessions, refused assertions, counters, and the state of the account.

use std::time::Duration;

use chrono::TimeDelta;
use portia_proto::auth::{PasskeyUse, StartPasskeyAuthenticationRequest};
use primitives::error::ErrorKind;
use serde_json::json;
use testkit::member;

use crate::{
    Auth, NEW_PASSWORD,
    authenticator::{Authenticator, ORIGIN, USER_VERIFIED},
    details,
    passkeys::with_passkey,
};

#[tokio::test]
async fn a_new_passkey_signs_in() {
    let auth = Auth::start().await;
    let (home, device, passkey) = with_passkey(&auth, 1).await;
    assert_eq!((passkey.name.as_str(), passkey.backed_up, passkey.last_used_at), ("Phone", true, None));
    assert_eq!(home.passkeys(&auth).await.unwrap(), std::slice::from_ref(&passkey));

    auth.harness.clock.advance(TimeDelta::minutes(5));
    let opened = auth.passkey_login(&device).await.unwrap();
    assert_eq!((opened.member_id.as_str(), opened.username.as_str()), (member(1).to_string().as_str(), "Member.1"));
    assert!(auth.resolve(&opened.session.unwrap().token).await.is_ok());
    assert!(auth.is_trusted("member.1", &opened.trusted_browser.unwrap().token).await);
    let used = home.passkeys(&auth).await.unwrap()[0].last_used_at.unwrap();
    assert_eq!(used.seconds, auth.harness.clock.now().timestamp());
    assert_eq!(auth.audit_of(member(1)).await, ["passkey added", "registered", "signed in"]);
}

#[tokio::test]
async fn an_answer_is_valid_once_and_for_five_minutes() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    let started = auth.challenge(PasskeyUse::SignIn).await;
    let answer = device.assert(&started.options);
    auth.answer(&started.ceremony, answer.clone()).await.unwrap();
    assert_eq!(details(auth.answer(&started.ceremony, answer.clone()).await).reason, "PASSKEY_EXPIRED");
    // The answer to another challenge.
    let other = auth.challenge(PasskeyUse::SignIn).await;
    assert_eq!(details(auth.answer(&other.ceremony, answer).await).reason, "BAD_CREDENTIALS");

    let late = auth.challenge(PasskeyUse::SignIn).await;
    let registration = home.start_passkey(&auth).await.unwrap();
    auth.harness.clock.advance(TimeDelta::minutes(5));
    assert_eq!(details(auth.answer(&late.ceremony, device.assert(&late.options)).await).reason, "PASSKEY_EXPIRED");
    let answer = Authenticator::new().create(&registration.options);
    let refused = details(home.create_passkey(&auth, &registration.ceremony, answer).await);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Invalid, "PASSKEY_EXPIRED"));
    assert_eq!(details(auth.answer("", device.assert(&late.options)).await).reason, "PASSKEY_EXPIRED");
    assert_eq!(home.passkeys(&auth).await.unwrap().len(), 1);
    assert!(auth.value::<i64>("select count(*) from auth.passkey_ceremonies").await > 0);
    let now = auth.harness.clock.now();
    auth::passkeys::ceremonies::delete_expired(auth.pool(), now).await.unwrap();
    assert_eq!(auth.value::<i64>("select count(*) from auth.passkey_ceremonies").await, 0);
}

#[tokio::test]
async fn concurrent_uses_of_one_answer_open_one_session() {
    let auth = Auth::start().await;
    let (_, device, _) = with_passkey(&auth, 1).await;
    let started = auth.challenge(PasskeyUse::SignIn).await;
    let answer = device.assert(&started.options);
    let twice = (0..4).map(|_| auth.answer(&started.ceremony, answer.clone()));
    let answers = futures::future::join_all(twice).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
}

#[tokio::test]
async fn a_refused_assertion_has_the_words_of_a_wrong_password() {
    let auth = Auth::start().await;
    let (_, device, _) = with_passkey(&auth, 1).await;
    auth.member(2).await;
    let wrong = details(auth.login("member.1", "wrong password").await);
    let changes: [fn(&mut Authenticator); 6] = [
        |device| device.origin = "https://evil.example".to_owned(),
        |device| device.origin = "https://sub.portia.example".to_owned(),
        |device| device.relying_party = "evil.example".to_owned(),
        |device| device.flags &= !USER_VERIFIED,
        // The key of another member's account.
        |device| device.user = member(2).as_bytes().to_vec(),
        |device| device.user = Vec::new(),
    ];
    let mut device = device;
    for (n, change) in changes.into_iter().enumerate() {
        let (user, flags) = (device.user.clone(), device.flags);
        change(&mut device);
        assert_eq!(details(auth.passkey_login(&device).await), wrong, "{n}");
        (device.user, device.flags) = (user, flags);
        (device.origin, device.relying_party) = (ORIGIN.to_owned(), "portia.example".to_owned());
    }
    // An unknown key, and another one that claims the id of the known one.
    let mut stranger = Authenticator::new();
    stranger.user.clone_from(&device.user);
    assert_eq!(details(auth.passkey_login(&stranger).await), wrong);
    stranger.credential_id.clone_from(&device.credential_id);
    assert_eq!(details(auth.passkey_login(&stranger).await), wrong);
    auth.passkey_login(&device).await.unwrap();
}

#[tokio::test]
async fn a_gateway_at_another_origin_refuses_the_answer() {
    let auth = Auth::start().await;
    let (_, device, _) = with_passkey(&auth, 1).await;
    let started = auth.challenge(PasskeyUse::SignIn).await;
    let answer = device.assert(&started.options);
    let refused = auth.answer_at(&started.ceremony, answer, "https://other.example").await;
    assert_eq!(details(refused).reason, "BAD_CREDENTIALS");
    let start = StartPasskeyAuthenticationRequest { origin: "http://127.0.0.1:8080".into(), r#use: 1 };
    let refused = details(auth.client().start_passkey_authentication(auth.request(start)).await);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Invalid, "PASSKEYS_UNAVAILABLE"));
}

#[tokio::test]
async fn a_counter_must_not_go_back() {
    let auth = Auth::start().await;
    let (home, mut device) = (auth.member(1).await, Authenticator::new());
    device.counter = 5;
    home.add_passkey(&auth, &mut device).await.unwrap();
    for (counter, is_accepted) in [(5, false), (4, false), (0, false), (6, true), (6, false), (u32::MAX, true)] {
        device.counter = counter;
        assert_eq!(auth.passkey_login(&device).await.is_ok(), is_accepted, "{counter}");
    }
    // The rows of failures are written after the response.
    auth.harness.context.tasks.stop(Duration::from_secs(10)).await;
    let failed = auth.audit().await.into_iter().filter(|event| event == "sign-in failed").count();
    assert_eq!(failed, 4);
    assert_eq!(auth.value::<i64>("select sign_count from auth.passkeys").await, i64::from(u32::MAX));
}

#[tokio::test]
async fn a_passkey_removed_during_a_sign_in_opens_no_session() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    let started = auth.challenge(PasskeyUse::SignIn).await;
    let mut removing = db::begin(auth.pool()).await.unwrap();
    sqlx::raw_sql("select from auth.accounts for update").execute(&mut *removing).await.unwrap();
    let sign_in = auth.answer(&started.ceremony, device.assert(&started.options));
    // The call has verified the assertion and now waits for the account.
    let waits = "select count(*) from pg_locks where not granted and database is null and locktype = 'transactionid'
        and pid in (select pid from pg_stat_activity where datname = current_database())";
    let remove = async {
        while auth.value::<i64>(waits).await == 0 {
            testkit::pause().await;
        }
        sqlx::raw_sql("delete from auth.passkeys").execute(&mut *removing).await.unwrap();
        removing.commit().await.unwrap();
    };
    let (refused, ()) = futures::join!(sign_in, remove);
    assert_eq!(details(refused).reason, "BAD_CREDENTIALS");
    assert_eq!(home.sessions().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_suspended_account_is_refused_and_a_closed_one_reopened() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    home.close("member.1").await.unwrap();
    assert!(auth.passkey_login(&device).await.unwrap().reopened);
    auth.suspend("member.1", None).await.unwrap();
    let refused = details(auth.passkey_login(&device).await);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "ACCOUNT_SUSPENDED"));
    // The row is written after the response.
    auth.harness.context.tasks.stop(Duration::from_secs(10)).await;
    assert!(auth.audit_of(member(1)).await.contains(&"sign-in refused".to_owned()));
}

#[tokio::test]
async fn a_passkey_is_a_proof_for_a_reset_of_its_own_account() {
    let auth = Auth::start().await;
    let (home, device, _) = with_passkey(&auth, 1).await;
    auth.member(2).await;
    let of_other = auth.passkey_reset(2, &device).await;
    assert_eq!(details(auth.reset(of_other).await).reason, "PROOF_REFUSED");
    let mut unverified = Authenticator::new();
    unverified.user.clone_from(&device.user);
    let unknown = auth.passkey_reset(1, &unverified).await;
    assert_eq!(details(auth.reset(unknown).await).reason, "PROOF_REFUSED");

    let reset = auth.passkey_reset(1, &device).await;
    auth.reset(reset.clone()).await.unwrap();
    assert!(!home.is_open().await);
    auth.login("member.1", NEW_PASSWORD).await.unwrap();
    assert_eq!(details(auth.reset(reset).await).reason, "PASSKEY_EXPIRED");
    assert!(auth.audit_of(member(1)).await.contains(&"reset by passkey".to_owned()));
    // The passkey itself remains.
    auth.passkey_login(&device).await.unwrap();
}

#[tokio::test]
async fn a_passkey_used_in_a_frame_of_another_origin_is_refused() {
    let auth = Auth::start().await;
    let (home, mut device, _) = with_passkey(&auth, 1).await;
    for frame in [
        json!({ "crossOrigin": true }),
        json!({ "crossOrigin": true, "topOrigin": "https://evil.example" }),
        json!({ "crossOrigin": false, "topOrigin": "https://evil.example" }),
        json!({ "topOrigin": "https://evil.example" }),
    ] {
        device.frame = frame.clone();
        assert_eq!(details(auth.passkey_login(&device).await).reason, "BAD_CREDENTIALS", "{frame}");
        let reset = auth.passkey_reset(1, &device).await;
        assert_eq!(details(auth.reset(reset).await).reason, "PROOF_REFUSED", "{frame}");
        assert_eq!(details(home.prove_by_passkey(&device).await).reason, "PASSKEY_WRONG", "{frame}");
    }
    let mut other = Authenticator::new();
    other.frame = json!({ "crossOrigin": true });
    assert_eq!(details(home.add_passkey(&auth, &mut other).await).reason, "PASSKEY_REFUSED");
    // Older browsers do not say it.
    for frame in [json!({}), json!({ "crossOrigin": null }), json!({ "crossOrigin": false })] {
        device.frame = frame.clone();
        assert!(auth.passkey_login(&device).await.is_ok(), "{frame}");
    }
}

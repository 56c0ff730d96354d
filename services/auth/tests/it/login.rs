//! Sign-in: credentials, equal responses for unknown names, audit rows and hash replacement.

use std::{num::NonZeroUsize, time::Duration};

use auth::{
    accounts, convert,
    credentials::{
        hashing::{Cost, PasswordHashing},
        password::Password,
    },
    sessions::{self, Browser, NewSession},
};
use outbox::{Changes, Outbox};
use portia_proto::auth::{LoginRequest, auth_service_server::AuthService as _};
use primitives::error::ErrorKind;
use testkit::member;

use crate::{Auth, PASSWORD, details, gateway_request, registration};

#[tokio::test]
async fn the_username_ignores_case_and_the_password_does_not() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    for name in ["Member.1", "member.1", " MEMBER.1 "] {
        let answer = auth.login(name, PASSWORD).await.unwrap();
        assert_eq!(answer.member_id, member(1).to_string());
        assert!(auth.resolve(&answer.session.unwrap().token).await.is_ok());
    }
    assert!(auth.login("member.1", &PASSWORD.to_uppercase()).await.is_err());
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_username_get_the_same_error() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    let wrong = details(auth.login("member.1", "wrong password").await);
    let unknown = details(auth.login("unknown.member", "wrong password").await);
    assert_eq!(wrong, unknown);
    assert_eq!((wrong.kind, wrong.reason.as_str()), (ErrorKind::Unauthenticated, "BAD_CREDENTIALS"));
    assert_eq!(wrong.message, "Invalid username or password");
}

/// Counts hashes instead of time.
#[tokio::test]
async fn an_unknown_username_costs_as_many_hashes_as_a_wrong_password() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    let hashing = PasswordHashing::new(Cost::STANDARD, NonZeroUsize::MIN).unwrap();
    let service = auth.service(&hashing);
    for (tries, name) in [(1, "member.1"), (2, "unknown.member"), (3, "member.1"), (4, "another.stranger")] {
        let message = LoginRequest { username: name.into(), password: "wrong password".into(), ..Default::default() };
        assert_eq!(details(service.login(gateway_request(message)).await).reason, "BAD_CREDENTIALS");
        assert_eq!(hashing.hash_count(), tries, "{name}");
    }
}

#[tokio::test]
async fn a_failed_sign_in_is_audited_only_for_a_known_username() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    auth.harness.clock.advance(chrono::TimeDelta::seconds(1));
    auth.login("unknown.member", "wrong password").await.unwrap_err();
    auth.login("member.1", "wrong password").await.unwrap_err();
    auth.harness.clock.advance(chrono::TimeDelta::seconds(1));
    auth.login("member.1", PASSWORD).await.unwrap();
    // The row of the failure is written after the response; stopping waits for it.
    auth.harness.context.tasks.stop(Duration::from_secs(10)).await;
    assert_eq!(auth.audit().await, ["registered", "sign-in failed", "signed in"]);
    let address: String = auth.value("select address from auth.audit where event = 'sign-in failed'").await;
    assert_eq!(address, "192.0.2.7");
}

#[tokio::test]
async fn a_hash_of_an_older_cost_is_replaced_at_sign_in() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    let cheap = PasswordHashing::new(Cost { memory: 64, passes: 1, lanes: 1 }, NonZeroUsize::MIN).unwrap();
    let old = cheap.hash(Password::parse(PASSWORD.to_owned()).unwrap()).await.unwrap();
    auth.harness.database().run(format!("update auth.accounts set password_hash = '{old}'")).await;

    auth.login("member.1", "wrong password").await.unwrap_err();
    assert_eq!(auth.value::<String>("select password_hash from auth.accounts").await, old);
    auth.login("member.1", PASSWORD).await.unwrap();
    let renewed: String = auth.value("select password_hash from auth.accounts").await;
    assert!(renewed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{renewed}");
    assert!(auth.login("member.1", PASSWORD).await.is_ok());
    assert_eq!(auth.value::<String>("select password_hash from auth.accounts").await, renewed, "replaced once");
}

#[tokio::test]
async fn a_password_changed_after_its_verification_opens_no_session() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    let name = convert::parse_username("member.1").unwrap();
    let now = auth.harness.clock.now();
    let verified = accounts::find_by_username(auth.pool(), &name, now).await.unwrap().unwrap();
    auth.harness.database().run("update auth.accounts set password_hash = '$changed'").await;

    let changes = Changes::new(&auth.harness.context, &Outbox::new("auth"));
    let mut conn = auth.pool().acquire().await.unwrap();
    let work = &mut changes.work(&mut conn);
    let session = NewSession::new(work, verified.id, Browser::default()).unwrap();
    let opened = sessions::create(work, &session, verified.id, &verified.password_hash).await.unwrap();
    assert_eq!(opened, None);
    assert_eq!(auth.audit().await, ["registered"]);
}

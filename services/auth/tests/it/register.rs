//! Registration: its effects, taken usernames and repetitions.

use portia_proto::auth::{CheckPasswordRequest, MemberRegistered, RegisterRequest, RegistrationForm};
use primitives::error::ErrorKind;
use prost::Message as _;
use testkit::member;

use crate::{Auth, PASSWORD, details, registration};

#[tokio::test]
async fn an_account_comes_with_a_session_a_fact_and_an_audit_row() {
    let auth = Auth::start().await;
    let form = RegistrationForm {
        full_name: "  Isabel Reyes ".into(),
        headline: Some("2L at Ateneo Law".into()),
        location: Some(" ".into()),
        school: None,
        graduation_year: Some("2027".into()),
    };
    let request = RegisterRequest { username: " Isabel.Reyes ".into(), form: Some(form), ..registration(1) };
    let answer = auth.register(request).await.unwrap();
    assert_eq!(answer.username, "Isabel.Reyes");

    let session = answer.session.unwrap();
    let ninety_days = auth.harness.clock.now() + chrono::TimeDelta::days(90);
    assert_eq!(session.expires_at.unwrap().seconds, ninety_days.timestamp());
    assert_eq!(auth.resolve(&session.token).await.unwrap().member_id, member(1).to_string());

    let payload: Vec<u8> = auth.value("select payload from auth.outbox").await;
    let fact = MemberRegistered::decode(payload.as_slice()).unwrap();
    assert_eq!((fact.member_id, fact.username), (member(1).to_string(), "Isabel.Reyes".to_owned()));
    let form = fact.form.unwrap();
    assert_eq!(form.full_name, "Isabel Reyes", "trimmed");
    assert_eq!(form.location, None, "blank is absent");
    assert_eq!(auth.audit().await, ["registered"]);
}

#[tokio::test]
async fn no_secret_is_stored() {
    let auth = Auth::start().await;
    let token = auth.register(registration(1)).await.unwrap().session.unwrap().token;
    auth.login("member.1", PASSWORD).await.unwrap();
    for table in ["accounts", "sessions", "audit", "outbox"] {
        let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select t::text from auth.{table} t")))
            .fetch_all(auth.pool())
            .await
            .unwrap();
        assert!(!rows.is_empty(), "{table} holds something");
        for row in rows {
            assert!(!row.contains(PASSWORD) && !row.contains(&token), "{table}: {row}");
        }
    }
    let hash: String = auth.value("select password_hash from auth.accounts").await;
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
}

#[tokio::test]
async fn a_username_is_taken_in_every_case() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    for taken in ["Member.1", "member.1", " MEMBER.1 "] {
        let error = details(auth.register(RegisterRequest { username: taken.into(), ..registration(2) }).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Conflict, "USERNAME_TAKEN"));
        assert_eq!(error.message, "Username is already taken");
        assert_eq!(error.violations[0].field, "username");
    }
    assert_eq!(auth.value::<i64>("select count(*) from auth.accounts").await, 1);
    assert_eq!(
        auth.value::<i64>("select count(*) from auth.outbox").await,
        1,
        "a refused registration publishes no fact"
    );
}

#[tokio::test]
async fn a_reserved_username_is_answered_like_a_taken_one() {
    let auth = Auth::start().await;
    for reserved in ["admin", "Portia.Support", " STAFF "] {
        let error = details(auth.register(RegisterRequest { username: reserved.into(), ..registration(2) }).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Conflict, "USERNAME_TAKEN"));
        assert_eq!(
            (error.message.as_str(), error.violations[0].field.as_str()),
            ("Username is already taken", "username")
        );
    }
    assert_eq!(auth.value::<i64>("select count(*) from auth.accounts").await, 0);
}

#[tokio::test]
async fn of_concurrent_registrations_of_one_username_one_succeeds() {
    let auth = Auth::start().await;
    let all = (1..=8).map(|n| {
        let username = if n % 2 == 0 { "wanted" } else { "WANTED" };
        auth.register(RegisterRequest { username: username.into(), ..registration(n) })
    });
    let answers = futures::future::join_all(all).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 7));
    assert!(lost.into_iter().all(|answer| details(answer).reason == "USERNAME_TAKEN"));
    assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 1);
}

#[tokio::test]
async fn a_repeated_registration_opens_another_session_without_a_fact() {
    let auth = Auth::start().await;
    let first = auth.register(registration(1)).await.unwrap().session.unwrap();
    let again = auth.register(registration(1)).await.unwrap();
    assert_eq!(again.username, "Member.1");
    let second = again.session.unwrap();
    assert_ne!(first.token, second.token);
    assert!(auth.resolve(&first.token).await.is_ok());
    assert!(auth.resolve(&second.token).await.is_ok());
    assert_eq!(auth.value::<i64>("select count(*) from auth.outbox").await, 1);
}

#[tokio::test]
async fn concurrent_repetitions_create_one_account() {
    let auth = Auth::start().await;
    let answers = futures::future::join_all((0..4).map(|_| auth.register(registration(1)))).await;
    assert!(answers.into_iter().all(|answer| answer.is_ok()));
    assert_eq!(auth.value::<i64>("select count(*) from auth.accounts").await, 1);
    assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 4);
    assert_eq!(auth.value::<i64>("select count(*) from auth.outbox").await, 1);
}

#[tokio::test]
async fn the_id_of_another_account_is_refused() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    let other_name = RegisterRequest { username: "another.name".into(), ..registration(1) };
    let other_password = RegisterRequest { password: "another password".into(), ..registration(1) };
    for request in [other_name, other_password] {
        let error = details(auth.register(request).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Conflict, "MEMBER_ID_TAKEN"));
    }
    assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 1);
}

#[tokio::test]
async fn violations_have_the_texts_of_the_specification() {
    let auth = Auth::start().await;
    let request = RegisterRequest {
        username: "ab".into(),
        password: "12345".into(),
        form: Some(RegistrationForm { full_name: "A".into(), ..RegistrationForm::default() }),
        ..registration(1)
    };
    let error = details(auth.register(request).await);
    let violations: Vec<(&str, &str)> =
        error.violations.iter().map(|violation| (violation.field.as_str(), violation.message.as_str())).collect();
    assert_eq!(
        violations,
        [
            ("username", "Username must be at least 3 characters"),
            ("password", "Password must be at least 6 characters"),
            ("fullName", "Full name is required"),
        ]
    );
}

#[tokio::test]
async fn a_guessable_password_is_refused() {
    let auth = Auth::start().await;
    for guessable in ["password1", "PASSWORD1", "member.1", "member.1!?", "Portia2026", "zzzzzzzz", "qwertyqwerty"] {
        let refused = details(auth.register(RegisterRequest { password: guessable.into(), ..registration(1) }).await);
        let violation = &refused.violations[0];
        assert_eq!(
            (refused.kind, violation.field.as_str(), violation.message.as_str()),
            (ErrorKind::Invalid, "password", "Please choose a password that is harder to guess"),
            "{guessable}"
        );
    }
    assert!(auth.register(registration(1)).await.is_ok());
}

#[tokio::test]
async fn the_operator_configures_the_password_policy() {
    let with = |n, password: &str| RegisterRequest { password: password.into(), ..registration(n) };
    let auth = Auth::start().await;
    assert!(auth.register(with(1, "11 letters!")).await.is_ok());
    let strict = Auth::start_with(|builder| builder.with("password_policy", "strict")).await;
    assert_eq!(details(strict.register(with(1, "11 letters!")).await).violations[0].field, "password");
    assert!(strict.register(with(1, "12 letters!!")).await.is_ok());
}

#[tokio::test]
async fn a_client_learns_the_policy_and_the_common_hashes_of_a_prefix() {
    for (policy, min_length) in [("standard", 6), ("strict", 12)] {
        let auth = Auth::start_with(|builder| builder.with("password_policy", policy)).await;
        let check = async |prefix: &str| {
            let message = CheckPasswordRequest { hash_prefix: prefix.into() };
            auth.client().check_password(auth.request(message)).await.map(tonic::Response::into_inner)
        };
        let policy_only = check("").await.unwrap();
        assert_eq!((policy_only.min_length, policy_only.hash_suffixes.len()), (min_length, 0));
        // The SHA-256 of "password" begins with 5e884898da.
        let found = check("5e8").await.unwrap().hash_suffixes;
        assert!(found.contains(&"84898da".to_owned()) && found.len() < 60, "{found:?}");
        for bad in ["5E8", "5e", "5e88", "\0\0\0", "ñe", &"5".repeat(1 << 20)] {
            let error = details(check(bad).await);
            assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "hashPrefix"));
        }
        let stranger = auth.member(1).await.request(CheckPasswordRequest::default());
        auth.client().check_password(stranger).await.unwrap_err();
    }
}

//! Registration, sign-in and sign-out: calls, responses and cookies.

use std::collections::HashMap;

use primitives::error::{ErrorKind, ServiceError, new_status, to_status};
use serde_json::{Value, json};

use crate::{
    actors::{ANA, TRUSTED},
    fakes::{Failure, FakeServices},
    test_gateway::{TestGateway, TestRequest, token},
};

fn form() -> Value {
    json!({ "username": " carla ", "password": "correct horse", "fullName": "Carla Diaz", "school": "Ateneo" })
}

fn register() -> TestRequest {
    TestRequest::new("POST", "/api/auth/register").json(&form())
}

fn login(more: Value) -> TestRequest {
    let mut body = json!({ "username": "ana", "password": "correct horse" });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    TestRequest::new("POST", "/api/auth/login").json(&body)
}

#[tokio::test]
async fn registering_signs_in() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(register()).await;
    assert_eq!(reply.status, 201);
    let user = reply.json();
    assert_eq!(
        (&user["username"], &user["fullName"], &user["school"]),
        (&json!("carla"), &json!("Carla Diaz"), &json!("Ateneo"))
    );
    let cookie = reply.cookie("portia_session").split(';').next().unwrap().to_owned();
    let me = gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", &cookie)).await;
    assert!(me.status == 200, "{}", me.text());
    assert_eq!(me.json()["id"], user["id"]);
}

/// The refusal of auth for a suspended account.
#[derive(Debug, thiserror::Error)]
#[error("This account is suspended")]
struct Suspended(&'static [(&'static str, &'static str)]);

impl ServiceError for Suspended {
    const SERVICE: &'static str = "auth";

    fn kind(&self) -> ErrorKind {
        ErrorKind::Forbidden
    }

    fn reason(&self) -> &'static str {
        "ACCOUNT_SUSPENDED"
    }

    fn metadata(&self) -> HashMap<String, String> {
        self.0.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }
}

#[tokio::test]
async fn a_suspended_member_gets_the_state_and_the_token_of_an_appeal() {
    let gateway = TestGateway::start().await;
    for (metadata, appeal) in [
        (
            [("appealState", "possible"), ("appealToken", "secret")].as_slice(),
            json!({ "state": "possible", "token": "secret" }),
        ),
        (&[("appealState", "waiting")], json!({ "state": "waiting" })),
        (&[], json!(null)),
    ] {
        gateway.fakes.fail("login", Failure::With(to_status(&Suspended(metadata))));
        let refused = gateway.send(login(json!({}))).await.refused(403);
        assert_eq!((&refused["code"], &refused["appeal"]), (&json!("ACCOUNT_SUSPENDED"), &appeal));
    }
    let form = json!({ "token": "secret", "text": "They were my own notes." });
    let appeal = || TestRequest::new("POST", "/api/auth/suspension-appeal").json(&form);
    assert_eq!(gateway.send(appeal()).await.status, 204);
    let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "appeal_suspension").unwrap();
    assert!(seen.message.contains("They were my own notes."), "{}", seen.message);
    // Guesses are limited by network.
    for _ in 1..20 {
        gateway.send(appeal()).await;
    }
    assert_eq!(gateway.send(appeal()).await.refused(429)["code"], "RATE_LIMITED");
}

#[tokio::test]
async fn a_sign_in_and_a_registration_end_the_session_presented() {
    for (request, status) in [(login(json!({})), 200), (register(), 201)] {
        let gateway = TestGateway::start().await;
        assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.status, 200);
        let reply = gateway.send(request.by_member(ANA)).await;
        assert_eq!(reply.status, status);
        gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.refused(401);
        let cookie = reply.cookie("portia_session").split(';').next().unwrap().to_owned();
        let me = gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", &cookie)).await;
        assert_eq!(me.status, 200, "the new session");
    }
    // A refused sign-in ends nothing, and an unavailable end does not refuse the sign-in.
    let gateway = TestGateway::start().await;
    gateway.send(login(json!({ "password": "wrong" })).by_member(ANA)).await.refused(401);
    assert_eq!(gateway.fakes.count("logout"), 0);
    gateway.fakes.fail("logout", FakeServices::unavailable());
    assert_eq!(gateway.send(login(json!({})).by_member(ANA)).await.status, 200);
}

#[tokio::test]
async fn a_registration_succeeds_without_profile() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("ensure_member", FakeServices::unavailable());
    let reply = gateway.send(register()).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (201, "profile"));
    let user = reply.json();
    assert_eq!(
        (&user["username"], &user["fullName"], &user["school"]),
        (&json!("carla"), &json!("Carla Diaz"), &json!("Ateneo"))
    );
    assert_eq!(user["experiences"], json!([]));
    assert!(!reply.cookie("portia_session").is_empty());
}

#[tokio::test]
async fn a_member_unknown_to_profile_is_signed_in() {
    let gateway = TestGateway::start().await;
    gateway
        .fakes
        .fail("get_member", Failure::With(new_status(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "User not found")));
    let reply = gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "profile"));
    assert_eq!(reply.json()["id"], json!(ANA));
    let reply = gateway.send(login(json!({}))).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "profile"));
}

#[tokio::test]
async fn a_taken_name_and_wrong_credentials_have_the_message_of_auth() {
    let gateway = TestGateway::start().await;
    let taken = TestRequest::new("POST", "/api/auth/register")
        .json(&json!({ "username": "ana", "password": "x", "fullName": "y" }));
    let reply = gateway.send(taken).await;
    assert_eq!(reply.refused(409)["code"], "USERNAME_TAKEN");
    assert!(reply.header("set-cookie").is_empty());
    let reply = gateway.send(login(json!({ "password": "wrong" }))).await;
    assert_eq!(reply.refused(401)["error"], "Invalid username or password");
    assert!(reply.header("set-cookie").is_empty());
}

#[tokio::test]
async fn an_absent_field_is_forwarded_as_empty() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(TestRequest::new("POST", "/api/auth/login").json(&json!({ "username": "ana" }))).await;
    reply.refused(401);
    assert_eq!(gateway.fakes.count("login"), 1, "auth validates");
}

#[tokio::test]
async fn violations_are_reported_by_field() {
    use primitives::error::{ServiceError, Violation, to_status};
    #[derive(Debug, thiserror::Error)]
    #[error("Username must be at least 3 characters")]
    struct Short([Violation; 1]);
    impl ServiceError for Short {
        const SERVICE: &'static str = "auth";
        fn kind(&self) -> ErrorKind {
            ErrorKind::Invalid
        }
        fn reason(&self) -> &'static str {
            "INVALID_FORM"
        }
        fn violations(&self) -> &[Violation] {
            &self.0
        }
    }
    let gateway = TestGateway::start().await;
    let short = Short([Violation::new("username", "Username must be at least 3 characters")]);
    gateway.fakes.fail("login", Failure::With(to_status(&short)));
    let problem = gateway.send(login(json!({}))).await.refused(400);
    assert_eq!(problem["error"], "Username must be at least 3 characters");
    assert_eq!(problem["fields"], json!({ "username": "Username must be at least 3 characters" }));
    assert_eq!(problem["code"], "INVALID_FORM");
}

#[tokio::test]
async fn cookies_are_http_only_and_same_site() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(login(json!({}))).await;
    for cookie in [reply.cookie("portia_session"), reply.cookie("portia_browser")] {
        for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=3600"] {
            assert!(cookie.contains(part), "{part} is not in {cookie}");
        }
        assert!(!cookie.contains("Secure") && !cookie.contains("Domain"));
    }
    let reply = gateway.send(login(json!({ "sharedComputer": true }))).await;
    assert!(!reply.cookie("portia_session").contains("Max-Age"), "it ends with the browser");
}

#[tokio::test]
async fn the_client_may_store_data_only_of_a_member_who_did_not_call_the_computer_shared() {
    let gateway = TestGateway::start().await;
    let mut shared = form();
    shared["sharedComputer"] = json!(true);
    for (own, other) in [
        (register(), TestRequest::new("POST", "/api/auth/register").json(&shared)),
        (login(json!({})), login(json!({ "sharedComputer": true }))),
    ] {
        let reply = gateway.send(own).await;
        let id = reply.json()["id"].as_str().unwrap().to_owned();
        let cookie = reply.cookie("portia_own_device").to_owned();
        assert!(cookie.starts_with(&format!("portia_own_device={id};")), "{cookie}");
        assert!(!cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"));
        assert!(cookie.contains(&format!("Max-Age={}", 3600 + 24 * 3600)), "a day longer than the session: {cookie}");
        // The tick also ends the permission of a session before.
        let reply = gateway.send(other).await;
        let cookie = reply.cookie("portia_own_device");
        assert!(cookie.starts_with("portia_own_device=;") && cookie.contains("Max-Age=0"), "{cookie}");
    }
    let reply = gateway.send(TestRequest::new("POST", "/api/auth/logout").by_member(ANA).json(&json!({}))).await;
    assert!(reply.cookie("portia_own_device").contains("Max-Age=0"));
}

#[tokio::test]
async fn the_trust_of_a_browser_is_rotated_at_sign_in_except_on_a_shared_computer() {
    let gateway = TestGateway::start().await;
    for ask in [register(), login(json!({}))] {
        let reply = gateway.send(ask.trusted()).await;
        let cookie = reply.cookie("portia_browser");
        assert!(cookie.contains("trusted-anew") && !cookie.contains(TRUSTED), "{cookie}");
    }
    let calls = gateway.fakes.seen().into_iter().filter(|seen| ["register", "login"].contains(&seen.method));
    assert!(calls.map(|seen| seen.message.contains(TRUSTED)).eq([true, true]), "the old token is sent for rotation");
    let mut shared = form();
    shared["sharedComputer"] = json!(true);
    for ask in [TestRequest::new("POST", "/api/auth/register").json(&shared), login(json!({ "sharedComputer": true }))]
    {
        let reply = gateway.send(ask).await;
        assert!(reply.status.is_success());
        assert_eq!(reply.cookie("portia_browser"), "");
    }
}

#[tokio::test]
async fn trust_survives_signing_out() {
    let gateway = TestGateway::start().await;
    let reply =
        gateway.send(TestRequest::new("POST", "/api/auth/logout").by_member(ANA).trusted().json(&json!({}))).await;
    assert!(reply.cookie("portia_session").contains("Max-Age=0"));
    assert_eq!(reply.cookie("portia_browser"), "");
}

#[tokio::test]
async fn a_reactivated_account_is_reported() {
    let gateway = TestGateway::start().await;
    let usual = gateway.send(login(json!({}))).await.json();
    assert_eq!(usual.get("reopened"), None);
    let reactivated = gateway.send(login(json!({ "username": "ANA" }))).await.json();
    assert_eq!((&reactivated["reopened"], &reactivated["id"]), (&json!(true), &usual["id"]));
    let not_found = || Failure::With(new_status(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "User not found"));
    gateway.fakes.fail_once("get_member", not_found());
    let waited = gateway.send(login(json!({ "username": "ANA" }))).await;
    assert_eq!(waited.header("x-degraded"), "");
    assert_eq!(waited.json(), reactivated, "the gateway waits for profile");
    gateway.fakes.fail_once("get_member", not_found());
    let usual = gateway.send(login(json!({}))).await;
    assert_eq!(usual.header("x-degraded"), "profile", "the gateway waits only for reactivated accounts");
    gateway.fakes.fail("get_member", FakeServices::unavailable());
    let degraded = gateway.send(login(json!({ "username": "ANA" }))).await.json();
    assert_eq!(degraded["reopened"], true);
}

#[tokio::test]
async fn over_https_the_cookie_is_bound_to_the_host() {
    let gateway = TestGateway::start_with(|source| source.with("public_origin", "https://portia.example")).await;
    let reply = gateway.send(login(json!({}))).await;
    for name in ["__Host-portia_session", "__Host-portia_own_device", "__Host-portia_browser"] {
        let cookie = reply.cookie(name);
        assert!(cookie.contains("Secure") && cookie.contains("Path=/;"), "{cookie}");
    }
    // The cookie without the prefix is ignored: a page over http could have set it.
    gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.refused(401);
    let own = format!("__Host-portia_session={}", token(ANA));
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", &own)).await.status, 200);
}

#[tokio::test]
async fn logout_deletes_the_cookie_with_or_without_a_session() {
    let gateway = TestGateway::start().await;
    for ask in [
        TestRequest::new("POST", "/api/auth/logout").by_member(ANA).json(&json!({})),
        TestRequest::new("POST", "/api/auth/logout"),
    ] {
        let reply = gateway.send(ask).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (204, 0));
        let cookie = reply.header("set-cookie");
        assert!(cookie.starts_with("portia_session=;") && cookie.contains("Max-Age=0"), "{cookie}");
    }
}

//! Passkeys: challenges, their answers, the sign-in and the proof of a reset.

use primitives::error::{ErrorKind, new_status};
use serde_json::{Value, json};

use crate::{
    actors::ANA,
    fakes::{Failure, FakeServices},
    registrations::{challenge, encoded, solve},
    test_gateway::{TestGateway, TestRequest, token},
};

/// The answer to a challenge for the use of a passkey.
pub fn assertion(id: &str) -> Value {
    json!({ "ceremony": "ceremony", "credential": { "id": id, "rawId": id, "type": "public-key", "response": {
        "clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA", "userHandle": "AA" } } })
}

/// The answer to a challenge for a new passkey.
pub fn new_passkey() -> Value {
    json!({ "name": "Phone", "ceremony": "ceremony", "credential": { "id": "AQID", "rawId": "AQID", "type": "public-key",
        "response": { "clientDataJSON": "e30", "attestationObject": "AA" } } })
}

fn post(path: &str, body: &Value) -> TestRequest {
    TestRequest::new("POST", path).json(body)
}

fn sign_in(more: Value) -> TestRequest {
    let mut body = assertion("AQID");
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    post("/api/auth/passkeys/sign-in", &body)
}

async fn start() -> TestGateway {
    TestGateway::start_with(|source| source.with("public_origin", "https://portia.example")).await
}

#[tokio::test]
async fn a_challenge_has_the_options_of_auth_for_the_public_origin() {
    let gateway = start().await;
    let cookie = format!("__Host-portia_session={}", token(ANA));
    for path in ["sign-in/options", "reset/options", "options", "proof/options"] {
        let ask = post(&format!("/api/auth/passkeys/{path}"), &json!({})).header("cookie", &cookie);
        let reply = gateway.send(ask).await;
        assert_eq!(reply.status, 201);
        assert_eq!(reply.json(), json!({ "ceremony": "ceremony", "options": { "challenge": "AAAA" } }));
    }
    let seen = gateway.fakes.seen();
    let asked = seen.iter().filter(|seen| seen.message.contains("https://portia.example"));
    assert_eq!(asked.count(), 4);
}

#[tokio::test]
async fn an_address_without_a_name_has_no_passkeys() {
    let gateway = TestGateway::start().await;
    let refusal = new_status(ErrorKind::Invalid, "PASSKEYS_UNAVAILABLE", "Passkeys do not work at this address.");
    gateway.fakes.fail("start_passkey_authentication", Failure::With(refusal));
    let refused = gateway.send(post("/api/auth/passkeys/sign-in/options", &json!({}))).await.refused(400);
    assert_eq!(refused["code"], "PASSKEYS_UNAVAILABLE");
    // The origin is the host of the request, for auth to judge.
    assert!(gateway.fakes.seen().iter().any(|seen| seen.message.contains("http://")));
}

#[tokio::test]
async fn a_sign_in_by_passkey_makes_a_session_like_a_password() {
    let gateway = TestGateway::start().await;
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.status, 200);
    let reply = gateway.send(sign_in(json!({})).by_member(ANA)).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["id"]), (200, &json!(ANA)));
    assert!(!reply.cookie("portia_browser").is_empty());
    gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.refused(401);
    let cookie = reply.cookie("portia_session").split(';').next().unwrap().to_owned();
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", &cookie)).await.status, 200);
}

#[tokio::test]
async fn a_shared_computer_is_not_trusted() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(sign_in(json!({ "sharedComputer": true }))).await;
    assert_eq!(reply.status, 200);
    assert!(!reply.cookie("portia_session").contains("Max-Age"));
    assert!(!reply.text().is_empty() && !format!("{:?}", reply.header("set-cookie")).contains("portia_browser"));
}

#[tokio::test]
async fn a_refused_passkey_has_the_words_of_a_wrong_password() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(post("/api/auth/passkeys/sign-in", &assertion("BBBB"))).await;
    let refused = reply.refused(401);
    assert_eq!(
        (&refused["error"], &refused["code"]),
        (&json!("Invalid username or password"), &json!("BAD_CREDENTIALS"))
    );
    assert!(reply.header("set-cookie").is_empty());
    let late = gateway.send(sign_in(json!({ "ceremony": "other" }))).await.refused(400);
    assert_eq!(late["code"], "PASSKEY_EXPIRED");
}

#[tokio::test]
async fn a_sign_in_succeeds_without_profile() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("get_member", FakeServices::unavailable());
    let reply = gateway.send(sign_in(json!({}))).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "profile"));
    assert_eq!(reply.json()["username"], "Ana");
}

#[tokio::test]
async fn challenges_and_refused_answers_are_limited_by_network() {
    let gateway = start().await;
    for n in 0..=120 {
        let status = gateway.send(post("/api/auth/passkeys/sign-in/options", &json!({}))).await.status;
        assert_eq!(status, if n < 120 { 201 } else { 429 });
    }
    for n in 0..=120 {
        // A valid one is not counted.
        assert_eq!(gateway.send(sign_in(json!({}))).await.status, if n < 120 { 200 } else { 429 });
        let status = gateway.send(post("/api/auth/passkeys/sign-in", &assertion("BBBB"))).await.status;
        assert_eq!(status, if n < 120 { 401 } else { 429 });
    }
}

#[tokio::test]
async fn a_passkey_is_a_proof_for_a_reset() {
    let gateway = TestGateway::start().await;
    let reset = |passkey: Value| {
        post("/api/auth/reset-password", &json!({ "username": "ana", "password": "a new one", "passkey": passkey }))
    };
    gateway.send(reset(assertion("BBBB"))).await.refused(401);
    assert_eq!(gateway.send(reset(assertion("AQID"))).await.status, 204);
}

#[tokio::test]
async fn a_passkey_is_a_proof_in_a_session() {
    let gateway = TestGateway::start().await;
    let prove = |passkey: Value| post("/api/auth/reauthenticate", &json!({ "passkey": passkey })).by_member(ANA);
    assert_eq!(gateway.send(prove(assertion("AQID"))).await.status, 204);
    assert_eq!(gateway.send(prove(assertion("BBBB"))).await.refused(403)["code"], "PASSKEY_WRONG");
    let mut late = assertion("AQID");
    late["ceremony"] = json!("other");
    assert_eq!(gateway.send(prove(late)).await.refused(400)["code"], "PASSKEY_EXPIRED");
}

#[tokio::test]
async fn resets_with_a_worthless_passkey_are_counted_alike_for_every_name() {
    let gateway = TestGateway::start().await;
    let reset = |name: &str, passkey: Value, address: &str| {
        let body = json!({ "username": name, "password": "a new one", "passkey": passkey });
        post("/api/auth/reset-password", &body).from(address)
    };
    let mut expired = assertion("AQID");
    expired["ceremony"] = json!("junk");
    for (name, address) in [("ana", "192.0.2.1"), ("nonesuch", "192.0.2.2")] {
        for _ in 0..5 {
            let refused = gateway.send(reset(name, expired.clone(), address)).await.refused(400);
            assert_eq!(refused["code"], "PASSKEY_EXPIRED", "{name}");
        }
        gateway.send(reset(name, expired.clone(), address)).await.refused(429);
    }
    assert_eq!(gateway.send(reset("ana", assertion("AQID"), "192.0.2.1")).await.status, 204, "a valid one passes");
}

#[tokio::test]
async fn challenges_of_all_networks_do_not_stop_another_one() {
    let gateway = start().await;
    let options = "/api/auth/passkeys/sign-in/options";
    let ask = |n: u32| {
        let address = format!("198.51.{}.{}", n / 120 / 200, n / 120 % 200);
        post(options, &json!({})).from(&address)
    };
    for n in 0..6_000 {
        assert_eq!(gateway.send(ask(n)).await.status, 201, "{n}");
    }
    for path in [options, "/api/auth/passkeys/reset/options"] {
        let asked = challenge(&gateway.send(post(path, &json!({})).from("203.0.113.1")).await);
        let body = json!({ "proofOfWork": encoded(&solve(&asked)) });
        assert_eq!(gateway.send(post(path, &body).from("203.0.113.1")).await.status, 201);
        challenge(&gateway.send(post(path, &body).from("203.0.113.1")).await);
    }
    assert_eq!(gateway.send(ask(0)).await.refused(429)["code"], "RATE_LIMITED", "challenges of its own");
}

#[tokio::test]
async fn a_credential_without_its_parts_is_a_violation() {
    let gateway = TestGateway::start().await;
    for (path, body, part) in [
        ("/api/auth/passkeys/sign-in", assertion("AQID"), "signature"),
        ("/api/auth/passkeys/sign-in", assertion("AQID"), "clientDataJSON"),
        ("/api/auth/passkeys", new_passkey(), "attestationObject"),
    ] {
        let mut body = body;
        body["credential"]["response"].as_object_mut().unwrap().remove(part);
        let refused = gateway.send(post(path, &body).by_member(ANA)).await.refused(400);
        assert!(refused["fields"].get(part).is_some(), "{refused}");
    }
    assert_eq!(gateway.fakes.count("login_with_passkey") + gateway.fakes.count("create_passkey"), 0);
}

//! The account of the caller: which sessions end, and which continue.

use primitives::error::ErrorKind;
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, UNKNOWN, UNTRUSTED_PASSWORD, id},
    fakes::{Failure, FakeServices, Seen},
    test_gateway::{TestGateway, TestRequest},
};

fn login() -> TestRequest {
    TestRequest::new("POST", "/api/auth/login").json(&json!({ "username": "ana", "password": "correct horse" }))
}

/// Opens a second session of Ana and returns its cookie.
async fn second_session(gateway: &TestGateway) -> String {
    let reply = gateway.send(login()).await;
    reply.cookie("portia_session").split(';').next().unwrap().to_owned()
}

async fn me(gateway: &TestGateway, cookie: &str) -> u16 {
    gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", cookie)).await.status.as_u16()
}

fn post(path: &str, body: &Value) -> TestRequest {
    TestRequest::new("POST", path).by_member(ANA).json(body)
}

#[tokio::test]
async fn a_changed_password_ends_the_other_sessions_at_once() {
    let gateway = TestGateway::start().await;
    let other = second_session(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let change = json!({ "currentPassword": "correct horse", "newPassword": "battery staple" });
    let reply = gateway.send(post("/api/auth/change-password", &change)).await;
    assert_eq!(reply.status, 204);
    let renewed = reply.cookie("portia_session").to_owned();
    assert!(renewed.contains("Max-Age") && renewed.contains("HttpOnly"), "{renewed}");
    assert_eq!(reply.cookie("portia_browser"), "");
    let renewed = TestRequest::new("GET", "/api/auth/me").header("cookie", renewed.split(';').next().unwrap());
    assert_eq!(gateway.send(renewed).await.status, 200);
    assert_eq!(me(&gateway, &other).await, 401, "the cached session ends too");
    let call = gateway.fakes.seen().into_iter().find(|seen| seen.method == "change_password").unwrap();
    assert_eq!(call.actor, Some(ANA));
    gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await;
    assert_eq!(gateway.fakes.count("resolve_session"), 1, "the previous cookie is asked about again");
}

#[tokio::test]
async fn a_changed_password_leaves_the_computer_as_the_sign_in_said() {
    let own = format!("portia_own_device={ANA}");
    let others = format!("portia_own_device={BEN}");
    for (password, cookie, is_own) in [
        ("battery staple", "", true),
        (UNTRUSTED_PASSWORD, own.as_str(), true),
        (UNTRUSTED_PASSWORD, others.as_str(), false),
        (UNTRUSTED_PASSWORD, "", false),
    ] {
        let gateway = TestGateway::start().await;
        let change = json!({ "currentPassword": "correct horse", "newPassword": password });
        let reply = gateway.send(post("/api/auth/change-password", &change).header("cookie", cookie)).await;
        let device = reply.cookie("portia_own_device");
        assert_eq!(device.starts_with(&format!("{own};")), is_own, "{password} {cookie}: {device}");
        assert_eq!(reply.cookie("portia_session").contains("Max-Age"), is_own, "{password} {cookie}");
    }
}

#[tokio::test]
async fn a_wrong_password_is_a_violation_of_its_field() {
    let gateway = TestGateway::start().await;
    for (path, body, field) in [
        ("change-password", json!({ "currentPassword": "x", "newPassword": "battery staple" }), "currentPassword"),
        ("reauthenticate", json!({ "password": "x" }), "password"),
    ] {
        let problem = gateway.send(post(&format!("/api/auth/{path}"), &body)).await.refused(403);
        assert_eq!(problem["code"], "PASSWORD_WRONG");
        assert_eq!(problem["fields"][field], problem["error"], "{path}");
    }
}

/// The refusal of auth without a recent proof.
fn step_up() -> Failure {
    FakeServices::refusal(ErrorKind::Forbidden, "STEP_UP_REQUIRED", "Please confirm that it is you to continue.")
}

#[tokio::test]
async fn sensitive_requests_without_a_recent_proof_are_refused_with_one_code() {
    let gateway = TestGateway::start().await;
    let delete = |path: String| TestRequest::new("DELETE", &path).by_member(ANA);
    let get = |path: String| TestRequest::new("GET", &path).by_member(ANA);
    for (method, request) in [
        ("renew_recovery_codes", post("/api/auth/recovery-codes", &json!({}))),
        ("close_account", post("/api/auth/close-account", &json!({ "confirmation": "ana" }))),
        ("end_sessions", delete("/api/auth/sessions".to_owned())),
        ("end_sessions", delete(format!("/api/auth/sessions/{}", id(0x5e55_0004)))),
        ("check_reauthentication", get("/api/auth/reauthenticate".to_owned())),
        ("create_totp", post("/api/auth/totp", &json!({}))),
        ("confirm_totp", post("/api/auth/totp/confirm", &json!({ "oneTimeCode": "123456" }))),
        ("delete_totp", delete("/api/auth/totp".to_owned())),
        ("export_member of auth", get(format!("/api/users/{ANA}/export"))),
    ] {
        gateway.fakes.fail(method, step_up());
        gateway.fakes.seen();
        let reply = gateway.send(request).await;
        let problem = reply.refused(403);
        assert_eq!(problem["code"], "STEP_UP_REQUIRED", "{method}");
        assert_eq!(problem["error"], "Please confirm that it is you to continue.");
        assert_eq!(reply.header("set-cookie"), "", "{method}");
        let exports = |seen: &Seen| seen.method.starts_with("export_member") && seen.method != method;
        assert!(!gateway.fakes.seen().iter().any(exports), "no other service exports");
    }
    assert_eq!(gateway.send(get("/api/auth/me".to_owned())).await.status, 200);
}

#[tokio::test]
async fn a_password_or_a_code_proves_again() {
    let gateway = TestGateway::start().await;
    for proof in [json!({ "password": "correct horse" }), json!({ "oneTimeCode": "CODE" })] {
        let reply = gateway.send(post("/api/auth/reauthenticate", &proof)).await;
        assert_eq!((reply.status.as_u16(), reply.header("set-cookie")), (204, ""), "{proof}");
        let call = gateway.fakes.seen().into_iter().find(|seen| seen.method == "reauthenticate").unwrap();
        assert_eq!(call.actor, Some(ANA));
    }
    let problem = gateway.send(post("/api/auth/reauthenticate", &json!({ "oneTimeCode": "x" }))).await.refused(403);
    assert_eq!((&problem["code"], &problem["fields"]["oneTimeCode"]), (&json!("CODE_WRONG"), &problem["error"]));
    gateway.send(post("/api/auth/reauthenticate", &json!({}))).await.refused(400);
}

#[tokio::test]
async fn one_session_can_be_ended() {
    let gateway = TestGateway::start().await;
    let other = second_session(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let ended = id(0x5e55_0004);
    let reply = gateway.send(TestRequest::new("DELETE", &format!("/api/auth/sessions/{ended}")).by_member(ANA)).await;
    assert_eq!((reply.status.as_u16(), reply.header("set-cookie")), (204, ""));
    assert_eq!(me(&gateway, &other).await, 401);
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.status, 200);

    // The session of another member and an invalid id are not found.
    for id in [id(0x5b).to_string(), UNKNOWN.to_string(), "x".to_owned()] {
        let reply = gateway.send(TestRequest::new("DELETE", &format!("/api/auth/sessions/{id}")).by_member(ANA)).await;
        assert_eq!(reply.refused(404)["error"], "Session not found");
    }
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(BEN)).await.status, 200);

    let own =
        gateway.send(TestRequest::new("DELETE", &format!("/api/auth/sessions/{}", id(0x5a))).by_member(ANA)).await;
    assert!(own.cookie("portia_session").contains("Max-Age=0"));
    gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.refused(401);
}

#[tokio::test]
async fn ending_all_sessions_ends_the_current_one() {
    let gateway = TestGateway::start().await;
    let other = second_session(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let reply = gateway.send(TestRequest::new("DELETE", "/api/auth/sessions").by_member(ANA)).await;
    assert_eq!(reply.status, 204);
    assert!(reply.cookie("portia_session").contains("Max-Age=0"));
    assert_eq!(reply.cookie("portia_browser"), "");
    assert_eq!(me(&gateway, &other).await, 401);
    gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.refused(401);
}

#[tokio::test]
async fn closing_an_account_deletes_both_cookies_and_ends_every_session() {
    let gateway = TestGateway::start().await;
    let other = second_session(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let reply = gateway.send(post("/api/auth/close-account", &json!({ "confirmation": "Ana" }))).await;
    assert_eq!(reply.status, 204);
    for cookie in ["portia_session", "portia_browser"] {
        assert!(reply.cookie(cookie).contains("Max-Age=0"), "{cookie}");
    }
    assert_eq!(me(&gateway, &other).await, 401);
}

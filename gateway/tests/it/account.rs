//! One's own account: what ends, what stays, and how soon this gateway knows.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, NOBODY, TRUSTED, id},
    test_gateway::{Ask, TestGateway},
};

fn login() -> Ask {
    Ask::new("POST", "/api/auth/login").json(&json!({ "username": "ana", "password": "correct horse" }))
}

/// A second session of Ana's; its cookie.
async fn elsewhere(gateway: &TestGateway) -> String {
    let reply = gateway.send(login()).await;
    reply.cookie("portia_session").split(';').next().unwrap().to_owned()
}

async fn me(gateway: &TestGateway, cookie: &str) -> u16 {
    gateway.send(Ask::new("GET", "/api/auth/me").header("cookie", cookie)).await.status.as_u16()
}

fn post(path: &str, body: &Value) -> Ask {
    Ask::new("POST", path).of(ANA).json(body)
}

#[tokio::test]
async fn a_changed_password_ends_the_other_sessions_at_once() {
    let gateway = TestGateway::start().await;
    let other = elsewhere(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let change = json!({ "currentPassword": "correct horse", "newPassword": "battery staple" });
    let reply = gateway.send(post("/api/auth/change-password", &change).trusted()).await;
    assert_eq!((reply.status.as_u16(), reply.header("set-cookie")), (204, ""));
    assert_eq!(me(&gateway, &other).await, 401, "believed for ten seconds, but told that it ended");
    assert_eq!(gateway.send(Ask::new("GET", "/api/auth/me").of(ANA)).await.status, 200);
    let asked = gateway.fakes.seen().into_iter().find(|seen| seen.method == "change_password").unwrap();
    assert!(asked.actor == Some(ANA) && asked.message.contains(TRUSTED));
}

#[tokio::test]
async fn a_wrong_password_is_the_fault_of_its_field() {
    let gateway = TestGateway::start().await;
    for (path, body, field) in [
        ("change-password", json!({ "currentPassword": "x", "newPassword": "battery staple" }), "currentPassword"),
        ("recovery-codes", json!({ "password": "x" }), "password"),
        ("close-account", json!({ "confirmation": "ana", "password": "x" }), "password"),
    ] {
        let problem = gateway.send(post(&format!("/api/auth/{path}"), &body)).await.refused(403);
        assert_eq!(problem["code"], "PASSWORD_WRONG");
        assert_eq!(problem["fields"][field], problem["error"], "{path}");
    }
    for path in ["recovery-codes", "close-account"] {
        let problem =
            gateway.send(post(&format!("/api/auth/{path}"), &json!({ "confirmation": "ana" }))).await.refused(403);
        assert_eq!(problem["code"], "PASSWORD_REQUIRED");
        assert_eq!(problem["fields"]["password"], problem["error"], "{path}");
    }
}

#[tokio::test]
async fn one_session_ends_and_the_others_go_on() {
    let gateway = TestGateway::start().await;
    let other = elsewhere(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let ended = id(0x5e55_0003);
    let reply = gateway.send(Ask::new("DELETE", &format!("/api/auth/sessions/{ended}")).of(ANA)).await;
    assert_eq!((reply.status.as_u16(), reply.header("set-cookie")), (204, ""));
    assert_eq!(me(&gateway, &other).await, 401);
    assert_eq!(gateway.send(Ask::new("GET", "/api/auth/me").of(ANA)).await.status, 200);

    // The session of another member and an invalid id are not found.
    for id in [id(0x5b).to_string(), NOBODY.to_string(), "x".to_owned()] {
        let reply = gateway.send(Ask::new("DELETE", &format!("/api/auth/sessions/{id}")).of(ANA)).await;
        assert_eq!(reply.refused(404)["error"], "Session not found");
    }
    assert_eq!(gateway.send(Ask::new("GET", "/api/auth/me").of(BEN)).await.status, 200);

    let own = gateway.send(Ask::new("DELETE", &format!("/api/auth/sessions/{}", id(0x5a))).of(ANA)).await;
    assert!(own.cookie("portia_session").contains("Max-Age=0"));
    gateway.send(Ask::new("GET", "/api/auth/me").of(ANA)).await.refused(401);
}

#[tokio::test]
async fn signing_out_everywhere_means_here_too() {
    let gateway = TestGateway::start().await;
    let other = elsewhere(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let reply = gateway.send(Ask::new("DELETE", "/api/auth/sessions").of(ANA)).await;
    assert_eq!(reply.status, 204);
    assert!(reply.cookie("portia_session").contains("Max-Age=0"));
    assert_eq!(reply.cookie("portia_browser"), "");
    assert_eq!(me(&gateway, &other).await, 401);
    gateway.send(Ask::new("GET", "/api/auth/me").of(ANA)).await.refused(401);
}

#[tokio::test]
async fn closing_takes_both_cookies_and_every_session() {
    let gateway = TestGateway::start().await;
    let other = elsewhere(&gateway).await;
    assert_eq!(me(&gateway, &other).await, 200);
    let reply = gateway
        .send(post("/api/auth/close-account", &json!({ "confirmation": "Ana", "password": "correct horse" })))
        .await;
    assert_eq!(reply.status, 204);
    for cookie in ["portia_session", "portia_browser"] {
        assert!(reply.cookie(cookie).contains("Max-Age=0"), "{cookie}");
    }
    assert_eq!(me(&gateway, &other).await, 401);
}

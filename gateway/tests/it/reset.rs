//! Password reset: both steps, the proofs, and the ended sessions.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, TRUSTED},
    test_gateway::{TestGateway, TestRequest, token},
};

fn check(username: &str) -> TestRequest {
    TestRequest::new("POST", "/api/auth/check-username").json(&json!({ "username": username }))
}

fn reset(more: Value) -> TestRequest {
    let mut body = json!({ "username": "ana", "password": "a new one" });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    TestRequest::new("POST", "/api/auth/reset-password").json(&body)
}

#[tokio::test]
async fn check_username_lists_the_methods() {
    let gateway = TestGateway::start().await;
    let other_browser = gateway.send(check("ana")).await;
    assert_eq!(
        (other_browser.status.as_u16(), other_browser.json()),
        (200, json!({ "methods": ["recovery-code", "operator-link"] }))
    );
    let known = gateway.send(check("ANA ").trusted()).await;
    assert_eq!(known.json()["methods"][0], "trusted-browser");
    assert_eq!(gateway.send(check("unknown")).await.refused(404)["error"], "User not found");
    assert_eq!(
        gateway.send(TestRequest::new("POST", "/api/auth/check-username")).await.refused(404)["error"],
        "User not found"
    );
}

#[tokio::test]
async fn only_the_cookie_of_a_trusted_browser_is_a_proof() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 10)).await;
    let missing = gateway.send(reset(json!({}))).await.refused(403);
    assert_eq!(missing["code"], "PROOF_MISSING");
    let garbage = ["", "x", "\"\"", &"t".repeat(9000), &"Z".repeat(43)];
    for cookie in garbage {
        gateway.send(reset(json!({})).header("cookie", &format!("portia_browser={cookie}"))).await.refused(403);
    }
    assert_eq!(gateway.send(reset(json!({})).trusted()).await.status, 204);
    let calls: Vec<_> = gateway.fakes.seen().into_iter().filter(|seen| seen.method == "reset_password").collect();
    assert!(calls.iter().all(|seen| seen.actor.is_none()));
    assert_eq!(calls.iter().filter(|seen| seen.message.contains(TRUSTED)).count(), 1);
    // Values that are not tokens are not forwarded.
    assert!(calls.iter().all(|seen| seen.message.len() < 1000));
}

#[tokio::test]
async fn a_code_or_a_link_is_a_proof_in_other_browsers() {
    for (proof, status) in [
        (json!({ "recoveryCode": "CODE" }), 204),
        (json!({ "token": "link" }), 204),
        (json!({ "token": "link", "recoveryCode": "wrong" }), 204),
        (json!({ "recoveryCode": "wrong" }), 403),
        (json!({ "token": "wrong" }), 403),
    ] {
        let gateway = TestGateway::start().await;
        assert_eq!(gateway.send(reset(proof.clone())).await.status, status, "{proof}");
    }
    // An empty field does not hide the trusted browser.
    let gateway = TestGateway::start().await;
    let empty = json!({ "recoveryCode": " ", "token": "" });
    assert_eq!(gateway.send(reset(empty).trusted()).await.status, 204);
    let wrong = gateway.send(reset(json!({ "recoveryCode": "wrong" })).trusted()).await;
    assert_eq!(wrong.refused(403)["code"], "PROOF_REFUSED");
}

#[tokio::test]
async fn a_reset_ends_all_sessions_at_once() {
    let gateway = TestGateway::start().await;
    let me = || TestRequest::new("GET", "/api/auth/me").by_member(ANA);
    assert_eq!(gateway.send(me()).await.status, 200);
    let reply =
        gateway.send(reset(json!({})).trusted().header("cookie", &format!("portia_session={}", token(ANA)))).await;
    assert_eq!((reply.status.as_u16(), reply.bytes.len()), (204, 0));
    assert!(reply.cookie("portia_session").contains("Max-Age=0"), "the cookie of the ended session is deleted");
    assert_eq!(reply.cookie("portia_browser"), "", "the browser stays trusted");
    gateway.send(me()).await.refused(401);
}

#[tokio::test]
async fn a_refused_reset_ends_no_session() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(reset(json!({ "recoveryCode": "wrong" })).by_member(ANA)).await;
    reply.refused(403);
    assert_eq!(reply.header("set-cookie"), "");
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await.status, 200);
}

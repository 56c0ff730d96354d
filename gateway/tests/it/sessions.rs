//! Session cookies: invalid, expired, revoked here or elsewhere, and with auth unavailable.

use chrono::TimeDelta;
use portia_proto::auth::{SecurityNoticeCreated, SessionEnded};
use tokio::time::timeout;

use crate::{
    actors::{ANA, EXPIRED, id},
    fakes::{Failure, FakeServices, SOON},
    test_gateway::{Reply, TestGateway, TestRequest, token},
};

async fn me(gateway: &TestGateway) -> Reply {
    gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(ANA)).await
}

#[tokio::test]
async fn an_invalid_cookie_is_a_visitor() {
    let gateway = TestGateway::start().await;
    let long = format!("portia_session={}", "a".repeat(8000));
    let unknown = format!("portia_session={}", "Z".repeat(43));
    for cookie in
        ["portia_session=", "portia_session=x", "=;;=", "portia_session=\"\"", "other=1", &long, &unknown, "\u{ff}"]
    {
        gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", cookie)).await.refused(401);
        assert_eq!(
            gateway.send(TestRequest::new("GET", "/api/posts").header("cookie", cookie)).await.status,
            200,
            "{cookie:.40}"
        );
    }
    // auth is called only for values with the form of a token.
    assert_eq!(gateway.fakes.count("resolve_session"), 2);
}

#[tokio::test]
async fn a_session_that_expired_by_time_differs_from_one_that_a_person_ended() {
    let gateway = TestGateway::start().await;
    let expired = format!("portia_session={EXPIRED}");
    let ended = format!("portia_session={}", "Z".repeat(43));
    let device = format!("portia_own_device={ANA}");
    for (cookie, code) in [
        (expired.clone(), "SESSION_EXPIRED"),
        (format!("{expired}; {device}"), "SESSION_EXPIRED"),
        // The browser deleted the cookie of the session in time.
        (device.clone(), "SESSION_EXPIRED"),
        (format!("{ended}; {device}"), "SIGN_IN_REQUIRED"),
        (ended, "SIGN_IN_REQUIRED"),
        ("portia_own_device=x".to_owned(), "SIGN_IN_REQUIRED"),
        (String::new(), "SIGN_IN_REQUIRED"),
    ] {
        let me = gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", &cookie)).await;
        assert_eq!(me.refused(401)["code"], code, "{cookie}");
        let posts = gateway.send(TestRequest::new("GET", "/api/posts").header("cookie", &cookie)).await;
        assert_eq!(posts.status, 200, "{cookie}");
    }
}

#[tokio::test]
async fn a_session_is_resolved_once_in_ten_seconds() {
    let gateway = TestGateway::start().await;
    for _ in 0..3 {
        assert_eq!(me(&gateway).await.status, 200);
    }
    assert_eq!(gateway.fakes.count("resolve_session"), 1);
    gateway.clock.advance(TimeDelta::seconds(10));
    assert_eq!(me(&gateway).await.status, 200);
    assert_eq!(gateway.fakes.count("resolve_session"), 1);
    gateway.fakes.sessions.lock().unwrap().clear();
    gateway.clock.advance(TimeDelta::seconds(10));
    me(&gateway).await.refused(401);
}

#[tokio::test]
async fn a_cookie_of_a_sibling_domain_is_not_the_session() {
    let gateway = TestGateway::start().await;
    let own = format!("portia_session={}", token(ANA));
    let spelt = format!("%70ortia_session={}", token(ANA));
    let other = format!("portia_session={}", "Z".repeat(43));
    for (cookie, status) in [
        (own.clone(), 200),
        (format!("{own}; {own}"), 200),
        (spelt.clone(), 401),
        (format!("{spelt}; {other}"), 401),
        (format!("{own}; {other}"), 401),
        (format!("{other}; {own}"), 401),
    ] {
        let reply = gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", &cookie)).await;
        assert_eq!(reply.status, status, "{cookie}");
    }
}

#[tokio::test]
async fn a_replayed_cookie_is_refused_after_logout() {
    let gateway = TestGateway::start().await;
    assert_eq!(me(&gateway).await.status, 200);
    assert_eq!(gateway.send(TestRequest::new("POST", "/api/auth/logout").by_member(ANA)).await.status, 204);
    me(&gateway).await.refused(401);
}

#[tokio::test]
async fn a_session_ended_by_another_gateway_is_refused() {
    let gateway = TestGateway::start().await;
    assert_eq!(me(&gateway).await.status, 200);
    let ended = SessionEnded { member_id: ANA.to_string(), session_id: id(0x5a).to_string() };
    gateway.fakes.publish("auth", &ended).await;
    let refused = async {
        while me(&gateway).await.status == 200 {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, refused).await.unwrap();
    me(&gateway).await.refused(401);
}

#[tokio::test]
async fn a_cookie_that_another_gateway_replaced_is_refused() {
    let gateway = TestGateway::start().await;
    assert_eq!(me(&gateway).await.status, 200);
    gateway.fakes.sessions.lock().unwrap().clear();
    assert_eq!(me(&gateway).await.status, 200, "the session is cached");
    // A new password: the session continues with another cookie.
    let notice = SecurityNoticeCreated { member_id: ANA.to_string(), ..SecurityNoticeCreated::default() };
    gateway.fakes.publish("auth", &notice).await;
    let refused = async {
        while me(&gateway).await.status == 200 {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, refused).await.unwrap();
    me(&gateway).await.refused(401);
}

#[tokio::test]
async fn an_unavailable_auth_signs_out_no_member() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("resolve_session", FakeServices::unavailable());
    for path in ["/api/auth/me", "/api/posts"] {
        let reply = gateway.send(TestRequest::new("GET", path).by_member(ANA)).await;
        assert_eq!(reply.refused(503)["code"], "UNAVAILABLE");
        assert_eq!(reply.header("retry-after"), "1");
    }
    // A visitor needs no call to auth.
    assert_eq!(gateway.get("/api/posts").await.status, 200);
}

#[tokio::test]
async fn a_refused_service_token_is_internal_and_signs_out_no_member() {
    let gateway = TestGateway::start().await;
    let refusal =
        primitives::error::new_status(primitives::error::ErrorKind::Unauthenticated, "NO_TOKEN", "Sign in required");
    gateway.fakes.fail("resolve_session", Failure::With(refusal));
    me(&gateway).await.refused(500);
}

//! The gateway refuses by itself what needs no service, and calls the services as the caller. The statuses of every route for
//! ten callers are those of `deploy/standalone/tests/it/matrix`, on the real services.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, CARL, COMMENT, COMMUNITY, CONNECTION, CONVERSATION, EVENT, JOB, POST, SKILL, UNKNOWN, id},
    document::operations,
    live::Listener,
    test_gateway::{TestGateway, TestRequest},
};

/// Whether no service was called but auth, for the session.
fn is_refused_early(gateway: &TestGateway) -> bool {
    gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session")
}

#[tokio::test]
async fn a_visitor_is_refused_before_any_call_on_every_route_for_members() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 1000)).await;
    for operation in operations() {
        let path = operation.path(&id(0x5a).to_string(), "", "");
        let reply = gateway.send(TestRequest::new(&operation.method, &path)).await;
        let calls = gateway.fakes.seen();
        let name = format!("{} {path}", operation.method);
        // A sign-in refuses its own proof with 401, after it asked.
        let is_refused = reply.status == 401 && calls.is_empty();
        assert_eq!(is_refused, operation.is_for_members, "{name}: {} after {calls:?}", reply.status);
    }
}

#[tokio::test]
async fn a_member_who_is_no_moderator_finds_no_route_of_moderators_and_no_service_is_called() {
    let gateway = TestGateway::start().await;
    for operation in operations().into_iter().filter(|operation| operation.route.starts_with("/api/moderation/")) {
        let path = operation.path(&id(0x60).to_string(), "", "");
        let request = TestRequest::new(&operation.method, &path).by_member(BEN).json(&json!({}));
        gateway.send(request).await.refused(404);
        assert!(is_refused_early(&gateway), "{} {path}", operation.method);
    }
}

/// Requests of Ben about what is Ana's, which the gateway knows from the request alone.
fn of_another() -> Vec<(&'static str, String, Option<Value>)> {
    let own = |method, part: &str, body| (method, format!("/api/users/{ANA}{part}"), body);
    let lists = json!({ "userId": ANA, "bio": null, "experiences": [], "education": [], "skills": [] });
    let hide = json!({ "skill": SKILL, "endorserId": BEN, "hidden": true });
    vec![
        own("PATCH", "", Some(json!({ "headline": "2L" }))),
        own("PUT", "/profile", Some(lists)),
        own("GET", "/privacy", None),
        own("PATCH", "/privacy", Some(json!({ "readReceipts": false }))),
        own("PATCH", "/onboarding", Some(json!({ "step": "school", "state": "skipped" }))),
        own("GET", "/export", None),
        own("PATCH", "/endorsements", Some(hide)),
        own("GET", "/connections", None),
        own("GET", "/suggestions", None),
        own("DELETE", &format!("/suggestions/{CARL}"), None),
        ("GET", format!("/api/connections?recipientId={ANA}&status=pending"), None),
        ("GET", format!("/api/connections?requesterId={ANA}&recipientId={CARL}"), None),
        ("GET", format!("/api/connections?requesterId={ANA}&recipientId={UNKNOWN}"), None),
        ("POST", "/api/connections".to_owned(), Some(json!({ "requesterId": ANA, "recipientId": CARL }))),
        (
            "POST",
            format!("/api/conversations/{CONVERSATION}/messages"),
            Some(json!({ "userId": ANA, "conversationId": CONVERSATION, "content": "Hi" })),
        ),
    ]
}

#[tokio::test]
async fn what_is_of_another_member_is_refused_before_any_call() {
    let gateway = TestGateway::start().await;
    for (method, path, body) in of_another() {
        let request = TestRequest::new(method, &path).by_member(BEN);
        gateway.send(body.iter().fold(request, |request, body| request.json(body))).await.refused(403);
        assert!(is_refused_early(&gateway), "{method} {path}");
    }
    let stream = Listener::open(&gateway, ANA).await.stream;
    gateway.fakes.seen();
    let interests = json!({ "posts": [POST], "feed": true });
    let request = TestRequest::new("PUT", &format!("/api/live/{stream}/interests")).by_member(BEN).json(&interests);
    gateway.send(request).await.refused(404);
    assert!(is_refused_early(&gateway), "the stream of Ana");
}

/// A read and a write of every service.
fn calls() -> Vec<(&'static str, String, Option<Value>)> {
    vec![
        ("GET", "/api/auth/sessions".to_owned(), None),
        ("POST", "/api/auth/recovery-codes".to_owned(), Some(json!({}))),
        ("GET", format!("/api/users/{BEN}/profile"), None),
        ("PATCH", format!("/api/users/{ANA}"), Some(json!({ "headline": "2L" }))),
        ("GET", format!("/api/communities/{COMMUNITY}"), None),
        ("PUT", format!("/api/events/{EVENT}/attendance"), None),
        ("GET", format!("/api/posts/{POST}"), None),
        ("GET", "/api/posts?feed=following".to_owned(), None),
        ("POST", format!("/api/posts/{POST}/comments"), Some(json!({ "content": "Hello" }))),
        ("GET", format!("/api/jobs/{JOB}"), None),
        ("GET", "/api/jobs/applications/my".to_owned(), None),
        ("GET", "/api/news".to_owned(), None),
        (
            "POST",
            "/api/resources".to_owned(),
            Some(json!({ "title": "Outlines", "url": "https://outlines.example/", "type": "guide" })),
        ),
        ("GET", format!("/api/conversations/{CONVERSATION}"), None),
        ("POST", format!("/api/conversations/{CONVERSATION}/messages"), Some(json!({ "content": "Hi" }))),
        ("GET", "/api/search?q=clerk".to_owned(), None),
        ("GET", "/api/status".to_owned(), None),
    ]
}

#[tokio::test]
async fn the_services_are_called_as_the_caller() {
    let gateway = TestGateway::start().await;
    for (method, path, body) in calls() {
        for caller in [None, Some(ANA)] {
            let request = TestRequest::new(method, &path);
            let request = caller.map_or_else(|| TestRequest::new(method, &path), |member| request.by_member(member));
            let reply = gateway.send(body.iter().fold(request, |request, body| request.json(body))).await;
            assert!(reply.status.is_success() || caller.is_none() && reply.status == 401, "{path}: {}", reply.text());
            for seen in gateway.fakes.seen() {
                let expected = caller.filter(|_| seen.method != "resolve_session");
                assert_eq!(seen.actor, expected, "{method} {path} called {} as another caller", seen.method);
            }
        }
    }
}

/// Before a sign-in there is no caller, whatever session the browser has.
#[tokio::test]
async fn a_sign_in_is_no_call_of_the_member_of_an_older_session() {
    let gateway = TestGateway::start().await;
    for (path, body) in [
        ("login", json!({ "username": "ana", "password": "correct horse" })),
        ("check-username", json!({ "username": "ana" })),
        ("check-password", json!({ "hashPrefix": "5e8" })),
        ("suspension-appeal", json!({ "token": "token", "text": "I did not." })),
        ("register", json!({ "username": "carla", "password": "correct horse", "fullName": "Carla Diaz" })),
        ("passkeys/sign-in/options", json!({})),
        ("passkeys/sign-in", crate::passkeys::assertion("AQID")),
        ("passkeys/reset/options", json!({})),
        ("reset-password", json!({ "username": "ana", "password": "battery staple", "recoveryCode": "CODE" })),
        ("logout", json!({})),
    ] {
        let request = TestRequest::new("POST", &format!("/api/auth/{path}")).by_member(BEN).json(&body);
        let reply = gateway.send(request).await;
        assert!(reply.status.is_success(), "{path}: {}", reply.text());
        let seen = gateway.fakes.seen();
        assert!(!seen.is_empty() && seen.iter().all(|seen| seen.actor.is_none()), "{path}: {seen:?}");
    }
}

#[tokio::test]
async fn a_refused_visitor_gets_the_message_of_the_specification() {
    let gateway = TestGateway::start().await;
    let sentences = [
        ("POST", format!("/api/posts/{POST}/likes"), "Please sign in to like posts"),
        ("POST", format!("/api/posts/{POST}/comments"), "Please sign in to comment on posts"),
        ("POST", format!("/api/comments/{COMMENT}/likes"), "Please sign in to like comments"),
        ("GET", "/api/connections".to_owned(), "Please sign in to connect with other users"),
        ("POST", "/api/connections".to_owned(), "Please sign in to connect with other users"),
        ("PATCH", format!("/api/connections/{CONNECTION}"), "Please sign in to connect with other users"),
        ("POST", "/api/posts".to_owned(), "Sign in required"),
    ];
    for (method, path, sentence) in sentences {
        assert_eq!(gateway.send(TestRequest::new(method, &path)).await.refused(401)["error"], sentence);
    }
}

#[tokio::test]
async fn a_forged_user_id_is_refused() {
    let gateway = TestGateway::start().await;
    for forged in [json!(BEN), json!(""), json!("ana"), json!("0")] {
        let body = json!({ "userId": forged, "content": "Not mine", "type": "like" });
        for path in [
            "/api/posts".to_owned(),
            format!("/api/posts/{POST}/likes"),
            format!("/api/posts/{POST}/comments"),
            format!("/api/comments/{COMMENT}/likes"),
        ] {
            let reply = gateway.send(TestRequest::new("POST", &path).by_member(ANA).json(&body)).await;
            assert_eq!(reply.refused(403)["code"], "NOT_YOURS");
        }
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
}

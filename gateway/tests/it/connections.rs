//! Connections: statuses, and requests refused before any call.

use primitives::error::{ErrorKind, new_status};
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, CARL, CONNECTION, UNKNOWN},
    fakes::{Failure, FakeServices},
    test_gateway::{TestGateway, TestRequest},
};

fn request(body: &Value) -> TestRequest {
    TestRequest::new("POST", "/api/connections").by_member(ANA).json(body)
}

#[tokio::test]
async fn a_repeated_request_returns_the_existing_one() {
    let gateway = TestGateway::start().await;
    let body = json!({ "requesterId": ANA, "recipientId": BEN, "status": "pending" });
    let made = gateway.send(request(&body)).await;
    assert_eq!((made.status.as_u16(), &made.json()["status"]), (201, &json!("pending")));
    let body = json!({ "requesterId": BEN, "recipientId": ANA, "status": "pending" });
    let found = gateway.send(TestRequest::new("POST", "/api/connections").by_member(BEN).json(&body)).await;
    assert_eq!((found.status.as_u16(), &found.json()["requesterId"]), (200, &json!(BEN)));
}

#[tokio::test]
async fn only_own_pending_requests_are_accepted() {
    let gateway = TestGateway::start().await;
    for (body, status, field) in [
        (json!({ "requesterId": BEN, "recipientId": ANA }), 403, ""),
        (json!({ "requesterId": ANA }), 400, "recipientId"),
        (json!({ "requesterId": ANA, "recipientId": BEN, "status": "accepted" }), 400, "status"),
        (json!({ "requesterId": ANA, "recipientId": BEN, "status": "open" }), 400, "status"),
    ] {
        let problem = gateway.send(request(&body)).await.refused(status);
        assert!(field.is_empty() || problem["fields"][field].is_string(), "{problem}");
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
    for recipient in [ANA.to_string(), "x".to_owned(), String::new()] {
        let problem = gateway.send(request(&json!({ "recipientId": recipient }))).await.refused(400);
        assert!(problem["fields"]["recipientId"].is_string(), "the field has its name of REST: {problem}");
    }
}

#[tokio::test]
async fn an_answer_is_yes_or_no() {
    let gateway = TestGateway::start().await;
    let answer = |status: &str| {
        TestRequest::new("PATCH", &format!("/api/connections/{CONNECTION}"))
            .by_member(ANA)
            .json(&json!({ "status": status }))
    };
    for status in ["accepted", "rejected"] {
        let reply = gateway.send(answer(status)).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &json!(status)));
    }
    for status in ["pending", "", "Accepted"] {
        let problem = gateway.send(answer(status)).await.refused(400);
        assert_eq!(problem["fields"]["status"], "This must be one of: accepted or rejected.");
    }
    for id in ["x", "%00", &BEN.to_string()] {
        let ask = TestRequest::new("PATCH", &format!("/api/connections/{id}"))
            .by_member(ANA)
            .json(&json!({ "status": "accepted" }));
        assert_eq!(gateway.send(ask).await.refused(404)["error"], "Connection not found");
        let ask = TestRequest::new("DELETE", &format!("/api/connections/{id}")).by_member(ANA);
        assert_eq!(gateway.send(ask).await.refused(404)["error"], "Connection not found");
    }
}

#[tokio::test]
async fn accepting_opens_a_conversation_if_messaging_is_available() {
    let gateway = TestGateway::start().await;
    let answer = async |status: &str| {
        let path = format!("/api/connections/{CONNECTION}");
        let reply =
            gateway.send(TestRequest::new("PATCH", &path).by_member(ANA).json(&json!({ "status": status }))).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &json!(status)));
        assert_eq!(reply.header("x-degraded"), "");
        gateway.fakes.seen().into_iter().filter(|seen| seen.method == "open_conversation").collect::<Vec<_>>()
    };
    let opened = answer("accepted").await;
    assert!(opened.len() == 1 && opened[0].message.contains(&BEN.to_string()), "{opened:?}");
    assert!(answer("rejected").await.is_empty());

    for failure in [FakeServices::unavailable(), Failure::Panics] {
        gateway.fakes.fail("open_conversation", failure);
        answer("accepted").await;
    }
}

#[tokio::test(start_paused = true)]
async fn accepting_waits_at_most_a_second_for_the_conversation() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("open_conversation", Failure::Hangs);
    let begun = tokio::time::Instant::now();
    let accept = TestRequest::new("PATCH", &format!("/api/connections/{CONNECTION}")).by_member(ANA);
    assert_eq!(gateway.send(accept.json(&json!({ "status": "accepted" }))).await.status, 200);
    assert_eq!(begun.elapsed().as_secs(), 1);
}

#[tokio::test]
async fn a_member_unknown_to_profile_is_refused_before_social_graph_is_called() {
    let gateway = TestGateway::start().await;
    let connect = |id| request(&json!({ "recipientId": id }));
    let block = |id| TestRequest::new("PUT", &format!("/api/blocks/{id}")).by_member(ANA);
    let calls = || gateway.fakes.seen().into_iter().map(|seen| seen.method).collect::<Vec<_>>();
    let is_refused_early = |writes: &str| {
        let calls = calls();
        assert!(calls.contains(&"batch_get_members") && !calls.contains(&writes), "{calls:?}");
    };
    let problem = gateway.send(connect(UNKNOWN)).await.refused(404);
    assert_eq!((&problem["error"], &problem["code"]), (&json!("User not found"), &json!("MEMBER_NOT_FOUND")));
    is_refused_early("request_connection");
    // The gateway answers a block of an unknown id like a block of a member, and stores nothing.
    assert_eq!(gateway.send(block(UNKNOWN)).await.status, 204);
    is_refused_early("block_member");

    // Bypasses the cache: a cached card does not prove that the member still exists.
    assert_eq!(gateway.send(connect(BEN)).await.status, 201);
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
    assert_eq!(gateway.send(connect(BEN)).await.status, 201);
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);

    // With profile unavailable, no request is made.
    gateway.fakes.fail("batch_get_members", FakeServices::unavailable());
    for (ask, writes) in [(connect(BEN), "request_connection"), (block(CARL), "block_member")] {
        gateway.send(ask).await.refused(503);
        assert_eq!(gateway.fakes.count(writes), 0);
    }
}

#[tokio::test]
async fn a_member_who_blocks_the_caller_is_answered_like_an_unknown_one() {
    let gateway = TestGateway::start().await;
    let connect = |id| request(&json!({ "recipientId": id }));
    let mut unknown = gateway.send(connect(UNKNOWN)).await.refused(404);
    let blocked = Failure::With(new_status(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "Member not found"));
    gateway.fakes.fail("request_connection", blocked);
    let mut hidden = gateway.send(connect(BEN)).await.refused(404);
    for body in [&mut unknown, &mut hidden] {
        body.as_object_mut().unwrap().remove("requestId");
    }
    assert_eq!(unknown, hidden);
}

#[tokio::test]
async fn a_request_too_soon_after_a_rejection_is_a_conflict() {
    let gateway = TestGateway::start().await;
    let sentence = "You can ask this member again 30 days after they ignored your request.";
    gateway
        .fakes
        .fail("request_connection", Failure::With(new_status(ErrorKind::Conflict, "ASKED_TOO_SOON", sentence)));
    let problem = gateway.send(request(&json!({ "recipientId": BEN }))).await.refused(409);
    assert_eq!((&problem["code"], &problem["error"]), (&json!("ASKED_TOO_SOON"), &json!(sentence)));
}

#[tokio::test]
async fn blocking_and_dismissing_can_be_repeated() {
    let gateway = TestGateway::start().await;
    for (method, path, rpc) in [
        ("PUT", format!("/api/blocks/{CARL}"), "block_member"),
        ("DELETE", format!("/api/blocks/{CARL}"), "unblock_member"),
        ("DELETE", format!("/api/users/{ANA}/suggestions/{BEN}"), "dismiss_suggestion"),
    ] {
        for _ in 0..2 {
            let reply = gateway.send(TestRequest::new(method, &path).by_member(ANA)).await;
            assert_eq!((reply.status.as_u16(), reply.bytes.len()), (204, 0), "{method} {path}");
        }
        assert_eq!(gateway.fakes.count(rpc), 2);
        // Idempotent, so the gateway retries after an outage.
        gateway.fakes.fail_once(rpc, FakeServices::unavailable());
        assert_eq!(gateway.send(TestRequest::new(method, &path).by_member(ANA)).await.status, 204);
    }
    let own = gateway.send(TestRequest::new("PUT", &format!("/api/blocks/{ANA}")).by_member(ANA)).await.refused(400);
    assert!(own["fields"]["memberId"].is_string(), "{own}");
    // Dismissing a suggestion does not require the member to exist.
    assert_eq!(
        gateway.send(TestRequest::new("DELETE", &format!("/api/blocks/{UNKNOWN}")).by_member(ANA)).await.status,
        204
    );
}

#[tokio::test]
async fn blocks_contain_member_cards_and_a_next_page() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(TestRequest::new("GET", "/api/blocks?limit=1&cursor=c").by_member(ANA)).await;
    assert_eq!(reply.json()[0]["user"]["fullName"], "Carl Oduya");
    assert_eq!(reply.header("link"), "</api/blocks?limit=1&cursor=more>; rel=\"next\"");
    let message = gateway.fakes.seen().into_iter().find(|seen| seen.method == "list_blocks").unwrap().message;
    assert!(message.contains("page_size: 1") && message.contains("page_token: \"c\""), "{message}");
}

//! Reports: the owner is asked for the reported entity, feed receives the view of the reporter.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    actors::{ANA, BEN, CARL, COMMENT, JOB, MESSAGE, POST, UNKNOWN},
    fakes::FakeServices,
    test_gateway::{TestGateway, TestRequest},
};

fn report(caller: Uuid, kind: &str, id: Uuid) -> TestRequest {
    post_report(caller, json!({ "kind": kind, "id": id, "reason": "false-information" }))
}

fn post_report(caller: Uuid, body: Value) -> TestRequest {
    TestRequest::new("POST", "/api/reports").by_member(caller).json(&body)
}

/// The report that feed received.
fn received(gateway: &TestGateway) -> Vec<String> {
    let seen = gateway.fakes.seen();
    seen.into_iter().filter(|seen| seen.method == "report_item").map(|seen| seen.message).collect()
}

#[tokio::test]
async fn a_report_of_a_foreign_entity_contains_the_view_of_the_reporter() {
    let gateway = TestGateway::start().await;
    for (kind, id, method, shown) in [
        ("member", BEN, "get_member", vec!["Ben Whitlock (@ben)".to_owned(), BEN.to_string()]),
        (
            "message",
            MESSAGE,
            "get_message",
            vec!["[picture 1: A court]\\n[picture 2: without a description]\\nSee you".to_owned(), BEN.to_string()],
        ),
        (
            "job",
            JOB,
            "get_job",
            vec!["Summer associate, Firm LLP\nhttps://firm.example/1\nResearch and drafting.".to_owned()],
        ),
    ] {
        gateway.fakes.seen();
        let reply = gateway.send(report(ANA, kind, id)).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (202, 0), "{kind}");
        let seen = gateway.fakes.seen();
        assert!(seen.iter().any(|seen| seen.method == method && seen.actor == Some(ANA)), "{kind}");
        let message = &seen.iter().find(|seen| seen.method == "report_item").unwrap().message;
        assert!(shown.iter().all(|part| message.contains(part)), "{kind}: {message}");
    }
}

#[tokio::test]
async fn feed_reads_its_own_reported_entities() {
    let gateway = TestGateway::start().await;
    let body = json!({ "kind": "post", "id": POST, "reason": "other", "words": "See page 2" });
    assert_eq!(gateway.send(post_report(BEN, body)).await.status, 202);
    let message = received(&gateway).remove(0);
    assert!(message.contains("See page 2") && message.contains("excerpt: None"), "{message}");
    assert_eq!(gateway.send(report(CARL, "comment", COMMENT)).await.status, 202);
    assert!(received(&gateway)[0].contains("subject_member_id: None"));
}

#[tokio::test]
async fn an_invisible_entity_is_not_found_and_members_cannot_report_themselves() {
    let gateway = TestGateway::start().await;
    for (who, kind, id, sentence) in [
        (ANA, "member", UNKNOWN, "User not found"),
        (CARL, "message", MESSAGE, "Message not found"),
        (ANA, "job", UNKNOWN, "Job not found"),
        (ANA, "post", UNKNOWN, "Post not found"),
        (ANA, "comment", UNKNOWN, "Comment not found"),
    ] {
        assert_eq!(gateway.send(report(who, kind, id)).await.refused(404)["error"], sentence, "{kind}");
    }
    for (who, kind, id) in
        [(ANA, "member", ANA), (ANA, "post", POST), (BEN, "comment", COMMENT), (BEN, "message", MESSAGE)]
    {
        assert_eq!(gateway.send(report(who, kind, id)).await.refused(409)["error"], "You cannot report yourself");
    }
}

#[tokio::test]
async fn an_invalid_report_names_its_field() {
    let gateway = TestGateway::start().await;
    for (body, field) in [
        (json!({ "id": POST, "reason": "spam" }), "kind"),
        (json!({ "kind": "event", "id": POST, "reason": "spam" }), "kind"),
        (json!({ "kind": "post", "reason": "spam" }), "id"),
        (json!({ "kind": "message", "id": "x", "reason": "spam" }), "id"),
        (json!({ "kind": "post", "id": POST }), "reason"),
        (json!({ "kind": "post", "id": POST, "reason": "dull" }), "reason"),
        (json!({ "kind": "post", "id": POST, "reason": "spam", "words": 7 }), "words"),
    ] {
        let refused = gateway.send(post_report(ANA, body.clone())).await.refused(400);
        assert!(refused["fields"][field].is_string(), "{body}: {refused}");
    }
    assert!(received(&gateway).is_empty());
}

/// A refused report leaves no copies of the files. Without the copies, the reporter is asked to report again.
#[tokio::test]
async fn the_files_of_a_message_are_copied_after_the_report_is_recorded() {
    let gateway = TestGateway::start().await;
    let methods = |gateway: &TestGateway| -> Vec<&'static str> {
        gateway
            .fakes
            .seen()
            .into_iter()
            .map(|seen| seen.method)
            .filter(|name| name.ends_with("_message") || *name == "report_item")
            .collect()
    };
    assert_eq!(gateway.send(report(ANA, "message", MESSAGE)).await.status, 202);
    assert_eq!(methods(&gateway), ["get_message", "report_item", "preserve_message"]);
    gateway.send(report(BEN, "message", MESSAGE)).await.refused(409);
    assert_eq!(methods(&gateway), ["get_message", "report_item"]);
    gateway.fakes.fail("preserve_message", FakeServices::unavailable());
    gateway.send(report(ANA, "message", MESSAGE)).await.refused(503);
}

#[tokio::test]
async fn an_unavailable_owner_is_503() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("get_message", FakeServices::unavailable());
    gateway.send(report(ANA, "message", MESSAGE)).await.refused(503);
    assert!(received(&gateway).is_empty());
}

#[tokio::test]
async fn reports_are_limited_to_twenty_an_hour() {
    let gateway = TestGateway::start().await;
    for n in 0..20 {
        assert_eq!(gateway.send(report(BEN, "post", POST)).await.status, 202, "{n}");
    }
    let reply = gateway.send(report(BEN, "post", POST)).await;
    reply.refused(429);
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 60, "the limit is per hour");
    assert_eq!(gateway.send(report(CARL, "post", POST)).await.status, 202);
}

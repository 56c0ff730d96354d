//! Moderation: views, decisions, and the end of the role.

use portia_proto::auth::ModeratorChanged;
use serde_json::{Value, json};

use crate::{
    actors::{BEN, MESSAGE, MESSAGE_REPORT, MODERATOR, REMOVAL, REPORT},
    fakes::FakeServices,
    test_gateway::{TestGateway, TestRequest},
};

async fn get(gateway: &TestGateway, path: &str) -> Value {
    gateway.send(TestRequest::new("GET", path).by_member(MODERATOR)).await.json()
}

fn post(path: &str, body: &Value) -> TestRequest {
    TestRequest::new("POST", path).by_member(MODERATOR).json(body)
}

#[tokio::test]
async fn a_moderator_sees_reports_with_names_and_context() {
    let gateway = TestGateway::start().await;
    let listed = get(&gateway, "/api/moderation/reports?state=open&kind=comment&reason=spam").await;
    assert_eq!((&listed[0]["subject"]["fullName"], &listed[0]["reportCount"]), (&json!("Ben Whitlock"), &json!(2)));
    assert_eq!((&listed[0]["outcome"], &listed[0]["decidable"]), (&json!(null), &json!(true)));
    let found = get(&gateway, &format!("/api/moderation/reports/{REPORT}")).await;
    assert_eq!(found["statements"][0]["reporter"]["fullName"], "Carl Oduya");
    assert_eq!(found["current"]["postExcerpt"], "Passed the bar.");
    assert_eq!((&found["standing"]["suspendedAt"], &found["subjectRemoved"]), (&json!(null), &json!(1)));
    let me = get(&gateway, "/api/auth/me").await;
    assert_eq!(me["moderator"], true);
}

#[tokio::test]
async fn a_decision_names_the_moderator_and_its_reason() {
    let gateway = TestGateway::start().await;
    let body = json!({ "decision": "dismiss", "reason": "no-violation", "note": "Seen." });
    let path = format!("/api/moderation/reports/{REPORT}/decision");
    let decided = gateway.send(post(&path, &body)).await.json();
    assert_eq!(
        (&decided["outcome"], &decided["decisionReason"], &decided["decidedBy"]["fullName"]),
        (&json!("dismissed"), &json!("no-violation"), &json!("Mia Torres"))
    );
    let path = format!("/api/moderation/appeals/{REMOVAL}/decision");
    let decided = gateway.send(post(&path, &json!({ "decision": "overturn", "reason": "no-violation" }))).await.json();
    assert_eq!((&decided["appealOutcome"], &decided["restored"]), (&json!("overturned"), &json!(true)));
    let log = get(&gateway, "/api/moderation/log").await;
    assert_eq!((&log[0]["event"], &log[0]["byOperator"]), (&json!("report-dismissed"), &json!(false)));
}

#[tokio::test]
async fn an_appeal_against_a_suspension_is_listed_and_decided() {
    let gateway = TestGateway::start().await;
    let path = "/api/moderation/suspension-appeals";
    let reply = gateway.send(TestRequest::new("GET", &format!("{path}?state=open")).by_member(MODERATOR)).await;
    assert_eq!(reply.header("link"), format!("<{path}?state=open&cursor=older>; rel=\"next\""));
    let listed = reply.json();
    assert_eq!((&listed[0]["username"], &listed[0]["suspendedBy"]), (&json!("ben"), &json!("noa")));
    assert_eq!((&listed[0]["appealOutcome"], &listed[0]["decidable"]), (&json!(null), &json!(true)));
    let body = json!({ "decision": "overturn", "reason": "no-violation", "note": "Free notes." });
    let decided = gateway.send(post(&format!("{path}/{REMOVAL}/decision"), &body)).await.json();
    assert_eq!((&decided["appealOutcome"], &decided["appealDecidedBy"]), (&json!("overturned"), &json!("mia")));
    assert_eq!((&decided["appealNote"], &decided["decidable"]), (&json!("Free notes."), &json!(false)));
}

#[tokio::test]
async fn an_invalid_decision_names_its_field() {
    let gateway = TestGateway::start().await;
    let report = format!("/api/moderation/reports/{REPORT}/decision");
    let suspend = format!("/api/moderation/members/{BEN}/suspend");
    for (path, body, field) in [
        (&report, json!({ "reason": "spam" }), "decision"),
        (&report, json!({ "decision": "burn", "reason": "spam" }), "decision"),
        (&report, json!({ "decision": "remove" }), "reason"),
        (&report, json!({ "decision": "remove", "reason": "dull" }), "reason"),
        (&report, json!({ "decision": "remove", "reason": "spam", "note": 7 }), "note"),
        (&suspend, json!({}), "reason"),
    ] {
        let refused = gateway.send(post(path, &body)).await.refused(400);
        assert!(refused["fields"][field].is_string(), "{body}: {refused}");
    }
    for query in ["state=old", "kind=event", "reason=dull"] {
        let path = format!("/api/moderation/reports?{query}");
        gateway.send(TestRequest::new("GET", &path).by_member(MODERATOR)).await.refused(400);
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
}

#[tokio::test]
async fn a_suspension_ends_the_sessions_of_the_member_at_once() {
    let gateway = TestGateway::start().await;
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(BEN)).await.status, 200);
    let path = format!("/api/moderation/members/{BEN}/suspend");
    let suspended = gateway.send(post(&path, &json!({ "reason": "spam" }))).await.json();
    assert!(suspended["suspendedAt"].is_string(), "{suspended}");
    gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(BEN)).await.refused(401);
}

#[tokio::test]
async fn the_end_of_the_role_takes_effect_in_running_sessions() {
    let gateway = TestGateway::start().await;
    let stats = || TestRequest::new("GET", "/api/moderation/statistics").by_member(MODERATOR);
    assert_eq!(gateway.send(stats()).await.status, 200);
    gateway.fakes.moderators.lock().unwrap().clear();
    assert_eq!(gateway.send(stats()).await.status, 200, "the session is cached");
    gateway.fakes.publish("auth", &ModeratorChanged { member_id: MODERATOR.to_string() }).await;
    let revoked = async { while gateway.send(stats()).await.status != 404 {} };
    tokio::time::timeout(crate::fakes::SOON, revoked).await.expect("the role ends");
    let refused = gateway.send(stats()).await.refused(404);
    let unknown = gateway.send(TestRequest::new("GET", "/api/nothing").by_member(MODERATOR)).await.refused(404);
    assert_eq!((&refused["error"], &refused["code"]), (&unknown["error"], &unknown["code"]));
}

#[tokio::test]
async fn a_report_of_a_message_shows_the_copies_of_its_attachments() {
    let gateway = TestGateway::start().await;
    let found = get(&gateway, &format!("/api/moderation/reports/{MESSAGE_REPORT}")).await;
    let base = format!("/api/moderation/messages/{MESSAGE}");
    let url = format!("{base}/pictures/1");
    assert_eq!(found["pictures"][0], json!({ "url": url, "alt": "A court", "width": 1600, "height": 1200 }));
    assert_eq!(found["file"], json!({ "name": "Brief.pdf", "size": 8, "url": format!("{base}/file") }));
    let picture = gateway.send(TestRequest::new("GET", &url).by_member(MODERATOR)).await;
    assert_eq!((picture.header("content-type"), picture.header("cache-control")), ("image/jpeg", "no-store"));
    let file = gateway.send(TestRequest::new("GET", &format!("{base}/file")).by_member(MODERATOR)).await;
    assert_eq!((file.header("content-type"), file.text().as_str()), ("application/pdf", "%PDF-1.7"));
    for path in
        [format!("{base}/pictures/2"), format!("{base}/pictures/0"), "/api/moderation/messages/x/file".to_owned()]
    {
        gateway.send(TestRequest::new("GET", &path).by_member(MODERATOR)).await.refused(404);
    }
    let other = get(&gateway, &format!("/api/moderation/reports/{REPORT}")).await;
    assert_eq!((&other["pictures"], &other["file"]), (&json!([]), &json!(null)));

    gateway.fakes.fail("list_reported_attachments", FakeServices::unavailable());
    let path = format!("/api/moderation/reports/{MESSAGE_REPORT}");
    let reply = gateway.send(TestRequest::new("GET", &path).by_member(MODERATOR)).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "messaging"), "the text can be read");
}

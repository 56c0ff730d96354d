//! Verifications: the screen of a steward, the mark in every card, and the hints for equal names.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, CARL, CONVERSATION, MODERATOR, SCHOOL},
    fakes::FakeServices,
    test_gateway::{TestGateway, TestRequest},
};

async fn get(gateway: &TestGateway, path: &str) -> Value {
    gateway.send(TestRequest::new("GET", path).by_member(MODERATOR)).await.json()
}

fn verify(body: &Value) -> TestRequest {
    TestRequest::new("POST", &format!("/api/school/members/{BEN}/verify")).by_member(MODERATOR).json(body)
}

#[tokio::test]
async fn a_steward_lists_verifies_and_reads_the_log() {
    let gateway = TestGateway::start().await;
    assert_eq!(get(&gateway, "/api/auth/me").await["stewardOf"], SCHOOL);
    let listed = get(&gateway, "/api/school/members?state=verified&search=ana").await;
    let [ana, ben] = listed.as_array().unwrap().as_slice() else { panic!("{listed}") };
    assert_eq!((&ana["username"], &ana["decidable"]), (&json!("ana"), &json!(true)));
    assert_eq!((&ana["user"]["verified"], &ana["user"]["verifiedSchool"]), (&json!(true), &json!(SCHOOL)));
    assert_eq!((ben["user"].get("verified"), &ben["verifiedAt"]), (None, &json!(null)));
    let verified = gateway.send(verify(&json!({ "fullName": "Ben Whitlock", "reason": "Met." }))).await.json();
    assert_eq!(verified["user"]["verified"], true);
    let log = get(&gateway, "/api/school/decisions").await;
    assert_eq!(
        (&log[0]["user"]["fullName"], &log[0]["steward"]["fullName"]),
        (&json!("Ana Reyes"), &json!("Mia Torres"))
    );
    assert_eq!(
        (&log[0]["cause"], &log[0]["verified"], &log[0]["reason"]),
        (&json!("steward"), &json!(true), &json!("Met in class."))
    );
    let log = TestRequest::new("GET", "/api/school/decisions").by_member(MODERATOR);
    assert!(gateway.send(log).await.header("link").contains("cursor=more"));
}

#[tokio::test]
async fn others_get_the_response_of_an_unknown_route() {
    let gateway = TestGateway::start().await;
    let unknown = gateway.send(TestRequest::new("GET", "/api/nothing").by_member(BEN)).await.refused(404);
    let refused = gateway.send(TestRequest::new("GET", "/api/school/members").by_member(BEN)).await.refused(404);
    assert_eq!((&refused["error"], &refused["code"]), (&unknown["error"], &unknown["code"]));
    let me = gateway.send(TestRequest::new("GET", "/api/auth/me").by_member(BEN)).await.json();
    assert!(me.get("stewardOf").is_none(), "{me}");
}

#[tokio::test]
async fn an_invalid_decision_names_its_field() {
    let gateway = TestGateway::start().await;
    let missing = gateway.send(verify(&json!({ "fullName": "Ben Whitlock" }))).await.refused(400);
    assert!(missing["fields"]["reason"].is_string(), "{missing}");
    let wrong = gateway.send(verify(&json!({ "fullName": 7, "reason": "Met." }))).await.refused(400);
    assert!(wrong["fields"]["fullName"].is_string(), "{wrong}");
    let changed = gateway.send(verify(&json!({ "fullName": "Bob", "reason": "Met." }))).await.refused(409);
    assert_eq!(changed["code"], "NAME_CHANGED");
    let path = "/api/school/members?state=old";
    gateway.send(TestRequest::new("GET", path).by_member(MODERATOR)).await.refused(400);
}

#[tokio::test]
async fn a_verification_drops_the_cached_card() {
    let gateway = TestGateway::start().await;
    gateway.get("/api/posts").await;
    gateway.fakes.seen();
    gateway.get("/api/posts").await;
    assert_eq!(gateway.fakes.count("batch_get_members"), 0, "cached");
    gateway.send(verify(&json!({ "fullName": "Ben Whitlock", "reason": "Met." }))).await;
    gateway.fakes.seen();
    gateway.get("/api/posts").await;
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
}

#[tokio::test]
async fn namesakes_are_cards() {
    let gateway = TestGateway::start().await;
    let listed = gateway.get(&format!("/api/users/{BEN}/namesakes")).await.json();
    assert_eq!((&listed[0]["id"], &listed[0]["verified"]), (&json!(ANA), &json!(true)));
    gateway.get("/api/users/01930000-0000-7000-8000-00000000ffff/namesakes").await.refused(404);
}

#[tokio::test]
async fn a_request_names_the_connection_with_the_same_name() {
    let gateway = TestGateway::start().await;
    let pending = format!("/api/connections?recipientId={ANA}&status=pending");
    let requests = || gateway.send(TestRequest::new("GET", &pending).by_member(ANA));
    let listed = requests().await.json();
    assert_eq!((&listed[0]["user"]["id"], &listed[0]["sameName"]["id"]), (&json!(BEN), &json!(CARL)));
    gateway.fakes.fail("match_connection_names", FakeServices::unavailable());
    let degraded = requests().await;
    assert_eq!((degraded.status.as_u16(), degraded.header("x-degraded")), (200, "profile"));
    assert!(degraded.json()[0].get("sameName").is_none());
}

#[tokio::test]
async fn a_message_request_names_the_connection_with_the_same_name() {
    let gateway = TestGateway::start().await;
    let requests = TestRequest::new("GET", "/api/conversations?folder=requests").by_member(ANA);
    let listed = gateway.send(requests).await.json();
    assert_eq!((&listed[0]["otherUser"]["id"], &listed[0]["sameName"]["id"]), (&json!(BEN), &json!(CARL)));
    assert!(listed[1].get("sameName").is_none(), "of an erased account");
}

/// A conversation in the inbox has no hint, and costs no call.
#[tokio::test]
async fn the_inbox_is_not_compared() {
    let gateway = TestGateway::start().await;
    gateway.fakes.seen();
    for path in ["/api/conversations".to_owned(), format!("/api/conversations/{CONVERSATION}")] {
        gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await.json();
    }
    assert_eq!(gateway.fakes.count("match_connection_names"), 0);
}

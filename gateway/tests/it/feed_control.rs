//! Follows, feeds, hidden posts, mutes and reasons: bodies, statuses and calls.

use portia_proto::feed::{FeedKind, PostSort};
use serde_json::json;

use crate::{
    actors::{ANA, BEN, CARL, COMMUNITY, DINA, POST, UNKNOWN},
    test_gateway::{TestGateway, TestRequest},
};

#[tokio::test]
async fn followed_members_have_cards_and_a_state() {
    let gateway = TestGateway::start().await;
    let get = |path: String| TestRequest::new("GET", &path).by_member(ANA);
    let page = gateway.send(get("/api/follows?limit=1".to_owned())).await;
    assert_eq!(page.json()[0]["user"]["id"], json!(CARL));
    assert_eq!(page.header("link"), "</api/follows?limit=1&cursor=more>; rel=\"next\"");
    assert_eq!(gateway.send(get(format!("/api/follows/{CARL}"))).await.json(), json!({ "followed": true }));
    assert_eq!(gateway.send(get(format!("/api/follows/{BEN}"))).await.json(), json!({ "followed": false }));
    for missing in [UNKNOWN, DINA] {
        let follow = TestRequest::new("PUT", &format!("/api/follows/{missing}")).by_member(ANA);
        assert_eq!(gateway.send(follow).await.refused(404)["error"], "User not found");
    }
}

#[tokio::test]
async fn a_feed_is_asked_of_the_service_and_has_one_order() {
    let gateway = TestGateway::start().await;
    let get = |query: &str| TestRequest::new("GET", &format!("/api/posts?{query}")).by_member(ANA);
    for (query, feed, sort) in [
        ("feed=following", FeedKind::Following, PostSort::Recent),
        ("feed=school&sort=recent", FeedKind::School, PostSort::Recent),
        ("feed=community", FeedKind::Community, PostSort::Recent),
        ("feed=top", FeedKind::Unspecified, PostSort::Top),
        ("feed=relevant&sort=relevant", FeedKind::Unspecified, PostSort::Relevant),
        ("sort=recent", FeedKind::Unspecified, PostSort::Recent),
    ] {
        gateway.fakes.seen();
        assert_eq!(gateway.send(get(query)).await.status, 200, "{query}");
        let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "list_posts").unwrap();
        let expected = [format!("feed: {feed:?}"), format!("sort: {sort:?}")];
        assert!(expected.iter().all(|part| seen.message.contains(part)), "{query}: {}", seen.message);
    }
    assert_eq!(gateway.get("/api/posts?feed=top").await.status, 200, "for visitors too");
    assert_eq!(gateway.get("/api/posts?feed=school").await.refused(401)["error"], "Sign in required");
}

#[tokio::test]
async fn hidden_posts_mutes_and_reasons_have_these_bodies() {
    let gateway = TestGateway::start().await;
    let get = |path: &str| TestRequest::new("GET", path).by_member(ANA);
    let hidden = gateway.send(get("/api/hidden-posts")).await.json();
    assert_eq!((&hidden[0]["post"]["id"], &hidden[0]["notInterested"]), (&json!(POST), &json!(true)));
    assert!(hidden[0]["hiddenAt"].is_string());
    let mutes = gateway.send(get("/api/mutes")).await.json();
    assert_eq!(mutes[0]["word"], "bar");
    assert_eq!((&mutes[0]["kind"], &mutes[0]["expiresAt"]), (&json!("word"), &json!(null)));
    assert_eq!((&mutes[1]["user"]["id"], &mutes[1]["community"]), (&json!(CARL), &json!(null)));
    assert_eq!(mutes[2]["community"], json!({ "id": COMMUNITY, "name": "Moot Society" }));
    assert!(mutes[2]["expiresAt"].is_string());
    let reasons = gateway.send(get(&format!("/api/posts/{POST}/reasons"))).await.json();
    let reason = |kind: &str, topic: Option<&str>| json!({ "kind": kind, "topic": topic, "community": null });
    assert_eq!(reasons, json!([reason("followed-member", None), reason("topic", Some("moot"))]));
}

#[tokio::test]
async fn a_muted_member_or_community_must_exist() {
    let gateway = TestGateway::start().await;
    let mute = |kind: &str, target: serde_json::Value| {
        let body = json!({ "kind": kind, "targetId": target });
        TestRequest::new("POST", "/api/mutes").by_member(ANA).json(&body)
    };
    assert_eq!(gateway.send(mute("member", json!(BEN))).await.status, 201);
    assert_eq!(gateway.send(mute("community", json!(COMMUNITY))).await.status, 201);
    assert_eq!(gateway.send(mute("member", json!(UNKNOWN))).await.refused(404)["error"], "User not found");
    // A block hides Carl: the answer would contain the name.
    assert_eq!(gateway.send(mute("member", json!(CARL))).await.refused(404)["error"], "User not found");
    assert_eq!(gateway.send(mute("community", json!(UNKNOWN))).await.refused(404)["error"], "Community not found");
    for invalid in [json!(null), json!("1")] {
        assert!(gateway.send(mute("member", invalid)).await.refused(400)["fields"]["targetId"].is_string());
    }
    assert_eq!(gateway.fakes.count("create_mute"), 2);
}

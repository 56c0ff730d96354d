//! Communities: partial updates, authorisation, and the number of calls.

use primitives::error::{ErrorKind, new_status};
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, CARL, COMMENT, COMMUNITY, POST, id},
    fakes::Failure,
    test_gateway::{Reply, TestGateway, TestRequest},
};

fn path(part: &str) -> String {
    format!("/api/communities/{COMMUNITY}{part}")
}

async fn change(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("PATCH", &path("")).by_member(ANA).json(body)).await
}

#[tokio::test]
async fn an_absent_field_stays_and_an_empty_one_clears() {
    let gateway = TestGateway::start().await;
    for (sent, name, description, rules) in [
        (json!({}), "Law Review", json!(null), json!("Cite your sources.")),
        (json!({ "name": "Ours" }), "Ours", json!(null), json!("Cite your sources.")),
        (json!({ "description": "We cite." }), "Law Review", json!("We cite."), json!("Cite your sources.")),
        (json!({ "rules": null }), "Law Review", json!(null), json!(null)),
        (json!({ "rules": "", "description": "" }), "Law Review", json!(null), json!(null)),
        (json!({ "name": "Ours", "description": "a", "rules": "b" }), "Ours", json!("a"), json!("b")),
    ] {
        let body = change(&gateway, &sent).await.json();
        assert_eq!(
            (&body["name"], &body["description"], &body["rules"]),
            (&json!(name), &description, &rules),
            "{sent}"
        );
    }
}

#[tokio::test]
async fn clearing_the_name_is_refused_by_the_service() {
    let gateway = TestGateway::start().await;
    for cleared in [json!(null), json!("")] {
        assert_eq!(change(&gateway, &json!({ "name": cleared })).await.status, 200);
        let message = gateway.fakes.seen().into_iter().find(|seen| seen.method == "update_community").unwrap().message;
        assert!(message.contains(r#"name: """#), "the service receives the empty name: {message}");
    }
}

#[tokio::test]
async fn a_complete_update_makes_one_call() {
    let gateway = TestGateway::start().await;
    let calls = async |body: Value| {
        gateway.fakes.seen();
        assert_eq!(change(&gateway, &body).await.status, 200);
        let seen = gateway.fakes.seen().into_iter().map(|seen| seen.method);
        seen.filter(|method| *method != "resolve_session").collect::<Vec<_>>()
    };
    assert_eq!(calls(json!({ "name": "a", "description": null, "rules": "" })).await, ["update_community"]);
    assert_eq!(calls(json!({ "name": "a" })).await, ["get_community", "update_community"]);
}

#[tokio::test]
async fn a_missing_community_cannot_be_updated() {
    let gateway = TestGateway::start().await;
    let unknown = format!("/api/communities/{}", id(0xcc));
    for body in [json!({ "name": "a" }), json!({ "name": "a", "description": "b", "rules": "c" })] {
        let problem = gateway.send(TestRequest::new("PATCH", &unknown).by_member(ANA).json(&body)).await.refused(404);
        assert_eq!(problem["error"], "Community not found");
    }
    for (method, part) in [("GET", ""), ("GET", "/members"), ("PUT", "/membership"), ("DELETE", "/membership")] {
        let ask = TestRequest::new(method, &format!("{unknown}{part}")).by_member(ANA);
        assert_eq!(gateway.send(ask).await.refused(404)["error"], "Community not found", "{method} {part}");
    }
}

#[tokio::test]
async fn a_role_is_owner_moderator_or_member() {
    let gateway = TestGateway::start().await;
    let set = |member, role: Value| {
        TestRequest::new("PATCH", &path(&format!("/members/{member}"))).by_member(ANA).json(&json!({ "role": role }))
    };
    for role in ["owner", "moderator", "member"] {
        let reply = gateway.send(set(BEN, json!(role))).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["role"]), (200, &json!(role)));
    }
    for wrong in [json!("admin"), json!("Owner"), json!(""), json!(null), json!(1)] {
        assert!(gateway.send(set(BEN, wrong)).await.refused(400)["fields"]["role"].is_string());
    }
    let problem = gateway.send(set(ANA, json!("member"))).await.refused(409);
    assert_eq!(problem["error"], "A community needs an owner: make another member one first.");
    gateway.send(set(CARL, json!("owner"))).await.refused(404);
}

#[tokio::test]
async fn a_removal_bans_unless_stated_otherwise() {
    let gateway = TestGateway::start().await;
    let message = async |query: &str| {
        gateway.fakes.seen();
        let remove = TestRequest::new("DELETE", &path(&format!("/members/{BEN}{query}"))).by_member(ANA);
        assert_eq!(gateway.send(remove).await.status, 204, "{query}");
        gateway.fakes.seen().into_iter().find(|seen| seen.method == "remove_member").unwrap().message
    };
    for (query, ban, reason) in [
        ("", "ban: true", "reason: Unspecified"),
        ("?ban=true&reason=spam", "ban: true", "reason: Spam"),
        ("?ban=false&reason=off_topic", "ban: false", "reason: OffTopic"),
        ("?reason=", "ban: true", "reason: Unspecified"),
    ] {
        let message = message(query).await;
        assert!(message.contains(ban) && message.contains(reason), "{query}: {message}");
    }
    for (query, field) in [("?ban=yes", "ban"), ("?ban=", "ban"), ("?reason=Spam", "reason"), ("?reason=%00", "reason")]
    {
        let remove = TestRequest::new("DELETE", &path(&format!("/members/{BEN}{query}"))).by_member(ANA);
        assert!(gateway.send(remove).await.refused(400)["fields"][field].is_string(), "{query}");
    }
    let stranger = TestRequest::new("DELETE", &path(&format!("/members/{CARL}"))).by_member(ANA);
    assert_eq!(gateway.send(stranger).await.refused(404)["error"], "Member not found");
}

#[tokio::test]
async fn the_reason_of_a_removal_reaches_feed() {
    let gateway = TestGateway::start().await;
    for (route, method) in
        [(format!("/api/posts/{POST}"), "delete_post"), (format!("/api/comments/{COMMENT}"), "delete_comment")]
    {
        for (query, reason) in [("", "reason: Unspecified"), ("?reason=harassment", "reason: Harassment")] {
            gateway.fakes.seen();
            let delete = TestRequest::new("DELETE", &format!("{route}{query}")).by_member(ANA);
            assert!(gateway.send(delete).await.status.is_success(), "{route}{query}");
            let message = gateway.fakes.seen().into_iter().find(|seen| seen.method == method).unwrap().message;
            assert!(message.contains(reason), "{message}");
        }
        let delete = TestRequest::new("DELETE", &format!("{route}?reason=because")).by_member(ANA);
        assert!(gateway.send(delete).await.refused(400)["fields"]["reason"].is_string());
    }
}

#[tokio::test]
async fn posts_of_a_community_are_for_its_members() {
    let gateway = TestGateway::start().await;
    let posts = format!("/api/posts?communityId={COMMUNITY}&sort=top");
    assert_eq!(gateway.get(&posts).await.refused(401)["error"], "Sign in required");
    assert!(gateway.fakes.seen().is_empty(), "no service is called for a visitor");
    let refused = gateway.send(TestRequest::new("GET", &posts).by_member(CARL)).await.refused(403);
    assert_eq!(
        (&refused["code"], &refused["error"]),
        (&json!("NOT_A_MEMBER"), &json!("Join this community to see its posts."))
    );
    let reply = gateway.send(TestRequest::new("GET", &posts).by_member(BEN)).await;
    assert_eq!(reply.json()[0]["community"], json!({ "id": COMMUNITY, "name": "Law Review" }));
    assert!(reply.header("link").contains(&format!("communityId={COMMUNITY}")), "{}", reply.header("link"));
    let message = gateway.fakes.seen().into_iter().rfind(|seen| seen.method == "list_posts").unwrap().message;
    assert!(
        message.contains("sort: Recent") && message.contains(&format!("community_id: Some(\"{COMMUNITY}\")")),
        "{message}"
    );
}

#[tokio::test]
async fn a_choice_that_cannot_be_cleared_refuses_null() {
    let gateway = TestGateway::start().await;
    for field in ["visibility", "joining"] {
        let update = TestRequest::new("PATCH", &path("")).by_member(ANA).json(&json!({ (field): null }));
        let problem = gateway.send(update).await.refused(400);
        assert!(problem["fields"][field].is_string(), "{problem}");
    }
    assert_eq!(gateway.fakes.count("update_community"), 0);
}

#[tokio::test]
async fn a_post_without_a_community_is_public() {
    let gateway = TestGateway::start().await;
    let post = |body: Value| TestRequest::new("POST", "/api/posts").by_member(BEN).json(&body);
    for (body, place) in [
        (json!({ "content": "Hello" }), "community_id: None"),
        (json!({ "content": "Hello", "communityId": null }), "community_id: None"),
        (json!({ "content": "Hello", "communityId": COMMUNITY }), "community_id: Some("),
        // feed refuses an invalid id. The post must not become public.
        (json!({ "content": "Hello", "communityId": "" }), "community_id: Some(\"\")"),
    ] {
        gateway.send(post(body.clone())).await;
        let message = gateway.fakes.seen().into_iter().find(|seen| seen.method == "create_post").unwrap().message;
        assert!(message.contains(place), "{body}: {message}");
    }
    let wrong = gateway.send(post(json!({ "content": "Hello", "communityId": id(0xcc) }))).await.refused(403);
    assert_eq!(wrong["error"], "Join this community to take part in it.");
}

#[tokio::test]
async fn the_list_of_members_has_a_next_page() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get(&path("/members?limit=2")).await;
    assert_eq!(reply.header("link"), format!("<{}?limit=2&cursor=more>; rel=\"next\"", path("/members")));
    let roles: Vec<_> = reply.json().as_array().unwrap().iter().map(|member| member["role"].clone()).collect();
    assert_eq!(roles, ["owner", "member"]);
    assert_eq!(gateway.fakes.count("batch_get_members"), 1, "all cards in one call");
}

#[tokio::test]
async fn an_idempotency_key_is_forwarded_and_a_reused_one_is_422() {
    let gateway = TestGateway::start().await;
    let create = || {
        TestRequest::new("POST", "/api/communities")
            .by_member(ANA)
            .header("idempotency-key", "k-1")
            .json(&json!({ "name": "Ours" }))
    };
    let made = gateway.send(create()).await;
    assert_eq!((made.status.as_u16(), made.header("location")), (201, path("").as_str()));
    assert!(gateway.fakes.seen().iter().any(|seen| seen.message.contains("Some(\"k-1\")")));
    let reused = new_status(ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED", "This key was used for something else.");
    gateway.fakes.fail("create_community", Failure::With(reused));
    gateway.send(create()).await.refused(422);
}

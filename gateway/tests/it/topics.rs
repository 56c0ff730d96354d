//! Topics: bodies, pages, and invalid names.

use serde_json::json;

use crate::{
    actors::ANA,
    test_gateway::{TestGateway, TestRequest},
};

#[tokio::test]
async fn topics_and_their_posts_are_listed_for_everyone() {
    let gateway = TestGateway::start().await;
    let trending = json!([{ "topic": "moot", "memberCount": 2 }]);
    assert_eq!(gateway.get("/api/topics").await.json(), json!({ "followed": [], "trending": trending }));
    let own = gateway.send(TestRequest::new("GET", "/api/topics").by_member(ANA)).await.json();
    assert_eq!(own, json!({ "followed": ["civpro"], "trending": trending }));
    let page = gateway.get("/api/topics/Pi%C3%B1as/posts?limit=1").await;
    assert_eq!(page.json()[0]["user"]["id"], json!(ANA));
    assert_eq!(page.header("link"), "</api/topics/Pi%C3%B1as/posts?limit=1&cursor=page-2>; rel=\"next\"");
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
}

#[tokio::test]
async fn an_invalid_topic_is_refused() {
    let gateway = TestGateway::start().await;
    for topic in ["a", "a%20b", "%23moot", "moot%00", "%2F%2F"] {
        let problem = gateway.get(&format!("/api/topics/{topic}/posts")).await.refused(400);
        assert!(problem["fields"]["topic"].is_string(), "{topic}: {problem}");
        for method in ["PUT", "DELETE"] {
            let path = format!("/api/topics/{topic}/follow");
            gateway.send(TestRequest::new(method, &path).by_member(ANA)).await.refused(400);
        }
    }
    assert_eq!(gateway.get("/api/topics/%FF%FE/posts").await.refused(404)["error"], "Topic not found");
}

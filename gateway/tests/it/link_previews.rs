//! Previews of links: the shape in posts and in the composer, and the removal.

use portia_proto::feed;
use serde_json::{Value, json};

use crate::{
    actors::{self, ANA},
    test_gateway::{TestGateway, TestRequest},
};

fn preview(image: Option<feed::LinkPreviewImage>) -> feed::LinkPreview {
    feed::LinkPreview {
        url: "https://www.lawphil.example/case".to_owned(),
        host: "lawphil.example".to_owned(),
        title: "A case".to_owned(),
        description: String::new(),
        site: "Lawphil".to_owned(),
        image,
    }
}

fn shown(image: Value) -> Value {
    json!({ "url": "https://www.lawphil.example/case", "host": "lawphil.example", "title": "A case", "description": "",
            "site": "Lawphil", "image": image })
}

fn compose() -> TestRequest {
    TestRequest::new("POST", "/api/link-previews")
        .by_member(ANA)
        .json(&json!({ "url": "https://lawphil.example/case" }))
}

#[tokio::test]
async fn a_post_and_a_repost_contain_the_preview_of_their_link() {
    let gateway = TestGateway::start().await;
    let post = gateway.get("/api/posts").await.json()[0].clone();
    assert_eq!(post.get("linkPreview"), None);
    let image = feed::LinkPreviewImage { url: "/media/a.jpg".to_owned(), width: 640, height: 320 };
    let repost = feed::Repost { link_preview: Some(preview(None)), ..actors::repost() };
    let post = feed::Post { link_preview: Some(preview(Some(image))), repost: Some(repost), ..actors::post() };
    *gateway.fakes.post.lock().unwrap() = Some(post);
    let post = gateway.get("/api/posts").await.json()[0].clone();
    assert_eq!(post["linkPreview"], shown(json!({ "url": "/media/a.jpg", "width": 640, "height": 320 })));
    assert_eq!(post["repost"]["linkPreview"], shown(Value::Null));
    let outcome = gateway.send(compose()).await.json();
    assert_eq!((&outcome["state"], &outcome["preview"]["title"]), (&json!("ready"), &json!("A case")));
}

#[tokio::test]
async fn the_composer_asks_for_a_preview_until_it_is_known() {
    let gateway = TestGateway::start().await;
    for _ in 0..60 {
        assert_eq!(gateway.send(compose()).await.json(), json!({ "state": "pending", "preview": null }));
    }
    gateway.send(compose()).await.refused(429);
}

#[tokio::test]
async fn the_author_removes_a_preview() {
    let gateway = TestGateway::start().await;
    for removed in [true, false] {
        let body = json!({ "content": "https://lawphil.example/case", "withoutLinkPreview": removed });
        let post = TestRequest::new("POST", "/api/posts").by_member(ANA).json(&body);
        assert_eq!(gateway.send(post).await.status, 201);
        let seen = gateway.fakes.seen().into_iter().rfind(|seen| seen.method == "create_post").unwrap();
        assert!(seen.message.contains(&format!("without_link_preview: {removed}")), "{}", seen.message);
    }
}

//! Pictures for posts: upload, and their fields in posts.

use portia_proto::feed;
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, CARL, PICTURE, PICTURE_ID},
    test_gateway::{Reply, TestGateway, TestRequest},
};

/// The signature of PNG.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

async fn upload(gateway: &TestGateway, file: impl Into<axum::body::Body>, media: &str) -> Reply {
    gateway
        .send(TestRequest::new("POST", "/api/pictures").by_member(ANA).untyped(file).header("content-type", media))
        .await
}

#[tokio::test]
async fn a_picture_is_streamed_with_its_key_and_returned_as_stored() {
    let gateway = TestGateway::start().await;
    let file = [PNG, &vec![7; 3 << 20]].concat();
    let ask = TestRequest::new("POST", "/api/pictures")
        .by_member(ANA)
        .untyped(file.clone())
        .header("content-type", "image/png");
    let reply = gateway.send(ask.header("idempotency-key", "once")).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (201, PICTURE));
    assert_eq!(reply.json(), json!({ "id": PICTURE_ID, "url": PICTURE, "width": 1600, "height": 1200 }));
    let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "upload_picture").unwrap();
    assert_eq!(seen.actor, Some(ANA));
    assert!(seen.message.contains(&format!("{} bytes, at most 262144 at once", file.len())), "{}", seen.message);
    assert!(seen.message.contains("once"), "{}", seen.message);
    for media in ["image/jpeg", "IMAGE/PNG", "image/png; charset=binary"] {
        assert_eq!(upload(&gateway, PNG, media).await.status, 201, "{media}");
    }
}

#[tokio::test]
async fn an_invalid_or_too_large_picture_is_refused() {
    let gateway = TestGateway::start().await;
    for media in ["application/json", "image/gif", "image/svg+xml", "image/pngx", "", "multipart/form-data; boundary=x"]
    {
        assert_eq!(upload(&gateway, PNG, media).await.refused(415)["code"], "NOT_A_PICTURE", "{media}");
    }
    let packed =
        TestRequest::new("POST", "/api/pictures").by_member(ANA).untyped(PNG).header("content-type", "image/png");
    let packed = gateway.send(packed.header("content-encoding", "gzip")).await;
    assert_eq!(packed.refused(415)["code"], "ENCODED");
    let mut largest = PNG.to_vec();
    largest.resize((8 << 20) + 1, 0);
    assert_eq!(upload(&gateway, largest.clone(), "image/png").await.refused(413)["code"], "TOO_LARGE");
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"), "nothing is forwarded");
    largest.pop();
    assert_eq!(upload(&gateway, largest, "image/png").await.status, 201);
    for invalid in [b"".as_slice(), b"GIF89a", b"{}"] {
        let problem = upload(&gateway, invalid, "image/png").await.refused(400);
        assert!(problem["fields"]["picture"].is_string(), "{problem}");
    }
}

#[tokio::test]
async fn long_bodies_are_for_members_and_limited_by_member_and_network() {
    let gateway = TestGateway::start().await;
    let endless = || axum::body::Body::from_stream(tokio_stream::pending::<Result<bytes::Bytes, std::io::Error>>());
    let of_visitor = TestRequest::new("POST", "/api/pictures").untyped(endless()).header("content-type", "image/png");
    gateway.send(of_visitor).await.refused(401);

    // The session is cached from here on, so that the first poll reaches the body.
    assert_eq!(upload(&gateway, PNG, "image/png").await.status, 201);
    let by = |member, address: &str, body| {
        let ask = TestRequest::new("POST", "/api/pictures").by_member(member).untyped(body);
        gateway.send(ask.header("content-type", "image/png").from(address))
    };
    for member in [BEN, CARL] {
        assert_eq!(by(member, "192.0.2.1", PNG.into()).await.status, 201);
    }
    let long = || axum::body::Body::from([PNG, &vec![7; 1 << 20]].concat());
    let mut held: Vec<_> = (0..4).map(|n| Box::pin(by(ANA, &format!("192.0.2.{n}"), endless()))).collect();
    for one in &mut held {
        assert!(futures::poll!(one).is_pending());
    }
    let reply = by(ANA, "192.0.2.9", long()).await;
    assert_eq!((reply.header("retry-after"), &reply.refused(429)["code"]), ("1", &json!("RATE_LIMITED")));
    assert_eq!(by(ANA, "192.0.2.9", PNG.into()).await.status, 201, "a short body needs no slot");
    assert_eq!(by(BEN, "192.0.2.9", long()).await.status, 201, "others can upload");
    let mut network: Vec<_> = (0..4).map(|_| Box::pin(by(BEN, "192.0.2.0", endless()))).collect();
    for _ in 0..3 {
        network.push(Box::pin(by(CARL, "192.0.2.0", endless())));
    }
    for one in &mut network {
        assert!(futures::poll!(one).is_pending());
    }
    by(CARL, "192.0.2.0", long()).await.refused(429);
    assert_eq!(by(CARL, "192.0.2.9", long()).await.status, 201, "on another network");
    drop((held, network));
    assert_eq!(by(ANA, "192.0.2.0", long()).await.status, 201);
}

#[tokio::test]
async fn the_twenty_first_upload_of_an_hour_is_refused() {
    let gateway = TestGateway::start().await;
    for n in 0..20 {
        assert_eq!(upload(&gateway, PNG, "image/png").await.status, 201, "{n}");
    }
    upload(&gateway, PNG, "image/png").await.refused(429);
    let other =
        TestRequest::new("POST", "/api/pictures").by_member(BEN).untyped(PNG).header("content-type", "image/png");
    assert_eq!(gateway.send(other).await.status, 201);
}

/// Creates a post and returns the request to feed.
async fn create_post(gateway: &TestGateway, body: Value) -> String {
    gateway.fakes.seen();
    assert_eq!(gateway.send(TestRequest::new("POST", "/api/posts").by_member(ANA).json(&body)).await.status, 201);
    gateway.fakes.seen().into_iter().find(|seen| seen.method == "create_post").unwrap().message
}

#[tokio::test]
async fn the_attachments_of_a_new_post_reach_feed_unchanged() {
    let gateway = TestGateway::start().await;
    let message =
        create_post(&gateway, json!({ "content": "a", "pictureId": PICTURE_ID, "pictureAlt": "A court" })).await;
    assert!(
        message.contains(&format!("picture_id: Some(\"{PICTURE_ID}\"), picture_alt: Some(\"A court\")")),
        "{message}"
    );
    let article = "\u{f1}".repeat(40_000);
    let message = create_post(&gateway, json!({ "content": article, "title": "Rule 23" })).await;
    assert!(message.contains("title: Some(\"Rule 23\")") && message.contains(&article));
    let message = create_post(&gateway, json!({ "content": "a", "videoUrl": "https://video.example/1" })).await;
    assert!(message.contains("video_url: Some(\"https://video.example/1\")"), "{message}");
    let message = create_post(&gateway, json!({ "userId": ANA, "content": "a" })).await;
    for absent in ["title: None", "picture_id: None", "picture_alt: None", "video_url: None"] {
        assert!(message.contains(absent), "{message}");
    }
}

#[tokio::test]
async fn a_picture_of_a_post_has_its_text_and_its_size() {
    let gateway = TestGateway::start().await;
    *gateway.fakes.post.lock().unwrap() = Some(feed::Post {
        image_url: Some(PICTURE.to_owned()),
        picture: Some(feed::Picture { alt: "A court".to_owned(), width: 1600, height: 1200 }),
        title: Some("Rule 23".to_owned()),
        video_url: Some("https://video.example/1".to_owned()),
        repost: Some(feed::Repost {
            image_url: Some(PICTURE.to_owned()),
            picture: Some(feed::Picture { alt: String::new(), width: 1, height: 2 }),
            title: Some("Rule 24".to_owned()),
            video_url: Some("https://video.example/2".to_owned()),
            ..crate::actors::repost()
        }),
        ..crate::actors::post()
    });
    let post = gateway.get("/api/posts").await.json()[0].clone();
    let image = json!({ "url": PICTURE, "alt": "A court", "width": 1600, "height": 1200 });
    assert_eq!((&post["image"], &post["imageUrl"]), (&image, &json!(PICTURE)));
    assert_eq!((&post["title"], &post["videoUrl"]), (&json!("Rule 23"), &json!("https://video.example/1")));
    let repost = &post["repost"];
    assert_eq!(repost["image"], json!({ "url": PICTURE, "alt": "", "width": 1, "height": 2 }));
    assert_eq!((&repost["title"], &repost["videoUrl"]), (&json!("Rule 24"), &json!("https://video.example/2")));
}

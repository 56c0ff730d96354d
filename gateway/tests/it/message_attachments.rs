//! The attachments of messages: uploads, downloads, and their fields in messages.

use serde_json::json;
use uuid::Uuid;

use crate::{
    actors::{ANA, BEN, CARL, CONVERSATION, MESSAGE, PICTURE_ID},
    application_files::PDF,
    pictures::PNG,
    test_gateway::{TestGateway, TestRequest},
};

fn upload(path: &str, media: &str, file: impl Into<axum::body::Body>) -> TestRequest {
    upload_of(ANA, path, media, file)
}

fn upload_of(member: Uuid, path: &str, media: &str, file: impl Into<axum::body::Body>) -> TestRequest {
    TestRequest::new("POST", path).by_member(member).untyped(file).header("content-type", media)
}

fn upload_file(file: &'static [u8]) -> TestRequest {
    upload_file_of(ANA, file)
}

fn upload_file_of(member: Uuid, file: &'static [u8]) -> TestRequest {
    let upload = upload_of(member, "/api/message-files", "application/pdf", file);
    upload.header("x-file-name", "Brief%20%C3%B1.pdf")
}

#[tokio::test]
async fn uploads_are_streamed_with_their_keys() {
    let gateway = TestGateway::start().await;
    let picture = upload("/api/message-pictures", "image/png", [PNG, &vec![7; 3 << 20]].concat());
    let reply = gateway.send(picture.header("idempotency-key", "once")).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.json(), json!({ "id": PICTURE_ID, "width": 1600, "height": 1200 }));
    let reply = gateway.send(upload_file(PDF).header("idempotency-key", "twice")).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.json(), json!({ "id": PICTURE_ID, "name": "Brief \u{f1}.pdf", "size": PDF.len() }));
    let seen = gateway.fakes.seen();
    for (method, key) in [("upload_picture", "once"), ("upload_file", "twice")] {
        let seen = seen.iter().find(|seen| seen.method == method).unwrap();
        assert!(seen.actor == Some(ANA) && seen.message.contains(key), "{}", seen.message);
    }
}

#[tokio::test]
async fn other_files_are_refused() {
    let gateway = TestGateway::start().await;
    let refused = gateway.send(upload("/api/message-pictures", "image/png", "GIF89a")).await.refused(400);
    assert!(refused["fields"]["picture"].is_string());
    assert!(gateway.send(upload_file(b"PK")).await.refused(400)["fields"]["file"].is_string());
    gateway.send(upload("/api/message-pictures", "image/svg+xml", "<svg/>")).await.refused(415);
    gateway.send(upload("/api/message-files", "text/html", "<p>")).await.refused(415);
    gateway.send(upload("/api/message-files", "application/pdf", PDF)).await.refused(400);
    let mut large = PNG.to_vec();
    large.resize((8 << 20) + 1, 0);
    gateway.send(upload("/api/message-pictures", "image/png", large)).await.refused(413);
    let forwarded = gateway.fakes.seen().into_iter().filter(|seen| seen.method.starts_with("upload")).count();
    assert_eq!(forwarded, 2, "the service decides by the content");
}

#[tokio::test]
async fn uploads_are_limited_by_member() {
    let gateway = TestGateway::start().await;
    for n in 0..30 {
        assert_eq!(gateway.send(upload_file(PDF)).await.status, 201, "{n}");
    }
    gateway.send(upload_file(PDF)).await.refused(429);
    assert_eq!(gateway.send(upload_file_of(BEN, PDF)).await.status, 201);
    for n in 0..120 {
        assert_eq!(gateway.send(upload("/api/message-pictures", "image/png", PNG)).await.status, 201, "{n}");
    }
    gateway.send(upload("/api/message-pictures", "image/png", PNG)).await.refused(429);
}

#[tokio::test]
async fn attachments_are_private_and_cannot_act_on_this_origin() {
    let gateway = TestGateway::start().await;
    let picture = gateway.send(TestRequest::new("GET", &format!("/api/messages/{MESSAGE}/pictures/1")).by_member(ANA));
    let picture = picture.await;
    assert_eq!((picture.status.as_u16(), &picture.bytes[..]), (200, &b"\xff\xd8\xff jpeg"[..]));
    let file = gateway.send(TestRequest::new("GET", &format!("/api/messages/{MESSAGE}/file")).by_member(ANA)).await;
    assert_eq!((file.status.as_u16(), file.text().as_str()), (200, "%PDF-1.7"));
    for (reply, media, disposition) in [
        (&picture, "image/jpeg", "inline"),
        (
            &file,
            "application/pdf",
            "attachment; filename=\"Brief _ _.pdf\"; filename*=UTF-8''Brief%20%E2%80%94%20%C3%B1.pdf",
        ),
    ] {
        for (name, value) in [
            ("content-type", media),
            ("content-disposition", disposition),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(reply.header(name), value, "{name}");
        }
    }
}

#[tokio::test]
async fn what_the_caller_may_not_see_does_not_exist() {
    let gateway = TestGateway::start().await;
    for (who, path) in [
        (CARL, format!("/api/messages/{MESSAGE}/pictures/1")),
        (CARL, format!("/api/messages/{MESSAGE}/file")),
        (ANA, format!("/api/messages/{CONVERSATION}/file")),
        (ANA, format!("/api/messages/{MESSAGE}/pictures/2")),
        (ANA, format!("/api/messages/{MESSAGE}/pictures/0")),
        (ANA, format!("/api/messages/{MESSAGE}/pictures/-1")),
        (ANA, format!("/api/messages/{MESSAGE}/pictures/99999999999")),
        (ANA, format!("/api/messages/{MESSAGE}/pictures/1e0")),
        (ANA, "/api/messages/x/pictures/1".to_owned()),
        (ANA, "/api/messages/%ff/file".to_owned()),
    ] {
        gateway.send(TestRequest::new("GET", &path).by_member(who)).await.refused(404);
    }
}

#[tokio::test]
async fn invalid_pictures_of_a_new_message_are_named() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/conversations/{CONVERSATION}/messages");
    for (pictures, field) in [
        (json!(7), "pictures"),
        (json!({}), "pictures"),
        (json!([7]), "pictures[0]"),
        (json!([{ "id": 7 }]), "pictures[0].id"),
        (json!([{ "id": PICTURE_ID, "alt": [] }]), "pictures[0].alt"),
    ] {
        let body = json!({ "content": "a", "pictures": pictures });
        let refused = gateway.send(TestRequest::new("POST", &path).by_member(ANA).json(&body)).await.refused(400);
        assert!(refused["fields"][field].is_string(), "{refused}");
    }
}

#[tokio::test]
async fn the_attachments_of_a_new_message_reach_messaging() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/conversations/{CONVERSATION}/messages");
    for (body, expected) in [
        (
            json!({ "pictures": [{ "id": PICTURE_ID, "alt": "A court" }, { "id": PICTURE_ID }] }),
            format!(
                "pictures: [NewMessagePicture {{ picture_id: \"{PICTURE_ID}\", alt: \"A court\" }}, NewMessagePicture {{ picture_id: \"{PICTURE_ID}\", alt: \"\" }}]"
            ),
        ),
        (json!({ "content": "", "fileId": PICTURE_ID }), format!("file_id: Some(\"{PICTURE_ID}\")")),
    ] {
        gateway.fakes.seen();
        let reply = gateway.send(TestRequest::new("POST", &path).by_member(ANA).json(&body)).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        let url = format!("/api/messages/{MESSAGE}/pictures/1");
        assert_eq!(reply.json()["pictures"][0], json!({ "url": url, "alt": "A court", "width": 1600, "height": 1200 }));
        let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "send_message").unwrap();
        assert!(seen.message.contains(&expected), "{}", seen.message);
    }
}

//! PDF files and several pictures of posts: uploads, downloads, and their fields in posts.

use portia_proto::feed;
use serde_json::{Value, json};

use crate::{
    actors::{ANA, CONNECTION, PICTURE, PICTURE_ID, POST},
    application_files::PDF,
    test_gateway::{TestGateway, TestRequest},
};

fn upload(file: &'static [u8]) -> TestRequest {
    TestRequest::new("POST", "/api/pdf-files")
        .by_member(ANA)
        .untyped(file)
        .header("content-type", "application/pdf")
        .header("x-file-name", "Brief%20%C3%B1.pdf")
}

#[tokio::test]
async fn a_pdf_file_is_uploaded_with_its_name_and_key() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(upload(PDF).header("idempotency-key", "once")).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.json(), json!({ "id": PICTURE_ID, "name": "Brief \u{f1}.pdf", "size": PDF.len() }));
    let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "upload_pdf").unwrap();
    assert!(seen.actor == Some(ANA) && seen.message.contains("once"), "{}", seen.message);
    assert!(gateway.send(upload(b"PK")).await.refused(400)["fields"]["file"].is_string());
}

#[tokio::test]
async fn the_file_of_a_post_is_a_download_for_those_who_see_the_post() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get(&format!("/api/posts/{POST}/pdf")).await;
    assert_eq!((reply.status.as_u16(), reply.text().as_str()), (200, "%PDF-1.7"));
    for (name, value) in [
        ("content-type", "application/pdf"),
        (
            "content-disposition",
            "attachment; filename=\"Brief _ _.pdf\"; filename*=UTF-8''Brief%20%E2%80%94%20%C3%B1.pdf",
        ),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(reply.header(name), value, "{name}");
    }
    let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "download_pdf").unwrap();
    assert_eq!(seen.actor, None, "feed decides for a visitor");
    let other = gateway.get(&format!("/api/posts/{CONNECTION}/pdf")).await;
    assert_eq!(other.refused(404)["code"], "FILE_NOT_FOUND");
}

#[tokio::test]
async fn several_pictures_and_a_file_reach_feed() {
    let gateway = TestGateway::start().await;
    for (body, expected) in [
        (
            json!({ "pictures": [{ "id": PICTURE_ID, "alt": "A court" }, { "id": PICTURE_ID }] }),
            format!(
                "pictures: [NewPicture {{ picture_id: \"{PICTURE_ID}\", alt: \"A court\" }}, NewPicture {{ picture_id: \"{PICTURE_ID}\", alt: \"\" }}]"
            ),
        ),
        (json!({ "pdfId": PICTURE_ID }), format!("pdf_id: Some(\"{PICTURE_ID}\")")),
    ] {
        let mut body = body;
        body["content"] = "a".into();
        gateway.fakes.seen();
        let reply = gateway.send(TestRequest::new("POST", "/api/posts").by_member(ANA).json(&body)).await;
        assert_eq!(reply.status, 201);
        let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "create_post").unwrap();
        assert!(seen.message.contains(&expected), "{}", seen.message);
    }
}

#[tokio::test]
async fn a_post_lists_its_pictures_and_its_file() {
    let gateway = TestGateway::start().await;
    let picture = |alt: &str| feed::PostPicture { url: PICTURE.to_owned(), alt: alt.to_owned(), width: 4, height: 3 };
    let pdf = || Some(feed::Pdf { name: "Brief.pdf".to_owned(), size: 9 });
    *gateway.fakes.post.lock().unwrap() = Some(feed::Post {
        pictures: vec![picture("A"), picture("")],
        pdf: pdf(),
        repost: Some(feed::Repost { pictures: vec![picture("B")], pdf: pdf(), ..crate::actors::repost() }),
        ..crate::actors::post()
    });
    let post = gateway.get("/api/posts").await.json()[0].clone();
    let shown = |alt: &str| json!({ "url": PICTURE, "alt": alt, "width": 4, "height": 3 });
    assert_eq!(post["pictures"], json!([shown("A"), shown("")]));
    let file = |id: &Value| json!({ "name": "Brief.pdf", "size": 9, "url": format!("/api/posts/{}/pdf", id.as_str().unwrap()) });
    assert_eq!(post["pdf"], file(&post["id"]));
    assert_eq!(
        (&post["repost"]["pictures"], &post["repost"]["pdf"]),
        (&json!([shown("B")]), &file(&post["repost"]["id"]))
    );
}

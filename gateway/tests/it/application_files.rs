//! The files of applications: uploads, and downloads that a browser does not render.

use serde_json::json;

use crate::{
    actors::{ANA, APPLICATION, BEN},
    test_gateway::{Reply, TestGateway, TestRequest},
};

/// A file as far as the first bytes tell.
pub const PDF: &[u8] = b"%PDF-1.7\n%%EOF";

fn path(kind: &str) -> String {
    format!("/api/jobs/applications/{APPLICATION}/files/{kind}")
}

fn put(file: impl Into<axum::body::Body>) -> TestRequest {
    TestRequest::new("PUT", &path("resume"))
        .by_member(ANA)
        .untyped(file)
        .header("content-type", "application/pdf")
        .header("x-file-name", "R%C3%A9sum%C3%A9.pdf")
}

#[tokio::test]
async fn a_file_is_sent_in_chunks_with_its_name() {
    let gateway = TestGateway::start().await;
    let file = [PDF, &vec![7; 4 << 20]].concat();
    let reply = gateway.send(put(file.clone())).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let url = path("resume");
    assert_eq!(reply.json()["resume"]["url"], url);
    assert_eq!((&reply.json()["resume"]["size"], &reply.json()["coverLetter"]), (&json!(12), &json!(null)));
    let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "upload_application_file").unwrap();
    assert_eq!(seen.actor, Some(ANA));
    for part in [&format!("{} bytes, at most 262144 at once", file.len()), "Résumé.pdf", "Resume"] {
        assert!(seen.message.contains(part), "{part}: {}", seen.message);
    }
}

#[tokio::test]
async fn an_invalid_file_is_refused() {
    let gateway = TestGateway::start().await;
    let mut largest = PDF.to_vec();
    largest.resize((5 << 20) + 1, 0);
    assert_eq!(gateway.send(put(largest.clone())).await.refused(413)["code"], "TOO_LARGE");
    for media in ["application/json", "text/html", "application/pdfx", "", "multipart/form-data; boundary=x"] {
        let ask = TestRequest::new("PUT", &path("resume")).by_member(ANA).untyped(PDF).header("x-file-name", "a");
        let reply = gateway.send(ask.header("content-type", media)).await;
        assert_eq!(reply.refused(415)["code"], "NOT_A_PDF", "{media}");
    }
    let packed = gateway.send(put(PDF).header("content-encoding", "gzip")).await;
    assert_eq!(packed.refused(415)["code"], "ENCODED");
    for name in [None, Some("%ff"), Some("\u{e9}")] {
        let ask = TestRequest::new("PUT", &path("resume")).by_member(ANA).untyped(PDF);
        let ask = ask.header("content-type", "application/pdf");
        let ask = if let Some(name) = name { ask.header("x-file-name", name) } else { ask };
        assert!(gateway.send(ask).await.refused(400)["fields"]["X-File-Name"].is_string(), "{name:?}");
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"), "nothing is forwarded");
    for other in [b"".as_slice(), b"PK\x03\x04", b"<html>"] {
        assert!(gateway.send(put(other)).await.refused(400)["fields"]["file"].is_string());
    }
    largest.pop();
    assert_eq!(gateway.send(put(largest)).await.status, 200);
}

#[tokio::test]
async fn a_file_is_only_a_download() {
    let gateway = TestGateway::start().await;
    let reply: Reply = gateway.send(TestRequest::new("GET", &path("resume")).by_member(ANA)).await;
    assert_eq!((reply.status.as_u16(), reply.text().as_str()), (200, "%PDF-1.7 ..."));
    for (name, value) in [
        ("content-type", "application/pdf"),
        ("content-length", "12"),
        (
            "content-disposition",
            "attachment; filename=\"R_sum_ _Ana_.pdf\"; filename*=UTF-8''R%C3%A9sum%C3%A9%20%22Ana%22.pdf",
        ),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(reply.header(name), value, "{name}");
    }
    let ask = |path: &str, member| TestRequest::new("GET", path).by_member(member);
    assert_eq!(gateway.send(ask(&path("resume"), BEN)).await.refused(404)["code"], "APPLICATION_NOT_FOUND");
    assert_eq!(gateway.send(ask(&path("cover-letter"), ANA)).await.refused(404)["code"], "FILE_NOT_FOUND");
    gateway.fakes.seen();
    for path in [path("passport"), path("%00"), "/api/jobs/applications/x/files/resume".to_owned()] {
        gateway.send(ask(&path, ANA)).await.refused(404);
    }
    assert!(gateway.fakes.seen().is_empty(), "no service is called");
}

#[tokio::test]
async fn the_thirty_first_upload_of_an_hour_is_refused() {
    let gateway = TestGateway::start().await;
    for n in 0..30 {
        assert_eq!(gateway.send(put(PDF)).await.status, 200, "{n}");
    }
    gateway.send(put(PDF)).await.refused(429);
}

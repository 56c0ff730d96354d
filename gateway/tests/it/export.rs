//! The export of a member: the archive, and failures while it is written.

use std::{
    io::{Cursor, Read as _},
    sync::{Arc, atomic::Ordering},
};

use axum::body::Body;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use primitives::error::ErrorKind;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;
use zip::ZipArchive;

use crate::{
    actors::{ANA, BEN},
    fakes::{Failure, FakeServices, SOON},
    test_gateway::{Reply, TestGateway, TestRequest},
};

fn export() -> TestRequest {
    TestRequest::new("GET", &format!("/api/users/{ANA}/export")).by_member(ANA)
}

fn set_records(
    gateway: &TestGateway,
    service: &'static str,
    records: impl Fn(usize) -> Option<Result<(String, String), tonic::Status>> + Send + Sync + 'static,
) {
    gateway.fakes.exports.lock().unwrap().insert(service, Arc::new(records));
}

fn record(section: &str, fields: &Value) -> Option<Result<(String, String), tonic::Status>> {
    Some(Ok((section.to_owned(), fields.to_string())))
}

fn file(reply: &Reply, name: &str) -> String {
    let mut text = String::new();
    let mut zip = ZipArchive::new(Cursor::new(&reply.bytes)).unwrap();
    zip.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The bytes of a body, and whether it is complete.
async fn read(body: Body) -> (Vec<u8>, bool) {
    let mut body = body;
    let mut bytes = Vec::new();
    while let Some(frame) = timeout(SOON * 4, body.frame()).await.unwrap() {
        match frame {
            Ok(frame) => bytes.extend_from_slice(&frame.into_data().unwrap_or_default()),
            Err(_) => return (bytes, false),
        }
    }
    (bytes, true)
}

#[tokio::test]
async fn the_export_contains_the_records_of_every_service() {
    let gateway = TestGateway::start().await;
    set_records(&gateway, "feed", |n| match n {
        0 | 1 => record("posts", &json!({ "content": format!("Post {n}") })),
        2 => record("comments", &json!({ "content": "A comment" })),
        _ => None,
    });
    set_records(&gateway, "jobs", |_| None);
    let reply = gateway.send(export()).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "application/zip");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"portia-ana.zip\"");
    assert_eq!(reply.header("cache-control"), "no-store");
    let zip = ZipArchive::new(Cursor::new(&reply.bytes)).unwrap();
    assert_eq!(
        zip.file_names().map(Result::unwrap).collect::<Vec<_>>(),
        [
            "auth/records.json",
            "profile/records.json",
            "social-graph/records.json",
            "feed/posts.json",
            "feed/comments.json",
            "news/records.json",
            "messaging/records.json",
            "index.html"
        ]
    );
    let posts: Value = serde_json::from_str(&file(&reply, "feed/posts.json")).unwrap();
    assert_eq!(posts, json!([{ "content": "Post 0" }, { "content": "Post 1" }]));
    let page = file(&reply, "index.html");
    for part in ["ana on Portia", "<h2>Account</h2>", "<td>Post 1</td>", "<h2>Jobs</h2>\n<p>Nothing.</p>"] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    let exports = gateway.fakes.seen().into_iter().filter(|seen| seen.method.starts_with("export_member"));
    assert!(exports.map(|seen| seen.actor).eq([Some(ANA); 7]), "every service is called as the member");
}

#[tokio::test]
async fn texts_of_members_are_escaped_in_the_export() {
    let gateway = TestGateway::start().await;
    let hostile = "</td></table><script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}";
    let fields = json!({ hostile: hostile, "nested": { hostile: [hostile] } });
    set_records(&gateway, "profile", move |n| (n == 0).then(|| Ok(("profile".to_owned(), fields.to_string()))));
    let reply = gateway.send(export()).await;
    let page = file(&reply, "index.html");
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    let stored: Value = serde_json::from_str(&file(&reply, "profile/profile.json")).unwrap();
    assert_eq!(stored[0][hostile], hostile, "the JSON is not escaped");
}

#[tokio::test]
async fn a_service_that_fails_during_the_export_breaks_the_download() {
    let failed = || Some(Err(tonic::Status::internal("gone")));
    for service in ["auth", "feed", "messaging"] {
        for good in [0, 3] {
            let gateway = TestGateway::start().await;
            set_records(
                &gateway,
                service,
                move |n| if n < good { record("records", &json!({ "n": n })) } else { failed() },
            );
            let response = gateway.begin(export()).await;
            assert_eq!(response.status(), 200);
            let (bytes, is_whole) = read(response.into_body()).await;
            assert!(!is_whole, "{service} after {good}");
            assert!(
                ZipArchive::new(Cursor::new(bytes)).is_err(),
                "{service} after {good}: the bytes are not an archive"
            );
        }
    }
}

#[tokio::test]
async fn an_invalid_record_breaks_the_download() {
    for (section, json) in [("records", "no json"), ("../records", "{}"), ("records", "[]")] {
        let gateway = TestGateway::start().await;
        set_records(&gateway, "jobs", move |n| (n == 0).then(|| Ok((section.to_owned(), json.to_owned()))));
        let (bytes, is_whole) = read(gateway.begin(export()).await.into_body()).await;
        assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err(), "{section} {json}");
    }
}

#[tokio::test]
async fn a_service_unavailable_at_the_start_fails_the_export() {
    for (method, status) in [("get_member", 503), ("export_member of auth", 503)] {
        let gateway = TestGateway::start().await;
        gateway.fakes.fail(method, FakeServices::unavailable());
        gateway.send(export()).await.refused(status);
    }
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("export_member of jobs", Failure::Panics);
    let (bytes, is_whole) = read(gateway.begin(export()).await.into_body()).await;
    assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err());
}

#[tokio::test]
async fn an_export_ends_when_the_member_signs_out() {
    let gateway = TestGateway::start().await;
    let fakes = Arc::clone(&gateway.fakes);
    let clock = gateway.clock.clone();
    set_records(&gateway, "profile", move |n| {
        fakes.sessions.lock().unwrap().clear();
        clock.advance(chrono::TimeDelta::seconds(11));
        (n == 0).then(|| Ok(("profile".to_owned(), "{}".to_owned())))
    });
    let (bytes, is_whole) = read(gateway.begin(export()).await.into_body()).await;
    assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err());
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method != "export_member of feed"));
}

#[tokio::test]
async fn an_export_is_for_the_owner_and_limited_to_five_an_hour() {
    let gateway = TestGateway::start().await;
    gateway.send(TestRequest::new("GET", &format!("/api/users/{ANA}/export")).by_member(BEN)).await.refused(403);
    gateway.send(TestRequest::new("GET", &format!("/api/users/{ANA}/export"))).await.refused(401);
    for _ in 0..5 {
        assert_eq!(gateway.send(export()).await.status, 200);
    }
    gateway.send(export()).await.refused(429);
}

#[tokio::test]
async fn a_refused_export_does_not_count() {
    let gateway = TestGateway::start().await;
    let sentence = "Please confirm that it is you to continue.";
    gateway
        .fakes
        .fail("export_member of auth", FakeServices::refusal(ErrorKind::Forbidden, "STEP_UP_REQUIRED", sentence));
    for _ in 0..10 {
        gateway.send(export()).await.refused(403);
    }
    gateway.fakes.heal();
    for _ in 0..5 {
        assert_eq!(gateway.send(export()).await.status, 200);
    }
    gateway.send(export()).await.refused(429);
}

/// About two kilobytes of incompressible text.
fn noise(n: usize) -> String {
    (0..48_u8).map(|part| STANDARD.encode(Sha256::digest([&n.to_be_bytes()[..], &[part]].concat()))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_slows_down_the_services() {
    const RECORDS: usize = 5_000;
    /// The bound of all buffers: channels, gRPC and compression. Far below the ten megabytes of the export.
    const MAX_BUFFERED: usize = 1 << 20;
    let gateway = TestGateway::start().await;
    set_records(&gateway, "feed", |n| {
        (n < RECORDS).then(|| Ok(("posts".to_owned(), json!({ "text": noise(n) }).to_string())))
    });
    let mut body = gateway.begin(export()).await.into_body();
    let (mut read, mut most) = (Vec::<u8>::new(), 0);
    while let Some(frame) = timeout(SOON * 12, body.frame()).await.unwrap() {
        let chunk: Bytes = frame.unwrap().into_data().unwrap();
        read.extend_from_slice(&chunk);
        // Lets the other tasks run ahead.
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
        // Base64 compresses to three quarters. The difference between exported and read bytes is buffered.
        let ahead = gateway.fakes.exported.load(Ordering::Relaxed).saturating_sub(read.len() * 4 / 3);
        most = most.max(ahead);
        assert!(ahead <= MAX_BUFFERED, "{ahead} bytes ahead of {} that were read", read.len());
    }
    let exported = gateway.fakes.exported.load(Ordering::Relaxed);
    assert!(exported > 10 << 20, "{exported} bytes");
    let reply = Reply { status: http::StatusCode::OK, headers: http::HeaderMap::new(), bytes: read };
    let posts: Vec<Value> = serde_json::from_str(&file(&reply, "feed/posts.json")).unwrap();
    assert_eq!(posts.len(), RECORDS);
    assert_eq!(file(&reply, "index.html").matches("<tr><td>").count(), RECORDS + 6);
    println!("{exported} bytes exported, at most {most} of them buffered");
}

#[tokio::test]
async fn a_disconnected_browser_ends_the_export() {
    let gateway = TestGateway::start().await;
    set_records(&gateway, "feed", |n| record("posts", &json!({ "text": noise(n) })));
    let mut body = gateway.begin(export()).await.into_body();
    assert!(timeout(SOON, body.frame()).await.unwrap().unwrap().is_ok());
    drop(body);
    // The gateway drops an endless stream of a service.
    let records = gateway.fakes.exports.lock().unwrap().remove("feed").unwrap();
    let dropped = async {
        while Arc::strong_count(&records) > 1 {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, dropped).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_stalled_browser_times_out() {
    let gateway = TestGateway::start().await;
    set_records(&gateway, "feed", |n| record("posts", &json!({ "text": noise(n) })));
    let records = Arc::clone(&gateway.fakes.exports.lock().unwrap()["feed"]);
    let body = gateway.begin(export()).await.into_body();
    let begun = std::time::Instant::now();
    while Arc::strong_count(&records) < 3 && begun.elapsed() < SOON {
        tokio::task::yield_now().await;
    }
    let waited = tokio::time::Instant::now();
    while Arc::strong_count(&records) > 2 && begun.elapsed() < SOON * 4 {
        tokio::time::advance(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(Arc::strong_count(&records), 2, "the stream of the service is dropped");
    assert!(waited.elapsed().as_secs() >= 60, "{:?}", waited.elapsed());
    let (bytes, is_whole) = read(body).await;
    assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err());
}

//! Everything Portia keeps of a member: the archive, and what happens when it cannot be completed.

use std::{
    io::{Cursor, Read as _},
    sync::{Arc, atomic::Ordering},
};

use axum::body::Body;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;
use zip::ZipArchive;

use crate::{
    actors::{ANA, BEN},
    fakes::{Failure, FakeServices, SOON},
    test_gateway::{Ask, Reply, TestGateway},
};

fn ask() -> Ask {
    Ask::new("GET", &format!("/api/users/{ANA}/export")).of(ANA)
}

fn tells(
    gateway: &TestGateway,
    service: &'static str,
    told: impl Fn(usize) -> Option<Result<(String, String), tonic::Status>> + Send + Sync + 'static,
) {
    gateway.fakes.exports.lock().unwrap().insert(service, Arc::new(told));
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

/// As much of a body as comes, and whether that was all of it.
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
    tells(&gateway, "feed", |n| match n {
        0 | 1 => record("posts", &json!({ "content": format!("Post {n}") })),
        2 => record("comments", &json!({ "content": "A comment" })),
        _ => None,
    });
    tells(&gateway, "jobs", |_| None);
    let reply = gateway.send(ask()).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "application/zip");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"portia-ana.zip\"");
    assert_eq!(reply.header("cache-control"), "no-store");
    let zip = ZipArchive::new(Cursor::new(&reply.bytes)).unwrap();
    assert_eq!(
        zip.file_names().map(Result::unwrap).collect::<Vec<_>>(),
        [
            "auth/things.json",
            "profile/things.json",
            "social-graph/things.json",
            "feed/posts.json",
            "feed/comments.json",
            "news/things.json",
            "messaging/things.json",
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
    assert!(exports.map(|seen| seen.actor).eq([Some(ANA); 7]), "each is asked as the member");
}

#[tokio::test]
async fn texts_of_members_are_escaped_in_the_export() {
    let gateway = TestGateway::start().await;
    let hostile = "</td></table><script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}";
    let fields = json!({ hostile: hostile, "nested": { hostile: [hostile] } });
    tells(&gateway, "profile", move |n| (n == 0).then(|| Ok(("profile".to_owned(), fields.to_string()))));
    let reply = gateway.send(ask()).await;
    let page = file(&reply, "index.html");
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    let kept: Value = serde_json::from_str(&file(&reply, "profile/profile.json")).unwrap();
    assert_eq!(kept[0][hostile], hostile, "the JSON has it as it was");
}

#[tokio::test]
async fn a_service_that_fails_half_way_breaks_the_download() {
    let failed = || Some(Err(tonic::Status::internal("gone")));
    for service in ["auth", "feed", "messaging"] {
        for good in [0, 3] {
            let gateway = TestGateway::start().await;
            tells(&gateway, service, move |n| if n < good { record("things", &json!({ "n": n })) } else { failed() });
            let response = gateway.begin(ask()).await;
            assert_eq!(response.status(), 200);
            let (bytes, is_whole) = read(response.into_body()).await;
            assert!(!is_whole, "{service} after {good}");
            assert!(ZipArchive::new(Cursor::new(bytes)).is_err(), "{service} after {good}: what came is no archive");
        }
    }
}

#[tokio::test]
async fn a_record_that_is_none_breaks_it_too() {
    for (section, json) in [("things", "no json"), ("../things", "{}"), ("things", "[]")] {
        let gateway = TestGateway::start().await;
        tells(&gateway, "jobs", move |n| (n == 0).then(|| Ok((section.to_owned(), json.to_owned()))));
        let (bytes, is_whole) = read(gateway.begin(ask()).await.into_body()).await;
        assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err(), "{section} {json}");
    }
}

#[tokio::test]
async fn a_service_unavailable_at_the_start_fails_the_export() {
    for (method, status) in [("get_member", 503), ("export_member of auth", 503)] {
        let gateway = TestGateway::start().await;
        gateway.fakes.fail(method, FakeServices::away());
        gateway.send(ask()).await.refused(status);
    }
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("export_member of jobs", Failure::Panics);
    let (bytes, is_whole) = read(gateway.begin(ask()).await.into_body()).await;
    assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err());
}

#[tokio::test]
async fn an_export_ends_when_the_member_signs_out() {
    let gateway = TestGateway::start().await;
    let fakes = Arc::clone(&gateway.fakes);
    let clock = gateway.clock.clone();
    tells(&gateway, "profile", move |n| {
        fakes.sessions.lock().unwrap().clear();
        clock.advance(chrono::TimeDelta::seconds(11));
        (n == 0).then(|| Ok(("profile".to_owned(), "{}".to_owned())))
    });
    let (bytes, is_whole) = read(gateway.begin(ask()).await.into_body()).await;
    assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err());
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method != "export_member of feed"));
}

#[tokio::test]
async fn only_the_owner_and_five_times_an_hour() {
    let gateway = TestGateway::start().await;
    gateway.send(Ask::new("GET", &format!("/api/users/{ANA}/export")).of(BEN)).await.refused(403);
    gateway.send(Ask::new("GET", &format!("/api/users/{ANA}/export"))).await.refused(401);
    for _ in 0..5 {
        assert_eq!(gateway.send(ask()).await.status, 200);
    }
    gateway.send(ask()).await.refused(429);
}

/// Some two kilobytes of text that no compression makes much shorter.
fn noise(n: usize) -> String {
    (0..48_u8).map(|part| STANDARD.encode(Sha256::digest([&n.to_be_bytes()[..], &[part]].concat()))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_holds_everybody_back() {
    const RECORDS: usize = 5_000;
    /// Channels, buffers of gRPC and of the packing, and what a chunk of noise unpacks to: far from the ten megabytes.
    const UNDER_WAY: usize = 1 << 20;
    let gateway = TestGateway::start().await;
    tells(&gateway, "feed", |n| {
        (n < RECORDS).then(|| Ok(("posts".to_owned(), json!({ "text": noise(n) }).to_string())))
    });
    let mut body = gateway.begin(ask()).await.into_body();
    let (mut read, mut most) = (Vec::<u8>::new(), 0);
    while let Some(frame) = timeout(SOON * 12, body.frame()).await.unwrap() {
        let chunk: Bytes = frame.unwrap().into_data().unwrap();
        read.extend_from_slice(&chunk);
        // Everybody else gets every chance to run ahead.
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
        // Noise in base64 packs to three quarters: what more was told than was read is under way.
        let ahead = gateway.fakes.exported.load(Ordering::Relaxed).saturating_sub(read.len() * 4 / 3);
        most = most.max(ahead);
        assert!(ahead <= UNDER_WAY, "{ahead} bytes ahead of {} that were read", read.len());
    }
    let told = gateway.fakes.exported.load(Ordering::Relaxed);
    assert!(told > 10 << 20, "{told} bytes");
    let reply = Reply { status: http::StatusCode::OK, headers: http::HeaderMap::new(), bytes: read };
    let posts: Vec<Value> = serde_json::from_str(&file(&reply, "feed/posts.json")).unwrap();
    assert_eq!(posts.len(), RECORDS);
    assert_eq!(file(&reply, "index.html").matches("<tr><td>").count(), RECORDS + 6);
    println!("{told} bytes told, never more than {most} of them ahead of the reader");
}

#[tokio::test]
async fn a_browser_that_leaves_ends_it() {
    let gateway = TestGateway::start().await;
    tells(&gateway, "feed", |n| record("posts", &json!({ "text": noise(n) })));
    let mut body = gateway.begin(ask()).await.into_body();
    assert!(timeout(SOON, body.frame()).await.unwrap().unwrap().is_ok());
    drop(body);
    // The gateway drops an endless stream of a service.
    let told = gateway.fakes.exports.lock().unwrap().remove("feed").unwrap();
    let let_go = async {
        while Arc::strong_count(&told) > 1 {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, let_go).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_browser_that_takes_nothing_is_not_waited_for() {
    let gateway = TestGateway::start().await;
    tells(&gateway, "feed", |n| record("posts", &json!({ "text": noise(n) })));
    let told = Arc::clone(&gateway.fakes.exports.lock().unwrap()["feed"]);
    let body = gateway.begin(ask()).await.into_body();
    let begun = std::time::Instant::now();
    while Arc::strong_count(&told) < 3 && begun.elapsed() < SOON {
        tokio::task::yield_now().await;
    }
    let waited = tokio::time::Instant::now();
    while Arc::strong_count(&told) > 2 && begun.elapsed() < SOON * 4 {
        tokio::time::advance(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(Arc::strong_count(&told), 2, "the endless neighbour is let go");
    assert!(waited.elapsed().as_secs() >= 60, "{:?}", waited.elapsed());
    let (bytes, is_whole) = read(body).await;
    assert!(!is_whole && ZipArchive::new(Cursor::new(bytes)).is_err());
}

//! Pictures: headers, caching, audiences, invalid names, limits.

use std::time::{Duration, Instant};

use chassis::config::Source;
use chrono::TimeDelta;
use futures::future::join_all;
use picture_store::{Name, Picture, Pictures};
use tempfile::TempDir;

use crate::{
    actors::{ANA, BEN},
    fakes::{Failure, FakeServices},
    test_gateway::{Reply, TestGateway, TestRequest},
};

const JPEG: &[u8] = b"\xff\xd8 a picture \xff\xd9";

/// A gateway with a folder of one picture, and the URL of the picture.
async fn open() -> (TestGateway, String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let pictures = Pictures::open(&Source::default().with("pictures_url", folder.path())).unwrap();
    let name = Name::from_hash(&"0123456789abcdef".repeat(4)).unwrap();
    pictures.put(&Picture { name: name.clone(), jpeg: JPEG.into(), width: 1, height: 1 }).await.unwrap();
    let gateway = TestGateway::start_with(|source| source.with("pictures_url", folder.path())).await;
    (gateway, name.address(), folder)
}

#[tokio::test]
async fn a_picture_of_a_public_profile_is_cached_for_a_day() {
    let (gateway, address, _folder) = open().await;
    for ask in [
        TestRequest::new("GET", &address),
        TestRequest::new("GET", &address).by_member(ANA),
        TestRequest::new("HEAD", &address),
    ] {
        let reply = gateway.send(ask).await;
        assert_eq!(reply.status, 200);
        assert!(reply.bytes == JPEG || reply.bytes.is_empty());
        for (name, value) in [
            ("content-type", "image/jpeg"),
            ("cache-control", "public, max-age=86400"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "same-origin"),
            ("set-cookie", ""),
        ] {
            assert_eq!(reply.header(name), value, "{name}");
        }
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
    }
    let seen = gateway.fakes.seen();
    assert!(seen.iter().all(|seen| seen.method == "check_picture"), "a public picture needs no session: {seen:?}");
}

/// Waits until the picture has a status. Answers of the owner are kept for two seconds; five are promised.
pub async fn until(gateway: &TestGateway, status: u16, request: impl Fn() -> TestRequest) -> Reply {
    let limit = Instant::now() + Duration::from_secs(60);
    loop {
        let reply = gateway.send(request()).await;
        if reply.status == status {
            return reply;
        }
        assert!(Instant::now() < limit, "still {}, not {status}", reply.status);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_answer_about_a_picture_is_older_than_two_seconds_in_no_request() {
    let (gateway, address, _folder) = open().await;
    for (is_shown, status) in [(true, 200), (false, 404), (true, 200)] {
        gateway.fakes.show_pictures(move |_, _| is_shown);
        gateway.clock.advance(TimeDelta::seconds(2));
        assert_eq!(gateway.send(TestRequest::new("GET", &address)).await.status, status);
    }
}

#[tokio::test]
async fn a_hidden_picture_is_not_found_until_it_is_shown_again() {
    let (gateway, address, _folder) = open().await;
    let get = || TestRequest::new("GET", &address);
    assert_eq!(gateway.send(get()).await.status, 200);
    let tag = gateway.send(get()).await.header("etag").to_owned();
    gateway.fakes.show_pictures(|_, _| false);
    let hidden = until(&gateway, 404, get).await;
    assert_eq!((hidden.header("cache-control"), hidden.bytes.len()), ("no-store", 0));
    for ask in [get().by_member(ANA), get().header("if-none-match", &tag), TestRequest::new("HEAD", &address)] {
        assert_eq!(gateway.send(ask).await.status, 404);
    }
    gateway.fakes.show_pictures(|_, _| true);
    until(&gateway, 200, get).await;
}

#[tokio::test]
async fn a_picture_of_a_restricted_profile_is_for_its_audience() {
    let (gateway, address, _folder) = open().await;
    let get = || TestRequest::new("GET", &address);
    gateway.fakes.show_pictures(|_, viewer| viewer == Some(ANA.to_string().as_str()));
    for ask in [get(), get().by_member(BEN), get().header("cookie", "portia_session=x")] {
        let reply = gateway.send(ask).await;
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (404, "no-store"));
    }
    let shared = gateway.send(get().by_member(ANA)).await;
    assert_eq!(shared.header("cache-control"), "no-store", "a shared computer stores no private picture");
    let device = format!("portia_own_device={ANA}");
    let shown = gateway.send(get().by_member(ANA).header("cookie", &device)).await;
    assert_eq!((shown.status.as_u16(), shown.bytes.as_slice()), (200, JPEG));
    assert_eq!(shown.header("cache-control"), "private, max-age=0, must-revalidate");
    gateway.fakes.show_pictures(|_, _| false);
    until(&gateway, 404, || get().by_member(ANA)).await;
}

#[tokio::test]
async fn concurrent_requests_for_a_picture_share_one_question() {
    let (gateway, address, _folder) = open().await;
    let slow = Failure::Takes(Duration::from_millis(100), Ok(()));
    gateway.fakes.fail_once("check_picture", slow);
    let replies = join_all((0..20).map(|_| gateway.get(&address))).await;
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(gateway.fakes.count("check_picture"), 1);
}

#[tokio::test]
async fn a_picture_whose_owner_does_not_answer_is_503_and_asked_about_again() {
    let (gateway, address, _folder) = open().await;
    gateway.fakes.fail("check_picture", FakeServices::unavailable());
    let reply = gateway.get(&address).await;
    assert_eq!(reply.refused(503)["code"], "PICTURES_UNAVAILABLE");
    gateway.fakes.heal();
    until(&gateway, 200, || TestRequest::new("GET", &address)).await;
}

#[tokio::test]
async fn a_cached_file_is_not_sent_again() {
    let (gateway, address, _folder) = open().await;
    let tag = gateway.get(&address).await.header("etag").to_owned();
    assert_eq!(tag, format!("\"{}\"", "0123456789abcdef".repeat(4)));
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let reply = gateway.send(TestRequest::new("GET", &address).header("if-none-match", &known)).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (304, 0), "{known}");
        assert_eq!(reply.header("etag"), tag);
        assert_eq!(reply.header("cache-control"), "public, max-age=86400");
    }
    assert_eq!(gateway.send(TestRequest::new("GET", &address).header("if-none-match", "\"x\"")).await.status, 200);
}

#[tokio::test]
async fn an_invalid_picture_name_is_not_found() {
    let (gateway, address, folder) = open().await;
    std::fs::write(folder.path().join("secret.jpg"), "secret").unwrap();
    let unknown = format!("/media/{}.jpg", "f".repeat(64));
    let escaped = address.replace("0123", "%30123");
    let upper = address.to_uppercase().replace("/MEDIA/", "/media/").replace(".JPG", ".jpg");
    let paths = [
        unknown.as_str(),
        &escaped,
        &upper,
        "/media/secret.jpg",
        "/media/x.jpg",
        "/media/..%2fsecret.jpg",
        "/media/%2e%2e%2fsecret.jpg",
        "/media/%00",
        "/media/%ff",
        &address.replace(".jpg", ".png"),
        &address.replace(".jpg", ""),
    ];
    for path in paths {
        let reply: Reply = gateway.get(path).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (404, 0), "{path}");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}: not cached");
    }
    let reply = gateway.send(TestRequest::new("POST", &address)).await;
    reply.refused(405);
}

#[tokio::test]
async fn an_unavailable_store_is_503() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("pictures");
    let gateway = TestGateway::start_with(|source| source.with("pictures_url", &store)).await;
    // A file in place of the folder makes the store fail, also for root.
    std::fs::write(&store, "").unwrap();
    let reply = gateway.get(&format!("/media/{}.jpg", "0".repeat(64))).await;
    assert_eq!(reply.refused(503)["code"], "PICTURES_UNAVAILABLE");
}

#[tokio::test]
async fn pictures_have_their_own_limit() {
    let (gateway, address, _folder) = open().await;
    // Buckets of the local store expire in real time, not by the clock of the test.
    let mut shown = 0;
    while shown < 6_000 && gateway.get(&address).await.status == 200 {
        shown += 1;
    }
    assert!((3_000..6_000).contains(&shown), "{shown}");
    gateway.get(&address).await.refused(429);
    assert_eq!(gateway.get("/api/posts").await.status, 200);
}

//! Pictures: headers, caching, invalid names, limits.

use chassis::config::Source;
use picture_store::{Name, Picture, Pictures};
use tempfile::TempDir;

use crate::{
    actors::ANA,
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
async fn a_picture_is_public_and_immutable() {
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
            ("cache-control", "public, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "same-origin"),
            ("set-cookie", ""),
        ] {
            assert_eq!(reply.header(name), value, "{name}");
        }
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
    }
    assert!(gateway.fakes.seen().is_empty(), "no service is called");
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
        assert!(reply.header("cache-control").contains("immutable"));
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
    assert_eq!(reply.refused(503)["code"], "PICTURES_AWAY");
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

//! Pictures as browsers get them.

use chassis::config::Source;
use picture_store::{Name, Picture, Pictures};
use tempfile::TempDir;

use crate::{
    cast::ANA,
    door::{Ask, Door, Reply},
};

const JPEG: &[u8] = b"\xff\xd8 a picture \xff\xd9";

/// A door on a folder with one picture; its address.
async fn open() -> (Door, String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let pictures = Pictures::open(&Source::default().with("pictures_url", folder.path())).unwrap();
    let name = Name::from_hash(&"0123456789abcdef".repeat(4)).unwrap();
    pictures.put(&Picture { name: name.clone(), jpeg: JPEG.into(), width: 1, height: 1 }).await.unwrap();
    let door = Door::with(|source| source.with("pictures_url", folder.path())).await;
    (door, name.address(), folder)
}

#[tokio::test]
async fn a_picture_is_for_everybody_and_for_ever() {
    let (door, address, _folder) = open().await;
    for ask in [Ask::new("GET", &address), Ask::new("GET", &address).of(ANA), Ask::new("HEAD", &address)] {
        let reply = door.send(ask).await;
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
    assert!(door.world.seen().is_empty(), "nobody is asked who is looking");
}

#[tokio::test]
async fn what_a_browser_has_is_not_sent_again() {
    let (door, address, _folder) = open().await;
    let tag = door.get(&address).await.header("etag").to_owned();
    assert_eq!(tag, format!("\"{}\"", "0123456789abcdef".repeat(4)));
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let reply = door.send(Ask::new("GET", &address).header("if-none-match", &known)).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (304, 0), "{known}");
        assert_eq!(reply.header("etag"), tag);
        assert!(reply.header("cache-control").contains("immutable"));
    }
    assert_eq!(door.send(Ask::new("GET", &address).header("if-none-match", "\"x\"")).await.status, 200);
}

#[tokio::test]
async fn what_is_no_name_of_a_picture_is_nothing() {
    let (door, address, folder) = open().await;
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
        let reply: Reply = door.get(path).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (404, 0), "{path}");
        assert_eq!(reply.header("cache-control"), "no-store", "{path}: the next moment may have it");
    }
    let reply = door.send(Ask::new("POST", &address)).await;
    reply.refused(405);
}

#[tokio::test]
async fn without_its_store_a_picture_is_away_and_not_gone() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("pictures");
    let door = Door::with(|source| source.with("pictures_url", &store)).await;
    // A file where a folder should be: the store fails, whoever runs the test.
    std::fs::write(&store, "").unwrap();
    let reply = door.get(&format!("/media/{}.jpg", "0".repeat(64))).await;
    assert_eq!(reply.refused(503)["code"], "PICTURES_AWAY");
}

#[tokio::test]
async fn pictures_are_no_visitor_reads_but_bounded_all_the_same() {
    let (door, address, _folder) = open().await;
    // The first few of them are forgotten within milliseconds of real time, whatever the test's clock says.
    let mut shown = 0;
    while shown < 6_000 && door.get(&address).await.status == 200 {
        shown += 1;
    }
    assert!((3_000..6_000).contains(&shown), "{shown}");
    door.get(&address).await.refused(429);
    assert_eq!(door.get("/api/posts").await.status, 200);
}

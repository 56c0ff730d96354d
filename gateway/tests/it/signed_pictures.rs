//! Signed addresses of the pictures of posts: given with the post, and not found without a valid signature.

use chassis::config::Source;
use chrono::TimeDelta;
use gateway::edge::signed_addresses::{SignedAddresses, Viewer};
use picture_store::{Name, Picture, Pictures};
use portia_proto::{auth::ModeratorChanged, feed};
use primitives::clock::Clock;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    actors::{ANA, BEN, COMMUNITY, MODERATOR, noon, post, repost},
    fakes::FakeServices,
    media::until,
    test_gateway::{PICTURE_KEY, TestGateway, TestRequest},
};

const JPEG: &[u8] = b"\xff\xd8 a picture \xff\xd9";
const PUBLIC: &str = "public, max-age=86400";

fn name(hex: &str) -> Name {
    Name::from_hash(&hex.repeat(64)).unwrap()
}

/// A store with the pictures `a` and `b` of posts, and the picture `c` of a member.
async fn store() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pictures = Pictures::open(&Source::default().with("pictures_url", folder.path())).unwrap();
    let picture = |hex| Picture { name: name(hex), jpeg: JPEG.into(), width: 4, height: 3 };
    for hex in ["a", "b"] {
        pictures.signed().put(&picture(hex)).await.unwrap();
    }
    pictures.put(&picture("c")).await.unwrap();
    folder
}

async fn start(store: &TempDir) -> TestGateway {
    TestGateway::start_with(|source| source.with("pictures_url", store.path())).await
}

/// A post with a picture, another one and a link preview.
fn illustrated(is_public: bool) -> feed::Post {
    let (one, other) = (name("a").signed_address(), name("b").signed_address());
    let shown = |url: &str| feed::PostPicture { url: url.to_owned(), alt: String::new(), width: 4, height: 3 };
    let image = Some(feed::LinkPreviewImage { url: other.clone(), width: 4, height: 3 });
    let community = feed::Community { id: COMMUNITY.to_string(), name: "Moot court".to_owned() };
    feed::Post {
        image_url: Some(one.clone()),
        picture: Some(feed::Picture { alt: String::new(), width: 4, height: 3 }),
        pictures: vec![shown(&one), shown(&other)],
        link_preview: Some(feed::LinkPreview { title: "A case".to_owned(), image, ..Default::default() }),
        community: (!is_public).then_some(community),
        ..post()
    }
}

async fn addresses(gateway: &TestGateway, path: &str) -> Vec<String> {
    // A visitor: the token of a member does not outlive the hours of these tests.
    let body = gateway.get(path).await.json();
    let post = if body.is_array() { body[0].clone() } else { body };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    vec![
        text(&post["imageUrl"]),
        text(&post["image"]["url"]),
        text(&post["pictures"][0]["url"]),
        text(&post["pictures"][1]["url"]),
        text(&post["linkPreview"]["image"]["url"]),
    ]
}

async fn status(gateway: &TestGateway, address: &str) -> u16 {
    let reply = gateway.get(address).await;
    if reply.status == 404 {
        assert_eq!((reply.header("cache-control"), reply.bytes.len()), ("no-store", 0), "{address}");
    }
    reply.status.as_u16()
}

#[tokio::test]
async fn pictures_of_a_community_have_addresses_that_expire() {
    let store = store().await;
    let gateway = start(&store).await;
    *gateway.fakes.post.lock().unwrap() = Some(illustrated(false));
    let given = addresses(&gateway, &format!("/api/posts/{}", crate::actors::POST)).await;
    assert_eq!(given, addresses(&gateway, "/api/posts").await);
    for address in &given {
        assert!(address.contains("?expires=") && address.contains("&viewer=visitor&"), "{address}");
        let reply = gateway.get(address).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.as_slice()), (200, JPEG), "{address}");
        assert_eq!(reply.header("cache-control"), "private, max-age=3600");
    }
    gateway.clock.advance(TimeDelta::minutes(29));
    assert_eq!(addresses(&gateway, "/api/posts").await, given, "browsers keep a picture for half an hour");
    assert_eq!(gateway.get(&given[0]).await.header("cache-control"), "private, max-age=1860");
    gateway.clock.advance(TimeDelta::minutes(30));
    assert_eq!(status(&gateway, &given[0]).await, 200);
    gateway.clock.advance(TimeDelta::minutes(1));
    let tag = format!("\"{}\"", name("a").hash());
    let known = gateway.send(TestRequest::new("GET", &given[0]).header("if-none-match", &tag)).await;
    assert_eq!((known.status.as_u16(), status(&gateway, &given[0]).await), (404, 404), "expired");
    let renewed = addresses(&gateway, "/api/posts").await;
    assert_ne!(renewed, given);
    assert_eq!(status(&gateway, &renewed[0]).await, 200);
}

#[tokio::test]
async fn the_owner_is_asked_about_the_viewer_of_an_address() {
    let store = store().await;
    let gateway = start(&store).await;
    *gateway.fakes.post.lock().unwrap() = Some(illustrated(false));
    let of = async |member| {
        let reply = gateway.send(TestRequest::new("GET", "/api/posts").by_member(member)).await;
        reply.json()[0]["imageUrl"].as_str().unwrap().to_owned()
    };
    let (of_ana, of_ben) = (of(ANA).await, of(BEN).await);
    assert!(of_ana.contains(&format!("&viewer={ANA}&")), "{of_ana}");
    gateway.fakes.show_pictures(|_, viewer| viewer == Some(ANA.to_string().as_str()));
    for (address, shown) in [(&of_ana, 200), (&of_ben, 404)] {
        // The session does not matter: a page that a browser shows belongs to one member.
        for ask in [TestRequest::new("GET", address), TestRequest::new("GET", address).by_member(BEN)] {
            assert_eq!(gateway.send(ask).await.status, shown, "{address}");
        }
    }
    gateway.fakes.show_pictures(|_, _| false);
    until(&gateway, 404, || TestRequest::new("GET", &of_ana)).await;
    gateway.fakes.show_pictures(|_, _| true);
    until(&gateway, 200, || TestRequest::new("GET", &of_ana)).await;
}

#[tokio::test]
async fn a_picture_in_a_report_is_for_those_who_are_moderators_when_they_ask() {
    let store = store().await;
    let gateway = start(&store).await;
    let addresses = SignedAddresses::read(&[PICTURE_KEY.into()], Clock::fixed(noon())).unwrap();
    let address = addresses.given_to(Viewer::Moderators).temporary(name("a").signed_address());
    gateway.fakes.show_pictures(|_, viewer| viewer == Some("moderators"));
    let by = |member| TestRequest::new("GET", &address).by_member(member);
    for stranger in [TestRequest::new("GET", &address), by(ANA)] {
        assert_eq!(gateway.send(stranger).await.status, 404);
    }
    let reply = gateway.send(by(MODERATOR)).await;
    assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, "no-store"), "a shared computer");
    let own = gateway.send(by(MODERATOR).header("cookie", &format!("portia_own_device={MODERATOR}"))).await;
    assert_eq!(own.header("cache-control"), "private, max-age=0, must-revalidate");
    gateway.fakes.moderators.lock().unwrap().clear();
    gateway.fakes.publish("auth", &ModeratorChanged { member_id: MODERATOR.to_string() }).await;
    until(&gateway, 404, || by(MODERATOR)).await;
}

#[tokio::test]
async fn a_picture_of_a_public_post_follows_its_post() {
    let store = store().await;
    let gateway = start(&store).await;
    *gateway.fakes.post.lock().unwrap() = Some(illustrated(true));
    let address = addresses(&gateway, "/api/posts").await.remove(0);
    let get = || TestRequest::new("GET", &address);
    assert_eq!(gateway.send(get()).await.status, 200);
    gateway.fakes.show_pictures(|_, viewer| viewer.is_some());
    until(&gateway, 404, get).await;
    gateway.fakes.show_pictures(|_, viewer| viewer.is_none());
    until(&gateway, 200, get).await;
    gateway.fakes.fail("check_picture", FakeServices::unavailable());
    assert_eq!(until(&gateway, 503, get).await.refused(503)["code"], "PICTURES_UNAVAILABLE");
}

#[tokio::test]
async fn an_address_without_a_valid_signature_asks_no_service() {
    let store = store().await;
    let gateway = start(&store).await;
    gateway.fakes.seen();
    assert_eq!(status(&gateway, &format!("{}?signature=AAAA", name("a").signed_address())).await, 404);
    assert_eq!(gateway.fakes.count("check_picture"), 0);
}

#[tokio::test]
async fn the_browser_of_a_shared_computer_stores_no_private_picture() {
    let store = store().await;
    let gateway = start(&store).await;
    *gateway.fakes.post.lock().unwrap() = Some(illustrated(false));
    let given = addresses(&gateway, "/api/posts").await;
    let ask = || TestRequest::new("GET", &given[0]).by_member(ANA);
    let reply = gateway.send(ask()).await;
    assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, "no-store"));
    let own = gateway.send(ask().header("cookie", &format!("portia_own_device={ANA}"))).await;
    assert!(own.header("cache-control").starts_with("private, max-age="), "{}", own.header("cache-control"));
}

#[tokio::test]
async fn a_picture_of_a_post_is_not_found_without_its_signature() {
    let store = store().await;
    let gateway = start(&store).await;
    *gateway.fakes.post.lock().unwrap() = Some(illustrated(false));
    let given = addresses(&gateway, "/api/posts").await;
    let (one, query) = given[0].split_once('?').unwrap();
    let (other, other_query) = given[3].split_once('?').unwrap();
    let later = query.replacen("expires=1", "expires=9", 1);
    assert_ne!(later, query);
    for address in [
        one.to_owned(),
        name("a").address(),
        format!("{one}?{other_query}"),
        format!("{other}?{query}"),
        format!("{one}?{later}"),
        format!("{one}?{}", &query[query.find("signature").unwrap()..]),
        format!("{one}?{}", query.to_lowercase()),
        format!("{one}?{query}0"),
        format!("{one}?{query}&x=1"),
        format!("{one}?{}", query.replace("viewer=visitor", "viewer=moderators")),
        format!("{one}?{}", query.replace("viewer=visitor", &format!("viewer={ANA}"))),
        format!("{one}?{}", query.replace("&viewer=visitor", "")),
        format!("{one}?expires=99999999999999999999&viewer=visitor&signature=AAAA"),
        format!("{one}?expires=%00&viewer=%00&signature=%ff"),
        given[0].replace("/media/signed/", "/media/signed%2f"),
        given[0].replace("/media/signed/", "/media/"),
        format!("{}?{query}", name("c").signed_address()),
    ] {
        assert_eq!(status(&gateway, &address).await, 404, "{address}");
    }
    assert_eq!(status(&gateway, &name("c").address()).await, 200, "a picture of a member is public");
    let missing = name("d").signed_address();
    *gateway.fakes.post.lock().unwrap() = Some(feed::Post { image_url: Some(missing), ..illustrated(false) });
    assert_eq!(status(&gateway, &addresses(&gateway, "/api/posts").await[0]).await, 404, "a deleted picture");
}

#[tokio::test]
async fn pictures_of_public_posts_keep_their_address() {
    let store = store().await;
    let gateway = start(&store).await;
    *gateway.fakes.post.lock().unwrap() = Some(illustrated(true));
    let given = addresses(&gateway, "/api/posts").await;
    for address in &given {
        assert!(address.contains(".jpg?signature="), "{address}");
        let reply = gateway.get(address).await;
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, PUBLIC));
    }
    gateway.clock.advance(TimeDelta::days(400));
    assert_eq!(addresses(&gateway, "/api/posts").await, given);
    // A repost in a community shows a public post.
    let of = feed::Repost { pictures: illustrated(true).pictures, ..repost() };
    *gateway.fakes.post.lock().unwrap() = Some(feed::Post { repost: Some(of), ..illustrated(false) });
    let body = gateway.get("/api/posts").await.json();
    assert_eq!(body[0]["repost"]["pictures"][0]["url"], given[0].as_str());
    assert!(body[0]["imageUrl"].as_str().unwrap().contains("?expires="));
}

#[tokio::test]
async fn every_list_of_posts_signs_its_pictures() {
    let store = store().await;
    let gateway = start(&store).await;
    *gateway.fakes.post.lock().unwrap() = Some(illustrated(false));
    let mut paths = vec!["/api/posts".to_owned(), format!("/api/posts/{}", crate::actors::POST)];
    paths.extend(
        ["/api/saved-items", "/api/search?q=bar", "/api/hidden-posts", "/api/topics/bar/posts"].map(str::to_owned),
    );
    for path in paths {
        let reply = gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await;
        let body = String::from_utf8(reply.bytes).unwrap();
        let (all, signed) = (body.matches("/media/signed/").count(), body.matches(".jpg?expires=").count());
        assert_eq!((signed, signed > 0), (all, true), "{path}: {body}");
    }
}

#[tokio::test]
async fn gateways_share_their_secrets_and_accept_an_older_one() {
    let store = store().await;
    let one = start(&store).await;
    *one.fakes.post.lock().unwrap() = Some(illustrated(false));
    let given = addresses(&one, "/api/posts").await;
    assert_eq!(status(&start(&store).await, &given[0]).await, 200);
    let newer = store.path().join("newer.key");
    std::fs::write(&newer, "another secret of the tests, longer than 32 bytes").unwrap();
    let newer = newer.to_str().unwrap();
    let with = async |keys: &str| {
        TestGateway::start_with(|source| source.with("pictures_url", store.path()).with("picture_keys", keys)).await
    };
    assert_eq!(status(&with(&format!("{newer},{PICTURE_KEY}")).await, &given[0]).await, 200);
    assert_eq!(status(&with(newer).await, &given[0]).await, 404);
}

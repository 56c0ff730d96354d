//! Pictures and files follow their owner: not found after every change that hides them, and found again after a restoration.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use portia::stack::Stack;
use reqwest::{Method, header};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    admin::{admin, utf8},
    browser::Browser,
    local::{folder, start},
    matrix::fixture::{PDF, PNG, base64},
};

/// The maximum delay on a busy machine. `cargo xtask bench` measures the promised five seconds.
const MAX_DELAY: Duration = Duration::from_secs(30);

struct Fixture {
    stack: Stack,
    home: PathBuf,
    _data: TempDir,
}

/// A member with a profile picture.
struct Member {
    browser: Browser,
    id: String,
}

impl Fixture {
    async fn open() -> Self {
        let data = folder();
        let home = data.path().join("data");
        Self { stack: start(&data, true).await, home, _data: data }
    }

    fn visitor(&self) -> Browser {
        Browser::new(format!("http://{}", self.stack.address))
    }

    async fn member(&self, username: &str) -> Member {
        let mut browser = self.visitor();
        let id = browser.register(username).await;
        Member { browser, id }
    }

    /// Runs an operator command.
    fn run(&self, arguments: &[&str]) {
        let output = admin(&self.home, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", utf8(&output.stderr));
    }

    async fn upload(&self, member: &Member, path: &str, bytes: &[u8]) -> String {
        let media = if bytes.starts_with(b"%PDF") { "application/pdf" } else { "image/png" };
        let client = reqwest::Client::builder().timeout(Duration::from_mins(2)).build().unwrap();
        let request = client
            .post(format!("http://{}{path}", self.stack.address))
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, media)
            .header("x-file-name", "cv.pdf")
            .header(header::COOKIE, member.browser.cookie())
            .body(bytes.to_vec());
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 201, "{path}");
        let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        body["id"].as_str().unwrap().to_owned()
    }

    /// Publishes a post with a picture. Returns its id.
    async fn illustrate(&self, member: &mut Member, community: Option<&str>) -> String {
        let picture = self.upload(member, "/api/pictures", &base64(PNG)).await;
        let post = json!({ "content": "Look", "pictureId": picture, "communityId": community });
        let post = member.browser.post("/api/posts", post).await.expect(201);
        post["id"].as_str().unwrap().to_owned()
    }

    /// Publishes a post with a PDF file. Returns the address of the file.
    async fn attach(&self, member: &mut Member) -> String {
        let pdf = self.upload(member, "/api/pdf-files", PDF).await;
        let post = member.browser.post("/api/posts", json!({ "content": "Read", "pdfId": pdf })).await.expect(201);
        post["pdf"]["url"].as_str().unwrap().to_owned()
    }

    async fn connect(&self, one: &mut Member, other: &mut Member) {
        let request = json!({ "recipientId": other.id });
        let connection = one.browser.post("/api/connections", request).await.expect(201);
        let path = format!("/api/connections/{}", connection["id"].as_str().unwrap());
        other.browser.send(Method::PATCH, &path, Some(json!({ "status": "accepted" })), &[]).await.expect(200);
    }
}

impl Member {
    /// Changes the profile picture and returns its address.
    async fn set_avatar(&mut self, avatar: &str) -> String {
        let user = json!({ "avatarUrl": avatar });
        let path = format!("/api/users/{}", self.id);
        let user = self.browser.send(Method::PATCH, &path, Some(user), &[]).await.expect(200);
        user["avatarUrl"].as_str().unwrap_or_default().to_owned()
    }

    async fn set_audience(&mut self, audience: &str) {
        let path = format!("/api/users/{}/privacy", self.id);
        let settings = Some(json!({ "profileAudience": audience }));
        self.browser.send(Method::PATCH, &path, settings, &[]).await.expect(200);
    }

    /// The address of the picture of a post, for this member.
    async fn picture_of(&mut self, post: &str) -> String {
        picture_of(&mut self.browser, post).await
    }

    async fn delete(&mut self, path: &str) {
        let response = self.browser.send(Method::DELETE, path, None, &[]).await;
        assert!(response.status.is_success(), "{path}: {} {}", response.status, response.body);
    }

    async fn close_account(&mut self, username: &str) {
        self.browser.post("/api/auth/close-account", json!({ "confirmation": username })).await.expect(204);
    }

    async fn sign_in(&mut self, username: &str) {
        let credentials = json!({ "username": username, "password": "correct horse" });
        self.browser.post("/api/auth/login", credentials).await.expect(200);
    }
}

async fn picture_of(browser: &mut Browser, post: &str) -> String {
    let post = browser.get(&format!("/api/posts/{post}")).await.expect(200);
    post["imageUrl"].as_str().unwrap().to_owned()
}

/// The status and the lifetime in caches.
async fn answer(browser: &mut Browser, address: &str) -> (u16, String) {
    let response = browser.get(address).await;
    let cached = response.headers.get(header::CACHE_CONTROL).map_or("", |value| value.to_str().unwrap());
    (response.status.as_u16(), cached.to_owned())
}

/// Reads each address until it has the status.
async fn until<'a>(browser: &mut Browser, status: u16, addresses: impl IntoIterator<Item = &'a String>) {
    let begun = Instant::now();
    for address in addresses {
        loop {
            let (answered, cached) = answer(browser, address).await;
            if answered == status {
                assert!(status != 404 || cached == "no-store", "{address}: {cached}");
                break;
            }
            assert!(begun.elapsed() < MAX_DELAY, "{address} is {answered}, not {status}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn avatar(n: u8) -> String {
    // A second picture of one pixel.
    let grey = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
    format!("data:image/png;base64,{}", if n == 1 { PNG } else { grey })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_picture_is_found_while_it_is_the_present_one_and_by_its_audience() {
    let fixture = Fixture::open().await;
    let (mut ana, mut ben) = (fixture.member("ana").await, fixture.member("ben").await);
    let (mut carl, mut visitor) = (fixture.member("carl").await, fixture.visitor());
    fixture.connect(&mut ana, &mut ben).await;
    let first = ana.set_avatar(&avatar(1)).await;
    let of_ben = ben.set_avatar(&avatar(1)).await;
    assert_eq!(answer(&mut visitor, &first).await, (200, "public, max-age=86400".to_owned()));

    ana.set_audience("connections").await;
    until(&mut visitor, 404, [&first]).await;
    until(&mut carl.browser, 404, [&first]).await;
    // The fact of the connection may arrive later.
    until(&mut ben.browser, 200, [&first]).await;
    let (_, cached) = answer(&mut ben.browser, &first).await;
    assert_eq!(cached, "private, max-age=0, must-revalidate");
    ana.set_audience("members").await;
    until(&mut carl.browser, 200, [&first]).await;
    assert_eq!(answer(&mut visitor, &first).await.0, 404);
    ana.set_audience("public").await;
    until(&mut visitor, 200, [&first]).await;

    let second = ana.set_avatar(&avatar(2)).await;
    until(&mut visitor, 404, [&first]).await;
    assert_eq!(answer(&mut visitor, &second).await.0, 200);
    ana.set_avatar("").await;
    until(&mut visitor, 404, [&second]).await;
    let again = ana.set_avatar(&avatar(1)).await;
    assert_eq!(again, first);
    until(&mut visitor, 200, [&first]).await;
    assert_eq!(answer(&mut visitor, &of_ben).await.0, 200, "the same photo of another member");
    fixture.stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_and_files_of_a_closed_or_suspended_account_are_hidden_until_it_is_open_again() {
    let fixture = Fixture::open().await;
    let (mut ana, mut ben) = (fixture.member("ana").await, fixture.member("ben").await);
    let mut visitor = fixture.visitor();
    fixture.connect(&mut ana, &mut ben).await;
    let own = ana.set_avatar(&avatar(1)).await;
    let post = fixture.illustrate(&mut ana, None).await;
    let public = [own, picture_of(&mut visitor, &post).await, fixture.attach(&mut ana).await];
    let opened = ana.browser.post("/api/conversations", json!({ "userId": ben.id })).await;
    let conversation = opened.body["id"].as_str().unwrap().to_owned();
    let picture = fixture.upload(&ana, "/api/message-pictures", &base64(PNG)).await;
    let message = json!({ "content": "", "pictures": [{ "id": picture, "alt": "" }] });
    let path = format!("/api/conversations/{conversation}/messages");
    let message = ana.browser.post(&path, message).await.expect(201);
    let attached = [message["pictures"][0]["url"].as_str().unwrap().to_owned()];
    until(&mut visitor, 200, &public).await;
    until(&mut ben.browser, 200, &attached).await;
    let (_, cached) = answer(&mut visitor, &public[1]).await;
    assert_eq!(cached, "public, max-age=86400");

    ana.close_account("ana").await;
    until(&mut visitor, 404, &public).await;
    until(&mut ben.browser, 404, &attached).await;
    ana.sign_in("ana").await;
    until(&mut visitor, 200, &public).await;
    until(&mut ben.browser, 200, &attached).await;

    fixture.run(&["suspend", "ana"]);
    until(&mut visitor, 404, &public).await;
    until(&mut ben.browser, 404, &attached).await;
    fixture.run(&["restore", "ana"]);
    until(&mut visitor, 200, &public).await;
    until(&mut ben.browser, 200, &attached).await;

    ana.sign_in("ana").await;
    ana.delete(&format!("{path}/{}", message["id"].as_str().unwrap())).await;
    until(&mut ben.browser, 404, &attached).await;
    ana.delete(&format!("/api/posts/{post}")).await;
    until(&mut visitor, 404, [&public[1]]).await;
    ana.delete(public[2].strip_suffix("/pdf").unwrap()).await;
    until(&mut visitor, 404, [&public[2]]).await;
    fixture.stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_a_picture_in_a_community_ends_with_the_membership_of_its_viewer() {
    let fixture = Fixture::open().await;
    let (mut ana, mut ben) = (fixture.member("ana").await, fixture.member("ben").await);
    let mut carl = fixture.member("carl").await;
    let mut visitor = fixture.visitor();
    let secret = json!({ "name": "Moot court", "visibility": "private", "joining": "invitation" });
    let community = ana.browser.post("/api/communities", secret).await.expect(201);
    let community = format!("/api/communities/{}", community["id"].as_str().unwrap());
    for guest in [&mut ben, &mut carl] {
        let invitation = format!("{community}/invitations/{}", guest.id);
        assert!(ana.browser.send(Method::PUT, &invitation, None, &[]).await.status.is_success());
        let joined = guest.browser.send(Method::PUT, &format!("{community}/membership"), None, &[]).await;
        assert!(joined.status.is_success(), "{}", joined.body);
    }
    let id = community.rsplit('/').next().unwrap().to_owned();
    // The fact of the community may arrive later.
    let begun = Instant::now();
    while !ana.browser.get(&format!("/api/posts?communityId={id}")).await.status.is_success() {
        assert!(begun.elapsed() < MAX_DELAY);
    }
    let post = fixture.illustrate(&mut ana, Some(&id)).await;
    for member in [&mut ben, &mut carl] {
        let begun = Instant::now();
        while !member.browser.get(&format!("/api/posts/{post}")).await.status.is_success() {
            assert!(begun.elapsed() < MAX_DELAY, "a member does not see the post");
        }
    }
    let (of_ana, of_ben) = (ana.picture_of(&post).await, ben.picture_of(&post).await);
    let of_carl = carl.picture_of(&post).await;
    for address in [&of_ana, &of_ben, &of_carl] {
        // The address alone is the permission of its viewer.
        let (status, cached) = answer(&mut visitor, address).await;
        let lifetime: u32 = cached.strip_prefix("private, max-age=").unwrap().parse().unwrap();
        assert!(status == 200 && (1..=3_600).contains(&lifetime), "{status} {cached}");
        assert_eq!(answer(&mut visitor, address.split('?').next().unwrap()).await.0, 404);
    }
    ben.delete(&format!("{community}/membership")).await;
    until(&mut ben.browser, 404, [&of_ben]).await;
    ana.delete(&format!("{community}/members/{}?ban=true", carl.id)).await;
    until(&mut carl.browser, 404, [&of_carl]).await;
    assert_eq!(answer(&mut visitor, &of_ana).await.0, 200, "the viewer is a member");
    ana.delete(&format!("/api/posts/{post}")).await;
    until(&mut visitor, 404, [&of_ana]).await;
    fixture.stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_a_removed_post_are_hidden_until_the_decision_is_overturned() {
    let fixture = Fixture::open().await;
    let (mut ana, mut ben) = (fixture.member("ana").await, fixture.member("ben").await);
    let (mut mia, mut noa) = (fixture.member("mia").await, fixture.member("noa").await);
    let mut visitor = fixture.visitor();
    for moderator in ["mia", "noa"] {
        fixture.run(&["moderators", "grant", moderator]);
    }
    let queue = "/api/moderation/reports".to_owned();
    until(&mut mia.browser, 200, [&queue]).await;
    until(&mut noa.browser, 200, [&queue]).await;
    let post = fixture.illustrate(&mut ana, None).await;
    let picture = picture_of(&mut visitor, &post).await;
    let report = json!({ "kind": "post", "id": post, "reason": "spam" });
    ben.browser.post("/api/reports", report).await.expect(202);
    let open = mia.browser.get(&queue).await.expect(200);
    let report = format!("{queue}/{}", open[0]["id"].as_str().unwrap());
    let shown = mia.browser.get(&report).await.expect(200);
    let excerpt = shown["report"]["excerpt"].as_str().unwrap();
    let evidence = excerpt.lines().find(|line| line.starts_with("/media/signed/")).unwrap().to_owned();

    let remove = json!({ "decision": "remove", "reason": "spam" });
    mia.browser.post(&format!("{report}/decision"), remove).await.expect(200);
    until(&mut visitor, 404, [&picture]).await;
    assert_eq!(answer(&mut noa.browser, &evidence).await.0, 200, "moderators decide the appeal");
    let begun = Instant::now();
    let removal = loop {
        let notices = ana.browser.get("/api/notifications").await.expect(200);
        let removed = notices.as_array().unwrap().iter().find(|notice| notice["kind"] == "content_removed");
        if let Some(removed) = removed {
            break removed["subject"]["id"].as_str().unwrap().to_owned();
        }
        assert!(begun.elapsed() < MAX_DELAY);
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    ana.browser.post(&format!("/api/appeals/{removal}"), json!({ "text": "It is mine." })).await.expect(201);
    let overturn = json!({ "decision": "overturn", "reason": "no-violation" });
    let decided = format!("/api/moderation/appeals/{removal}/decision");
    noa.browser.post(&decided, overturn).await.expect(200);
    until(&mut visitor, 200, [&picture]).await;
    assert_eq!(picture_of(&mut visitor, &post).await, picture);
    fixture.stack.stop().await.unwrap();
}

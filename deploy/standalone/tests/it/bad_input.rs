//! Bad input against the whole stack: in every field and parameter of the document, unusual texts, and malformed HTTP.

#[path = "../../../../services/auth/tests/it/authenticator.rs"]
mod authenticator;
mod bases;
mod cases;
mod corpus;
mod document;
mod entities;
mod every_field;
mod limits;
mod raw_client;
mod rows;
mod values;

use portia::stack::Stack;
use serde_json::{Value, json};

use crate::local::{folder, start};
use raw_client::{RawClient, Reply};
use rows::{Measure, Rows, rows};

/// The stack, a member on it, and the member's post, conversation and application.
struct Fixture {
    stack: Stack,
    client: RawClient,
    member: String,
    post: String,
    conversation: String,
    job: String,
    application: String,
    _data: tempfile::TempDir,
}

impl Fixture {
    async fn open() -> Self {
        let data = folder();
        let stack = start(&data, true).await;
        let mut client = RawClient::to(stack.address);
        let form = json!({"username": "fixture", "password": "correct horse", "fullName": "A Member"});
        let registered = client.post("/api/auth/register", &form).await;
        let member = registered.expect(201)["id"].as_str().unwrap().to_owned();
        client.cookie = registered.cookie();
        let posted = client.post("/api/posts", &json!({"content": "The post."})).await.expect(201);
        let post = posted["id"].as_str().unwrap().to_owned();
        let conversation = open_conversation(&mut client).await;
        let (job, application) = apply(&mut client).await;
        Self { stack, client, member, post, conversation, job, application, _data: data }
    }

    async fn rows(&self) -> Rows {
        rows(&self.stack, Measure::Count).await
    }

    async fn close(self) {
        self.client.assert_counts();
        self.stack.stop().await.unwrap();
    }
}

/// Another member, and the conversation with them; every message is read.
async fn open_conversation(client: &mut RawClient) -> String {
    let mut other = client.clone_of();
    let form = json!({"username": "fixture.other", "password": "correct horse", "fullName": "Other Member"});
    let registered = other.post("/api/auth/register", &form).await;
    other.cookie = registered.cookie();
    let id = registered.expect(201)["id"].as_str().unwrap().to_owned();
    let opened = client.post("/api/conversations", &json!({"userId": id})).await.expect(201);
    let conversation = opened["id"].as_str().unwrap().to_owned();
    let path = format!("/api/conversations/{conversation}");
    for browser in [&mut *client, &mut other] {
        browser.post(&format!("{path}/messages"), &json!({"content": "Hello"})).await.expect(201);
    }
    client.get(&path).await.expect(200);
    conversation
}

/// A demo posting, as soon as there is one, and an application for the next one.
async fn apply(client: &mut RawClient) -> (String, String) {
    let begun = std::time::Instant::now();
    let (left, wanted) = loop {
        let jobs = client.get("/api/jobs?limit=2").await.expect(200);
        if let [left, wanted] = jobs.as_array().unwrap().as_slice() {
            break (left["id"].clone(), wanted["id"].clone());
        }
        assert!(begun.elapsed().as_secs() < 30, "there is no demo posting");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    let path = format!("/api/jobs/{}/apply", wanted.as_str().unwrap());
    let applied = client.post(&path, &json!({"notes": "Words"})).await.expect(201);
    (left.as_str().unwrap().to_owned(), applied["id"].as_str().unwrap().to_owned())
}

/// An event that begins in an hour.
fn event(stack: &Stack) -> Value {
    let hour = std::time::Duration::from_secs(3_600);
    let begins = stack.context("gateway").unwrap().clock.now() + hour;
    json!({"title": "The event", "description": "About", "location": "Here", "timeZone": "Asia/Manila",
        "startDate": begins.to_rfc3339(), "endDate": (begins + hour).to_rfc3339()})
}

/// A message with additional fields.
fn message(fixture: &Fixture, text: &str) -> Value {
    json!({"userId": fixture.member, "content": text, "id": fixture.post, "isRead": true, "createdAt": "1970-01-01T00:00:00Z"})
}

#[tokio::test(flavor = "multi_thread")]
async fn unusual_text_is_returned_unchanged() {
    let mut fixture = Fixture::open().await;
    let visitor = RawClient::to(fixture.stack.address);
    for (n, text) in corpus::STRANGE.iter().enumerate() {
        // Unknown field names are ignored.
        // A cut emoji may end with a joiner, which is refused there.
        let year: String = text.chars().take(10).collect();
        let form = json!({"username": format!("strange.{n}"), "password": text, "fullName": text, "headline": text,
            "location": text, "school": text, "graduationYear": year.trim_end_matches('\u{200d}'),
            "__proto__": {"admin": true}, "isAdmin": true, "id": fixture.member});
        let user = visitor.clone_of().post("/api/auth/register", &form).await.expect(201);
        assert_ne!(user["id"], json!(fixture.member));
        let path = format!("/api/users/{}/profile", user["id"].as_str().unwrap());
        let read = fixture.client.get(&path).await.expect(200)["user"].clone();
        let stored = corpus::normalised(text);
        for field in ["fullName", "headline", "location", "school"] {
            assert_eq!((&user[field], &read[field]), (&json!(stored), &json!(stored)), "{field}");
        }
        let credentials = json!({"username": format!(" STRANGE.{n} "), "password": text});
        let mut signed_in = visitor.clone_of();
        let login = signed_in.post("/api/auth/login", &credentials).await;
        login.expect(200);
        signed_in.cookie = login.cookie();

        let form = json!({"title": text, "description": text, "url": format!("https://strange.example/{n}"),
            "type": "guide", "approvedAt": "1970-01-01T00:00:00Z", "id": fixture.member});
        let suggested = signed_in.post("/api/resources", &form).await.expect(202);
        assert_eq!((&suggested["title"], &suggested["description"]), (&json!(stored), &json!(stored)));
        assert_ne!(suggested["id"], json!(fixture.member));
        let unseen = format!("/api/resources/{}", suggested["id"].as_str().unwrap());
        signed_in.get(&unseen).await.refused(&[404], "an undecided suggestion");

        let path = format!("/api/jobs/applications/{}", fixture.application);
        let form = json!({"notes": text, "jobId": fixture.job, "job": {"title": text}});
        let changed = fixture.client.send_bytes("PATCH", &path, form.to_string().as_bytes()).await.expect(200);
        let read = fixture.client.get(&path).await.expect(200);
        assert_eq!((&changed["notes"], &read["notes"]), (&json!(stored), &json!(stored)));
        assert_eq!((&read["job"], &read["jobId"]), (&changed["job"], &changed["jobId"]));
        assert_ne!(read["job"]["title"], json!(text));

        let words = json!({"userId": fixture.member, "content": text, "id": fixture.post, "likeCount": 99});
        let post = fixture.client.post("/api/posts", &words).await.expect(201);
        assert_eq!((&post["content"], &post["likeCount"]), (&json!(stored), &json!(0)));
        let path = format!("/api/posts/{}", post["id"].as_str().unwrap());
        let comment = fixture.client.post(&format!("{path}/comments"), &words).await.expect(201);
        assert_eq!(comment["content"], json!(stored));
        let read = fixture.client.get(&path).await.expect(200);
        assert_eq!((&read["content"], &read["comments"][0]["content"]), (&json!(stored), &json!(stored)));
        let feed = fixture.client.get("/api/posts?sort=recent&limit=1").await.expect(200);
        assert_eq!(feed[0]["content"], json!(stored));

        let form = json!({"name": text, "description": text, "rules": text, "memberCount": 99, "role": "member"});
        let founded = fixture.client.post("/api/communities", &form).await.expect(201);
        let path = format!("/api/communities/{}", founded["id"].as_str().unwrap());
        let read = fixture.client.get(&path).await.expect(200);
        for actual in [&founded, &read] {
            let returned = ["name", "description", "rules"].map(|field| &actual[field]);
            assert_eq!((returned, &actual["memberCount"]), ([&json!(stored); 3], &json!(1)), "{actual}");
        }
        let conversation = format!("/api/conversations/{}", fixture.conversation);
        let returned =
            fixture.client.post(&format!("{conversation}/messages"), &message(&fixture, text)).await.expect(201);
        assert_eq!((&returned["content"], &returned["isRead"]), (&json!(stored), &json!(false)));
        let read = fixture.client.get(&format!("{conversation}?limit=1")).await.expect(200);
        assert_eq!((&read["messages"][0]["content"], &read["lastMessage"]), (&json!(stored), &json!(stored)));

        let mut form = event(&fixture.stack);
        for field in ["title", "description", "location"] {
            form[field] = json!(text);
        }
        let announced = fixture.client.post("/api/events", &form).await.expect(201);
        let path = format!("/api/events/{}", announced["id"].as_str().unwrap());
        let read = fixture.client.get(&path).await.expect(200);
        for actual in [&announced, &read] {
            assert_eq!(
                ["title", "description", "location"].map(|field| &actual[field]),
                [&json!(stored); 3],
                "{actual}"
            );
        }
    }
    fixture.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_http_is_refused() {
    let mut fixture = Fixture::open().await;
    let rows = fixture.rows().await;
    for (name, request, expected) in corpus::requests(&fixture.client) {
        let reply: Reply = fixture.client.raw(&request).await;
        assert!(expected.contains(&reply.status), "{name}: {reply:?}");
        // A refusal by hyper has no body; a refusal by the gateway has an error body.
        if !reply.body.is_empty() && reply.is_api() {
            reply.sound();
        }
    }
    assert_eq!(fixture.rows().await, rows, "a refused request wrote something");
    fixture.client.get("/api/auth/me").await.expect(200);
    fixture.close().await;
}

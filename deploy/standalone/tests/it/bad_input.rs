//! Bad input against the whole stack: the corpus in every text field, parameter and id.

mod corpus;
mod raw_client;

use std::collections::BTreeMap;

use portia::{SERVICES, stack::Stack};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection};

use crate::local::{folder, start};
use raw_client::{RawClient, Reply};

/// A route with a body: method, path, a valid body, and its text fields.
struct Route {
    method: &'static str,
    path: String,
    form: Value,
    fields: &'static [&'static str],
}

/// The stack, a member on it, and the member's post, community, event, conversation and application.
struct Fixture {
    stack: Stack,
    client: RawClient,
    member: String,
    other: String,
    post: String,
    community: String,
    event: String,
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
        let founded = client.post("/api/communities", &json!({"name": "The community"})).await.expect(201);
        let community = founded["id"].as_str().unwrap().to_owned();
        let announced = client.post("/api/events", &event(&stack)).await.expect(201);
        let event = announced["id"].as_str().unwrap().to_owned();
        let (other, conversation) = open_conversation(&mut client).await;
        let (job, application) = apply(&mut client).await;
        Self { stack, client, member, other, post, community, event, conversation, job, application, _data: data }
    }

    fn routes(&self) -> [Route; 15] {
        let (post, conversation) = (&self.post, &self.conversation);
        let registration = json!({"username": "newcomer", "password": "correct horse", "fullName": "New Comer",
            "headline": "Student", "location": "Cebu", "school": "USC", "graduationYear": "2027"});
        let words = json!({"userId": self.member, "content": "Words"});
        [
            Route {
                method: "POST",
                path: "/api/auth/register".to_owned(),
                form: registration,
                fields: &["username", "password", "fullName", "headline", "location", "school", "graduationYear"],
            },
            Route {
                method: "POST",
                path: "/api/auth/login".to_owned(),
                form: json!({"username": "no.such.member", "password": "correct horse"}),
                fields: &["username", "password"],
            },
            Route {
                method: "POST",
                path: "/api/posts".to_owned(),
                form: words.clone(),
                fields: &["userId", "content"],
            },
            Route {
                method: "POST",
                path: format!("/api/posts/{post}/comments"),
                form: words,
                fields: &["userId", "content"],
            },
            Route {
                method: "POST",
                path: format!("/api/posts/{post}/likes"),
                form: json!({"userId": self.member, "type": "like"}),
                fields: &["userId", "type"],
            },
            Route {
                method: "POST",
                path: "/api/communities".to_owned(),
                form: json!({"name": "Another", "description": "About", "rules": "Rules"}),
                fields: &["name", "description", "rules"],
            },
            Route {
                method: "POST",
                path: "/api/events".to_owned(),
                form: event(&self.stack),
                fields: &["title", "description", "location", "startDate", "endDate", "timeZone"],
            },
            Route {
                method: "POST",
                path: "/api/conversations".to_owned(),
                form: json!({"userId": self.other}),
                fields: &["userId"],
            },
            Route {
                method: "POST",
                path: format!("/api/conversations/{conversation}/messages"),
                form: json!({"userId": self.member, "conversationId": conversation, "content": "Words"}),
                fields: &["userId", "conversationId", "content"],
            },
            Route {
                method: "POST",
                path: format!("/api/conversations/{conversation}/read"),
                form: json!({"upTo": conversation}),
                fields: &["upTo"],
            },
            Route {
                method: "POST",
                path: "/api/notifications/read".to_owned(),
                form: json!({"id": conversation}),
                fields: &["id"],
            },
            Route {
                method: "POST",
                path: format!("/api/jobs/{}/apply", self.job),
                form: json!({"notes": "Words"}),
                fields: &["notes"],
            },
            Route {
                method: "PATCH",
                path: format!("/api/jobs/applications/{}", self.application),
                form: json!({"status": "offered", "notes": "Words"}),
                fields: &["status", "notes"],
            },
            Route {
                method: "POST",
                path: "/api/resources".to_owned(),
                form: json!({"title": "Another", "description": "About", "url": "https://another.example/",
                    "type": "guide"}),
                fields: &["title", "description", "url", "type"],
            },
            Route {
                method: "POST",
                path: "/api/notifications/read".to_owned(),
                form: json!({"upTo": "2026-11-20T12:00:00Z"}),
                fields: &["upTo"],
            },
        ]
    }

    /// The number of rows in every table of every schema, once it is stable.
    async fn rows(&self) -> BTreeMap<String, i64> {
        let mut before = self.count().await;
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            let now = self.count().await;
            if now == before {
                return now;
            }
            before = now;
        }
    }

    async fn count(&self) -> BTreeMap<String, i64> {
        let mut rows = BTreeMap::new();
        for service in SERVICES {
            let options = self.stack.context(service).unwrap().database.clone().unwrap();
            let mut connection = options.connect().await.unwrap();
            for table in tables(&mut connection, &service.replace('-', "_")).await {
                // Facts are applied with a delay that does not depend on requests.
                if table.ends_with(".cursors") {
                    continue;
                }
                let count = format!("select count(*) from {table}");
                let count = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(&mut connection).await.unwrap();
                rows.insert(table, count);
            }
        }
        assert!(rows.len() > 20, "{rows:?}");
        rows
    }

    async fn close(self) {
        self.client.assert_counts();
        self.stack.stop().await.unwrap();
    }
}

/// Another member, and the conversation with them; every message is read.
async fn open_conversation(client: &mut RawClient) -> (String, String) {
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
    (id, conversation)
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

async fn tables(connection: &mut PgConnection, schema: &str) -> Vec<String> {
    sqlx::query_scalar("select format('%I.%I', schemaname, tablename) from pg_catalog.pg_tables where schemaname = $1")
        .bind(schema)
        .fetch_all(connection)
        .await
        .unwrap()
}

/// A message with additional fields.
fn message(fixture: &Fixture, text: &str) -> Value {
    json!({"userId": fixture.member, "content": text, "id": fixture.post, "isRead": true, "createdAt": "1970-01-01T00:00:00Z"})
}

/// The body with `field` replaced by raw JSON, which may be invalid.
fn with_raw(form: &Value, field: &str, raw: &[u8]) -> Vec<u8> {
    let mut form = form.clone();
    form[field] = json!("@@@");
    let text = form.to_string();
    let (before, after) = text.split_once("\"@@@\"").unwrap();
    [before.as_bytes(), raw, after.as_bytes()].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_values_are_refused_in_every_field_and_write_nothing() {
    let mut fixture = Fixture::open().await;
    let rows = fixture.rows().await;
    for route in fixture.routes() {
        for field in route.fields {
            for (name, raw) in corpus::refused() {
                let reply =
                    fixture.client.send_bytes(route.method, &route.path, &with_raw(&route.form, field, &raw)).await;
                let what = format!("{name} in {field} of {}", route.path);
                // Any other text as userId counts as another member's.
                let expected: &[u16] = if *field == "userId" { &[400, 403, 413] } else { &[400, 413] };
                reply.refused(expected, &what);
            }
            let mut without = route.form.clone();
            without.as_object_mut().unwrap().remove(*field);
            let twice = with_raw(&route.form, field, format!("\"a\",\"{field}\":\"b\"").as_bytes());
            let reply = fixture.client.send_bytes(route.method, &route.path, &twice).await;
            reply.refused(&[400, 403], &format!("{field} twice"));
            let required = [
                "username",
                "password",
                "fullName",
                "content",
                "type",
                "name",
                "title",
                "startDate",
                "timeZone",
                "upTo",
                "url",
            ];
            if required.contains(field) {
                fixture.client.post(&route.path, &without).await.refused(&[400], &format!("no {field}"));
                for blank in corpus::BLANK {
                    let mut form = route.form.clone();
                    form[*field] = json!(blank);
                    let reply = fixture.client.post(&route.path, &form).await;
                    reply.refused(&[400], &format!("{blank:?} as {field} of {}", route.path));
                }
            }
        }
    }
    assert_eq!(fixture.rows().await, rows, "a refused request wrote something");
    fixture.close().await;
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
async fn invalid_parameters_ids_and_cursors_never_cause_a_5xx() {
    let mut fixture = Fixture::open().await;
    let rows = fixture.rows().await;
    let (member, post) = (fixture.member.clone(), fixture.post.clone());
    let (community, event) = (fixture.community.clone(), fixture.event.clone());
    let lists = [
        "/api/posts?".to_owned(),
        format!("/api/posts/{post}/likes?"),
        format!("/api/posts/{post}/comments?"),
        format!("/api/users/{member}/connections?"),
        format!("/api/connections?recipientId={member}&status=pending&"),
        "/api/communities?".to_owned(),
        format!("/api/communities/{community}/members?"),
        format!("/api/posts?communityId={community}&"),
        "/api/events?".to_owned(),
        format!("/api/events/{event}/attendees?"),
        "/api/blocks?".to_owned(),
        "/api/resources?".to_owned(),
        "/api/jobs?".to_owned(),
        "/api/jobs/applications/my?".to_owned(),
        "/api/conversations?".to_owned(),
        format!("/api/conversations/{}?", fixture.conversation),
        "/api/notifications?".to_owned(),
    ];
    let more: [(&str, &[&str]); 6] = [
        ("/api/conversations?", &["folder", "search"]),
        ("/api/posts?", &["sort", "userId", "communityId"]),
        ("/api/jobs?", &["search", "location", "practiceArea", "experienceLevel", "employmentType"]),
        ("/api/news?", &["page", "source", "search"]),
        ("/api/resources?", &["type"]),
        ("/api/connections?", &["requesterId", "recipientId", "status"]),
    ];
    let paged = lists.iter().map(|list| (list.as_str(), &["cursor", "limit"][..]));
    for (path, parameters) in paged.chain(more) {
        for parameter in parameters {
            for value in corpus::parameters() {
                fixture.client.get(&format!("{path}{parameter}={value}")).await.sound();
            }
        }
        for cursor in corpus::cursors() {
            fixture.client.get(&format!("{path}cursor={cursor}")).await.sound();
        }
    }
    for id in corpus::parameters().iter().filter(|id| !id.is_empty()) {
        for path in [format!("/api/posts/{id}"), format!("/api/posts/{id}/likes"), format!("/api/posts/{id}/comments")]
        {
            fixture.client.get(&path).await.refused(&[404], &path);
        }
        for path in ["communities", "events", "jobs", "jobs/applications", "news", "resources"]
            .map(|nouns| format!("/api/{nouns}/{id}"))
        {
            fixture.client.get(&path).await.refused(&[404], &path);
        }
        for path in [
            format!("/api/communities/{id}/members"),
            format!("/api/events/{id}/attendees"),
            format!("/api/events/{id}/calendar.ics"),
        ] {
            fixture.client.get(&path).await.refused(&[404], &path);
        }
        fixture.client.get(&format!("/api/conversations/{id}")).await.refused(&[404], id);
        for (part, form) in
            [("messages", json!({"content": "Hi"})), ("read", json!({"upTo": post})), ("typing", json!({}))]
        {
            fixture.client.post(&format!("/api/conversations/{id}/{part}"), &form).await.refused(&[404], id);
        }
        fixture.client.get(&format!("/api/users/{id}/profile")).await.refused(&[404], id);
        for list in ["connections", "suggestions"] {
            fixture.client.get(&format!("/api/users/{id}/{list}")).await.refused(&[403, 404], id);
        }
        fixture.client.post(&format!("/api/jobs/{id}/apply"), &json!({})).await.refused(&[404], id);
        for (list, form) in [("likes", json!({"type": "like"})), ("comments", json!({"content": "Hi"}))] {
            fixture.client.post(&format!("/api/posts/{id}/{list}"), &form).await.refused(&[404], id);
        }
    }
    assert_eq!(fixture.rows().await, rows, "reading wrote something");
    fixture.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_http_is_refused() {
    let mut fixture = Fixture::open().await;
    let rows = fixture.rows().await;
    for (name, request, expected) in corpus::requests(&fixture.client) {
        let reply: Reply = fixture.client.raw(&request).await;
        assert!(expected.contains(&reply.status), "{name}: {reply:?}");
        // What hyper refuses has no body; what the gateway refuses has an error body.
        if !reply.body.is_empty() && reply.is_api() {
            reply.sound();
        }
    }
    assert_eq!(fixture.rows().await, rows, "a refused request wrote something");
    fixture.client.get("/api/auth/me").await.expect(200);
    fixture.close().await;
}

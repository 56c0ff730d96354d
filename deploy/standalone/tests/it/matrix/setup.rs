//! The members of the matrix, their relations, and the entities of the owner.

use std::time::{Duration, Instant};

use reqwest::{Method, header};
use serde_json::{Value, json};

use super::fixture::{Fixture, MAX_DELAY, PNG, Response};
use crate::browser::Browser;

impl Fixture {
    pub async fn set_up(&mut self) {
        self.register().await;
        self.publish().await;
        self.found_communities().await;
        self.converse().await;
        self.restrict().await;
        self.keep().await;
        self.moderate().await;
        self.separate().await;
    }

    async fn register(&mut self) {
        let names = [
            "member",
            "other",
            "blocked",
            "blocker",
            "banned",
            "suspended",
            "moderator",
            "community_moderator",
            "owner",
            "bystander",
            "insider",
            "discreet",
        ];
        for name in names {
            let mut browser = Browser::new(self.base());
            let form = json!({ "username": format!("matrix.{name}"), "password": "correct horse", "fullName": format!("Mark{name} Santos") });
            let user = browser.post("/api/auth/register", form).await.expect(201);
            self.ids.insert(name, user["id"].as_str().unwrap().to_owned());
            self.browsers.insert(name, browser);
        }
        self.operate(&["moderators", "grant", "matrix.moderator"]);
        for member in ["owner", "other", "bystander", "insider"] {
            let path = format!("/api/users/{{{member}}}");
            self.done(member, Method::PATCH, &path, json!({ "school": "Ateneo Law" })).await;
        }
        // Pictures of profiles have a public address.
        let picture = json!({ "avatarUrl": format!("data:image/png;base64,{PNG}") });
        let (_, user) = self.call("owner", Method::PATCH, "/api/users/{owner}", picture).await;
        let address = user["avatarUrl"].as_str().unwrap_or_default();
        self.ids.insert("avatar", address.rsplit('/').next().unwrap_or_default().to_owned());
        self.operate(&["stewards", "add", "matrix.owner", "--school", "Ateneo Law"]);
        for (one, two) in [("other", "owner"), ("blocked", "owner"), ("other", "bystander")] {
            let request = json!({ "recipientId": self.ids[two] });
            let id = self.create(one, "/api/connections", request).await;
            self.done(two, Method::PATCH, &format!("/api/connections/{id}"), json!({ "status": "accepted" })).await;
            self.ids.entry("connection").or_insert(id);
        }
        self.name("request", "bystander", "/api/connections", json!({ "recipientId": self.ids["owner"] })).await;
    }

    async fn publish(&mut self) {
        let picture = self.upload("owner", "/api/pictures", "<png>").await;
        let pdf = self.upload("owner", "/api/pdf-files", "<pdf>").await;
        let post = json!({ "content": "markpublic #moot", "pictureId": picture });
        self.name("post", "owner", "/api/posts", post).await;
        self.name("pdfPost", "owner", "/api/posts", json!({ "content": "markpublic file", "pdfId": pdf })).await;
        self.name("comment", "other", "/api/posts/{post}/comments", json!({ "content": "markreply" })).await;
        self.name("ownComment", "owner", "/api/posts/{post}/comments", json!({ "content": "markpublic" })).await;
        self.name("gone", "suspended", "/api/posts", json!({ "content": "markgone #moot" })).await;
        let event = self.event();
        for (name, field) in [("start", "startDate"), ("end", "endDate")] {
            self.ids.insert(name, event[field].as_str().unwrap().to_owned());
        }
        self.name("event", "owner", "/api/events", event).await;
        let lists = json!({ "bio": "markpublic", "experiences": [], "education": [], "skills": ["Law"] });
        self.done("owner", Method::PUT, "/api/users/{owner}/profile", lists).await;
        self.done("other", Method::POST, "/api/users/{owner}/endorsements", json!({ "skill": "Law" })).await;
        self.put("suspended", "/api/events/{event}/attendance").await;
    }

    /// An event of the owner that starts in an hour.
    pub fn event(&self) -> Value {
        let start = self.stack.context("gateway").unwrap().clock.now() + chrono::TimeDelta::hours(1);
        json!({ "title": "markevent", "timeZone": "Asia/Manila", "startDate": start.to_rfc3339(),
                "endDate": (start + chrono::TimeDelta::hours(1)).to_rfc3339() })
    }

    async fn found_communities(&mut self) {
        let secret = json!({ "name": "Marksecret", "visibility": "private", "joining": "invitation" });
        self.name("community", "owner", "/api/communities", secret).await;
        self.name("club", "owner", "/api/communities", json!({ "name": "Club" })).await;
        for fellow in ["other", "blocked", "blocker", "banned", "community_moderator"] {
            self.put("owner", &format!("/api/communities/{{community}}/invitations/{{{fellow}}}")).await;
            for community in ["community", "club"] {
                self.put(fellow, &format!("/api/communities/{{{community}}}/membership")).await;
            }
        }
        let picture = self.upload("owner", "/api/pictures", "<png>").await;
        let inner = json!({ "content": "markinner", "communityId": self.ids["community"], "pictureId": picture });
        self.name("inner", "owner", "/api/posts", inner).await;
        let inner = json!({ "content": "markclub", "communityId": self.ids["club"] });
        self.name("clubPost", "owner", "/api/posts", inner).await;
        self.name("innerComment", "other", "/api/posts/{inner}/comments", json!({ "content": "markinner" })).await;
        for community in ["community", "club"] {
            let role = json!({ "role": "moderator" });
            let path = format!("/api/communities/{{{community}}}/members/{{community_moderator}}");
            self.done("owner", Method::PATCH, &path, role).await;
            let path = format!("/api/communities/{{{community}}}/members/{{banned}}");
            self.done("owner", Method::DELETE, &path, Value::Null).await;
        }
        self.done("owner", Method::PATCH, "/api/communities/{club}", json!({ "joining": "request" })).await;
        self.put("bystander", "/api/communities/{club}/membership").await;
        self.put("owner", "/api/communities/{community}/invitations/{bystander}").await;
    }

    async fn converse(&mut self) {
        self.name("conversation", "owner", "/api/conversations", json!({ "userId": self.ids["other"] })).await;
        self.name("former", "owner", "/api/conversations", json!({ "userId": self.ids["blocked"] })).await;
        let members = json!({ "title": "Moot", "memberIds": [self.ids["other"], self.ids["blocked"]] });
        self.name("group", "owner", "/api/conversations/groups", members).await;
        for (name, conversation) in
            [("message", "conversation"), ("formerMessage", "former"), ("groupMessage", "group")]
        {
            let path = format!("/api/conversations/{{{conversation}}}/messages");
            self.name(name, "owner", &path, json!({ "content": format!("mark{conversation}") })).await;
        }
        let picture = self.upload("owner", "/api/message-pictures", "<png>").await;
        let file = self.upload("owner", "/api/message-files", "<pdf>").await;
        for (name, part) in [
            ("pictureMessage", json!({ "content": "", "pictures": [{ "id": picture }] })),
            ("fileMessage", json!({ "content": "", "fileId": file })),
        ] {
            self.name(name, "owner", "/api/conversations/{conversation}/messages", part).await;
        }
    }

    /// Creates the entities that only the owner may see.
    async fn keep(&mut self) {
        let jobs = self.entry_pair("/api/jobs?limit=2").await;
        self.ids.extend([("job", jobs.0), ("appliedJob", jobs.1)]);
        self.name("application", "owner", "/api/jobs/{appliedJob}/apply", json!({ "notes": "marknotes" })).await;
        self.upload_to("owner", Method::PUT, "/api/jobs/applications/{application}/files/resume", "<pdf>").await;
        self.name("mute", "owner", "/api/mutes", json!({ "kind": "word", "word": "markmute" })).await;
        self.put("owner", "/api/saved-items/post/{gone}").await;
        let article = self.first("/api/news").await;
        self.ids.insert("article", article);
        let resource = self.first("/api/resources").await;
        self.ids.insert("resource", resource);
        let suggestion = json!({ "title": "Notes", "url": "https://notes.example/", "type": "guide" });
        self.name("suggestion", "owner", "/api/resources", suggestion).await;
        let mut second = Browser::new(self.base());
        second
            .post("/api/auth/login", json!({ "username": "matrix.owner", "password": "correct horse" }))
            .await
            .expect(200);
        for (name, list) in [("session", "sessions"), ("trustedBrowser", "trusted-browsers")] {
            let is_other = |entry: &Value| entry["current"] == false;
            let entry = self.entry("owner", &format!("/api/auth/{list}"), is_other).await;
            self.ids.insert(name, entry["id"].as_str().unwrap().to_owned());
        }
        let subscribe = json!({ "endpoint": "https://fcm.googleapis.com/fcm/send/a", "auth": "BTBZMqHH6r4Tts7J_aSIgg",
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "language": "en", "topics": ["messages"], "browser": "Chrome" });
        self.name("subscription", "owner", "/api/push/subscriptions", subscribe).await;
        let live = self.live("owner").await;
        self.stream = Some(live);
    }

    /// The ids of two entries of a list.
    async fn entry_pair(&mut self, path: &str) -> (String, String) {
        let begun = Instant::now();
        loop {
            let list = self.wait("owner", path, 200).await;
            if let [one, two] = list.as_array().unwrap().as_slice() {
                return (one["id"].as_str().unwrap().to_owned(), two["id"].as_str().unwrap().to_owned());
            }
            assert!(begun.elapsed() < MAX_DELAY, "{path}: {list}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The id of the first entry of a list, or of an unknown one.
    async fn first(&mut self, path: &str) -> String {
        let list = self.wait("owner", path, 200).await;
        let entries = if list.is_array() { &list } else { &list["articles"] };
        entries[0]["id"].as_str().map_or_else(|| self.ids["mute"].clone(), str::to_owned)
    }

    /// A live stream after its hello event, whose id becomes `stream`.
    async fn live(&mut self, who: &'static str) -> reqwest::Response {
        let client = reqwest::Client::builder().connect_timeout(MAX_DELAY).read_timeout(MAX_DELAY).build().unwrap();
        let request = client.get(format!("{}/api/live", self.base()));
        let mut response = request.header(header::COOKIE, self.browsers[who].cookie()).send().await.unwrap();
        let mut text = String::new();
        while !text.contains("\n\n") || !text.contains("data: ") {
            text += std::str::from_utf8(&response.chunk().await.unwrap().unwrap()).unwrap();
        }
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        let hello: Value = serde_json::from_str(data).unwrap();
        self.ids.insert("stream", hello["streamId"].as_str().unwrap_or_else(|| panic!("{hello}")).to_owned());
        response
    }

    async fn moderate(&mut self) {
        // An operator removed a post of the owner; a report of a comment waits.
        self.name("removed", "owner", "/api/posts", json!({ "content": "markremoved" })).await;
        for (kind, id) in [
            ("post", "{removed}"),
            ("comment", "{innerComment}"),
            ("message", "{message}"),
            ("message", "{pictureMessage}"),
        ] {
            let report = json!({ "kind": kind, "id": id, "reason": "spam" });
            let reporter = if kind == "comment" { "owner" } else { "other" };
            self.done(reporter, Method::POST, "/api/reports", report).await;
        }
        let reports = self.wait("moderator", "/api/moderation/reports", 200).await;
        for report in reports.as_array().unwrap() {
            let kind = if report["kind"] == "post" { "decided" } else { "report" };
            self.ids.insert(kind, report["id"].as_str().unwrap_or_else(|| panic!("{report}")).to_owned());
        }
        self.operate(&["reports", "resolve", &self.ids["decided"], "remove"]);
        let notice = self.entry("owner", "/api/notifications", |entry| entry["kind"] == "content_removed").await;
        self.ids.insert("removal", notice["subject"]["id"].as_str().unwrap().to_owned());
        self.operate(&["suspend", "matrix.suspended"]);
    }

    /// The blocks, and the end of the suspended account, as seen by the services.
    async fn separate(&mut self) {
        self.put("owner", "/api/blocks/{blocked}").await;
        self.put("blocker", "/api/blocks/{owner}").await;
        for who in ["blocked", "blocker"] {
            for path in ["/api/users/{owner}/profile", "/api/posts/{post}"] {
                self.settle(who, path, 404).await;
            }
        }
        self.settle("blocked", "/api/conversations/{group}/messages/{groupMessage}", 404).await;
        self.settle("suspended", "/api/auth/me", 401).await;
        for path in ["/api/users/{suspended}/profile", "/api/posts/{gone}"] {
            self.settle("owner", path, 404).await;
        }
        let shown = self.wait("owner", "/api/posts/{inner}", 200).await;
        let address = shown["imageUrl"].as_str().unwrap_or_else(|| panic!("{shown}"));
        self.ids.insert("innerPicture", address.rsplit('/').next().unwrap().to_owned());
        let unsigned = self.ids["innerPicture"].split('?').next().unwrap().to_owned();
        self.ids.insert("unsignedPicture", unsigned);
    }

    async fn upload(&mut self, who: &'static str, path: &str, file: &str) -> String {
        let response = self.upload_to(who, Method::POST, path, file).await;
        let body: Value = serde_json::from_str(&response.text).unwrap();
        body["id"].as_str().unwrap().to_owned()
    }

    async fn upload_to(&mut self, who: &'static str, method: Method, path: &str, file: &str) -> Response {
        let path = self.named(path);
        let response = self.request(Some(who), method, &path, file).await;
        assert!(response.status < 300, "{path}: {} {}", response.status, response.text);
        response
    }
}

//! Members with other privacy settings than the defaults, and what they did before.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::fixture::{Fixture, MAX_DELAY};

impl Fixture {
    /// Bystander: the profile is for connections: other. Insider: the profile is for members, and who writes needs a message first.
    /// Discreet: messages come from connections, there is no activity, there are no read marks, and search engines are kept away.
    pub async fn restrict(&mut self) {
        let lists = json!({ "bio": "markinside", "experiences": [], "education": [], "skills": ["Law"] });
        self.done("insider", Method::PUT, "/api/users/{insider}/profile", lists).await;
        for (member, headline) in [("insider", "markinside"), ("bystander", "markshy")] {
            let path = format!("/api/users/{{{member}}}");
            self.done(member, Method::PATCH, &path, json!({ "headline": headline })).await;
        }
        self.publish_at_school().await;
        self.name("shyPost", "bystander", "/api/posts", json!({ "content": "markreserved" })).await;
        self.name("discreetPost", "discreet", "/api/posts", json!({ "content": "markquiet" })).await;
        self.write_to_discreet().await;
        for (member, settings) in [
            ("bystander", json!({ "profileAudience": "connections" })),
            ("insider", json!({ "profileAudience": "members", "messageAudience": "replies-only" })),
            (
                "discreet",
                json!({ "messageAudience": "connections", "activityShown": false, "readReceipts": false,
                        "searchEngines": false }),
            ),
        ] {
            self.done(member, Method::PATCH, &format!("/api/users/{{{member}}}/privacy"), settings).await;
        }
        self.wait_for_settings().await;
        self.name("laterShyPost", "bystander", "/api/posts", json!({ "content": "markreserved" })).await;
    }

    /// A post of the insider that feed shows to others for the school, so that it knows the schools of the members before.
    async fn publish_at_school(&mut self) {
        let begun = Instant::now();
        loop {
            self.name("insiderPost", "insider", "/api/posts", json!({ "content": "markopen" })).await;
            let reasons = self.wait("owner", "/api/posts/{insiderPost}/reasons", 200).await;
            if reasons.to_string().contains("school") {
                return;
            }
            assert!(begun.elapsed() < MAX_DELAY, "{reasons}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// A conversation and a group of discreet with other, a connection, and a conversation with member, who is none. Discreet reads everything.
    async fn write_to_discreet(&mut self) {
        let id = self.create("other", "/api/connections", json!({ "recipientId": self.ids["discreet"] })).await;
        self.done("discreet", Method::PATCH, &format!("/api/connections/{id}"), json!({ "status": "accepted" })).await;
        for (name, who) in [("asked", "member"), ("discreetConversation", "other")] {
            self.name(name, who, "/api/conversations", json!({ "userId": self.ids["discreet"] })).await;
        }
        let members = json!({ "title": "Quiet", "memberIds": [self.ids["discreet"], self.ids["bystander"]] });
        self.name("discreetGroup", "other", "/api/conversations/groups", members).await;
        for (name, who, conversation, reader) in [
            ("askedMessage", "member", "asked", "discreet"),
            ("discreetMessage", "other", "discreetConversation", "discreet"),
            ("discreetGroupMessage", "other", "discreetGroup", "discreet"),
            // With read marks.
            ("readMessage", "owner", "conversation", "other"),
            ("readGroupMessage", "owner", "group", "other"),
        ] {
            let path = format!("/api/conversations/{{{conversation}}}");
            let message = json!({ "content": format!("mark{conversation}") });
            self.name(name, who, &format!("{path}/messages"), message).await;
            let read = json!({ "upTo": self.ids[name] });
            self.done(reader, Method::POST, &format!("{path}/read"), read).await;
        }
    }

    /// Waits until feed, messaging and social-graph know the settings, or for the maximum delay: a row reports what is wrong.
    async fn wait_for_settings(&mut self) {
        let begun = Instant::now();
        let message = "/api/conversations/{discreetConversation}/messages/{discreetMessage}";
        let follow = "/api/follows/{bystander}";
        while begun.elapsed() < MAX_DELAY {
            let activity = self.wait("visitor", "/api/users/{discreet}/activity", 200).await;
            let message = self.wait("other", message, 200).await;
            let (followed, _) = self.call("member", Method::PUT, follow, Value::Null).await;
            if followed < 300 {
                self.done("member", Method::DELETE, follow, Value::Null).await;
            }
            if !activity.to_string().contains("markquiet") && message["isRead"] == false && followed == 404 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

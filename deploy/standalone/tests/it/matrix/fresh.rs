//! New entities for each admitted caller, so that one caller's deletion or decision does not affect the next.

use reqwest::Method;
use serde_json::{Value, json};

use super::fixture::Fixture;

/// The existing entity for callers who are refused, with their relation to it.
pub fn existing(name: &str) -> &'static str {
    match name {
        "post" => "post",
        "inner" => "inner",
        "comment" => "comment",
        "innerComment" => "innerComment",
        "community" | "invitingCommunity" => "community",
        "club" | "askedClub" | "banningClub" => "club",
        "event" => "event",
        "message" => "message",
        "group" => "group",
        "mute" => "mute",
        other => panic!("no {other}"),
    }
}

impl Fixture {
    /// A new entity of the owner, and its id.
    pub async fn fresh(&mut self, name: &str) -> String {
        match name {
            "post" => self.create("owner", "/api/posts", json!({ "content": "markpublic" })).await,
            "inner" => {
                let post = json!({ "content": "markinner", "communityId": self.ids["community"] });
                self.create("owner", "/api/posts", post).await
            }
            "comment" => self.create("other", "/api/posts/{post}/comments", json!({ "content": "markreply" })).await,
            "innerComment" => {
                self.create("other", "/api/posts/{inner}/comments", json!({ "content": "markinner" })).await
            }
            "event" => {
                let event = self.event();
                self.create("owner", "/api/events", event).await
            }
            "message" => {
                let path = "/api/conversations/{conversation}/messages";
                self.create("owner", path, json!({ "content": "markconversation" })).await
            }
            "group" => {
                let members = json!({ "memberIds": [self.ids["other"], self.ids["member"]] });
                self.create("owner", "/api/conversations/groups", members).await
            }
            "mute" => self.create("owner", "/api/mutes", json!({ "kind": "word", "word": "markmute" })).await,
            name => self.found(name).await,
        }
    }

    /// A community with its moderator, and the bystander as a member, banned, invited or asking.
    async fn found(&mut self, name: &str) -> String {
        let is_private = name == "community" || name == "invitingCommunity";
        let (visibility, joining) = if is_private { ("private", "invitation") } else { ("public", "open") };
        self.founded += 1;
        let form = json!({ "name": format!("Fresh {}", self.founded), "visibility": visibility, "joining": joining });
        let id = self.create("owner", "/api/communities", form).await;
        let path = format!("/api/communities/{id}");
        let membership = format!("{path}/membership");
        let invite = |member: &str| format!("{path}/invitations/{{{member}}}");
        if is_private {
            self.put("owner", &invite("community_moderator")).await;
            self.put("owner", &invite("bystander")).await;
        }
        self.put("community_moderator", &membership).await;
        let moderator = format!("{path}/members/{{community_moderator}}");
        self.done("owner", Method::PATCH, &moderator, json!({ "role": "moderator" })).await;
        if name == "askedClub" {
            self.done("owner", Method::PATCH, &path, json!({ "joining": "request" })).await;
        }
        if name != "invitingCommunity" {
            self.put("bystander", &membership).await;
        }
        if name == "banningClub" {
            self.done("owner", Method::DELETE, &format!("{path}/members/{{bystander}}"), Value::Null).await;
        }
        id
    }
}

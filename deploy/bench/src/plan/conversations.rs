//! Requests for conversations.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actors, DEEP, PAGE, first};
use crate::client::{Member, Request};

/// A member's conversations.
pub(super) const CONVERSATIONS: &str = "/api/conversations";

/// The conversations of the measured requests.
#[derive(Debug)]
pub(super) struct Conversations {
    /// Each typical member's newest conversation.
    pub(super) newest: Vec<(String, String)>,
    /// The number of conversations of the hub.
    pub(super) of_hub: usize,
    /// A deep page of the hub's longest conversation.
    pub(super) deep: String,
    /// Its depth in messages.
    pub(super) down: usize,
}

impl Conversations {
    /// Finds the conversations: the hub's newest is the longest.
    pub(super) async fn discover(actors: &Actors) -> anyhow::Result<Self> {
        let mut newest = Vec::new();
        for member in &actors.typical {
            newest.push((member.id.clone(), format!("{CONVERSATIONS}/{}", first(member, CONVERSATIONS).await?)));
        }
        let mut of_hub = 0;
        let mut page = Some(format!("{CONVERSATIONS}?limit=100"));
        while let Some(path) = page {
            let answer = actors.hub.send(&Request::get(path)).await?;
            of_hub += answer.json()?.as_array().map_or(0, Vec::len);
            page = answer.next;
        }
        let mut deep = format!("{CONVERSATIONS}/{}", first(&actors.hub, CONVERSATIONS).await?);
        let mut down = 0;
        for _ in 0..DEEP / PAGE {
            let answer = actors.hub.send(&Request::get(&deep)).await?;
            let count = answer.json()?.get("messages").and_then(Value::as_array).map_or(0, Vec::len);
            let Some(older) = answer.next else { break };
            (deep, down) = (older, down + count);
        }
        Ok(Self { newest, of_hub, deep, down })
    }

    /// The member's newest conversation.
    pub(super) fn of(&self, member: &Member) -> impl Iterator<Item = &str> {
        self.newest.iter().filter(|(id, _)| *id == member.id).map(|(_, path)| path.as_str())
    }
}

/// A message by the member in that conversation.
pub(super) fn message(member: &Member, conversation: &str) -> Request {
    let id = conversation.rsplit('/').next();
    let body = json!({"userId": member.id, "conversationId": id, "content": "See you at the moot court on Friday."});
    Request { method: Method::POST, path: format!("{conversation}/messages"), body: Some(body) }
}

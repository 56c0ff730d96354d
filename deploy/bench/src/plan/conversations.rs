//! Requests for conversations.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actors, DEEP, PAGE, first};
use crate::client::{Ask, Member};

/// A member's conversations.
pub(super) const CONVERSATIONS: &str = "/api/conversations";

/// The conversations that are requested.
#[derive(Debug)]
pub(super) struct Conversations {
    /// Each typical member's newest conversation.
    pub(super) newest: Vec<(String, String)>,
    /// How many conversations the hub has.
    pub(super) of_hub: usize,
    /// A page far down the hub's longest one.
    pub(super) deep: String,
    /// How far.
    pub(super) down: usize,
}

impl Conversations {
    /// Finds conversations: the hub's newest is the longest there is.
    pub(super) async fn found(actors: &Actors) -> anyhow::Result<Self> {
        let mut newest = Vec::new();
        for member in &actors.typical {
            newest.push((member.id.clone(), format!("{CONVERSATIONS}/{}", first(member, CONVERSATIONS).await?)));
        }
        let mut of_hub = 0;
        let mut page = Some(format!("{CONVERSATIONS}?limit=100"));
        while let Some(path) = page {
            let answer = actors.hub.ask(&Ask::get(path)).await?;
            of_hub += answer.json()?.as_array().map_or(0, Vec::len);
            page = answer.next;
        }
        let mut deep = format!("{CONVERSATIONS}/{}", first(&actors.hub, CONVERSATIONS).await?);
        let mut down = 0;
        for _ in 0..DEEP / PAGE {
            let answer = actors.hub.ask(&Ask::get(&deep)).await?;
            let said = answer.json()?.get("messages").and_then(Value::as_array).map_or(0, Vec::len);
            let Some(older) = answer.next else { break };
            (deep, down) = (older, down + said);
        }
        Ok(Self { newest, of_hub, deep, down })
    }

    /// The member's newest conversation.
    pub(super) fn of(&self, member: &Member) -> impl Iterator<Item = &str> {
        self.newest.iter().filter(|(id, _)| *id == member.id).map(|(_, path)| path.as_str())
    }
}

/// A message of the member's in that conversation.
pub(super) fn message(member: &Member, conversation: &str) -> Ask {
    let id = conversation.rsplit('/').next();
    let body = json!({"userId": member.id, "conversationId": id, "content": "See you at the moot court on Friday."});
    Ask { method: Method::POST, path: format!("{conversation}/messages"), body: Some(body) }
}

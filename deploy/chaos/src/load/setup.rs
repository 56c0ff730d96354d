//! The members of the load, before the first fault: each is connected to the next one, and they have greeted each other.

use anyhow::{Context as _, ensure};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Load, Member,
    client::{Answer, Client, Request},
};
use crate::journal::{Connection, Journal, State, Text};

/// The text of a field of a response.
pub(super) fn text(body: &Value, field: &str) -> Option<String> {
    body.get(field).and_then(Value::as_str).map(str::to_owned)
}

fn expect(answer: Answer, statuses: &[u16]) -> anyhow::Result<Value> {
    ensure!(statuses.contains(&answer.status), "{} {}", answer.status, answer.body);
    Ok(answer.body)
}

fn id_of(body: &Value) -> anyhow::Result<String> {
    text(body, "id").context("a response without an id")
}

impl Load {
    /// Registers `members` members.
    ///
    /// # Errors
    /// When one of the requests is refused.
    pub async fn prepare(client: Client, members: usize, seed: u64) -> anyhow::Result<Self> {
        let mut load = Self {
            client,
            members: Vec::new(),
            postings: Vec::new(),
            journal: Journal::default(),
            seed,
            finished: false.into(),
            violations: std::sync::Mutex::default(),
        };
        for n in 0..members {
            let member = load.register(n).await?;
            load.members.push(member);
        }
        let visitor = load.members.first().context("there are no members")?;
        let listed = load.client.read_surely(visitor, "/api/jobs?limit=100").await?;
        let listed = expect(listed, &[200])?;
        load.postings = listed.as_array().into_iter().flatten().filter_map(|job| text(job, "id")).collect();
        for n in 0..members {
            let conversation = load.greet(n).await?;
            if let Some(member) = load.members.get_mut(n) {
                member.conversation = conversation;
            }
        }
        Ok(load)
    }

    async fn register(&self, n: usize) -> anyhow::Result<Member> {
        let visitor = Member { id: String::new(), cookie: String::new(), conversation: String::new() };
        let form =
            json!({"username": format!("chaos.{n}"), "password": "correct horse", "fullName": format!("Member {n}")});
        let answer = self.client.send(&visitor, n, &Request::post("/api/auth/register", form, None)).await?;
        let cookie = answer.cookie.clone();
        let id = id_of(&expect(answer, &[201])?)?;
        Ok(Member { id, cookie, conversation: String::new() })
    }

    /// Connects a member with the next one, opens their conversation, and sends two messages. Returns the conversation.
    async fn greet(&self, n: usize) -> anyhow::Result<String> {
        let next = self.members.get((n + 1) % self.members.len()).context("there are no members")?;
        let member = self.members.get(n).context("there are no members")?;
        let request = Request::post("/api/connections", json!({"recipientId": next.id}), None);
        let id = id_of(&expect(self.client.send(member, n, &request).await?, &[201])?)?;
        let accept = Request {
            body: Some(json!({"status": "accepted"})),
            ..Request::new(Method::PATCH, format!("/api/connections/{id}"))
        };
        expect(self.client.send(next, n, &accept).await?, &[200])?;
        let pair = (member.id.clone(), next.id.clone());
        self.journal.acknowledge(|entries| {
            entries.connections.insert(pair, State { now: Connection::Accepted(id), is_final: true });
        });
        let open = Request::post("/api/conversations", json!({"userId": next.id}), None);
        let conversation = id_of(&expect(self.client.send(member, n, &open).await?, &[200, 201])?)?;
        for (sender, content) in [(member, format!("greeting {n}")), (next, format!("answer {n}"))] {
            let path = format!("/api/conversations/{conversation}/messages");
            let message = Request::post(path, json!({"content": content}), Some(&content));
            let id = id_of(&expect(self.client.send(sender, n, &message).await?, &[201])?)?;
            let (parent, author) = (conversation.clone(), sender.id.clone());
            self.journal.acknowledge(|entries| entries.messages.push(Text { id, parent, author, content }));
        }
        Ok(conversation)
    }
}

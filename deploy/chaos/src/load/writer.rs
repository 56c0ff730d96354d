//! A member who writes: one write after the other, each until it is acknowledged, which the journal records.

use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Load, Member,
    client::{Answer, Request},
    setup::text,
};
use crate::{
    journal::{Connection, State, Switch, Text},
    rng::Rng,
};

/// The switches of a member that are on stay below the maximum of saved items.
const MAX_SAVED: usize = 900;

/// A writer.
pub(super) struct Writer {
    load: Arc<Load>,
    me: usize,
    phase: u64,
    rng: Rng,
    /// The number of the next text.
    next: u64,
    saved: usize,
}

impl Writer {
    pub fn new(load: Arc<Load>, me: usize, phase: u64, rng: Rng) -> Self {
        Self { load, me, phase, rng, next: 0, saved: 0 }
    }

    pub async fn run(mut self) {
        let load = Arc::clone(&self.load);
        let Some(me) = load.members.get(self.me) else { return };
        while !load.is_finished() {
            if let Err(error) = self.write(me).await {
                load.violate(format!("{error:#}"));
                return;
            }
        }
    }

    async fn write(&mut self, me: &Member) -> anyhow::Result<()> {
        let post = self.load.journal.read(|entries| self.rng.choose(&entries.posts).map(|post| post.id.clone()));
        match (self.rng.below(100), post) {
            (0..25, _) | (_, None) => self.create_post(me).await,
            (25..45, Some(post)) => self.create_comment(me, post).await,
            (45..65, Some(post)) => self.switch(me, Switch::Like, post).await,
            (65..80, _) => self.send_message(me).await,
            (80..86, Some(post)) => self.switch(me, Switch::Save, post).await,
            (86..90, _) => match self.other() {
                Some(other) => self.switch(me, Switch::Follow, other).await,
                None => Ok(()),
            },
            (90..97, _) => self.change_connection(me).await,
            _ => self.apply(me).await,
        }
    }

    /// A text like no other.
    fn words(&mut self, kind: &str) -> String {
        self.next += 1;
        format!("{kind} {} of {} in {}", self.next, self.me, self.phase)
    }

    /// Another member.
    fn other(&mut self) -> Option<String> {
        let n = self.load.members.len();
        let other = (self.me + 1 + self.rng.below(n - 1)) % n;
        self.load.members.get(other).map(|member| member.id.clone())
    }

    async fn send(&mut self, member: &Member, request: &Request) -> anyhow::Result<Answer> {
        let gateway = self.rng.below(2);
        self.load.client.send(member, gateway, request).await
    }

    fn refuse(&self, request: &Request, answer: &Answer) {
        let Request { method, path, body, .. } = request;
        let body = body.as_ref().map(Value::to_string).unwrap_or_default();
        self.load.violate(format!("{method} {path} {body}: {} {}", answer.status, answer.body));
    }

    /// Creates a text with an idempotency key.
    async fn create(&mut self, me: &Member, path: String, content: String) -> anyhow::Result<Option<String>> {
        let request = Request::post(path, json!({"content": content}), Some(&content));
        let answer = self.send(me, &request).await?;
        let id = text(&answer.body, "id").filter(|_| answer.status == 201);
        if id.is_none() || text(&answer.body, "content").as_ref() != Some(&content) {
            self.refuse(&request, &answer);
            return Ok(None);
        }
        Ok(id)
    }

    async fn create_post(&mut self, me: &Member) -> anyhow::Result<()> {
        let content = self.words("post");
        if let Some(id) = self.create(me, "/api/posts".to_owned(), content.clone()).await? {
            let author = me.id.clone();
            let post = Text { id, parent: String::new(), author, content };
            self.load.journal.acknowledge(|entries| entries.posts.push(post));
        }
        Ok(())
    }

    async fn create_comment(&mut self, me: &Member, parent: String) -> anyhow::Result<()> {
        let content = self.words("comment");
        if let Some(id) = self.create(me, format!("/api/posts/{parent}/comments"), content.clone()).await? {
            let comment = Text { id, parent, author: me.id.clone(), content };
            self.load.journal.acknowledge(|entries| entries.comments.push(comment));
        }
        Ok(())
    }

    async fn send_message(&mut self, me: &Member) -> anyhow::Result<()> {
        let content = self.words("message");
        // The conversation with the next member, or with the one before.
        let before = (self.me + self.load.members.len() - 1) % self.load.members.len();
        let other = self.load.members.get(before).map(|member| member.conversation.clone());
        let parent = other.filter(|_| self.rng.once_in(2)).unwrap_or_else(|| me.conversation.clone());
        if let Some(id) = self.create(me, format!("/api/conversations/{parent}/messages"), content.clone()).await? {
            let message = Text { id, parent, author: me.id.clone(), content };
            self.load.journal.acknowledge(|entries| entries.messages.push(message));
        }
        Ok(())
    }

    async fn switch(&mut self, me: &Member, switch: Switch, target: String) -> anyhow::Result<()> {
        let key = (switch, me.id.clone(), target.clone());
        let state = self.load.journal.read(|entries| entries.switches.get(&key).copied()).unwrap_or_default();
        let now = !state.now;
        if state.is_final || (switch == Switch::Save && now && self.saved >= MAX_SAVED) {
            return self.create_post(me).await;
        }
        let path = match switch {
            Switch::Like => format!("/api/posts/{target}/likes"),
            Switch::Save => format!("/api/saved-items/post/{target}"),
            Switch::Follow => format!("/api/follows/{target}"),
        };
        let request = match (switch, now) {
            (Switch::Like, true) => Request::post(path, json!({"type": "like"}), None),
            (_, true) => Request::new(Method::PUT, path),
            (_, false) => Request::new(Method::DELETE, path),
        };
        let answer = self.send(me, &request).await?;
        if !matches!(answer.status, 200 | 204) {
            self.refuse(&request, &answer);
            return Ok(());
        }
        self.saved += usize::from(switch == Switch::Save && now);
        let state = State { now, is_final: answer.after_unknown };
        self.load.journal.acknowledge(|entries| {
            entries.switches.insert(key, state);
        });
        Ok(())
    }

    /// The next step of the connection with a member after this one in the list: request, acceptance, removal.
    async fn change_connection(&mut self, me: &Member) -> anyhow::Result<()> {
        let later = self.load.members.len() - self.me - 1;
        let place = self.me + 1 + self.rng.below(later);
        let Some(other) = self.load.members.get(place).cloned() else { return self.create_post(me).await };
        let pair = (me.id.clone(), other.id.clone());
        let reversed = (other.id.clone(), me.id.clone());
        let known = self.load.journal.read(|entries| {
            let is_known = entries.connections.contains_key(&reversed);
            (is_known, entries.connections.get(&pair).cloned().unwrap_or_default())
        });
        let (false, state) = known else { return self.create_post(me).await };
        let (actor, request) = match &state.now {
            Connection::None => (me, Request::post("/api/connections", json!({"recipientId": other.id}), None)),
            Connection::Pending(id) => {
                let accept = Request::new(Method::PATCH, format!("/api/connections/{id}"));
                (&other, Request { body: Some(json!({"status": "accepted"})), ..accept })
            }
            Connection::Accepted(id) => (me, Request::new(Method::DELETE, format!("/api/connections/{id}"))),
        };
        // An acceptance cannot be undone by a late request, and a late acceptance changes nothing.
        if state.is_final && !matches!(state.now, Connection::Pending(_)) {
            return self.create_post(me).await;
        }
        let answer = self.send(actor, &request).await?;
        let id = text(&answer.body, "id");
        let now = match (state.now, answer.status, id) {
            (Connection::None, 200 | 201, Some(id)) => Connection::Pending(id),
            (Connection::Pending(known), 200, Some(id)) if known == id => Connection::Accepted(id),
            (Connection::Accepted(_), 204, _) => Connection::None,
            // An earlier attempt has removed it.
            (Connection::Accepted(_), 404, _) if answer.after_unknown => Connection::None,
            _ => {
                self.refuse(&request, &answer);
                return Ok(());
            }
        };
        let state = State { now, is_final: state.is_final || answer.after_unknown };
        self.load.journal.acknowledge(|entries| {
            entries.connections.insert(pair, state);
        });
        Ok(())
    }

    async fn apply(&mut self, me: &Member) -> anyhow::Result<()> {
        let Some(posting) = self.rng.choose(&self.load.postings).cloned() else { return self.create_post(me).await };
        let pair = (me.id.clone(), posting.clone());
        if self.load.journal.read(|entries| entries.applications.contains_key(&pair)) {
            return self.create_post(me).await;
        }
        let key = format!("application to {posting}");
        let request = Request::post(format!("/api/jobs/{posting}/apply"), json!({}), Some(&key));
        let answer = self.send(me, &request).await?;
        match text(&answer.body, "id").filter(|_| answer.status == 201) {
            Some(id) => self.load.journal.acknowledge(|entries| {
                entries.applications.insert(pair, id);
            }),
            None => self.refuse(&request, &answer),
        }
        Ok(())
    }
}

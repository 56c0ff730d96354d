//! The service under test, and conversations to list: nothing writes them yet, so tests do it by SQL.

use chassis::{error::Explained, rpc::Transport};
use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::messaging::{
    ListConversationsRequest, ListConversationsResponse, messaging_service_client::MessagingServiceClient,
};
use testkit::{FactSource, Harness};
use uuid::Uuid;

pub struct Inbox {
    pub harness: Harness,
    pub auth: FactSource,
    pub messaging: MessagingServiceClient<Transport>,
}

pub fn conversation_id(n: u32) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0001_0000 + u128::from(n))
}

impl Inbox {
    pub async fn open() -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("messaging").database(&messaging::MIGRATOR).await.neighbour("auth", auth.routes());
        let harness = builder.start(messaging::start).await;
        Self { messaging: MessagingServiceClient::new(harness.transport()), auth, harness }
    }

    /// When the conversation number `n` was last active; a greater number is longer ago.
    pub fn active_at(&self, n: u32) -> DateTime<Utc> {
        self.harness.clock.now() - TimeDelta::minutes(i64::from(n))
    }

    /// Opens a conversation between two members, who have said nothing yet.
    pub async fn converse(&self, n: u32, one: Uuid, other: Uuid) {
        let (id, at) = (conversation_id(n), self.active_at(n).to_rfc3339());
        let (lower, upper) = (one.min(other), one.max(other));
        let sql = format!(
            "insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at)
            values ('{id}', '{lower}', '{upper}', '{at}');
            insert into messaging.participants (conversation_id, member_id, active_at)
            values ('{id}', '{lower}', '{at}'), ('{id}', '{upper}', '{at}')"
        );
        self.harness.database().run(sql).await;
    }

    /// Says the conversation's next message, as sending will.
    pub async fn say(&self, n: u32, sender: Uuid, content: &str) {
        let (id, at) = (conversation_id(n), self.active_at(n).to_rfc3339());
        let sql = format!(
            "update messaging.conversations
            set last_seq = last_seq + 1, last_message = $t${content}$t$, last_message_at = '{at}'
            where id = '{id}';
            insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at)
            select gen_random_uuid(), id, last_seq, '{sender}', last_message, last_message_at
            from messaging.conversations
            where id = '{id}';
            update messaging.participants
            set active_at = '{at}', unread_count = unread_count + (member_id <> '{sender}')::integer
            where conversation_id = '{id}'"
        );
        self.harness.database().run(sql).await;
    }

    pub async fn list(
        &self,
        member: Uuid,
        request: ListConversationsRequest,
    ) -> Result<ListConversationsResponse, Explained> {
        let request = self.harness.actors.member(member).request(request).unwrap();
        let answer = self.messaging.clone().list_conversations(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Explained::from(&status))
    }
}

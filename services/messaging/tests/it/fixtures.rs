//! The service under test: actions of members, published facts, and the invariants of the schema.

use std::{fmt, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    messaging::{
        AcceptRequestRequest, ClearConversationRequest, Conversation, ConversationChanged, ConversationRead,
        DeleteMessageRequest, EditMessageRequest, Folder, GetConversationRequest, GetMessageRequest, GetUnreadRequest,
        ListConversationsRequest, ListConversationsResponse, ListMessagesRequest, ListMessagesResponse,
        MarkReadRequest, Message, MessageChanged, MessageReactionKind, MessageSent, MuteConversationRequest,
        NoteTypingRequest, OpenConversationRequest, OpenConversationResponse, ReactToMessageRequest,
        SearchMessagesRequest, SearchMessagesResponse, SendMessageRequest,
        messaging_service_client::MessagingServiceClient,
    },
    social_graph::{ConnectionAccepted, MemberBlocked, MemberUnblocked},
};
use primitives::error::StatusDetails;
use prost::Message as _;
use rpc::Transport;
use sqlx::AssertSqlSafe;
use testkit::{FactSource, Harness, member};
use tonic::{Request, Response, Status};
use uuid::Uuid;

pub const INBOX: Folder = Folder::Inbox;
pub const REQUESTS: Folder = Folder::Requests;
/// The time limit of waits for background work.
pub const TIMEOUT: Duration = Duration::from_secs(120);

pub struct Fixture {
    pub harness: Harness,
    pub auth: FactSource,
    pub profile: FactSource,
    pub social_graph: FactSource,
    pub feed: FactSource,
    pub jobs: FactSource,
    pub messaging: MessagingServiceClient<Transport>,
}

/// A published fact, with members by number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    Sent { conversation: String, sender: u128, recipient: u128 },
    MessageChanged { conversation: String, members: Vec<u128> },
    Read { conversation: String, reader: u128, other: Option<u128> },
    Changed { conversation: String, member: u128 },
    SentToGroup { conversation: String, sender: u128, recipients: Vec<u128> },
    GroupChanged { conversation: String, members: Vec<u128> },
}

impl fmt::Debug for Fact {
    /// Omits the conversation, for tests of one conversation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sent { sender, recipient, .. } => write!(f, "message from {sender} to {recipient}"),
            Self::MessageChanged { members, .. } => write!(f, "message changed for {members:?}"),
            Self::Read { reader, .. } => write!(f, "read by {reader}"),
            Self::Changed { member, .. } => write!(f, "changed for {member}"),
            Self::SentToGroup { sender, recipients, .. } => write!(f, "message from {sender} to {recipients:?}"),
            Self::GroupChanged { members, .. } => write!(f, "group changed for {members:?}"),
        }
    }
}

/// Returns the id of a connection requested this many days ago.
pub fn connection_id(now: DateTime<Utc>, days_ago: i64, n: u128) -> Uuid {
    let millis = (now - TimeDelta::days(days_ago)).timestamp_millis();
    Uuid::from_u128(u128::from(u64::try_from(millis).unwrap()) << 80 | 0x7000_8000_0000_0002_0000 | n)
}

/// Returns the number of a member: the inverse of `member`.
pub fn number(id: &str) -> u128 {
    let id = Uuid::parse_str(id).unwrap().as_u128();
    (id >> 20 & 0x3ff) << 10 | (id & 0x3ff)
}

/// Returns the message of a response, or the details of the refusal.
pub fn into_result<T>(answer: Result<Response<T>, Status>) -> Result<T, StatusDetails> {
    answer.map(Response::into_inner).map_err(|status| StatusDetails::from(&status))
}

/// Waits until the work for erased and closed accounts is done.
pub async fn wait_for_background_work(harness: &Harness) {
    let pending = "select count(*) from messaging.erasures e
        full join (select member_id from messaging.closed_members where told_of) c using (member_id)";
    let done = async {
        while sqlx::query_scalar::<_, i64>(pending).fetch_one(harness.pool()).await.unwrap() > 0 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(TIMEOUT, done).await.expect("the background work finishes");
}

/// Returns the reason of a refusal, or `OK`.
pub fn reason<T>(outcome: Result<T, StatusDetails>) -> String {
    outcome.map_or_else(|refused| refused.reason, |_| "OK".to_owned())
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with_snapshots(|_, _, _, _| {}).await
    }

    /// Starts the service with settings.
    pub async fn with_settings(settings: &[(&str, &str)]) -> Self {
        Self::start(|_, _, _, _| {}, settings).await
    }

    /// Starts the service with snapshots of auth, profile, social-graph and feed.
    pub async fn with_snapshots(fill: impl FnOnce(&FactSource, &FactSource, &FactSource, &FactSource)) -> Self {
        Self::start(fill, &[]).await
    }

    async fn start(
        fill: impl FnOnce(&FactSource, &FactSource, &FactSource, &FactSource),
        settings: &[(&str, &str)],
    ) -> Self {
        let [auth, profile, social_graph, feed, jobs] = std::array::from_fn(|_| FactSource::default());
        fill(&auth, &profile, &social_graph, &feed);
        let builder = Harness::of("messaging").database(&messaging::MIGRATOR).await;
        let builder = builder.upstream("auth", auth.routes()).upstream("profile", profile.routes());
        let builder = builder.upstream("social-graph", social_graph.routes()).upstream("feed", feed.routes());
        let builder = builder.upstream("jobs", jobs.routes());
        let builder = settings.iter().fold(builder, |builder, (field, value)| builder.with(field, *value));
        let harness = builder.start(messaging::start).await;
        let messaging = MessagingServiceClient::new(harness.transport());
        Self { messaging, auth, profile, social_graph, feed, jobs, harness }
    }

    /// Creates a request of a member.
    pub fn as_member<T>(&self, who: u128, message: T) -> Request<T> {
        self.harness.actors.member(member(who)).request(message).unwrap()
    }

    /// Advances the clock.
    pub fn advance_clock(&self, seconds: i64) {
        self.harness.clock.advance(TimeDelta::seconds(seconds));
    }

    /// Connects two members and returns the id of their conversation.
    pub async fn connect_pair(&self, one: u128, other: u128) -> String {
        self.apply_connection(one, other, connection_id(self.harness.clock.now(), 0, one << 8 | other)).await;
        self.open_conversation(one, other).await.unwrap().conversation.unwrap().id
    }

    /// Applies the fact of a connection.
    pub async fn apply_connection(&self, one: u128, other: u128, connection: Uuid) {
        let fact = ConnectionAccepted {
            connection_id: connection.to_string(),
            requester_id: member(one).to_string(),
            recipient_id: member(other).to_string(),
        };
        self.harness.wait_until_applied("social-graph", self.social_graph.publish(connection, &fact)).await;
    }

    /// Applies the fact of a closed account.
    pub async fn apply_closure(&self, who: u128) {
        let closed = AccountClosed { member_id: member(who).to_string() };
        self.harness.wait_until_applied("auth", self.auth.publish(member(who), &closed)).await;
    }

    /// Applies the fact of a reopened account.
    pub async fn apply_reopening(&self, who: u128) {
        let reopened = AccountReopened { member_id: member(who).to_string() };
        self.harness.wait_until_applied("auth", self.auth.publish(member(who), &reopened)).await;
    }

    pub async fn block(&self, blocker: u128, blocked: u128) {
        let fact = MemberBlocked { blocker_id: member(blocker).to_string(), blocked_id: member(blocked).to_string() };
        self.harness.wait_until_applied("social-graph", self.social_graph.publish(member(blocker), &fact)).await;
    }

    pub async fn unblock(&self, blocker: u128, blocked: u128) {
        let fact = MemberUnblocked { blocker_id: member(blocker).to_string(), blocked_id: member(blocked).to_string() };
        self.harness.wait_until_applied("social-graph", self.social_graph.publish(member(blocker), &fact)).await;
    }

    /// Erases a member and waits for the deletion of the rows.
    pub async fn erase(&self, who: u128) {
        self.apply_erasure(who).await;
        wait_for_background_work(&self.harness).await;
    }

    /// Applies the fact of an erased account, published twice.
    pub async fn apply_erasure(&self, who: u128) {
        let erased = AccountErased { member_id: member(who).to_string() };
        self.auth.publish(member(who), &erased);
        let seq = self.auth.publish(member(who), &erased);
        self.harness.wait_until_applied("auth", seq).await;
    }

    /// Opens the conversation with another member.
    pub async fn open_conversation(&self, who: u128, other: u128) -> Result<OpenConversationResponse, StatusDetails> {
        let request = self.as_member(who, OpenConversationRequest { member_id: member(other).to_string() });
        into_result(self.messaging.clone().open_conversation(request).await)
    }

    /// Opens a request and returns its id.
    pub async fn open_request(&self, who: u128, other: u128) -> String {
        self.open_conversation(who, other).await.unwrap().conversation.unwrap().id
    }

    pub async fn send(&self, who: u128, id: &str, content: &str) -> Result<Message, StatusDetails> {
        self.send_with_key(who, id, content, None).await
    }

    pub async fn send_with_key(
        &self,
        who: u128,
        id: &str,
        content: &str,
        key: Option<&str>,
    ) -> Result<Message, StatusDetails> {
        let request = SendMessageRequest {
            conversation_id: id.to_owned(),
            content: content.to_owned(),
            idempotency_key: key.map(str::to_owned),
            ..Default::default()
        };
        let sent = into_result(self.messaging.clone().send_message(self.as_member(who, request)).await);
        sent.map(|sent| sent.message.unwrap())
    }

    pub async fn reply(&self, who: u128, id: &str, to: &str, content: &str) -> Result<Message, StatusDetails> {
        let request = SendMessageRequest {
            conversation_id: id.to_owned(),
            content: content.to_owned(),
            reply_to_id: Some(to.to_owned()),
            ..Default::default()
        };
        let sent = into_result(self.messaging.clone().send_message(self.as_member(who, request)).await);
        sent.map(|sent| sent.message.unwrap())
    }

    pub async fn edit_message(
        &self,
        who: u128,
        id: &str,
        message: &str,
        content: &str,
    ) -> Result<Message, StatusDetails> {
        let (conversation_id, message_id) = (id.to_owned(), message.to_owned());
        let request = EditMessageRequest { conversation_id, message_id, content: content.to_owned() };
        let edited = into_result(self.messaging.clone().edit_message(self.as_member(who, request)).await);
        edited.map(|edited| edited.message.unwrap())
    }

    pub async fn delete_message(&self, who: u128, id: &str, message: &str) -> Result<(), StatusDetails> {
        let request = DeleteMessageRequest { conversation_id: id.to_owned(), message_id: message.to_owned() };
        into_result(self.messaging.clone().delete_message(self.as_member(who, request)).await).map(drop)
    }

    /// Sets a reaction, or removes it.
    pub async fn react(
        &self,
        who: u128,
        id: &str,
        message: &str,
        kind: MessageReactionKind,
        on: bool,
    ) -> Result<Message, StatusDetails> {
        let (conversation_id, message_id) = (id.to_owned(), message.to_owned());
        let request = ReactToMessageRequest { conversation_id, message_id, kind: kind.into(), on };
        let changed = into_result(self.messaging.clone().react_to_message(self.as_member(who, request)).await);
        changed.map(|changed| changed.message.unwrap())
    }

    pub async fn mute(&self, who: u128, id: &str, muted: bool) -> Result<Conversation, StatusDetails> {
        let request = MuteConversationRequest { conversation_id: id.to_owned(), muted };
        let changed = into_result(self.messaging.clone().mute_conversation(self.as_member(who, request)).await);
        changed.map(|changed| changed.conversation.unwrap())
    }

    pub async fn search_page(
        &self,
        who: u128,
        query: &str,
        page_size: i32,
        page_token: &str,
    ) -> Result<SearchMessagesResponse, StatusDetails> {
        let (query, page_token) = (query.to_owned(), page_token.to_owned());
        let request = SearchMessagesRequest { query, page_size, page_token };
        into_result(self.messaging.clone().search_messages(self.as_member(who, request)).await)
    }

    /// Returns the contents of the found messages.
    pub async fn search(&self, who: u128, query: &str) -> Vec<String> {
        let found = self.search_page(who, query, 0, "").await.unwrap().messages;
        found.into_iter().map(|found| found.message.unwrap().content).collect()
    }

    pub async fn mark_read(&self, who: u128, id: &str, up_to: &str) -> Result<(), StatusDetails> {
        let request = MarkReadRequest { conversation_id: id.to_owned(), message_id: up_to.to_owned() };
        into_result(self.messaging.clone().mark_read(self.as_member(who, request)).await).map(drop)
    }

    pub async fn accept_request(&self, who: u128, id: &str) -> Result<Conversation, StatusDetails> {
        let request = AcceptRequestRequest { conversation_id: id.to_owned() };
        let accepted = into_result(self.messaging.clone().accept_request(self.as_member(who, request)).await);
        accepted.map(|accepted| accepted.conversation.unwrap())
    }

    pub async fn clear_conversation(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = ClearConversationRequest { conversation_id: id.to_owned() };
        into_result(self.messaging.clone().clear_conversation(self.as_member(who, request)).await).map(drop)
    }

    /// Returns the member who is shown that `who` types.
    pub async fn note_typing(&self, who: u128, id: &str) -> Result<Option<u128>, StatusDetails> {
        let request = NoteTypingRequest { conversation_id: id.to_owned() };
        let noted = into_result(self.messaging.clone().note_typing(self.as_member(who, request)).await);
        noted.map(|noted| noted.recipient_id.map(|id| number(&id)))
    }

    pub async fn get_conversation(&self, who: u128, id: &str) -> Result<Conversation, StatusDetails> {
        let request = GetConversationRequest { conversation_id: id.to_owned() };
        let found = into_result(self.messaging.clone().get_conversation(self.as_member(who, request)).await);
        found.map(|found| found.conversation.unwrap())
    }

    pub async fn list_page(
        &self,
        who: u128,
        request: ListConversationsRequest,
    ) -> Result<ListConversationsResponse, StatusDetails> {
        into_result(self.messaging.clone().list_conversations(self.as_member(who, request)).await)
    }

    /// Returns the first page of a folder.
    pub async fn list_conversations(&self, who: u128, folder: Folder) -> Vec<Conversation> {
        let request = ListConversationsRequest { folder: folder.into(), ..Default::default() };
        self.list_page(who, request).await.unwrap().conversations
    }

    pub async fn get_message(&self, who: u128, id: &str) -> Result<Message, StatusDetails> {
        let request = GetMessageRequest { message_id: id.to_owned(), for_report: false };
        Ok(into_result(self.messaging.clone().get_message(self.as_member(who, request)).await)?.message.unwrap())
    }

    pub async fn list_messages(&self, who: u128, id: &str) -> Result<ListMessagesResponse, StatusDetails> {
        self.list_messages_page(who, id, 0, "").await
    }

    pub async fn list_messages_page(
        &self,
        who: u128,
        id: &str,
        page_size: i32,
        page_token: &str,
    ) -> Result<ListMessagesResponse, StatusDetails> {
        let (conversation_id, page_token) = (id.to_owned(), page_token.to_owned());
        let request = ListMessagesRequest { conversation_id, page_size, page_token, around_message_id: None };
        into_result(self.messaging.clone().list_messages(self.as_member(who, request)).await)
    }

    /// Returns the page around a message.
    pub async fn list_messages_around(
        &self,
        who: u128,
        id: &str,
        message: &str,
        page_size: i32,
    ) -> Result<ListMessagesResponse, StatusDetails> {
        let request = ListMessagesRequest {
            conversation_id: id.to_owned(),
            page_size,
            around_message_id: Some(message.to_owned()),
            ..Default::default()
        };
        into_result(self.messaging.clone().list_messages(self.as_member(who, request)).await)
    }

    /// Returns the contents, oldest first, and whether each is read.
    pub async fn message_contents(&self, who: u128, id: &str) -> Vec<(String, bool)> {
        let messages = self.list_messages(who, id).await.unwrap().messages;
        messages.into_iter().rev().map(|message| (message.content, message.is_read)).collect()
    }

    /// Returns the stored numbers of unread messages and requests.
    pub async fn unread_counts(&self, who: u128) -> (i32, i32) {
        let unread =
            into_result(self.messaging.clone().get_unread(self.as_member(who, GetUnreadRequest {})).await).unwrap();
        (unread.messages, unread.requests)
    }

    /// Returns all published facts about conversations.
    pub async fn published_facts(&self) -> Vec<Fact> {
        let of_conversations = "from messaging.outbox where kind ~ '(Conversation|Message)' order by id";
        let kinds = sqlx::query_scalar::<_, String>(AssertSqlSafe(format!("select kind {of_conversations}")));
        let kinds = kinds.fetch_all(self.harness.pool()).await.unwrap();
        let payloads = sqlx::query_scalar::<_, Vec<u8>>(AssertSqlSafe(format!("select payload {of_conversations}")));
        let payloads = payloads.fetch_all(self.harness.pool()).await.unwrap();
        kinds.iter().zip(&payloads).map(|(kind, payload)| decode(kind, payload)).collect()
    }

    /// Returns the facts about conversations after the first `before` ones, as text.
    pub async fn facts_since(&self, before: usize) -> Vec<String> {
        self.published_facts().await.split_off(before).iter().map(|fact| format!("{fact:?}")).collect()
    }

    /// Asserts that stored totals, counts and numbers match the rows.
    pub async fn assert_invariants(&self) {
        let wrong = sqlx::query_scalar::<_, String>(include_str!("truth.sql")).fetch_all(self.harness.pool()).await;
        assert_eq!(wrong.unwrap(), Vec::<String>::new());
    }

    pub async fn count_rows(&self, table: &str) -> i64 {
        let sql = format!("select count(*) from messaging.{table}");
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(self.harness.pool()).await.unwrap()
    }
}

fn decode(kind: &str, payload: &[u8]) -> Fact {
    match kind.strip_prefix("portia.messaging.v1.").unwrap() {
        "MessageSent" => {
            let fact = MessageSent::decode(payload).unwrap();
            let (conversation, sender) = (fact.conversation_id, number(&fact.sender_id));
            let recipients = fact.recipient_ids.iter().map(|id| number(id)).collect();
            fact.recipient_id.map(|id| number(&id)).map_or_else(
                || Fact::SentToGroup { conversation: conversation.clone(), sender, recipients },
                |recipient| Fact::Sent { conversation: conversation.clone(), sender, recipient },
            )
        }
        "MessageChanged" => {
            let fact = MessageChanged::decode(payload).unwrap();
            let members = fact.member_ids.iter().map(|id| number(id)).collect();
            Fact::MessageChanged { conversation: fact.conversation_id, members }
        }
        "ConversationRead" => {
            let fact = ConversationRead::decode(payload).unwrap();
            let other = fact.other_member_id.map(|id| number(&id));
            Fact::Read { conversation: fact.conversation_id, reader: number(&fact.reader_id), other }
        }
        "ConversationChanged" => {
            let fact = ConversationChanged::decode(payload).unwrap();
            let conversation = fact.conversation_id;
            if fact.member_id.is_empty() {
                let members = fact.member_ids.iter().map(|id| number(id)).collect();
                return Fact::GroupChanged { conversation, members };
            }
            Fact::Changed { conversation, member: number(&fact.member_id) }
        }
        other => panic!("{other}"),
    }
}

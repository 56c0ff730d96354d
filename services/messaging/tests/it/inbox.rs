//! The service under test, what members do there, what it hears, and what must always be true of the whole.

use std::{fmt, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::{
    auth::{AccountClosed, AccountErased},
    messaging::{
        AcceptRequestRequest, ClearConversationRequest, Conversation, ConversationChanged, ConversationRead, Folder,
        GetConversationRequest, GetMessageRequest, GetUnreadRequest, ListConversationsRequest,
        ListConversationsResponse, ListMessagesRequest, ListMessagesResponse, MarkReadRequest, Message, MessageSent,
        NoteTypingRequest, OpenConversationRequest, OpenConversationResponse, SendMessageRequest,
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
/// Background work that takes longer than this does not come.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Inbox {
    pub harness: Harness,
    pub auth: FactSource,
    pub profile: FactSource,
    pub social_graph: FactSource,
    pub feed: FactSource,
    pub jobs: FactSource,
    pub messaging: MessagingServiceClient<Transport>,
}

/// What messaging told, in order; members by their numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Told {
    Sent { conversation: String, sender: u128, recipient: u128 },
    Read { conversation: String, reader: u128, other: Option<u128> },
    Changed { conversation: String, member: u128 },
}

impl fmt::Debug for Told {
    /// Without the conversation, as tests of one compare it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sent { sender, recipient, .. } => write!(f, "{sender} writes to {recipient}"),
            Self::Read { reader, .. } => write!(f, "{reader} reads"),
            Self::Changed { member, .. } => write!(f, "{member} looks"),
        }
    }
}

/// An id of a connection that was asked for so many days before the tests' now.
pub fn connection_id(now: DateTime<Utc>, days_ago: i64, n: u128) -> Uuid {
    let millis = (now - TimeDelta::days(days_ago)).timestamp_millis();
    Uuid::from_u128(u128::from(u64::try_from(millis).unwrap()) << 80 | 0x7000_8000_0000_0002_0000 | n)
}

/// `member` backwards.
pub fn number(id: &str) -> u128 {
    let id = Uuid::parse_str(id).unwrap().as_u128();
    (id >> 20 & 0x3ff) << 10 | (id & 0x3ff)
}

/// What an answer says, or why there is none.
pub fn told<T>(answer: Result<Response<T>, Status>) -> Result<T, StatusDetails> {
    answer.map(Response::into_inner).map_err(|status| StatusDetails::from(&status))
}

/// Waits until there is nothing to be forgotten any more.
pub async fn settled(harness: &Harness) {
    let noted = "select count(*) from messaging.erasures e
        full join (select member_id from messaging.closed_members where told_of) c using (member_id)";
    let done = async { while sqlx::query_scalar::<_, i64>(noted).fetch_one(harness.pool()).await.unwrap() > 0 {} };
    tokio::time::timeout(PATIENCE, done).await.expect("what was noted is worked off");
}

/// The reason of a refusal.
pub fn reason<T>(outcome: Result<T, StatusDetails>) -> String {
    outcome.map_or_else(|refused| refused.reason, |_| "OK".to_owned())
}

impl Inbox {
    pub async fn open() -> Self {
        Self::beside(|_, _, _, _| {}).await
    }

    /// Opens it beside an auth, a profile, a social-graph and a feed who have something to tell whoever comes late.
    pub async fn beside(stand: impl FnOnce(&FactSource, &FactSource, &FactSource, &FactSource)) -> Self {
        let [auth, profile, social_graph, feed, jobs] = std::array::from_fn(|_| FactSource::default());
        stand(&auth, &profile, &social_graph, &feed);
        let builder = Harness::of("messaging").database(&messaging::MIGRATOR).await;
        let builder = builder.neighbour("auth", auth.routes()).neighbour("profile", profile.routes());
        let builder = builder.neighbour("social-graph", social_graph.routes()).neighbour("feed", feed.routes());
        let builder = builder.neighbour("jobs", jobs.routes());
        let harness = builder.start(messaging::start).await;
        let messaging = MessagingServiceClient::new(harness.transport());
        Self { messaging, auth, profile, social_graph, feed, jobs, harness }
    }

    /// A call in the name of a member.
    pub fn by<T>(&self, who: u128, message: T) -> Request<T> {
        self.harness.actors.member(member(who)).request(message).unwrap()
    }

    /// Lets time pass.
    pub fn wait(&self, seconds: i64) {
        self.harness.clock.advance(TimeDelta::seconds(seconds));
    }

    /// Has the two be connected, and answers which conversation that gives them.
    pub async fn connect(&self, one: u128, other: u128) -> String {
        self.connected(one, other, connection_id(self.harness.clock.now(), 0, one << 8 | other)).await;
        self.start(one, other).await.unwrap().conversation.unwrap().id
    }

    /// Hears that the two are connected.
    pub async fn connected(&self, one: u128, other: u128, connection: Uuid) {
        let fact = ConnectionAccepted {
            connection_id: connection.to_string(),
            requester_id: member(one).to_string(),
            recipient_id: member(other).to_string(),
        };
        self.harness.heard("social-graph", self.social_graph.tell(connection, &fact)).await;
    }

    /// Hears that the account is closed.
    pub async fn closed(&self, who: u128) {
        let closed = AccountClosed { member_id: member(who).to_string() };
        self.harness.heard("auth", self.auth.tell(member(who), &closed)).await;
    }

    pub async fn block(&self, blocker: u128, blocked: u128) {
        let fact = MemberBlocked { blocker_id: member(blocker).to_string(), blocked_id: member(blocked).to_string() };
        self.harness.heard("social-graph", self.social_graph.tell(member(blocker), &fact)).await;
    }

    pub async fn unblock(&self, blocker: u128, blocked: u128) {
        let fact = MemberUnblocked { blocker_id: member(blocker).to_string(), blocked_id: member(blocked).to_string() };
        self.harness.heard("social-graph", self.social_graph.tell(member(blocker), &fact)).await;
    }

    /// Has the account be gone, and everything of it.
    pub async fn erase(&self, who: u128) {
        self.erased(who).await;
        settled(&self.harness).await;
    }

    /// Hears that the account is gone, which is told twice.
    pub async fn erased(&self, who: u128) {
        let erased = AccountErased { member_id: member(who).to_string() };
        self.auth.tell(member(who), &erased);
        let seq = self.auth.tell(member(who), &erased);
        self.harness.heard("auth", seq).await;
    }

    /// Presses Message.
    pub async fn start(&self, who: u128, other: u128) -> Result<OpenConversationResponse, StatusDetails> {
        let request = self.by(who, OpenConversationRequest { member_id: member(other).to_string() });
        told(self.messaging.clone().open_conversation(request).await)
    }

    /// The id of the conversation `who` opens with somebody they are not connected with.
    pub async fn ask(&self, who: u128, other: u128) -> String {
        self.start(who, other).await.unwrap().conversation.unwrap().id
    }

    pub async fn say(&self, who: u128, id: &str, content: &str) -> Result<Message, StatusDetails> {
        self.send(who, id, content, None).await
    }

    pub async fn send(&self, who: u128, id: &str, content: &str, key: Option<&str>) -> Result<Message, StatusDetails> {
        let request = SendMessageRequest {
            conversation_id: id.to_owned(),
            content: content.to_owned(),
            idempotency_key: key.map(str::to_owned),
        };
        let sent = told(self.messaging.clone().send_message(self.by(who, request)).await);
        sent.map(|sent| sent.message.unwrap())
    }

    pub async fn read(&self, who: u128, id: &str, up_to: &str) -> Result<(), StatusDetails> {
        let request = MarkReadRequest { conversation_id: id.to_owned(), message_id: up_to.to_owned() };
        told(self.messaging.clone().mark_read(self.by(who, request)).await).map(drop)
    }

    pub async fn accept(&self, who: u128, id: &str) -> Result<Conversation, StatusDetails> {
        let request = AcceptRequestRequest { conversation_id: id.to_owned() };
        let accepted = told(self.messaging.clone().accept_request(self.by(who, request)).await);
        accepted.map(|accepted| accepted.conversation.unwrap())
    }

    pub async fn clear(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = ClearConversationRequest { conversation_id: id.to_owned() };
        told(self.messaging.clone().clear_conversation(self.by(who, request)).await).map(drop)
    }

    /// Who sees that `who` types.
    pub async fn type_in(&self, who: u128, id: &str) -> Result<Option<u128>, StatusDetails> {
        let request = NoteTypingRequest { conversation_id: id.to_owned() };
        let noted = told(self.messaging.clone().note_typing(self.by(who, request)).await);
        noted.map(|noted| noted.recipient_id.map(|id| number(&id)))
    }

    pub async fn find(&self, who: u128, id: &str) -> Result<Conversation, StatusDetails> {
        let request = GetConversationRequest { conversation_id: id.to_owned() };
        let found = told(self.messaging.clone().get_conversation(self.by(who, request)).await);
        found.map(|found| found.conversation.unwrap())
    }

    pub async fn page(
        &self,
        who: u128,
        request: ListConversationsRequest,
    ) -> Result<ListConversationsResponse, StatusDetails> {
        told(self.messaging.clone().list_conversations(self.by(who, request)).await)
    }

    /// The first page of a folder.
    pub async fn list(&self, who: u128, folder: Folder) -> Vec<Conversation> {
        let request = ListConversationsRequest { folder: folder.into(), ..Default::default() };
        self.page(who, request).await.unwrap().conversations
    }

    pub async fn message(&self, who: u128, id: &str) -> Result<Message, StatusDetails> {
        let request = GetMessageRequest { message_id: id.to_owned() };
        Ok(told(self.messaging.clone().get_message(self.by(who, request)).await)?.message.unwrap())
    }

    pub async fn thread(&self, who: u128, id: &str) -> Result<ListMessagesResponse, StatusDetails> {
        self.thread_from(who, id, 0, "").await
    }

    pub async fn thread_from(
        &self,
        who: u128,
        id: &str,
        page_size: i32,
        page_token: &str,
    ) -> Result<ListMessagesResponse, StatusDetails> {
        let (conversation_id, page_token) = (id.to_owned(), page_token.to_owned());
        let request = ListMessagesRequest { conversation_id, page_size, page_token };
        told(self.messaging.clone().list_messages(self.by(who, request)).await)
    }

    /// What is said, oldest first, and whether it is read.
    pub async fn words(&self, who: u128, id: &str) -> Vec<(String, bool)> {
        let messages = self.thread(who, id).await.unwrap().messages;
        messages.into_iter().rev().map(|message| (message.content, message.is_read)).collect()
    }

    /// How many messages and requests wait.
    pub async fn unread(&self, who: u128) -> (i32, i32) {
        let unread = told(self.messaging.clone().get_unread(self.by(who, GetUnreadRequest {})).await).unwrap();
        (unread.messages, unread.requests)
    }

    /// Everything told of conversations so far.
    pub async fn facts(&self) -> Vec<Told> {
        let of_conversations = "from messaging.outbox where kind ~ '(Conversation|Message)' order by id";
        let kinds = sqlx::query_scalar::<_, String>(AssertSqlSafe(format!("select kind {of_conversations}")));
        let kinds = kinds.fetch_all(self.harness.pool()).await.unwrap();
        let payloads = sqlx::query_scalar::<_, Vec<u8>>(AssertSqlSafe(format!("select payload {of_conversations}")));
        let payloads = payloads.fetch_all(self.harness.pool()).await.unwrap();
        kinds.iter().zip(&payloads).map(|(kind, payload)| decode(kind, payload)).collect()
    }

    /// What was told of one conversation since there were `before` facts.
    pub async fn news(&self, before: usize) -> Vec<String> {
        self.facts().await.split_off(before).iter().map(|told| format!("{told:?}")).collect()
    }

    /// Complains about totals, counts and numbers that counting contradicts.
    pub async fn assert_true(&self) {
        let wrong = sqlx::query_scalar::<_, String>(include_str!("truth.sql")).fetch_all(self.harness.pool()).await;
        assert_eq!(wrong.unwrap(), Vec::<String>::new());
    }

    pub async fn count(&self, table: &str) -> i64 {
        let sql = format!("select count(*) from messaging.{table}");
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(self.harness.pool()).await.unwrap()
    }
}

fn decode(kind: &str, payload: &[u8]) -> Told {
    match kind.strip_prefix("portia.messaging.v1.").unwrap() {
        "MessageSent" => {
            let fact = MessageSent::decode(payload).unwrap();
            let (sender, recipient) = (number(&fact.sender_id), number(&fact.recipient_id.unwrap()));
            Told::Sent { conversation: fact.conversation_id, sender, recipient }
        }
        "ConversationRead" => {
            let fact = ConversationRead::decode(payload).unwrap();
            let other = fact.other_member_id.map(|id| number(&id));
            Told::Read { conversation: fact.conversation_id, reader: number(&fact.reader_id), other }
        }
        "ConversationChanged" => {
            let fact = ConversationChanged::decode(payload).unwrap();
            Told::Changed { conversation: fact.conversation_id, member: number(&fact.member_id) }
        }
        other => panic!("{other}"),
    }
}

//! The service under test: actions of members, rows inserted by SQL for tests of lists, and the invariants of the schema.

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::auth::{AccountClosed, AccountErased, AccountReopened};
use portia_proto::social_graph::{
    AnswerConnectionRequest, BatchFindConnectionsRequest, BlockMemberRequest, Connection, ConnectionRequested,
    ConnectionStatus, FindConnectionRequest, ListConnectionsRequest, ListConnectionsResponse,
    ListPendingRequestsRequest, ListPendingRequestsResponse, MemberBlocked, RemoveConnectionRequest,
    RequestConnectionRequest, RequestConnectionResponse, UnblockMemberRequest,
    social_graph_service_client::SocialGraphServiceClient,
};
use primitives::error::StatusDetails;
use prost::Message as _;
use rpc::Transport;
use testkit::{FactSource, Harness, member};
use tonic::{Request, Response, Status};
use uuid::Uuid;

pub struct Fixture {
    pub harness: Harness,
    pub auth: FactSource,
    pub profile: FactSource,
    pub feed: FactSource,
    pub client: SocialGraphServiceClient<Transport>,
}

pub fn row_id(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0001_0000 + n)
}

/// The inverse of `member`, for numbers of at most twenty bits.
pub fn number(id: &str) -> u128 {
    let id = Uuid::parse_str(id).unwrap().as_u128();
    (id >> 20 & 0x3ff) << 10 | (id & 0x3ff)
}

/// The message of a response, or the details of the refusal.
pub fn into_result<T>(answer: Result<Response<T>, Status>) -> Result<T, StatusDetails> {
    answer.map(Response::into_inner).map_err(|status| StatusDetails::from(&status))
}

/// The fields of the violations.
pub fn fields(refused: &StatusDetails) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

impl Fixture {
    pub async fn empty() -> Self {
        let (auth, profile, feed) = (FactSource::default(), FactSource::default(), FactSource::default());
        let builder = Harness::of("social-graph").database(&social_graph::MIGRATOR).await;
        let builder = builder.upstream("auth", auth.routes()).upstream("profile", profile.routes());
        let builder = builder.upstream("feed", feed.routes());
        let harness = builder.start(social_graph::start).await;
        Self { client: SocialGraphServiceClient::new(harness.transport()), auth, profile, feed, harness }
    }

    /// A request of a member.
    pub fn as_member<T>(&self, who: u128, message: T) -> Request<T> {
        self.harness.actors.member(member(who)).request(message).unwrap()
    }

    pub async fn request(&self, who: u128, other: u128) -> Result<RequestConnectionResponse, StatusDetails> {
        let request = self.as_member(who, RequestConnectionRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().request_connection(request).await)
    }

    pub async fn answer(&self, who: u128, id: &str, status: ConnectionStatus) -> Result<Connection, StatusDetails> {
        let answer = AnswerConnectionRequest { connection_id: id.to_owned(), status: status.into() };
        let answered = into_result(self.client.clone().answer_connection(self.as_member(who, answer)).await);
        answered.map(|answered| answered.connection.unwrap())
    }

    pub async fn remove(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = self.as_member(who, RemoveConnectionRequest { connection_id: id.to_owned() });
        into_result(self.client.clone().remove_connection(request).await).map(drop)
    }

    pub async fn block_member(&self, who: u128, other: u128) -> Result<(), StatusDetails> {
        let request = self.as_member(who, BlockMemberRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().block_member(request).await).map(drop)
    }

    pub async fn unblock_member(&self, who: u128, other: u128) -> Result<(), StatusDetails> {
        let request = self.as_member(who, UnblockMemberRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().unblock_member(request).await).map(drop)
    }

    /// Creates a pending request from `who` to `other` and returns its id.
    pub async fn create_pending_request(&self, who: u128, other: u128) -> String {
        self.request(who, other).await.unwrap().connection.unwrap().id
    }

    /// Connects two members and returns the id of the connection.
    pub async fn connect_pair(&self, who: u128, other: u128) -> String {
        let id = self.create_pending_request(who, other).await;
        self.answer(other, &id, ConnectionStatus::Accepted).await.unwrap();
        id
    }

    pub async fn find(&self, who: u128, other: u128) -> Option<Connection> {
        let request = self.as_member(who, FindConnectionRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().find_connection(request).await).unwrap().connection
    }

    pub async fn batch_find(&self, who: u128, others: &[u128]) -> Vec<Connection> {
        let member_ids = others.iter().map(|other| member(*other).to_string()).collect();
        let request = self.as_member(who, BatchFindConnectionsRequest { member_ids });
        into_result(self.client.clone().batch_find_connections(request).await).unwrap().connections
    }

    pub async fn connections_of(&self, who: u128) -> ListConnectionsResponse {
        into_result(self.client.clone().list_connections(self.as_member(who, ListConnectionsRequest::default())).await)
            .unwrap()
    }

    pub async fn requests_of(&self, who: u128) -> ListPendingRequestsResponse {
        let request = self.as_member(who, ListPendingRequestsRequest::default());
        into_result(self.client.clone().list_pending_requests(request).await).unwrap()
    }

    pub async fn deactivate(&self, who: u128) {
        let seq = self.auth.publish(member(who), &AccountClosed { member_id: member(who).to_string() });
        self.harness.wait_until_applied("auth", seq).await;
    }

    pub async fn reactivate(&self, who: u128) {
        let seq = self.auth.publish(member(who), &AccountReopened { member_id: member(who).to_string() });
        self.harness.wait_until_applied("auth", seq).await;
    }

    pub async fn erase(&self, who: u128) {
        let seq = self.auth.publish(member(who), &AccountErased { member_id: member(who).to_string() });
        self.harness.wait_until_applied("auth", seq).await;
    }

    /// Every stored count and flag matches the rows, and blocked pairs are not connected.
    pub async fn assert_invariants(&self) {
        let violations = include_str!("truth.sql");
        let violations: Vec<String> = sqlx::query_scalar(violations).fetch_all(self.harness.pool()).await.unwrap();
        assert_eq!(violations, Vec::<String>::new());
    }

    /// All published facts in order: name and payload.
    pub async fn published(&self) -> Vec<(String, Vec<u8>)> {
        let kinds = sqlx::query_scalar("select kind from social_graph.outbox order by id");
        let kinds: Vec<String> = kinds.fetch_all(self.harness.pool()).await.unwrap();
        let payloads = sqlx::query_scalar("select payload from social_graph.outbox order by id");
        let payloads: Vec<Vec<u8>> = payloads.fetch_all(self.harness.pool()).await.unwrap();
        let names = kinds.iter().map(|kind| kind.strip_prefix("portia.social_graph.v1.").unwrap().to_owned());
        names.zip(payloads).collect()
    }

    /// The facts of connections and blocks in order: name and the numbers of both members.
    pub async fn connection_facts(&self) -> Vec<(String, u128, u128)> {
        let pair = |kind: &str, payload: &[u8]| match kind {
            "MemberBlocked" | "MemberUnblocked" => {
                let fact = MemberBlocked::decode(payload).unwrap();
                (number(&fact.blocker_id), number(&fact.blocked_id))
            }
            _ => {
                let fact = ConnectionRequested::decode(payload).unwrap();
                (number(&fact.requester_id), number(&fact.recipient_id))
            }
        };
        let published = self.published().await.into_iter();
        let published = published
            .filter(|(name, _)| !["Community", "Event", "MemberErased"].iter().any(|other| name.starts_with(other)));
        published
            .map(|(name, payload)| {
                let (one, other) = pair(&name, &payload);
                (name, one, other)
            })
            .collect()
    }

    pub fn minutes_ago(&self, minutes: u128) -> DateTime<Utc> {
        self.harness.clock.now() - TimeDelta::minutes(i64::try_from(minutes).unwrap())
    }

    /// Inserts connection `n`, requested and answered `n` minutes ago.
    pub async fn insert_connection(&self, n: u128, requester: u128, recipient: u128, status: &str) {
        let at = self.minutes_ago(n).to_rfc3339();
        let answered_at = if status == "pending" { "null".to_owned() } else { format!("'{at}'") };
        let sql = format!(
            "insert into social_graph.connections (id, requester_id, recipient_id, status, requested_at, answered_at)
            values ('{}', '{}', '{}', '{status}', '{at}', {answered_at})",
            row_id(n),
            member(requester),
            member(recipient),
        );
        let count = |who: u128, connections: u8, requests: u8| {
            format!(
                ";insert into social_graph.member_counts as kept (member_id, connections, requests)
                values ('{}', {connections}, {requests})
                on conflict (member_id) do update
                set connections = kept.connections + {connections}, requests = kept.requests + {requests}",
                member(who),
            )
        };
        let counts = match status {
            "accepted" => count(requester, 1, 0) + &count(recipient, 1, 0),
            "pending" => count(recipient, 0, 1),
            _ => String::new(),
        };
        self.harness.database().run(sql + &counts).await;
    }

    /// Inserts community `n`; the first member is its owner.
    pub async fn insert_community(&self, n: u128, members: &[u128]) {
        let (id, at) = (row_id(n), self.minutes_ago(n).to_rfc3339());
        let mut sql = format!(
            "insert into social_graph.communities (id, name, name_key, member_count, created_at)
            values ('{id}', 'Community {n}', 'community {n}', {}, '{at}');
            update social_graph.totals set communities = communities + 1;",
            members.len(),
        );
        for (place, who) in members.iter().enumerate() {
            let role = if place == 0 { "owner" } else { "member" };
            sql += &format!(
                "insert into social_graph.memberships (community_id, member_id, role, joined_at)
                values ('{id}', '{}', '{role}', '{at}');",
                member(*who),
            );
        }
        self.harness.database().run(sql).await;
    }

    /// Inserts event `n`; the first attendee is its organiser.
    pub async fn insert_event(&self, n: u128, starts_at: DateTime<Utc>, ends_at: DateTime<Utc>, attend: &[u128]) {
        let id = row_id(n);
        let organiser = attend.first().map_or_else(|| "null".to_owned(), |who| format!("'{}'", member(*who)));
        let mut sql = format!(
            "insert into social_graph.events
                (id, title, starts_at, ends_at, time_zone, organiser_id, attendee_count, created_at)
            values
                ('{id}', 'Event {n}', '{starts_at}', '{ends_at}', 'America/New_York', {organiser}, {}, '{starts_at}');",
            attend.len(),
        );
        for (place, who) in (0..).zip(attend) {
            sql += &format!(
                "insert into social_graph.attendances (id, event_id, member_id, said_at)
                values ('{}', '{id}', '{}', '2026-01-01'::timestamptz + {place} * interval '1 second');",
                row_id(n * 1000 + place),
                member(*who),
            );
        }
        self.harness.database().run(sql).await;
    }

    pub async fn insert_dismissal(&self, who: u128, dismissed: u128) {
        self.pair("dismissed_suggestions (member_id, dismissed_id, dismissed_at)", who, dismissed).await;
    }

    pub async fn insert_block(&self, who: u128, blocked: u128) {
        self.pair("blocks (blocker_id, blocked_id, blocked_at)", who, blocked).await;
    }

    async fn pair(&self, table: &str, one: u128, other: u128) {
        let sql =
            format!("insert into social_graph.{table} values ('{}', '{}', '2026-01-01')", member(one), member(other));
        self.harness.database().run(sql).await;
    }
}

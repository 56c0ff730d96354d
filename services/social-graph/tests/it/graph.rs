//! The service under test, and rows for its graph: nothing writes them yet, so tests do it by SQL.

use chassis::{error::Explained, rpc::Transport};
use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::social_graph::social_graph_service_client::SocialGraphServiceClient;
use testkit::{FactSource, Harness, member};
use tonic::{Response, Status};
use uuid::Uuid;

pub struct Graph {
    pub harness: Harness,
    pub auth: FactSource,
    pub client: SocialGraphServiceClient<Transport>,
}

pub fn row_id(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0001_0000 + n)
}

/// What an answer says, or why there is none.
pub fn told<T>(answer: Result<Response<T>, Status>) -> Result<T, Explained> {
    answer.map(Response::into_inner).map_err(|status| Explained::from(&status))
}

/// The fields a refusal names.
pub fn fields(refused: &Explained) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

impl Graph {
    pub async fn empty() -> Self {
        let auth = FactSource::default();
        let database = Harness::of("social-graph").database(&social_graph::MIGRATOR).await;
        let harness = database.neighbour("auth", auth.routes()).start(social_graph::start).await;
        Self { client: SocialGraphServiceClient::new(harness.transport()), auth, harness }
    }

    /// So many minutes ago.
    pub fn ago(&self, minutes: u128) -> DateTime<Utc> {
        self.harness.clock.now() - TimeDelta::minutes(i64::try_from(minutes).unwrap())
    }

    /// Puts the connection number `n`: asked and answered `n` minutes ago.
    pub async fn connect(&self, n: u128, requester: u128, recipient: u128, status: &str) {
        let at = self.ago(n).to_rfc3339();
        let answered_at = if status == "pending" { "null".to_owned() } else { format!("'{at}'") };
        let sql = format!(
            "insert into social_graph.connections (id, requester_id, recipient_id, status, requested_at, answered_at)
            values ('{}', '{}', '{}', '{status}', '{at}', {answered_at})",
            row_id(n),
            member(requester),
            member(recipient),
        );
        self.harness.database().run(sql).await;
    }

    /// Puts the community number `n` with these members, the first its owner.
    pub async fn gather(&self, n: u128, members: &[u128]) {
        let (id, at) = (row_id(n), self.ago(n).to_rfc3339());
        let mut sql = format!(
            "insert into social_graph.communities (id, name, member_count, created_at)
            values ('{id}', 'Community {n}', {}, '{at}');",
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

    /// Puts the event number `n`, organised by the first of those who attend, in the order in which they said so.
    pub async fn announce(&self, n: u128, starts_at: DateTime<Utc>, ends_at: DateTime<Utc>, attend: &[u128]) {
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

    pub async fn dismiss(&self, who: u128, dismissed: u128) {
        self.pair("dismissed_suggestions (member_id, dismissed_id, dismissed_at)", who, dismissed).await;
    }

    pub async fn block(&self, who: u128, blocked: u128) {
        self.pair("blocks (blocker_id, blocked_id, blocked_at)", who, blocked).await;
    }

    async fn pair(&self, table: &str, one: u128, other: u128) {
        let sql =
            format!("insert into social_graph.{table} values ('{}', '{}', '2026-01-01')", member(one), member(other));
        self.harness.database().run(sql).await;
    }
}

//! Suggestions of two replicas, each with connections in its own memory, while members change their connections concurrently.

use std::sync::Arc;

use chassis::lifecycle::Upstreams;
use portia_proto::social_graph::{
    ConnectionStatus, ListSuggestionsRequest, social_graph_service_client::SocialGraphServiceClient,
};
use rpc::Transport;
use testkit::member;
use uuid::Uuid;

use crate::fixtures::{Fixture, into_result, number};

const MEMBERS: u64 = 12;
const ROUNDS: u32 = 120;

struct Replicas {
    graph: Fixture,
    other: SocialGraphServiceClient<Transport>,
}

/// A pseudorandom sequence (splitmix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    /// Two different members.
    fn pair(&mut self) -> (u128, u128) {
        let (one, by) = (self.below(MEMBERS), 1 + self.below(MEMBERS - 1));
        (u128::from(one + 1), u128::from((one + by) % MEMBERS + 1))
    }
}

impl Replicas {
    async fn start() -> Self {
        let graph = Fixture::empty().await;
        let context = &graph.harness.context;
        let routes = social_graph::start(Arc::clone(context)).await.unwrap();
        let upstreams = Upstreams::local();
        upstreams.slot("social-graph").fill(context.wrap(routes));
        let other = SocialGraphServiceClient::new(upstreams.transport("social-graph").unwrap());
        Self { graph, other }
    }

    /// Changes the relation of two members, in one of several ways. A refusal is fine.
    async fn change(&self, way: u64, (who, other): (u128, u128)) {
        let between = self.graph.find(who, other).await;
        match (way, between) {
            (0..=4, Some(connection)) if connection.status() == ConnectionStatus::Pending => {
                self.graph.answer(who, &connection.id, ConnectionStatus::Accepted).await.ok();
            }
            (0..=4, Some(connection)) => drop(self.graph.remove(who, &connection.id).await),
            (0..=4, None) => {
                if let Ok(requested) = self.graph.request(who, other).await {
                    let id = requested.connection.unwrap().id;
                    self.graph.answer(other, &id, ConnectionStatus::Accepted).await.ok();
                }
            }
            (5, _) => self.graph.dismiss_suggestion(who, other).await,
            (6, _) => self.graph.block_member(who, other).await.unwrap(),
            _ => self.graph.unblock_member(who, other).await.unwrap(),
        }
    }

    /// Asserts that both replicas list the same as one statement, for every member.
    #[expect(clippy::disallowed_methods, reason = "the statement is only for this comparison")]
    async fn assert_same(&self, when: &str) {
        for who in 1..=u128::from(MEMBERS) {
            let expected = include_str!("../../src/connections/memory/one_statement.sql");
            let expected =
                sqlx::query_as::<_, (Uuid, i32, String)>(expected).bind(member(who)).bind(20_i64).bind(200_i64);
            let expected = expected.fetch_all(self.graph.harness.pool()).await.unwrap();
            let expected: Vec<(u128, i32)> = expected.iter().map(|row| (number(&row.0.to_string()), row.1)).collect();
            for client in [&self.graph.client, &self.other] {
                let request = self.graph.as_member(who, ListSuggestionsRequest { page_size: 20 });
                let listed = into_result(client.clone().list_suggestions(request).await).unwrap().suggestions;
                let listed: Vec<(u128, i32)> =
                    listed.iter().map(|row| (number(&row.member_id), row.mutual_connections)).collect();
                assert_eq!(listed, expected, "member {who}, {when}");
            }
        }
    }
}

#[tokio::test]
async fn replicas_list_what_one_statement_does_after_concurrent_changes() {
    let replicas = Replicas::start().await;
    for who in 1..=u128::from(MEMBERS) {
        replicas.graph.publish_registration(who, "Yale", "").await;
    }
    let mut rng = Rng(1);
    for round in 0..ROUNDS {
        let mut next = || (rng.below(8), rng.pair());
        let [one, two, three] = [next(), next(), next()];
        let viewer = u128::from(round) % u128::from(MEMBERS) + 1;
        tokio::join!(
            replicas.change(one.0, one.1),
            replicas.change(two.0, two.1),
            replicas.change(three.0, three.1),
            replicas.graph.list_suggestions(viewer, 0),
        );
        replicas.assert_same(&format!("round {round}")).await;
        if round % 40 == 20 {
            replicas.graph.deactivate(viewer).await;
            replicas.assert_same(&format!("closed in round {round}")).await;
            replicas.graph.reactivate(viewer).await;
            replicas.assert_same(&format!("reopened in round {round}")).await;
        }
    }
    replicas.graph.erase(1).await;
    replicas.assert_same("erased").await;
    replicas.graph.assert_invariants().await;
}

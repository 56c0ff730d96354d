//! Concurrent calls on one pair: one row, one outcome, correct counts and matching facts in every order.

use std::collections::BTreeMap;

use portia_proto::social_graph::ConnectionStatus;
use primitives::error::StatusDetails;
pub use testkit::race;

use crate::fixtures::Fixture;

/// The first two run one after the other, in either order; every other one begins with the other side.
pub const REPETITIONS: u128 = 96;
const ACCEPTED: ConnectionStatus = ConnectionStatus::Accepted;
const REJECTED: ConnectionStatus = ConnectionStatus::Rejected;

/// The pair of a repetition.
pub const fn pair(n: u128) -> (u128, u128) {
    (2 * n + 1, 2 * n + 2)
}

pub fn reason<T>(outcome: Result<T, StatusDetails>) -> String {
    outcome.map_or_else(|refused| refused.reason, |_| "OK".to_owned())
}

/// The number of times of each outcome.
pub type Tally = BTreeMap<String, u32>;

impl Fixture {
    /// The names of the facts of each pair, keyed by the lower number.
    async fn facts_by_pair(&self) -> BTreeMap<u128, Vec<String>> {
        let mut facts_by_pair = BTreeMap::<u128, Vec<String>>::new();
        for (name, one, other) in self.connection_facts().await {
            facts_by_pair.entry(one.min(other)).or_default().push(name);
        }
        facts_by_pair
    }

    async fn status(&self, one: u128, other: u128) -> Option<ConnectionStatus> {
        self.find(one, other).await.map(|connection| connection.status())
    }
}

#[tokio::test]
async fn concurrent_requests_in_both_directions_connect_the_pair() {
    let graph = Fixture::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (one, other) = race(n, graph.request(a, b), graph.request(b, a)).await;
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(one.changed && other.changed, "one requested, the other accepted");
        assert_eq!(one.connection.unwrap().id, other.connection.unwrap().id);
        assert_eq!(graph.status(a, b).await, Some(ACCEPTED));
    }
    for (_, names) in graph.facts_by_pair().await {
        assert_eq!(names, ["ConnectionRequested", "ConnectionAccepted"]);
    }
    graph.assert_invariants().await;
}

#[tokio::test]
async fn concurrent_duplicate_requests_create_one_request() {
    let graph = Fixture::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (one, other) = race(n, graph.request(a, b), graph.request(a, b)).await;
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(one.changed != other.changed);
        assert_eq!(one.connection, other.connection);
    }
    assert!(graph.facts_by_pair().await.values().all(|names| names == &["ConnectionRequested"]));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn of_concurrent_accept_and_reject_one_wins() {
    let graph = Fixture::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.create_pending_request(a, b).await;
        let (accepted, rejected) = race(n, graph.answer(b, &id, ACCEPTED), graph.answer(b, &id, REJECTED)).await;
        let outcome = (reason(accepted), reason(rejected));
        let stands = graph.status(a, b).await;
        match (outcome.0.as_str(), outcome.1.as_str()) {
            ("OK", "ALREADY_ANSWERED") => assert_eq!(stands, Some(ACCEPTED)),
            ("ALREADY_ANSWERED", "OK") => assert_eq!(stands, Some(REJECTED)),
            _ => panic!("{outcome:?}"),
        }
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}: both outcomes must occur");
    for names in graph.facts_by_pair().await.values() {
        assert!(["ConnectionAccepted", "ConnectionRemoved"].contains(&names[1].as_str()) && names.len() == 2);
    }
    graph.assert_invariants().await;
}

#[tokio::test]
async fn concurrent_duplicate_accepts_accept_once() {
    let graph = Fixture::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.create_pending_request(a, b).await;
        let (one, other) = race(n, graph.answer(b, &id, ACCEPTED), graph.answer(b, &id, ACCEPTED)).await;
        assert_eq!(one.unwrap(), other.unwrap());
        assert_eq!(graph.connections_of(a).await.total, 1);
    }
    for names in graph.facts_by_pair().await.values() {
        assert_eq!(names, &["ConnectionRequested", "ConnectionAccepted"]);
    }
    graph.assert_invariants().await;
}

#[tokio::test]
async fn concurrent_withdrawal_and_acceptance_leave_no_row() {
    let graph = Fixture::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.create_pending_request(a, b).await;
        let (withdrawn, accepted) = race(n, graph.remove(a, &id), graph.answer(b, &id, ACCEPTED)).await;
        withdrawn.unwrap();
        assert_eq!(graph.status(a, b).await, None);
        *tally.entry(reason(accepted)).or_default() += 1;
    }
    assert!(tally.keys().eq(["CONNECTION_NOT_FOUND", "OK"]), "{tally:?}");
    for names in graph.facts_by_pair().await.values() {
        let (requested, accepted, removed) = ("ConnectionRequested", "ConnectionAccepted", "ConnectionRemoved");
        assert!(names == &[requested, removed] || names == &[requested, accepted, removed], "{names:?}");
    }
    graph.assert_invariants().await;
}

#[tokio::test]
async fn concurrent_removals_by_both_members_remove_once() {
    let graph = Fixture::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.connect_pair(a, b).await;
        let (one, other) = race(n, graph.remove(a, &id), graph.remove(b, &id)).await;
        let mut outcome = [reason(one), reason(other)];
        outcome.sort();
        assert_eq!(outcome, ["CONNECTION_NOT_FOUND", "OK"]);
    }
    assert!(graph.facts_by_pair().await.values().all(|names| names.len() == 3));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_block_concurrent_with_a_request_or_an_answer_leaves_only_the_block() {
    let graph = Fixture::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        if n.is_multiple_of(4) {
            let id = graph.create_pending_request(a, b).await;
            let (blocked, accepted) = race(n / 4, graph.block_member(a, b), graph.answer(b, &id, ACCEPTED)).await;
            blocked.unwrap();
            *tally.entry(reason(accepted)).or_default() += 1;
        } else {
            let (blocked, requested) = race(n, graph.block_member(b, a), graph.request(a, b)).await;
            blocked.unwrap();
            *tally.entry(reason(requested)).or_default() += 1;
        }
        assert_eq!(graph.status(a, b).await, None);
    }
    assert!(tally.contains_key("MEMBER_NOT_FOUND") && tally.contains_key("OK"), "{tally:?}");
    for names in graph.facts_by_pair().await.values() {
        let last: Vec<&str> = names.iter().rev().take(2).map(String::as_str).collect();
        assert!(last == ["MemberBlocked"] || last == ["MemberBlocked", "ConnectionRemoved"], "{names:?}");
    }
    graph.assert_invariants().await;
}

#[tokio::test]
async fn an_account_closed_during_requests_and_answers_is_in_no_count() {
    let graph = Fixture::empty().await;
    for n in 0..100 {
        let (a, b, c) = (3 * n + 1, 3 * n + 2, 3 * n + 3);
        let id = graph.create_pending_request(c, a).await;
        let _ = tokio::join!(graph.deactivate(a), graph.request(b, a), graph.answer(a, &id, ACCEPTED));
        if n.is_multiple_of(2) {
            let _ = tokio::join!(graph.reactivate(a), graph.remove(a, &id));
        }
    }
    graph.assert_invariants().await;
}

//! Two at once: whatever the order, one row, one outcome, true counts, and facts that tell the same story.

use std::{collections::BTreeMap, future::Future};

use portia_proto::social_graph::ConnectionStatus;
use primitives::error::StatusDetails;

use crate::graph::Graph;

pub const REPETITIONS: u128 = 500;
const ACCEPTED: ConnectionStatus = ConnectionStatus::Accepted;
const REJECTED: ConnectionStatus = ConnectionStatus::Rejected;

/// The pair of the `n`th repetition.
pub const fn pair(n: u128) -> (u128, u128) {
    (2 * n + 1, 2 * n + 2)
}

/// Both at once; every other time the second sets out first.
pub async fn race<A, B>(n: u128, one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
    if n.is_multiple_of(2) {
        tokio::join!(one, other)
    } else {
        let (other, one) = tokio::join!(other, one);
        (one, other)
    }
}

pub fn reason<T>(outcome: Result<T, StatusDetails>) -> String {
    outcome.map_or_else(|refused| refused.reason, |_| "OK".to_owned())
}

/// How often each outcome came.
pub type Tally = BTreeMap<String, u32>;

impl Graph {
    /// The facts of each pair, by the lower number.
    async fn stories(&self) -> BTreeMap<u128, Vec<String>> {
        let mut stories = BTreeMap::<u128, Vec<String>>::new();
        for (name, one, other) in self.facts().await {
            stories.entry(one.min(other)).or_default().push(name);
        }
        stories
    }

    async fn status(&self, one: u128, other: u128) -> Option<ConnectionStatus> {
        self.find(one, other).await.map(|connection| connection.status())
    }
}

#[tokio::test]
async fn crossing_requests_meet() {
    let graph = Graph::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (one, other) = race(n, graph.request(a, b), graph.request(b, a)).await;
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(one.changed && other.changed, "one asked, the other accepted");
        assert_eq!(one.connection.unwrap().id, other.connection.unwrap().id);
        assert_eq!(graph.status(a, b).await, Some(ACCEPTED));
    }
    for (_, story) in graph.stories().await {
        assert_eq!(story, ["ConnectionRequested", "ConnectionAccepted"]);
    }
    graph.assert_true().await;
}

#[tokio::test]
async fn a_request_sent_twice_is_one() {
    let graph = Graph::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (one, other) = race(n, graph.request(a, b), graph.request(a, b)).await;
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(one.changed != other.changed);
        assert_eq!(one.connection, other.connection);
    }
    assert!(graph.stories().await.values().all(|story| story == &["ConnectionRequested"]));
    graph.assert_true().await;
}

#[tokio::test]
async fn of_accept_and_reject_one_wins() {
    let graph = Graph::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.asked(a, b).await;
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
    assert_eq!(tally.len(), 2, "{tally:?}: both happen, or this is no race");
    for story in graph.stories().await.values() {
        assert!(["ConnectionAccepted", "ConnectionRemoved"].contains(&story[1].as_str()) && story.len() == 2);
    }
    graph.assert_true().await;
}

#[tokio::test]
async fn accepting_twice_accepts_once() {
    let graph = Graph::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.asked(a, b).await;
        let (one, other) = race(n, graph.answer(b, &id, ACCEPTED), graph.answer(b, &id, ACCEPTED)).await;
        assert_eq!(one.unwrap(), other.unwrap());
        assert_eq!(graph.connections_of(a).await.total, 1);
    }
    for story in graph.stories().await.values() {
        assert_eq!(story, &["ConnectionRequested", "ConnectionAccepted"]);
    }
    graph.assert_true().await;
}

#[tokio::test]
async fn withdrawing_against_accepting_leaves_nothing() {
    let graph = Graph::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.asked(a, b).await;
        let (withdrawn, accepted) = race(n, graph.remove(a, &id), graph.answer(b, &id, ACCEPTED)).await;
        withdrawn.unwrap();
        assert_eq!(graph.status(a, b).await, None);
        *tally.entry(reason(accepted)).or_default() += 1;
    }
    assert!(tally.keys().eq(["CONNECTION_NOT_FOUND", "OK"]), "{tally:?}");
    for story in graph.stories().await.values() {
        let (asked, accepted, removed) = ("ConnectionRequested", "ConnectionAccepted", "ConnectionRemoved");
        assert!(story == &[asked, removed] || story == &[asked, accepted, removed], "{story:?}");
    }
    graph.assert_true().await;
}

#[tokio::test]
async fn removed_by_both_it_goes_once() {
    let graph = Graph::empty().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.befriend(a, b).await;
        let (one, other) = race(n, graph.remove(a, &id), graph.remove(b, &id)).await;
        let mut outcome = [reason(one), reason(other)];
        outcome.sort();
        assert_eq!(outcome, ["CONNECTION_NOT_FOUND", "OK"]);
    }
    assert!(graph.stories().await.values().all(|story| story.len() == 3));
    graph.assert_true().await;
}

#[tokio::test]
async fn a_block_against_a_request_or_an_answer_leaves_only_the_block() {
    let graph = Graph::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        if n.is_multiple_of(4) {
            let id = graph.asked(a, b).await;
            let (blocked, accepted) = race(n / 4, graph.blocks(a, b), graph.answer(b, &id, ACCEPTED)).await;
            blocked.unwrap();
            *tally.entry(reason(accepted)).or_default() += 1;
        } else {
            let (blocked, asked) = race(n, graph.blocks(b, a), graph.request(a, b)).await;
            blocked.unwrap();
            *tally.entry(reason(asked)).or_default() += 1;
        }
        assert_eq!(graph.status(a, b).await, None);
    }
    assert!(tally.contains_key("MEMBER_NOT_FOUND") && tally.contains_key("OK"), "{tally:?}");
    for story in graph.stories().await.values() {
        let last: Vec<&str> = story.iter().rev().take(2).map(String::as_str).collect();
        assert!(last == ["MemberBlocked"] || last == ["MemberBlocked", "ConnectionRemoved"], "{story:?}");
    }
    graph.assert_true().await;
}

#[tokio::test]
async fn an_account_closed_while_others_ask_and_answer_is_in_no_count() {
    let graph = Graph::empty().await;
    for n in 0..100 {
        let (a, b, c) = (3 * n + 1, 3 * n + 2, 3 * n + 3);
        let id = graph.asked(c, a).await;
        let _ = tokio::join!(graph.close(a), graph.request(b, a), graph.answer(a, &id, ACCEPTED));
        if n.is_multiple_of(2) {
            let _ = tokio::join!(graph.reopen(a), graph.remove(a, &id));
        }
    }
    graph.assert_true().await;
}

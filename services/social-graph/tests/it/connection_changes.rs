//! Requests, answers and removals: permissions, results and published facts.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    AnswerConnectionRequest, ConnectionStatus, RemoveConnectionRequest, RequestConnectionRequest,
};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, fields, into_result};

const ACCEPTED: ConnectionStatus = ConnectionStatus::Accepted;
const REJECTED: ConnectionStatus = ConnectionStatus::Rejected;
const PENDING: ConnectionStatus = ConnectionStatus::Pending;

fn fact(name: &str, one: u128, other: u128) -> (String, u128, u128) {
    (name.to_owned(), one, other)
}

#[tokio::test]
async fn an_accepted_request_is_a_connection_of_both_members() {
    let graph = Fixture::empty().await;
    let requested = graph.request(1, 2).await.unwrap();
    let connection = requested.connection.unwrap();
    assert!(requested.changed);
    assert_eq!((&connection.requester_id, &connection.recipient_id), (&member(1).to_string(), &member(2).to_string()));
    assert_eq!(connection.status(), PENDING);
    assert_eq!(graph.requests_of(2).await.connections.first(), Some(&connection));
    assert_eq!((graph.requests_of(2).await.total, graph.requests_of(1).await.total), (1, 0));

    let accepted = graph.answer(2, &connection.id, ACCEPTED).await.unwrap();
    assert_eq!(accepted.status(), ACCEPTED);
    for who in [1, 2] {
        let list = graph.connections_of(who).await;
        assert_eq!((list.connections, list.total), (vec![accepted.clone()], 1));
    }
    assert_eq!(graph.requests_of(2).await.total, 0);
    assert_eq!(graph.connection_facts().await, [fact("ConnectionRequested", 1, 2), fact("ConnectionAccepted", 1, 2)]);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_repeated_request_returns_the_pending_request() {
    let graph = Fixture::empty().await;
    let first = graph.request(1, 2).await.unwrap();
    graph.harness.clock.advance(TimeDelta::days(3));
    let again = graph.request(1, 2).await.unwrap();
    assert_eq!((again.connection, again.changed), (first.connection, false));
    assert_eq!(graph.connection_facts().await.len(), 1);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_request_to_the_requester_of_a_pending_request_accepts_it() {
    let graph = Fixture::empty().await;
    let id = graph.create_pending_request(1, 2).await;
    let crossing = graph.request(2, 1).await.unwrap();
    let connection = crossing.connection.unwrap();
    assert!(crossing.changed);
    assert_eq!((connection.id.as_str(), connection.status()), (id.as_str(), ACCEPTED));
    assert_eq!(connection.requester_id, member(1).to_string(), "the first requester stays the requester");
    assert_eq!(graph.connection_facts().await, [fact("ConnectionRequested", 1, 2), fact("ConnectionAccepted", 1, 2)]);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_request_between_connected_members_is_refused() {
    let graph = Fixture::empty().await;
    graph.connect_pair(1, 2).await;
    for (who, other) in [(1, 2), (2, 1)] {
        let refused = graph.request(who, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "ALREADY_CONNECTED"));
    }
}

#[tokio::test]
async fn a_rejected_member_can_ask_again_after_thirty_days_and_the_rejecter_at_any_time() {
    let graph = Fixture::empty().await;
    let id = graph.create_pending_request(1, 2).await;
    let rejected = graph.answer(2, &id, REJECTED).await.unwrap();
    assert_eq!(rejected.status(), REJECTED);
    assert_eq!(graph.requests_of(2).await.total, 0);
    graph.harness.clock.advance(TimeDelta::days(30) - TimeDelta::microseconds(1));
    let refused = graph.request(1, 2).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "ASKED_TOO_SOON"));
    graph.harness.clock.advance(TimeDelta::microseconds(1));
    let again = graph.request(1, 2).await.unwrap();
    assert_eq!((again.changed, again.connection.unwrap().id), (true, id.clone()));

    graph.answer(2, &id, REJECTED).await.unwrap();
    let turned = graph.request(2, 1).await.unwrap().connection.unwrap();
    assert_eq!((turned.status(), turned.requester_id), (PENDING, member(2).to_string()));
    assert_eq!(graph.requests_of(1).await.total, 1);
    let published = ["ConnectionRequested", "ConnectionRemoved", "ConnectionRequested", "ConnectionRemoved"];
    let mut expected = published.map(|name| fact(name, 1, 2)).to_vec();
    expected.push(fact("ConnectionRequested", 2, 1));
    assert_eq!(graph.connection_facts().await, expected);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn only_the_recipient_answers_and_only_once() {
    let graph = Fixture::empty().await;
    let id = graph.create_pending_request(1, 2).await;
    let refused = graph.answer(1, &id, ACCEPTED).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_RECIPIENT"));
    let refused = graph.answer(3, &id, ACCEPTED).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "CONNECTION_NOT_FOUND"));
    assert_eq!(graph.find(1, 2).await.unwrap().status(), PENDING);

    let first = graph.answer(2, &id, ACCEPTED).await.unwrap();
    assert_eq!(graph.answer(2, &id, ACCEPTED).await.unwrap(), first);
    let refused = graph.answer(2, &id, REJECTED).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "ALREADY_ANSWERED"));
    assert_eq!(graph.connection_facts().await.len(), 2);

    let rejected = graph.create_pending_request(3, 2).await;
    graph.answer(2, &rejected, REJECTED).await.unwrap();
    graph.answer(2, &rejected, REJECTED).await.unwrap();
    let refused = graph.answer(2, &rejected, ACCEPTED).await.unwrap_err();
    assert_eq!(refused.reason, "ALREADY_ANSWERED");
    graph.assert_invariants().await;
}

#[tokio::test]
async fn only_the_requester_withdraws_a_request_and_either_member_removes_a_connection() {
    let graph = Fixture::empty().await;
    let id = graph.create_pending_request(1, 2).await;
    let refused = graph.remove(2, &id).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_REQUESTER"));
    assert_eq!(graph.remove(3, &id).await.unwrap_err().reason, "CONNECTION_NOT_FOUND");
    graph.remove(1, &id).await.unwrap();
    assert_eq!(graph.remove(1, &id).await.unwrap_err().reason, "CONNECTION_NOT_FOUND");
    assert_eq!((graph.find(1, 2).await, graph.requests_of(2).await.total), (None, 0));

    for who in [1, 2] {
        let id = graph.connect_pair(1, 2).await;
        graph.remove(who, &id).await.unwrap();
        assert_eq!((graph.connections_of(1).await.total, graph.connections_of(2).await.total), (0, 0));
    }
    let names: Vec<String> = graph.connection_facts().await.into_iter().map(|(name, ..)| name).collect();
    let (requested, accepted, removed) = ("ConnectionRequested", "ConnectionAccepted", "ConnectionRemoved");
    assert_eq!(names, [requested, removed, requested, accepted, removed, requested, accepted, removed]);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_rejection_cannot_be_removed() {
    let graph = Fixture::empty().await;
    let id = graph.create_pending_request(1, 2).await;
    graph.answer(2, &id, REJECTED).await.unwrap();
    for who in [1, 2] {
        let refused = graph.remove(who, &id).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "CONNECTION_NOT_FOUND"));
    }
    assert_eq!(graph.request(1, 2).await.unwrap_err().reason, "ASKED_TOO_SOON");
}

#[tokio::test]
async fn the_caller_visitors_and_invalid_ids_are_refused() {
    let graph = Fixture::empty().await;
    let refused = graph.request(1, 1).await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]));
    for bad in ["", "1", "\0", "x\0", "' or true --", "\u{202e}", &"a".repeat(1 << 20)] {
        let member_id = bad.to_owned();
        let requested =
            graph.client.clone().request_connection(graph.as_member(1, RequestConnectionRequest { member_id })).await;
        let refused = into_result(requested).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]), "{bad:.9?}");
        let refused = graph.answer(1, bad, ACCEPTED).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["connectionId"]), "{bad:.9?}");
        let refused = graph.remove(1, bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["connectionId"]), "{bad:.9?}");
    }
    let id = graph.create_pending_request(1, 2).await;
    for status in [0, 1, 4, -1, i32::MAX] {
        let request = graph.as_member(2, AnswerConnectionRequest { connection_id: id.clone(), status });
        let refused = into_result(graph.client.clone().answer_connection(request).await).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["status"]), "{status}");
    }
    let visitor = graph.harness.actors.service("gateway");
    let mut client = graph.client.clone();
    let ask = client.request_connection(visitor.request(RequestConnectionRequest::default()).unwrap()).await;
    let answer = client.answer_connection(visitor.request(AnswerConnectionRequest::default()).unwrap()).await;
    let remove = client.remove_connection(visitor.request(RemoveConnectionRequest::default()).unwrap()).await;
    for refused in [into_result(ask).map(drop), into_result(answer).map(drop), into_result(remove).map(drop)] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}

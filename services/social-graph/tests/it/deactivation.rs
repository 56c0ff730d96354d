//! Closed accounts are in no list, request, suggestion or count until they are reactivated.

use chrono::TimeDelta;
use portia_proto::social_graph::{ConnectionStatus, ListCommunitiesRequest, ListEventsRequest};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, into_result};

#[tokio::test]
async fn a_closed_account_is_in_no_list_or_count_until_reactivation() {
    let graph = Fixture::empty().await;
    graph.connect_pair(1, 2).await;
    graph.connect_pair(3, 1).await;
    graph.create_pending_request(2, 4).await;
    let (before, waiting) = (graph.connections_of(1).await, graph.requests_of(4).await);
    assert_eq!((before.total, waiting.total), (2, 1));
    for _ in 0..2 {
        graph.deactivate(2).await;
        let list = graph.connections_of(1).await;
        assert_eq!((list.total, list.connections.len()), (1, 1));
        let list = graph.requests_of(4).await;
        assert_eq!((list.total, list.connections.len()), (0, 0));
        assert_eq!((graph.find(1, 2).await, graph.find(4, 2).await), (None, None));
        graph.assert_invariants().await;
    }
    for _ in 0..2 {
        graph.reactivate(2).await;
        assert_eq!((graph.connections_of(1).await, graph.requests_of(4).await), (before.clone(), waiting.clone()));
        graph.assert_invariants().await;
    }
}

#[tokio::test]
async fn requests_answers_and_removals_towards_a_closed_account_are_refused() {
    let graph = Fixture::empty().await;
    let connected = graph.connect_pair(1, 2).await;
    let waiting = graph.create_pending_request(2, 3).await;
    graph.deactivate(2).await;
    for other in [1, 3, 4] {
        let refused = graph.request(other, 2).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    assert_eq!(graph.answer(3, &waiting, ConnectionStatus::Accepted).await.unwrap_err().reason, "CONNECTION_NOT_FOUND");
    assert_eq!(graph.remove(1, &connected).await.unwrap_err().reason, "CONNECTION_NOT_FOUND");
    // Both members are closed and are reactivated one after the other.
    graph.deactivate(1).await;
    graph.assert_invariants().await;
    graph.reactivate(2).await;
    assert_eq!(graph.connections_of(2).await.total, 0);
    graph.reactivate(1).await;
    assert_eq!((graph.connections_of(1).await.total, graph.connections_of(2).await.total), (1, 1));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn actions_of_a_closed_account_count_after_reactivation() {
    let graph = Fixture::empty().await;
    let connected = graph.connect_pair(1, 2).await;
    let waiting = graph.create_pending_request(3, 1).await;
    graph.deactivate(1).await;
    // A token is valid for one minute after the account closes.
    graph.request(1, 4).await.unwrap();
    graph.answer(1, &waiting, ConnectionStatus::Accepted).await.unwrap();
    graph.remove(1, &connected).await.unwrap();
    assert_eq!((graph.requests_of(4).await.total, graph.connections_of(3).await.total), (0, 0));
    graph.assert_invariants().await;
    graph.reactivate(1).await;
    assert_eq!((graph.requests_of(4).await.total, graph.connections_of(3).await.total), (1, 1));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn communities_and_events_do_not_count_closed_accounts() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_community(1, &[1, 2, 3]).await;
    graph.insert_event(2, now, now + TimeDelta::days(1), &[1, 2, 3]).await;
    graph.deactivate(2).await;
    graph.assert_invariants().await;
    let visitor = graph.harness.actors.service("gateway");
    let mut client = graph.client.clone();
    let listed = client.list_communities(visitor.request(ListCommunitiesRequest::default()).unwrap()).await;
    assert_eq!(into_result(listed).unwrap().communities[0].member_count, 2);
    let listed = client.list_events(visitor.request(ListEventsRequest::default()).unwrap()).await;
    let event = into_result(listed).unwrap().events.remove(0);
    let named: Vec<String> = event.attendees.into_iter().map(|attendee| attendee.member_id).collect();
    assert_eq!((event.attendee_count, named), (2, [1, 3].map(|n| member(n).to_string()).to_vec()));
    graph.reactivate(2).await;
    graph.assert_invariants().await;
    let listed = client.list_events(visitor.request(ListEventsRequest::default()).unwrap()).await;
    assert_eq!(into_result(listed).unwrap().events[0].attendee_count, 3);
}

//! Closed accounts: in nobody's lists, requests, suggestions and counts, and back again as they were.

use chrono::TimeDelta;
use portia_proto::social_graph::{ConnectionStatus, ListCommunitiesRequest, ListEventsRequest};
use primitives::error::ErrorKind;
use testkit::member;

use crate::graph::{Graph, told};

#[tokio::test]
async fn a_closed_account_is_in_no_list_and_no_count_and_comes_back_as_it_was() {
    let graph = Graph::empty().await;
    graph.befriend(1, 2).await;
    graph.befriend(3, 1).await;
    graph.asked(2, 4).await;
    let (before, waiting) = (graph.connections_of(1).await, graph.requests_of(4).await);
    assert_eq!((before.total, waiting.total), (2, 1));
    for _ in 0..2 {
        graph.close(2).await;
        let list = graph.connections_of(1).await;
        assert_eq!((list.total, list.connections.len()), (1, 1));
        let list = graph.requests_of(4).await;
        assert_eq!((list.total, list.connections.len()), (0, 0));
        assert_eq!((graph.find(1, 2).await, graph.find(4, 2).await), (None, None));
        graph.assert_true().await;
    }
    for _ in 0..2 {
        graph.reopen(2).await;
        assert_eq!((graph.connections_of(1).await, graph.requests_of(4).await), (before.clone(), waiting.clone()));
        graph.assert_true().await;
    }
}

#[tokio::test]
async fn nobody_asks_answers_or_leaves_a_closed_account() {
    let graph = Graph::empty().await;
    let connected = graph.befriend(1, 2).await;
    let waiting = graph.asked(2, 3).await;
    graph.close(2).await;
    for other in [1, 3, 4] {
        let refused = graph.request(other, 2).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    assert_eq!(graph.answer(3, &waiting, ConnectionStatus::Accepted).await.unwrap_err().reason, "CONNECTION_NOT_FOUND");
    assert_eq!(graph.remove(1, &connected).await.unwrap_err().reason, "CONNECTION_NOT_FOUND");
    // Two who are both away, and come back one after the other.
    graph.close(1).await;
    graph.assert_true().await;
    graph.reopen(2).await;
    assert_eq!(graph.connections_of(2).await.total, 0);
    graph.reopen(1).await;
    assert_eq!((graph.connections_of(1).await.total, graph.connections_of(2).await.total), (1, 1));
    graph.assert_true().await;
}

#[tokio::test]
async fn what_a_session_does_that_outlived_the_account_counts_for_nobody_until_it_is_open_again() {
    let graph = Graph::empty().await;
    let connected = graph.befriend(1, 2).await;
    let waiting = graph.asked(3, 1).await;
    graph.close(1).await;
    // A token lives for a minute.
    graph.request(1, 4).await.unwrap();
    graph.answer(1, &waiting, ConnectionStatus::Accepted).await.unwrap();
    graph.remove(1, &connected).await.unwrap();
    assert_eq!((graph.requests_of(4).await.total, graph.connections_of(3).await.total), (0, 0));
    graph.assert_true().await;
    graph.reopen(1).await;
    assert_eq!((graph.requests_of(4).await.total, graph.connections_of(3).await.total), (1, 1));
    graph.assert_true().await;
}

#[tokio::test]
async fn communities_and_events_do_not_count_closed_accounts() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    graph.gather(1, &[1, 2, 3]).await;
    graph.announce(2, now, now + TimeDelta::days(1), &[1, 2, 3]).await;
    graph.close(2).await;
    graph.assert_true().await;
    let visitor = graph.harness.actors.service("gateway");
    let mut client = graph.client.clone();
    let listed = client.list_communities(visitor.request(ListCommunitiesRequest::default()).unwrap()).await;
    assert_eq!(told(listed).unwrap().communities[0].member_count, 2);
    let listed = client.list_events(visitor.request(ListEventsRequest::default()).unwrap()).await;
    let event = told(listed).unwrap().events.remove(0);
    let named: Vec<String> = event.attendees.into_iter().map(|attendee| attendee.member_id).collect();
    assert_eq!((event.attendee_count, named), (2, [1, 3].map(|n| member(n).to_string()).to_vec()));
    graph.reopen(2).await;
    graph.assert_true().await;
    let listed = client.list_events(visitor.request(ListEventsRequest::default()).unwrap()).await;
    assert_eq!(told(listed).unwrap().events[0].attendee_count, 3);
}

//! People one may know: friends of friends first, then those of the same communities, and nobody one has dealt with.

use chassis::error::Kind;
use portia_proto::social_graph::ListSuggestionsRequest;
use testkit::member;

use crate::graph::{Graph, fields, told};

impl Graph {
    async fn suggested(&self, who: u128, page_size: i32) -> Vec<(String, i32)> {
        let request = self.harness.actors.member(member(who)).request(ListSuggestionsRequest { page_size }).unwrap();
        let told = told(self.client.clone().list_suggestions(request).await).unwrap();
        told.suggestions.into_iter().map(|s| (s.member_id, s.mutual_connections)).collect()
    }
}

fn expected<const N: usize>(suggestions: [(u128, i32); N]) -> Vec<(String, i32)> {
    suggestions.map(|(who, mutual)| (member(who).to_string(), mutual)).to_vec()
}

/// 1 knows 2 and 3; both know 4; 3 alone knows 5; 6 shares a community; 7 nothing.
async fn small_world() -> Graph {
    let graph = Graph::empty().await;
    for (n, requester, recipient) in [(1, 1, 2), (2, 3, 1), (3, 2, 4), (4, 4, 3), (5, 5, 3), (6, 7, 8)] {
        graph.connect(n, requester, recipient, "accepted").await;
    }
    graph.gather(50, &[1, 6, 2]).await;
    graph
}

#[tokio::test]
async fn those_with_most_mutual_connections_come_first() {
    let graph = small_world().await;
    assert_eq!(graph.suggested(1, 0).await, expected([(4, 2), (5, 1), (6, 0)]));
    assert_eq!(graph.suggested(1, 2).await, expected([(4, 2), (5, 1)]));
}

#[tokio::test]
async fn somebody_known_from_both_stands_once() {
    let graph = small_world().await;
    graph.gather(51, &[4, 1]).await;
    graph.gather(52, &[4, 1]).await;
    assert_eq!(graph.suggested(1, 0).await, expected([(4, 2), (5, 1), (6, 0)]));
}

#[tokio::test]
async fn pending_and_rejected_requests_count_for_nothing_and_hide_the_other() {
    let graph = small_world().await;
    graph.connect(10, 1, 4, "pending").await;
    graph.connect(11, 5, 1, "rejected").await;
    graph.connect(12, 6, 1, "pending").await;
    graph.connect(13, 4, 9, "pending").await;
    assert_eq!(graph.suggested(1, 0).await, expected([]));
}

#[tokio::test]
async fn the_dismissed_and_the_blocked_of_either_side_are_not_suggested() {
    let graph = small_world().await;
    graph.dismiss(1, 4).await;
    graph.block(1, 5).await;
    graph.block(6, 1).await;
    assert_eq!(graph.suggested(1, 0).await, expected([]));
    // Dismissing is one's own affair: the other is still shown who dismissed them.
    assert_eq!(graph.suggested(4, 0).await, expected([(1, 2), (5, 1)]));
}

#[tokio::test]
async fn nobody_known_means_nobody_suggested() {
    let graph = small_world().await;
    assert_eq!(graph.suggested(99, 0).await, expected([]));
}

#[tokio::test]
async fn visitors_and_bad_pages_are_refused() {
    let graph = Graph::empty().await;
    let visitor = graph.harness.actors.service("gateway").request(ListSuggestionsRequest::default()).unwrap();
    let refused = told(graph.client.clone().list_suggestions(visitor).await).unwrap_err();
    assert_eq!(refused.kind, Kind::Unauthenticated);
    let request = graph.harness.actors.member(member(1)).request(ListSuggestionsRequest { page_size: -1 }).unwrap();
    let refused = told(graph.client.clone().list_suggestions(request).await).unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (Kind::Invalid, vec!["pageSize"]));
}

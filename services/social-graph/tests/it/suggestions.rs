//! People one may know: friends of friends first, then those of the same school and place, then who is active; nobody
//! one has dealt with.

use chrono::TimeDelta;
use portia_proto::social_graph::{DismissSuggestionRequest, ListSuggestionsRequest, SuggestionReason as Reason};
use primitives::error::ErrorKind;
use testkit::member;

use crate::graph::{Graph, fields, told};

impl Graph {
    async fn suggested(&self, who: u128, page_size: i32) -> Vec<(String, i32, Reason)> {
        let told = told(self.client.clone().list_suggestions(self.by(who, ListSuggestionsRequest { page_size })).await);
        let suggestions = told.unwrap().suggestions.into_iter();
        suggestions.map(|s| (s.member_id.clone(), s.mutual_connections, s.reason())).collect()
    }

    async fn dismisses(&self, who: u128, other: u128) {
        let request = self.by(who, DismissSuggestionRequest { member_id: member(other).to_string() });
        told(self.client.clone().dismiss_suggestion(request).await).unwrap();
    }
}

fn expected<const N: usize>(suggestions: [(u128, i32, Reason); N]) -> Vec<(String, i32, Reason)> {
    suggestions.map(|(who, mutual, reason)| (member(who).to_string(), mutual, reason)).to_vec()
}

fn mutual(who: u128, connections: i32) -> (u128, i32, Reason) {
    (who, connections, Reason::MutualConnections)
}

/// 1 knows 2 and 3; both know 4; 3 alone knows 5; 7 and 8 know each other.
async fn small_world() -> Graph {
    let graph = Graph::empty().await;
    for (n, requester, recipient) in [(1, 1, 2), (2, 3, 1), (3, 2, 4), (4, 4, 3), (5, 5, 3), (6, 7, 8)] {
        graph.connect(n, requester, recipient, "accepted").await;
    }
    graph
}

#[tokio::test]
async fn those_with_most_mutual_connections_come_first() {
    let graph = small_world().await;
    assert_eq!(graph.suggested(1, 0).await, expected([mutual(4, 2), mutual(5, 1)]));
    assert_eq!(graph.suggested(1, 1).await, expected([mutual(4, 2)]));
}

#[tokio::test]
async fn then_the_same_school_the_same_place_and_whoever_is_active() {
    let graph = Graph::empty().await;
    // What 5 has in common with 1 is said once, by the first reason.
    for (who, school, location) in [
        (1, "Yale", "Boston"),
        (2, "Harvard", "boston"),
        (3, "YALE", "Austin"),
        (4, "UCLA", "LA"),
        (5, "Yale", "Boston"),
        (6, "yale", "Boston"),
    ] {
        graph.registers(who, school, location).await;
    }
    graph.connect(1, 1, 7, "accepted").await;
    graph.connect(2, 7, 6, "accepted").await;
    let all = [
        mutual(6, 1),
        (3, 0, Reason::School),
        (5, 0, Reason::School),
        (2, 0, Reason::Location),
        (4, 0, Reason::Active),
    ];
    assert_eq!(graph.suggested(1, 0).await, expected(all));
    for places in 1..=5 {
        let size = i32::try_from(places).unwrap();
        assert_eq!(graph.suggested(1, size).await, expected(all)[..places]);
    }
}

#[tokio::test]
async fn whoever_did_something_last_comes_first_among_likes() {
    let graph = Graph::empty().await;
    for who in 1..=4 {
        graph.registers(who, "Yale", "").await;
    }
    graph.request(4, 9).await.unwrap();
    graph.harness.clock.advance(TimeDelta::hours(2));
    graph.request(3, 9).await.unwrap();
    assert_eq!(graph.suggested(1, 0).await, expected([3, 4, 2].map(|who| (who, 0, Reason::School))));
    // Of 9 nobody has told but those who asked: not even that there is such a member.
}

#[tokio::test]
async fn a_newcomer_who_says_nothing_of_themselves_is_shown_who_is_there() {
    let graph = Graph::empty().await;
    for who in 1..=3 {
        graph.registers(who, "", "").await;
    }
    assert_eq!(graph.suggested(1, 0).await, expected([2, 3].map(|who| (who, 0, Reason::Active))));
    // Nor does it take having been told of.
    assert_eq!(graph.suggested(99, 0).await, expected([1, 2, 3].map(|who| (who, 0, Reason::Active))));
}

#[tokio::test]
async fn whoever_one_has_to_do_with_is_not_suggested_for_any_reason() {
    let graph = small_world().await;
    for who in [1, 2, 4, 5, 10, 11, 12, 13, 14, 15, 16] {
        graph.registers(who, if who < 13 { "Yale" } else { "" }, if who < 15 { "Boston" } else { "" }).await;
    }
    let (waiting, asked) = (graph.asked(1, 4).await, graph.asked(10, 1).await);
    graph.answer(1, &asked, portia_proto::social_graph::ConnectionStatus::Rejected).await.unwrap();
    graph.dismisses(1, 5).await;
    graph.dismisses(1, 5).await;
    graph.blocks(1, 11).await.unwrap();
    graph.blocks(12, 1).await.unwrap();
    graph.close(13).await;
    graph.close(15).await;
    assert_eq!(graph.suggested(1, 0).await, expected([(14, 0, Reason::Location), (16, 0, Reason::Active)]));
    // Dismissing is one's own affair: the other is still shown who dismissed them.
    assert_eq!(graph.suggested(5, 1).await, expected([mutual(1, 1)]));
    graph.remove(1, &waiting).await.unwrap();
    assert_eq!(graph.suggested(1, 1).await, expected([mutual(4, 2)]));
    graph.reopen(13).await;
    assert_eq!(graph.suggested(1, 2).await[1], expected([(13, 0, Reason::Location)])[0]);
}

#[tokio::test]
async fn closed_accounts_connect_nobody() {
    let graph = small_world().await;
    graph.close(3).await;
    assert_eq!(graph.suggested(1, 0).await, expected([mutual(4, 1)]));
    graph.close(4).await;
    assert_eq!(graph.suggested(1, 0).await, expected([]));
}

#[tokio::test]
async fn ones_own_rows_never_use_up_the_places() {
    let graph = Graph::empty().await;
    for who in 1..=9 {
        graph.registers(who, "Yale", "Boston").await;
    }
    for who in 2..=7 {
        graph.connect(who, 1, who, "accepted").await;
    }
    assert_eq!(graph.suggested(1, 2).await, expected([8, 9].map(|who| (who, 0, Reason::School))));
}

#[tokio::test]
async fn visitors_bad_pages_and_dismissing_oneself_are_refused() {
    let graph = Graph::empty().await;
    let mut client = graph.client.clone();
    let visitor = graph.harness.actors.service("gateway");
    let list = client.list_suggestions(visitor.request(ListSuggestionsRequest::default()).unwrap()).await;
    let dismiss = client.dismiss_suggestion(visitor.request(DismissSuggestionRequest::default()).unwrap()).await;
    for refused in [told(list).map(drop), told(dismiss).map(drop)] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
    let refused =
        told(client.list_suggestions(graph.by(1, ListSuggestionsRequest { page_size: -1 })).await).unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["pageSize"]));
    for bad in [member(1).to_string(), String::new(), "\0".to_owned(), "a".repeat(1 << 20)] {
        let dismiss = client.dismiss_suggestion(graph.by(1, DismissSuggestionRequest { member_id: bad })).await;
        let refused = told(dismiss).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]));
    }
}

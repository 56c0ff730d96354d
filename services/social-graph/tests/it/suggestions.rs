//! Suggestions: mutual connections, then school, location and activity; no member with an existing row.

use chrono::TimeDelta;
use outbox::Outbox;
use portia_proto::{
    profile::ProfileAudience,
    social_graph::{ConnectionAccepted, DismissSuggestionRequest, ListSuggestionsRequest, SuggestionReason as Reason},
};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, fields, into_result, row_id};

impl Fixture {
    /// Inserts connection `n` with its fact, by which a replica learns of it.
    async fn insert_accepted(&self, n: u128, requester: u128, recipient: u128) {
        self.insert_connection(n, requester, recipient, "accepted").await;
        let fact = ConnectionAccepted {
            connection_id: row_id(n).to_string(),
            requester_id: member(requester).to_string(),
            recipient_id: member(recipient).to_string(),
        };
        let (outbox, now) = (Outbox::new("social_graph"), self.harness.clock.now());
        outbox.publish(&mut self.harness.pool().acquire().await.unwrap(), row_id(n), &fact, now).await.unwrap();
    }

    pub async fn list_suggestions(&self, who: u128, page_size: i32) -> Vec<(String, i32, Reason)> {
        let published = into_result(
            self.client.clone().list_suggestions(self.as_member(who, ListSuggestionsRequest { page_size })).await,
        );
        let suggestions = published.unwrap().suggestions.into_iter();
        suggestions.map(|s| (s.member_id.clone(), s.mutual_connections, s.reason())).collect()
    }

    pub async fn dismiss_suggestion(&self, who: u128, other: u128) {
        let request = self.as_member(who, DismissSuggestionRequest { member_id: member(other).to_string() });
        into_result(self.client.clone().dismiss_suggestion(request).await).unwrap();
    }
}

fn expected<const N: usize>(suggestions: [(u128, i32, Reason); N]) -> Vec<(String, i32, Reason)> {
    suggestions.map(|(who, mutual, reason)| (member(who).to_string(), mutual, reason)).to_vec()
}

fn mutual(who: u128, connections: i32) -> (u128, i32, Reason) {
    (who, connections, Reason::MutualConnections)
}

/// Connections: 1-2, 1-3, 2-4, 3-4, 3-5, 7-8.
async fn six_connections() -> Fixture {
    let graph = Fixture::empty().await;
    for (n, requester, recipient) in [(1, 1, 2), (2, 3, 1), (3, 2, 4), (4, 4, 3), (5, 5, 3), (6, 7, 8)] {
        graph.insert_accepted(n, requester, recipient).await;
    }
    graph
}

#[tokio::test]
async fn members_with_most_mutual_connections_come_first() {
    let graph = six_connections().await;
    assert_eq!(graph.list_suggestions(1, 0).await, expected([mutual(4, 2), mutual(5, 1)]));
    assert_eq!(graph.list_suggestions(1, 1).await, expected([mutual(4, 2)]));
}

#[tokio::test]
async fn suggestions_continue_with_school_location_and_activity() {
    let graph = Fixture::empty().await;
    // Member 5 matches by two reasons and appears with the first.
    for (who, school, location) in [
        (1, "Yale", "Boston"),
        (2, "Harvard", "boston"),
        (3, "YALE", "Austin"),
        (4, "UCLA", "LA"),
        (5, "Yale", "Boston"),
        (6, "yale", "Boston"),
    ] {
        graph.publish_registration(who, school, location).await;
    }
    graph.insert_accepted(1, 1, 7).await;
    graph.insert_accepted(2, 7, 6).await;
    let all = [
        mutual(6, 1),
        (3, 0, Reason::School),
        (5, 0, Reason::School),
        (2, 0, Reason::Location),
        (4, 0, Reason::Active),
    ];
    assert_eq!(graph.list_suggestions(1, 0).await, expected(all));
    for places in 1..=5 {
        let size = i32::try_from(places).unwrap();
        assert_eq!(graph.list_suggestions(1, size).await, expected(all)[..places]);
    }
}

#[tokio::test]
async fn the_most_recently_active_member_comes_first_within_a_reason() {
    let graph = Fixture::empty().await;
    for who in 1..=4 {
        graph.publish_registration(who, "Yale", "").await;
    }
    graph.request(4, 9).await.unwrap();
    graph.harness.clock.advance(TimeDelta::hours(2));
    graph.request(3, 9).await.unwrap();
    assert_eq!(graph.list_suggestions(1, 0).await, expected([3, 4, 2].map(|who| (who, 0, Reason::School))));
    // Member 9 is not registered, so it is not suggested.
}

#[tokio::test]
async fn a_member_without_school_and_location_is_shown_active_members() {
    let graph = Fixture::empty().await;
    for who in 1..=3 {
        graph.publish_registration(who, "", "").await;
    }
    assert_eq!(graph.list_suggestions(1, 0).await, expected([2, 3].map(|who| (who, 0, Reason::Active))));
    // The same for a viewer without a registration.
    assert_eq!(graph.list_suggestions(99, 0).await, expected([1, 2, 3].map(|who| (who, 0, Reason::Active))));
}

#[tokio::test]
async fn members_with_a_connection_request_dismissal_or_block_are_not_suggested() {
    let graph = six_connections().await;
    for who in [1, 2, 4, 5, 10, 11, 12, 13, 14, 15, 16] {
        graph.publish_registration(who, if who < 13 { "Yale" } else { "" }, if who < 15 { "Boston" } else { "" }).await;
    }
    let (waiting, requested) = (graph.create_pending_request(1, 4).await, graph.create_pending_request(10, 1).await);
    graph.answer(1, &requested, portia_proto::social_graph::ConnectionStatus::Rejected).await.unwrap();
    graph.dismiss_suggestion(1, 5).await;
    graph.dismiss_suggestion(1, 5).await;
    graph.block_member(1, 11).await.unwrap();
    graph.block_member(12, 1).await.unwrap();
    graph.deactivate(13).await;
    graph.deactivate(15).await;
    assert_eq!(graph.list_suggestions(1, 0).await, expected([(14, 0, Reason::Location), (16, 0, Reason::Active)]));
    // A dismissal affects only its author.
    assert_eq!(graph.list_suggestions(5, 1).await, expected([mutual(1, 1)]));
    graph.remove(1, &waiting).await.unwrap();
    assert_eq!(graph.list_suggestions(1, 1).await, expected([mutual(4, 2)]));
    graph.reactivate(13).await;
    assert_eq!(graph.list_suggestions(1, 2).await[1], expected([(13, 0, Reason::Location)])[0]);
}

#[tokio::test]
async fn closed_accounts_are_no_mutual_connections() {
    let graph = six_connections().await;
    graph.deactivate(3).await;
    assert_eq!(graph.list_suggestions(1, 0).await, expected([mutual(4, 1)]));
    graph.deactivate(4).await;
    assert_eq!(graph.list_suggestions(1, 0).await, expected([]));
}

#[tokio::test]
async fn connected_members_do_not_reduce_the_number_of_suggestions() {
    let graph = Fixture::empty().await;
    for who in 1..=9 {
        graph.publish_registration(who, "Yale", "Boston").await;
    }
    for who in 2..=7 {
        graph.insert_accepted(who, 1, who).await;
    }
    assert_eq!(graph.list_suggestions(1, 2).await, expected([8, 9].map(|who| (who, 0, Reason::School))));
}

#[tokio::test]
async fn visitors_bad_pages_and_dismissing_the_caller_are_refused() {
    let graph = Fixture::empty().await;
    let mut client = graph.client.clone();
    let visitor = graph.harness.actors.service("gateway");
    let list = client.list_suggestions(visitor.request(ListSuggestionsRequest::default()).unwrap()).await;
    let dismiss = client.dismiss_suggestion(visitor.request(DismissSuggestionRequest::default()).unwrap()).await;
    for refused in [into_result(list).map(drop), into_result(dismiss).map(drop)] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
    let refused =
        into_result(client.list_suggestions(graph.as_member(1, ListSuggestionsRequest { page_size: -1 })).await)
            .unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["pageSize"]));
    for bad in [member(1).to_string(), String::new(), "\0".to_owned(), "a".repeat(1 << 20)] {
        let dismiss = client.dismiss_suggestion(graph.as_member(1, DismissSuggestionRequest { member_id: bad })).await;
        let refused = into_result(dismiss).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["memberId"]));
    }
}

#[tokio::test]
async fn a_member_whose_profile_only_connections_see_is_not_suggested() {
    let graph = Fixture::empty().await;
    for (who, school, location) in [(1, "Yale", "Boston"), (2, "Yale", ""), (3, "", "Boston"), (4, "UCLA", "LA")] {
        graph.publish_registration(who, school, location).await;
    }
    graph.insert_accepted(1, 1, 7).await;
    graph.insert_accepted(2, 7, 6).await;
    let all = [mutual(6, 1), (2, 0, Reason::School), (3, 0, Reason::Location), (4, 0, Reason::Active)];
    assert_eq!(graph.list_suggestions(1, 0).await, expected(all));
    for who in [2, 3, 4, 6] {
        graph.publish_audience(who, Some(ProfileAudience::Connections)).await;
    }
    assert_eq!(graph.list_suggestions(1, 0).await, []);
    graph.publish_audience(2, Some(ProfileAudience::Members)).await;
    graph.publish_audience(3, Some(ProfileAudience::Public)).await;
    graph.publish_audience(4, None).await;
    graph.publish_audience(6, None).await;
    assert_eq!(graph.list_suggestions(1, 0).await, expected(all));
}

//! The demo data: loaded once, with correct counts and entries in every list of both sign-in accounts.

use std::collections::HashSet;

use portia_proto::social_graph::{
    CommunityRole, ListCommunitiesRequest, ListEventsRequest, ListSuggestionsRequest, SuggestionReason,
};

use crate::fixtures::{Fixture, into_result};

#[tokio::test]
async fn the_demo_data_is_loaded_once_and_published_as_facts() {
    let graph = Fixture::empty().await;
    for _ in 0..2 {
        social_graph::demo::load(&graph.harness.context).await.unwrap();
    }
    graph.assert_invariants().await;
    let rows: i64 = sqlx::query_scalar("select count(*) from social_graph.connections")
        .fetch_one(graph.harness.pool())
        .await
        .unwrap();
    assert!((200..=400).contains(&rows), "{rows}");
    assert_eq!(graph.connection_facts().await.len(), usize::try_from(rows).unwrap());
    graph.assert_community_facts().await;
    graph.assert_event_facts().await;
    let early = format!(
        "select count(*) from social_graph.connections
        where requested_at > '{now}' or answered_at > '{now}' or answered_at < requested_at",
        now = graph.harness.clock.now(),
    );
    let early: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(early)).fetch_one(graph.harness.pool()).await.unwrap();
    assert_eq!(early, 0, "no event is in the future or before its cause");
}

#[tokio::test]
async fn both_sign_in_accounts_have_entries_in_every_list() {
    let graph = Fixture::empty().await;
    social_graph::demo::load(&graph.harness.context).await.unwrap();
    for sign_in in [1, 2] {
        assert!(graph.connections_of(sign_in).await.total >= 5);
        assert_eq!(graph.requests_of(sign_in).await.total, 4);
        let request = graph.as_member(sign_in, ListSuggestionsRequest::default());
        let suggested = into_result(graph.client.clone().list_suggestions(request).await).unwrap().suggestions;
        assert!(suggested.len() >= 10);
        assert!(suggested.iter().all(|s| s.reason() == SuggestionReason::MutualConnections));
    }
    for sign_in in [1, 2] {
        let communities = graph.communities(sign_in, ListCommunitiesRequest::default()).await;
        assert_eq!((communities.communities.len(), communities.total), (8, 8));
        let count = |role| communities.communities.iter().filter(|community| community.role() == role).count();
        assert_eq!(count(CommunityRole::Owner), 1);
        assert!(count(CommunityRole::Member) >= 2 && count(CommunityRole::Unspecified) >= 1);
        let events = graph.events(sign_in, ListEventsRequest::default()).await.events;
        assert_eq!(events.len(), 8);
        assert!(events.iter().all(|event| event.attendee_count >= 3 && event.organiser_id.is_some()));
        assert!(events.iter().any(|event| event.attending) && !events.iter().all(|event| event.attending));
        let zones: HashSet<&str> = events.iter().map(|event| event.time_zone.as_str()).collect();
        assert_eq!(zones, HashSet::from(["Asia/Manila", "America/New_York", "America/Los_Angeles"]));
        let (online, in_person): (Vec<_>, Vec<_>) =
            events.iter().filter_map(|event| event.location.as_deref()).partition(|place| *place == "Online");
        assert!(!online.is_empty() && !in_person.is_empty());
    }
}

//! The demo's graph: loaded once, true in its counts, and enough for both sign-ins to see every list filled.

use std::collections::HashSet;

use portia_proto::social_graph::{
    CommunityRole, ListCommunitiesRequest, ListEventsRequest, ListSuggestionsRequest, SuggestionReason,
};

use crate::graph::{Graph, told};

#[tokio::test]
async fn the_demo_is_loaded_once_and_tells_who_knows_whom_and_belongs_where() {
    let graph = Graph::empty().await;
    for _ in 0..2 {
        social_graph::demo::load(&graph.harness.context).await.unwrap();
    }
    graph.assert_true().await;
    let rows: i64 = sqlx::query_scalar("select count(*) from social_graph.connections")
        .fetch_one(graph.harness.pool())
        .await
        .unwrap();
    assert!((200..=400).contains(&rows), "{rows}");
    assert_eq!(graph.facts().await.len(), usize::try_from(rows).unwrap());
    graph.assert_told().await;
    graph.assert_told_of_events().await;
    let early = format!(
        "select count(*) from social_graph.connections
        where requested_at > '{now}' or answered_at > '{now}' or answered_at < requested_at",
        now = graph.harness.clock.now(),
    );
    let early: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(early)).fetch_one(graph.harness.pool()).await.unwrap();
    assert_eq!(early, 0, "nothing happens after now or before its cause");
}

#[tokio::test]
async fn both_sign_ins_see_every_list_filled() {
    let graph = Graph::empty().await;
    social_graph::demo::load(&graph.harness.context).await.unwrap();
    for sign_in in [1, 2] {
        assert!(graph.connections_of(sign_in).await.total >= 5);
        assert_eq!(graph.requests_of(sign_in).await.total, 4);
        let request = graph.by(sign_in, ListSuggestionsRequest::default());
        let suggested = told(graph.client.clone().list_suggestions(request).await).unwrap().suggestions;
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

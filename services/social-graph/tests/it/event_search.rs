//! Search of events: by their current texts, titles first, soonest first, without those that ended long ago.

use chrono::TimeDelta;
use portia_proto::social_graph::{Event, EventText, ListEventsRequest, SearchEventsRequest, SearchEventsResponse};
use primitives::{
    clock::timestamp,
    error::{ErrorKind, StatusDetails},
};

use crate::{
    actors::VISITOR,
    fixtures::{Fixture, fields, into_result, number, row_id},
};

impl Fixture {
    async fn search_events(&self, who: u128, query: &str) -> Result<SearchEventsResponse, StatusDetails> {
        let request = SearchEventsRequest { query: query.to_owned(), ..Default::default() };
        into_result(self.client.clone().search_events(self.as_viewer(who, request)).await)
    }

    async fn search_titles(&self, query: &str) -> Vec<String> {
        let found = self.search_events(VISITOR, query).await.unwrap();
        found.events.into_iter().map(|event| event.title).collect()
    }

    /// An event of member 1 that lasts an hour.
    async fn create_event_in(&self, days: i64, title: &str, more: EventText) -> Event {
        let starts_at = self.harness.clock.now() + TimeDelta::days(days);
        let times = EventText {
            start_date: Some(timestamp(starts_at)),
            end_date: Some(timestamp(starts_at + TimeDelta::hours(1))),
            ..self.event_text(title)
        };
        let text = EventText { description: more.description, location: more.location, ..times };
        self.create_event(1, text).await.unwrap()
    }
}

fn at(location: &str) -> EventText {
    EventText { location: Some(location.to_owned()), ..Default::default() }
}

fn about(description: &str) -> EventText {
    EventText { description: Some(description.to_owned()), ..Default::default() }
}

#[tokio::test]
async fn titles_rank_before_descriptions_and_locations_and_typing_errors_are_forgiven() {
    let graph = Fixture::empty().await;
    graph.create_event_in(3, "Moot court finals", at("Malcolm Hall")).await;
    graph.create_event_in(1, "Outline swap", about("Bring what the moot left over.")).await;
    graph.create_event_in(2, "Lecture", at("Moot Room")).await;
    graph.create_event_in(9, "Moot practice", EventText::default()).await;
    graph.wait_until_indexed().await;
    assert_eq!(graph.search_titles("moot").await, ["Moot court finals", "Moot practice", "Outline swap", "Lecture"]);
    assert_eq!(graph.search_titles("malcolm").await, ["Moot court finals"]);
    assert_eq!(graph.search_titles("outl").await, ["Outline swap"]);
    assert_eq!(graph.search_titles("mout court").await, ["Moot court finals"]);
    assert!(graph.search_titles("admiralty").await.is_empty());
    let found = graph.search_events(VISITOR, "outline swap").await.unwrap();
    assert_eq!(found.terms, ["outline", "swap"]);
    let refused = graph.search_events(1, " ").await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["query"]));
}

#[tokio::test]
async fn upcoming_events_are_soonest_first_then_recent_ones_and_old_ones_are_not_found() {
    let graph = Fixture::empty().await;
    for days in [1, 20, 60, 80] {
        graph.create_event_in(days, &format!("Moot {days}"), EventText::default()).await;
    }
    graph.harness.clock.advance(TimeDelta::days(40));
    assert_eq!(graph.search_titles("moot").await, ["Moot 60", "Moot 80", "Moot 20"]);
    let page = async |token: &str| {
        let request = SearchEventsRequest { query: "moot".to_owned(), page_size: 2, page_token: token.to_owned() };
        into_result(graph.client.clone().search_events(graph.as_viewer(3, request)).await).unwrap()
    };
    let first = page("").await;
    let last = page(&first.next_page_token).await;
    let titles = |page: &SearchEventsResponse| page.events.iter().map(|event| event.title.clone()).collect::<Vec<_>>();
    assert_eq!(titles(&first), ["Moot 60", "Moot 80"]);
    assert_eq!(titles(&last), ["Moot 20"]);
    assert_eq!(last.next_page_token, "");
}

#[tokio::test]
async fn an_event_is_found_in_the_form_of_lists_by_its_current_texts() {
    let graph = Fixture::empty().await;
    let made = graph.create_event_in(1, "Moot court", about("Robes are lent.")).await;
    for who in [1, 2, VISITOR] {
        let found = graph.search_events(who, "robes").await.unwrap();
        assert_eq!(found.events, graph.events(who, ListEventsRequest::default()).await.events, "{who}");
    }
    graph.update_event(1, &made.id, graph.event_text("Debate")).await.unwrap();
    assert!(graph.search_titles("moot").await.is_empty() && graph.search_titles("robes").await.is_empty());
    assert_eq!(graph.search_titles("debate").await, ["Debate"]);
    // The event of an erased organiser stays for its attendees.
    graph.erase(1).await;
    assert_eq!(graph.search_titles("debate").await, ["Debate"]);
    let other = graph.create_event(2, graph.event_text("Reading")).await.unwrap();
    graph.cancel_event(2, &other.id).await.unwrap();
    assert!(graph.search_titles("reading").await.is_empty());
}

#[tokio::test]
async fn a_block_hides_the_organiser_in_results_as_in_the_list() {
    let graph = Fixture::empty().await;
    let made = graph.create_event_in(1, "Moot court", EventText::default()).await;
    graph.attend_event(2, &made.id).await.unwrap();
    graph.attend_event(3, &made.id).await.unwrap();
    graph.block_member(1, 9).await.unwrap();
    graph.block_member(9, 3).await.unwrap();
    let found = graph.search_events(9, "moot").await.unwrap().events.remove(0);
    let named: Vec<u128> = found.attendees.iter().map(|attendee| number(&attendee.member_id)).collect();
    assert_eq!((found.organiser_id, found.attendee_count, named), (None, 1, vec![2]));
}

#[tokio::test]
async fn communities_and_events_are_found_apart() {
    let graph = Fixture::empty().await;
    graph.create_community(1, "Moot Society").await.unwrap();
    graph.create_event_in(1, "Moot court", EventText::default()).await;
    assert_eq!(graph.search_titles("moot").await, ["Moot court"]);
    let communities = graph.search(VISITOR, "moot").await.unwrap().communities;
    assert_eq!(communities.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["Moot Society"]);
}

#[tokio::test]
async fn an_event_from_before_the_index_is_read_by_the_migration() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(7, now, now + TimeDelta::days(1), &[1]).await;
    let migration = include_str!("../../migrations/20261129000004_event_search.sql");
    graph.harness.database().run_as_owner(migration).await;
    graph.wait_until_indexed().await;
    assert_eq!(graph.search_titles("event").await, ["Event 7"]);
    let found = graph.search_events(1, "event").await.unwrap();
    assert_eq!(found.events[0].id, row_id(7).to_string());
}

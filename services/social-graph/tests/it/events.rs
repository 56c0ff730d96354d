//! Events: what has not ended, soonest first, with the first few who come.

use chassis::{clock::timestamp, error::Kind};
use chrono::TimeDelta;
use portia_proto::social_graph::{Attendee, ListEventsRequest, ListEventsResponse};
use testkit::member;

use crate::graph::{Graph, fields, row_id, told};

impl Graph {
    async fn events(&self, request: ListEventsRequest) -> ListEventsResponse {
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        told(self.client.clone().list_events(request).await).unwrap()
    }

    async fn titles(&self) -> Vec<String> {
        self.events(ListEventsRequest::default()).await.events.into_iter().map(|event| event.title).collect()
    }
}

#[tokio::test]
async fn what_runs_is_listed_until_it_ends() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    let day = TimeDelta::days(1);
    graph.announce(1, now + day, now + day * 2, &[]).await;
    graph.announce(2, now - day, now + TimeDelta::hours(1), &[]).await;
    graph.announce(3, now - day * 2, now, &[]).await;
    graph.announce(4, now - day * 14 + TimeDelta::seconds(1), now + TimeDelta::seconds(1), &[]).await;
    assert_eq!(graph.titles().await, ["Event 4", "Event 2", "Event 1"]);
    graph.harness.clock.advance(TimeDelta::hours(1));
    assert_eq!(graph.titles().await, ["Event 1"]);
}

#[tokio::test]
async fn the_first_to_say_so_are_named_and_all_are_counted() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    graph.announce(7, now + TimeDelta::days(1), now + TimeDelta::days(2), &[9, 8, 7, 6, 5, 4, 3]).await;
    graph.announce(8, now + TimeDelta::days(3), now + TimeDelta::days(4), &[]).await;
    graph.harness.database().run("update social_graph.events set location = 'Hall' where title = 'Event 7'").await;
    let events = graph.events(ListEventsRequest::default()).await.events;
    let first = &events[0];
    assert_eq!((first.id.as_str(), first.attendee_count), (row_id(7).to_string().as_str(), 7));
    assert_eq!(first.start_date, Some(timestamp(now + TimeDelta::days(1))));
    let named: Vec<Attendee> = (0..)
        .zip([9, 8, 7, 6, 5])
        .map(|(place, who)| Attendee { id: row_id(7000 + place).to_string(), member_id: member(who).to_string() })
        .collect();
    assert_eq!(first.attendees, named);
    assert_eq!(first.location.as_deref(), Some("Hall"));
    assert_eq!((events[1].attendee_count, events[1].attendees.len(), events[1].location.clone()), (0, 0, None));
}

#[tokio::test]
async fn pages_walk_through_events_of_one_moment() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    for n in 1..=5 {
        graph.announce(n, now + TimeDelta::days(1), now + TimeDelta::days(2), &[1]).await;
    }
    let mut seen = Vec::new();
    let mut request = ListEventsRequest { page_size: 2, ..Default::default() };
    loop {
        let page = graph.events(request.clone()).await;
        seen.extend(page.events.into_iter().map(|event| event.title));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|n| format!("Event {n}")));
}

#[tokio::test]
async fn a_page_that_does_not_exist_is_refused() {
    let graph = Graph::empty().await;
    let gateway = graph.harness.actors.service("gateway");
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "x", "pageToken")] {
        let request = ListEventsRequest { page_size, page_token: page_token.to_owned() };
        let answer = graph.client.clone().list_events(gateway.request(request).unwrap()).await;
        let refused = told(answer).unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (Kind::Invalid, vec![field]));
    }
}

#[tokio::test]
async fn an_event_ends_after_it_began_and_within_a_fortnight() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    graph.announce(1, now, now + TimeDelta::days(14), &[]).await;
    for ends_at in ["starts_at", "starts_at - interval '1 hour'", "starts_at + interval '14 days 1 second'"] {
        let sql = format!("update social_graph.events set ends_at = {ends_at}");
        let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(graph.harness.pool()).await.unwrap_err();
        assert_eq!(chassis::db::Error::from(refused).constraint(), Some("events_ends_at_check"));
    }
}

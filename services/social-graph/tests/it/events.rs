//! Lists of events that have not ended, soonest first, with their first attendees.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    Attendee, BatchGetEventsRequest, Event, GetEventRequest, ListAttendeesRequest, ListEventsRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::{
    actors::VISITOR,
    fixtures::{Fixture, fields, into_result, number, row_id},
};

impl Fixture {
    async fn titles(&self) -> Vec<String> {
        self.events(VISITOR, ListEventsRequest::default()).await.events.into_iter().map(|event| event.title).collect()
    }
}

#[tokio::test]
async fn events_are_listed_until_they_end() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    let day = TimeDelta::days(1);
    graph.insert_event(1, now + day, now + day * 2, &[]).await;
    graph.insert_event(2, now - day, now + TimeDelta::hours(1), &[]).await;
    graph.insert_event(3, now - day * 2, now, &[]).await;
    graph.insert_event(4, now - day * 14 + TimeDelta::seconds(1), now + TimeDelta::seconds(1), &[]).await;
    assert_eq!(graph.titles().await, ["Event 4", "Event 2", "Event 1"]);
    graph.harness.clock.advance(TimeDelta::hours(1));
    assert_eq!(graph.titles().await, ["Event 1"]);
}

#[tokio::test]
async fn an_event_lists_its_first_attendees_and_counts_all() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(7, now + TimeDelta::days(1), now + TimeDelta::days(2), &[9, 8, 7, 6, 5, 4, 3]).await;
    graph.insert_event(8, now + TimeDelta::days(3), now + TimeDelta::days(4), &[]).await;
    let database = graph.harness.database();
    database
        .run("update social_graph.events set location = 'Hall', description = 'Bring\nnotes' where title = 'Event 7'")
        .await;
    let events = graph.events(4, ListEventsRequest::default()).await.events;
    let first = &events[0];
    assert_eq!((first.id.as_str(), first.attendee_count), (row_id(7).to_string().as_str(), 7));
    assert_eq!(first.start_date, Some(timestamp(now + TimeDelta::days(1))));
    assert_eq!(first.end_date, Some(timestamp(now + TimeDelta::days(2))));
    let named: Vec<Attendee> = (0..)
        .zip([9, 8, 7, 6, 5])
        .map(|(place, who)| Attendee { id: row_id(7000 + place).to_string(), member_id: member(who).to_string() })
        .collect();
    assert_eq!(first.attendees, named);
    assert_eq!((first.location.as_deref(), first.description.as_deref()), (Some("Hall"), None));
    assert_eq!((first.time_zone.as_str(), first.revision), ("America/New_York", 0));
    assert_eq!(first.organiser_id, Some(member(9).to_string()));
    assert_eq!((events[1].attendee_count, events[1].attendees.len(), events[1].location.clone()), (0, 0, None));
    assert_eq!(events[1].organiser_id, None);
    // A single event has its description; `attending` depends on the viewer.
    for (who, attending) in [(4, true), (2, false), (VISITOR, false)] {
        let event = graph.event(who, &first.id).await.unwrap();
        assert_eq!((event.description.as_deref(), event.attending), (Some("Bring\nnotes"), attending));
        let listed = graph.events(who, ListEventsRequest::default()).await.events.remove(0);
        assert_eq!((listed.attending, listed.attendees), (attending, event.attendees));
    }
}

#[tokio::test]
async fn a_past_event_is_found() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(1, now - TimeDelta::days(2), now - TimeDelta::days(1), &[1, 2]).await;
    let id = row_id(1).to_string();
    assert_eq!(graph.event(VISITOR, &id).await.unwrap().attendee_count, 2);
    assert_eq!(graph.attendees(VISITOR, &id, 0).await, [1, 2]);
    for refused in [
        graph.event(VISITOR, &row_id(2).to_string()).await.map(drop),
        into_result(graph.client.clone().list_attendees(graph.as_member(1, list_of(&row_id(2).to_string()))).await)
            .map(drop),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "EVENT_NOT_FOUND"));
    }
}

fn list_of(event: &str) -> ListAttendeesRequest {
    ListAttendeesRequest { event_id: event.to_owned(), ..Default::default() }
}

#[tokio::test]
async fn attendees_are_listed_by_time_of_acceptance() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(1, now, now + TimeDelta::days(1), &[3, 9, 1, 7, 5]).await;
    // All with the same time.
    graph.harness.database().run("update social_graph.attendances set said_at = '2026-01-01'").await;
    for page_size in 0..=6 {
        assert_eq!(graph.attendees(2, &row_id(1).to_string(), page_size).await, [3, 9, 1, 7, 5]);
    }
}

#[tokio::test]
async fn closed_accounts_and_blocks_in_both_directions_are_not_listed_as_attendees() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(1, now, now + TimeDelta::days(1), &[1, 2, 3, 4, 5, 6, 7, 8]).await;
    graph.insert_event(2, now, now + TimeDelta::days(2), &[4]).await;
    let (id, other) = (row_id(1).to_string(), row_id(2).to_string());
    graph.insert_block(9, 1).await;
    graph.insert_block(3, 9).await;
    graph.deactivate(4).await;
    let event = graph.event(9, &id).await.unwrap();
    let named = |attendees: &[Attendee]| attendees.iter().map(|a| number(&a.member_id)).collect::<Vec<_>>();
    assert_eq!(
        (named(&event.attendees), event.attendee_count),
        (vec![2, 5, 6, 7, 8], 5),
        "later attendees fill the places, and the count is that of the list"
    );
    assert_eq!(graph.events(9, ListEventsRequest::default()).await.events[0].attendees, event.attendees);
    assert_eq!(graph.attendees(9, &id, 2).await, [2, 5, 6, 7, 8]);
    assert_eq!(graph.attendees(3, &id, 2).await, [1, 2, 3, 5, 6, 7, 8]);
    assert_eq!(named(&graph.event(VISITOR, &id).await.unwrap().attendees), [1, 2, 3, 5, 6]);
    // The organiser is omitted by the same rule.
    let organisers = async |who| {
        let listed = graph.events(who, ListEventsRequest::default()).await.events.into_iter();
        let listed: Vec<_> = listed.map(|event| event.organiser_id.as_deref().map(number)).collect();
        let found = [graph.event(who, &id).await.unwrap(), graph.event(who, &other).await.unwrap()];
        assert_eq!(found.map(|event| event.organiser_id.as_deref().map(number)).to_vec(), listed);
        listed
    };
    assert_eq!(organisers(9).await, [None, None]);
    assert_eq!(organisers(VISITOR).await, [Some(1), None]);
    assert_eq!(graph.attendees(9, &other, 0).await, vec![], "the event exists without a visible attendee");
    graph.reactivate(4).await;
    graph.unblock_member(9, 1).await.unwrap();
    assert_eq!(organisers(9).await, [Some(1), Some(4)]);
    assert_eq!(graph.attendees(9, &id, 0).await, [1, 2, 4, 5, 6, 7, 8]);
}

#[tokio::test]
async fn a_block_between_organiser_and_attendee_hides_the_attendance_from_both() {
    for (blocker, blocked) in [(1, 2), (2, 1)] {
        let graph = Fixture::empty().await;
        let now = graph.harness.clock.now();
        graph.insert_event(1, now, now + TimeDelta::days(1), &[1, 2, 3]).await;
        let id = row_id(1).to_string();
        graph.block_member(blocker, blocked).await.unwrap();
        for (who, seen, attending) in [(1, vec![1, 3], true), (2, vec![3], false), (3, vec![1, 2, 3], true)] {
            let event = graph.event(who, &id).await.unwrap();
            let listed = graph.events(who, ListEventsRequest::default()).await.events.remove(0);
            let named = |event: &Event| event.attendees.iter().map(|a| number(&a.member_id)).collect::<Vec<_>>();
            for event in [&event, &listed] {
                assert_eq!((named(event), event.attending), (seen.clone(), attending), "{blocker} {who}");
                assert_eq!(usize::try_from(event.attendee_count).unwrap(), seen.len(), "{blocker} {who}");
            }
            assert_eq!(graph.attendees(who, &id, 0).await, seen, "{blocker} {who}");
        }
        // The other direction is counted once.
        graph.block_member(blocked, blocker).await.unwrap();
        assert_eq!(graph.event(1, &id).await.unwrap().attendee_count, 2);
        graph.unblock_member(blocked, blocker).await.unwrap();
        graph.unblock_member(blocker, blocked).await.unwrap();
        let event = graph.event(2, &id).await.unwrap();
        assert_eq!((event.attendee_count, event.attending), (3, true));
    }
}

#[tokio::test]
async fn a_member_does_not_attend_an_event_across_a_block_with_its_organiser() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(1, now, now + TimeDelta::days(1), &[1, 5]).await;
    let id = row_id(1).to_string();
    graph.block_member(1, 2).await.unwrap();
    graph.block_member(3, 1).await.unwrap();
    graph.block_member(1, 5).await.unwrap();
    let unknown = graph.attend_event(2, &row_id(77).to_string()).await.unwrap_err();
    // Also a member who attended before.
    for who in [2, 3, 5] {
        assert_eq!(graph.attend_event(who, &id).await.unwrap_err(), unknown, "{who}");
    }
    assert_eq!(graph.attendees(VISITOR, &id, 0).await, [1, 5]);
    assert!(!graph.unattend_event(5, &id).await.unwrap().attending);
    assert_eq!(graph.attend_event(4, &id).await.unwrap().attendee_count, 2);
    graph.unblock_member(1, 2).await.unwrap();
    assert!(graph.attend_event(2, &id).await.unwrap().attending);
}

#[tokio::test]
async fn a_block_and_an_attendance_at_once_leave_none_that_the_blocker_sees() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(1, now, now + TimeDelta::days(1), &[1]).await;
    let id = row_id(1).to_string();
    for who in 10..20 {
        let (blocked, attended) = futures::join!(graph.block_member(1, who), graph.attend_event(who, &id));
        blocked.unwrap();
        drop(attended);
        let event = graph.event(1, &id).await.unwrap();
        assert_eq!((event.attendee_count, graph.attendees(1, &id, 0).await), (1, vec![1]), "{who}");
    }
}

#[tokio::test]
async fn pages_cover_all_events_with_the_same_start() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    for n in 1..=5 {
        graph.insert_event(n, now + TimeDelta::days(1), now + TimeDelta::days(2), &[1]).await;
    }
    let mut seen = Vec::new();
    let mut request = ListEventsRequest { page_size: 2, ..Default::default() };
    loop {
        let page = graph.events(1, request.clone()).await;
        seen.extend(page.events.into_iter().map(|event| event.title));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|n| format!("Event {n}")));
}

#[tokio::test]
async fn a_page_or_an_event_that_does_not_exist_is_refused() {
    let graph = Fixture::empty().await;
    let mut client = graph.client.clone();
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "x", "pageToken"), (0, "e30", "pageToken")] {
        let page_token = page_token.to_owned();
        let events = ListEventsRequest { page_size, page_token: page_token.clone() };
        let attendees = ListAttendeesRequest { event_id: row_id(1).to_string(), page_size, page_token };
        let events = client.list_events(graph.as_viewer(VISITOR, events)).await;
        let attendees = client.list_attendees(graph.as_viewer(VISITOR, attendees)).await;
        for refused in [into_result(events).map(drop), into_result(attendees).map(drop)] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
        }
    }
    for bad in ["", "1", "\0", "' or true --", "\u{202e}", &"a".repeat(1 << 20)] {
        let one = client.get_event(graph.as_viewer(VISITOR, GetEventRequest { event_id: bad.to_owned() })).await;
        let attendees = client.list_attendees(graph.as_viewer(VISITOR, list_of(bad))).await;
        for refused in [into_result(one).map(drop), into_result(attendees).map(drop)] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["eventId"]), "{bad:.9?}");
        }
    }
}

#[tokio::test]
async fn the_table_constraint_refuses_an_event_without_duration_or_longer_than_14_days() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(1, now, now + TimeDelta::days(14), &[]).await;
    for ends_at in ["starts_at", "starts_at - interval '1 hour'", "starts_at + interval '14 days 1 second'"] {
        let sql = format!("update social_graph.events set ends_at = {ends_at}");
        let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(graph.harness.pool()).await.unwrap_err();
        assert_eq!(db::Error::from(refused).constraint(), Some("events_ends_at_check"));
    }
}

#[tokio::test]
async fn batch_get_returns_events_in_the_form_of_lists_including_past_ones() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    graph.insert_event(1, now - TimeDelta::days(2), now - TimeDelta::days(1), &[4]).await;
    graph.insert_event(2, now + TimeDelta::days(1), now + TimeDelta::days(2), &[1, 2, 3, 4, 5, 6, 7]).await;
    graph.harness.database().run("update social_graph.events set description = 'Bring notes'").await;
    graph.insert_block(9, 1).await;
    graph.deactivate(4).await;
    let ids: Vec<String> = [2, 8, 1, 2].map(|n| row_id(n).to_string()).to_vec();
    let batch_get = async |who, ids: &[String]| {
        let request = graph.as_viewer(who, BatchGetEventsRequest { event_ids: ids.to_vec() });
        into_result(graph.client.clone().batch_get_events(request).await).map(|page| page.events)
    };
    for who in [VISITOR, 2, 9] {
        let mut events = batch_get(who, &ids).await.unwrap();
        events.sort_by(|one, other| one.id.cmp(&other.id));
        let listed = graph.events(who, ListEventsRequest::default()).await.events;
        assert_eq!(events.get(1), listed.first(), "{who}");
        let past = graph.event(who, &ids[2]).await.unwrap();
        assert_eq!(past.description.as_deref(), Some("Bring notes"));
        assert_eq!(events[0], Event { description: None, ..past }, "{who}");
    }
    assert_eq!(batch_get(VISITOR, &[]).await.unwrap(), []);
    for bad in [vec!["1".to_owned()], vec![ids[0].clone(), "\0".to_owned()], vec![ids[0].clone(); 101]] {
        let refused = batch_get(VISITOR, &bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["eventIds"]));
    }
}

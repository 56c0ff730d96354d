//! Creation, update and cancellation of events, and attendance: permissions and results.

use chrono::TimeDelta;
use portia_proto::social_graph::{
    AttendEventRequest, CancelEventRequest, CreateEventRequest, EventText, ListEventsRequest, UnattendEventRequest,
    UpdateEventRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use prost_types::Timestamp;
use testkit::member;

use crate::{
    actors::{VISITOR, time_after},
    fixtures::{Fixture, fields, into_result, number, row_id},
};

#[tokio::test]
async fn the_creator_of_an_event_is_its_organiser_and_first_attendee() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    let text = EventText {
        title: " Finals ".to_owned(),
        description: Some("Two teams.\r\nOne bench.".to_owned()),
        location: Some("  ".to_owned()),
        start_date: Some(Timestamp { seconds: now.timestamp() + 60, nanos: 1_999 }),
        end_date: time_after(now, TimeDelta::days(14)),
        time_zone: "America/Argentina/Buenos_Aires".to_owned(),
    };
    let made = graph.create_event(1, text).await.unwrap();
    assert_eq!((made.title.as_str(), made.description.as_deref()), ("Finals", Some("Two teams.\nOne bench.")));
    assert_eq!((made.location.as_deref(), made.time_zone.as_str()), (None, "America/Argentina/Buenos_Aires"));
    assert_eq!(made.start_date, Some(Timestamp { seconds: now.timestamp() + 60, nanos: 1_000 }));
    assert_eq!(made.end_date, time_after(now, TimeDelta::days(14)));
    assert_eq!(made.organiser_id, Some(member(1).to_string()));
    let named: Vec<u128> = made.attendees.iter().map(|attendee| number(&attendee.member_id)).collect();
    assert_eq!((made.attendee_count, named, made.attending, made.revision), (1, vec![1], true, 0));
    assert_eq!(graph.event(1, &made.id).await.unwrap(), made);
    assert_eq!(graph.events(VISITOR, ListEventsRequest::default()).await.events.len(), 1);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_repeated_create_event_request_creates_one_event() {
    let graph = Fixture::empty().await;
    let request = |text: EventText| CreateEventRequest { text: Some(text), idempotency_key: Some("k".to_owned()) };
    let announce =
        async |who, text| into_result(graph.client.clone().create_event(graph.as_member(who, request(text))).await);
    let text = graph.event_text("Finals");
    let first = announce(1, text.clone()).await.unwrap().event.unwrap();
    graph.attend_event(2, &first.id).await.unwrap();
    graph.harness.clock.advance(TimeDelta::hours(1));
    let again = announce(1, text.clone()).await.unwrap().event.unwrap();
    assert_eq!((again.id, again.attendee_count), (first.id.clone(), 2), "the response has the current state");
    let manila = EventText { time_zone: "UTC".to_owned(), ..text.clone() };
    let later = EventText { end_date: time_after(graph.harness.clock.now(), TimeDelta::days(2)), ..text.clone() };
    for other in [manila, later, EventText { location: Some("Hall".to_owned()), ..text.clone() }] {
        let refused = announce(1, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));
    }
    assert_ne!(announce(2, text.clone()).await.unwrap().event.unwrap().id, first.id);
    graph.cancel_event(1, &first.id).await.unwrap();
    assert_eq!(announce(1, text).await.unwrap_err().reason, "EVENT_NOT_FOUND", "created once, then cancelled");
    graph.assert_invariants().await;
}

#[tokio::test]
async fn only_the_organiser_updates_an_event_and_each_change_increments_the_revision() {
    let graph = Fixture::empty().await;
    let mut text = graph.event_text("Finals");
    let id = graph.create_event(1, text.clone()).await.unwrap().id;
    graph.attend_event(2, &id).await.unwrap();
    assert_eq!(graph.update_event(1, &id, text.clone()).await.unwrap().revision, 0, "nothing is new");
    text.location = Some("Hall".to_owned());
    let changed = graph.update_event(1, &id, text.clone()).await.unwrap();
    assert_eq!((changed.location.as_deref(), changed.revision, changed.attendee_count), (Some("Hall"), 1, 2));
    text.location = None;
    text.start_date = time_after(graph.harness.clock.now(), TimeDelta::hours(1));
    let changed = graph.update_event(1, &id, text.clone()).await.unwrap();
    assert_eq!((changed.location, changed.start_date, changed.revision), (None, text.start_date, 2));
    for who in [2, 3] {
        for refused in [graph.update_event(who, &id, text.clone()).await.map(drop), graph.cancel_event(who, &id).await]
        {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "NOT_ORGANISER"));
        }
    }
    let gone = row_id(1).to_string();
    for refused in [graph.update_event(1, &gone, text.clone()).await.map(drop), graph.cancel_event(1, &gone).await] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "EVENT_NOT_FOUND"));
    }
    // The organiser need not attend, and an erased organiser leaves the event without one.
    graph.unattend_event(1, &id).await.unwrap();
    text.title = "Final".to_owned();
    assert_eq!(graph.update_event(1, &id, text.clone()).await.unwrap().revision, 3);
    graph.erase(1).await;
    assert_eq!(graph.event(2, &id).await.unwrap().organiser_id, None);
    assert_eq!(graph.update_event(1, &id, text).await.unwrap_err().reason, "NOT_ORGANISER");
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_cancelled_event_is_not_found() {
    let graph = Fixture::empty().await;
    let id = graph.create_event(1, graph.event_text("Finals")).await.unwrap().id;
    graph.attend_event(2, &id).await.unwrap();
    graph.cancel_event(1, &id).await.unwrap();
    assert_eq!(graph.event(2, &id).await.unwrap_err().reason, "EVENT_NOT_FOUND");
    assert_eq!(graph.cancel_event(1, &id).await.unwrap_err().reason, "EVENT_NOT_FOUND");
    assert_eq!(graph.attend_event(2, &id).await.unwrap_err().reason, "EVENT_NOT_FOUND");
    assert_eq!(graph.unattend_event(2, &id).await.unwrap_err().reason, "EVENT_NOT_FOUND");
    assert_eq!(graph.harness.database().tables_referencing(member(2)).await, ["members"]);
}

#[tokio::test]
async fn attend_and_unattend_are_idempotent_and_a_past_event_refuses_new_attendees() {
    let graph = Fixture::empty().await;
    let id = graph.create_event(1, graph.event_text("Finals")).await.unwrap().id;
    for _ in 0..2 {
        let said = graph.attend_event(2, &id).await.unwrap();
        assert_eq!((said.attendee_count, said.attending, said.revision), (2, true, 0));
    }
    graph.attend_event(3, &id).await.unwrap();
    for _ in 0..2 {
        let said = graph.unattend_event(3, &id).await.unwrap();
        assert_eq!((said.attendee_count, said.attending), (2, false));
    }
    graph.harness.clock.advance(TimeDelta::hours(26) - TimeDelta::microseconds(1));
    graph.attend_event(3, &id).await.unwrap();
    graph.harness.clock.advance(TimeDelta::microseconds(1));
    let refused = graph.attend_event(4, &id).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "EVENT_OVER"));
    assert_eq!(refused.message, "This event is over.");
    assert_eq!(graph.attend_event(3, &id).await.unwrap().attendee_count, 3, "an existing attendee stays");
    assert_eq!(graph.unattend_event(3, &id).await.unwrap().attendee_count, 2);
    graph.assert_invariants().await;
}

#[tokio::test]
async fn attendances_and_events_of_a_closed_account_count_after_reactivation() {
    let graph = Fixture::empty().await;
    let id = graph.create_event(1, graph.event_text("Finals")).await.unwrap().id;
    graph.deactivate(2).await;
    assert_eq!(graph.attend_event(2, &id).await.unwrap().attendee_count, 1);
    let own = graph.create_event(2, graph.event_text("Semifinals")).await.unwrap();
    assert_eq!((own.attendee_count, own.organiser_id), (0, None));
    graph.assert_invariants().await;
    graph.reactivate(2).await;
    assert_eq!(graph.event(1, &id).await.unwrap().attendee_count, 2);
    assert_eq!(graph.event(1, &own.id).await.unwrap().organiser_id, Some(member(2).to_string()));
    graph.assert_invariants().await;
}

#[tokio::test]
async fn an_invalid_text_or_time_is_refused_with_its_field() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    let id = graph.create_event(1, graph.event_text("Finals")).await.unwrap().id;
    let poster = || graph.event_text("Finals");
    let mut refusals: Vec<(&str, EventText)> = Vec::new();
    let megabyte = "a".repeat(1 << 20);
    for bad in ["", " ", "\0", "a\0", "a\nb", "\u{202e}gpj", "\u{200b}", &"ñ".repeat(201), &megabyte] {
        refusals.push(("title", EventText { title: bad.to_owned(), ..poster() }));
    }
    for bad in ["\0", "a\0b", "a\nb", "\u{2066}", &"ñ".repeat(201), &megabyte] {
        refusals.push(("location", EventText { location: Some(bad.to_owned()), ..poster() }));
    }
    for bad in ["\0", "a\0b", "\u{202e}", &"ñ".repeat(5_001), &megabyte] {
        refusals.push(("description", EventText { description: Some(bad.to_owned()), ..poster() }));
    }
    for bad in ["", "\0", "Mars/Olympus", "+08:00", "asia/manila", "../../etc/passwd", &megabyte] {
        refusals.push(("timeZone", EventText { time_zone: bad.to_owned(), ..poster() }));
    }
    for (seconds, nanos) in [(i64::MAX, 0), (i64::MIN, 0), (now.timestamp(), -1), (now.timestamp(), i32::MAX)] {
        refusals.push(("startDate", EventText { start_date: Some(Timestamp { seconds, nanos }), ..poster() }));
        refusals.push(("endDate", EventText { end_date: Some(Timestamp { seconds, nanos }), ..poster() }));
    }
    let year_10000 = |second: i64| Some(Timestamp { seconds: 253_402_300_800 + second, nanos: 0 });
    refusals.push(("startDate", EventText { start_date: year_10000(0), end_date: year_10000(1), ..poster() }));
    refusals.push(("endDate", EventText { end_date: year_10000(0), ..poster() }));
    refusals.push(("startDate", EventText { start_date: None, ..poster() }));
    refusals.push(("endDate", EventText { end_date: None, ..poster() }));
    refusals.push(("endDate", EventText { end_date: poster().start_date, ..poster() }));
    refusals.push(("endDate", EventText { end_date: time_after(now, TimeDelta::days(16)), ..poster() }));
    let yesterday = time_after(now, -TimeDelta::days(1));
    refusals.push(("endDate", EventText { start_date: yesterday, end_date: Some(timestamp(now)), ..poster() }));
    let (far, farther) = (time_after(now, TimeDelta::days(732)), time_after(now, TimeDelta::days(733)));
    refusals.push(("startDate", EventText { start_date: far, end_date: farther, ..poster() }));
    for (field, text) in refusals {
        for refused in [graph.create_event(1, text.clone()).await, graph.update_event(1, &id, text.clone()).await] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]), "{text:.300?}");
        }
    }
    let request = CreateEventRequest { text: None, idempotency_key: Some("\0".to_owned()) };
    let refused = into_result(graph.client.clone().create_event(graph.as_member(1, request)).await).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Invalid);
    assert_eq!(fields(&refused), ["title", "startDate", "endDate", "timeZone", "idempotencyKey"]);
    graph.update_event(1, &id, EventText { start_date: yesterday, ..poster() }).await.unwrap();
}

#[tokio::test]
async fn visitors_and_invalid_ids_are_refused() {
    let graph = Fixture::empty().await;
    for bad in ["", "1", "\0", "x\0", "' or true --", "\u{202e}", &"a".repeat(1 << 20)] {
        for refused in [
            graph.update_event(1, bad, graph.event_text("Finals")).await.map(drop),
            graph.cancel_event(1, bad).await,
            graph.attend_event(1, bad).await.map(drop),
            graph.unattend_event(1, bad).await.map(drop),
        ] {
            let refused = refused.unwrap_err();
            assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["eventId"]), "{bad:.9?}");
        }
    }
    let mut client = graph.client.clone();
    let create = client.create_event(graph.as_viewer(VISITOR, CreateEventRequest::default())).await;
    let update = client.update_event(graph.as_viewer(VISITOR, UpdateEventRequest::default())).await;
    let cancel = client.cancel_event(graph.as_viewer(VISITOR, CancelEventRequest::default())).await;
    let attend = client.attend_event(graph.as_viewer(VISITOR, AttendEventRequest::default())).await;
    let unattend = client.unattend_event(graph.as_viewer(VISITOR, UnattendEventRequest::default())).await;
    let refusals = [
        into_result(create).map(drop),
        into_result(update).map(drop),
        into_result(cancel).map(drop),
        into_result(attend).map(drop),
        into_result(unattend).map(drop),
    ];
    for refused in refusals {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}

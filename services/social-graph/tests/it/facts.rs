//! Snapshots, the facts of events, and the read model of members.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use outbox::proto::{SnapshotRequest, outbox_client::OutboxClient};
use portia_proto::{
    auth::{MemberRegistered, RegistrationForm},
    profile::{MemberChanged, PrivacyChanged, PrivacySettings, ProfileAudience},
    social_graph::{
        CommunityChanged, CommunityJoined, ConnectionAccepted, ConnectionRequested, EventAttended, EventChanged,
        EventRemoved, EventText, EventUnattended, MemberBlocked, MemberFollowed,
    },
};
use prost::{Message as _, Name as _};
use testkit::member;

use crate::{actors::time_after, fixtures::Fixture};

impl Fixture {
    pub async fn publish_registration(&self, who: u128, school: &str, location: &str) {
        let (school, location) = (Some(school.to_owned()), Some(location.to_owned()));
        let form = RegistrationForm { school, location, ..RegistrationForm::default() };
        let fact = MemberRegistered { member_id: member(who).to_string(), form: Some(form), ..Default::default() };
        let seq = self.auth.publish(member(who), &fact);
        self.harness.wait_until_applied("auth", seq).await;
    }

    pub async fn publish_profile(&self, who: u128, place: Option<(&str, &str)>) {
        let (school, location) = place.map(|(school, location)| (school.to_owned(), location.to_owned())).unzip();
        let seq = self.profile.publish(who, &MemberChanged { member_id: member(who).to_string(), school, location });
        self.harness.wait_until_applied("profile", seq).await;
    }

    pub async fn publish_audience(&self, who: u128, audience: Option<ProfileAudience>) {
        let settings =
            audience.map(|audience| PrivacySettings { profile_audience: audience.into(), ..Default::default() });
        let fact = PrivacyChanged { member_id: member(who).to_string(), settings };
        let seq = self.profile.publish(who, &fact);
        self.harness.wait_until_applied("profile", seq).await;
    }

    /// Applying the facts in order reproduces the events and attendances. No fact repeats the known state.
    pub async fn assert_event_facts(&self) {
        let (mut events, mut attendances) = (BTreeMap::new(), BTreeSet::new());
        for (name, payload) in self.published().await {
            match name.as_str() {
                "EventChanged" => {
                    let fact = EventChanged::decode(&*payload).unwrap();
                    let organiser = fact.organiser_id.unwrap_or_default();
                    let state = format!("{} {organiser} {} {}", fact.event_id, fact.revision, fact.title);
                    assert_ne!(events.insert(fact.event_id, state.clone()), Some(state));
                }
                "EventRemoved" => {
                    let fact = EventRemoved::decode(&*payload).unwrap();
                    assert!(events.remove(&fact.event_id).is_some());
                    attendances.retain(|(event, _)| *event != fact.event_id);
                }
                "EventAttended" => {
                    let fact = EventAttended::decode(&*payload).unwrap();
                    assert!(events.contains_key(&fact.event_id), "the event precedes its attendances");
                    assert!(attendances.insert((fact.event_id, fact.member_id)));
                }
                "EventUnattended" => {
                    let fact = EventUnattended::decode(&*payload).unwrap();
                    assert!(attendances.remove(&(fact.event_id, fact.member_id)));
                }
                _ => {}
            }
        }
        let rows = "select format('%s %s %s %s', id, organiser_id, revision, title) from social_graph.events";
        let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(self.harness.pool()).await.unwrap();
        assert_eq!(events.into_values().collect::<BTreeSet<_>>(), rows.into_iter().collect());
        let rows = "select event_id || ' ' || member_id from social_graph.attendances";
        let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(self.harness.pool()).await.unwrap();
        let attendances = attendances.into_iter().map(|(event, who)| format!("{event} {who}"));
        assert_eq!(attendances.collect::<BTreeSet<_>>(), rows.into_iter().collect());
    }

    /// The stored keys of school and location; `None` without a row.
    async fn comparison_keys(&self, who: u128) -> Option<Vec<Option<String>>> {
        let sql = "select array[school_key, location_key] from social_graph.members where member_id = $1";
        let query = sqlx::query_scalar(sql);
        query.bind(member(who)).fetch_optional(self.harness.pool()).await.unwrap()
    }
}

fn place(school: &str, location: &str) -> Option<Vec<Option<String>>> {
    Some(vec![Some(school.to_owned()), Some(location.to_owned())])
}

#[tokio::test]
async fn a_snapshot_contains_the_current_state() {
    let graph = Fixture::empty().await;
    graph.create_pending_request(1, 2).await;
    graph.connect_pair(3, 4).await;
    let rejected = graph.create_pending_request(5, 6).await;
    graph.answer(6, &rejected, portia_proto::social_graph::ConnectionStatus::Rejected).await.unwrap();
    graph.block_member(7, 8).await.unwrap();
    graph.follow(1, 3).await.unwrap();
    let community = graph.create_community(1, "Moot").await.unwrap().id;
    graph.join_community(2, &community).await.unwrap();
    graph.join_community(3, &community).await.unwrap();
    graph.leave_community(3, &community).await.unwrap();
    let event = graph.create_event(1, graph.event_text("Finals")).await.unwrap().id;
    for who in [2, 3] {
        graph.attend_event(who, &event).await.unwrap();
    }
    graph.unattend_event(3, &event).await.unwrap();
    // A closed account keeps its membership and attendance.
    graph.deactivate(2).await;
    let snapshot = async |kinds: Vec<String>| {
        let request = graph
            .harness
            .actors
            .service_stream("profile")
            .request(SnapshotRequest { kinds, ..SnapshotRequest::default() })
            .unwrap();
        let mut rows = OutboxClient::new(graph.harness.transport()).snapshot(request).await.unwrap().into_inner();
        let mut kinds = Vec::new();
        while let Some(row) = rows.message().await.unwrap() {
            if let Some(fact) = row.fact {
                if fact.kind == CommunityJoined::full_name() {
                    let joined = CommunityJoined::decode(&*fact.payload).unwrap();
                    assert_eq!(joined.is_owner, joined.member_id == member(1).to_string());
                }
                kinds.push(fact.kind);
            }
        }
        kinds
    };
    let all = [
        ConnectionRequested::full_name(),
        ConnectionAccepted::full_name(),
        MemberBlocked::full_name(),
        MemberFollowed::full_name(),
        CommunityChanged::full_name(),
        CommunityJoined::full_name(),
        CommunityJoined::full_name(),
        EventChanged::full_name(),
        EventAttended::full_name(),
        EventAttended::full_name(),
    ];
    assert_eq!(snapshot(vec![]).await, all);
    assert_eq!(snapshot(vec![CommunityJoined::full_name()]).await.len(), 2);
    assert_eq!(snapshot(vec![ConnectionAccepted::full_name()]).await, [ConnectionAccepted::full_name()]);
}

#[tokio::test]
async fn the_facts_of_events_reproduce_the_rows() {
    let graph = Fixture::empty().await;
    let mut text = graph.event_text("Finals");
    let id = graph.create_event(1, text.clone()).await.unwrap().id;
    let other = graph.create_event(2, graph.event_text("Semifinals")).await.unwrap().id;
    for _ in 0..2 {
        graph.attend_event(2, &id).await.unwrap();
        graph.update_event(1, &id, text.clone()).await.unwrap();
        text.title = "Final".to_owned();
    }
    for _ in 0..2 {
        graph.unattend_event(1, &id).await.unwrap();
        graph.attend_event(3, &other).await.unwrap();
    }
    graph.assert_event_facts().await;
    // A refused call publishes nothing.
    graph.update_event(3, &id, graph.event_text("Mine")).await.unwrap_err();
    graph.cancel_event(3, &id).await.unwrap_err();
    graph.assert_event_facts().await;
    graph.cancel_event(2, &other).await.unwrap();
    graph.erase(2).await;
    graph.erase(1).await;
    graph.assert_event_facts().await;
    let names: Vec<String> = graph.published().await.into_iter().map(|(name, _)| name).collect();
    let count = |name: &str| names.iter().filter(|published| *published == name).count();
    // Two creations, one update and one erasure of the organiser.
    assert_eq!((count("EventChanged"), count("EventRemoved")), (4, 1));
    assert_eq!((count("EventAttended"), count("EventUnattended")), (4, 2));
}

#[tokio::test]
async fn an_event_has_moved_when_its_location_or_time_changes() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    let mut text = graph.event_text("Finals");
    let id = graph.create_event(1, text.clone()).await.unwrap().id;
    let changes: [fn(&mut EventText, DateTime<Utc>); 7] = [
        |text, _| text.title = "Grand finals".to_owned(),
        |text, _| text.description = Some("Two teams.".to_owned()),
        |text, _| text.location = Some("Hall".to_owned()),
        |text, now| text.start_date = time_after(now, TimeDelta::hours(3)),
        |text, now| text.end_date = time_after(now, TimeDelta::hours(50)),
        |text, _| text.time_zone = "UTC".to_owned(),
        |text, _| (text.title, text.location) = ("Finals".to_owned(), None),
    ];
    for change in changes {
        change(&mut text, now);
        graph.update_event(1, &id, text.clone()).await.unwrap();
    }
    graph.erase(1).await;
    let published = graph.published().await.into_iter().filter(|(name, _)| name == "EventChanged");
    let published: Vec<_> = published.map(|(_, payload)| EventChanged::decode(&*payload).unwrap()).collect();
    let moved: Vec<_> = published.iter().map(|fact| (fact.revision, fact.moved)).collect();
    let (stayed, went) =
        ([(0, false), (1, false), (2, false)], [(3, true), (4, true), (5, true), (6, true), (7, true)]);
    assert_eq!(moved, [stayed.as_slice(), &went, &[(7, false)]].concat(), "the last one lost its organiser");
}

#[tokio::test]
async fn schools_and_locations_follow_registration_and_profile_facts() {
    let graph = Fixture::empty().await;
    graph.publish_registration(1, " Yale Law  SCHOOL", "New Haven, CT").await;
    assert_eq!(graph.comparison_keys(1).await, place("yale law school", "new haven, ct"));
    graph.publish_profile(1, Some(("Columbia Law School", ""))).await;
    assert_eq!(graph.comparison_keys(1).await, Some(vec![Some("columbia law school".to_owned()), None]));
    // Texts longer than an index entry do not stop the consumer.
    graph.publish_profile(1, Some((&"é".repeat(1 << 20), "\0"))).await;
    assert_eq!(graph.comparison_keys(1).await.unwrap()[0].as_ref().unwrap().chars().count(), 200);
    let dead: i64 = sqlx::query_scalar("select count(*) from social_graph.dead_facts")
        .fetch_one(graph.harness.pool())
        .await
        .unwrap();
    assert_eq!(dead, 0);
}

#[tokio::test]
async fn a_late_registration_keeps_the_school_and_location_of_the_profile() {
    let graph = Fixture::empty().await;
    graph.publish_profile(1, Some(("Yale", "Boston"))).await;
    graph.publish_registration(1, "Harvard", "Cambridge").await;
    assert_eq!(graph.comparison_keys(1).await, place("yale", "boston"));
}

#[tokio::test]
async fn an_erased_member_has_no_row_for_any_order_of_facts() {
    let graph = Fixture::empty().await;
    for who in [1, 2] {
        graph.publish_registration(who, "Yale", "Boston").await;
    }
    graph.erase(1).await;
    graph.publish_profile(1, Some(("Yale", "Boston"))).await;
    graph.publish_profile(1, None).await;
    graph.publish_profile(2, None).await;
    assert_eq!(graph.comparison_keys(2).await, place("yale", "boston"), "profile does not delete a registered member");
    graph.erase(2).await;
    assert_eq!((graph.comparison_keys(1).await, graph.comparison_keys(2).await), (None, None));
}

#[tokio::test]
async fn profile_facts_do_not_reactivate_an_account() {
    let graph = Fixture::empty().await;
    graph.connect_pair(1, 2).await;
    graph.deactivate(1).await;
    graph.publish_profile(1, None).await;
    graph.publish_profile(1, Some(("Yale", "Boston"))).await;
    assert_eq!(graph.connections_of(2).await.total, 0);
    graph.assert_invariants().await;
}

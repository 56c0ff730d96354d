//! What social-graph tells whoever comes late, and what it learns of members from auth and profile.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use outbox::proto::{SnapshotRequest, outbox_client::OutboxClient};
use portia_proto::{
    auth::{MemberRegistered, RegistrationForm},
    profile::MemberChanged,
    social_graph::{
        CommunityChanged, CommunityJoined, ConnectionAccepted, ConnectionRequested, EventAttended, EventChanged,
        EventRemoved, EventText, EventUnattended, MemberBlocked,
    },
};
use prost::{Message as _, Name as _};
use testkit::member;

use crate::{gatherings::moment, graph::Graph};

impl Graph {
    pub async fn registers(&self, who: u128, school: &str, location: &str) {
        let (school, location) = (Some(school.to_owned()), Some(location.to_owned()));
        let form = RegistrationForm { school, location, ..RegistrationForm::default() };
        let fact = MemberRegistered { member_id: member(who).to_string(), form: Some(form), ..Default::default() };
        let seq = self.auth.tell(member(who), &fact);
        self.harness.heard("auth", seq).await;
    }

    pub async fn describes(&self, who: u128, place: Option<(&str, &str)>) {
        let (school, location) = place.map(|(school, location)| (school.to_owned(), location.to_owned())).unzip();
        let seq = self.profile.tell(who, &MemberChanged { member_id: member(who).to_string(), school, location });
        self.harness.heard("profile", seq).await;
    }

    /// Whoever believes every fact knows what stands: each event as it is, and who comes. No fact tells what was known
    /// already.
    pub async fn assert_told_of_events(&self) {
        let (mut events, mut attendances) = (BTreeMap::new(), BTreeSet::new());
        for (name, payload) in self.told().await {
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
                    assert!(events.contains_key(&fact.event_id), "the event comes before who comes to it");
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

    /// School and location as they are kept; absent when nothing is.
    async fn kept(&self, who: u128) -> Option<Vec<Option<String>>> {
        let kept = "select array[school_key, location_key] from social_graph.members where member_id = $1";
        let kept = sqlx::query_scalar(kept);
        kept.bind(member(who)).fetch_optional(self.harness.pool()).await.unwrap()
    }
}

fn place(school: &str, location: &str) -> Option<Vec<Option<String>>> {
    Some(vec![Some(school.to_owned()), Some(location.to_owned())])
}

#[tokio::test]
async fn a_snapshot_tells_what_stands() {
    let graph = Graph::empty().await;
    graph.asked(1, 2).await;
    graph.befriend(3, 4).await;
    let rejected = graph.asked(5, 6).await;
    graph.answer(6, &rejected, portia_proto::social_graph::ConnectionStatus::Rejected).await.unwrap();
    graph.blocks(7, 8).await.unwrap();
    let community = graph.founds(1, "Moot").await.unwrap().id;
    graph.joins(2, &community).await.unwrap();
    graph.joins(3, &community).await.unwrap();
    graph.leaves(3, &community).await.unwrap();
    let event = graph.announces(1, graph.poster("Finals")).await.unwrap().id;
    for who in [2, 3] {
        graph.attends(who, &event).await.unwrap();
    }
    graph.unattends(3, &event).await.unwrap();
    // Whose account is closed belongs to it and comes all the same, and will be back.
    graph.close(2).await;
    let tell = async |kinds: Vec<String>| {
        let request = graph.harness.actors.service_stream("profile").request(SnapshotRequest { kinds }).unwrap();
        let mut snapshot = OutboxClient::new(graph.harness.transport()).snapshot(request).await.unwrap().into_inner();
        let mut told = Vec::new();
        while let Some(row) = snapshot.message().await.unwrap() {
            if let Some(fact) = row.fact {
                if fact.kind == CommunityJoined::full_name() {
                    let joined = CommunityJoined::decode(&*fact.payload).unwrap();
                    assert_eq!(joined.is_owner, joined.member_id == member(1).to_string());
                }
                told.push(fact.kind);
            }
        }
        told
    };
    let all = [
        ConnectionRequested::full_name(),
        ConnectionAccepted::full_name(),
        MemberBlocked::full_name(),
        CommunityChanged::full_name(),
        CommunityJoined::full_name(),
        CommunityJoined::full_name(),
        EventChanged::full_name(),
        EventAttended::full_name(),
        EventAttended::full_name(),
    ];
    assert_eq!(tell(vec![]).await, all);
    assert_eq!(tell(vec![CommunityJoined::full_name()]).await.len(), 2);
    assert_eq!(tell(vec![ConnectionAccepted::full_name()]).await, [ConnectionAccepted::full_name()]);
}

#[tokio::test]
async fn whoever_hears_of_events_knows_them_and_who_comes() {
    let graph = Graph::empty().await;
    let mut text = graph.poster("Finals");
    let id = graph.announces(1, text.clone()).await.unwrap().id;
    let other = graph.announces(2, graph.poster("Semifinals")).await.unwrap().id;
    for _ in 0..2 {
        graph.attends(2, &id).await.unwrap();
        graph.changes(1, &id, text.clone()).await.unwrap();
        text.title = "Final".to_owned();
    }
    for _ in 0..2 {
        graph.unattends(1, &id).await.unwrap();
        graph.attends(3, &other).await.unwrap();
    }
    graph.assert_told_of_events().await;
    // What a refused wish would have changed is nobody's news.
    graph.changes(3, &id, graph.poster("Mine")).await.unwrap_err();
    graph.cancels(3, &id).await.unwrap_err();
    graph.assert_told_of_events().await;
    graph.cancels(2, &other).await.unwrap();
    graph.erase(2).await;
    graph.erase(1).await;
    graph.assert_told_of_events().await;
    let names: Vec<String> = graph.told().await.into_iter().map(|(name, _)| name).collect();
    let count = |name: &str| names.iter().filter(|told| *told == name).count();
    // Announced twice, changed once, and left without its organiser.
    assert_eq!((count("EventChanged"), count("EventRemoved")), (4, 1));
    assert_eq!((count("EventAttended"), count("EventUnattended")), (4, 2));
}

#[tokio::test]
async fn an_event_has_moved_when_its_place_or_its_time_is_another_and_not_when_its_words_are() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    let mut text = graph.poster("Finals");
    let id = graph.announces(1, text.clone()).await.unwrap().id;
    let changes: [fn(&mut EventText, DateTime<Utc>); 7] = [
        |text, _| text.title = "Grand finals".to_owned(),
        |text, _| text.description = Some("Two teams.".to_owned()),
        |text, _| text.location = Some("Hall".to_owned()),
        |text, now| text.start_date = moment(now, TimeDelta::hours(3)),
        |text, now| text.end_date = moment(now, TimeDelta::hours(50)),
        |text, _| text.time_zone = "UTC".to_owned(),
        |text, _| (text.title, text.location) = ("Finals".to_owned(), None),
    ];
    for change in changes {
        change(&mut text, now);
        graph.changes(1, &id, text.clone()).await.unwrap();
    }
    graph.erase(1).await;
    let told = graph.told().await.into_iter().filter(|(name, _)| name == "EventChanged");
    let told: Vec<_> = told.map(|(_, payload)| EventChanged::decode(&*payload).unwrap()).collect();
    let moved: Vec<_> = told.iter().map(|fact| (fact.revision, fact.moved)).collect();
    let (stayed, went) =
        ([(0, false), (1, false), (2, false)], [(3, true), (4, true), (5, true), (6, true), (7, true)]);
    assert_eq!(moved, [stayed.as_slice(), &went, &[(7, false)]].concat(), "the last one lost its organiser");
}

#[tokio::test]
async fn where_members_are_follows_what_is_told_of_them() {
    let graph = Graph::empty().await;
    graph.registers(1, " Yale Law  SCHOOL", "New Haven, CT").await;
    assert_eq!(graph.kept(1).await, place("yale law school", "new haven, ct"));
    graph.describes(1, Some(("Columbia Law School", ""))).await;
    assert_eq!(graph.kept(1).await, Some(vec![Some("columbia law school".to_owned()), None]));
    // Words no index could hold change nothing for anybody else's facts.
    graph.describes(1, Some((&"é".repeat(1 << 20), "\0"))).await;
    assert_eq!(graph.kept(1).await.unwrap()[0].as_ref().unwrap().chars().count(), 200);
    let dead: i64 = sqlx::query_scalar("select count(*) from social_graph.dead_facts")
        .fetch_one(graph.harness.pool())
        .await
        .unwrap();
    assert_eq!(dead, 0);
}

#[tokio::test]
async fn what_profile_told_first_stands_when_the_registration_comes() {
    let graph = Graph::empty().await;
    graph.describes(1, Some(("Yale", "Boston"))).await;
    graph.registers(1, "Harvard", "Cambridge").await;
    assert_eq!(graph.kept(1).await, place("yale", "boston"));
}

#[tokio::test]
async fn an_erased_member_is_forgotten_whoever_tells_of_it_first() {
    let graph = Graph::empty().await;
    for who in [1, 2] {
        graph.registers(who, "Yale", "Boston").await;
    }
    graph.erase(1).await;
    graph.describes(1, Some(("Yale", "Boston"))).await;
    graph.describes(1, None).await;
    graph.describes(2, None).await;
    assert_eq!(
        graph.kept(2).await,
        place("yale", "boston"),
        "an account auth knows is not forgotten on profile's word"
    );
    graph.erase(2).await;
    assert_eq!((graph.kept(1).await, graph.kept(2).await), (None, None));
}

#[tokio::test]
async fn a_closed_account_stays_closed_whatever_profile_says() {
    let graph = Graph::empty().await;
    graph.befriend(1, 2).await;
    graph.close(1).await;
    graph.describes(1, None).await;
    graph.describes(1, Some(("Yale", "Boston"))).await;
    assert_eq!(graph.connections_of(2).await.total, 0);
    graph.assert_true().await;
}

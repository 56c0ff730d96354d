//! What social-graph tells whoever comes late, and what it learns of members from auth and profile.

use chassis::outbox::proto::{SnapshotRequest, outbox_client::OutboxClient};
use portia_proto::{
    auth::{MemberRegistered, RegistrationForm},
    profile::MemberChanged,
    social_graph::{CommunityChanged, CommunityJoined, ConnectionAccepted, ConnectionRequested, MemberBlocked},
};
use prost::Name as _;
use testkit::member;

use crate::graph::Graph;

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
    // Whose account is closed belongs to it all the same, and will be back.
    graph.close(2).await;
    let tell = async |kinds: Vec<String>| {
        let request = graph.harness.actors.service_stream("profile").request(SnapshotRequest { kinds }).unwrap();
        let mut snapshot = OutboxClient::new(graph.harness.transport()).snapshot(request).await.unwrap().into_inner();
        let mut told = Vec::new();
        while let Some(row) = snapshot.message().await.unwrap() {
            told.extend(row.fact.map(|fact| fact.kind));
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
    ];
    assert_eq!(tell(vec![]).await, all);
    assert_eq!(tell(vec![CommunityJoined::full_name()]).await.len(), 2);
    assert_eq!(tell(vec![ConnectionAccepted::full_name()]).await, [ConnectionAccepted::full_name()]);
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

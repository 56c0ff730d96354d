//! The handlers of auth's and social-graph's facts, and published facts.

use outbox::proto::{SnapshotRequest, outbox_client::OutboxClient};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered, RegistrationForm},
    profile::{EnsureMemberRequest, MemberChanged},
    social_graph::{MemberBlocked, MemberErased},
};
use prost::{Message as _, Name as _};
use testkit::member;

use crate::{Profile, registration};

fn registered(n: u128) -> MemberRegistered {
    let EnsureMemberRequest { member_id, username, form } = registration(n);
    MemberRegistered { member_id, username, form }
}

#[tokio::test]
async fn member_registered_creates_a_missing_member() {
    let profile = Profile::start().await;
    let seq = profile.auth.publish(member(1), &registered(1));
    profile.harness.wait_until_applied("auth", seq).await;
    assert_eq!(profile.get(member(1)).await.unwrap().full_name, "Member 1");
    assert_eq!(profile.all_facts().await, 1);
}

#[tokio::test]
async fn member_registered_does_not_change_an_existing_member() {
    let profile = Profile::start().await;
    let made = profile.ensure(registration(1)).await.unwrap();
    profile.harness.clock.advance(chrono::TimeDelta::hours(1));
    profile.auth.publish(member(1), &registered(1));
    let seq = profile.auth.publish(member(1), &registered(1));
    profile.harness.wait_until_applied("auth", seq).await;
    assert_eq!(profile.get(member(1)).await.unwrap(), made);
    assert_eq!(profile.all_facts().await, 1);
}

#[tokio::test]
async fn member_changed_contains_school_and_location() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let payload = sqlx::query_scalar("select payload from profile.outbox order by id desc limit 1");
    let payload: Vec<u8> = payload.fetch_one(profile.harness.pool()).await.unwrap();
    let fact = MemberChanged::decode(payload.as_slice()).unwrap();
    assert_eq!((fact.school.as_deref(), fact.location.as_deref()), (Some(""), Some("Quezon City")));
}

#[tokio::test]
async fn a_repeated_connection_fact_is_counted_once() {
    let profile = Profile::with_members(3).await;
    profile.connect(2, 1).await;
    assert_eq!([profile.connections(1).await, profile.connections(2).await, profile.connections(3).await], [2, 1, 1]);
    for _ in 0..2 {
        profile.disconnect(2, 1).await;
    }
    assert_eq!([profile.connections(1).await, profile.connections(2).await], [1, 0]);
    profile.assert_counters_match_rows().await;
}

/// A snapshot that began before the erasure is applied after auth's fact. The fact of social-graph follows all its rows.
#[tokio::test]
async fn rows_of_an_erased_member_that_arrive_later_are_deleted_by_social_graphs_fact() {
    let profile = Profile::with_members(3).await;
    profile.publish_auth(2, &AccountErased { member_id: member(2).to_string() }).await;
    profile.connect(2, 3).await;
    let (one, other) = (member(2).to_string(), member(3).to_string());
    profile.graph.publish("pair", &MemberBlocked { blocker_id: other, blocked_id: one.clone() });
    for _ in 0..2 {
        let seq = profile.graph.publish("member", &MemberErased { member_id: one.clone() });
        profile.harness.wait_until_applied("social-graph", seq).await;
    }
    assert_eq!(profile.harness.database().tables_referencing(member(2)).await, Vec::<String>::new());
    assert_eq!([profile.connections(1).await, profile.connections(3).await], [1, 1]);
    profile.assert_counters_match_rows().await;
}

/// The fact of social-graph may come first.
#[tokio::test]
async fn counts_are_correct_when_social_graphs_fact_of_an_erasure_precedes_auths() {
    let profile = Profile::with_members(3).await;
    profile.publish_auth(3, &AccountClosed { member_id: member(3).to_string() }).await;
    for n in [2, 3] {
        let seq = profile.graph.publish("member", &MemberErased { member_id: member(n).to_string() });
        profile.harness.wait_until_applied("social-graph", seq).await;
        profile.assert_counters_match_rows().await;
        profile.publish_auth(n, &AccountErased { member_id: member(n).to_string() }).await;
        profile.assert_counters_match_rows().await;
    }
    assert_eq!(profile.connections(1).await, 0);
}

#[tokio::test]
async fn connections_that_arrive_before_their_members_are_counted() {
    let profile = Profile::start().await;
    profile.connect(1, 2).await;
    for n in 1..=2 {
        profile.ensure(registration(n)).await.unwrap();
    }
    assert_eq!((profile.connections(1).await, profile.connections(2).await), (1, 1));
}

#[tokio::test]
async fn a_connection_of_a_hidden_member_is_counted_after_reopening() {
    let profile = Profile::start().await;
    profile.connect(1, 2).await;
    profile.ensure(registration(1)).await.unwrap();
    profile.publish_auth(1, &AccountClosed { member_id: member(1).to_string() }).await;
    profile.ensure(registration(2)).await.unwrap();
    profile.assert_counters_match_rows().await;
    assert_eq!(profile.connections(2).await, 0);
    profile.publish_auth(1, &AccountReopened { member_id: member(1).to_string() }).await;
    profile.assert_counters_match_rows().await;
    assert_eq!((profile.connections(1).await, profile.connections(2).await), (1, 1));
}

#[tokio::test]
async fn an_invalid_fact_does_not_block_later_facts() {
    let profile = Profile::start().await;
    let unusable = RegistrationForm { full_name: "\0".into(), ..RegistrationForm::default() };
    profile.auth.publish(member(1), &MemberRegistered { form: Some(unusable), ..registered(1) });
    let seq = profile.auth.publish(member(2), &registered(2));
    profile.harness.wait_until_applied("auth", seq).await;
    assert!(profile.get(member(2)).await.is_ok());
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 1);
}

#[tokio::test]
async fn a_snapshot_contains_every_member() {
    let profile = Profile::start().await;
    for n in 1..=3 {
        profile.ensure(registration(n)).await.unwrap();
    }
    let call = profile.harness.actors.service_stream("messaging");
    let request = call
        .request(SnapshotRequest { kinds: vec![MemberChanged::full_name()], ..SnapshotRequest::default() })
        .unwrap();
    let mut stream = OutboxClient::new(profile.harness.transport()).snapshot(request).await.unwrap().into_inner();
    let mut keys = Vec::new();
    while let Some(row) = stream.message().await.unwrap() {
        keys.extend(row.fact.map(|fact| fact.key));
    }
    assert_eq!(keys, [1, 2, 3].map(|n| member(n).to_string()));
}

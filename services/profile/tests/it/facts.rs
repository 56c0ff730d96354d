//! What profile does about auth's facts, and what it tells itself.

use outbox::proto::{SnapshotRequest, outbox_client::OutboxClient};
use portia_proto::{
    auth::{AccountClosed, AccountReopened, MemberRegistered, RegistrationForm},
    profile::{EnsureMemberRequest, MemberChanged},
};
use prost::{Message as _, Name as _};
use testkit::member;

use crate::{Profile, registration};

fn registered(n: u128) -> MemberRegistered {
    let EnsureMemberRequest { member_id, username, form } = registration(n);
    MemberRegistered { member_id, username, form }
}

#[tokio::test]
async fn a_registration_the_gateway_did_not_finish_makes_the_profile() {
    let profile = Profile::start().await;
    let seq = profile.auth.tell(member(1), &registered(1));
    profile.harness.heard("auth", seq).await;
    assert_eq!(profile.get(member(1)).await.unwrap().full_name, "Member 1");
    assert_eq!(profile.told().await, 1);
}

#[tokio::test]
async fn one_the_gateway_did_finish_changes_nothing() {
    let profile = Profile::start().await;
    let made = profile.ensure(registration(1)).await.unwrap();
    profile.harness.clock.advance(chrono::TimeDelta::hours(1));
    profile.auth.tell(member(1), &registered(1));
    let seq = profile.auth.tell(member(1), &registered(1));
    profile.harness.heard("auth", seq).await;
    assert_eq!(profile.get(member(1)).await.unwrap(), made);
    assert_eq!(profile.told().await, 1);
}

#[tokio::test]
async fn a_change_tells_school_and_place() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let payload = sqlx::query_scalar("select payload from profile.outbox order by id desc limit 1");
    let payload: Vec<u8> = payload.fetch_one(profile.harness.pool()).await.unwrap();
    let told = MemberChanged::decode(payload.as_slice()).unwrap();
    assert_eq!((told.school.as_deref(), told.location.as_deref()), (Some(""), Some("Quezon City")));
}

#[tokio::test]
async fn connections_are_counted_once_however_often_they_are_told() {
    let profile = Profile::with_members(3).await;
    profile.connect(2, 1).await;
    assert_eq!([profile.connections(1).await, profile.connections(2).await, profile.connections(3).await], [2, 1, 1]);
    for _ in 0..2 {
        profile.disconnect(2, 1).await;
    }
    assert_eq!([profile.connections(1).await, profile.connections(2).await], [1, 0]);
    profile.assert_counters_true().await;
}

#[tokio::test]
async fn connections_told_before_their_members_are_counted_when_they_come() {
    let profile = Profile::start().await;
    profile.connect(1, 2).await;
    for n in 1..=2 {
        profile.ensure(registration(n)).await.unwrap();
    }
    assert_eq!((profile.connections(1).await, profile.connections(2).await), (1, 1));
}

#[tokio::test]
async fn one_told_before_its_second_member_counts_when_the_first_is_shown() {
    let profile = Profile::start().await;
    profile.connect(1, 2).await;
    profile.ensure(registration(1)).await.unwrap();
    profile.auth_tells(1, &AccountClosed { member_id: member(1).to_string() }).await;
    profile.ensure(registration(2)).await.unwrap();
    profile.assert_counters_true().await;
    assert_eq!(profile.connections(2).await, 0);
    profile.auth_tells(1, &AccountReopened { member_id: member(1).to_string() }).await;
    profile.assert_counters_true().await;
    assert_eq!((profile.connections(1).await, profile.connections(2).await), (1, 1));
}

#[tokio::test]
async fn a_fact_nobody_can_use_does_not_stop_the_others() {
    let profile = Profile::start().await;
    let unusable = RegistrationForm { full_name: "\0".into(), ..RegistrationForm::default() };
    profile.auth.tell(member(1), &MemberRegistered { form: Some(unusable), ..registered(1) });
    let seq = profile.auth.tell(member(2), &registered(2));
    profile.harness.heard("auth", seq).await;
    assert!(profile.get(member(2)).await.is_ok());
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 1);
}

#[tokio::test]
async fn a_newcomer_is_told_of_every_member() {
    let profile = Profile::start().await;
    for n in 1..=3 {
        profile.ensure(registration(n)).await.unwrap();
    }
    let call = profile.harness.actors.service_stream("gateway");
    let request = call.request(SnapshotRequest { kinds: vec![MemberChanged::full_name()] }).unwrap();
    let mut stream = OutboxClient::new(profile.harness.transport()).snapshot(request).await.unwrap().into_inner();
    let mut told = Vec::new();
    while let Some(row) = stream.message().await.unwrap() {
        told.extend(row.fact.map(|fact| fact.key));
    }
    assert_eq!(told, [1, 2, 3].map(|n| member(n).to_string()));
}

//! What profile does about auth's facts, and what it tells itself.

use chassis::outbox::proto::{SnapshotRequest, outbox_client::OutboxClient};
use portia_proto::{
    auth::{AccountErased, MemberRegistered, RegistrationForm},
    profile::{EnsureMemberRequest, MemberChanged},
};
use prost::Name as _;
use testkit::member;

use crate::{Profile, explained, registration};

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
async fn nothing_is_left_of_an_erased_account() {
    let profile = Profile::start().await;
    for n in 1..=2 {
        profile.ensure(registration(n)).await.unwrap();
    }
    let database = profile.harness.database();
    database
        .run(
            "insert into profile.experiences (member_id, id, position, title, company, start_date, is_current_position)
                select id, 'e', 0, 'Clerk', 'Supreme Court', '2024-01', true from profile.members;
            insert into profile.educations (member_id, id, position, institution, degree, start_date)
                select id, 's', 0, 'Ateneo Law', 'J.D.', '2023-08' from profile.members;
            insert into profile.skills (member_id, name, position) select id, 'Research', 0 from profile.members;",
        )
        .await;
    assert_eq!(database.tables_naming(member(1)).await, ["educations", "experiences", "members", "skills"]);

    profile.auth.tell(member(1), &AccountErased { member_id: member(1).to_string() });
    let seq = profile.auth.tell(member(1), &AccountErased { member_id: member(1).to_string() });
    profile.harness.heard("auth", seq).await;
    assert_eq!(database.tables_naming(member(1)).await, [""; 0]);
    assert_eq!(explained(profile.get(member(1)).await).reason, "MEMBER_NOT_FOUND");
    assert_eq!(profile.get(member(2)).await.unwrap().skills, ["Research"], "the other one stays whole");
    assert_eq!(profile.told().await, 3, "made, made, erased");
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

//! Published facts and snapshots.

use chrono::TimeDelta;
use outbox::proto::{SnapshotRequest, TailRequest, outbox_client::OutboxClient};
use portia_proto::auth::{AccountClosed, AccountErased, MemberRegistered, SessionEnded};
use prost::Name as _;
use testkit::member;

use crate::{Auth, PASSWORD, registration};

#[tokio::test]
async fn facts_arrive_in_their_order() {
    let auth = Auth::start().await;
    let token = auth.register(registration(1)).await.unwrap().session.unwrap().token;
    auth.logout(&token).await.unwrap();
    let call = auth.harness.actors.service_stream("gateway");
    let request = call.request(TailRequest { after_seq: 0, from_now: false, ..TailRequest::default() }).unwrap();
    let mut stream = OutboxClient::new(auth.harness.transport()).tail(request).await.unwrap().into_inner();
    let mut received = Vec::new();
    while received.len() < 2 {
        received.extend(stream.message().await.unwrap().unwrap().fact);
    }
    let kinds: Vec<&str> = received.iter().map(|fact| fact.kind.as_str()).collect();
    assert_eq!(kinds, [MemberRegistered::full_name(), SessionEnded::full_name()]);
    assert!(received.iter().all(|fact| fact.key == member(1).to_string()));
}

#[tokio::test]
async fn a_snapshot_contains_the_registrations_in_the_outbox() {
    let auth = Auth::start().await;
    for n in 1..=3 {
        auth.register(registration(n)).await.unwrap();
    }
    // The fact of the first member is pruned; the account of the second is erased.
    let (pruned, gone) = (member(1), member(2));
    auth.harness.database().run(format!("delete from auth.outbox where key = '{pruned}'")).await;
    auth.harness.database().run(format!("delete from auth.accounts where id = '{gone}'")).await;

    assert_eq!(snapshot::<MemberRegistered>(&auth).await, [member(3).to_string()]);
}

#[tokio::test]
async fn a_snapshot_contains_closed_and_erased_accounts() {
    let auth = Auth::start().await;
    for n in 1..=3 {
        auth.member(n).await.close(&format!("member.{n}")).await.unwrap();
        auth.harness.clock.advance(TimeDelta::days(7));
    }
    auth.login("member.3", PASSWORD).await.unwrap();
    auth.erase_due().await;
    auth.harness.database().run("delete from auth.outbox").await;

    assert_eq!(snapshot::<AccountErased>(&auth).await, [member(1).to_string(), member(2).to_string()]);
    assert!(snapshot::<AccountClosed>(&auth).await.is_empty(), "one is erased, one is reactivated");
    let home = auth.sign_in(3, "").await;
    home.close("member.3").await.unwrap();
    assert_eq!(snapshot::<AccountClosed>(&auth).await, [member(3).to_string()]);
}

/// The keys of a snapshot of one kind.
pub async fn snapshot<M: prost::Name>(auth: &Auth) -> Vec<String> {
    let call = auth.harness.actors.service_stream("profile");
    let request = call.request(SnapshotRequest { kinds: vec![M::full_name()], ..SnapshotRequest::default() }).unwrap();
    let mut stream = OutboxClient::new(auth.harness.transport()).snapshot(request).await.unwrap().into_inner();
    let mut keys = Vec::new();
    while let Some(row) = stream.message().await.unwrap() {
        match (row.fact, row.end_seq) {
            (Some(fact), None) => {
                assert_eq!(fact.kind, M::full_name());
                keys.push(fact.key);
            }
            (None, Some(_)) => break,
            // The begin, or the end of a chunk.
            (None, None) => {}
            other => panic!("{other:?}"),
        }
    }
    keys.sort();
    keys
}

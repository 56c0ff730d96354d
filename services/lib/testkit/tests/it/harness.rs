//! A service in a harness: started by its own start, called through its own layers, with its own database.

use std::sync::Arc;

use chassis::ServiceContext;
use outbox::{
    EmptySnapshot, Outbox,
    proto::{TailRequest, outbox_client::OutboxClient},
};
use rpc::identity::Actor;
use testkit::{Harness, outbox_tables};
use tonic::{Code, service::Routes};
use uuid::Uuid;

async fn start(context: Arc<ServiceContext>) -> anyhow::Result<Routes> {
    let pool = context.database("feed", &outbox_tables("feed", "")).await?;
    Ok(Routes::new(Outbox::new("feed").serve(&context, &pool, EmptySnapshot)))
}

#[tokio::test]
async fn a_service_verifies_its_callers_as_in_production() {
    let harness = Harness::of("feed").database(&outbox_tables("feed", "")).await.start(start).await;
    let mut client = OutboxClient::new(harness.transport());
    let request = TailRequest { after_seq: 0, from_now: true, ..TailRequest::default() };

    let response = client.tail(harness.actors.service_stream("jobs").request(request.clone()).unwrap()).await;
    let heartbeat = response.unwrap().into_inner().message().await.unwrap().unwrap();
    assert_eq!((heartbeat.fact, heartbeat.last_seq), (None, 0));

    let unverified = client.tail(harness.actors.invalid_token().request(request.clone()).unwrap()).await;
    assert_eq!(unverified.unwrap_err().code(), Code::Unauthenticated);
    let member = client.tail(harness.actors.member(Uuid::from_u128(7)).request(request.clone()).unwrap()).await;
    assert_eq!(member.unwrap_err().code(), Code::PermissionDenied);
    harness.stop().await;
}

#[tokio::test]
async fn members_have_one_session_and_tests_have_separate_keys() {
    let (one, other) = (Harness::of("feed").context(), Harness::of("feed").context());
    let token = one.actors.member_token(Uuid::from_u128(7), "feed");
    let known = one.context.keyring.verify(&token, "feed").unwrap();
    assert!(matches!(known, Actor::Member { id, .. } if id == Uuid::from_u128(7)));
    assert_eq!(one.context.keyring.verify(&one.actors.member_token(Uuid::from_u128(7), "feed"), "feed"), Some(known));
    assert_eq!(other.context.keyring.verify(&token, "feed"), None);
}

//! A service in a harness: started by its own start, asked through its own layers, with its own database.

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
async fn a_service_verifies_who_asks_as_in_production() {
    let harness = Harness::of("feed").database(&outbox_tables("feed", "")).await.start(start).await;
    let mut client = OutboxClient::new(harness.transport());
    let ask = TailRequest { after_seq: 0, from_now: true };

    let heard = client.tail(harness.actors.service_stream("profile").request(ask).unwrap()).await;
    let sign_of_life = heard.unwrap().into_inner().message().await.unwrap().unwrap();
    assert_eq!((sign_of_life.fact, sign_of_life.last_seq), (None, 0));

    let nobody = client.tail(harness.actors.nobody().request(ask).unwrap()).await;
    assert_eq!(nobody.unwrap_err().code(), Code::Unauthenticated);
    let member = client.tail(harness.actors.member(Uuid::from_u128(7)).request(ask).unwrap()).await;
    assert_eq!(member.unwrap_err().code(), Code::PermissionDenied);
    harness.stop().await;
}

#[tokio::test]
async fn members_keep_their_session_and_keys_are_the_tests_own() {
    let (one, other) = (Harness::of("feed").context(), Harness::of("feed").context());
    let token = one.actors.member_token(Uuid::from_u128(7));
    let known = one.context.keyring.verify(&token).unwrap();
    assert!(matches!(known, Actor::Member { id, .. } if id == Uuid::from_u128(7)));
    assert_eq!(one.context.keyring.verify(&one.actors.member_token(Uuid::from_u128(7))), Some(known));
    assert_eq!(other.context.keyring.verify(&token), None);
}

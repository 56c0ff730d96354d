//! A service in a harness: started by its own start, asked through its own layers, with its own database.

use std::sync::Arc;

use chassis::{
    Frame,
    actor::Actor,
    outbox::{
        NoState, Outbox,
        proto::{TailRequest, outbox_client::OutboxClient},
    },
};
use testkit::{Harness, outbox_tables};
use tonic::{Code, service::Routes};
use uuid::Uuid;

async fn start(frame: Arc<Frame>) -> anyhow::Result<Routes> {
    let pool = frame.database("feed", &outbox_tables("feed", "")).await?;
    Ok(Routes::new(Outbox::new("feed").serve(&frame, &pool, NoState)))
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
    let (one, other) = (Harness::of("feed").frame(), Harness::of("feed").frame());
    let token = one.actors.member_token(Uuid::from_u128(7));
    let known = one.frame.keyring.verify(&token).unwrap();
    assert!(matches!(known, Actor::Member { id, .. } if id == Uuid::from_u128(7)));
    assert_eq!(one.frame.keyring.verify(&one.actors.member_token(Uuid::from_u128(7))), Some(known));
    assert_eq!(other.frame.keyring.verify(&token), None);
}

//! Tails: permissions, positions, and subscription without a cursor.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use outbox::{
    Delivery, EmptySnapshot, Outbox,
    proto::{TailRequest, outbox_client::OutboxClient},
    watch,
};
use prost::Name as _;
use rpc::{Call, Transport};
use testkit::{Harness, outbox_tables};
use tonic::{Code, Status, service::Routes};
use uuid::Uuid;

use super::{Counted, Ignored, Source, TABLE, wait_until};

/// The seq of the first fact of a tail, or the status that refuses it.
pub async fn tail(source: &Source, transport: &Transport, request: TailRequest) -> Result<i64, Code> {
    first_fact(transport, source.actors.service_stream("jobs"), request).await.map_err(|status| status.code())
}

async fn first_fact(transport: &Transport, call: Call, request: TailRequest) -> Result<i64, Status> {
    let mut stream = OutboxClient::new(transport.clone()).tail(call.request(request)?).await?.into_inner();
    loop {
        let received = stream.message().await?.ok_or_else(|| Status::unavailable("the stream ended"))?;
        if let Some(fact) = received.fact {
            return Ok(fact.seq);
        }
    }
}

#[tokio::test]
async fn facts_are_for_services_only() {
    let source = Source::new().await;
    let transport = source.transport();
    let request = TailRequest { after_seq: 0, from_now: true, ..TailRequest::default() };
    for (call, refusal) in [
        (source.actors.invalid_token(), Code::Unauthenticated),
        (source.actors.member(Uuid::from_u128(1)), Code::PermissionDenied),
    ] {
        assert_eq!(first_fact(&transport, call, request.clone()).await.unwrap_err().code(), refusal);
    }
}

#[tokio::test]
async fn from_now_skips_earlier_facts() {
    let source = Source::new().await;
    let _sequencer = source.number();
    source.count("was").await;
    source.wait_until_numbered().await;
    let transport = source.transport();
    let request = TailRequest { after_seq: 0, from_now: true, ..TailRequest::default() };
    let call = source.actors.service_stream("gateway").request(request).unwrap();
    let mut stream = OutboxClient::new(transport).tail(call).await.unwrap().into_inner();
    let sign_of_life = stream.message().await.unwrap().unwrap();
    assert_eq!((sign_of_life.fact, sign_of_life.last_seq), (None, 1));
    source.count("is").await;
    let fact = stream.message().await.unwrap().unwrap().fact.unwrap();
    assert_eq!((fact.seq, fact.key.as_str(), fact.kind.as_str()), (2, "is", "portia.test.v1.Counted"));
}

#[tokio::test]
async fn a_watcher_receives_a_gap_first_and_then_every_fact() {
    let tables = outbox_tables("feed", TABLE);
    let outbox = Outbox::new("feed");
    let feed = Harness::of("feed").database(&tables).await;
    let feed = feed.start(async |frame| {
        let pool = frame.database("feed", &tables).await?;
        Ok(Routes::new(Outbox::new("feed").serve(&frame, &pool, EmptySnapshot)))
    });
    let feed = feed.await;
    let received = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&received);
    let gateway = feed.context_of("gateway");
    watch(&gateway, "feed", move |what| {
        note.lock().unwrap().push(match what {
            Delivery::Gap => "gap".to_owned(),
            Delivery::Fact(fact) => fact.key.clone(),
        });
    })
    .unwrap();
    let received_so_far = || received.lock().unwrap().join(" ");
    wait_until("the stream is established", async || received_so_far() == "gap").await;
    for key in ["one", "two"] {
        let mut conn = feed.pool().acquire().await.unwrap();
        let fact = Counted { key: key.to_owned(), n: 1 };
        outbox.publish(&mut conn, key, &fact, feed.clock.now()).await.unwrap();
    }
    wait_until("both are received", async || received_so_far() == "gap one two").await;
    // Streams have no end, but a stopping process does not wait for them.
    tokio::time::timeout(Duration::from_secs(5), feed.stop()).await.unwrap();
}

#[tokio::test]
async fn facts_of_other_kinds_are_passed_over() {
    let source = Source::new().await;
    let _sequencer = source.number();
    let mut tx = db::begin(&source.pool).await.unwrap();
    for key in ["a", "", "", "b", ""] {
        if key.is_empty() {
            source.outbox.publish(&mut tx, "x", &Ignored {}, source.clock.now()).await.unwrap();
        } else {
            source.count_in(&mut tx, key).await;
        }
    }
    tx.commit().await.unwrap();
    source.wait_until_numbered().await;
    let request = TailRequest { kinds: vec![Counted::full_name()], ..TailRequest::default() };
    let call = source.actors.service_stream("jobs").request(request).unwrap();
    let mut stream = OutboxClient::new(source.transport()).tail(call).await.unwrap().into_inner();
    let _heartbeat = stream.message().await.unwrap();
    for expected in [(Some(1), 0), (Some(4), 3), (None, 5)] {
        let received = stream.message().await.unwrap().unwrap();
        assert_eq!((received.fact.map(|fact| fact.seq), received.passed_seq), expected);
    }
}

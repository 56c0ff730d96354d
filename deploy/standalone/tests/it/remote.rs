//! Eight processes: what one member wrote outlives the process that wrote it.

use serde_json::json;

use tonic::transport::Endpoint;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::v1::{
    ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
    server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
};

use crate::{
    browser::{Browser, walk},
    processes::Processes,
};

#[tokio::test(flavor = "multi_thread")]
async fn eight_processes_serve_a_member_and_feed_survives_its_own_death() {
    let mut processes = Processes::start(&[]).await;
    let id = walk(&processes.base).await;

    processes.kill("feed");
    let mut visitor = Browser::new(&processes.base);
    let refused = visitor.get("/api/posts?sort=recent").await;
    assert_eq!(refused.headers["content-type"], "application/problem+json");
    let refused = refused.expect(503);
    assert!(!refused["error"].as_str().unwrap().is_empty(), "the list says honestly that it cannot be shown");
    visitor.get("/api/communities").await.expect(200);

    processes.spawn("feed");
    processes.until_ready().await;
    let post = visitor.get(&format!("/api/posts/{id}")).await.expect(200);
    assert_eq!((&post["likeCount"], &post["commentCount"]), (&json!(1), &json!(1)));
}

/// The services a process says it has; `None` when it says nothing of itself.
async fn described(address: &str) -> Option<Vec<String>> {
    let channel = Endpoint::from_shared(address.to_owned()).unwrap().connect_lazy();
    let ask = ServerReflectionRequest {
        message_request: Some(MessageRequest::ListServices(String::new())),
        ..ServerReflectionRequest::default()
    };
    let asked = ServerReflectionClient::new(channel).server_reflection_info(tokio_stream::once(ask)).await;
    let answer = asked.ok()?.into_inner().message().await.ok()??;
    match answer.message_response? {
        MessageResponse::ListServicesResponse(list) => Some(list.service.into_iter().map(|s| s.name).collect()),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_tells_its_health_always_and_its_contract_when_asked_to() {
    let described_ones = Processes::start(&[("PORTIA_REFLECTION", "true")]).await;
    let address = described_ones.address("feed");
    let channel = Endpoint::from_shared(address.clone()).unwrap().connect_lazy();
    let health = HealthClient::new(channel).check(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(health.status(), tonic_health::pb::health_check_response::ServingStatus::Serving);
    let services = described(&address).await.unwrap();
    for service in ["portia.feed.v1.FeedService", "portia.outbox.v1.Outbox", "grpc.health.v1.Health"] {
        assert!(services.iter().any(|name| name == service), "{services:?}");
    }
    drop(described_ones);

    let silent = Processes::start(&[]).await;
    assert_eq!(described(&silent.address("feed")).await, None);
}

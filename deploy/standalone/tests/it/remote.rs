//! Eight processes: committed posts survive the death of feed.

use std::time::{Duration, Instant};

use portia_proto::{
    auth::{ResolveSessionRequest, auth_service_client::AuthServiceClient},
    feed::{CreatePostRequest, ListPostsRequest, feed_service_client::FeedServiceClient},
};
use rpc::Transport;
use serde_json::json;
use tonic::{Code, Request, metadata::MetadataValue};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::v1::{
    ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
    server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
};

use crate::{
    browser::{Browser, use_as_new_member},
    processes::Processes,
};

#[tokio::test(flavor = "multi_thread")]
async fn eight_processes_serve_a_member_and_posts_survive_a_crash_of_feed() {
    let mut processes = Processes::start(&[]).await;
    let id = use_as_new_member(&processes.base).await;

    processes.kill("feed");
    let mut visitor = Browser::new(&processes.base);
    let refused = visitor.get_once("/api/posts?sort=recent").await;
    assert_eq!(refused.headers["content-type"], "application/problem+json");
    let refused = refused.expect(503);
    assert!(!refused["error"].as_str().unwrap().is_empty(), "the list is an explicit failure");
    visitor.get("/api/communities").await.expect(200);

    processes.spawn("feed");
    processes.wait_until_ready().await;
    let post = visitor.get(&format!("/api/posts/{id}")).await.expect(200);
    assert_eq!((&post["likeCount"], &post["commentCount"]), (&json!(1), &json!(1)));
}

/// The services that a process lists by reflection; `None` without reflection.
async fn described(feed: Transport) -> Option<Vec<String>> {
    let ask = ServerReflectionRequest {
        message_request: Some(MessageRequest::ListServices(String::new())),
        ..ServerReflectionRequest::default()
    };
    let asked = ServerReflectionClient::new(feed).server_reflection_info(tokio_stream::once(ask)).await;
    let answer = asked.ok()?.into_inner().message().await.ok()??;
    match answer.message_response? {
        MessageResponse::ListServicesResponse(list) => Some(list.service.into_iter().map(|s| s.name).collect()),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_always_served_and_reflection_when_enabled() {
    let described_ones = Processes::start(&[("PORTIA_REFLECTION", "true")]).await;
    let feed = described_ones.transport("feed");
    let health = HealthClient::new(feed.clone()).check(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(health.status(), tonic_health::pb::health_check_response::ServingStatus::Serving);
    let services = described(feed).await.unwrap();
    for service in ["portia.feed.v1.FeedService", "portia.outbox.v1.Outbox", "grpc.health.v1.Health"] {
        assert!(services.iter().any(|name| name == service), "{services:?}");
    }
    drop(described_ones);

    let silent = Processes::start(&[]).await;
    assert_eq!(described(silent.transport("feed")).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ended_at_one_gateway_is_soon_refused_at_the_other() {
    let mut processes = Processes::start(&[]).await;
    let second = processes.second_gateway().await;
    let mut member = Browser::new(&processes.base);
    member.register("two.gateways").await;
    let mut replayed = member.at(&second);
    replayed.get("/api/auth/me").await.expect(200);

    member.post("/api/auth/logout", json!({})).await.expect(204);
    // The second gateway caches a session for ten seconds; the fact of auth must arrive well before.
    let ended = Instant::now();
    while replayed.get("/api/auth/me").await.status != 401 {
        assert!(ended.elapsed() < Duration::from_secs(5), "the other gateway still accepts the session");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn bearing<M>(token: Option<&str>, message: M) -> Request<M> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", MetadataValue::try_from(token).unwrap());
    }
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_refuses_calls_without_a_verifiable_token() {
    let processes = Processes::start(&[]).await;
    let (feed, auth) = (processes.transport("feed"), processes.transport("auth"));
    // Well formed, without a valid signature.
    let unsigned = "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIwMTkzMDAwMC0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDA0MDEifQ.";
    for token in [None, Some(""), Some("Bearer "), Some("Bearer nonsense"), Some(unsigned)] {
        let post = CreatePostRequest { content: "Not mine".to_owned(), ..CreatePostRequest::default() };
        let mut feed = FeedServiceClient::new(feed.clone());
        let refused = [
            feed.create_post(bearing(token, post)).await.unwrap_err().code(),
            feed.list_posts(bearing(token, ListPostsRequest::default())).await.unwrap_err().code(),
        ];
        assert_eq!(refused, [Code::Unauthenticated; 2], "{token:?}");
    }
    let mut auth = AuthServiceClient::new(auth);
    let resolve = ResolveSessionRequest { session_token: "x".repeat(43) };
    assert_eq!(auth.resolve_session(resolve).await.unwrap_err().code(), Code::Unauthenticated);
}

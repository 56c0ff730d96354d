//! One request, from the browser's traceparent to its statement, as received by the collector and Prometheus.

use std::{convert::Infallible, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::State,
    response::Response,
    routing::{get, post},
};
use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, StreamBody};
use sqlx::{PgPool, migrate::Migrator};
use telemetry::{GrpcClientLayer, GrpcServerLayer, HttpServerLayer, Settings};
use testkit::{
    Database,
    collector::{Collector, Span, tree},
};
use tonic::{Code, Status};
use tower::{Layer as _, ServiceExt as _};

/// Marks a request of a sender who is not trusted.
#[derive(Clone)]
struct Stranger;

static NO_TABLES: Migrator = Migrator::DEFAULT;

/// Telemetry is global to the process, so this is one test with everything that needs it.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_one_trace_and_counted_once_a_hop() {
    let collector = Collector::start().await;
    let settings = Settings { otlp_endpoint: Some(collector.endpoint().to_owned()), ..Settings::new("portia") };
    let telemetry = telemetry::start(settings.clone()).unwrap();
    assert!(matches!(telemetry::start(settings), Err(telemetry::Error::AlreadyStarted)));
    let database = Database::fresh("feed", &NO_TABLES).await;
    let gateway = gateway(database.pool().clone());

    let unsampled = "11111111111111111111111111111111";
    let answer = call(&gateway, "/api/posts/1", &format!("00-{unsampled}-00f067aa0ba902b7-00")).await;
    assert_eq!(answer.headers()["x-request-id"], unsampled, "the response has an id even without an exporter");

    let found = "4bf92f3577b34da6a3ce929d0e0e4736";
    let answer = call(&gateway, "/api/posts/1", &format!("00-{found}-00f067aa0ba902b7-01")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["x-request-id"], found);
    let missing = "22222222222222222222222222222222";
    let answer = call(&gateway, "/api/posts/0", &format!("00-{missing}-00f067aa0ba902b7-01")).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let broken = "33333333333333333333333333333333";
    let answer = call(&gateway, "/api/posts/broken", &format!("00-{broken}-00f067aa0ba902b7-01")).await;
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let answer = call(&gateway, "/api/posts/1", "not a traceparent").await;
    let own = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert_eq!(own.len(), 32);
    let forged = "55555555555555555555555555555555";
    let request = Request::get("/api/posts/1").header("traceparent", format!("00-{forged}-00f067aa0ba902b7-00"));
    let answer = gateway.clone().oneshot(request.extension(Stranger).body(Body::empty()).unwrap()).await.unwrap();
    let linked = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert_ne!(linked, forged);
    let answer = call(&gateway, "/nowhere", "").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert!(answer.headers().contains_key("x-request-id"));

    telemetry.flush().await;
    let spans = collector.trace(found, |spans| spans.len() >= 4).await;
    assert_eq!(
        tree(&spans),
        "server GET /api/posts/{id}\n  client portia.feed.v1.FeedService/GetPost\n    \
         server portia.feed.v1.FeedService/GetPost\n      client select pg_catalog.pg_class\n"
    );
    let [http, client, server, sql] = from_the_root(&spans);
    assert_eq!(http.parent, "00f067aa0ba902b7", "the browser's span");
    assert!(spans.iter().all(|span| span.process == "portia" && !span.failed));
    has(http, &[("portia.service", "gateway"), ("http.request.method", "GET"), ("http.response.status_code", "200")]);
    has(http, &[("http.route", "/api/posts/{id}")]);
    has(client, &[("rpc.system", "grpc"), ("rpc.method", "GetPost"), ("rpc.grpc.status_code", "0")]);
    has(server, &[("portia.service", "feed"), ("rpc.service", "portia.feed.v1.FeedService")]);
    has(server, &[("rpc.grpc.status_code", "0")]);
    has(sql, &[("db.system.name", "postgresql"), ("db.operation.name", "select")]);
    has(sql, &[("db.response.returned_rows", "1")]);
    assert!(!format!("{spans:?}").contains("text of a member"), "bodies stay out");

    let spans = collector.trace(missing, |spans| spans.len() >= 4).await;
    let failed: Vec<_> = spans.iter().filter(|span| span.failed).map(|span| span.kind).collect();
    assert_eq!(failed, ["client"], "an error of the caller is not an error of the server:\n{}", tree(&spans));
    let spans = collector.trace(broken, |spans| spans.len() >= 4).await;
    assert_eq!(spans.iter().filter(|span| span.failed).count(), 3, "{}", tree(&spans));
    assert_eq!(
        collector.trace(&own, |spans| spans.len() >= 4).await.len(),
        4,
        "an invalid traceparent starts a new trace"
    );
    let spans = collector.trace(&linked, |spans| spans.len() >= 4).await;
    let [http, ..] = from_the_root::<4>(&spans);
    assert_eq!(
        (http.parent.as_str(), &http.links),
        ("", &vec![forged.to_owned()]),
        "recorded, although it asked not to be"
    );
    assert_eq!(collector.so_far(unsampled).len(), 0, "an unsampled request is not traced");

    let metrics = telemetry.render_metrics();
    for line in [
        r#"rpc_server_requests_total{service="portia.feed.v1.FeedService",method="GetPost",code="OK"} 4"#,
        r#"rpc_server_requests_total{service="portia.feed.v1.FeedService",method="GetPost",code="NOT_FOUND"} 1"#,
        r#"rpc_server_requests_total{service="portia.feed.v1.FeedService",method="GetPost",code="INTERNAL"} 1"#,
        r#"rpc_server_duration_seconds_bucket{service="portia.feed.v1.FeedService",method="GetPost",le="+Inf"} 6"#,
        r#"http_server_requests_total{method="GET",route="/api/posts/{id}",status="200"} 4"#,
        r#"http_server_requests_total{method="GET",route="unmatched",status="404"} 1"#,
        "panics_total 0",
    ] {
        assert!(metrics.contains(line), "{line} is not in\n{metrics}");
    }
    abandoned_and_invented_calls_are_counted_within_bounds(&telemetry).await;
    telemetry.shutdown().await;
}

async fn abandoned_and_invented_calls_are_counted_within_bounds(telemetry: &telemetry::Telemetry) {
    let server = Router::new()
        .route("/portia.feed.v1.FeedService/Slow", post(std::future::pending::<Response>))
        .fallback(async || Status::unimplemented("").into_http::<Body>())
        .layer(GrpcServerLayer::new("feed"));
    let slow = Request::post("/portia.feed.v1.FeedService/Slow").body(Body::empty()).unwrap();
    let abandoned = tokio::time::timeout(Duration::from_millis(20), server.clone().oneshot(slow)).await;
    assert!(abandoned.is_err());
    for invented in ["/portia.feed.v1.FeedService/X1", "/portia.feed.v1.FeedService/X2", "/a b", "/"] {
        let request = Request::post(invented.replace(' ', "%20")).body(Body::empty()).unwrap();
        server.clone().oneshot(request).await.unwrap();
    }
    let refusing = Router::new()
        .fallback(async || Status::unauthenticated("").into_http::<Body>())
        .layer(GrpcServerLayer::new("feed"));
    for n in 0..2_000 {
        let request = Request::post(format!("/portia.feed.v1.FeedService/Invented{n}")).body(Body::empty()).unwrap();
        refusing.clone().oneshot(request).await.unwrap();
    }
    let metrics = telemetry.render_metrics();
    let series = metrics.lines().filter(|line| line.starts_with("rpc_server_requests_total{")).count();
    assert!((400..600).contains(&series), "{series} series");
    assert!(metrics.contains(r#"method="Slow",code="CANCELLED"} 1"#), "{metrics}");
    assert!(metrics.contains(r#"{service="other",method="other",code="UNIMPLEMENTED"} 4"#), "{metrics}");
}

/// A gateway with one route, which calls a feed with one RPC: composed like gateway and service, without their
/// business.
fn gateway(pool: PgPool) -> Router {
    let feed = Router::new()
        .route("/portia.feed.v1.FeedService/GetPost", post(get_post))
        .with_state(pool)
        .layer(GrpcServerLayer::new("feed"));
    let feed = GrpcClientLayer.layer(feed);
    let show = async move |request: Request<Body>| {
        let id = request.uri().path().rsplit('/').next().unwrap().to_owned();
        let call = Request::post("http://feed/portia.feed.v1.FeedService/GetPost").body(Body::from(id)).unwrap();
        let (head, body) = feed.clone().oneshot(call).await.unwrap().into_parts();
        let code = match Status::from_header_map(&head.headers) {
            Some(status) => status.code(),
            None => {
                let answer = body.collect().await.unwrap();
                Status::from_header_map(answer.trailers().unwrap()).unwrap().code()
            }
        };
        match code {
            Code::Ok => StatusCode::OK,
            Code::NotFound => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        }
    };
    Router::new()
        .route("/api/posts/{id}", get(show))
        .layer(HttpServerLayer::new("gateway", |extensions| extensions.get::<Stranger>().is_none()))
}

/// Responds like tonic: an error in the headers, a success with its status in the trailers.
async fn get_post(State(pool): State<PgPool>, id: String) -> Response {
    let found: i64 = sqlx::query_scalar("select count(*) from pg_catalog.pg_class where relname = $1 limit 1")
        .bind("text of a member")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(found, 0);
    match id.as_str() {
        "0" => return Status::not_found("text of a member").into_http(),
        "broken" => return Status::internal("text of a member").into_http(),
        _ => {}
    }
    let frames = [
        http_body::Frame::data(Bytes::from_static(b"\0\0\0\0\0")),
        http_body::Frame::trailers([("grpc-status".parse().unwrap(), "0".parse().unwrap())].into_iter().collect()),
    ];
    let body = StreamBody::new(futures::stream::iter(frames.map(Ok::<_, Infallible>)));
    Response::new(Body::new(body))
}

async fn call(gateway: &Router, path: &str, traceparent: &str) -> Response {
    let request = Request::get(path).header("traceparent", traceparent).body(Body::empty()).unwrap();
    gateway.clone().oneshot(request).await.unwrap()
}

/// A trace without branches, each span before its child.
fn from_the_root<const N: usize>(spans: &[Span]) -> [&Span; N] {
    let root = spans.iter().find(|span| !spans.iter().any(|other| other.id == span.parent));
    let line = std::iter::successors(root, |parent| spans.iter().find(|span| span.parent == parent.id));
    line.collect::<Vec<_>>().try_into().unwrap()
}

fn has(span: &Span, attributes: &[(&str, &str)]) {
    for (name, value) in attributes {
        assert_eq!(span.attributes.get(*name).map(String::as_str), Some(*value), "{name} of {span:#?}");
    }
}

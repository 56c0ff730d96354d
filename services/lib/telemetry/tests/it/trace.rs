//! One request, from the browser's traceparent to its statement, as received by the collector and Prometheus.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    time::{Duration, SystemTime},
};

use axum::{
    Router,
    body::Body,
    extract::State,
    response::Response,
    routing::{get, post},
};
use bytes::Bytes;
use db::Connections as _;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, StreamBody};
use sqlx::{PgPool, migrate::Migrator, postgres::PgPoolOptions};
use telemetry::{GrpcClientLayer, GrpcServerLayer, HttpServerLayer, PastWork, Settings};
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
    // Every attribute. No url.path and no db.query.text: both contain ids and words of members.
    let service = ("rpc.service", "portia.feed.v1.FeedService");
    let rpc = [service, ("rpc.system", "grpc"), ("rpc.method", "GetPost"), ("rpc.grpc.status_code", "0")];
    has_exactly(
        http,
        &[
            ("portia.service", "gateway"),
            ("http.request.method", "GET"),
            ("http.response.status_code", "200"),
            ("http.route", "/api/posts/{id}"),
        ],
    );
    has_exactly(client, &[rpc.as_slice(), &[("server.address", "feed"), ("server.port", "50051")]].concat());
    has_exactly(server, &[rpc.as_slice(), &[("portia.service", "feed")]].concat());
    has_exactly(
        sql,
        &[
            ("db.system.name", "postgresql"),
            ("db.operation.name", "select"),
            ("db.collection.name", "pg_catalog.pg_class"),
            ("db.query.summary", "select pg_catalog.pg_class"),
            ("db.response.returned_rows", "1"),
        ],
    );
    for span in &spans {
        let resource: Vec<_> = span.resource.keys().map(String::as_str).collect();
        for name in ["service.name", "service.namespace", "service.version", "service.instance.id"] {
            assert!(resource.contains(&name), "{name} is not in {resource:?}");
        }
    }
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
    failures_waits_and_later_work_are_in_the_trace(&gateway, &telemetry, &collector).await;
    abandoned_and_invented_calls_are_counted_within_bounds(&telemetry).await;
    telemetry.shutdown().await;
}

fn work(traceparent: &str) -> PastWork<'_> {
    PastWork {
        operation: "publish",
        operation_type: "send",
        kind: "portia.feed.v1.PostCreated",
        service: "feed",
        source: "feed",
        id: 7,
        traceparent,
    }
}

async fn failures_waits_and_later_work_are_in_the_trace(
    gateway: &Router,
    telemetry: &telemetry::Telemetry,
    collector: &Collector,
) {
    let divided = "66666666666666666666666666666666";
    call(gateway, "/api/posts/divided", &format!("00-{divided}-00f067aa0ba902b7-01")).await;
    let waiting = "77777777777777777777777777777777";
    call(gateway, "/api/posts/waiting", &format!("00-{waiting}-00f067aa0ba902b7-01")).await;
    let later = "88888888888888888888888888888888";
    work(&format!("00-{later}-00f067aa0ba902b7-01")).record(SystemTime::now());
    for unrecorded in [&format!("00-{later}-00f067aa0ba902b7-00"), "", "-01"] {
        work(unrecorded).record(SystemTime::now());
    }
    // Background work that calls an absent service again and again.
    let absent = tower::service_fn(async |_: Request<Body>| Err::<Response, _>(std::io::Error::other("refused")));
    let request = Request::post("http://feed:50051/portia.feed.v1.FeedService/GetPost").body(Body::empty()).unwrap();
    assert!(GrpcClientLayer.layer(absent).oneshot(request).await.is_err());
    telemetry.flush().await;

    let spans = collector.trace(divided, |spans| spans.len() >= 5).await;
    let failed: Vec<&Span> = spans.iter().filter(|span| span.failed && span.name == "select").collect();
    let [division] = failed.as_slice() else { panic!("one statement fails:\n{}", tree(&spans)) };
    has_exactly(
        division,
        &[
            ("db.system.name", "postgresql"),
            ("db.operation.name", "select"),
            ("db.query.summary", "select"),
            ("db.response.returned_rows", "0"),
            ("db.response.status_code", "22012"),
            ("error.type", "22012"),
        ],
    );
    let first = spans.iter().find(|span| span.name == "select pg_catalog.pg_class").unwrap();
    assert!(!first.failed, "the statement before it");

    let spans = collector.trace(waiting, |spans| spans.len() >= 5).await;
    let wait = spans.iter().find(|span| span.name == "wait for a connection").unwrap();
    has_exactly(wait, &[("db.client.connection.pool.name", "feed")]);
    assert_eq!((wait.kind, wait.failed), ("internal", false));

    let spans = collector.trace(later, |spans| !spans.is_empty()).await;
    let [publication] = spans.as_slice() else { panic!("one is sampled:\n{}", tree(&spans)) };
    assert_eq!((publication.kind, publication.name.as_str()), ("producer", "publish portia.feed.v1.PostCreated"));
    assert_eq!(publication.parent, "00f067aa0ba902b7");
    has_exactly(
        publication,
        &[
            ("portia.service", "feed"),
            ("messaging.system", "portia_outbox"),
            ("messaging.operation.name", "publish"),
            ("messaging.operation.type", "send"),
            ("messaging.destination.name", "feed"),
            ("messaging.message.id", "7"),
        ],
    );
    assert_eq!(collector.roots_of("portia.feed.v1.FeedService/GetPost"), 0, "calls outside a request are no traces");
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
        let call = Request::post("http://feed:50051/portia.feed.v1.FeedService/GetPost").body(Body::from(id)).unwrap();
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
        "divided" => {
            let failed = sqlx::query_scalar::<_, i32>("select 1 / $1").bind(0).fetch_one(&pool).await.unwrap_err();
            return Status::internal(db::Error::from(failed).to_string()).into_http();
        }
        "waiting" => {
            let options = pool.connect_options().as_ref().clone().application_name("feed");
            let small = PgPoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
            let used = small.acquire().await.unwrap();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                drop(used);
            });
            drop(small.lend().await.unwrap());
        }
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

/// Besides the level and other fields of tracing itself.
fn has_exactly(span: &Span, expected: &[(&str, &str)]) {
    let expected: BTreeMap<_, _> = expected.iter().copied().collect();
    let own = span.attributes.iter().filter(|(name, _)| !["level", "busy_ns", "idle_ns"].contains(&name.as_str()));
    let own: BTreeMap<_, _> = own.map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(own, expected, "{span:#?}");
}

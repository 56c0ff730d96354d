//! One request is one trace: gateway, services and SQL, over real processes. The trace of the client is linked.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use testkit::collector::{Collector, Span, tree};
use tokio::time::{sleep, timeout};

use crate::{
    browser::{Browser, Response, use_as_new_member},
    processes::Processes,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const BROWSER_SPAN: &str = "00f067aa0ba902b7";
/// The maximum of changes until the gateway receives facts.
const ROUNDS: usize = 12;

/// The only child of `parent` with this kind and name, in the expected process.
fn child<'a>(spans: &'a [Span], parent: &str, kind: &str, name: &str, process: &str) -> &'a Span {
    spans
        .iter()
        .find(|span| span.parent == parent && span.kind == kind && span.name == name && span.process == process)
        .unwrap_or_else(|| panic!("no {kind} {name} of {process} below {parent}:\n{}", tree(spans)))
}

/// A statement of a service: a client span to Postgres, below the server span of the call.
fn has_sql(spans: &[Span], below: &Span) -> bool {
    spans.iter().any(|span| {
        span.parent == below.id && span.attributes.get("db.system.name").is_some_and(|system| system == "postgresql")
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_posts_is_one_trace_from_the_gateway_to_sql() {
    // Over https, with a certificate whose authority is in this file only.
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let collector = Collector::start_encrypted(&own.cert.pem(), &own.signing_key.serialize_pem()).await;
    let authority = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(authority.path(), own.cert.pem()).unwrap();
    let mut processes = Processes::start(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint()),
        ("OTEL_EXPORTER_OTLP_CERTIFICATE", authority.path().to_str().unwrap()),
    ])
    .await;
    use_as_new_member(&processes.base).await;
    // A new gateway has no cached member, so that this page calls profile too.
    processes.kill("gateway");
    processes.spawn("gateway");
    processes.wait_until_complete("/api/communities").await;

    let traceparent = format!("00-{TRACE}-{BROWSER_SPAN}-01");
    let mut visitor = Browser::new(&processes.base);
    let answer = visitor.send(Method::GET, "/api/posts?sort=recent", None, &[("traceparent", &traceparent)]).await;
    let trace = trace_of(&answer);
    assert_ne!(trace, TRACE, "the trace of a client is a link");
    answer.expect(200);

    let spans = collector
        .trace(&trace, |spans| {
            let servers: Vec<&Span> = spans.iter().filter(|span| span.kind == "server").collect();
            servers.len() >= 4 && servers.iter().filter(|span| has_sql(spans, span)).count() >= 3
        })
        .await;
    let gateway = child(&spans, "", "server", "GET /api/posts", "gateway");
    assert_eq!(gateway.links, [TRACE]);
    for (method, service) in [
        ("portia.feed.v1.FeedService/ListPosts", "feed"),
        ("portia.feed.v1.FeedService/BatchGetPostBodies", "feed"),
        ("portia.profile.v1.ProfileService/BatchGetMembers", "profile"),
    ] {
        let call = child(&spans, &gateway.id, "client", method, "gateway");
        let answered = child(&spans, &call.id, "server", method, service);
        assert!(has_sql(&spans, answered), "{service} has no span for its SQL:\n{}", tree(&spans));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fact_continues_the_trace_of_its_request() {
    let collector = Collector::start().await;
    let processes = Processes::start(&[("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint())]).await;
    processes.wait_until_consumes("profile", "auth").await;
    let form = json!({"username": "traced", "password": "correct horse", "fullName": "Traced Member"});
    let mut visitor = Browser::new(&processes.base);
    let answer = visitor.send(Method::POST, "/api/auth/register", Some(form), &[]).await;
    let trace = trace_of(&answer);
    answer.expect(201);

    // Profile and social-graph consume the fact; the first span of either is enough. The facts that profile publishes
    // in turn belong to the same trace and may be reported earlier.
    let consumed = |span: &&Span| span.kind == "consumer" && span.name == "consume portia.auth.v1.MemberRegistered";
    let complete = |spans: &[Span]| {
        let consumed = spans.iter().find(consumed);
        consumed.is_some_and(|consumed| spans.iter().any(|span| span.id == consumed.parent))
    };
    let spans = collector.trace(&trace, complete).await;
    let consumed = spans.iter().find(consumed).unwrap();
    let cause = spans.iter().find(|span| span.id == consumed.parent).unwrap();
    assert_eq!(cause.process, "auth", "the fact's parent is the call that published it:\n{}", tree(&spans));
}

/// The lines of a trace in deploy/README.md: depth, kind, name.
fn documented(title: &str) -> Vec<(usize, String, String)> {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once(&format!("{title}:\n\n```text\n")).unwrap_or_else(|| panic!("no trace {title}"));
    let (block, _) = rest.split_once("```").unwrap();
    let line = |line: &str| {
        let text = line.trim_start();
        let (kind, name) = text.split_once(' ').unwrap();
        ((line.len() - text.len()) / 2, kind.to_owned(), name.to_owned())
    };
    block.lines().map(line).collect()
}

/// Whether every documented line is a span below one of its parent's line.
fn contains(spans: &[Span], lines: &[(usize, String, String)]) -> bool {
    let mut above: Vec<Vec<&str>> = Vec::new();
    lines.iter().all(|(depth, kind, name)| {
        above.truncate(*depth);
        let is_below = |span: &&Span| match above.last() {
            None => span.parent.is_empty(),
            Some(parents) => parents.contains(&span.parent.as_str()),
        };
        let found: Vec<&str> = spans
            .iter()
            .filter(|span| span.kind == kind && span.name == *name)
            .filter(is_below)
            .map(|span| span.id.as_str())
            .collect();
        let is_found = !found.is_empty();
        above.push(found);
        is_found
    })
}

fn trace_of(answer: &Response) -> String {
    answer.headers["x-request-id"].to_str().unwrap().to_owned()
}

/// Makes changes until the gateway has delivered facts of feed, social-graph and messaging: it receives those after its streams opened.
async fn deliver_once(collector: &Collector, one: &mut Browser, [id, other_id]: [&str; 2]) {
    let sources = ["portia.feed.", "portia.social_graph.", "portia.messaging."];
    let mut traces = Vec::new();
    for _ in 0..ROUNDS {
        let post = json!({"userId": id, "content": "A post before the traces."});
        traces.push(trace_of(&one.post("/api/posts", post).await));
        let request = json!({"requesterId": id, "recipientId": other_id, "status": "pending"});
        let requested = one.post("/api/connections", request).await;
        traces.push(trace_of(&requested));
        let request = requested.expect(201)["id"].as_str().unwrap().to_owned();
        one.send(Method::DELETE, &format!("/api/connections/{request}"), None, &[]).await.expect(204);
        for _ in 0..50 {
            let spans: Vec<Span> = traces.iter().flat_map(|trace| collector.so_far(trace)).collect();
            let is_delivered =
                |source: &&str| spans.iter().any(|span| span.name.starts_with(&format!("deliver {source}")));
            if sources.iter().all(is_delivered) {
                return;
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
    panic!("the gateway delivers no facts");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_traces_of_the_manual_are_recorded() {
    let collector = Collector::start().await;
    let exported = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint()), ("OTEL_BSP_SCHEDULE_DELAY", "200")];
    let processes = Processes::start(&exported).await;
    for (service, source) in [("messaging", "feed"), ("messaging", "social-graph"), ("profile", "social-graph")] {
        processes.wait_until_consumes(service, source).await;
    }
    let (mut one, mut other) = (Browser::new(&processes.base), Browser::new(&processes.base));
    let (id, other_id) = (one.register("trace.one").await, other.register("trace.other").await);
    let asked = Browser::new(&processes.base).register("trace.asked").await;

    deliver_once(&collector, &mut one, [&id, &asked]).await;
    let post = json!({"userId": id, "content": "A post with its trace."});
    let created = one.post("/api/posts", post).await;
    let request = json!({"requesterId": id, "recipientId": other_id, "status": "pending"});
    let request = one.post("/api/connections", request).await.expect(201)["id"].as_str().unwrap().to_owned();
    // Facts that arrive together are consumed in one span, in the trace of the first.
    let consumed = async {
        while !other.get("/api/notifications").await.expect(200).to_string().contains(&id) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(60), consumed).await.expect("messaging consumes the request");
    let accepted = other
        .send(Method::PATCH, &format!("/api/connections/{request}"), Some(json!({"status": "accepted"})), &[])
        .await;
    assert!(accepted.status.is_success(), "{} {}", accepted.status, accepted.body);
    for (title, answer) in [("Create a post", created), ("Accept a connection", accepted)] {
        let lines = documented(title);
        let spans = collector.trace(&trace_of(&answer), |spans| contains(spans, &lines)).await;
        assert!(spans.iter().all(|span| !span.failed), "{}", tree(&spans));
    }
}

//! One request, one tree: browser, gateway, services and SQL in one trace, over real processes.

use reqwest::Method;
use serde_json::json;
use testkit::collector::{Collector, Span, tree};

use crate::{
    browser::{Browser, walk},
    processes::Processes,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const BROWSER_SPAN: &str = "00f067aa0ba902b7";

/// The one child of `parent` of this kind with the name `name`, in the process it must come from.
fn child<'a>(spans: &'a [Span], parent: &str, kind: &str, name: &str, process: &str) -> &'a Span {
    spans
        .iter()
        .find(|span| span.parent == parent && span.kind == kind && span.name == name && span.process == process)
        .unwrap_or_else(|| panic!("no {kind} {name} of {process} below {parent}:\n{}", tree(spans)))
}

/// A service's statement: a client span towards Postgres, below the server span of the call.
fn has_sql(spans: &[Span], below: &Span) -> bool {
    spans.iter().any(|span| {
        span.parent == below.id && span.attributes.get("db.system.name").is_some_and(|system| system == "postgresql")
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_posts_is_one_tree_from_the_browser_to_sql() {
    let collector = Collector::start().await;
    let mut processes = Processes::start(&[("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint())]).await;
    walk(&processes.base).await;
    // A new gateway knows no member's card yet, so that this page asks profile too.
    processes.kill("gateway");
    processes.spawn("gateway");
    processes.until_answers("/api/communities").await;

    let traceparent = format!("00-{TRACE}-{BROWSER_SPAN}-01");
    let mut visitor = Browser::new(&processes.base);
    let answer = visitor.send(Method::GET, "/api/posts?sort=recent", None, &[("traceparent", &traceparent)]).await;
    assert_eq!(answer.headers["x-request-id"], TRACE);
    answer.expect(200);

    let spans = collector
        .trace(TRACE, |spans| {
            let servers: Vec<&Span> = spans.iter().filter(|span| span.kind == "server").collect();
            servers.len() >= 3 && servers.iter().filter(|span| has_sql(spans, span)).count() >= 2
        })
        .await;
    let gateway = child(&spans, BROWSER_SPAN, "server", "GET /api/posts", "gateway");
    for (method, service) in [
        ("portia.feed.v1.FeedService/ListPosts", "feed"),
        ("portia.profile.v1.ProfileService/BatchGetMembers", "profile"),
    ] {
        let call = child(&spans, &gateway.id, "client", method, "gateway");
        let answered = child(&spans, &call.id, "server", method, service);
        assert!(has_sql(&spans, answered), "{service} says nothing of its SQL:\n{}", tree(&spans));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fact_goes_on_in_the_trace_of_the_request_that_caused_it() {
    let collector = Collector::start().await;
    let processes = Processes::start(&[("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint())]).await;
    processes.until_consumes("profile", "auth").await;
    let traceparent = format!("00-{TRACE}-{BROWSER_SPAN}-01");
    let form = json!({"username": "traced", "password": "correct horse", "fullName": "Traced Member"});
    let mut visitor = Browser::new(&processes.base);
    let answer = visitor.send(Method::POST, "/api/auth/register", Some(form), &[("traceparent", &traceparent)]).await;
    answer.expect(201);

    // Profile and social-graph consume the fact; the first span of either is enough. What profile tells in turn is in the
    // trace as well, and may be reported sooner.
    let consumed = |span: &&Span| span.kind == "consumer" && span.name == "consume portia.auth.v1.MemberRegistered";
    let complete = |spans: &[Span]| {
        let consumed = spans.iter().find(consumed);
        consumed.is_some_and(|consumed| spans.iter().any(|span| span.id == consumed.parent))
    };
    let spans = collector.trace(TRACE, complete).await;
    let consumed = spans.iter().find(consumed).unwrap();
    let cause = spans.iter().find(|span| span.id == consumed.parent).unwrap();
    assert_eq!(cause.process, "auth", "the fact's parent is the call that told it:\n{}", tree(&spans));
}

//! The security log: an event for each refusal, without what the client wrote, in bounded volume.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};

use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    subscriber::DefaultGuard,
};
use tracing_subscriber::{Layer, layer::Context, layer::SubscriberExt as _};

use crate::{
    actors::{ANA, BEN, POST},
    test_gateway::{TestGateway, TestRequest, token},
};

/// The fields of one event.
#[derive(Clone, Debug, Default)]
struct Fields(BTreeMap<String, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl Fields {
    fn of(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

/// The events of this thread, on which the gateway of a test runs.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<(String, Fields)>>>);

impl<S: Subscriber> Layer<S> for Events {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.0.lock().unwrap().push((event.metadata().target().to_owned(), fields));
    }
}

impl Events {
    fn capture() -> (Self, DefaultGuard) {
        let events = Self::default();
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(events.clone()));
        (events, guard)
    }

    fn security(&self) -> Vec<Fields> {
        let events = self.0.lock().unwrap();
        events.iter().filter(|(target, _)| target == "security").map(|(_, fields)| fields.clone()).collect()
    }

    /// The only event so far; forgets it.
    #[track_caller]
    fn only(&self) -> Fields {
        let found = self.security();
        assert_eq!(found.len(), 1, "{found:?}");
        self.0.lock().unwrap().clear();
        found.into_iter().next().unwrap()
    }
}

fn login(address: &str) -> TestRequest {
    TestRequest::new("POST", "/api/auth/login")
        .json(&json!({ "username": "hunter2-typed-as-a-name", "password": "a-secret-password" }))
        .from(address)
}

#[tokio::test]
async fn a_refused_sign_in_is_an_event_without_what_was_typed() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let cookie = format!("portia_session={}", "x".repeat(43));
    let reply = gateway.send(login("2001:db8:1:2:3::4").header("cookie", &cookie)).await;
    assert_eq!(reply.status, 401);
    let event = events.only();
    assert_eq!(event.of("status"), "401");
    assert_eq!(event.of("reason"), reply.json()["code"].as_str().unwrap());
    assert_eq!((event.of("method"), event.of("route")), ("POST", "/api/auth/login"));
    assert_eq!(event.of("network"), "2001:db8:1:2::");
    assert_eq!(event.of("member"), "", "the client has proved no identity");
    assert_eq!(event.of("message"), "request refused");
    gateway.send(login("192.0.2.7")).await;
    let text = format!("{:?}", events.0.lock().unwrap());
    for secret in ["hunter2", "a-secret-password", "xxxx"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
}

#[tokio::test]
async fn a_forged_author_is_an_event_of_the_member() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let forged = json!({ "content": "Mine", "userId": BEN });
    let reply = gateway.send(TestRequest::new("POST", "/api/posts?draft=private").by_member(ANA).json(&forged)).await;
    assert_eq!(reply.status, 403);
    let event = events.only();
    assert_eq!((event.of("status"), event.of("reason"), event.of("route")), ("403", "NOT_YOURS", "/api/posts"));
    assert_eq!(event.of("member"), ANA.to_string());
    let text = format!("{event:?}");
    assert!(!text.contains(&token(ANA)) && !text.contains("private") && !text.contains("Mine"), "{text}");
}

#[tokio::test]
async fn a_foreign_origin_and_an_exhausted_limit_are_events() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let path = format!("/api/posts/{POST}/likes");
    let foreign = TestRequest::new("POST", &path).by_member(ANA).header("origin", "https://evil.example");
    assert_eq!(gateway.send(foreign.json(&json!({ "type": "like" }))).await.status, 403);
    let event = events.only();
    assert_eq!((event.of("reason"), event.of("route")), ("FOREIGN_ORIGIN", "/api/posts/{id}/likes"));

    for _ in 0..5 {
        gateway.send(TestRequest::new("GET", &format!("/api/users/{ANA}/export")).by_member(ANA)).await;
    }
    assert_eq!(events.security().len(), 0, "what succeeds is no event");
    let path = format!("/api/users/{ANA}/export");
    assert_eq!(gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await.status, 429);
    let event = events.only();
    assert_eq!((event.of("status"), event.of("limit")), ("429", "exports"));
    assert_eq!((event.of("reason"), event.of("member")), ("RATE_LIMITED", ANA.to_string().as_str()));
}

#[tokio::test]
async fn a_hidden_refusal_is_an_event() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let request = TestRequest::new("GET", "/api/moderation/reports").by_member(ANA);
    assert_eq!(gateway.send(request).await.status, 404);
    let event = events.only();
    assert_eq!((event.of("status"), event.of("reason")), ("404", "MODERATORS_ONLY"));
    assert_eq!(event.of("member"), ANA.to_string());
    assert_eq!(gateway.get("/api/no-such-route").await.status, 404);
    assert_eq!(events.security().len(), 0, "an unknown route is no refusal");
}

#[tokio::test]
async fn a_visitor_without_a_cookie_who_reads_is_no_event() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    assert_eq!(gateway.get("/api/auth/me").await.status, 401);
    assert_eq!(events.security().len(), 0);
    let ended = format!("portia_session={}", "y".repeat(43));
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/me").header("cookie", &ended)).await.status, 401);
    assert_eq!(events.only().of("reason"), "SIGN_IN_REQUIRED");
}

#[tokio::test]
async fn the_volume_of_a_network_is_bounded_and_omitted_events_are_counted() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let metrics = PrometheusBuilder::new().build_recorder();
    let _recorder = metrics::set_default_local_recorder(&metrics);
    let post = |method: &'static str, address: &str| {
        TestRequest::new(method, "/api/posts").json(&json!({ "content": "Hello" })).from(address)
    };
    for _ in 0..100 {
        assert_eq!(gateway.send(post("POST", "192.0.2.1")).await.status, 401);
    }
    assert_eq!(events.security().len(), 60);
    // Another status of the network, and another network, are not hidden by the flood.
    let foreign = post("POST", "192.0.2.1").header("sec-fetch-site", "cross-site");
    assert_eq!(gateway.send(foreign).await.status, 403);
    assert_eq!(gateway.send(post("POST", "192.0.2.2")).await.status, 401);
    let found = events.security();
    let omitted: Vec<&str> = found.iter().skip(59).map(|event| event.of("omitted")).collect();
    assert_eq!(omitted, ["0", "40", "0"]);
    // The counter has all of them.
    let metrics = metrics.handle().render();
    for (labels, count) in
        [(r#"status="401",reason="SIGN_IN_REQUIRED""#, 101), (r#"status="403",reason="FOREIGN_ORIGIN""#, 1)]
    {
        let line = format!("security_refusals_total{{{labels}}} {count}\n");
        assert!(metrics.contains(&line), "{line} is not in {metrics}");
    }
}

fn policy_report(media: &str, body: &serde_json::Value) -> TestRequest {
    TestRequest::new("POST", "/api/policy-reports").header("content-type", media).untyped(body.to_string())
}

#[tokio::test]
async fn a_violated_policy_is_an_event_without_the_text_of_the_report() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let one = json!({ "csp-report": {
        "document-uri": "http://127.0.0.1/messages/secret", "referrer": "", "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/steal.js", "script-sample": "let password", "status-code": 200,
    } });
    let sent = policy_report("application/csp-report", &one).by_member(ANA);
    assert_eq!(gateway.send(sent).await.status, 204);
    let event = events.only();
    assert_eq!((event.of("directive"), event.of("blocked")), ("script-src-elem", "other-origin"));
    assert_eq!(event.0.keys().collect::<Vec<_>>(), ["blocked", "directive", "message"], "and nothing else");
    let violation = |directive: &str, blocked: &str| {
        json!({
            "type": "csp-violation", "age": 1, "url": "http://127.0.0.1/", "user_agent": "x",
            "body": { "effectiveDirective": directive, "blockedURL": blocked, "sample": "secret", "disposition": "enforce" },
        })
    };
    let other = json!({ "type": "deprecation", "body": { "id": "x" } });
    let many = json!([violation("require-trusted-types-for", "trusted-types-sink"), other, violation("x\ny", "z\n")]);
    assert_eq!(gateway.send(policy_report("application/reports+json", &many)).await.status, 204);
    let seen: Vec<_> =
        events.security().iter().map(|event| [event.of("directive"), event.of("blocked")].map(str::to_owned)).collect();
    assert_eq!(seen, [["require-trusted-types-for", "trusted-types-sink"], ["other", "other"]]);
}

#[tokio::test]
async fn reports_of_a_network_have_a_budget_and_invalid_ones_are_refused() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let one = json!({ "csp-report": { "effective-directive": "img-src" } });
    for _ in 0..40 {
        let sent = policy_report("application/csp-report", &one).from("198.51.100.1");
        assert_eq!(gateway.send(sent).await.status, 204);
    }
    assert_eq!(events.security().len(), 30);
    gateway.send(policy_report("application/csp-report", &one).from("203.0.113.1")).await;
    assert_eq!(events.security().len(), 31, "another network");
    for (media, body, status) in [
        ("application/json", one.clone(), 415),
        ("text/plain", one.clone(), 415),
        ("application/reports+json", one.clone(), 400),
        ("application/csp-report", json!([one]), 400),
        ("application/csp-report", json!({}), 400),
        ("application/csp-report", json!({ "csp-report": ["img-src"] }), 400),
        ("application/reports+json", json!([["csp-violation", {}]]), 400),
        ("application/csp-report", json!({ "csp-report": { "blocked-uri": 1 } }), 400),
        ("application/csp-report", json!("x".repeat(70_000)), 413),
    ] {
        assert_eq!(gateway.send(policy_report(media, &body)).await.status, status, "{media} {status}");
    }
    let deep = "[".repeat(10_000);
    let sent = TestRequest::new("POST", "/api/policy-reports").header("content-type", "application/reports+json");
    assert_eq!(gateway.send(sent.untyped(deep)).await.status, 400);
}

#[tokio::test]
async fn a_flood_of_some_networks_does_not_hide_the_events_of_others() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    let post =
        |address: &str| TestRequest::new("POST", "/api/posts").json(&json!({ "content": "Hello" })).from(address);
    // Networks of one site, as one customer has them, and twelve addresses.
    for n in 0..1_000 {
        assert_eq!(gateway.send(post(&format!("2001:db8:1:{n:x}::1"))).await.status, 401);
    }
    for n in 0..1_200 {
        assert_eq!(gateway.send(post(&format!("192.0.2.{}", n % 12))).await.status, 401);
    }
    let written = events.security().len();
    assert!((600..=1_200).contains(&written), "{written} events of the flood");
    // A visitor of another network, and a member.
    assert_eq!(gateway.send(post("198.51.100.1")).await.status, 401);
    let forged = json!({ "content": "Mine", "userId": BEN });
    assert_eq!(gateway.send(TestRequest::new("POST", "/api/posts").by_member(ANA).json(&forged)).await.status, 403);
    let last: Vec<_> = events.security().split_off(written);
    let seen: Vec<_> = last.iter().map(|event| (event.of("network"), event.of("reason"))).collect();
    assert_eq!(seen.first(), Some(&("198.51.100.1", "SIGN_IN_REQUIRED")));
    assert_eq!(last.last().unwrap().of("member"), ANA.to_string());
    assert_eq!(last.len(), 2);
}

#[tokio::test]
async fn a_flood_of_many_sites_does_not_hide_the_events_of_members() {
    let gateway = TestGateway::start().await;
    let (events, _guard) = Events::capture();
    for n in 0..1_500 {
        let visitor = TestRequest::new("POST", "/api/posts").json(&json!({ "content": "Hello" }));
        assert_eq!(gateway.send(visitor.from(&format!("198.{}.{}.1", n / 250, n % 250))).await.status, 401);
    }
    assert_eq!(events.security().len(), 1_200);
    let forged = json!({ "content": "Mine", "userId": BEN });
    assert_eq!(gateway.send(TestRequest::new("POST", "/api/posts").by_member(ANA).json(&forged)).await.status, 403);
    assert_eq!(events.security().last().unwrap().of("member"), ANA.to_string());
}

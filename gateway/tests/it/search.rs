//! Search of all kinds or one kind: the calls, and the answer with a service unavailable.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN},
    fakes::FakeServices,
    test_gateway::{TestGateway, TestRequest},
};

const LISTS: [(&str, &str, &str); 6] = [
    ("people", "search_members", "profile"),
    ("posts", "search_posts", "feed"),
    ("communities", "search_communities", "social-graph"),
    ("resources", "search_resources", "news"),
    ("jobs", "search_jobs", "jobs"),
    ("news", "search_articles", "news"),
];

#[tokio::test]
async fn a_search_of_all_kinds_calls_each_service_once() {
    let gateway = TestGateway::start().await;
    let found = gateway.send(TestRequest::new("GET", "/api/search?q=Clerks+and+Ana").by_member(ANA)).await;
    assert_eq!((found.status.as_u16(), found.header("link"), found.header("x-degraded")), (200, "", ""));
    let seen = gateway.fakes.seen();
    for (_, method, _) in LISTS {
        let calls: Vec<_> = seen.iter().filter(|seen| seen.method == method).collect();
        assert_eq!(calls.len(), 1, "{method}");
        assert_eq!(calls[0].actor, Some(ANA));
        assert!(calls[0].message.contains("page_size: 3"), "{}", calls[0].message);
        assert!(calls[0].message.contains("Clerks and Ana"), "{}", calls[0].message);
    }
    let found = found.json();
    let listed = async |path: &str| gateway.send(TestRequest::new("GET", path).by_member(ANA)).await.json();
    assert_eq!(found["posts"], listed("/api/posts").await);
    assert_eq!(found["communities"], listed("/api/communities").await);
    assert_eq!(found["resources"], listed("/api/resources").await);
    assert_eq!(found["jobs"], listed("/api/jobs").await);
    assert_eq!(found["news"], listed("/api/news").await["articles"]);
    assert_eq!(found["terms"], json!(["ana", "clerk", "moot", "passed"]), "no term is a prefix of another");
    insta::assert_json_snapshot!("search_people", found["people"]);
}

#[tokio::test]
async fn a_search_of_one_kind_calls_one_service_and_has_pages() {
    let gateway = TestGateway::start().await;
    for (list, method, _) in LISTS {
        let path = format!("/api/search?q=law&type={list}&limit=7");
        let found = gateway.send(TestRequest::new("GET", &path)).await;
        assert_eq!(found.status.as_u16(), 200, "{list}");
        assert_eq!(found.header("link"), format!("<{path}&cursor=page-2>; rel=\"next\""));
        let seen = gateway.fakes.seen();
        let searches: Vec<&str> =
            seen.iter().map(|seen| seen.method).filter(|method| method.starts_with("search_")).collect();
        assert_eq!(searches, [method]);
        assert!(seen.iter().any(|seen| seen.method == method && seen.message.contains("page_size: 7")));
        let body = found.json();
        for (other, _, _) in LISTS {
            assert_eq!(body[other].is_array(), other == list, "{other} of {list}");
        }
        let last = gateway.get(&format!("{path}&cursor=page-2")).await;
        assert_eq!((last.status.as_u16(), last.header("link")), (200, ""));
        gateway.fakes.seen();
    }
}

#[tokio::test]
async fn members_in_results_contain_their_connection_from_one_call() {
    let gateway = TestGateway::start().await;
    let people = async |ask: TestRequest| {
        let found = gateway.send(ask).await;
        (found.json()["people"][0].clone(), found.header("x-degraded").to_owned())
    };
    let path = "/api/search?q=ana&type=people";
    let (ana, _) = people(TestRequest::new("GET", path).by_member(BEN)).await;
    assert_eq!(ana["connection"]["status"], "pending");
    assert_eq!(ana["connection"]["requesterId"], BEN.to_string());
    let seen = gateway.fakes.seen();
    let calls: Vec<_> = seen.iter().filter(|seen| seen.method == "batch_find_connections").collect();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].actor, Some(BEN));
    // No lookup for visitors, nor in a search of all kinds.
    for ask in [TestRequest::new("GET", path), TestRequest::new("GET", "/api/search?q=ana").by_member(BEN)] {
        let (ana, _) = people(ask).await;
        assert_eq!((ana["fullName"].as_str(), ana.get("connection")), (Some("Ana Reyes"), None));
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method != "batch_find_connections"));
    gateway.fakes.fail("batch_find_connections", FakeServices::unavailable());
    let (ana, degraded) = people(TestRequest::new("GET", path).by_member(BEN)).await;
    assert_eq!((ana.get("connection"), degraded.as_str()), (None, "social-graph"));
}

#[tokio::test]
async fn an_invalid_search_is_refused() {
    let gateway = TestGateway::start().await;
    let long = "a".repeat(201);
    for (query, field) in [
        ("q=", "q"),
        ("q=+%20", "q"),
        ("", "q"),
        ("q=+&type=jobs", "q"),
        (&format!("q={long}"), "q"),
        ("q=law&type=everything", "type"),
        ("q=law&cursor=page-2", "cursor"),
        ("q=law&limit=x", "limit"),
    ] {
        let reply = gateway.get(&format!("/api/search?{query}")).await;
        reply.refused(400);
        assert!(reply.json()["fields"].get(field).is_some(), "{query:.40}: {}", reply.json());
    }
    gateway.fakes.seen();
    for (query, size) in [("limit=5", 5), ("limit=50", 5), ("limit=1", 1), ("type=", 3)] {
        assert_eq!(gateway.get(&format!("/api/search?q=law&{query}")).await.status, 200);
        let seen = gateway.fakes.seen();
        let call = seen.iter().find(|seen| seen.method == "search_jobs").unwrap();
        assert!(call.message.contains(&format!("page_size: {size}")), "{query}: {}", call.message);
    }
}

#[tokio::test]
async fn an_unavailable_service_degrades_a_search_of_all_kinds_and_fails_one_of_its_kind() {
    for (list, method, service) in LISTS {
        let gateway = TestGateway::start().await;
        gateway.fakes.fail(method, FakeServices::unavailable());
        let found = gateway.get("/api/search?q=law").await;
        assert_eq!((found.status.as_u16(), found.header("x-degraded")), (200, service));
        let body = found.json();
        for (other, _, _) in LISTS {
            assert_eq!(body[other] == Value::Null, other == list, "{other} without {list}");
        }
        let single = gateway.get(&format!("/api/search?q=law&type={list}")).await;
        single.refused(503);
    }
    let gateway = TestGateway::start().await;
    for (_, method, _) in LISTS {
        gateway.fakes.fail(method, FakeServices::unavailable());
    }
    let found = gateway.get("/api/search?q=law").await;
    assert_eq!(found.header("x-degraded"), "profile, feed, social-graph, news, jobs");
    assert_eq!(found.json()["terms"], json!([]));
}

#[tokio::test]
async fn searches_are_limited_to_sixty_a_minute_and_thirty_for_visitors() {
    let gateway = TestGateway::start().await;
    let search = || TestRequest::new("GET", "/api/search?q=law&type=jobs");
    for n in 0..60 {
        assert_eq!(gateway.send(search().by_member(ANA)).await.status, 200, "{n}");
    }
    gateway.send(search().by_member(ANA)).await.refused(429);
    assert_eq!(gateway.send(search().by_member(BEN)).await.status, 200);
    for n in 0..30 {
        assert_eq!(gateway.send(search().from("192.0.2.1")).await.status, 200, "{n}");
    }
    gateway.send(search().from("192.0.2.1")).await.refused(429);
    assert_eq!(gateway.send(search().from("192.0.2.2")).await.status, 200);
}

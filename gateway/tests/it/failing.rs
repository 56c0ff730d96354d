//! Unavailable, slow and broken upstreams: degradation, deadlines and retries.

use std::time::Duration;

use primitives::error::{ErrorKind, new_status};
use serde_json::json;

use crate::{
    actors::{ANA, APPLICATION, ARTICLE, COMMUNITY, CONVERSATION, EVENT, JOB, RESOURCE},
    fakes::{Failure, FakeServices},
    test_gateway::{TestGateway, TestRequest},
};

#[tokio::test]
async fn a_read_is_retried_once_and_a_write_is_not() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail_once("list_posts", FakeServices::unavailable());
    assert_eq!(gateway.get("/api/posts").await.status, 200);
    assert_eq!(gateway.fakes.count("list_posts"), 2);

    gateway.fakes.fail_once("create_post", FakeServices::unavailable());
    let post = TestRequest::new("POST", "/api/posts").by_member(ANA).json(&json!({ "content": "Hello" }));
    gateway.send(post).await.refused(503);
    assert_eq!(gateway.fakes.count("create_post"), 1);

    for (method, path) in [("refresh_jobs", "/api/jobs/refresh"), ("refresh_news", "/api/news/refresh")] {
        gateway.fakes.fail_once(method, FakeServices::unavailable());
        gateway.send(TestRequest::new("POST", path)).await.refused(503);
        assert_eq!(gateway.fakes.count(method), 1, "{path}");
    }
}

#[tokio::test]
async fn an_outage_opens_the_circuit_breaker() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("list_posts", FakeServices::unavailable());
    let mut attempts = 0;
    // Ten failures in a row open the breaker. Its refusals do not reach the service.
    for _ in 0..20 {
        gateway.get("/api/posts").await.refused(503);
        attempts += gateway.fakes.count("list_posts");
    }
    assert_eq!(attempts, 10);
}

#[tokio::test]
async fn without_its_service_a_main_list_is_503_and_a_side_list_is_empty() {
    let gateway = TestGateway::start().await;
    for method in ["list_posts", "list_jobs", "list_articles", "list_resources", "get_stats"] {
        gateway.fakes.fail(method, FakeServices::unavailable());
    }
    for path in ["/api/posts", "/api/jobs", "/api/news", "/api/resources", "/api/jobs/stats/overview"] {
        let reply = gateway.get(path).await;
        reply.refused(503);
        assert_eq!(reply.header("retry-after"), "1");
    }
    for (method, path) in [
        ("list_communities", "/api/communities"),
        ("list_events", "/api/events"),
        ("list_suggestions", &format!("/api/users/{ANA}/suggestions")),
    ] {
        gateway.fakes.fail(method, FakeServices::unavailable());
        let reply = gateway.send(TestRequest::new("GET", path).by_member(ANA)).await;
        assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "social-graph"), "{path}");
        assert_eq!(reply.json(), json!([]));
        assert_eq!((reply.header("link"), reply.header("x-total-count")), ("", ""), "no next page and no total");
    }
}

#[tokio::test]
async fn without_messaging_unread_is_zero_and_lists_are_503() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("get_unread", FakeServices::unavailable());
    let reply = gateway.send(TestRequest::new("GET", "/api/unread").by_member(ANA)).await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "messaging"));
    assert_eq!(reply.json(), json!({ "messages": 0, "requests": 0, "notifications": 0 }));

    let paths = [
        ("list_conversations", "/api/conversations".to_owned()),
        ("list_partners", "/api/conversations?search=ben".to_owned()),
        ("match_names", "/api/conversations?search=ben".to_owned()),
        ("list_messages", format!("/api/conversations/{CONVERSATION}")),
        ("list_notifications", "/api/notifications".to_owned()),
        ("list_notification_switches", "/api/notifications/settings".to_owned()),
    ];
    for (method, path) in paths {
        gateway.fakes.fail(method, FakeServices::unavailable());
        let reply = gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await;
        reply.refused(503);
        assert_eq!(reply.header("x-degraded"), "", "{path}");
        gateway.fakes.heal();
        assert_eq!(gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await.status, 200, "{path}");
    }
    let page = format!("/api/conversations/{CONVERSATION}");
    gateway.fakes.fail("mark_read", FakeServices::unavailable());
    assert_eq!(
        gateway.send(TestRequest::new("GET", &page).by_member(ANA)).await.status,
        200,
        "a failed read mark does not fail the page"
    );
}

#[tokio::test]
async fn without_its_service_a_single_entity_is_503() {
    let gateway = TestGateway::start().await;
    let paths = [
        ("get_community", format!("/api/communities/{COMMUNITY}")),
        ("list_members", format!("/api/communities/{COMMUNITY}/members")),
        ("get_event", format!("/api/events/{EVENT}")),
        ("list_attendees", format!("/api/events/{EVENT}/attendees")),
        ("get_event", format!("/api/events/{EVENT}/calendar.ics")),
        ("list_blocks", "/api/blocks".to_owned()),
        ("get_job", format!("/api/jobs/{JOB}")),
        ("list_my_applications", "/api/jobs/applications/my".to_owned()),
        ("get_application", format!("/api/jobs/applications/{APPLICATION}")),
        ("get_article", format!("/api/news/{ARTICLE}")),
        ("get_resource", format!("/api/resources/{RESOURCE}")),
    ];
    for (method, path) in paths {
        gateway.fakes.fail(method, FakeServices::unavailable());
        let reply = gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await;
        reply.refused(503);
        assert_eq!((reply.header("retry-after"), reply.header("x-degraded")), ("1", ""), "{path}");
        gateway.fakes.heal();
        assert_eq!(gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn the_status_page_shows_the_available_services() {
    let gateway = TestGateway::start().await;
    let degraded = |reply: &crate::test_gateway::Reply| -> Vec<String> {
        reply.headers.get_all("x-degraded").iter().map(|value| value.to_str().unwrap().to_owned()).collect()
    };
    for (unavailable, missing) in [
        (vec![], vec![]),
        (vec!["list_sources"], vec!["jobs"]),
        (vec!["list_crawled_sources"], vec!["news"]),
        (vec!["list_sources", "list_crawled_sources"], vec!["jobs", "news"]),
    ] {
        gateway.fakes.heal();
        for method in unavailable {
            gateway.fakes.fail(method, FakeServices::unavailable());
        }
        let reply = gateway.get("/api/status").await;
        assert_eq!((reply.status.as_u16(), degraded(&reply)), (200, missing.iter().map(|s| (*s).to_owned()).collect()));
        for service in ["jobs", "news"] {
            let list = &reply.json()[service];
            assert!(if missing.contains(&service) { list.is_null() } else { list.is_array() }, "{service}: {list}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_status_page_omits_the_list_of_a_slow_service() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("list_crawled_sources", Failure::Hangs);
    let begun = tokio::time::Instant::now();
    let reply = gateway.get("/api/status").await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "news"));
    assert!(reply.json()["jobs"].is_array() && begun.elapsed() <= Duration::from_secs(2));
}

#[tokio::test]
async fn without_profile_communities_and_events_have_members_without_names() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("batch_get_members", FakeServices::unavailable());
    for (path, name) in [
        ("/api/events".to_owned(), "/0/organiser/fullName"),
        (format!("/api/events/{EVENT}"), "/organiser/fullName"),
        (format!("/api/events/{EVENT}/attendees"), "/0/user/fullName"),
        (format!("/api/communities/{COMMUNITY}/members"), "/0/user/fullName"),
    ] {
        let reply = gateway.get(&path).await;
        assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "profile"), "{path}");
        assert_eq!(reply.json().pointer(name), Some(&json!("Portia member")), "{path}");
    }
    let file = gateway.get(&format!("/api/events/{EVENT}/calendar.ics")).await;
    assert_eq!((file.status.as_u16(), file.header("x-degraded")), (200, ""), "it contains no names");
}

#[tokio::test(start_paused = true)]
async fn no_request_exceeds_its_deadline() {
    let gateway = TestGateway::start().await;
    for method in ["list_posts", "create_post", "refresh_jobs", "login"] {
        gateway.fakes.fail(method, Failure::Hangs);
    }
    let post = TestRequest::new("POST", "/api/posts").by_member(ANA).json(&json!({ "content": "Hello" }));
    let login = TestRequest::new("POST", "/api/auth/login").json(&json!({ "username": "ana", "password": "x" }));
    let refresh = TestRequest::new("POST", "/api/jobs/refresh");
    for (ask, seconds) in [(TestRequest::new("GET", "/api/posts"), 2), (post, 4), (refresh, 4), (login, 5)] {
        let begun = tokio::time::Instant::now();
        assert_eq!(gateway.send(ask).await.refused(504)["code"], "TIMEOUT");
        let took = begun.elapsed();
        assert!(took <= Duration::from_secs(seconds) && took > Duration::from_secs(seconds - 1), "{took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_profile_degrades_the_page() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("batch_get_members", Failure::Hangs);
    let reply = gateway.get("/api/posts").await;
    assert_eq!((reply.status.as_u16(), reply.header("x-degraded")), (200, "profile"));
}

#[tokio::test]
async fn an_internal_error_reveals_no_details() {
    let gateway = TestGateway::start().await;
    let broken = [
        Failure::Panics,
        Failure::With(new_status(ErrorKind::Internal, "BUG", "password=hunter2")),
        Failure::With(tonic::Status::unknown("select secret from accounts")),
        Failure::With(tonic::Status::invalid_argument("not from a service: hunter2")),
    ];
    for failure in broken {
        gateway.fakes.fail("list_jobs", failure);
        let reply = gateway.get("/api/jobs").await;
        let problem = reply.refused(500);
        assert_eq!(problem["error"], "Something went wrong on our side. Please try again.");
        assert!(!reply.text().contains("hunter2") && !reply.text().contains("secret"));
    }
}

#[tokio::test]
async fn requests_above_the_limit_are_refused_at_once() {
    let gateway = TestGateway::start_with(|source| source.with("in_flight", 0)).await;
    let reply = gateway.get("/api/posts").await;
    assert_eq!(reply.refused(503)["code"], "OVERLOADED");
    assert_eq!(reply.header("retry-after"), "1");
    assert!(gateway.fakes.seen().is_empty());
}

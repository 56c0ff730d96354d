//! Refreshes: concurrent requests share one call and its result.

use std::time::Duration;

use futures::{FutureExt as _, future::join_all};
use primitives::error::{ErrorKind, new_status};
use serde_json::json;
use tokio::time::Instant;

use crate::{
    actors::{ANA, BEN, CARL},
    fakes::Failure,
    test_gateway::{TestGateway, TestRequest},
};

const A_SECOND: Duration = Duration::from_secs(1);
/// Route, method, field of the response, and the result of the fake.
const REFRESHES: [(&str, &str, &str, i32); 2] =
    [("/api/jobs/refresh", "refresh_jobs", "newJobs", 3), ("/api/news/refresh", "refresh_news", "newArticles", 5)];

/// Uses a different address for each `n`. A member sends three of eight requests, fewer than the limit of members.
fn refresh(path: &str, n: usize) -> TestRequest {
    let ask = TestRequest::new("POST", path).from(&format!("10.0.{}.{}", n / 250, n % 250));
    match [ANA, BEN, CARL].get(n % 8) {
        Some(member) => ask.by_member(*member),
        None => ask,
    }
}

#[tokio::test(start_paused = true)]
async fn a_thousand_concurrent_refreshes_share_one_call() {
    let gateway = TestGateway::start().await;
    for (path, method, found, new) in REFRESHES {
        gateway.fakes.fail_once(method, Failure::Takes(A_SECOND, Ok(())));
        let refreshes = join_all((0..1_000).map(|n| gateway.send(refresh(path, n))));
        // Other requests are not blocked.
        let (replies, other) = tokio::join!(refreshes, gateway.get("/api/posts"));
        assert_eq!(other.status, 200);
        for reply in replies {
            assert_eq!((reply.status.as_u16(), reply.json()), (200, json!({ (found): new })), "{path}");
        }
        assert_eq!(gateway.fakes.count(method), 1, "{path}");
        assert_eq!(gateway.send(refresh(path, 0)).await.status, 200);
        assert_eq!(gateway.fakes.count(method), 1, "a later request makes a new call");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_request_does_not_cancel_the_shared_refresh() {
    let gateway = TestGateway::start().await;
    for (path, method, found, new) in REFRESHES {
        gateway.fakes.fail_once(method, Failure::Takes(A_SECOND, Ok(())));
        let mut first = Box::pin(gateway.send(refresh(path, 0)));
        let mut second = Box::pin(gateway.send(refresh(path, 2)));
        assert!(first.as_mut().now_or_never().is_none() && second.as_mut().now_or_never().is_none());
        drop(first);
        let reply = second.await;
        assert_eq!((reply.status.as_u16(), reply.json()), (200, json!({ (found): new })));
        assert_eq!(gateway.fakes.count(method), 1, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_refresh_fails_for_all_callers_within_their_deadlines() {
    let gateway = TestGateway::start().await;
    for (path, method, ..) in REFRESHES {
        let three = || join_all((0..3).map(|n| gateway.send(refresh(path, n))));
        let unavailable = new_status(ErrorKind::Unavailable, "DATABASE", "unavailable");
        gateway.fakes.fail_once(method, Failure::Takes(A_SECOND, Err(unavailable)));
        for reply in three().await {
            reply.refused(503);
        }
        assert_eq!(gateway.fakes.count(method), 1, "{path}");
        gateway.fakes.fail_once(method, Failure::Hangs);
        let begun = Instant::now();
        for reply in three().await {
            assert_eq!(reply.refused(504)["code"], "TIMEOUT");
        }
        assert!(begun.elapsed() <= Duration::from_secs(4));
        assert_eq!(gateway.fakes.count(method), 1, "{path}");
        assert_eq!(gateway.send(refresh(path, 0)).await.status, 200, "the next request makes a new call");
        gateway.fakes.seen();
    }
}

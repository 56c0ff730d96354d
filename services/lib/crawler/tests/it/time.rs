//! Slow servers.

use std::time::Duration;

use crawler::fetch::{Failure, Policy};

use crate::server::{Answer, Server, ok, redirect};

/// A policy with a short timeout.
const SHORT: Policy = Policy { timeout: Duration::from_millis(600), ..Policy::FEED };

/// The failure of a response with a short timeout.
async fn failure_in_time(answer: Answer) -> Failure {
    let server = Server::start(move |_| answer.clone()).await;
    server.fetch_by("/feed", &SHORT).await.unwrap_err()
}

#[tokio::test]
async fn a_silent_server_times_out() {
    assert_eq!(failure_in_time(Answer::Silence(Vec::new())).await, Failure::TimedOut);
}

#[tokio::test]
async fn slow_headers_time_out() {
    assert_eq!(failure_in_time(Answer::Slowly(ok("late"), Duration::from_millis(100))).await, Failure::TimedOut);
}

#[tokio::test]
async fn endless_headers_are_refused() {
    let head = b"HTTP/1.1 200 OK\r\n".to_vec();
    let long = [head.clone(), b"x-long: ".to_vec()].concat();
    for (head, again) in [(head, "x-more: and more\r\n"), (long, "aaaaaaaaaaaaaaaa")] {
        let server = Server::start(move |_| Answer::Endless(head.clone(), again.as_bytes().to_vec())).await;
        assert_eq!(server.failure("/feed").await, Failure::InvalidHttp, "{again}");
    }
}

#[tokio::test]
async fn endless_early_hints_time_out() {
    let failure =
        failure_in_time(Answer::Endless(Vec::new(), b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".to_vec())).await;
    assert_eq!(failure, Failure::TimedOut);
}

#[tokio::test]
async fn a_slow_body_times_out() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n".to_vec();
    let (server_head, rest) = (head.clone(), vec![b'a'; 1_000]);
    let server =
        Server::start(move |_| Answer::Slowly([server_head.clone(), rest.clone()].concat(), Duration::from_millis(5)))
            .await;
    assert_eq!(server.fetch_by("/feed", &SHORT).await.unwrap_err(), Failure::TimedOut);
    assert_eq!(failure_in_time(Answer::Silence([head, b"some".to_vec()].concat())).await, Failure::TimedOut);
}

#[tokio::test]
async fn redirects_share_the_timeout_of_the_request() {
    let server = Server::start(|target| match target {
        "/" => Answer::Slowly(redirect("/again"), Duration::from_millis(4)),
        _ => Answer::Slowly(ok("at last"), Duration::from_millis(4)),
    })
    .await;
    // Each response alone would be in time.
    assert_eq!(server.fetch_by("/", &SHORT).await.unwrap_err(), Failure::TimedOut);
}

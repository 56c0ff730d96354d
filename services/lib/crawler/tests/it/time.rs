//! Servers that have time.

use std::time::Duration;

use crawler::fetch::{Failure, Policy};

use crate::server::{Answer, Server, ok, redirect};

/// As little time as a test needs; more is only more of the same.
const SHORT: Policy = Policy { timeout: Duration::from_millis(600), ..Policy::FEED };

/// What becomes of an answer when there is little time.
async fn hurried(answer: Answer) -> Failure {
    let server = Server::start(move |_| answer.clone()).await;
    server.fetch_by("/feed", &SHORT).await.unwrap_err()
}

#[tokio::test]
async fn a_server_that_never_answers_is_left() {
    assert_eq!(hurried(Answer::Silence(Vec::new())).await, Failure::TimedOut);
}

#[tokio::test]
async fn headers_that_come_one_by_one_are_not_waited_for() {
    assert_eq!(hurried(Answer::Slowly(ok("late"), Duration::from_millis(100))).await, Failure::TimedOut);
}

#[tokio::test]
async fn headers_that_never_end_are_not_kept() {
    let head = b"HTTP/1.1 200 OK\r\n".to_vec();
    let long = [head.clone(), b"x-long: ".to_vec()].concat();
    for (head, again) in [(head, "x-more: and more\r\n"), (long, "aaaaaaaaaaaaaaaa")] {
        let server = Server::start(move |_| Answer::Endless(head.clone(), again.as_bytes().to_vec())).await;
        assert_eq!(server.failure("/feed").await, Failure::NotHttp, "{again}");
    }
}

#[tokio::test]
async fn promises_of_an_answer_are_none() {
    let failure =
        hurried(Answer::Endless(Vec::new(), b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".to_vec())).await;
    assert_eq!(failure, Failure::TimedOut);
}

#[tokio::test]
async fn a_body_of_one_byte_at_a_time_is_not_waited_for() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n".to_vec();
    let (server_head, rest) = (head.clone(), vec![b'a'; 1_000]);
    let server =
        Server::start(move |_| Answer::Slowly([server_head.clone(), rest.clone()].concat(), Duration::from_millis(5)))
            .await;
    assert_eq!(server.fetch_by("/feed", &SHORT).await.unwrap_err(), Failure::TimedOut);
    assert_eq!(hurried(Answer::Silence([head, b"some".to_vec()].concat())).await, Failure::TimedOut);
}

#[tokio::test]
async fn redirects_share_the_time_of_the_one_request() {
    let server = Server::start(|target| match target {
        "/" => Answer::Slowly(redirect("/again"), Duration::from_millis(4)),
        _ => Answer::Slowly(ok("at last"), Duration::from_millis(4)),
    })
    .await;
    // Either alone would come in time.
    assert_eq!(server.fetch_by("/", &SHORT).await.unwrap_err(), Failure::TimedOut);
}

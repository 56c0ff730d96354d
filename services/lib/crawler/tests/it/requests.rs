//! What is asked, and what an answer's status means.

use std::{io, time::Duration};

use crawler::fetch::{Admitted, Ask, Failure, Fetched, Fetcher};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::server::{PATIENT, Server, answer, ask, document, within};

#[tokio::test]
async fn a_request_says_who_asks_and_nothing_else() {
    let server = Server::saying(answer(
        "200 OK",
        &[
            "Content-Type: text/xml; Charset=\"ISO-8859-1\"",
            "ETag: W/\"v1\"",
            "Last-Modified: Sun, 22 Nov 2026 10:00:00 GMT",
            "Set-Cookie: a=b",
        ],
        "body",
    ))
    .await;
    let fetcher = server.fetcher();
    let mut got = document(within(fetcher.fetch(&ask(&server.url("/feed?a=b#c")), &PATIENT)).await);
    assert_eq!(io::read_to_string(&mut got.body).unwrap(), "body");
    assert_eq!((got.bytes, got.charset.as_deref()), (4, Some("ISO-8859-1")));
    assert_eq!(
        (got.etag.as_deref(), got.last_modified.as_deref()),
        (Some("W/\"v1\""), Some("Sun, 22 Nov 2026 10:00:00 GMT"))
    );
    let again = Ask { etag: got.etag, last_modified: got.last_modified, ..ask(&server.url("/feed")) };
    document(within(fetcher.fetch(&again, &PATIENT)).await);

    let [first, second] = server.requests().try_into().unwrap();
    let mut lines: Vec<&str> = first.trim_end().lines().collect();
    lines.sort_unstable();
    let host = format!("host: {}", server.address);
    let agent = format!("user-agent: portia/{} (reads feeds and job boards)", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        lines,
        ["accept-encoding: gzip", "accept: application/rss+xml", "get /feed?a=b http/1.1", &host, &agent]
    );
    assert!(
        second.contains("if-none-match: w/\"v1\"")
            && second.contains("if-modified-since: sun, 22 nov 2026 10:00:00 gmt"),
        "{second}"
    );
    assert!(!second.contains("cookie"), "{second}");
}

#[tokio::test]
async fn unchanged_is_an_answer_only_to_who_asked() {
    let server = Server::saying("HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n").await;
    assert_eq!(server.failure("/feed").await, Failure::Status { status: 304 });
    let conditional = Ask { etag: Some("\"v1\"".to_owned()), ..ask(&server.url("/feed")) };
    let unchanged = within(server.fetcher().fetch(&conditional, &PATIENT)).await;
    assert!(matches!(unchanged, Ok(Fetched::Unchanged)), "{unchanged:?}");
}

#[tokio::test]
async fn a_validator_that_is_no_header_is_not_sent() {
    let server = Server::saying(answer("200 OK", &[&format!("etag: \"{}\"", "a".repeat(600))], "body")).await;
    let broken = Ask { etag: Some("\"a\"\r\nx-injected: 1".to_owned()), ..ask(&server.url("/feed")) };
    let got = document(within(server.fetcher().fetch(&broken, &PATIENT)).await);
    assert_eq!(got.etag, None, "too long to keep");
    let [request] = server.requests().try_into().unwrap();
    assert!(!request.contains("x-injected") && !request.contains("if-none-match"), "{request}");
}

#[tokio::test]
async fn only_200_is_an_answer() {
    for status in [
        "201 Created",
        "204 No Content",
        "206 Partial Content",
        "401 Unauthorized",
        "403 Forbidden",
        "404 Not Found",
        "500 Oops",
    ] {
        let server = Server::saying(answer(status, &[], "")).await;
        let code = status.split(' ').next().unwrap().parse().unwrap();
        assert_eq!(server.failure("/feed").await, Failure::Status { status: code }, "{status}");
    }
}

#[tokio::test]
async fn a_server_that_asks_for_a_rest_is_heard() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let server = Server::saying(answer(status, &["Retry-After: 300"], "slow down")).await;
        let failure = server.failure("/feed").await;
        assert_eq!(failure.retry_after(), Some(Duration::from_secs(300)), "{failure}");
    }
}

#[tokio::test]
async fn an_address_is_looked_at_before_anybody_is_asked() {
    let private = Server::private().await;
    let fetcher = Fetcher::new(Admitted::default(), ["host.example".to_owned()]).unwrap();
    for (url, failure) in [
        (private.url("/"), Failure::Private),
        (format!("https://{}/", private.address), Failure::Private),
        ("https://host.example:8443/".to_owned(), Failure::Port),
        ("https://other.example/".to_owned(), Failure::Elsewhere),
        ("http://host.example/".to_owned(), Failure::NotHttps),
        ("ftp://host.example/".to_owned(), Failure::NotHttps),
        ("https://me@host.example/".to_owned(), Failure::UserInformation),
    ] {
        assert_eq!(within(fetcher.fetch(&ask(&url), &PATIENT)).await.unwrap_err(), failure, "{url}");
    }
    assert_eq!(private.accepts(), 0);
}

#[tokio::test]
async fn who_is_not_there_cannot_be_reached() {
    let server = Server::private().await;
    let (fetcher, url) = (server.fetcher(), server.url("/"));
    drop(server);
    let failure = within(async {
        loop {
            // The listener ends with its task, a moment later.
            match fetcher.fetch(&ask(&url), &PATIENT).await {
                Err(failure @ Failure::Unreachable) => return failure,
                _ => tokio::task::yield_now().await,
            }
        }
    })
    .await;
    assert_eq!(failure.to_string(), "The server could not be reached.");
}

#[tokio::test]
async fn no_failure_tells_an_address_or_a_servers_words() {
    let server = Server::saying(answer("418 Secret Word", &["x-secret: word"], "secret")).await;
    let failure = server.failure("/path?key=secret").await;
    assert_eq!(failure.to_string(), "The server answered 418.");
    assert_eq!(format!("{failure:?}"), "Status { status: 418 }");
}

#[tokio::test]
async fn who_cannot_prove_who_it_is_is_not_trusted() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let fetcher = Fetcher::new(address.to_string().parse().unwrap(), []).unwrap();
    let failure = within(fetcher.fetch(&ask(&format!("https://{address}/")), &PATIENT)).await.unwrap_err();
    assert_eq!(failure, Failure::Untrusted);
}

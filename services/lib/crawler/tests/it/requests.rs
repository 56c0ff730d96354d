//! Requests: headers, validators, status codes, and checks before the request.

use std::{io, time::Duration};

use crawler::fetch::{AdmittedHosts, Failure, FetchOutcome, Fetcher, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::server::{PATIENT, Server, answer, document, request, within};

#[tokio::test]
async fn a_request_has_only_the_necessary_headers() {
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
    let mut got = document(within(fetcher.fetch(&request(&server.url("/feed?a=b#c")), &PATIENT)).await);
    assert_eq!(io::read_to_string(&mut got.body).unwrap(), "body");
    assert_eq!((got.bytes, got.charset.as_deref()), (4, Some("ISO-8859-1")));
    assert_eq!(
        (got.etag.as_deref(), got.last_modified.as_deref()),
        (Some("W/\"v1\""), Some("Sun, 22 Nov 2026 10:00:00 GMT"))
    );
    let again = Request { etag: got.etag, last_modified: got.last_modified, ..request(&server.url("/feed")) };
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
async fn not_modified_is_valid_only_for_a_conditional_request() {
    let server = Server::saying("HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n").await;
    assert_eq!(server.failure("/feed").await, Failure::Status { status: 304 });
    let conditional = Request { etag: Some("\"v1\"".to_owned()), ..request(&server.url("/feed")) };
    let unchanged = within(server.fetcher().fetch(&conditional, &PATIENT)).await;
    assert!(matches!(unchanged, Ok(FetchOutcome::Unchanged)), "{unchanged:?}");
}

#[tokio::test]
async fn an_invalid_validator_is_not_sent() {
    let server = Server::saying(answer("200 OK", &[&format!("etag: \"{}\"", "a".repeat(600))], "body")).await;
    let broken = Request { etag: Some("\"a\"\r\nx-injected: 1".to_owned()), ..request(&server.url("/feed")) };
    let got = document(within(server.fetcher().fetch(&broken, &PATIENT)).await);
    assert_eq!(got.etag, None, "too long to keep");
    let [request] = server.requests().try_into().unwrap();
    assert!(!request.contains("x-injected") && !request.contains("if-none-match"), "{request}");
}

#[tokio::test]
async fn only_status_200_is_a_success() {
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
async fn retry_after_is_read() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let server = Server::saying(answer(status, &["Retry-After: 300"], "slow down")).await;
        let failure = server.failure("/feed").await;
        assert_eq!(failure.retry_after(), Some(Duration::from_secs(300)), "{failure}");
    }
}

#[tokio::test]
async fn an_address_is_checked_before_the_request() {
    let private = Server::private().await;
    let fetcher = Fetcher::new(AdmittedHosts::default(), ["host.example".to_owned()]).unwrap();
    for (url, failure) in [
        (private.url("/"), Failure::Private),
        (format!("https://{}/", private.address), Failure::Private),
        ("https://host.example:8443/".to_owned(), Failure::Port),
        ("https://other.example/".to_owned(), Failure::HostNotConfigured),
        ("http://host.example/".to_owned(), Failure::NotHttps),
        ("ftp://host.example/".to_owned(), Failure::NotHttps),
        ("https://me@host.example/".to_owned(), Failure::UserInformation),
    ] {
        assert_eq!(within(fetcher.fetch(&request(&url), &PATIENT)).await.unwrap_err(), failure, "{url}");
    }
    assert_eq!(private.accepts(), 0);
}

#[tokio::test]
async fn a_stopped_server_cannot_be_reached() {
    let server = Server::private().await;
    let (fetcher, url) = (server.fetcher(), server.url("/"));
    drop(server);
    let failure = within(async {
        loop {
            // The listener ends with its task, a moment later.
            match fetcher.fetch(&request(&url), &PATIENT).await {
                Err(failure @ Failure::Unreachable) => return failure,
                _ => tokio::task::yield_now().await,
            }
        }
    })
    .await;
    assert_eq!(failure.to_string(), "The server could not be reached.");
}

#[tokio::test]
async fn a_failure_contains_no_address_and_no_text_of_the_server() {
    let server = Server::saying(answer("418 Secret Word", &["x-secret: word"], "secret")).await;
    let failure = server.failure("/path?key=secret").await;
    assert_eq!(failure.to_string(), "The server answered 418.");
    assert_eq!(format!("{failure:?}"), "Status { status: 418 }");
}

#[tokio::test]
async fn a_server_without_tls_is_not_trusted() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let fetcher = Fetcher::new(address.to_string().parse().unwrap(), []).unwrap();
    let failure = within(fetcher.fetch(&request(&format!("https://{address}/")), &PATIENT)).await.unwrap_err();
    assert_eq!(failure, Failure::TlsFailed);
}

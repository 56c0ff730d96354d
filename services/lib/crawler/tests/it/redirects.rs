//! Redirects: their targets are checked like the first address.

use crawler::fetch::{Failure, Fetcher, Request};

use crate::server::{Answer, PATIENT, Server, answer, document, ok, redirect, request, within};

/// The failure of a redirect to `to`.
async fn redirect_failure(to: &str) -> Failure {
    let answer = redirect(to);
    let server = Server::saying(answer).await;
    let failure = server.failure("/feed").await;
    assert_eq!(server.requests().len(), 1, "{to}");
    failure
}

#[tokio::test]
async fn no_redirect_reaches_a_private_address() {
    let private = Server::private().await;
    let port = private.address.port();
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "10.0.0.1",
        "169.254.169.254",
        "[fd00:ec2::254]",
    ] {
        for scheme in ["http", "https"] {
            assert_eq!(redirect_failure(&format!("{scheme}://{host}:{port}/secret")).await, Failure::Private, "{host}");
        }
    }
    assert_eq!(redirect_failure("http://169.254.169.254/latest/meta-data/").await, Failure::Private);
    assert_eq!(redirect_failure(&format!("//127.0.0.1:{port}/secret")).await, Failure::Private);
    // A name with a port is not resolved.
    for name in ["localhost", "localhost.", "LOCALHOST", "sub.localhost"] {
        assert_eq!(redirect_failure(&format!("http://{name}:{port}/secret")).await, Failure::Port, "{name}");
    }
    assert_eq!(private.accepts(), 0);
}

#[tokio::test]
async fn no_redirect_reaches_another_host_or_another_scheme() {
    for elsewhere in
        ["https://elsewhere.example/feed", "https://host.example.elsewhere.example/", "https://xhost.example/"]
    {
        assert_eq!(redirect_failure(elsewhere).await, Failure::HostNotConfigured, "{elsewhere}");
    }
    assert_eq!(redirect_failure("https://localhost/").await, Failure::HostNotConfigured);
    for plain in ["http://host.example/feed", "http://www.host.example/feed"] {
        assert_eq!(redirect_failure(plain).await, Failure::NotHttps, "{plain}");
    }
    for other in [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "gopher://127.0.0.1:70/x",
        "ftp://host.example/x",
        "data:text/xml,<rss/>",
        "javascript:alert(1)",
        "unix:/var/run/docker.sock",
    ] {
        assert_eq!(redirect_failure(other).await, Failure::NotHttps, "{other}");
    }
    assert_eq!(redirect_failure("https://host.example:8443/feed").await, Failure::Port);
    assert_eq!(redirect_failure("https://user:pw@host.example/feed").await, Failure::UserInformation);
}

#[tokio::test]
async fn a_redirect_without_a_valid_target_is_a_failure() {
    for location in [&[][..], &["location: http://"], &["location: https://exa mple"], &["location: \u{e9}"]] {
        let server = Server::saying(answer("302 Found", location, "")).await;
        assert_eq!(server.failure("/").await, Failure::Status { status: 302 }, "{location:?}");
    }
    let server = Server::saying(answer("300 Multiple Choices", &["location: /other"], "")).await;
    assert_eq!(server.failure("/").await, Failure::Status { status: 300 });
}

#[tokio::test]
async fn two_redirects_are_followed_and_the_third_is_not() {
    let server = Server::start(|target| {
        Answer::Bytes(match target {
            "/two" => redirect("one"),
            "/three" => redirect("/two"),
            "/one" => answer("308 Permanent Redirect", &["location: ?last#part"], ""),
            "/one?last" | "/last" => ok("here"),
            _ => answer("404 Not Found", &[], ""),
        })
    })
    .await;
    assert_eq!(server.document("/two").await.bytes, 4);
    assert_eq!(server.requests().len(), 3);
    assert_eq!(server.failure("/three").await, Failure::Redirects { most: 2 });
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn a_redirect_loop_ends_after_two_redirects() {
    let server = Server::saying(redirect("/feed")).await;
    assert_eq!(server.failure("/feed").await, Failure::Redirects { most: 2 });
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn secret_headers_are_sent_only_to_the_first_host() {
    let other = Server::saying(ok("other")).await;
    let to = other.url("/feed");
    let server = Server::start(move |target| {
        Answer::Bytes(match target {
            "/away" => redirect(&to),
            "/here" => redirect("/feed"),
            _ => ok("here"),
        })
    })
    .await;
    let admitted = format!("{},{}", server.address, other.address).parse().unwrap();
    let fetcher = Fetcher::new(admitted, []).unwrap();
    let secret = |path: &str| Request {
        headers: vec![
            ("authorization-key".parse().unwrap(), "k3y".parse().unwrap()),
            ("user-agent".parse().unwrap(), "operator@example.org".parse().unwrap()),
        ],
        ..request(&server.url(path))
    };
    document(within(fetcher.fetch(&secret("/here"), &PATIENT)).await);
    document(within(fetcher.fetch(&secret("/away"), &PATIENT)).await);
    for request in server.requests() {
        assert!(
            request.contains("authorization-key: k3y") && request.contains("user-agent: operator@example.org"),
            "{request}"
        );
    }
    let [request] = other.requests().try_into().unwrap();
    assert!(!request.contains("k3y") && !request.contains("operator"), "{request}");
    assert!(!format!("{:?}", secret("/here")).contains("k3y"));
}

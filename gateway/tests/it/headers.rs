//! The headers of every response, the origin check and compression.

use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::json;

use crate::{
    actors::{ANA, POST},
    test_gateway::{TestGateway, TestRequest},
};

#[tokio::test]
async fn every_response_has_the_security_headers_and_a_trace_id() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("list_jobs", crate::fakes::Failure::Panics);
    let asks = [
        ("GET", "/api/posts", 200),
        ("GET", "/api/nothing", 404),
        ("PUT", "/api/posts", 405),
        ("GET", "/api/auth/me", 401),
        ("GET", "/api/jobs", 500),
        ("GET", "/api/news?page=x", 400),
        ("GET", "/api/docs", 200),
        ("GET", "/", 404),
    ];
    for (method, path, status) in asks {
        let reply = gateway.send(TestRequest::new(method, path)).await;
        assert_eq!(reply.status, status, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "strict-origin-when-cross-origin");
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin");
        assert!(reply.header("permissions-policy").contains("camera=()"));
        let policy = reply.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        // A response of the API is no page.
        let is_page = ["/", "/api/docs"].contains(&path);
        assert_eq!(policy == "default-src 'none'; frame-ancestors 'none'", !is_page, "{path}");
        assert!(!policy.contains("unsafe"));
        // The reader of the API document has its own policy, for its style sheet only.
        assert_eq!(
            policy.contains("require-trusted-types-for 'script'; trusted-types default;"),
            path == "/",
            "{path}"
        );
        let reports = if path == "/" { "policy=\"/api/policy-reports\"" } else { "" };
        assert_eq!(reply.header("reporting-endpoints"), reports, "{path}");
        assert_eq!(policy.contains("report-uri /api/policy-reports; report-to policy"), path == "/", "{path}");
        assert_eq!(reply.header("x-request-id").len(), 32, "{path}");
        assert_eq!(reply.header("strict-transport-security"), "", "not on http");
        assert_eq!(reply.header("access-control-allow-origin"), "");
        assert_eq!(reply.header("cache-control"), if path.starts_with("/api") { "no-store" } else { "" }, "{path}");
    }
}

#[tokio::test]
async fn https_sets_strict_transport_security() {
    let gateway = TestGateway::start_with(|source| source.with("public_origin", "https://portia.example")).await;
    let header = "max-age=63072000; includeSubDomains";
    assert_eq!(gateway.get("/api/posts").await.header("strict-transport-security"), header);
}

#[tokio::test]
async fn only_a_trusted_hop_continues_its_trace() {
    let gateway = TestGateway::start_with(|source| source.with("trusted_hops", "10.0.0.0/8")).await;
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let ask = |peer: &str| {
        let ask = TestRequest::new("GET", "/api/posts").from(peer);
        ask.header("traceparent", &format!("00-{trace}-00f067aa0ba902b7-01"))
    };
    assert_eq!(gateway.send(ask("10.1.2.3")).await.header("x-request-id"), trace);
    // Another client, also one that claims to be behind the hop.
    for ask in [ask("192.0.2.7"), ask("192.0.2.7").header("x-forwarded-for", "10.1.2.3")] {
        let own = gateway.send(ask).await.header("x-request-id").to_owned();
        assert!(own.len() == 32 && own != trace, "{own}");
    }
}

#[tokio::test]
async fn writes_of_other_origins_are_refused() {
    let gateway = TestGateway::start().await;
    let writes = [
        ("POST", "/api/posts".to_owned()),
        ("POST", format!("/api/posts/{POST}/likes")),
        ("DELETE", format!("/api/posts/{POST}/likes")),
        ("POST", format!("/api/posts/{POST}/comments")),
        ("POST", "/api/auth/login".to_owned()),
        ("POST", "/api/auth/register".to_owned()),
        ("POST", "/api/auth/logout".to_owned()),
        ("POST", "/api/auth/reset-password".to_owned()),
        ("POST", "/api/auth/change-password".to_owned()),
        ("POST", "/api/auth/close-account".to_owned()),
        ("DELETE", "/api/auth/sessions".to_owned()),
        ("PATCH", format!("/api/users/{ANA}")),
        ("PUT", format!("/api/users/{ANA}/profile")),
        ("POST", "/api/connections".to_owned()),
        ("POST", "/api/nothing".to_owned()),
    ];
    for (method, path) in writes {
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
        ] {
            let ask = TestRequest::new(method, &path)
                .by_member(ANA)
                .header(name, value)
                .json(&json!({ "content": "x", "type": "like" }));
            assert_eq!(gateway.send(ask).await.refused(403)["code"], "FOREIGN_ORIGIN", "{method} {path}");
        }
    }
    assert!(gateway.fakes.seen().is_empty());
    let own = TestRequest::new("POST", "/api/posts")
        .by_member(ANA)
        .header("sec-fetch-site", "same-origin")
        .json(&json!({ "content": "x" }));
    assert_eq!(gateway.send(own).await.status, 201);
    let read = TestRequest::new("GET", "/api/posts")
        .header("sec-fetch-site", "cross-site")
        .header("origin", "https://evil.example");
    assert_eq!(gateway.send(read).await.status, 200);
}

#[tokio::test]
async fn long_responses_are_compressed_when_the_client_accepts_it() {
    let gateway = TestGateway::start().await;
    let plain = gateway.get("/api/openapi.json").await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    let packed = gateway.send(TestRequest::new("GET", "/api/openapi.json").header("accept-encoding", "br, gzip")).await;
    assert_eq!((packed.header("content-encoding"), packed.header("content-type")), ("gzip", "application/json"));
    assert!(packed.bytes.len() * 4 < plain.bytes.len(), "{} of {}", packed.bytes.len(), plain.bytes.len());
    let mut unpacked = Vec::new();
    GzDecoder::new(&*packed.bytes).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.bytes);
    // Too short, not asked for, or a page.
    for (path, accepted) in [("/api/auth/me", "gzip"), ("/api/openapi.json", "gzip;q=0"), ("/api/docs", "gzip")] {
        let reply = gateway.send(TestRequest::new("GET", path).header("accept-encoding", accepted)).await;
        assert_eq!(reply.header("content-encoding"), "", "{path} {accepted}");
    }
}

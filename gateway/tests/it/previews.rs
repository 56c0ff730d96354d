//! Link previews: the meta tags of a page for visitors.

use std::{fs, time::Duration};

use futures::future::join_all;
use portia_proto::profile::{Member, MemberChanged};
use tempfile::TempDir;
use tokio::time::{Instant, timeout};

use crate::{
    actors::{self, ANA, ARTICLE, CARL, CLOSED_JOB, EVENT, JOB, PICTURE, UNKNOWN},
    fakes::{Failure, FakeServices, SOON},
    test_gateway::{TestGateway, TestRequest},
};

const PAGE: &str = "<head><meta property=\"csp-nonce\" nonce=\"__CSP_NONCE__\"></head><body id=\"root\"></body>";
const MARK: &str = "data-preview";

async fn open() -> (TestGateway, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), PAGE).unwrap();
    let web = folder.path().to_owned();
    let gateway =
        TestGateway::start_with(|source| source.with("web_dir", web).with("public_origin", "https://portia.example"))
            .await;
    subscribed(&gateway).await;
    (gateway, folder)
}

/// Waits until the gateway is subscribed to the facts of profile. The subscription empties the cache.
async fn subscribed(gateway: &TestGateway) {
    let carl = format!("/profile/{CARL}");
    gateway.get(&carl).await;
    gateway.fakes.publish("profile", &MemberChanged { member_id: CARL.to_string(), ..MemberChanged::default() }).await;
    gateway.fakes.seen();
    let forgotten = async {
        while gateway.fakes.count("get_member") == 0 {
            gateway.get(&carl).await;
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, forgotten).await.unwrap();
}

fn profile() -> String {
    format!("/profile/{ANA}")
}

/// The content of a tag; empty when there is none.
fn content(page: &str, name: &str) -> String {
    let tag = page.split_once(&format!("{name}\" content=\"")).map(|(_, rest)| rest);
    tag.and_then(|rest| rest.split_once('"')).map(|(content, _)| content.to_owned()).unwrap_or_default()
}

fn between(page: &str, before: &str, after: &str) -> String {
    page.split_once(before)
        .and_then(|(_, rest)| rest.split_once(after))
        .map(|(it, _)| it.to_owned())
        .unwrap_or_default()
}

#[tokio::test]
async fn a_page_has_the_preview_of_its_entity() {
    let (gateway, _folder) = open().await;
    let picture = Some(PICTURE.to_owned());
    *gateway.fakes.member.lock().unwrap() = actors::member(ANA).map(|ana| Member { avatar_url: picture, ..ana });
    let default_picture = "https://portia.example/brand/portia-icon.png".to_owned();
    for (path, title, description, kind, picture) in [
        (
            profile(),
            "Ana Reyes | Portia",
            "Ana Reyes on Portia, the professional network for law students and legal professionals.",
            "profile",
            format!("https://portia.example{PICTURE}"),
        ),
        (
            format!("/jobs/{JOB}"),
            "Summer associate, Firm LLP | Portia",
            "Research and drafting.",
            "website",
            default_picture.clone(),
        ),
        (
            format!("/legal-news/{ARTICLE}"),
            "Court rules | Portia",
            "Court rules, in the legal news on Portia.",
            "article",
            default_picture.clone(),
        ),
        (
            format!("/events/{EVENT}"),
            "Moot court | Portia",
            "Moot court, an event for law students and legal professionals on Portia.",
            "website",
            default_picture.clone(),
        ),
    ] {
        let page = gateway.get(&path).await.text();
        assert_eq!(between(&page, "<title data-preview>", "</title>"), title, "{page}");
        assert_eq!(between(&page, "rel=\"canonical\" href=\"", "\""), format!("https://portia.example{path}"));
        for (name, expected) in [
            ("description", description),
            ("og:title", title),
            ("og:description", description),
            ("og:type", kind),
            ("og:url", &format!("https://portia.example{path}")),
            ("og:image", &picture),
            ("og:site_name", "Portia"),
            ("og:locale", "en_US"),
            ("twitter:card", "summary"),
            ("twitter:title", title),
            ("twitter:description", description),
            ("twitter:image", &picture),
        ] {
            assert_eq!(content(&page, name), expected, "{path} {name}");
        }
        assert!(page.ends_with("</head><body id=\"root\"></body>"), "{page}");
        assert_eq!(page.matches("<title").count(), 1);
    }
}

#[tokio::test]
async fn the_canonical_url_does_not_depend_on_the_requested_form() {
    let (gateway, _folder) = open().await;
    let path = format!("/profile/{}/?utm=x", ANA.to_string().to_uppercase());
    let page = gateway.get(&path).await.text();
    assert_eq!(content(&page, "og:url"), format!("https://portia.example{}", profile()));
}

#[tokio::test]
async fn on_a_loopback_the_canonical_url_has_the_requested_host() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), PAGE).unwrap();
    let gateway = TestGateway::start_with(|source| source.with("web_dir", folder.path())).await;
    for host in ["127.0.0.1:8080", "localhost:8080"] {
        let mut ask =
            http::Request::builder().uri(profile()).header("host", host).body(axum::body::Body::empty()).unwrap();
        let address = |raw: &str| raw.parse().unwrap();
        let ends = gateway::Connection { peer: address("127.0.0.1:50000"), local: address("127.0.0.1:8080") };
        ask.extensions_mut().insert(ends);
        let reply = tower::ServiceExt::oneshot(gateway.server().router, ask).await.unwrap();
        let page = http_body_util::BodyExt::collect(reply.into_body()).await.unwrap().to_bytes();
        let page = String::from_utf8_lossy(&page).into_owned();
        assert_eq!(content(&page, "og:url"), format!("http://{host}{}", profile()));
    }
}

#[tokio::test]
async fn the_name_of_a_member_is_escaped() {
    let (gateway, _folder) = open().await;
    for (name, written) in [
        ("</title><script>alert(1)</script>", "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\"><img src=x onerror=alert(1)>", "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"),
        ("' onload='x", "' onload='x"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("Ana\u{202e}\u{2066}seyeR", "AnaseyeR"),
        ("__CSP_NONCE__", "__CSP_NONCE__"),
        ("</head>", "&lt;/head&gt;"),
    ] {
        *gateway.fakes.member.lock().unwrap() = actors::member(ANA).map(|ana| Member {
            full_name: name.to_owned(),
            avatar_url: Some(name.to_owned()),
            ..ana
        });
        gateway
            .fakes
            .publish("profile", &MemberChanged { member_id: ANA.to_string(), ..MemberChanged::default() })
            .await;
        let updated = async {
            loop {
                let reply = gateway.get(&profile()).await;
                if between(&reply.text(), "<title data-preview>", " | Portia</title>") == written {
                    return reply;
                }
                tokio::task::yield_now().await;
            }
        };
        let reply = timeout(SOON, updated).await.unwrap_or_else(|_| panic!("{name} was never written as {written}"));
        let page = reply.text();
        assert_eq!(content(&page, "og:title"), format!("{written} | Portia"), "{name}");
        assert_eq!(content(&page, "og:image"), "https://portia.example/brand/portia-icon.png", "{name}");
        assert_eq!((page.matches("<script").count(), page.matches("<img").count()), (0, 0), "{page}");
        assert!(reply.header("content-security-policy").contains("script-src 'self';"));
        assert!(page.contains(&format!("nonce=\"{}\"", between(&page, "nonce=\"", "\""))));
    }
}

#[tokio::test]
async fn an_invisible_entity_has_the_general_page() {
    let (gateway, _folder) = open().await;
    for path in [
        // A missing member and a closed account look the same to a visitor.
        format!("/profile/{UNKNOWN}"),
        format!("/jobs/{UNKNOWN}"),
        format!("/legal-news/{UNKNOWN}"),
        format!("/events/{UNKNOWN}"),
        "/profile/invalid".to_owned(),
        format!("/posts/{ANA}"),
        "/".to_owned(),
    ] {
        let reply = gateway.get(&path).await;
        assert_eq!(reply.status, 200, "{path}");
        assert!(!reply.text().contains(MARK), "{path}");
    }
    assert_eq!(gateway.get(&format!("/profile/{ANA}/x")).await.status, 404);
}

#[tokio::test]
async fn a_member_gets_the_page_without_tags_and_without_a_call() {
    let (gateway, _folder) = open().await;
    gateway.get(&profile()).await;
    gateway.fakes.seen();
    let reply =
        gateway.send(TestRequest::new("GET", &profile()).header("cookie", "__Host-portia_session=unknown")).await;
    assert_eq!(reply.status, 200);
    assert!(!reply.text().contains(MARK), "the subject of the page may block them");
    assert!(gateway.fakes.seen().is_empty());
}

// The wait for a preview is short. A paused clock does not count the time of a busy machine.
#[tokio::test(start_paused = true)]
async fn concurrent_visitors_share_one_call_and_later_ones_the_cache() {
    let (gateway, _folder) = open().await;
    gateway.fakes.fail_once("get_member", Failure::Takes(Duration::from_millis(20), Ok(())));
    let path = profile();
    for reply in join_all((0..100).map(|_| gateway.get(&path))).await {
        assert!(reply.text().contains("Ana Reyes | Portia"));
    }
    assert!(gateway.get(&path).await.text().contains(MARK));
    let seen = gateway.fakes.seen();
    assert_eq!((seen.len(), seen[0].actor), (1, None), "{seen:?}");

    // Missing members are cached too.
    let unknown = format!("/profile/{UNKNOWN}");
    for _ in 0..3 {
        gateway.get(&unknown).await;
    }
    assert_eq!(gateway.fakes.count("get_member"), 1);
}

#[tokio::test]
async fn a_closed_account_has_no_preview() {
    let (gateway, _folder) = open().await;
    assert!(gateway.get(&profile()).await.text().contains(MARK));
    gateway.fakes.fail("get_member", Failure::With(actors::no_member()));
    gateway.fakes.publish("profile", &MemberChanged { member_id: ANA.to_string(), ..MemberChanged::default() }).await;
    let vanished = async {
        while gateway.get(&profile()).await.text().contains(MARK) {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, vanished).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_page_does_not_wait_for_a_slow_preview() {
    let (gateway, _folder) = open().await;
    for (method, path) in [
        ("get_member", profile()),
        ("get_job", format!("/jobs/{CLOSED_JOB}")),
        ("get_article", format!("/legal-news/{ARTICLE}")),
        ("get_event", format!("/events/{EVENT}")),
    ] {
        gateway.fakes.fail_once(method, Failure::Takes(Duration::from_millis(900), Ok(())));
        let begun = Instant::now();
        let reply = gateway.get(&path).await;
        assert_eq!((reply.status.as_u16(), reply.text().contains(MARK)), (200, false), "{path}");
        assert!(begun.elapsed() <= Duration::from_millis(250), "{:?}", begun.elapsed());
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(gateway.get(&path).await.text().contains(MARK), "a late result serves the next request");
        assert_eq!(gateway.fakes.count(method), 1, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_the_next_request_calls_the_service_again() {
    let (gateway, _folder) = open().await;
    for (method, path, failure) in [
        ("get_member", profile(), FakeServices::unavailable()),
        ("get_job", format!("/jobs/{JOB}"), Failure::Hangs),
        ("get_article", format!("/legal-news/{ARTICLE}"), Failure::Panics),
    ] {
        gateway.fakes.fail(method, failure);
        let reply = gateway.get(&path).await;
        assert_eq!((reply.status.as_u16(), reply.text().contains(MARK)), (200, false), "{path}");
        tokio::time::sleep(Duration::from_secs(3)).await;
        gateway.fakes.heal();
        assert!(gateway.get(&path).await.text().contains(MARK), "{path}");
    }
}

#[tokio::test]
async fn pages_with_tags_are_read_only_and_not_cached() {
    let (gateway, _folder) = open().await;
    gateway.send(TestRequest::new("POST", &profile())).await.refused(405);
    assert!(gateway.fakes.seen().is_empty());
    let head = gateway.send(TestRequest::new("HEAD", &profile())).await;
    assert_eq!((head.status.as_u16(), head.header("content-type")), (200, "text/html; charset=utf-8"));
    // Every response has a new nonce, so there is no entity tag.
    for known in ["*", "\"x\""] {
        let reply = gateway.send(TestRequest::new("GET", &profile()).header("if-none-match", known)).await;
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (200, "no-store"));
        assert_eq!((reply.header("etag"), reply.header("content-encoding")), ("", ""));
        assert!(reply.text().contains(MARK));
    }
}

#[tokio::test]
async fn above_the_limit_pages_have_no_tags() {
    let (gateway, _folder) = open().await;
    gateway.fakes.seen();
    for n in 0..300 {
        let path = format!("/profile/{}", actors::id(0x1000 + n));
        gateway.send(TestRequest::new("GET", &path).from("192.0.2.8")).await;
    }
    assert_eq!(gateway.fakes.count("get_member"), 300);
    let reply = gateway.send(TestRequest::new("GET", &profile()).from("192.0.2.8")).await;
    assert_eq!((reply.status.as_u16(), reply.text().contains(MARK)), (200, false));
    assert!(gateway.fakes.seen().is_empty());
    assert!(gateway.get(&profile()).await.text().contains(MARK), "another address gets the tags");
    let again = gateway.send(TestRequest::new("GET", &profile()).from("192.0.2.8")).await;
    assert!(again.text().contains(MARK), "cached tags do not count");
}

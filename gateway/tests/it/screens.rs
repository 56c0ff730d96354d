//! The build of the web client: screens, files and encodings.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::test_gateway::{Reply, TestGateway, TestRequest};

const PAGE: &str =
    r#"<meta property="csp-nonce" nonce="__CSP_NONCE__"><div id="root" data-session="__SESSION__"></div>"#;

fn write(root: &Path, name: &str, content: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

async fn open() -> (TestGateway, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("dist");
    write(&root, "index.html", PAGE);
    write(&root, "theme.js", "theme");
    write(&root, "service-worker.js", "worker");
    write(&root, "assets/style-5e6f.css", "style");
    write(&root, "assets/mark-7a8b.svg", "<svg/>");
    write(&root, "assets/app-1a2b.js", "plain");
    write(&root, "assets/app-1a2b.js.br", "brotli");
    write(&root, "assets/app-1a2b.js.gz", "gzip");
    write(&root, "assets/font-3c4d.woff2", "font");
    write(folder.path(), "secret.txt", "secret");
    let gateway = TestGateway::start_with(|source| source.with("web_dir", &root)).await;
    (gateway, folder)
}

async fn encoded(gateway: &TestGateway, accepted: &str) -> Reply {
    gateway.send(TestRequest::new("GET", "/assets/app-1a2b.js").header("accept-encoding", accepted)).await
}

#[tokio::test]
async fn screens_are_200_and_other_paths_the_app_with_404() {
    let (gateway, _folder) = open().await;
    let statuses = [
        ("/", 200),
        ("/auth?register=true", 200),
        ("/profile/unknown", 200),
        ("/messages/unknown", 200),
        ("/settings", 200),
        ("/settings/privacy", 200),
        ("/welcome", 200),
        ("/nowhere", 404),
        ("/profile", 404),
        ("/assets/gone-0000.js", 404),
        ("/index.html", 404),
    ];
    for (path, status) in statuses {
        let reply = gateway.get(path).await;
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.text().contains("id=\"root\""), "{path}");
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(reply.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn each_page_has_its_own_nonce_in_its_policy() {
    let (gateway, _folder) = open().await;
    let nonce = |reply: &Reply| reply.text().split('"').nth(3).unwrap().to_owned();
    let (first, second) = (gateway.get("/").await, gateway.get("/").await);
    assert_ne!(nonce(&first), nonce(&second));
    assert!(!first.text().contains("__CSP_NONCE__"));
    let policy = first.header("content-security-policy");
    assert!(policy.contains(&format!("style-src 'self' 'nonce-{}'", nonce(&first))), "{policy}");
    assert!(policy.contains("script-src 'self';"), "{policy}");
}

#[tokio::test]
async fn files_have_the_best_encoding_and_hashed_ones_are_immutable() {
    let (gateway, _folder) = open().await;
    for (accepted, encoding, content) in [
        ("gzip, deflate, br, zstd", "br", "brotli"),
        ("gzip", "gzip", "gzip"),
        ("br;q=0, gzip", "gzip", "gzip"),
        ("identity", "", "plain"),
    ] {
        let reply = encoded(&gateway, accepted).await;
        assert_eq!((reply.header("content-encoding"), reply.text().as_str()), (encoding, content), "{accepted}");
        assert_eq!(reply.header("vary"), "accept-encoding");
        assert_eq!(reply.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
    }
    let font = gateway.send(TestRequest::new("GET", "/assets/font-3c4d.woff2").header("accept-encoding", "br")).await;
    assert_eq!((font.header("content-encoding"), font.header("content-type")), ("", "font/woff2"));
    assert_eq!(gateway.get("/theme.js").await.header("cache-control"), "no-cache");
}

#[tokio::test]
async fn policies_for_documents_are_not_on_the_subresources_of_a_page() {
    let (gateway, _folder) = open().await;
    let policies = ["content-security-policy", "permissions-policy", "referrer-policy", "cross-origin-opener-policy"];
    for path in ["/assets/app-1a2b.js", "/assets/style-5e6f.css", "/assets/font-3c4d.woff2"] {
        let reply = gateway.get(path).await;
        assert_eq!(policies.map(|name| reply.header(name)), [""; 4], "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin", "{path}");
        assert_eq!(reply.header("x-request-id").len(), 32, "{path}");
    }
    // A worker has the policy of its own script, a picture with markup can be opened as a page, and so is a missing file.
    for path in ["/service-worker.js", "/assets/mark-7a8b.svg", "/assets/gone-0000.js", "/theme.js", "/"] {
        let reply = gateway.get(path).await;
        assert!(policies.iter().all(|name| !reply.header(name).is_empty()), "{path}");
        assert!(reply.header("content-security-policy").contains("script-src 'self';"), "{path}");
    }
}

#[tokio::test]
async fn the_page_says_whether_the_request_has_a_session_cookie() {
    let (gateway, _folder) = open().await;
    assert!(gateway.get("/").await.text().contains("data-session=\"no\""));
    for cookie in ["portia_session=x", "a=b; portia_session=x"] {
        let reply = gateway.send(TestRequest::new("GET", "/").header("cookie", cookie)).await;
        assert!(reply.text().contains("data-session=\"yes\""), "{cookie}");
        assert_eq!(reply.header("cache-control"), "no-store");
    }
    let other = TestRequest::new("GET", "/").header("cookie", "portia_browser=x; a=portia_session");
    assert!(gateway.send(other).await.text().contains("data-session=\"no\""));
}

#[tokio::test]
async fn a_cached_file_is_not_sent_again() {
    let (gateway, _folder) = open().await;
    let tag = gateway.get("/theme.js").await.header("etag").to_owned();
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let reply = gateway.send(TestRequest::new("GET", "/theme.js").header("if-none-match", &known)).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (304, 0), "{known}");
        assert_eq!(reply.header("etag"), tag);
    }
    assert_eq!(gateway.send(TestRequest::new("GET", "/theme.js").header("if-none-match", "\"x\"")).await.status, 200);
}

#[tokio::test]
async fn no_path_leaves_the_build() {
    let (gateway, _folder) = open().await;
    for path in [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//secret.txt",
        "/assets/%00",
    ] {
        let reply = gateway.get(path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(!reply.text().contains("secret"), "{path}");
    }
}

#[tokio::test]
async fn screens_are_read_only() {
    let (gateway, _folder) = open().await;
    let reply = gateway.send(TestRequest::new("POST", "/jobs")).await;
    reply.refused(405);
    assert_eq!(reply.header("allow"), "GET, HEAD");
    assert_eq!(gateway.send(TestRequest::new("HEAD", "/jobs")).await.status, 200);
}

#[tokio::test]
async fn paths_of_the_api_are_not_screens() {
    let (gateway, _folder) = open().await;
    gateway.get("/api").await.refused(404);
    gateway.get("/api/nothing").await.refused(404);
    assert_eq!(gateway.get("/apix").await.header("content-type"), "text/html; charset=utf-8");
}

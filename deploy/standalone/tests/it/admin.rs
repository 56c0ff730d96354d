//! Operator commands on a running Portia, and their effect for the member.

use std::{
    path::Path,
    process::{Command, Output},
};

use portia::stack::Stack;
use portia_proto::auth::{ResetPasswordRequest, auth_service_client::AuthServiceClient};
use rpc::Call;
use serde_json::json;

use crate::{
    browser::Browser,
    local::{folder, start},
};

/// `portia admin ..` as a separate process, without this process's environment.
pub fn admin(data: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portia"))
        .arg("admin")
        .args(arguments)
        .arg("--data")
        .arg(data)
        .env_remove("PORTIA_DATABASE_URL")
        .env_remove("PORTIA_AUTH_DATABASE_URL")
        .env_remove("PORTIA_FEED_DATABASE_URL")
        .env_remove("PORTIA_JOBS_DATABASE_URL")
        .env_remove("PORTIA_NEWS_DATABASE_URL")
        .env_remove("PORTIA_PUBLIC_ORIGIN")
        .output()
        .unwrap()
}

fn reset_link(data: &Path, arguments: &[&str]) -> Output {
    admin(data, &[&["reset-link"], arguments].concat())
}

pub fn utf8(text: &[u8]) -> String {
    String::from_utf8(text.to_vec()).unwrap()
}

/// One sentence on standard error, no other output, and an exit code that is not 0.
pub fn assert_refused(output: &Output, sentence: &str) {
    let text = utf8(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains(sentence) && text.trim().lines().count() == 1, "{text}");
    assert_eq!(utf8(&output.stdout), "");
}

async fn reset(stack: &Stack, username: &str, token: &str) -> Result<(), tonic::Status> {
    let gateway = stack.context("gateway").unwrap();
    let call = Call::new(gateway.credentials(), std::time::Duration::from_secs(10));
    let message = ResetPasswordRequest {
        username: username.into(),
        password: "a new password".into(),
        link_token: Some(token.into()),
        ..ResetPasswordRequest::default()
    };
    let mut auth = AuthServiceClient::new(gateway.upstreams.transport("auth").unwrap());
    auth.reset_password(call.request(message)?).await.map(drop)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_link_is_printed_once_and_works_once() {
    let data = folder();
    let home = data.path().join("data");
    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    browser.register("Locked+Out").await;

    let output = reset_link(&home, &["locked+out", "--origin", "https://portia.example/"]);
    let printed = utf8(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", utf8(&output.stderr));
    let link = printed.lines().next().unwrap();
    let fields = link.strip_prefix("https://portia.example/forgot-password#token=").unwrap();
    let (token, username) = fields.split_once("&username=").unwrap();
    assert_eq!((token.len(), username), (43, "Locked%2BOut"), "as a browser reads fields");
    assert!(printed.contains("It works once, until 20") && printed.contains(" UTC."), "{printed}");

    reset(&stack, "locked+out", token).await.unwrap();
    assert!(reset(&stack, "locked+out", token).await.is_err(), "once");
    browser.get("/api/auth/me").await.expect(401);
    let credentials = json!({"username": "locked+out", "password": "a new password"});
    browser.post("/api/auth/login", credentials).await.expect(200);

    assert_refused(&reset_link(&home, &["no.such.member"]), "There is no account named 'no.such.member'.");
    let nowhere = reset_link(&home, &["locked+out", "--origin", "portia.example"]);
    assert_refused(&nowhere, "is not where members reach Portia");
    stack.stop().await.unwrap();
    assert_refused(&reset_link(&home, &["locked+out"]), "Portia is not running on the data in");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_revoked_and_a_missing_app_or_passkey_is_said() {
    let data = folder();
    let home = data.path().join("data");
    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    browser.register("Stolen.Phone").await;
    let output = admin(&home, &["revoke-sessions", "stolen.phone", "--note", "asked in person"]);
    let text = "Stolen.Phone: 1 session ended, and no browser is trusted.\n";
    assert_eq!(utf8(&output.stdout), text, "{}", utf8(&output.stderr));
    browser.get("/api/auth/me").await.expect(401);
    let refused = admin(&home, &["remove-totp", "stolen.phone"]);
    assert_refused(&refused, "The account 'stolen.phone' has no authenticator app.");
    let refused = admin(&home, &["remove-passkeys", "stolen.phone"]);
    assert_refused(&refused, "The account 'stolen.phone' has no passkeys.");
    for command in ["revoke-sessions", "remove-totp", "remove-passkeys"] {
        assert_refused(&admin(&home, &[command, "no.such.member"]), "There is no account named 'no.such.member'.");
    }
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_folder_is_not_created() {
    let data = folder();
    let nowhere = data.path().join("nowhere");
    assert_refused(&reset_link(&nowhere, &["locked.out"]), "Portia is not running on the data in");
    assert!(!nowhere.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_use_a_configured_database() {
    let data = folder();
    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    browser.register("locked.out").await;
    let database = stack.context("auth").unwrap().database.clone().unwrap();
    let url = sqlx::ConnectOptions::to_url_lossy(&database).to_string();
    for variable in ["PORTIA_DATABASE_URL", "PORTIA_AUTH_DATABASE_URL"] {
        let output = Command::new(env!("CARGO_BIN_EXE_portia"))
            .args(["admin", "reset-link", "locked.out", "--data"])
            .arg(data.path().join("nowhere"))
            .env_remove("PORTIA_PUBLIC_ORIGIN")
            .env(variable, &url)
            .output()
            .unwrap();
        let printed = utf8(&output.stdout);
        assert!(printed.starts_with("http://127.0.0.1:8080/forgot-password#token="), "{}", utf8(&output.stderr));
    }
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn suggested_resources_are_approved_or_rejected() {
    let data = folder();
    let home = data.path().join("data");
    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    let member = browser.register("suggests").await;
    let resources = |part: &[&str]| admin(&home, &[&["resources"], part].concat());
    assert_eq!(utf8(&resources(&["list"]).stdout), "Nothing waits.\n");

    let mut ids = Vec::new();
    for title in ["Good outlines", "Bad outlines"] {
        let url = format!("https://outlines.example/{}", ids.len());
        let form = json!({"title": title, "description": "Of torts", "url": url, "type": "guide"});
        let suggested = browser.post("/api/resources", form.clone()).await.expect(202);
        browser.post("/api/resources", form).await.expect(409);
        ids.push(suggested["id"].as_str().unwrap().to_owned());
    }
    for id in &ids {
        browser.get(&format!("/api/resources/{id}")).await.expect(404);
    }
    let listed = utf8(&resources(&["list"]).stdout);
    let places = ["Good outlines", "https://outlines.example/0", "  | Of torts", &member, "Bad outlines", &ids[1]]
        .map(|part| listed.find(part).unwrap_or_else(|| panic!("no {part}: {listed}")));
    assert!(places[0] < places[4], "the oldest first: {listed}");

    let approved = resources(&["approve", &ids[0]]);
    assert_eq!(utf8(&approved.stdout), "'Good outlines' is among the resources now.\n", "{}", utf8(&approved.stderr));
    let rejected = resources(&["reject", &ids[1]]);
    assert_eq!(utf8(&rejected.stdout), "'Bad outlines' is turned down.\n", "{}", utf8(&rejected.stderr));
    let mut visitor = Browser::new(format!("http://{}", stack.address));
    let shown = visitor.get(&format!("/api/resources/{}", ids[0])).await.expect(200);
    assert_eq!((&shown["title"], &shown["type"]), (&json!("Good outlines"), &json!("guide")));
    let newest = visitor.get("/api/resources?type=guide&limit=1").await.expect(200);
    assert_eq!(newest[0], shown);
    visitor.get(&format!("/api/resources/{}", ids[1])).await.expect(404);
    for decided in &ids {
        for command in ["approve", "reject"] {
            assert_refused(&resources(&[command, decided]), "No suggestion of that id waits.");
        }
    }
    visitor.get(&format!("/api/resources/{}", ids[0])).await.expect(200);
    // A rejected resource may be suggested again.
    let again = json!({"title": "Better", "url": "https://outlines.example/1", "type": "guide"});
    browser.post("/api/resources", again).await.expect(202);
    assert_eq!(resources(&["approve", "not-an-id"]).status.code(), Some(2));
    stack.stop().await.unwrap();
    assert_refused(&resources(&["list"]), "Portia is not running on the data in");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_source_has_a_line() {
    let data = folder();
    let stack = start(&data, true).await;
    let mut visitor = Browser::new(format!("http://{}", stack.address));
    // Without external sources the demo source is crawled at the start.
    let begun = std::time::Instant::now();
    let page = loop {
        let page = visitor.get("/api/status").await.expect(200);
        let lists = ["jobs", "news"].map(|service| page[service].as_array().unwrap().clone());
        if lists.iter().all(|list| list.iter().any(|source| source["state"] == json!("healthy"))) {
            break lists;
        }
        assert!(begun.elapsed().as_secs() < 30, "{page}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    let output = admin(&data.path().join("data"), &["sources"]);
    let printed = utf8(&output.stdout);
    let mut lines = printed.lines();
    assert!(lines.next().unwrap().starts_with("service  source"), "{printed}{}", utf8(&output.stderr));
    for (service, sources) in ["jobs", "news"].iter().zip(&page) {
        for source in sources {
            let line = lines.next().unwrap();
            let expected = [*service, source["name"].as_str().unwrap(), "demo", "healthy"];
            let mut words = line.split("  ").map(str::trim).filter(|word| !word.is_empty());
            assert_eq!(words.by_ref().take(4).collect::<Vec<_>>(), expected, "{line}");
            assert!(words.next().unwrap().ends_with(" UTC"), "{line}");
        }
    }
    assert_eq!(lines.next(), None, "{printed}");
    stack.stop().await.unwrap();
    assert_refused(&admin(&data.path().join("data"), &["sources"]), "Portia is not running on the data in");
}

//! Moderation over the whole stack: operator commands, and their effect in browsers.

use std::{path::PathBuf, time::Duration};

use portia::stack::Stack;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    admin::{admin, assert_refused, utf8},
    browser::{Browser, Response},
    local::{folder, start},
};

/// The maximum delay of a fact between two services.
const MAX_DELAY: Duration = Duration::from_secs(20);

struct Fixture {
    stack: Stack,
    home: PathBuf,
    _data: TempDir,
}

impl Fixture {
    async fn open() -> Self {
        let data = folder();
        let home = data.path().join("data");
        Self { stack: start(&data, true).await, home, _data: data }
    }

    fn visitor(&self) -> Browser {
        Browser::new(format!("http://{}", self.stack.address))
    }

    async fn member(&self, username: &str) -> (Browser, String) {
        let mut browser = self.visitor();
        let id = browser.register(username).await;
        (browser, id)
    }

    /// Runs an operator command and returns what it prints.
    fn run(&self, arguments: &[&str]) -> String {
        let output = admin(&self.home, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", utf8(&output.stderr));
        utf8(&output.stdout)
    }

    fn refused(&self, arguments: &[&str], sentence: &str) {
        assert_refused(&admin(&self.home, arguments), sentence);
    }
}

async fn report(browser: &mut Browser, kind: &str, id: &str) -> Response {
    browser.post("/api/reports", json!({"kind": kind, "id": id, "reason": "spam", "words": "It sells essays."})).await
}

async fn post(browser: &mut Browser, words: &str) -> String {
    let post = browser.post("/api/posts", json!({"content": words})).await.expect(201);
    post["id"].as_str().unwrap().to_owned()
}

/// Reads until the response has this status.
async fn wait_for_status(browser: &mut Browser, path: &str, status: u16) -> Value {
    let asked = std::time::Instant::now();
    loop {
        let answer = browser.get(path).await;
        if answer.status.as_u16() == status {
            return answer.body;
        }
        assert!(asked.elapsed() < MAX_DELAY, "{path} is not {status}: {} {}", answer.status, answer.body);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The ids of the listed reports, in order.
fn ids(listed: &str) -> Vec<String> {
    let heads = listed.lines().filter(|line| !line.starts_with(' ') && !line.is_empty());
    heads.map(|head| head.split("  ").next().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn reported_content_is_shown_and_removed() {
    let fixture = Fixture::open().await;
    let ((mut author, author_id), (mut reader, _)) = (fixture.member("Mallory").await, fixture.member("Reader").await);
    assert_eq!(fixture.run(&["reports"]), "Nothing waits.\n");
    let essays = post(&mut author, "Buy my essays").await;
    for _ in 0..2 {
        assert_eq!(report(&mut reader, "post", &essays).await.status, 202, "the same again too");
    }
    let own = report(&mut author, "post", &essays).await.expect(409);
    assert_eq!(own["error"], json!("You cannot report yourself"));
    report(&mut fixture.visitor(), "post", &essays).await.expect(401);
    report(&mut reader, "message", &essays).await.expect(404);
    assert_eq!(report(&mut reader, "member", &author_id).await.status, 202);
    let edit = Some(json!({"content": "Hello everyone"}));
    author.send(Method::PATCH, &format!("/api/posts/{essays}"), edit, &[]).await.expect(200);

    let listed = fixture.run(&["reports", "list"]);
    for part in ["  spam\n", "  | Buy my essays\n", " of Mallory\n", " by Reader\n", "  > It sells essays.\n", &essays]
    {
        assert!(listed.contains(part), "no {part:?}: {listed}");
    }
    assert!(listed.contains("  | Member Mallory (@Mallory)\n") && !listed.contains("Hello"), "{listed}");
    let reports = ids(&listed);
    assert_eq!(reports.len(), 2, "{listed}");

    let removed = fixture.run(&["reports", "resolve", &reports[0], "remove", "--note", "Essays are not for sale."]);
    assert_eq!(removed, "The post is removed.\n");
    for browser in [&mut reader, &mut author] {
        browser.get(&format!("/api/posts/{essays}")).await.expect(404);
    }
    fixture.refused(
        &["reports", "resolve", &reports[1], "remove"],
        "A member is not removed: `portia admin suspend -- Mallory` suspends the account; dismiss the report then.",
    );
    assert_eq!(fixture.run(&["reports", "resolve", &reports[1], "dismiss"]), "The report is dismissed.\n");
    assert_eq!(fixture.run(&["reports"]), "Nothing waits.\n");
    let all = fixture.run(&["reports", "--all"]);
    assert!(all.contains("\n  removed 20") && all.contains("\n  dismissed 20"), "{all}");

    // The same decision again, as after a failed audit, is recorded once. Another decision is refused.
    fixture.run(&["reports", "resolve", &reports[0], "remove"]);
    fixture.refused(&["reports", "resolve", &reports[0], "dismiss"], "This report was decided before, and otherwise.");
    fixture.refused(&["reports", "resolve", &author_id, "remove"], "There is no report of that id.");
    assert_eq!(admin(&fixture.home, &["reports", "resolve", "x", "remove"]).status.code(), Some(2));
    assert_eq!(admin(&fixture.home, &["reports", "resolve", &reports[0], "burn"]).status.code(), Some(2));
    let audit = fixture.run(&["audit"]);
    assert_eq!(audit.lines().filter(|line| line.contains("  removed")).count(), 1, "{audit}");
    for part in ["Mallory", &format!("post {essays}"), "Essays are not for sale.", "report dismissed"] {
        assert!(audit.contains(part), "no {part:?}: {audit}");
    }
    assert_eq!(fixture.run(&["audit", "--limit", "1"]).lines().count(), 2, "with the titles");
    fixture.stack.stop().await.unwrap();
    let stopped = "Portia is not running on the data in";
    assert_refused(&admin(&fixture.home, &["reports"]), stopped);
    assert_refused(&admin(&fixture.home, &["audit"]), stopped);
    assert_refused(&admin(&fixture.home, &["suspend", "Mallory"]), stopped);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reported_job_is_closed_and_a_reported_message_is_not_removed() {
    let fixture = Fixture::open().await;
    let ((mut sender, _), (mut reader, reader_id)) = (fixture.member("Mallory").await, fixture.member("Reader").await);
    let asked = std::time::Instant::now();
    let job = loop {
        // Without external sources the demo source is crawled at the start.
        let jobs = reader.get("/api/jobs").await.expect(200);
        if let Some(id) = jobs[0]["id"].as_str() {
            break id.to_owned();
        }
        assert!(asked.elapsed() < MAX_DELAY, "no jobs");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(report(&mut reader, "job", &job).await.status, 202);
    let opened = sender.post("/api/conversations", json!({"userId": reader_id})).await.expect(201);
    let path = format!("/api/conversations/{}/messages", opened["id"].as_str().unwrap());
    let message = sender.post(&path, json!({"content": "Buy my essays"})).await.expect(201);
    let message = message["id"].as_str().unwrap();
    assert_eq!(report(&mut reader, "message", message).await.status, 202);
    report(&mut fixture.member("Stranger").await.0, "message", message).await.expect(404);

    let listed = fixture.run(&["reports"]);
    assert!(
        listed.contains("  | Buy my essays\n") && listed.contains(&format!("message {message} of Mallory")),
        "{listed}"
    );
    let reports = ids(&listed);
    assert_eq!(fixture.run(&["reports", "resolve", &reports[0], "remove"]), "The job is removed.\n");
    let closed = reader.get(&format!("/api/jobs/{job}")).await.expect(200);
    assert!(closed["closedAt"].is_string(), "{closed}");
    let open = reader.get("/api/jobs?limit=100").await.expect(200);
    assert!(!open.as_array().unwrap().iter().any(|one| one["id"] == json!(job)));
    fixture.refused(&["reports", "resolve", &reports[1], "remove"], "`portia admin suspend -- Mallory`");
    let audit = fixture.run(&["audit"]);
    assert!(audit.contains(&format!("job {job}")), "{audit}");
    fixture.stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_member_cannot_sign_in_and_is_hidden_until_restored() {
    let fixture = Fixture::open().await;
    let ((mut mallory, id), (mut reader, _)) = (fixture.member("Mallory").await, fixture.member("Reader").await);
    let essays = post(&mut mallory, "Buy my essays").await;
    let (mut replayed, line) = (fixture.visitor().with_cookie_of(&mallory), mallory.live().await);
    let profile = format!("/api/users/{id}/profile");
    reader.get(&profile).await.expect(200);

    let printed = fixture.run(&["suspend", "MALLORY", "--note", "Sells essays."]);
    assert_eq!(printed, "Mallory is suspended, and hidden. 1 session ended.\n");
    line.rest().await;
    wait_for_status(&mut replayed, "/api/auth/me", 401).await;
    for path in [profile.clone(), format!("/api/posts/{essays}")] {
        wait_for_status(&mut reader, &path, 404).await;
    }
    assert_eq!(mallory.post("/api/posts", json!({"content": "Still here"})).await.status, 401);
    let credentials = json!({"username": "mallory", "password": "correct horse"});
    let refused = fixture.visitor().post("/api/auth/login", credentials.clone()).await.expect(403);
    assert_eq!(
        (&refused["error"], &refused["code"]),
        (&json!("This account is suspended"), &json!("ACCOUNT_SUSPENDED"))
    );
    let wrong = json!({"username": "mallory", "password": "not hers"});
    mallory.post("/api/auth/login", wrong).await.expect(401);
    assert!(crate::browser::Live::open(&replayed).await.is_err(), "no new stream either");

    // The trust in the browser ended with the sessions.
    let reset = json!({"username": "mallory", "password": "a new password"});
    assert_eq!(mallory.post("/api/auth/reset-password", reset).await.status, 403);
    reader.get(&profile).await.expect(404);
    fixture.refused(&["suspend", "mallory"], "The account 'mallory' is suspended already.");
    fixture.refused(&["suspend", "no.such.member"], "There is no account named 'no.such.member'.");
    fixture.refused(&["suspend", "Reader", "--note", "a\u{1b}[2J"], "The note is refused:");

    assert_eq!(fixture.run(&["restore", "mallory"]), "Mallory is restored.\n");
    fixture.refused(&["restore", "mallory"], "The account 'mallory' is not suspended.");
    wait_for_status(&mut reader, &profile, 200).await;
    wait_for_status(&mut reader, &format!("/api/posts/{essays}"), 200).await;
    replayed.get("/api/auth/me").await.expect(401);
    mallory.post("/api/auth/login", credentials).await.expect(200);
    mallory.get("/api/auth/me").await.expect(200);
    let audit = fixture.run(&["audit"]);
    let lines: Vec<&str> = audit.lines().collect();
    let [titles, suspended, restored] = lines[..] else { panic!("two actions under their titles: {audit}") };
    assert_eq!(
        titles.split_whitespace().collect::<Vec<_>>(),
        ["when", "what", "member", "about", "by", "reason", "note"],
        "{audit}"
    );
    assert!(suspended.contains("  suspended  Mallory") && suspended.ends_with("Sells essays."), "{audit}");
    assert!(restored.contains("  restored   Mallory"), "{audit}");
    fixture.stack.stop().await.unwrap();
}

/// Reads until the list has an entry.
async fn wait_for_entry(browser: &mut Browser, path: &str, is_entry: impl Fn(&Value) -> bool) -> Value {
    let asked = std::time::Instant::now();
    loop {
        let list = browser.get(path).await.expect(200);
        if let Some(entry) = list.as_array().unwrap().iter().find(|entry| is_entry(entry)) {
            return entry.clone();
        }
        assert!(asked.elapsed() < MAX_DELAY, "{path}: {list}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn moderators_decide_with_the_power_and_the_audit_of_the_command_line() {
    let fixture = Fixture::open().await;
    let ((mut author, _), (mut reader, _)) = (fixture.member("Mallory").await, fixture.member("Reader").await);
    let ((mut one, one_id), (mut other, _)) = (fixture.member("Mia").await, fixture.member("Noa").await);
    one.get("/api/moderation/reports").await.expect(404);
    assert_eq!(fixture.run(&["moderators", "grant", "mia", "--note", "Trusted."]), "Mia is a moderator.\n");
    fixture.run(&["moderators", "grant", "noa"]);
    fixture.refused(&["moderators", "grant", "Mia"], "The account 'Mia' is a moderator already.");
    assert!(fixture.run(&["moderators", "list"]).contains("Noa"));
    wait_for_status(&mut one, "/api/moderation/reports", 200).await;
    wait_for_status(&mut other, "/api/moderation/reports", 200).await;
    assert_eq!(one.get("/api/auth/me").await.expect(200)["moderator"], json!(true));

    let essays = post(&mut author, "Buy my essays").await;
    assert_eq!(report(&mut reader, "post", &essays).await.status, 202);
    let open = one.get("/api/moderation/reports").await.expect(200);
    let path = format!("/api/moderation/reports/{}/decision", open[0]["id"].as_str().unwrap());
    let remove = json!({"decision": "remove", "reason": "spam", "note": "Not for sale."});
    one.post(&path, remove.clone()).await.expect(200);
    other.post(&path, remove).await.expect(409);
    author.get(&format!("/api/posts/{essays}")).await.expect(404);

    let notice = wait_for_entry(&mut author, "/api/notifications", |entry| entry["kind"] == "content_removed").await;
    assert_eq!(notice["subject"]["name"], json!("spam"));
    let appeal = format!("/api/appeals/{}", notice["subject"]["id"].as_str().unwrap());
    let shown = author.get(&appeal).await.expect(200);
    assert_eq!((&shown["excerpt"], &shown["reason"]), (&json!("Buy my essays"), &json!("spam")));
    assert!(!shown.to_string().contains(&one_id), "the author does not learn who decided: {shown}");
    author.post(&appeal, json!({"text": "They are free."})).await.expect(201);
    author.post(&appeal, json!({"text": "They are free."})).await.expect(409);
    let overturn = json!({"decision": "overturn", "reason": "no-violation"});
    let decision = appeal.replace("/api/", "/api/moderation/") + "/decision";
    one.post(&decision, overturn.clone()).await.expect(403);
    assert_eq!(other.post(&decision, overturn).await.expect(200)["restored"], json!(true));
    reader.get(&format!("/api/posts/{essays}")).await.expect(200);
    wait_for_entry(&mut author, "/api/notifications", |entry| entry["kind"] == "appeal_decided").await;

    wait_for_entry(&mut one, "/api/moderation/log", |entry| entry["event"] == "appeal-overturned").await;
    let audit = fixture.run(&["audit"]);
    for part in
        ["  Mia  ", "  Noa  ", "moderator granted", "appeal overturned", "Not for sale.", &format!("post {essays}")]
    {
        assert!(audit.contains(part), "no {part:?}: {audit}");
    }
    assert_eq!(fixture.run(&["moderators", "revoke", "mia"]), "Mia is no longer a moderator.\n");
    wait_for_status(&mut one, "/api/moderation/reports", 404).await;
    fixture.stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reporter_does_not_suspend_and_a_suspension_by_a_moderator_is_appealed_at_the_sign_in() {
    let fixture = Fixture::open().await;
    let (_, id) = fixture.member("Mallory").await;
    let ((mut mia, _), (mut noa, _), (mut lea, _)) =
        (fixture.member("Mia").await, fixture.member("Noa").await, fixture.member("Lea").await);
    for (moderator, name) in [(&mut mia, "mia"), (&mut noa, "noa"), (&mut lea, "lea")] {
        fixture.run(&["moderators", "grant", name]);
        wait_for_status(moderator, "/api/moderation/reports", 200).await;
    }
    assert_eq!(report(&mut mia, "member", &id).await.status, 202);
    let open = mia.get("/api/moderation/reports").await.expect(200);
    assert_eq!(open[0]["decidable"], json!(false));
    // auth learns of the report from a fact of feed.
    let details = format!("/api/moderation/reports/{}", open[0]["id"].as_str().unwrap());
    let asked = std::time::Instant::now();
    while mia.get(&details).await.expect(200)["standing"]["decidable"] == json!(true) {
        assert!(asked.elapsed() < MAX_DELAY, "auth does not learn of the report");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let suspend = format!("/api/moderation/members/{id}/suspend");
    let refused = mia.post(&suspend, json!({"reason": "spam"})).await.expect(403);
    assert_eq!(refused["code"], json!("OWN_CASE"));
    noa.post(&suspend, json!({"reason": "spam"})).await.expect(200);

    let credentials = json!({"username": "mallory", "password": "correct horse"});
    let sign_in = async || fixture.visitor().post("/api/auth/login", credentials.clone()).await;
    let refused = sign_in().await.expect(403);
    assert_eq!(refused["appeal"]["state"], json!("possible"));
    let appeal = json!({"token": refused["appeal"]["token"], "text": "They were my own notes."});
    fixture.visitor().post("/api/auth/suspension-appeal", appeal.clone()).await.expect(204);
    fixture.visitor().post("/api/auth/suspension-appeal", appeal).await.expect(403);
    assert_eq!(sign_in().await.expect(403)["appeal"], json!({"state": "waiting"}));

    let listed = lea.get("/api/moderation/suspension-appeals").await.expect(200);
    assert_eq!((&listed[0]["suspendedBy"], &listed[0]["decidable"]), (&json!("Noa"), &json!(true)));
    let decision = format!("/api/moderation/suspension-appeals/{}/decision", listed[0]["id"].as_str().unwrap());
    let lift = json!({"decision": "overturn", "reason": "no-violation"});
    for party in [&mut mia, &mut noa] {
        assert_eq!(party.post(&decision, lift.clone()).await.expect(403)["code"], json!("OWN_CASE"));
    }
    assert_eq!(lea.post(&decision, lift).await.expect(200)["appealOutcome"], json!("overturned"));
    let mut mallory = fixture.visitor();
    mallory.post("/api/auth/login", credentials.clone()).await.expect(200);
    wait_for_entry(&mut mallory, "/api/notifications", |entry| {
        entry["kind"] == "security" && entry["subject"]["name"] == "suspension_overturned"
    })
    .await;
    let audit = fixture.run(&["audit"]);
    assert!(audit.contains("appeal overturned") && audit.contains("suspension "), "{audit}");
    fixture.stack.stop().await.unwrap();
}

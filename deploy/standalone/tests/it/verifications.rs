//! Verifications over the whole stack: operator commands, the steward in a browser, and the marks that others see.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    admin::{admin, assert_refused, utf8},
    browser::Browser,
    local::{folder, start},
};

/// The maximum delay of a fact between two services.
const MAX_DELAY: Duration = Duration::from_secs(20);
const SCHOOL: &str = "Ateneo Law";

/// Reads until the body satisfies the condition.
async fn wait_for(browser: &mut Browser, path: &str, is_met: impl Fn(&Value) -> bool) -> Value {
    let asked = std::time::Instant::now();
    loop {
        let body = browser.get(path).await.body;
        if is_met(&body) {
            return body;
        }
        assert!(asked.elapsed() < MAX_DELAY, "{path}: {body}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn set(browser: &mut Browser, id: &str, body: Value) {
    browser.send(Method::PATCH, &format!("/api/users/{id}"), Some(body), &[]).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_and_stewards_verify_members_until_they_change_their_name() {
    let data = folder();
    let home = data.path().join("data");
    let stack = start(&data, true).await;
    let run = |arguments: &[&str]| {
        let output = admin(&home, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", utf8(&output.stderr));
        utf8(&output.stdout)
    };
    let refused = |arguments: &[&str], sentence: &str| assert_refused(&admin(&home, arguments), sentence);
    let base = format!("http://{}", stack.address);
    let (mut steward, mut maria, mut reader) =
        (Browser::new(base.clone()), Browser::new(base.clone()), Browser::new(base));
    let steward_id = steward.register("Steward").await;
    let (maria_id, _) = (maria.register("Maria").await, reader.register("Reader").await);
    for (browser, id) in [(&mut steward, &steward_id), (&mut maria, &maria_id)] {
        set(browser, id, json!({ "school": SCHOOL })).await;
    }
    set(&mut maria, &maria_id, json!({ "fullName": "Maria Santos" })).await;
    steward.get("/api/school/members").await.expect(404);

    refused(&["stewards", "add", "no.such.member", "--school", SCHOOL], "There is no account named 'no.such.member'.");
    assert_eq!(run(&["stewards", "add", "steward", "--school", SCHOOL]), "Steward is the steward of Ateneo Law.\n");
    refused(&["stewards", "add", "steward", "--school", SCHOOL], "is the steward of this school already.");
    assert!(run(&["stewards", "list"]).contains("Ateneo Law  Steward"));
    assert_eq!(steward.get("/api/auth/me").await.expect(200)["stewardOf"], SCHOOL);
    let members = steward.get("/api/school/members?state=unverified").await.expect(200);
    assert_eq!(members.as_array().unwrap().len(), 2, "{members}");
    maria.get("/api/school/members").await.expect(404);

    // The card of Maria is in the cache of the gateway before.
    let posted = maria.post("/api/posts", json!({ "content": "Hello" })).await.expect(201);
    let post = format!("/api/posts/{}", posted["id"].as_str().unwrap());
    assert!(reader.get(&post).await.expect(200)["user"].get("verified").is_none());
    let verify = format!("/api/school/members/{maria_id}/verify");
    let decision = json!({ "fullName": "Maria Santos", "reason": "Met in class." });
    steward.post(&verify, json!({ "fullName": "Maria", "reason": "Met." })).await.expect(409);
    steward.post(&verify, decision.clone()).await.expect(200);
    let shown = wait_for(&mut reader, &post, |post| post["user"]["verified"] == true).await;
    assert_eq!(shown["user"]["verifiedSchool"], SCHOOL);
    let is_verified = |list: &Value| list[0]["kind"] == "verified" && list[0]["subject"]["name"] == SCHOOL;
    wait_for(&mut maria, "/api/notifications", is_verified).await;

    set(&mut maria, &maria_id, json!({ "fullName": "Someone Famous" })).await;
    wait_for(&mut reader, &post, |post| post["user"].get("verified").is_none()).await;
    let is_ended =
        |list: &Value| list[0]["kind"] == "verification_ended" && list[0]["subject"]["name"] == "name_changed";
    wait_for(&mut maria, "/api/notifications", is_ended).await;

    refused(&["verify", "maria", "--school", "UP Law", "--reason", "Known."], "does not state this school.");
    refused(&["verify", "maria", "--reason", " "], "The reason is refused");
    assert_eq!(run(&["verify", "maria", "--reason", "Known."]), "Someone Famous (Maria) is verified by Portia.\n");
    refused(&["verify", "maria", "--reason", "Known."], "The account 'maria' is verified already.");
    steward.post(&format!("/api/school/members/{maria_id}/withdraw"), json!({ "reason": "No." })).await.expect(409);
    assert_eq!(
        run(&["unverify", "maria", "--reason", "A mistake."]),
        "Someone Famous (Maria) is no longer verified.\n"
    );
    refused(&["unverify", "maria", "--reason", "A mistake."], "The account 'maria' is not verified.");
    assert_eq!(run(&["stewards", "remove", "steward", "--note", "Graduated."]), "Steward is no longer a steward.\n");
    refused(&["stewards", "remove", "steward"], "The account 'steward' is no steward.");
    steward.get("/api/school/members").await.expect(404);

    let log = run(&["stewards", "log"]);
    for part in ["verified  Maria", "Met in class.", "change of the name", "operator", "A mistake."] {
        assert!(log.contains(part), "no {part:?}: {log}");
    }
    let audit = run(&["audit"]);
    let events: Vec<&str> = audit.lines().skip(1).map(|line| line[22..].split("  ").next().unwrap()).collect();
    assert_eq!(events, ["steward added", "verified", "verification withdrawn", "steward removed"], "{audit}");
    stack.stop().await.unwrap();
    refused(&["stewards", "list"], "Portia is not running on the data in");
}

//! Communities, blocks and events over the whole stack.

use std::time::{Duration, Instant};

use portia::stack::Stack;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    browser::Browser,
    local::{folder, start, wait_until_consumes},
};

/// The maximum delay of a fact between two services.
const MAX_DELAY: Duration = Duration::from_secs(30);

fn visitor(stack: &Stack) -> Browser {
    Browser::new(format!("http://{}", stack.address))
}

async fn member(stack: &Stack, username: &str) -> (Browser, String) {
    let mut browser = visitor(stack);
    let id = browser.register(username).await;
    (browser, id)
}

/// Waits until a fact has been applied in another service.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let asked = Instant::now();
    while !holds().await {
        assert!(asked.elapsed() < MAX_DELAY, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn put(browser: &mut Browser, path: &str) -> crate::browser::Response {
    browser.send(Method::PUT, path, None, &[]).await
}

async fn delete(browser: &mut Browser, path: &str) -> crate::browser::Response {
    browser.send(Method::DELETE, path, None, &[]).await
}

async fn patch(browser: &mut Browser, path: &str, body: Value) -> crate::browser::Response {
    browser.send(Method::PATCH, path, Some(body), &[]).await
}

fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// Whether the text occurs anywhere in a list.
async fn mentions(browser: &mut Browser, path: &str, text: &str) -> bool {
    browser.get(path).await.expect(200).to_string().contains(text)
}

/// Every list that could show a post of `author`.
fn lists(author: &str) -> [String; 5] {
    [
        "/api/posts?sort=recent&limit=100".to_owned(),
        "/api/posts?sort=relevant&limit=100".to_owned(),
        "/api/posts?sort=top&limit=100".to_owned(),
        format!("/api/posts?userId={author}&limit=100"),
        format!("/api/users/{author}/activity?limit=100"),
    ]
}

async fn found(owner: &mut Browser, name: &str) -> String {
    let made = owner.post("/api/communities", json!({"name": name, "rules": "Cite your sources."})).await.expect(201);
    assert_eq!((&made["role"], &made["memberCount"]), (&json!("owner"), &json!(1)));
    id_of(&made)
}

#[tokio::test(flavor = "multi_thread")]
async fn posts_of_a_community_are_hidden_from_others() {
    let data = folder();
    let stack = start(&data, true).await;
    let (mut ana, ana_id) = member(&stack, "ana").await;
    let (mut ben, ben_id) = member(&stack, "ben").await;
    let (mut carl, _) = member(&stack, "carl").await;
    let mut signed_out = visitor(&stack);

    let community = found(&mut ana, "Moot Society").await;
    let path = format!("/api/communities/{community}");
    let joined = put(&mut ben, &format!("{path}/membership")).await.expect(200);
    assert_eq!((&joined["role"], &joined["memberCount"]), (&json!("member"), &json!(2)));

    let words = |content: &str| json!({"content": content, "communityId": community});
    eventually("feed knows that Ana may post", async || ana.post("/api/posts", words("Ping.")).await.status == 201)
        .await;
    let post = id_of(&ana.post("/api/posts", words("Only among us.")).await.expect(201));
    let posts = format!("/api/posts?communityId={community}");
    eventually("feed knows that Ben may read", async || ben.get(&posts).await.status == 200).await;
    let read = ben.get(&posts).await.expect(200);
    assert_eq!((&read[0]["id"], &read[0]["community"]["name"]), (&json!(post), &json!("Moot Society")));
    ben.post(&format!("/api/posts/{post}/comments"), json!({"content": "Among us, then."})).await.expect(201);
    assert!(ben.post(&format!("/api/posts/{post}/likes"), json!({"type": "like"})).await.status.is_success());

    // Every read of a member outside the community.
    let refused = carl.get(&posts).await.expect(403);
    assert_eq!(refused["error"], json!("Join this community to see its posts."));
    signed_out.get(&posts).await.expect(401);
    let refused = carl.post("/api/posts", words("Let me in.")).await.expect(403);
    assert_eq!(refused["error"], json!("Join this community to take part in it."));
    for stranger in [&mut carl, &mut signed_out] {
        for part in ["", "/comments", "/likes"] {
            let hidden = stranger.get(&format!("/api/posts/{post}{part}")).await.expect(404);
            assert_eq!(hidden["error"], json!("Post not found"), "{part}");
        }
        for list in lists(&ana_id).iter().chain(&lists(&ben_id)) {
            for secret in [post.as_str(), "Only among us.", "Among us, then."] {
                assert!(!mentions(stranger, list, secret).await, "{list} contains {secret}");
            }
        }
    }
    carl.post(&format!("/api/posts/{post}/likes"), json!({"type": "like"})).await.expect(404);
    carl.post(&format!("/api/posts/{post}/comments"), json!({"content": "Hello?"})).await.expect(404);
    delete(&mut carl, &format!("/api/posts/{post}/likes")).await.expect(404);
    for list in &lists(&ana_id)[..4] {
        assert!(mentions(&mut ben, list, &post).await, "{list} keeps it from a member");
    }
    assert!(mentions(&mut ana, &lists(&ben_id)[4], "Among us, then.").await);

    // Only an owner may change roles.
    for (outsider, who) in [(&mut carl, "carl"), (&mut ben, "ben")] {
        patch(outsider, &path, json!({"name": "Mine now"})).await.expect(403);
        for other in [&ana_id, &ben_id] {
            for role in ["owner", "member"] {
                let answer = patch(outsider, &format!("{path}/members/{other}"), json!({"role": role})).await;
                assert_eq!(answer.status, 403, "{who} makes {other} {role}");
            }
        }
    }
    patch(&mut signed_out, &path, json!({"name": "Mine now"})).await.expect(401);
    put(&mut signed_out, &format!("{path}/membership")).await.expect(401);

    delete(&mut ben, &format!("{path}/membership")).await.expect(200);
    eventually("feed knows that Ben left", async || ben.get(&format!("/api/posts/{post}")).await.status == 404).await;
    ben.get(&posts).await.expect(403);
    for list in lists(&ana_id) {
        assert!(!mentions(&mut ben, &list, &post).await, "{list} still shows it to a former member");
    }
    ana.get(&format!("/api/posts/{post}")).await.expect(200);
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn names_counters_and_notifications_follow_new_content() {
    let data = folder();
    let stack = start(&data, true).await;
    for source in ["feed", "social-graph"] {
        wait_until_consumes(&stack, "messaging", source).await;
    }
    let (mut ana, ana_id) = member(&stack, "ana").await;
    let (mut ben, ben_id) = member(&stack, "ben").await;
    let post = id_of(&ana.post("/api/posts", json!({"content": "What do you say?"})).await.expect(201));
    let path = format!("/api/posts/{post}");
    ben.get(&path).await.expect(200);

    // The graph's fact, the feed's fact, and what messaging counts of both.
    ben.post("/api/connections", json!({"recipientId": ana_id})).await.expect(201);
    ben.post(&format!("{path}/comments"), json!({"content": "Nothing."})).await.expect(201);
    for kind in ["connection_requested", "commented"] {
        eventually(kind, async || mentions(&mut ana, "/api/notifications", kind).await).await;
    }
    assert!(mentions(&mut ana, "/api/notifications", &ben_id).await);
    eventually("both are counted", async || ana.get("/api/unread").await.expect(200)["notifications"] == json!(2))
        .await;

    // The profile's fact invalidates the gateway's cache.
    patch(&mut ana, &format!("/api/users/{ana_id}"), json!({"fullName": "Ana Esquire"})).await.expect(200);
    eventually("her post has her new name", async || mentions(&mut ben, &path, "Ana Esquire").await).await;
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_community_always_has_an_owner_and_a_unique_name() {
    let data = folder();
    let stack = start(&data, true).await;
    let (mut ana, ana_id) = member(&stack, "ana").await;
    let (mut ben, ben_id) = member(&stack, "ben").await;
    let community = found(&mut ana, "Law Review").await;
    let path = format!("/api/communities/{community}");
    let taken = ben.post("/api/communities", json!({"name": " law   REVIEW "})).await.expect(409);
    assert!(taken["fields"]["name"].is_string(), "{taken}");

    let last = "A community needs an owner: make another member one first.";
    assert_eq!(delete(&mut ana, &format!("{path}/membership")).await.expect(409)["error"], json!(last));
    let demoted = patch(&mut ana, &format!("{path}/members/{ana_id}"), json!({"role": "member"})).await;
    assert_eq!(demoted.expect(409)["error"], json!(last));
    patch(&mut ana, &format!("{path}/members/{ben_id}"), json!({"role": "owner"})).await.expect(404);

    put(&mut ben, &format!("{path}/membership")).await.expect(200);
    let promoted = patch(&mut ana, &format!("{path}/members/{ben_id}"), json!({"role": "owner"})).await.expect(200);
    assert_eq!((&promoted["role"], &promoted["user"]["id"]), (&json!("owner"), &json!(ben_id)));
    let left = delete(&mut ana, &format!("{path}/membership")).await.expect(200);
    assert_eq!((&left["role"], &left["memberCount"]), (&json!(null), &json!(1)));
    patch(&mut ana, &path, json!({"rules": "None"})).await.expect(403);
    let changed = patch(&mut ben, &path, json!({"description": "We cite."})).await.expect(200);
    assert_eq!((&changed["name"], &changed["rules"]), (&json!("Law Review"), &json!("Cite your sources.")));
    assert_eq!(changed["description"], json!("We cite."));
    assert_eq!(visitor(&stack).get(&path).await.expect(200)["rules"], json!("Cite your sources."));
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_members_do_not_see_each_other() {
    let data = folder();
    let stack = start(&data, true).await;
    let (mut ana, ana_id) = member(&stack, "ana").await;
    let (mut ben, ben_id) = member(&stack, "ben").await;
    let (mut carl, carl_id) = member(&stack, "carl").await;
    let unknown = "01990000-0000-7000-8000-000000000000";

    // Every kind of relation between two members.
    let community = found(&mut carl, "Moot Society").await;
    let event = id_of(&carl.post("/api/events", in_a_day(&stack, "Finals")).await.expect(201));
    let shared = id_of(&carl.post("/api/posts", json!({"content": "What do you say?"})).await.expect(201));
    let asked = ana.post("/api/connections", json!({"recipientId": ben_id})).await.expect(201);
    patch(&mut ben, &format!("/api/connections/{}", id_of(&asked)), json!({"status": "accepted"})).await.expect(200);
    let mut own = Vec::new();
    for (browser, content) in [(&mut ana, "Ana's own words."), (&mut ben, "Ben's own words.")] {
        put(browser, &format!("/api/communities/{community}/membership")).await.expect(200);
        put(browser, &format!("/api/events/{event}/attendance")).await.expect(200);
        own.push(id_of(&browser.post("/api/posts", json!({"content": content})).await.expect(201)));
        let comment = json!({"content": format!("{content} In a comment.")});
        browser.post(&format!("/api/posts/{shared}/comments"), comment).await.expect(201);
        assert!(
            browser.post(&format!("/api/posts/{shared}/likes"), json!({"type": "thanks"})).await.status.is_success()
        );
    }

    assert_eq!(
        put(&mut ana, &format!("/api/blocks/{unknown}")).await.status,
        204,
        "like that of a member, and stored nowhere"
    );
    put(&mut ana, &format!("/api/blocks/{ana_id}")).await.expect(400);
    for _ in 0..2 {
        assert_eq!(put(&mut ana, &format!("/api/blocks/{ben_id}")).await.status, 204);
    }
    assert_eq!(ana.get("/api/blocks").await.expect(200)[0]["user"]["id"], json!(ben_id));
    assert_eq!(ben.get("/api/blocks").await.expect(200), json!([]), "the other member gets no notification");

    // social-graph applies the block immediately.
    let between = format!("/api/connections?requesterId={ana_id}&recipientId={ben_id}");
    for (browser, other) in [(&mut ana, &ben_id), (&mut ben, &ana_id)] {
        assert_eq!(browser.get(&between).await.expect(200), json!([]));
        let hidden = browser.post("/api/connections", json!({"recipientId": other})).await.expect(404);
        let missing = browser.post("/api/connections", json!({"recipientId": unknown})).await.expect(404);
        for field in ["error", "code", "fields"] {
            assert_eq!(hidden[field], missing[field], "{field} reveals a block");
        }
        for list in [format!("/api/communities/{community}/members"), format!("/api/events/{event}/attendees")] {
            assert!(!mentions(browser, &list, other).await, "{list}");
            assert!(mentions(browser, &list, &carl_id).await, "{list}");
        }
        assert!(!mentions(browser, &format!("/api/events/{event}"), other).await);
        assert!(!mentions(browser, "/api/events", other).await);
    }
    for (id, me) in [(&ana_id, &mut ana), (&ben_id, &mut ben)] {
        let other = if *id == ana_id { &ben_id } else { &ana_id };
        assert!(!mentions(me, &format!("/api/users/{id}/suggestions"), other).await);
    }

    // Other services apply it with a delay.
    for (browser, other, words, post) in
        [(&mut ana, &ben_id, "Ben's own words.", &own[1]), (&mut ben, &ana_id, "Ana's own words.", &own[0])]
    {
        eventually("feed knows the block", async || browser.get(&format!("/api/posts/{post}")).await.status == 404)
            .await;
        let profile = format!("/api/users/{other}/profile");
        eventually("profile knows the block", async || browser.get(&profile).await.status == 404).await;
        assert_eq!(browser.get(&profile).await.expect(404)["error"], json!("User not found"));
        for list in lists(other).iter().chain(&[
            format!("/api/posts/{shared}"),
            format!("/api/posts/{shared}/comments"),
            format!("/api/posts/{shared}/likes"),
        ]) {
            let body = browser.get(list).await.expect(200).to_string();
            assert!(!body.contains(words) && !body.contains(other.as_str()), "{list} shows the other: {body}");
        }
        browser.post(&format!("/api/posts/{post}/likes"), json!({"type": "like"})).await.expect(404);
        browser.post(&format!("/api/posts/{post}/comments"), json!({"content": "Hello?"})).await.expect(404);
        let endorse = json!({"skill": "Research"});
        assert_ne!(browser.post(&format!("/api/users/{other}/endorsements"), endorse).await.status, 200);
    }

    // Nothing changes for other members, and the counters do not change.
    for bystander in [&mut carl, &mut visitor(&stack)] {
        for id in [&ana_id, &ben_id] {
            bystander.get(&format!("/api/users/{id}/profile")).await.expect(200);
            for list in [
                format!("/api/communities/{community}/members"),
                format!("/api/events/{event}/attendees"),
                format!("/api/posts/{shared}/comments"),
                format!("/api/posts/{shared}/likes"),
            ] {
                assert!(mentions(bystander, &list, id).await, "{list}");
            }
        }
    }
    // Each viewer reads the number of attendees in their own list.
    for (browser, count) in [(&mut ana, 2), (&mut carl, 3)] {
        let seen = browser.get(&format!("/api/events/{event}")).await.expect(200);
        assert_eq!(seen["attendeeCount"], json!(count));
    }

    // Only the blocker can remove the block, and what it deleted is not restored.
    assert_eq!(delete(&mut ben, &format!("/api/blocks/{ana_id}")).await.status, 204);
    ben.post("/api/connections", json!({"recipientId": ana_id})).await.expect(404);
    for _ in 0..2 {
        assert_eq!(delete(&mut ana, &format!("/api/blocks/{ben_id}")).await.status, 204);
    }
    eventually("feed knows the end of the block", async || {
        ben.get(&format!("/api/posts/{}", own[0])).await.status == 200
    })
    .await;
    let profile = format!("/api/users/{ana_id}/profile");
    eventually("profile knows the end of the block", async || ben.get(&profile).await.status == 200).await;
    assert_eq!(ben.get(&between).await.expect(200), json!([]));
    ben.post("/api/connections", json!({"recipientId": ana_id})).await.expect(201);
    stack.stop().await.unwrap();
}

/// An event that begins in a day.
fn in_a_day(stack: &Stack, title: &str) -> Value {
    let begins = stack.context("gateway").unwrap().clock.now() + Duration::from_secs(86_400);
    json!({"title": title, "startDate": begins.to_rfc3339(), "timeZone": "Asia/Manila",
        "endDate": (begins + Duration::from_secs(7_200)).to_rfc3339()})
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_organiser_changes_an_event_and_its_file_has_its_text() {
    let data = folder();
    let stack = start(&data, true).await;
    let (mut ana, ana_id) = member(&stack, "ana").await;
    let (mut ben, _) = member(&stack, "ben").await;
    let mut signed_out = visitor(&stack);

    let mut form = in_a_day(&stack, "Moot \"court\"; BEGIN:VEVENT, \u{2696}\u{fe0f}");
    form["description"] =
        json!(format!("Bring:\r\nEND:VEVENT\r\nUID:forged\n{}", "\u{1f468}\u{200d}\u{2696}".repeat(1_600)));
    form["location"] = json!("\u{a0}Room 4\u{3000}\u{a0}".repeat(20));
    signed_out.post("/api/events", form.clone()).await.expect(401);
    let key = [("idempotency-key", "one")];
    let event = ana.send(Method::POST, "/api/events", Some(form.clone()), &key).await.expect(201);
    let again = ana.send(Method::POST, "/api/events", Some(form.clone()), &key).await.expect(201);
    assert_eq!(event["id"], again["id"]);
    let mut another = form.clone();
    another["title"] = json!("Another");
    ana.send(Method::POST, "/api/events", Some(another), &key).await.expect(422);
    assert_eq!((&event["organiser"]["id"], &event["attending"]), (&json!(ana_id), &json!(true)));
    let path = format!("/api/events/{}", id_of(&event));

    let attending = put(&mut ben, &format!("{path}/attendance")).await.expect(200);
    assert_eq!((&attending["attending"], &attending["attendeeCount"]), (&json!(true), &json!(2)));
    for (stranger, status) in [(&mut ben, 403), (&mut signed_out, 401)] {
        patch(stranger, &path, json!({"title": "Mine now"})).await.expect(status);
        delete(stranger, &path).await.expect(status);
    }
    let file = signed_out.get(&format!("{path}/calendar.ics")).await;
    assert_eq!(file.headers["content-type"], "text/calendar; charset=utf-8");
    assert_eq!(file.headers["content-disposition"], "attachment; filename=\"moot-court-begin-vevent.ics\"");
    let text = file.expect(200).as_str().unwrap().to_owned();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert!(lines.iter().all(|line| line.len() <= 75 && !line.contains(['\r', '\n'])), "{text}");
    for (name, times) in [("BEGIN:VEVENT", 1), ("END:VEVENT", 1), ("UID:", 1), ("SEQUENCE:0", 1), ("DTSTART:", 1)] {
        assert_eq!(lines.iter().filter(|line| line.starts_with(name)).count(), times, "{name} in {text}");
    }
    assert!(lines.contains(&format!("URL:http://{}/events/{}", stack.address, id_of(&event)).as_str()), "{text}");

    let moved = patch(&mut ana, &path, json!({"location": null})).await.expect(200);
    assert_eq!((&moved["location"], &moved["title"]), (&json!(null), &event["title"]));
    let text = signed_out.get(&format!("{path}/calendar.ics")).await.expect(200);
    assert!(text.as_str().unwrap().contains("\r\nSEQUENCE:1\r\n"), "calendars recognise it as newer: {text}");
    assert_eq!(delete(&mut ana, &path).await.status, 204);
    for part in ["", "/attendees", "/calendar.ics"] {
        ben.get(&format!("{path}{part}")).await.expect(404);
    }
    put(&mut ben, &format!("{path}/attendance")).await.expect(404);
    stack.stop().await.unwrap();
}

//! How often is too often, counted for whom.

use chrono::TimeDelta;
use serde_json::json;

use crate::{
    actors::{ANA, APPLICATION, BEN, CARL, COMMUNITY, CONVERSATION, EVENT, JOB, MESSAGE, POST},
    test_gateway::{Ask, TestGateway},
};

fn login(username: &str, address: &str) -> Ask {
    Ask::new("POST", "/api/auth/login").json(&json!({ "username": username, "password": "wrong" })).from(address)
}

#[tokio::test]
async fn the_eleventh_sign_in_of_a_minute_waits() {
    let gateway = TestGateway::start().await;
    for _ in 0..10 {
        gateway.send(login("ana", "192.0.2.1")).await.refused(401);
    }
    let reply = gateway.send(login("ben", "192.0.2.1")).await;
    reply.refused(429);
    let seconds: i64 = reply.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(gateway.fakes.count("login"), 10, "auth was not asked");
    gateway.send(login("ana", "192.0.2.2")).await.refused(401);
    gateway.clock.advance(TimeDelta::seconds(seconds));
    gateway.send(login("ana", "192.0.2.1")).await.refused(401);
}

#[tokio::test]
async fn an_account_is_guarded_from_many_addresses() {
    let gateway = TestGateway::start().await;
    for n in 0..100 {
        gateway.send(login(if n % 2 == 0 { " ANA" } else { "ana" }, &format!("192.0.2.{n}"))).await.refused(401);
    }
    gateway.send(login("ana", "198.51.100.1")).await.refused(429);
    gateway.send(login("ben", "198.51.100.1")).await.refused(401);
}

#[tokio::test]
async fn writes_are_counted_by_member() {
    let gateway = TestGateway::start().await;
    let write = |part: &str, member| {
        let path = if part.is_empty() { "/api/posts".to_owned() } else { format!("/api/posts/{POST}/{part}") };
        Ask::new("POST", &path).of(member).json(&json!({ "content": "Hello", "type": "like" }))
    };
    for (part, allowed) in [("", 10), ("comments", 30), ("likes", 120)] {
        for n in 0..allowed {
            assert!(gateway.send(write(part, ANA)).await.status.is_success(), "{part} {n}");
        }
        gateway.send(write(part, ANA)).await.refused(429);
        assert!(gateway.send(write(part, BEN)).await.status.is_success(), "{part} of another member");
    }
}

#[tokio::test]
async fn messages_and_signs_of_typing_are_counted_apart() {
    let gateway = TestGateway::start().await;
    let act = |part: &str, member| {
        let path = format!("/api/conversations/{CONVERSATION}/{part}");
        Ask::new("POST", &path).of(member).json(&json!({ "content": "Hello" }))
    };
    for (part, rpc) in [("messages", "send_message"), ("typing", "note_typing")] {
        for n in 0..60 {
            assert!(gateway.send(act(part, ANA)).await.status.is_success(), "{part} {n}");
        }
        gateway.send(act(part, ANA)).await.refused(429);
        assert_eq!(gateway.fakes.count(rpc), 60, "messaging was not asked");
        assert!(gateway.send(act(part, BEN)).await.status.is_success(), "{part} of another member");
    }
}

#[tokio::test]
async fn founding_and_announcing_count_as_publishing_and_the_rest_as_small_steps() {
    let gateway = TestGateway::start().await;
    let publish = |n: usize, member| match n % 3 {
        0 => post("/api/communities", json!({ "name": "Moot Society" })).of(member),
        1 => post(
            "/api/events",
            json!({ "title": "Finals", "timeZone": "UTC", "startDate": "2026-12-01T09:00:00Z",
                                         "endDate": "2026-12-01T10:00:00Z" }),
        )
        .of(member),
        _ => post("/api/posts", json!({ "content": "Hello" })).of(member),
    };
    for n in 0..10 {
        assert_eq!(gateway.send(publish(n, BEN)).await.status, 201, "{n}");
    }
    for n in 0..3 {
        gateway.send(publish(n, BEN)).await.refused(429);
    }
    assert_eq!(gateway.send(publish(0, ANA)).await.status, 201);

    let (community, event) = (format!("/api/communities/{COMMUNITY}"), format!("/api/events/{EVENT}"));
    let steps = [
        ("PUT", format!("{community}/membership"), json!({})),
        ("DELETE", format!("{community}/membership"), json!({})),
        ("PATCH", community.clone(), json!({ "name": "a" })),
        ("PATCH", format!("{community}/members/{BEN}"), json!({ "role": "owner" })),
        ("PUT", format!("{event}/attendance"), json!({})),
        ("DELETE", format!("{event}/attendance"), json!({})),
        ("PATCH", event.clone(), json!({ "title": "a" })),
        ("DELETE", event, json!({})),
        ("PUT", format!("/api/blocks/{CARL}"), json!({})),
        ("DELETE", format!("/api/blocks/{CARL}"), json!({})),
        ("DELETE", format!("/api/users/{BEN}/suggestions/{CARL}"), json!({})),
        ("POST", "/api/conversations".to_owned(), json!({ "userId": ANA })),
        ("POST", format!("/api/conversations/{CONVERSATION}/accept"), json!({})),
        ("POST", format!("/api/conversations/{CONVERSATION}/read"), json!({ "upTo": MESSAGE })),
        ("DELETE", format!("/api/conversations/{CONVERSATION}"), json!({})),
        ("POST", "/api/notifications/read".to_owned(), json!({ "upTo": "2026-11-20T12:00:00Z" })),
        ("PATCH", "/api/notifications/settings".to_owned(), json!({ "post_liked": false })),
        ("PATCH", format!("/api/jobs/applications/{APPLICATION}"), json!({ "status": "offered" })),
    ];
    let step = |n: usize| {
        let (method, path, body) = &steps[n % steps.len()];
        Ask::new(method, path).of(BEN).json(body)
    };
    for n in 0..120 {
        assert_ne!(gateway.send(step(n)).await.status, 429, "{n}");
    }
    for n in 0..steps.len() {
        gateway.send(step(n)).await.refused(429);
    }
}

#[tokio::test]
async fn news_refreshes_are_limited_by_address_for_every_caller() {
    let gateway = TestGateway::start().await;
    let refresh = |what: &str, address: &str| Ask::new("POST", &format!("/api/{what}/refresh")).from(address);
    for (what, rpc) in [("jobs", "refresh_jobs"), ("news", "refresh_news")] {
        for n in 0..10 {
            let ask = refresh(what, "192.0.2.1");
            let ask = if n % 2 == 0 { ask } else { ask.of(ANA) };
            assert_eq!(gateway.send(ask).await.status, 200, "{what} {n}");
        }
        let reply = gateway.send(refresh(what, "192.0.2.1").of(BEN)).await;
        reply.refused(429);
        let seconds: i64 = reply.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&seconds));
        assert_eq!(gateway.fakes.count(rpc), 10, "{what} was not asked");
        assert_eq!(gateway.send(refresh(what, "192.0.2.2")).await.status, 200, "{what} from elsewhere");
    }
}

#[tokio::test]
async fn applications_and_suggestions_are_counted_by_member() {
    let gateway = TestGateway::start().await;
    let apply = |member| post(&format!("/api/jobs/{JOB}/apply"), json!({})).of(member);
    let form = json!({ "title": "Outlines", "url": "https://outlines.example/", "type": "guide" });
    let suggest = |member| post("/api/resources", form.clone()).of(member);
    for n in 0..30 {
        assert_eq!(gateway.send(apply(BEN)).await.status, 201, "{n}");
    }
    gateway.send(apply(BEN)).await.refused(429);
    assert_eq!(gateway.send(apply(CARL)).await.status, 201);
    for n in 0..10 {
        assert_eq!(gateway.send(suggest(BEN)).await.status, 202, "{n}");
    }
    let reply = gateway.send(suggest(BEN)).await;
    reply.refused(429);
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 60, "they are counted by the hour");
    assert_eq!(gateway.send(suggest(ANA)).await.status, 202);
}

#[tokio::test]
async fn visitors_reads_are_counted_and_members_are_not() {
    let gateway = TestGateway::start().await;
    for _ in 0..300 {
        assert_eq!(gateway.get("/api/posts").await.status, 200);
    }
    gateway.get("/api/jobs").await.refused(429);
    assert_eq!(gateway.send(Ask::new("GET", "/api/posts").of(ANA)).await.status, 200);
}

#[tokio::test]
async fn a_forged_forwarding_header_buys_nothing() {
    let forwarded = |n: u32| login("x", "10.0.0.1").header("x-forwarded-for", &format!("203.0.113.{n}"));
    let gateway = TestGateway::start().await;
    for n in 0..10 {
        gateway.send(forwarded(n)).await.refused(401);
    }
    gateway.send(forwarded(10)).await.refused(429);

    let behind = TestGateway::start_with(|source| source.with("trusted_hops", "10.0.0.0/8")).await;
    for n in 0..12 {
        behind.send(forwarded(n)).await.refused(401);
    }
    assert!(behind.fakes.seen().iter().any(|seen| seen.message.contains("203.0.113.3")), "auth keeps the true address");
}

#[tokio::test]
async fn the_scale_multiplies() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 2)).await;
    for _ in 0..20 {
        gateway.send(login("ana", "192.0.2.1")).await.refused(401);
    }
    gateway.send(login("ana", "192.0.2.1")).await.refused(429);
}

fn post(path: &str, body: serde_json::Value) -> Ask {
    Ask::new("POST", path).json(&body)
}

#[tokio::test]
async fn names_cannot_be_tried_in_bulk() {
    let gateway = TestGateway::start().await;
    let check = |address| post("/api/auth/check-username", json!({ "username": "nobody" })).from(address);
    for _ in 0..10 {
        gateway.send(check("192.0.2.1")).await.refused(404);
    }
    gateway.send(check("192.0.2.1")).await.refused(429);
    gateway.send(check("192.0.2.2")).await.refused(404);
    assert_eq!(gateway.fakes.count("check_username"), 11);
}

#[tokio::test]
async fn codes_cannot_be_guessed_from_one_address_nor_from_many() {
    let reset = |name: &str| {
        post("/api/auth/reset-password", json!({ "username": name, "password": "new one", "recoveryCode": "x" }))
    };
    let gateway = TestGateway::start().await;
    for n in 0..10 {
        gateway.send(reset(&format!("nobody-{n}")).from("192.0.2.1")).await.refused(404);
    }
    gateway.send(reset("nobody").from("192.0.2.1")).await.refused(429);
    for n in 0..5 {
        gateway
            .send(reset(if n % 2 == 0 { " ANA" } else { "ana" }).from(&format!("198.51.100.{n}")))
            .await
            .refused(403);
    }
    gateway.fakes.seen();
    let refused = gateway.send(reset("ana").from("198.51.100.9")).await;
    refused.refused(429);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() <= 3600);
    assert!(gateway.fakes.seen().is_empty(), "auth is not asked, not even who the browser is: it brought nothing");
    gateway.send(reset("ben").from("198.51.100.9")).await.refused(403);
}

#[tokio::test]
async fn attempts_from_elsewhere_do_not_lock_out_a_trusted_browser() {
    let gateway = TestGateway::start().await;
    let reset =
        |address: &str| post("/api/auth/reset-password", json!({ "username": "ana", "password": "x" })).from(address);
    for n in 0..6 {
        gateway.send(reset(&format!("198.51.100.{n}"))).await.refused(if n < 5 { 403 } else { 429 });
    }
    let untrusted = format!("portia_browser={}", "u".repeat(43));
    gateway.send(reset("203.0.113.1").header("cookie", &untrusted)).await.refused(429);
    gateway.fakes.seen();
    assert_eq!(gateway.send(reset("203.0.113.1").trusted()).await.status, 204);
    assert_eq!(gateway.fakes.count("check_username"), 1, "asked only because the limit was used up");

    for n in 0..101 {
        gateway.send(login("ana", &format!("192.0.2.{n}"))).await.refused(if n < 100 { 401 } else { 429 });
    }
    gateway.send(login("ana", "203.0.113.2").header("cookie", &untrusted)).await.refused(429);
    gateway.send(login("ana", "203.0.113.2").trusted()).await.refused(401);
    gateway.send(login("ben", "203.0.113.2").trusted()).await.refused(401);
    // Its address is bounded like any other.
    for n in 0..8 {
        gateway.send(login("ana", "203.0.113.2").trusted()).await.refused(if n < 7 { 401 } else { 429 });
    }
}

#[tokio::test]
async fn an_account_the_browser_is_not_trusted_by_stays_limited() {
    let gateway = TestGateway::start().await;
    for n in 0..101 {
        gateway.send(login("ben", &format!("192.0.2.{n}"))).await.refused(if n < 100 { 401 } else { 429 });
    }
    gateway.send(login("ben", "203.0.113.2").trusted()).await.refused(429);
    // And when auth cannot say, the limit stands.
    gateway.fakes.fail("check_username", crate::fakes::FakeServices::away());
    gateway.send(login("ben", "203.0.113.3").trusted()).await.refused(429);
}

#[tokio::test]
async fn passwords_given_while_signed_in_are_counted_by_member() {
    let gateway = TestGateway::start().await;
    let change = |member| {
        post("/api/auth/change-password", json!({ "currentPassword": "x", "newPassword": "battery staple" })).of(member)
    };
    let close = |member| post("/api/auth/close-account", json!({ "confirmation": "ana", "password": "x" })).of(member);
    for n in 0..100 {
        gateway.send(if n % 2 == 0 { change(ANA) } else { close(ANA) }).await.refused(403);
    }
    gateway.send(change(ANA)).await.refused(429);
    gateway.send(close(ANA)).await.refused(429);
    gateway.send(change(BEN)).await.refused(403);
    let codes = |member| post("/api/auth/recovery-codes", json!({ "password": "x" })).of(member);
    for _ in 0..10 {
        gateway.send(codes(ANA)).await.refused(403);
    }
    gateway.send(codes(ANA)).await.refused(429);
    gateway.send(codes(BEN)).await.refused(403);
}

#[tokio::test]
async fn requests_to_connect_and_new_pictures_are_counted_by_the_hour() {
    let gateway = TestGateway::start().await;
    let connect = |member, other| post("/api/connections", json!({ "recipientId": other })).of(member);
    let picture = |member: uuid::Uuid| {
        let body = json!({ "avatarUrl": "data:image/png;base64,AQID" });
        Ask::new("PATCH", &format!("/api/users/{member}")).of(member).json(&body)
    };
    for _ in 0..30 {
        assert_eq!(gateway.send(connect(ANA, BEN)).await.status, 201);
        assert_eq!(gateway.send(picture(ANA)).await.status, 200);
    }
    gateway.send(connect(ANA, BEN)).await.refused(429);
    gateway.send(picture(ANA)).await.refused(429);
    assert_eq!(gateway.send(connect(BEN, ANA)).await.status, 200);
    assert_eq!(gateway.send(picture(BEN)).await.status, 200);
    let words = Ask::new("PATCH", &format!("/api/users/{ANA}")).of(ANA).json(&json!({ "headline": "2L" }));
    assert_eq!(gateway.send(words).await.status, 200, "words cost little");
}

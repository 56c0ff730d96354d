//! Rate limits, by address, account and member.

use chrono::TimeDelta;
use serde_json::json;

use crate::{
    actors::{ANA, APPLICATION, BEN, CARL, COMMUNITY, CONVERSATION, EVENT, JOB, MESSAGE, POST},
    test_gateway::{TestGateway, TestRequest},
};

fn login(username: &str, address: &str) -> TestRequest {
    TestRequest::new("POST", "/api/auth/login")
        .json(&json!({ "username": username, "password": "wrong" }))
        .from(address)
}

#[tokio::test]
async fn the_eleventh_sign_in_of_a_minute_is_refused() {
    let gateway = TestGateway::start().await;
    for _ in 0..10 {
        gateway.send(login("ana", "192.0.2.1")).await.refused(401);
    }
    let reply = gateway.send(login("ben", "192.0.2.1")).await;
    reply.refused(429);
    let seconds: i64 = reply.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(gateway.fakes.count("login"), 10, "auth was not called");
    gateway.send(login("ana", "192.0.2.2")).await.refused(401);
    gateway.clock.advance(TimeDelta::seconds(seconds));
    gateway.send(login("ana", "192.0.2.1")).await.refused(401);
}

#[tokio::test]
async fn sign_ins_that_succeed_do_not_use_up_the_limit_of_a_university() {
    let gateway = TestGateway::start().await;
    let valid = || {
        TestRequest::new("POST", "/api/auth/login")
            .json(&json!({ "username": "ana", "password": "correct horse" }))
            .from("192.0.2.1")
    };
    for n in 0..30 {
        assert_eq!(gateway.send(valid()).await.status, 200, "{n}");
    }
    for _ in 0..10 {
        gateway.send(login("ana", "192.0.2.1")).await.refused(401);
    }
    gateway.send(valid()).await.refused(429);
}

#[tokio::test]
async fn the_networks_of_a_site_have_a_common_limit_of_sign_ins_and_resets() {
    let gateway = TestGateway::start().await;
    let address = |site: u32, n: usize| format!("2001:db8:{site:x}:{n:x}::1");
    let reset = |site: u32, n: usize| {
        post("/api/auth/reset-password", json!({ "username": format!("ana.{n}"), "password": "battery staple" }))
            .from(&address(site, n))
    };
    for n in 0..40 {
        gateway.send(login(&format!("ana.{n}"), &address(1, n))).await.refused(401);
        gateway.send(reset(1, n)).await.refused(404);
    }
    gateway.send(login("ben", &address(1, 40))).await.refused(429);
    gateway.send(reset(1, 40)).await.refused(429);
    gateway.send(login("ben", &address(2, 40))).await.refused(401);
    gateway.send(reset(2, 40)).await.refused(404);
}

#[tokio::test]
async fn writes_are_limited_by_member() {
    let gateway = TestGateway::start().await;
    let write = |part: &str, member| {
        let path = if part.is_empty() { "/api/posts".to_owned() } else { format!("/api/posts/{POST}/{part}") };
        TestRequest::new("POST", &path).by_member(member).json(&json!({ "content": "Hello", "type": "like" }))
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
async fn messages_and_typing_indicators_have_separate_limits() {
    let gateway = TestGateway::start().await;
    let act = |part: &str, member| {
        let path = format!("/api/conversations/{CONVERSATION}/{part}");
        TestRequest::new("POST", &path).by_member(member).json(&json!({ "content": "Hello" }))
    };
    for (part, rpc) in [("messages", "send_message"), ("typing", "note_typing")] {
        for n in 0..60 {
            assert!(gateway.send(act(part, ANA)).await.status.is_success(), "{part} {n}");
        }
        gateway.send(act(part, ANA)).await.refused(429);
        assert_eq!(gateway.fakes.count(rpc), 60, "messaging was not called");
        assert!(gateway.send(act(part, BEN)).await.status.is_success(), "{part} of another member");
    }
}

#[tokio::test]
async fn communities_and_events_count_as_posts_and_other_writes_as_reactions() {
    let gateway = TestGateway::start().await;
    let publish = |n: usize, member| match n % 3 {
        0 => post("/api/communities", json!({ "name": "Moot Society" })).by_member(member),
        1 => post(
            "/api/events",
            json!({ "title": "Finals", "timeZone": "UTC", "startDate": "2026-12-01T09:00:00Z",
                                         "endDate": "2026-12-01T10:00:00Z" }),
        )
        .by_member(member),
        _ => post("/api/posts", json!({ "content": "Hello" })).by_member(member),
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
        ("PATCH", format!("/api/users/{BEN}/privacy"), json!({ "readReceipts": false })),
        ("PATCH", format!("/api/users/{BEN}/onboarding"), json!({ "dismissed": true })),
    ];
    let step = |n: usize| {
        let (method, path, body) = &steps[n % steps.len()];
        TestRequest::new(method, path).by_member(BEN).json(body)
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
    let refresh = |what: &str, address: &str| TestRequest::new("POST", &format!("/api/{what}/refresh")).from(address);
    for (what, rpc) in [("jobs", "refresh_jobs"), ("news", "refresh_news")] {
        for n in 0..10 {
            let ask = refresh(what, "192.0.2.1");
            let ask = if n % 2 == 0 { ask } else { ask.by_member(ANA) };
            assert_eq!(gateway.send(ask).await.status, 200, "{what} {n}");
        }
        let reply = gateway.send(refresh(what, "192.0.2.1").by_member(BEN)).await;
        reply.refused(429);
        let seconds: i64 = reply.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&seconds));
        assert_eq!(gateway.fakes.count(rpc), 10, "{what} was not called");
        assert_eq!(gateway.send(refresh(what, "192.0.2.2")).await.status, 200, "{what} from another address");
    }
}

#[tokio::test]
async fn applications_and_suggestions_are_limited_by_member() {
    let gateway = TestGateway::start().await;
    let apply = |member| post(&format!("/api/jobs/{JOB}/apply"), json!({})).by_member(member);
    let form = json!({ "title": "Outlines", "url": "https://outlines.example/", "type": "guide" });
    let suggest = |member| post("/api/resources", form.clone()).by_member(member);
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
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 60, "the limit is per hour");
    assert_eq!(gateway.send(suggest(ANA)).await.status, 202);
}

#[tokio::test]
async fn reads_of_visitors_are_limited_and_those_of_members_have_their_own_limit() {
    let gateway = TestGateway::start().await;
    for _ in 0..300 {
        assert_eq!(gateway.get("/api/posts").await.status, 200);
    }
    gateway.get("/api/jobs").await.refused(429);
    for _ in 0..1_200 {
        assert_eq!(gateway.send(TestRequest::new("GET", "/api/auth/recovery-codes").by_member(ANA)).await.status, 200);
    }
    let reply = gateway.send(TestRequest::new("GET", "/api/posts").by_member(ANA)).await;
    reply.refused(429);
    assert_eq!(reply.header("retry-after"), "1");
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/posts").by_member(BEN)).await.status, 200);
    let write = post("/api/posts", json!({ "content": "Hello" })).by_member(ANA);
    assert_eq!(gateway.send(write).await.status, 201, "writes have limits of their own");
}

#[tokio::test]
async fn writes_of_a_member_are_limited_on_every_route() {
    let gateway = TestGateway::start().await;
    let remove = || TestRequest::new("DELETE", &format!("/api/connections/{POST}")).by_member(ANA);
    let mut accepted = 0;
    while gateway.send(remove()).await.status != 429 {
        accepted += 1;
    }
    assert_eq!(accepted, 300, "a route without a limit of its own");
    let replace = TestRequest::new("PUT", &format!("/api/users/{ANA}/profile")).by_member(ANA);
    gateway.send(replace).await.refused(429);
    assert_eq!(gateway.send(TestRequest::new("GET", "/api/posts").by_member(ANA)).await.status, 200);
    assert_ne!(
        gateway.send(TestRequest::new("DELETE", &format!("/api/connections/{POST}")).by_member(BEN)).await.status,
        429
    );
}

#[tokio::test]
async fn registrations_are_limited_by_network_in_an_hour_and_in_a_day() {
    let gateway = TestGateway::start().await;
    let register = |n: usize| {
        let form = json!({ "username": format!("carla.{n}"), "password": "correct horse", "fullName": "Carla Diaz" });
        post("/api/auth/register", form)
    };
    let (mut registered, mut hours) = (0, 0);
    while hours < 6 {
        if gateway.send(register(registered).from("2001:db8:1:2::1")).await.status == 201 {
            registered += 1;
        } else {
            assert!(hours > 0 || registered == 60, "{registered} in the first hour");
            hours += 1;
            gateway.clock.advance(TimeDelta::hours(1));
        }
    }
    assert!((200..=255).contains(&registered), "{registered} in six hours");
    assert_eq!(gateway.send(register(999).from("2001:db8:1:3::1")).await.status, 201, "another network");
}

#[tokio::test]
async fn the_networks_of_a_site_share_a_limit() {
    let gateway = TestGateway::start().await;
    let register = |n: usize, address: &str| {
        let form = json!({ "username": format!("carla.{n}"), "password": "correct horse", "fullName": "Carla Diaz" });
        post("/api/auth/register", form).from(address)
    };
    let mut registered = 0;
    // Each network of its own registers less than one may in an hour.
    for network in 0..10 {
        for _ in 0..50 {
            let reply = gateway.send(register(registered, &format!("2001:db8:1:{network:x}::1"))).await;
            registered += usize::from(reply.status == 201);
        }
    }
    assert_eq!(registered, 240, "as many as four networks");
    let reply = gateway.send(register(999, "2001:db8:1:ff::1")).await;
    assert_eq!(reply.json()["code"], "PROOF_OF_WORK_REQUIRED");
    assert_eq!(gateway.send(register(1_000, "2001:db8:2:1::1")).await.status, 201, "another site");
}

#[tokio::test]
async fn a_forged_forwarding_header_has_no_effect() {
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
    assert!(
        behind.fakes.seen().iter().any(|seen| seen.message.contains("203.0.113.3")),
        "auth receives the client address"
    );
}

#[tokio::test]
async fn the_scale_multiplies_the_limits() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 2)).await;
    for _ in 0..20 {
        gateway.send(login("ana", "192.0.2.1")).await.refused(401);
    }
    gateway.send(login("ana", "192.0.2.1")).await.refused(429);
}

fn post(path: &str, body: serde_json::Value) -> TestRequest {
    TestRequest::new("POST", path).json(&body)
}

#[tokio::test]
async fn username_checks_are_limited_by_address() {
    let gateway = TestGateway::start().await;
    let check = |address| post("/api/auth/check-username", json!({ "username": "unknown" })).from(address);
    for _ in 0..10 {
        gateway.send(check("192.0.2.1")).await.refused(404);
    }
    gateway.send(check("192.0.2.1")).await.refused(429);
    gateway.send(check("192.0.2.2")).await.refused(404);
    assert_eq!(gateway.fakes.count("check_username"), 11);
}

#[tokio::test]
async fn advice_on_passwords_is_limited_by_address() {
    let gateway = TestGateway::start().await;
    let check = |address| post("/api/auth/check-password", json!({ "hashPrefix": "5e8" })).from(address);
    for _ in 0..120 {
        assert_eq!(gateway.send(check("192.0.2.1")).await.status, 200);
    }
    gateway.send(check("192.0.2.1")).await.refused(429);
    assert_eq!(gateway.send(check("192.0.2.2")).await.status, 200);
    assert_eq!(gateway.fakes.count("check_password"), 121);
}

#[tokio::test]
async fn password_checks_of_signed_in_members_are_limited_by_member() {
    let gateway = TestGateway::start().await;
    let change = |member| {
        post("/api/auth/change-password", json!({ "currentPassword": "x", "newPassword": "battery staple" }))
            .by_member(member)
    };
    let prove = |member, password, address: &str| {
        post("/api/auth/reauthenticate", json!({ "password": password })).by_member(member).from(address)
    };
    for _ in 0..20 {
        gateway.send(prove(ANA, "x", "192.0.2.1")).await.refused(403);
    }
    gateway.send(prove(ANA, "x", "192.0.2.1")).await.refused(429);
    // Right ones do not count.
    for _ in 0..30 {
        assert_eq!(gateway.send(prove(ANA, "correct horse", "192.0.2.2")).await.status, 204);
    }
    for n in 0..80 {
        let from = format!("198.51.100.{n}");
        gateway.send(if n % 2 == 0 { change(ANA).from(&from) } else { prove(ANA, "x", &from) }).await.refused(403);
    }
    gateway.send(change(ANA)).await.refused(429);
    gateway.send(prove(ANA, "correct horse", "203.0.113.1")).await.refused(429);
    gateway.send(change(BEN)).await.refused(403);
    let codes = |member| post("/api/auth/recovery-codes", json!({})).by_member(member);
    for _ in 0..10 {
        assert_eq!(gateway.send(codes(ANA)).await.status, 201);
    }
    gateway.send(codes(ANA)).await.refused(429);
    assert_eq!(gateway.send(codes(BEN)).await.status, 201);
}

#[tokio::test]
async fn connection_requests_and_pictures_are_limited_per_hour() {
    let gateway = TestGateway::start().await;
    let connect = |member, other| post("/api/connections", json!({ "recipientId": other })).by_member(member);
    let picture = |member: uuid::Uuid| {
        let body = json!({ "avatarUrl": "data:image/png;base64,AQID" });
        TestRequest::new("PATCH", &format!("/api/users/{member}")).by_member(member).json(&body)
    };
    for _ in 0..30 {
        assert_eq!(gateway.send(connect(ANA, BEN)).await.status, 201);
        assert_eq!(gateway.send(picture(ANA)).await.status, 200);
    }
    gateway.send(connect(ANA, BEN)).await.refused(429);
    gateway.send(picture(ANA)).await.refused(429);
    assert_eq!(gateway.send(connect(BEN, ANA)).await.status, 200);
    assert_eq!(gateway.send(picture(BEN)).await.status, 200);
    let words =
        TestRequest::new("PATCH", &format!("/api/users/{ANA}")).by_member(ANA).json(&json!({ "headline": "2L" }));
    assert_eq!(gateway.send(words).await.status, 200, "texts are not limited like pictures");
}

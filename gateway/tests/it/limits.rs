//! How often is too often, counted for whom.

use chrono::TimeDelta;
use serde_json::json;

use crate::{
    cast::{ANA, BEN, POST},
    door::{Ask, Door},
};

fn login(username: &str, address: &str) -> Ask {
    Ask::new("POST", "/api/auth/login").json(&json!({ "username": username, "password": "wrong" })).from(address)
}

#[tokio::test]
async fn the_eleventh_sign_in_of_a_minute_waits() {
    let door = Door::open().await;
    for _ in 0..10 {
        door.send(login("ana", "192.0.2.1")).await.refused(401);
    }
    let reply = door.send(login("ben", "192.0.2.1")).await;
    reply.refused(429);
    let seconds: i64 = reply.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(door.world.count("login"), 10, "auth was not asked");
    door.send(login("ana", "192.0.2.2")).await.refused(401);
    door.clock.advance(TimeDelta::seconds(seconds));
    door.send(login("ana", "192.0.2.1")).await.refused(401);
}

#[tokio::test]
async fn an_account_is_guarded_from_many_addresses() {
    let door = Door::open().await;
    for n in 0..100 {
        door.send(login(if n % 2 == 0 { " ANA" } else { "ana" }, &format!("192.0.2.{n}"))).await.refused(401);
    }
    door.send(login("ana", "198.51.100.1")).await.refused(429);
    door.send(login("ben", "198.51.100.1")).await.refused(401);
}

#[tokio::test]
async fn writes_are_counted_by_member() {
    let door = Door::open().await;
    let write = |part: &str, member| {
        let path = if part.is_empty() { "/api/posts".to_owned() } else { format!("/api/posts/{POST}/{part}") };
        Ask::new("POST", &path).of(member).json(&json!({ "content": "Hello", "type": "like" }))
    };
    for (part, allowed) in [("", 10), ("comments", 30), ("likes", 120)] {
        for n in 0..allowed {
            assert!(door.send(write(part, ANA)).await.status.is_success(), "{part} {n}");
        }
        door.send(write(part, ANA)).await.refused(429);
        assert!(door.send(write(part, BEN)).await.status.is_success(), "{part} of another member");
    }
}

#[tokio::test]
async fn visitors_reads_are_counted_and_members_are_not() {
    let door = Door::open().await;
    for _ in 0..300 {
        assert_eq!(door.get("/api/posts").await.status, 200);
    }
    door.get("/api/jobs").await.refused(429);
    assert_eq!(door.send(Ask::new("GET", "/api/posts").of(ANA)).await.status, 200);
}

#[tokio::test]
async fn a_forged_forwarding_header_buys_nothing() {
    let forwarded = |n: u32| login("x", "10.0.0.1").header("x-forwarded-for", &format!("203.0.113.{n}"));
    let door = Door::open().await;
    for n in 0..10 {
        door.send(forwarded(n)).await.refused(401);
    }
    door.send(forwarded(10)).await.refused(429);

    let behind = Door::with(|source| source.with("trusted_hops", "10.0.0.0/8")).await;
    for n in 0..12 {
        behind.send(forwarded(n)).await.refused(401);
    }
    assert!(behind.world.seen().iter().any(|seen| seen.message.contains("203.0.113.3")), "auth keeps the true address");
}

#[tokio::test]
async fn the_scale_multiplies() {
    let door = Door::with(|source| source.with("rate_limit_scale", 2)).await;
    for _ in 0..20 {
        door.send(login("ana", "192.0.2.1")).await.refused(401);
    }
    door.send(login("ana", "192.0.2.1")).await.refused(429);
}

//! Limits of attempts on an account: failures count by account and network, and those of strangers do not stop the owner.

use chrono::TimeDelta;
use futures::future::join_all;
use http::StatusCode;
use primitives::error::ErrorKind;
use serde_json::json;

use crate::{
    actors::BEN,
    fakes::FakeServices,
    test_gateway::{TestGateway, TestRequest},
};

fn sign_in(username: &str, password: &str, address: &str) -> TestRequest {
    let body = json!({ "username": username, "password": password });
    TestRequest::new("POST", "/api/auth/login").json(&body).from(address)
}

fn guess(username: &str, address: &str) -> TestRequest {
    sign_in(username, "wrong", address)
}

fn reset(username: &str, code: &str, address: &str) -> TestRequest {
    let body = json!({ "username": username, "password": "battery staple", "recoveryCode": code });
    TestRequest::new("POST", "/api/auth/reset-password").json(&body).from(address)
}

/// Twenty failures in six minutes, so that the limit of the network does not refuse them.
async fn use_up(gateway: &TestGateway, username: &str, address: &str) {
    for n in 0..20 {
        gateway.send(guess(username, address)).await.refused(401);
        if n % 10 == 9 {
            gateway.clock.advance(TimeDelta::seconds(60));
        }
    }
}

#[tokio::test]
async fn failures_of_a_stranger_do_not_stop_the_owner_on_another_network() {
    let gateway = TestGateway::start().await;
    for n in 0..200 {
        gateway.send(guess(if n % 2 == 0 { " ANA" } else { "ana" }, &format!("192.0.2.{n}"))).await.refused(401);
    }
    assert_eq!(gateway.send(sign_in("ana", "correct horse", "198.51.100.1")).await.status, 200);
}

#[tokio::test]
async fn failures_of_one_network_are_limited_by_account() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 1)).await;
    use_up(&gateway, "ana", "192.0.2.1").await;
    while gateway.send(guess(" ANA ", "192.0.2.1")).await.status == StatusCode::UNAUTHORIZED {}
    let refused = gateway.send(sign_in("ana", "correct horse", "192.0.2.1")).await;
    refused.refused(429);
    assert!((60..=180).contains(&refused.header("retry-after").parse().unwrap()), "the limit is per hour");
    gateway.send(guess("ben", "192.0.2.1")).await.refused(401);
    gateway.send(guess("ana", "192.0.2.2")).await.refused(401);
    // An account that does not exist is limited alike.
    use_up(&gateway, "nonesuch", "192.0.2.9").await;
    while gateway.send(guess("nonesuch", "192.0.2.9")).await.status == StatusCode::UNAUTHORIZED {}
    assert_eq!(gateway.send(guess("nonesuch", "192.0.2.9")).await.refused(429)["error"], refused.json()["error"]);
}

#[tokio::test]
async fn successful_sign_ins_do_not_count_as_failures() {
    let gateway = TestGateway::start().await;
    for n in 0..40 {
        assert_eq!(gateway.send(sign_in("ana", "correct horse", "192.0.2.1")).await.status, 200, "{n}");
        gateway.clock.advance(TimeDelta::seconds(6));
    }
    gateway.fakes.fail("login", FakeServices::unavailable());
    for n in 0..40 {
        assert_eq!(gateway.send(sign_in("ana", "correct horse", "192.0.2.1")).await.status, 503, "{n}");
        gateway.clock.advance(TimeDelta::seconds(6));
    }
}

#[tokio::test]
async fn a_distributed_guess_is_limited_over_all_networks() {
    let gateway = TestGateway::start().await;
    for n in 0..1_000 {
        gateway.send(guess("ana", &format!("192.0.{}.{}", n / 250, n % 250))).await.refused(401);
    }
    gateway.send(guess("ana", "198.51.100.1")).await.refused(429);
    gateway.send(guess("ben", "198.51.100.1")).await.refused(401);
    // A reset makes the guesses void.
    assert_eq!(gateway.send(reset("ana", "CODE", "198.51.100.1")).await.status, 204);
    gateway.send(guess("ana", "198.51.100.1")).await.refused(401);
}

#[tokio::test]
async fn parallel_guesses_do_not_exceed_the_limit() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 3)).await;
    let guesses = join_all((0..30).map(|_| gateway.send(guess("ana", "192.0.2.1")))).await;
    assert!(guesses.iter().all(|reply| reply.status == 401));
    gateway.clock.advance(TimeDelta::seconds(60));
    let guesses = join_all((0..30).map(|_| gateway.send(guess("ana", "192.0.2.1")))).await;
    assert!(guesses.iter().all(|reply| reply.status == 401));
    gateway.clock.advance(TimeDelta::seconds(60));
    let guesses = join_all((0..30).map(|_| gateway.send(guess("ana", "192.0.2.1")))).await;
    let checked = guesses.iter().filter(|reply| reply.status == 401).count();
    assert_eq!(checked, 2, "60 an hour, of which one returns each minute");
    assert_eq!(gateway.fakes.count("login"), 62);
}

#[tokio::test]
async fn resets_without_a_valid_proof_are_limited_by_network_and_account() {
    let gateway = TestGateway::start().await;
    for n in 0..10 {
        gateway.send(reset(&format!("unknown-{n}"), "x", "192.0.2.1")).await.refused(404);
    }
    gateway.send(reset("unknown", "x", "192.0.2.1")).await.refused(429);
    for n in 0..5 {
        gateway.send(reset(if n % 2 == 0 { " ANA" } else { "ana" }, "x", "198.51.100.9")).await.refused(403);
    }
    let refused = gateway.send(reset("ana", "x", "198.51.100.9")).await;
    refused.refused(429);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() <= 3600);
    gateway.send(reset("ben", "x", "198.51.100.9")).await.refused(403);
    gateway.send(reset("ana", "x", "198.51.100.10")).await.refused(403);

    gateway.fakes.seen();
    gateway.send(reset("ana", " ", "198.51.100.9")).await.refused(429);
    assert!(gateway.fakes.seen().is_empty(), "auth is not called without a proof");
}

#[tokio::test]
async fn resets_are_limited_over_all_networks() {
    let gateway = TestGateway::start().await;
    for n in 0..100 {
        gateway.send(reset("ana", "x", &format!("192.0.2.{n}"))).await.refused(403);
    }
    gateway.send(reset("ana", "x", "198.51.100.1")).await.refused(429);
    gateway.send(reset("ben", "x", "198.51.100.1")).await.refused(403);
    assert_eq!(gateway.send(reset("ana", "CODE", "198.51.100.1")).await.status, 204);
}

#[tokio::test]
async fn a_valid_proof_passes_where_strangers_used_up_the_limits() {
    let gateway = TestGateway::start().await;
    let address = "192.0.2.1";
    for n in 0..5 {
        gateway.send(reset("ana", "x", address)).await.refused(403);
        gateway.send(reset(&format!("unknown-{n}"), "x", address)).await.refused(404);
    }
    gateway.send(reset("ana", "x", address)).await.refused(429);
    gateway.send(reset("unknown", "x", address)).await.refused(429);
    for _ in 0..3 {
        assert_eq!(gateway.send(reset("ana", "CODE", address)).await.status, 204, "a recovery code");
    }
    let link = json!({ "username": "ana", "password": "battery staple", "token": "link" });
    let link = TestRequest::new("POST", "/api/auth/reset-password").json(&link).from(address);
    assert_eq!(gateway.send(link).await.status, 204, "an operator link");
    let plain = || {
        let body = json!({ "username": "ana", "password": "battery staple" });
        TestRequest::new("POST", "/api/auth/reset-password").json(&body).from(address)
    };
    assert_eq!(gateway.send(plain().trusted()).await.status, 204, "a trusted browser");
    let untrusted = format!("portia_browser={}", "u".repeat(43));
    gateway.send(plain().header("cookie", &untrusted)).await.refused(429);
}

#[tokio::test]
async fn proofs_beyond_the_limits_are_bounded_by_network() {
    let gateway = TestGateway::start().await;
    for _ in 0..5 {
        gateway.send(reset("ana", "x", "192.0.2.1")).await.refused(403);
    }
    for _ in 0..31 {
        gateway.send(reset("ana", "x", "192.0.2.1")).await.refused(429);
    }
    assert_eq!(gateway.fakes.count("reset_password"), 35);
}

#[tokio::test]
async fn failures_of_others_do_not_stop_a_trusted_browser() {
    let gateway = TestGateway::start().await;
    for n in 0..1_001 {
        let address = format!("192.0.{}.{}", n / 250, n % 250);
        gateway.send(guess("ana", &address)).await.refused(if n < 1_000 { 401 } else { 429 });
    }
    let untrusted = format!("portia_browser={}", "u".repeat(43));
    gateway.send(guess("ana", "203.0.113.2").header("cookie", &untrusted)).await.refused(429);
    assert_eq!(gateway.send(sign_in("ana", "correct horse", "203.0.113.2").trusted()).await.status, 200);
    gateway.send(guess("ben", "203.0.113.2").trusted()).await.refused(401);

    // Neither do those on its own network, whatever their account.
    for n in 0..10 {
        gateway.send(guess(&format!("unknown-{n}"), "203.0.113.3")).await.refused(401);
    }
    gateway.send(guess("unknown", "203.0.113.3")).await.refused(429);
    assert_eq!(gateway.send(sign_in("ana", "correct horse", "203.0.113.3").trusted()).await.status, 200);

    // Its own guesses are limited.
    for n in 0..21 {
        gateway.send(guess("ana", "203.0.113.3").trusted()).await.refused(if n < 20 { 401 } else { 429 });
    }
}

#[tokio::test]
async fn a_browser_that_the_account_does_not_trust_stays_limited() {
    let gateway = TestGateway::start().await;
    for n in 0..10 {
        gateway.send(guess(&format!("unknown-{n}"), "203.0.113.3")).await.refused(401);
    }
    gateway.send(guess("ben", "203.0.113.3").trusted()).await.refused(429);
    gateway.send(guess("nonesuch", "203.0.113.3").trusted()).await.refused(429);
    // With auth unavailable, the limit applies.
    gateway.fakes.fail("check_username", FakeServices::unavailable());
    gateway.send(guess("ana", "203.0.113.3").trusted()).await.refused(429);
}

#[tokio::test]
async fn only_a_wrong_present_password_counts_as_an_attempt() {
    let gateway = TestGateway::start().await;
    let change = |current: &str, new: &str| {
        let body = json!({ "currentPassword": current, "newPassword": new });
        TestRequest::new("POST", "/api/auth/change-password").by_member(BEN).json(&body)
    };
    gateway.fakes.fail("change_password", FakeServices::refusal(ErrorKind::Invalid, "INVALID", "too short"));
    for _ in 0..30 {
        gateway.send(change("correct horse", "x")).await.refused(400);
    }
    gateway.fakes.heal();
    for _ in 0..20 {
        gateway.send(change("wrong", "battery staple")).await.refused(403);
    }
    gateway.send(change("correct horse", "battery staple")).await.refused(429);
    // Those of one network do not stop the member on another one.
    assert_eq!(gateway.send(change("correct horse", "battery staple").from("198.51.100.1")).await.status, 204);
}

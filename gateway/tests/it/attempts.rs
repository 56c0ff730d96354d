//! Limits of attempts on an account: failures count by account and network, and those of strangers do not stop the owner.

use chrono::TimeDelta;
use futures::future::join_all;
use http::StatusCode;
use serde_json::json;

use crate::{
    fakes::{Failure, FakeServices},
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

/// A sign-in to the account with an authenticator app.
fn with_code(password: &str, code: Option<&str>, address: &str) -> TestRequest {
    let mut body = json!({ "username": "Ana", "password": password });
    if let Some(code) = code {
        body["oneTimeCode"] = json!(code);
    }
    TestRequest::new("POST", "/api/auth/login").json(&body).from(address)
}

#[tokio::test]
async fn only_the_right_password_learns_that_a_code_is_needed() {
    let gateway = TestGateway::start().await;
    for code in [None, Some("123456"), Some("000000")] {
        let problem = gateway.send(with_code("wrong", code, "192.0.2.1")).await.refused(401);
        assert_eq!(problem["code"], "BAD_CREDENTIALS");
    }
    let reply = gateway.send(with_code("correct horse", None, "192.0.2.1")).await;
    assert_eq!(reply.refused(401)["code"], "SECOND_FACTOR_REQUIRED");
    assert_eq!(reply.header("set-cookie"), "");
    let problem = gateway.send(with_code("correct horse", Some("000000"), "192.0.2.1")).await.refused(401);
    assert_eq!(
        (&problem["code"], &problem["fields"]["oneTimeCode"]),
        (&json!("SECOND_FACTOR_WRONG"), &problem["error"])
    );
    for code in ["123456", "CODE"] {
        assert_eq!(gateway.send(with_code("correct horse", Some(code), "192.0.2.1")).await.status, 200);
    }
}

#[tokio::test]
async fn a_missing_code_is_no_failure() {
    let gateway = TestGateway::start().await;
    for n in 0..40 {
        gateway.send(with_code("correct horse", None, "192.0.2.1")).await.refused(401);
        assert_eq!(gateway.send(with_code("correct horse", Some("123456"), "192.0.2.1")).await.status, 200, "{n}");
        gateway.clock.advance(TimeDelta::seconds(12));
    }
}

#[tokio::test]
async fn wrong_codes_are_limited_over_all_networks() {
    let gateway = TestGateway::start().await;
    // Codes that are sent with a wrong password do not count: a stranger must not stop the owner.
    for n in 0..60 {
        gateway.send(with_code("wrong", Some("000000"), &format!("192.0.2.{n}"))).await.refused(401);
    }
    for n in 0..50 {
        gateway.send(with_code("correct horse", Some("000 000"), &format!("198.51.100.{n}"))).await.refused(401);
    }
    gateway.send(with_code("correct horse", Some("123456"), "203.0.113.1")).await.refused(429);
    assert_eq!(gateway.send(with_code("correct horse", Some("CODE"), "203.0.113.1")).await.status, 200);
    gateway.send(with_code("correct horse", None, "203.0.113.1")).await.refused(401);
}

#[tokio::test]
async fn a_stranger_who_disconnects_does_not_use_up_the_codes_of_the_owner() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("login", Failure::Hangs);
    for n in 0..60 {
        let guess = with_code("wrong", Some("000000"), &format!("192.0.2.{n}"));
        let disconnect = async {
            while gateway.fakes.count("login") == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = gateway.send(guess) => panic!("auth does not answer"),
            () = disconnect => {}
        }
    }
    gateway.fakes.heal();
    tokio::task::yield_now().await;
    assert_eq!(gateway.send(with_code("correct horse", Some("123456"), "203.0.113.1")).await.status, 200);
}

#[tokio::test]
async fn wrong_codes_of_others_do_not_stop_a_trusted_browser() {
    let gateway = TestGateway::start().await;
    for n in 0..50 {
        gateway.send(with_code("correct horse", Some("000000"), &format!("198.51.100.{n}"))).await.refused(401);
    }
    let own = || with_code("correct horse", Some("123456"), "203.0.113.1");
    gateway.send(own()).await.refused(429);
    assert_eq!(gateway.send(own().trusted()).await.status, 200);
}

//! Limits of attempts on an account: failures count by account and network; strangers' failures do not stop the owner.

use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use gateway::edge::cache::{Cache, Limit};
use http::StatusCode;
use primitives::error::ErrorKind;
use serde_json::{Value, json};

use crate::{
    actors::{BEN, noon},
    fakes::FakeServices,
    registrations::{challenge, encoded, solve},
    test_gateway::{Reply, TestGateway, TestRequest},
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
    // The attempts of one network do not stop the member on another one.
    assert_eq!(gateway.send(change("correct horse", "battery staple").from("198.51.100.1")).await.status, 204);
}

/// A request whose body gets the solution of a challenge.
fn with_proof(path: &str, body: &Value, solution: &str, address: &str) -> TestRequest {
    let mut body = body.clone();
    body["proofOfWork"] = json!(solution);
    TestRequest::new("POST", path).json(&body).from(address)
}

const LOGIN: &str = "/api/auth/login";

fn owner() -> Value {
    json!({ "username": "ana", "password": "correct horse" })
}

fn wrong() -> Value {
    json!({ "username": "ana", "password": "wrong" })
}

/// The code of a refusal.
fn code(reply: &Reply) -> Value {
    reply.refused(429)["code"].clone()
}

/// Uses up the guesses of an account over all networks.
async fn attack(gateway: &TestGateway, address: impl Fn(usize) -> String) {
    for n in 0..1_000 {
        gateway.send(guess("ana", &address(n / 9))).await.refused(401);
    }
}

fn stranger(n: usize) -> String {
    format!("192.0.2.{n}")
}

#[tokio::test]
async fn strangers_of_other_networks_do_not_lock_the_owner_out() {
    let gateway = TestGateway::start().await;
    // 125 networks, nine guesses each.
    let mut statuses = Vec::new();
    for n in 0..1_125 {
        statuses.push(gateway.send(guess("ana", &stranger(n / 9))).await.status.as_u16());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 1_000);
    assert!(statuses.split_off(1_000).into_iter().all(|status| status == 429));

    let refused = gateway.send(sign_in("Ana ", "correct horse", "198.51.100.1")).await;
    let solution = encoded(&solve(&challenge(&refused)));
    assert_eq!(refused.header("set-cookie"), "");
    assert_eq!(gateway.send(with_proof(LOGIN, &owner(), &solution, "198.51.100.1")).await.status, 200);
    // Each attempt needs a proof of its own.
    challenge(&gateway.send(with_proof(LOGIN, &owner(), &solution, "198.51.100.2")).await);
    assert_eq!(gateway.send(sign_in("ben", "correct horse", "198.51.100.1")).await.status, 200, "another account");
    // An account that does not exist is no different.
    for n in 0..1_000 {
        gateway.send(guess("nonesuch", &format!("192.0.3.{}", n / 9))).await.refused(401);
    }
    challenge(&gateway.send(guess("nonesuch", "198.51.100.1")).await);
}

#[tokio::test]
async fn networks_with_failures_of_their_own_stay_refused_and_guesses_with_proofs_are_bounded() {
    let gateway = TestGateway::start().await;
    attack(&gateway, stranger).await;
    // Ten failures in a minute: no proof helps the network.
    gateway.send(guess("ben", "192.0.2.1")).await.refused(401);
    assert_eq!(code(&gateway.send(guess("ana", "192.0.2.1")).await), "RATE_LIMITED");

    gateway.fakes.count("login");
    for n in 0..5 {
        let solution = encoded(&solve(&challenge(&gateway.send(guess("ana", "198.51.100.1")).await)));
        let reply = gateway.send(with_proof(LOGIN, &wrong(), &solution, "198.51.100.1")).await;
        assert_eq!(reply.status, 401, "{n}");
    }
    let refused = gateway.send(sign_in("ana", "correct horse", "198.51.100.1")).await;
    assert_eq!(code(&refused), "RATE_LIMITED", "five in an hour");
    assert!(refused.header("retry-after").parse::<u32>().unwrap() <= 720);
    assert_eq!(gateway.fakes.count("login"), 5);
    challenge(&gateway.send(sign_in("ana", "correct horse", "198.51.100.2")).await);
}

#[tokio::test]
async fn a_solution_is_for_one_account_and_one_kind_of_request() {
    let gateway = TestGateway::start().await;
    attack(&gateway, stranger).await;
    for n in 0..1_000 {
        gateway.send(guess("ben", &format!("192.0.3.{}", n / 9))).await.refused(401);
    }
    let solution = encoded(&solve(&challenge(&gateway.send(guess("ben", "198.51.100.1")).await)));
    challenge(&gateway.send(with_proof(LOGIN, &owner(), &solution, "198.51.100.1")).await);
    let body = json!({ "username": "ben", "password": "correct horse" });
    assert_eq!(gateway.send(with_proof(LOGIN, &body, &solution, "198.51.100.1")).await.status, 200, "its own");
    for bad in ["", "x", &"A".repeat(10_000)] {
        challenge(&gateway.send(with_proof(LOGIN, &owner(), bad, "198.51.100.1")).await);
    }
    let late = encoded(&solve(&challenge(&gateway.send(sign_in("ana", "correct horse", "198.51.100.1")).await)));
    gateway.clock.advance(TimeDelta::minutes(10));
    attack_again(&gateway).await;
    challenge(&gateway.send(with_proof(LOGIN, &owner(), &late, "198.51.100.1")).await);
}

/// Uses up what the guesses of an account have gained by waiting.
async fn attack_again(gateway: &TestGateway) {
    let mut n = 0;
    while gateway.send(guess("ana", &format!("203.0.113.{}", n / 9))).await.status == StatusCode::UNAUTHORIZED {
        n += 1;
    }
}

#[tokio::test]
async fn strangers_of_one_ipv6_site_do_not_lock_out_another_network_of_it() {
    let gateway = TestGateway::start().await;
    let address = |n: usize| format!("2001:db8:1:{n:x}::1");
    // Four networks fill the limit of their site in a minute.
    for n in 0..40 {
        gateway.send(guess("ana", &address(n / 10))).await.refused(401);
    }
    let solution = encoded(&solve(&challenge(&gateway.send(sign_in("ana", "correct horse", &address(99))).await)));
    assert_eq!(gateway.send(with_proof(LOGIN, &owner(), &solution, &address(99))).await.status, 200);
    assert_eq!(code(&gateway.send(guess("ana", &address(0))).await), "RATE_LIMITED", "failures of its own");
}

#[tokio::test]
async fn the_work_grows_with_the_guesses_that_had_a_proof() {
    let cache = Cache::in_process();
    let gateway = TestGateway::start_sharing(cache.clone()).await;
    attack(&gateway, stranger).await;
    let first = challenge(&gateway.send(sign_in("ana", "correct horse", "198.51.100.1")).await);
    assert_eq!(first["maxnumber"], 200_000);
    // The key of the account.
    let account = "24d4b96f58da6d4a8512313bbd02a28e";
    for (bucket, count, expected) in
        [("proved-sign-ins-to", 100, 800_000), ("many-proved-sign-ins-to", 1_000, 3_200_000)]
    {
        for _ in 0..count {
            cache.take(bucket, account, Limit::new(count, Duration::from_secs(3_600)), noon()).await.unwrap();
        }
        let refused = gateway.send(sign_in("ana", "correct horse", "198.51.100.1")).await;
        assert_eq!(challenge(&refused)["maxnumber"], expected);
    }
    let solution = encoded(&solve(&first));
    assert_eq!(gateway.send(with_proof(LOGIN, &owner(), &solution, "198.51.100.1")).await.status, 200, "not refused");
}

#[tokio::test]
async fn a_password_is_not_limited_by_the_sessions_of_other_networks() {
    let gateway = TestGateway::start().await;
    let prove = |password: &str, address: &str| {
        let body = json!({ "password": password });
        TestRequest::new("POST", "/api/auth/reauthenticate").by_member(BEN).json(&body).from(address)
    };
    for n in 0..100 {
        gateway.send(prove("wrong", &format!("192.0.2.{}", n / 10))).await.refused(403);
    }
    let solution = encoded(&solve(&challenge(&gateway.send(prove("correct horse", "198.51.100.1")).await)));
    let body = json!({ "password": "correct horse" });
    let proved = with_proof("/api/auth/reauthenticate", &body, &solution, "198.51.100.1").by_member(BEN);
    assert_eq!(gateway.send(proved).await.status, 204);
    let body = json!({ "currentPassword": "correct horse", "newPassword": "battery staple" });
    let change = TestRequest::new("POST", "/api/auth/change-password").by_member(BEN).json(&body);
    let solution = encoded(&solve(&challenge(&gateway.send(change.from("198.51.100.2")).await)));
    let change = with_proof("/api/auth/change-password", &body, &solution, "198.51.100.2").by_member(BEN);
    assert_eq!(gateway.send(change).await.status, 204);
}

#[tokio::test]
async fn a_right_password_that_a_second_factor_must_follow_is_no_failure() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("reauthenticate", FakeServices::refusal(ErrorKind::Forbidden, "STEP_UP_REQUIRED", "a code"));
    for n in 0..40 {
        let body = json!({ "password": "correct horse" });
        let prove = TestRequest::new("POST", "/api/auth/reauthenticate").by_member(BEN).json(&body);
        assert_eq!(gateway.send(prove).await.refused(403)["code"], "STEP_UP_REQUIRED", "{n}");
    }
}

/// A limit of a bucket: its name, count and seconds.
type Full = (&'static str, u32, u64);

/// Uses up a limit.
async fn fill(cache: &Cache, (bucket, count, seconds): Full, key: &str) {
    let limit = Limit::new(count, Duration::from_secs(seconds));
    while cache.take(bucket, key, limit, noon()).await.is_ok() {}
}

/// A request where strangers used up a shared limit, and the other networks of its IPv6 site the limit of proofs.
struct ProvedCase {
    path: &'static str,
    body: Value,
    shared: (Full, String),
    proofs: (Full, String),
    /// The largest number of the challenge.
    price: u32,
}

#[tokio::test]
async fn proofs_of_other_networks_of_an_ipv6_site_refuse_none_of_it() {
    const HOUR: u64 = 3_600;
    const DAY: u64 = 86_400;
    // The key of the account.
    let ana = "24d4b96f58da6d4a8512313bbd02a28e";
    let (of_site, ben) = ("2001:db8:1::/48", BEN.to_string());
    let of_both = |account: &str| format!("{account}:{of_site}");
    let code = || json!({ "username": "ana", "password": "correct horse", "oneTimeCode": "123456" });
    let new = |code: Option<&str>| json!({ "username": "ana", "password": "battery staple", "recoveryCode": "CODE", "oneTimeCode": code });
    let new_account = || json!({ "username": "cara", "password": "correct horse", "fullName": "Cara Diaz" });
    let prove = |proof: &str, value: &str| json!({ proof: value });
    let (step_up, reset_path, challenges) =
        ("/api/auth/reauthenticate", "/api/auth/reset-password", "/api/auth/passkeys/sign-in/options");
    let case = |path, body, shared, key: &str, proofs, of_others: &str, price| ProvedCase {
        path,
        body,
        shared: (shared, key.to_owned()),
        proofs: (proofs, of_others.to_owned()),
        price,
    };
    let many = ("sign-in-to", 1_000, HOUR);
    let codes = ("second-factors-of", 20, HOUR);
    let proved_codes = ("proved-codes-from", 8, DAY);
    let cases = [
        case(LOGIN, owner(), many, ana, ("proved-sign-ins", 80, HOUR), of_site, 800_000),
        case(LOGIN, owner(), many, ana, ("proved-sign-ins-from", 20, HOUR), &of_both(ana), 800_000),
        case(LOGIN, code(), codes, ana, proved_codes, &of_both(ana), 3_200_000),
        case(reset_path, new(Some("123456")), codes, ana, proved_codes, &of_both(ana), 3_200_000),
        case(
            step_up,
            prove("password", "correct horse"),
            ("password-checks", 100, HOUR),
            &ben,
            ("proved-password-checks-from", 20, HOUR),
            &of_both(&ben),
            800_000,
        ),
        case(
            step_up,
            prove("oneTimeCode", "123456"),
            ("proof-codes-of-day", 50, DAY),
            &ben,
            proved_codes,
            &of_both(&ben),
            3_200_000,
        ),
        case(
            challenges,
            json!({}),
            ("all-passkey-challenges", 6_000, 60),
            "",
            ("proved-passkey-challenges", 40, 60),
            of_site,
            800_000,
        ),
        case(reset_path, new(None), ("reset-of", 100, HOUR), ana, ("proofs", 120, 60), of_site, 200_000),
        case(
            "/api/auth/register",
            new_account(),
            ("registration", 240, HOUR),
            of_site,
            ("proved-registrations", 2_400, HOUR),
            of_site,
            800_000,
        ),
        case(
            "/api/auth/register",
            new_account(),
            ("registrations-of-day", 800, DAY),
            of_site,
            ("proved-registrations-of-day", 8_000, DAY),
            of_site,
            800_000,
        ),
    ];
    for ProvedCase { path, body, shared: (shared, key), proofs: (proofs, of_others), price } in cases {
        let cache = Cache::in_process();
        let gateway = TestGateway::start_sharing(cache.clone()).await;
        fill(&cache, shared, &key).await;
        fill(&cache, proofs, &of_others).await;
        let send = async |solution: &str| {
            let request = with_proof(path, &body, solution, "2001:db8:1:63::1");
            gateway.send(if path == step_up { request.by_member(BEN) } else { request }).await
        };
        let asked = challenge(&send("").await);
        assert_eq!(asked["maxnumber"], price, "{path} {proofs:?}");
        // Checked: the fakes refuse every code of an app in a session.
        let status = send(&encoded(&solve(&asked))).await.status;
        let is_code = body.get("oneTimeCode").is_some() && path == step_up;
        assert!(status.is_success() || is_code && status == 403, "{path} {proofs:?}: {status}");
    }
}

//! Registrations beyond the budget of a network: a proof of work instead of a refusal, and a limit far above.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::TimeDelta;
use gateway::edge::cache::{Cache, Limit};
use serde_json::{Value, json};

use crate::{
    actors::noon,
    test_gateway::{Reply, TestGateway, TestRequest},
};

const HOUR: Duration = Duration::from_secs(3_600);

fn register(n: usize, solution: Option<&str>) -> TestRequest {
    let mut form = json!({ "username": format!("carla.{n}"), "password": "correct horse", "fullName": "Carla Diaz" });
    if let Some(solution) = solution {
        form["proofOfWork"] = json!(solution);
    }
    TestRequest::new("POST", "/api/auth/register").json(&form).from("192.0.2.1")
}

/// The challenge of a refusal.
#[track_caller]
pub fn challenge(reply: &Reply) -> Value {
    let refused = reply.refused(429);
    assert_eq!(refused["code"], "PROOF_OF_WORK_REQUIRED");
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 0);
    refused["challenge"].clone()
}

/// Solves it like a client.
pub fn solve(challenge: &Value) -> Value {
    let (salt, wanted) = (challenge["salt"].as_str().unwrap(), challenge["challenge"].as_str().unwrap());
    let wanted: Vec<u8> =
        (0..32).map(|n| u8::from_str_radix(&wanted[2 * n..2 * n + 2], 16)).collect::<Result<_, _>>().unwrap();
    // A hash of assembly code, which is as fast without optimisation.
    let hash = |number: &u64| digest(&SHA256, format!("{salt}{number}").as_bytes()).as_ref() == wanted;
    let number = (0..=challenge["maxnumber"].as_u64().unwrap()).find(hash).unwrap();
    let mut solution = challenge.clone();
    solution.as_object_mut().unwrap().remove("maxnumber");
    solution["number"] = json!(number);
    solution
}

pub fn encoded(solution: &Value) -> String {
    STANDARD.encode(solution.to_string())
}

/// A gateway whose network has registered sixty members.
async fn exhausted(cache: Cache) -> TestGateway {
    let gateway = TestGateway::start_sharing(cache).await;
    for n in 0..60 {
        assert_eq!(gateway.send(register(n, None)).await.status, 201, "{n}");
    }
    gateway
}

#[tokio::test]
async fn beyond_the_budget_a_proof_of_work_admits_a_registration() {
    let gateway = exhausted(Cache::in_process()).await;
    let refused = gateway.send(register(60, None)).await;
    let asked = challenge(&refused);
    assert_eq!(asked["algorithm"], "SHA-256");
    assert_eq!(refused.header("set-cookie"), "");
    assert_eq!(gateway.fakes.count("register"), 60);
    let solution = encoded(&solve(&asked));
    assert_eq!(gateway.send(register(60, Some(&solution))).await.status, 201);
    challenge(&gateway.send(register(61, Some(&solution))).await);
    assert_eq!(gateway.send(register(62, None).from("198.51.100.1")).await.status, 201, "another network");
    assert_eq!(gateway.fakes.count("register"), 2);
}

#[tokio::test]
async fn within_the_budget_no_proof_is_needed_or_used() {
    let gateway = TestGateway::start().await;
    assert_eq!(gateway.send(register(0, Some("not a solution"))).await.status, 201);
}

#[tokio::test]
async fn another_gateway_knows_a_used_solution() {
    let cache = Cache::in_process();
    let gateway = exhausted(cache.clone()).await;
    let other = TestGateway::start_sharing(cache).await;
    let solution = encoded(&solve(&challenge(&gateway.send(register(60, None)).await)));
    assert_eq!(other.send(register(60, Some(&solution))).await.status, 201);
    challenge(&gateway.send(register(61, Some(&solution))).await);
}

#[tokio::test]
async fn a_forged_expired_or_insufficient_solution_gets_a_new_challenge() {
    let gateway = exhausted(Cache::in_process()).await;
    let asked = challenge(&gateway.send(register(60, None)).await);
    let solved = solve(&asked);
    let forgeries = [
        ("number", json!(solved["number"].as_u64().unwrap() + 1)),
        ("signature", json!("00".repeat(32))),
        ("salt", json!("00?expires=99999999999&")),
    ];
    for (field, value) in forgeries {
        let mut forged = solved.clone();
        forged[field] = value;
        let again = challenge(&gateway.send(register(60, Some(&encoded(&forged)))).await);
        assert_ne!(again, asked, "{field}");
    }
    for bad in ["", "x", &"A".repeat(10_000)] {
        challenge(&gateway.send(register(60, Some(bad))).await);
    }
    gateway.clock.advance(TimeDelta::minutes(10));
    // The budget has some registrations again.
    for n in 0..10 {
        assert_eq!(gateway.send(register(60 + n, None)).await.status, 201, "{n}");
    }
    let again = challenge(&gateway.send(register(70, Some(&encoded(&solved)))).await);
    assert_eq!(gateway.send(register(70, Some(&encoded(&solve(&again))))).await.status, 201);
}

#[tokio::test]
async fn a_limit_far_above_refuses_in_spite_of_a_proof() {
    let cache = Cache::in_process();
    let gateway = exhausted(cache.clone()).await;
    for _ in 0..599 {
        cache.take("proved-registrations", "192.0.2.1", Limit::new(600, HOUR), noon()).await.unwrap();
    }
    for (n, status) in [(60, 201), (61, 429)] {
        let solution = encoded(&solve(&challenge(&gateway.send(register(n, None)).await)));
        let reply = gateway.send(register(n, Some(&solution))).await;
        assert_eq!(reply.status, status);
        if status == 429 {
            let refused = reply.refused(429);
            assert_eq!((&refused["code"], refused.get("challenge")), (&json!("RATE_LIMITED"), None));
        }
    }
}

//! Codes of authenticator apps at the sign-in, in a reset and as proofs: who learns of them, and limits of guesses.

use chrono::TimeDelta;
use http::StatusCode;
use serde_json::json;

use crate::{
    actors::ANA,
    fakes::Failure,
    registrations::{challenge, encoded, solve},
    test_gateway::{TestGateway, TestRequest},
};

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
    for n in 0..20 {
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
    for n in 0..20 {
        gateway.send(with_code("correct horse", Some("000000"), &format!("198.51.100.{n}"))).await.refused(401);
    }
    let own = || with_code("correct horse", Some("123456"), "203.0.113.1");
    gateway.send(own()).await.refused(429);
    assert_eq!(gateway.send(own().trusted()).await.status, 200);
}

#[tokio::test]
async fn wrong_codes_of_a_day_are_limited_and_stop_no_other_proof() {
    let gateway = TestGateway::start().await;
    let mut wrong = 0;
    for hour in 0..4 {
        gateway.clock.advance(TimeDelta::hours(1));
        for n in 0..20 {
            let guess = with_code("correct horse", Some("000000"), &format!("198.51.{hour}.{n}"));
            wrong += u32::from(gateway.send(guess).await.status == StatusCode::UNAUTHORIZED);
        }
    }
    // Fifty, and one more for each half hour, where the limit of an hour would permit eighty.
    assert!((50..=58).contains(&wrong), "{wrong} in four hours");
    let own = || with_code("correct horse", Some("123456"), "203.0.113.9");
    gateway.send(own()).await.refused(429);
    assert_eq!(gateway.send(own().trusted()).await.status, 200, "a trusted browser");
    assert_eq!(
        gateway.send(with_code("correct horse", Some("CODE"), "203.0.113.9")).await.status,
        200,
        "a recovery code"
    );
}

/// A reset of the account with an authenticator app.
fn reset_with(recovery_code: &str, code: Option<&str>, address: &str) -> TestRequest {
    let mut body = json!({ "username": "Ana", "password": "battery staple", "recoveryCode": recovery_code });
    if let Some(code) = code {
        body["oneTimeCode"] = json!(code);
    }
    TestRequest::new("POST", "/api/auth/reset-password").json(&body).from(address)
}

#[tokio::test]
async fn the_code_of_an_app_beside_a_recovery_code_is_limited_like_that_of_a_sign_in() {
    let gateway = TestGateway::start().await;
    let problem = gateway.send(reset_with("CODE", None, "192.0.2.1")).await.refused(401);
    assert_eq!(problem["code"], "SECOND_FACTOR_REQUIRED");
    // With a wrong recovery code it is not checked, so a stranger does not use up the limit.
    for n in 0..30 {
        gateway.send(reset_with("x", Some("000000"), &format!("192.0.2.{n}"))).await.refused(403);
    }
    for n in 0..20 {
        let problem = gateway.send(reset_with("CODE", Some("000000"), &format!("198.51.100.{n}"))).await.refused(401);
        assert_eq!(problem["code"], "SECOND_FACTOR_WRONG");
    }
    gateway.send(reset_with("CODE", Some("123456"), "203.0.113.1")).await.refused(429);
    gateway.send(with_code("correct horse", Some("123456"), "203.0.113.1")).await.refused(429);
    gateway.clock.advance(TimeDelta::minutes(4));
    assert_eq!(gateway.send(reset_with("CODE", Some("123456"), "203.0.113.1")).await.status, 204);
}

#[tokio::test]
async fn wrong_codes_in_a_session_are_limited_in_a_day() {
    let gateway = TestGateway::start().await;
    let prove = |proof: serde_json::Value, n: u32| {
        let request = TestRequest::new("POST", "/api/auth/reauthenticate").by_member(ANA).json(&proof);
        request.from(&format!("192.0.2.{n}"))
    };
    for n in 0..50 {
        gateway.send(prove(json!({ "oneTimeCode": "000000" }), n)).await.refused(403);
    }
    gateway.send(prove(json!({ "oneTimeCode": "000000" }), 100)).await.refused(429);
    for proof in [
        json!({ "oneTimeCode": "CODE" }),
        json!({ "password": "correct horse" }),
        json!({ "passkey": crate::passkeys::assertion("AQID") }),
    ] {
        assert_eq!(gateway.send(prove(proof, 100)).await.status, 204);
    }
}

#[tokio::test]
async fn wrong_codes_of_other_networks_do_not_lock_the_owner_out() {
    let gateway = TestGateway::start().await;
    for n in 0..20 {
        gateway.send(with_code("correct horse", Some("000000"), &format!("198.51.100.{n}"))).await.refused(401);
    }
    let address = "203.0.113.1";
    let body = |code: &str| json!({ "username": "ana", "password": "correct horse", "oneTimeCode": code });
    let proved = |code: &str, solution: &str| {
        let mut body = body(code);
        body["proofOfWork"] = json!(solution);
        TestRequest::new("POST", "/api/auth/login").json(&body).from(address)
    };
    let asked = challenge(&gateway.send(with_code("correct horse", Some("123456"), address)).await);
    assert_eq!(asked["maxnumber"], 800_000, "a code is easier to guess than a password");
    assert_eq!(gateway.send(proved("123456", &encoded(&solve(&asked)))).await.status, 200);

    // Two wrong ones of a network in a day.
    for n in 0..2 {
        let asked = challenge(&gateway.send(with_code("correct horse", Some("000000"), address)).await);
        let reply = gateway.send(proved("000000", &encoded(&solve(&asked)))).await;
        assert_eq!(reply.refused(401)["code"], "SECOND_FACTOR_WRONG", "{n}");
    }
    let refused = gateway.send(with_code("correct horse", Some("123456"), address)).await.refused(429);
    assert_eq!(refused["code"], "RATE_LIMITED");
    challenge(&gateway.send(with_code("correct horse", Some("123456"), "203.0.113.2")).await);

    // A reset by a recovery code.
    let asked = challenge(&gateway.send(reset_with("CODE", Some("123456"), "203.0.113.3")).await);
    let body = json!({ "username": "ana", "password": "battery staple", "recoveryCode": "CODE",
                       "oneTimeCode": "123456", "proofOfWork": encoded(&solve(&asked)) });
    let reset = TestRequest::new("POST", "/api/auth/reset-password").json(&body).from("203.0.113.3");
    assert_eq!(gateway.send(reset).await.status, 204);
}

#[tokio::test]
async fn one_proof_of_work_permits_a_password_and_its_code() {
    let gateway = TestGateway::start().await;
    for n in 0..20 {
        gateway.send(with_code("correct horse", Some("000000"), &format!("198.51.100.{n}"))).await.refused(401);
    }
    for n in 0..980 {
        gateway.send(with_code("wrong", None, &format!("192.0.2.{}", n / 9))).await.refused(401);
    }
    let address = "203.0.113.1";
    // A proof for a password is not enough for a code.
    let cheap = challenge(&gateway.send(with_code("correct horse", None, address)).await);
    let login = |solution: &serde_json::Value| {
        let body = json!({ "username": "ana", "password": "correct horse", "oneTimeCode": "123456",
                           "proofOfWork": encoded(solution) });
        TestRequest::new("POST", "/api/auth/login").json(&body).from(address)
    };
    assert_eq!(cheap["maxnumber"], 200_000);
    let dear = challenge(&gateway.send(login(&solve(&cheap))).await);
    assert_eq!(dear["maxnumber"], 800_000);
    assert_eq!(gateway.send(login(&solve(&dear))).await.status, 200);
}

#[tokio::test]
async fn wrong_codes_of_a_stolen_session_do_not_lock_the_member_out() {
    let gateway = TestGateway::start().await;
    let prove = |proof: serde_json::Value, address: &str| {
        TestRequest::new("POST", "/api/auth/reauthenticate").by_member(ANA).json(&proof).from(address)
    };
    for n in 0..50 {
        gateway.send(prove(json!({ "oneTimeCode": "000000" }), &format!("192.0.2.{n}"))).await.refused(403);
    }
    // The code that the fakes accept has other letters than one of an app, so this one is refused by them only.
    let asked = challenge(&gateway.send(prove(json!({ "oneTimeCode": "123456" }), "198.51.100.1")).await);
    let proof = json!({ "oneTimeCode": "123456", "proofOfWork": encoded(&solve(&asked)) });
    assert_eq!(gateway.send(prove(proof, "198.51.100.1")).await.refused(403)["code"], "CODE_WRONG");
}

//! What a cookie is worth: garbage, expired, revoked here, revoked elsewhere, and when nobody can say.

use chrono::TimeDelta;
use portia_proto::auth::SessionEnded;
use tokio::time::timeout;

use crate::{
    cast::{ANA, id},
    door::{Ask, Door, Reply},
    fakes::{Failure, SOON, World},
};

async fn me(door: &Door) -> Reply {
    door.send(Ask::new("GET", "/api/auth/me").of(ANA)).await
}

#[tokio::test]
async fn garbage_is_a_visitor() {
    let door = Door::open().await;
    let long = format!("portia_session={}", "a".repeat(8000));
    let unknown = format!("portia_session={}", "Z".repeat(43));
    for cookie in
        ["portia_session=", "portia_session=x", "=;;=", "portia_session=\"\"", "other=1", &long, &unknown, "\u{ff}"]
    {
        door.send(Ask::new("GET", "/api/auth/me").header("cookie", cookie)).await.refused(401);
        assert_eq!(door.send(Ask::new("GET", "/api/posts").header("cookie", cookie)).await.status, 200, "{cookie:.40}");
    }
    // Only what could be a token is worth a question.
    assert_eq!(door.world.count("resolve_session"), 2);
}

#[tokio::test]
async fn a_session_is_asked_for_once_in_ten_seconds() {
    let door = Door::open().await;
    for _ in 0..3 {
        assert_eq!(me(&door).await.status, 200);
    }
    assert_eq!(door.world.count("resolve_session"), 1);
    door.clock.advance(TimeDelta::seconds(10));
    assert_eq!(me(&door).await.status, 200);
    assert_eq!(door.world.count("resolve_session"), 1);
    door.world.sessions.lock().unwrap().clear();
    door.clock.advance(TimeDelta::seconds(10));
    me(&door).await.refused(401);
}

#[tokio::test]
async fn a_replayed_cookie_is_worth_nothing_after_logout() {
    let door = Door::open().await;
    assert_eq!(me(&door).await.status, 200);
    assert_eq!(door.send(Ask::new("POST", "/api/auth/logout").of(ANA)).await.status, 204);
    me(&door).await.refused(401);
}

#[tokio::test]
async fn a_session_ended_elsewhere_is_forgotten_here() {
    let door = Door::open().await;
    assert_eq!(me(&door).await.status, 200);
    let ended = SessionEnded { member_id: ANA.to_string(), session_id: id(0x5a).to_string() };
    door.world.tell("auth", &ended).await;
    let forgotten = async {
        while me(&door).await.status == 200 {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, forgotten).await.unwrap();
    me(&door).await.refused(401);
}

#[tokio::test]
async fn when_nobody_can_say_who_it_is_nobody_is_signed_out() {
    let door = Door::open().await;
    door.world.fail("resolve_session", World::away());
    for path in ["/api/auth/me", "/api/posts"] {
        let reply = door.send(Ask::new("GET", path).of(ANA)).await;
        assert_eq!(reply.refused(503)["code"], "UNAVAILABLE");
        assert_eq!(reply.header("retry-after"), "1");
    }
    // A visitor is nobody auth would have to know.
    assert_eq!(door.get("/api/posts").await.status, 200);
}

#[tokio::test]
async fn a_service_that_does_not_believe_us_is_our_fault_and_signs_nobody_out() {
    let door = Door::open().await;
    let refusal =
        primitives::error::new_status(primitives::error::ErrorKind::Unauthenticated, "NO_TOKEN", "Sign in required");
    door.world.fail("resolve_session", Failure::With(refusal));
    me(&door).await.refused(500);
}

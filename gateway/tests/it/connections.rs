//! Connections as they come and go: statuses, and what is refused before anybody is asked.

use serde_json::{Value, json};

use crate::{
    cast::{ANA, BEN, CONNECTION},
    door::{Ask, Door},
};

fn request(body: &Value) -> Ask {
    Ask::new("POST", "/api/connections").of(ANA).json(body)
}

#[tokio::test]
async fn asking_makes_a_request_and_asking_again_finds_it() {
    let door = Door::open().await;
    let body = json!({ "requesterId": ANA, "recipientId": BEN, "status": "pending" });
    let made = door.send(request(&body)).await;
    assert_eq!((made.status.as_u16(), &made.json()["status"]), (201, &json!("pending")));
    let body = json!({ "requesterId": BEN, "recipientId": ANA, "status": "pending" });
    let found = door.send(Ask::new("POST", "/api/connections").of(BEN).json(&body)).await;
    assert_eq!((found.status.as_u16(), &found.json()["requesterId"]), (200, &json!(BEN)));
}

#[tokio::test]
async fn only_a_pending_request_of_ones_own_is_sent() {
    let door = Door::open().await;
    for (body, status, field) in [
        (json!({ "requesterId": BEN, "recipientId": ANA }), 403, ""),
        (json!({ "requesterId": ANA }), 400, "recipientId"),
        (json!({ "requesterId": ANA, "recipientId": BEN, "status": "accepted" }), 400, "status"),
        (json!({ "requesterId": ANA, "recipientId": BEN, "status": "open" }), 400, "status"),
    ] {
        let problem = door.send(request(&body)).await.refused(status);
        assert!(field.is_empty() || problem["fields"][field].is_string(), "{problem}");
    }
    assert!(door.world.seen().iter().all(|seen| seen.method == "resolve_session"));
    for recipient in [ANA.to_string(), "x".to_owned(), String::new()] {
        let problem = door.send(request(&json!({ "recipientId": recipient }))).await.refused(400);
        assert!(problem["fields"]["recipientId"].is_string(), "REST's name for it: {problem}");
    }
}

#[tokio::test]
async fn an_answer_is_yes_or_no() {
    let door = Door::open().await;
    let answer = |status: &str| {
        Ask::new("PATCH", &format!("/api/connections/{CONNECTION}")).of(ANA).json(&json!({ "status": status }))
    };
    for status in ["accepted", "rejected"] {
        let reply = door.send(answer(status)).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (200, &json!(status)));
    }
    for status in ["pending", "", "Accepted"] {
        let problem = door.send(answer(status)).await.refused(400);
        assert_eq!(problem["fields"]["status"], "This must be one of: accepted or rejected.");
    }
    for id in ["x", "%00", &BEN.to_string()] {
        let ask = Ask::new("PATCH", &format!("/api/connections/{id}")).of(ANA).json(&json!({ "status": "accepted" }));
        assert_eq!(door.send(ask).await.refused(404)["error"], "Connection not found");
        let ask = Ask::new("DELETE", &format!("/api/connections/{id}")).of(ANA);
        assert_eq!(door.send(ask).await.refused(404)["error"], "Connection not found");
    }
}

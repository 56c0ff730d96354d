//! Notifications: list, mark as read, settings.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, APPLICATION, COMMENT, NOTIFICATION, POST, id},
    test_gateway::{Reply, TestGateway, TestRequest},
};

async fn read(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("POST", "/api/notifications/read").by_member(ANA).json(body)).await
}

async fn change(gateway: &TestGateway, body: &str) -> Reply {
    gateway.send(TestRequest::new("PATCH", "/api/notifications/settings").by_member(ANA).raw(body.to_owned())).await
}

#[tokio::test]
async fn a_page_fetches_its_cards_in_one_call_and_skips_unknown_kinds() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(TestRequest::new("GET", "/api/notifications?limit=3").by_member(ANA)).await;
    let body = reply.json();
    let kinds: Vec<_> = body.as_array().unwrap().iter().map(|notification| notification["kind"].clone()).collect();
    let expected = [
        "post_liked",
        "skill_endorsed",
        "posting_closed",
        "application_due",
        "comment_replied",
        "security",
        "community_content_removed",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(body[0]["actors"][1]["fullName"], "Carl Oduya");
    assert_eq!(body[1]["subject"], json!({ "id": ANA, "name": "Research", "postId": null }));
    assert_eq!((&body[2]["actors"], &body[2]["actorCount"]), (&json!([]), &json!(0)), "without actors");
    assert_eq!(body[2]["subject"], json!({ "id": APPLICATION, "name": "Summer associate", "postId": null }));
    assert_eq!(body[4]["subject"], json!({ "id": COMMENT, "name": null, "postId": POST }));
    assert_eq!((&body[4]["origin"], &body[5]["subject"]["name"]), (&Value::Null, &json!("new_browser")));
    assert_eq!((&body[5]["reason"], &body[6]["reason"]), (&Value::Null, &json!("off_topic")));
    let at = "2026-11-20T11:59:10.250Z";
    let origin = json!({ "browser": "Firefox", "address": "192.0.2.7", "at": at, "passkeys": ["Phone"] });
    assert_eq!(body[5]["origin"], origin);
    assert_eq!(reply.header("link"), "</api/notifications?limit=3&cursor=more>; rel=\"next\"");
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
}

#[tokio::test]
async fn either_one_or_all_up_to_a_time_are_marked() {
    let gateway = TestGateway::start().await;
    for (body, asked) in [
        (json!({ "id": NOTIFICATION }), format!("NotificationId(\"{NOTIFICATION}\")")),
        (json!({ "upTo": "2026-11-20T20:00:00.25+08:00", "id": null }), "nanos: 250000000".to_owned()),
    ] {
        let reply = read(&gateway, &body).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (204, 0), "{body}");
        let seen = gateway.fakes.seen().into_iter().find(|seen| seen.method == "mark_notifications_read").unwrap();
        assert!(seen.message.contains(&asked), "{}", seen.message);
    }
    for (body, field) in [
        (json!({}), "id"),
        (json!({ "id": null, "upTo": null }), "id"),
        (json!({ "id": NOTIFICATION, "upTo": "2026-11-20T12:00:00Z" }), "id"),
        (json!({ "id": "x" }), "id"),
        (json!({ "upTo": "today" }), "upTo"),
        (json!({ "upTo": "2026-11-20" }), "upTo"),
        (json!({ "upTo": "+10000-01-01T00:00:00Z\u{0}" }), "upTo"),
    ] {
        let problem = read(&gateway, &body).await.refused(400);
        assert!(problem["fields"][field].is_string(), "{body}: {problem}");
    }
    assert_eq!(gateway.fakes.count("mark_notifications_read"), 0);
    assert_eq!(read(&gateway, &json!({ "id": id(0x77) })).await.refused(404)["error"], "Notification not found");
}

#[tokio::test]
async fn an_absent_setting_keeps_its_value() {
    let gateway = TestGateway::start().await;
    let all = gateway.send(TestRequest::new("GET", "/api/notifications/settings").by_member(ANA)).await.json();
    assert_eq!((&all["post_liked"], &all["community_posted"]), (&json!(true), &json!(false)));
    for (body, sent) in [
        ("{}", vec![]),
        (r#"{"post_liked":false}"#, vec![("post_liked", false)]),
        (r#"{"community_posted":true,"event_changed":null}"#, vec![("community_posted", true)]),
    ] {
        let reply = change(&gateway, body).await;
        let mut expected = all.clone();
        for (kind, on) in &sent {
            expected[*kind] = json!(on);
        }
        assert_eq!((reply.status.as_u16(), reply.json()), (200, expected), "{body}");
        let asked = gateway.fakes.seen().into_iter().find(|seen| seen.method == "set_notification_switches").unwrap();
        assert_eq!(asked.message.matches("NotificationSwitch {").count(), sent.len(), "{}", asked.message);
    }
}

#[tokio::test]
async fn an_unknown_kind_is_refused_and_not_repeated() {
    let gateway = TestGateway::start().await;
    for body in [r#"{"hunter2":true}"#, r#"{"post_liked":true,"hunter2":false}"#, r#"{"hunter2":{"a":[]}}"#] {
        let reply = change(&gateway, body).await;
        let error = reply.refused(400)["error"].as_str().unwrap().to_owned();
        assert!(error.starts_with("Only these can be sent: post_liked, ") && error.ends_with('.'), "{error}");
        assert!(error.contains(", community_posted, ") && !error.contains("security"), "{error}");
        assert!(!reply.text().contains("hunter2"));
    }
    for wrong in [r#"{"post_liked":"yes"}"#, r#"{"post_liked":1}"#] {
        assert!(change(&gateway, wrong).await.refused(400)["fields"]["post_liked"].is_string());
    }
    assert_eq!(gateway.fakes.count("set_notification_switches"), 0);
}

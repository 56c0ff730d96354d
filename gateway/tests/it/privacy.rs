//! Privacy settings, restricted profiles, cards that depend on the caller, and search engines.

use std::fs;

use portia_proto::profile::Member;
use serde_json::{Value, json};

use crate::{
    actors::{self, ANA, BEN, DINA, UNKNOWN},
    test_gateway::{Reply, TestGateway, TestRequest},
};

async fn patch(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("PATCH", &format!("/api/users/{ANA}/privacy")).by_member(ANA).json(body)).await
}

#[tokio::test]
async fn absent_settings_keep_their_values() {
    let gateway = TestGateway::start().await;
    let all = gateway.send(TestRequest::new("GET", &format!("/api/users/{ANA}/privacy")).by_member(ANA)).await.json();
    let defaults = json!({ "profileAudience": "public", "messageAudience": "everyone", "searchEngines": true,
                           "activityShown": true, "readReceipts": true });
    assert_eq!(all, defaults);
    for (name, value) in [
        ("profileAudience", json!("members")),
        ("profileAudience", json!("connections")),
        ("messageAudience", json!("connections")),
        ("messageAudience", json!("replies-only")),
        ("searchEngines", json!(false)),
        ("activityShown", json!(false)),
        ("readReceipts", json!(false)),
    ] {
        let mut expected = defaults.clone();
        expected[name] = value.clone();
        assert_eq!(patch(&gateway, &json!({ name: value })).await.json(), expected);
    }
}

#[tokio::test]
async fn invalid_settings_are_refused() {
    let gateway = TestGateway::start().await;
    for body in [
        json!({ "profileAudience": "anyone" }),
        json!({ "profileAudience": "\u{0}" }),
        json!({ "messageAudience": 7 }),
        json!({ "readReceipts": "no" }),
        json!({ "hidden": true }),
    ] {
        assert_eq!(patch(&gateway, &body).await.status, 400, "{body}");
    }
    assert_eq!(gateway.fakes.count("update_privacy_settings"), 0);
}

#[tokio::test]
async fn a_member_outside_the_audience_sees_the_name_only() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/users/{DINA}/profile");
    let seen = gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await.json();
    assert_eq!((&seen["restricted"], &seen["user"]["fullName"]), (&json!(true), &json!("Dina Santos")));
    assert_eq!((&seen["user"]["username"], &seen["user"]["experiences"]), (&json!(""), &json!([])));
    assert_eq!(gateway.send(TestRequest::new("GET", &path).by_member(BEN)).await.json()["restricted"], false);
    assert_eq!(gateway.send(TestRequest::new("GET", &path)).await.refused(404)["error"], "User not found");
}

#[tokio::test]
async fn a_card_that_depends_on_the_caller_is_not_cached() {
    let gateway = TestGateway::start().await;
    *gateway.fakes.cards_vary.lock().unwrap() = true;
    for _ in 0..2 {
        gateway.get("/api/posts").await;
        assert_eq!(gateway.fakes.count("batch_get_members"), 1);
    }
}

#[tokio::test]
async fn search_engines_index_only_profiles_that_allow_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "<head></head><body></body>").unwrap();
    let web = folder.path().to_owned();
    let gateway = TestGateway::start_with(|source| source.with("web_dir", web)).await;
    let page = async |member| gateway.get(&format!("/profile/{member}")).await;
    assert_eq!(page(ANA).await.header("x-robots-tag"), "");
    for member in [DINA, UNKNOWN] {
        let reply = page(member).await;
        assert_eq!((reply.header("x-robots-tag"), reply.text().contains("Dina")), ("noindex", false));
    }
    *gateway.fakes.member.lock().unwrap() = actors::member(BEN).map(|ben| Member { indexable: false, ..ben });
    let reply = page(BEN).await;
    assert_eq!((reply.header("x-robots-tag"), reply.text().contains("Ben")), ("noindex", false));
    for other in ["/", "/jobs", "/search"] {
        assert_eq!(gateway.get(other).await.header("x-robots-tag"), "", "{other}");
    }
}

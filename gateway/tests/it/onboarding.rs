//! The onboarding: part of the own profile, and its changes.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN},
    fakes::FakeServices,
    test_gateway::{Reply, TestGateway, TestRequest},
};

async fn patch(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("PATCH", &format!("/api/users/{ANA}/onboarding")).by_member(ANA).json(body)).await
}

#[tokio::test]
async fn only_the_own_profile_contains_the_onboarding() {
    let gateway = TestGateway::start().await;
    let profile = |by| TestRequest::new("GET", &format!("/api/users/{ANA}/profile")).by_member(by);
    let own = gateway.send(profile(ANA)).await.json();
    let steps: Vec<&Value> = own["onboarding"]["items"].as_array().unwrap().iter().map(|item| &item["step"]).collect();
    assert_eq!(steps, ["school", "graduation-year", "interests", "people", "communities"]);
    assert_eq!(
        (&own["onboarding"]["items"][0]["state"], &own["onboarding"]["dismissed"]),
        (&json!("open"), &json!(false))
    );
    assert!(gateway.send(profile(BEN)).await.json().get("onboarding").is_none());
}

#[tokio::test]
async fn a_step_is_marked_and_the_checklist_dismissed() {
    let gateway = TestGateway::start().await;
    let marked = patch(&gateway, &json!({ "step": "graduation-year", "state": "done" })).await.json();
    assert_eq!(marked["items"][1], json!({ "step": "graduation-year", "state": "done" }));
    assert_eq!(patch(&gateway, &json!({ "dismissed": true })).await.json()["dismissed"], true);
}

#[tokio::test]
async fn a_member_of_two_communities_has_done_that_step_wherever_they_joined() {
    let gateway = TestGateway::start().await;
    let own = async || {
        let profile = TestRequest::new("GET", &format!("/api/users/{ANA}/profile")).by_member(ANA);
        gateway.send(profile).await.json()["onboarding"].clone()
    };
    let (open, done) =
        (json!({ "step": "communities", "state": "open" }), json!({ "step": "communities", "state": "done" }));
    assert_eq!(own().await["items"][4], open, "a member of one community");
    assert_eq!(gateway.fakes.count("list_communities"), 1);
    *gateway.fakes.communities.lock().unwrap() = 2;
    assert_eq!(own().await["items"][4], done);
    let marked = patch(&gateway, &json!({ "step": "school", "state": "skipped" })).await.json();
    assert_eq!((&marked["items"][0]["state"], &marked["items"][4]), (&json!("skipped"), &done));
    // Nothing is asked where nothing shows the step, or where it is done.
    assert_eq!(gateway.fakes.count("list_communities"), 2);
    patch(&gateway, &json!({ "dismissed": true })).await.json();
    assert_eq!(patch(&gateway, &json!({ "step": "communities", "state": "done" })).await.json()["items"][4], done);
    assert_eq!(gateway.fakes.count("list_communities"), 0);
    gateway.fakes.fail("list_communities", FakeServices::unavailable());
    let profile = TestRequest::new("GET", &format!("/api/users/{ANA}/profile")).by_member(ANA);
    let reply = gateway.send(profile).await;
    assert_eq!(reply.header("x-degraded"), "social-graph");
    assert_eq!(reply.json()["onboarding"]["items"][4], open, "the profile is served without social-graph");
}

#[tokio::test]
async fn invalid_changes_are_refused() {
    let gateway = TestGateway::start().await;
    for body in [
        json!({}),
        json!({ "step": "school" }),
        json!({ "step": "school", "state": "open" }),
        json!({ "step": "school", "state": "done", "dismissed": true }),
        json!({ "step": "\u{0}", "state": "done" }),
        json!({ "step": 1, "state": "done" }),
        json!({ "done": ["school"] }),
    ] {
        let reply = patch(&gateway, &body).await;
        assert_eq!(reply.status, 400, "{body}");
    }
    assert_eq!(gateway.fakes.count("update_onboarding"), 0);
}

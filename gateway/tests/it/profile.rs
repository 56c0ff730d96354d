//! Profiles: update, read, endorsements, and the number of calls per profile.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, PICTURE, POST, SKILL},
    fakes::FakeServices,
    test_gateway::{Reply, TestGateway, TestRequest},
};

async fn patch(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("PATCH", &format!("/api/users/{ANA}")).by_member(ANA).json(body)).await
}

/// The last request of a method, in Debug format.
fn request_message(gateway: &TestGateway, method: &str) -> String {
    gateway.fakes.seen().into_iter().rfind(|seen| seen.method == method).unwrap().message
}

#[tokio::test]
async fn an_absent_field_stays_and_an_empty_one_clears() {
    let gateway = TestGateway::start().await;
    let full = json!({ "fullName": "Ana Reyes", "headline": "2L", "location": "", "website": null });
    let reply = patch(&gateway, &full).await;
    assert_eq!((reply.status.as_u16(), &reply.json()["fullName"]), (200, &json!("Ana Reyes")));
    let message = request_message(&gateway, "update_member");
    for part in [
        r#"paths: ["full_name", "headline", "location", "website"]"#,
        r#"headline: "2L""#,
        r#"location: """#,
        "picture: None",
    ] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
}

#[tokio::test]
async fn school_year_and_interests_are_sent_only_when_present() {
    let gateway = TestGateway::start().await;
    let study = json!({ "school": "UP Law", "graduationYear": "2027", "jurisdictions": ["ph"], "interests": [] });
    assert_eq!(patch(&gateway, &study).await.status, 200);
    let message = request_message(&gateway, "update_member");
    for part in [
        r#"paths: ["school", "graduation_year", "jurisdictions", "interests"]"#,
        r#"school: "UP Law""#,
        r#"graduation_year: "2027""#,
        r#"jurisdictions: ["ph"], interests: []"#,
    ] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
    for wrong in [json!({ "interests": "tax" }), json!({ "jurisdictions": [7] })] {
        assert_eq!(patch(&gateway, &wrong).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn a_picture_is_replaced_kept_or_cleared() {
    let gateway = TestGateway::start().await;
    for (sent, expected) in [
        (json!("data:image/png;base64,AQID"), "NewPicture([1, 2, 3])"),
        (json!("data:image/jpeg;base64,AQID"), "NewPicture([1, 2, 3])"),
        (json!(PICTURE), "SamePicture("),
        (json!(""), "ClearPicture(true)"),
        (json!(null), "ClearPicture(true)"),
    ] {
        assert_eq!(patch(&gateway, &json!({ "avatarUrl": sent })).await.status, 200, "{sent}");
        assert!(request_message(&gateway, "update_member").contains(expected), "{sent}");
    }
}

#[tokio::test]
async fn other_urls_are_refused_as_a_picture() {
    let gateway = TestGateway::start().await;
    for address in [
        "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=",
        "data:image/gif;base64,R0lGODlh",
        "data:text/html;base64,AQID",
        "data:image/png;base64,!!!!",
        "data:image/png;base64,AQI",
        "data:image/png,AQID",
        "data:,",
        "javascript:alert(1)",
        "https://evil.example/x.png",
        "/media/../etc/passwd",
        " ",
    ] {
        let problem = patch(&gateway, &json!({ "avatarUrl": address })).await.refused(400);
        assert!(problem["fields"]["avatarUrl"].is_string(), "{address}: {problem}");
        assert!(!problem.to_string().contains("alert"), "the input is not repeated");
    }
    for wrong in [json!(7), json!([]), json!({}), json!(true)] {
        let problem = patch(&gateway, &json!({ "avatarUrl": wrong })).await.refused(400);
        assert_eq!(problem["fields"]["avatarUrl"], "Invalid type");
    }
}

#[tokio::test]
async fn each_route_has_its_own_limit_of_the_body() {
    let gateway = TestGateway::start().await;
    // Below and above the largest picture of the web client.
    let of =
        |bytes: usize| json!({ "avatarUrl": format!("data:image/jpeg;base64,{}", STANDARD.encode(vec![7; bytes])) });
    assert_eq!(patch(&gateway, &of(580_000)).await.status, 200);
    assert_eq!(patch(&gateway, &of(800_000)).await.refused(413)["code"], "TOO_LARGE");
    assert_eq!(patch(&gateway, &of(1 << 20)).await.refused(413)["code"], "TOO_LARGE");
    let put = |text: usize| {
        let body = json!({ "bio": "a".repeat(text), "experiences": [], "education": [], "skills": [] });
        TestRequest::new("PUT", &format!("/api/users/{ANA}/profile")).by_member(ANA).json(&body)
    };
    assert_eq!(gateway.send(put(250_000)).await.status, 200);
    gateway.send(put(300_000)).await.refused(413);
    // Articles have the larger limit on create and update; other forms do not.
    let comments = format!("/api/posts/{POST}/comments");
    for (method, path, max_kib) in
        [("POST", "/api/posts", 256), ("PATCH", &format!("/api/posts/{POST}"), 256), ("POST", comments.as_str(), 64)]
    {
        let of = |kib: usize| {
            TestRequest::new(method, path).by_member(ANA).json(&json!({ "content": "a".repeat(kib << 10) }))
        };
        assert!(gateway.send(of(max_kib - 1)).await.status.is_success(), "{method} {path}");
        gateway.send(of(max_kib)).await.refused(413);
    }
}

#[tokio::test]
async fn an_updated_card_is_fetched_again() {
    let gateway = TestGateway::start().await;
    gateway.get("/api/posts").await;
    gateway.get("/api/posts").await;
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
    assert_eq!(patch(&gateway, &json!({ "fullName": "Ana Lim" })).await.status, 200);
    gateway.get("/api/posts").await;
    assert_eq!(gateway.fakes.count("batch_get_members"), 1, "own writes are visible at once");
}

fn complete_profile() -> Value {
    json!({
        "userId": ANA,
        "bio": "Hello",
        "experiences": [{ "id": "1763700000000", "title": "Clerk", "company": "Court", "startDate": "2025-06",
                          "endDate": "", "isCurrentPosition": true, "description": "", "location": null }],
        "education": [{ "institution": "UP", "degree": "J.D.", "fieldOfStudy": "Law", "startDate": "2024-08" }],
        "skills": ["Research", "Drafting"],
    })
}

async fn put(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("PUT", &format!("/api/users/{ANA}/profile")).by_member(ANA).json(body)).await
}

#[tokio::test]
async fn a_replaced_profile_is_forwarded_unchanged() {
    let gateway = TestGateway::start().await;
    let reply = put(&gateway, &complete_profile()).await;
    assert_eq!(reply.status, 200);
    let profile = reply.json()["profile"].clone();
    assert_eq!((&profile["bio"], &profile["skills"]), (&json!("Hello"), &json!(["Research", "Drafting"])));
    assert_eq!(profile["experiences"][0]["id"], "1763700000000");
    assert_eq!(profile["education"][0]["id"], "", "the service creates the id");
    for missing in ["experiences", "education", "skills"] {
        let mut body = complete_profile();
        body.as_object_mut().unwrap().remove(missing);
        let problem = put(&gateway, &body).await.refused(400);
        assert_eq!(problem["fields"][missing], "Required", "an absent list must not delete entries");
    }
    for forged in [json!(BEN), json!(""), json!("x")] {
        let mut body = complete_profile();
        body["userId"] = forged;
        assert_eq!(put(&gateway, &body).await.refused(403)["code"], "NOT_YOURS");
    }
}

#[tokio::test]
async fn an_invalid_entry_is_named() {
    let gateway = TestGateway::start().await;
    for (list, entry, field) in [
        ("experiences", json!({ "title": 7 }), "experiences[0].title"),
        ("experiences", json!({ "isCurrentPosition": "yes" }), "experiences[0].isCurrentPosition"),
        ("education", json!({ "startDate": [] }), "education[0].startDate"),
        ("education", json!(7), "education[0]"),
        ("skills", json!({}), "skills[0]"),
    ] {
        let mut body = complete_profile();
        body[list] = json!([entry]);
        let problem = put(&gateway, &body).await.refused(400);
        assert_eq!(problem["fields"][field], "Invalid type", "{problem}");
    }
    for list in ["experiences", "education", "skills"] {
        for wrong in [json!(null), json!({}), json!("x"), json!(1)] {
            let mut body = complete_profile();
            body[list] = wrong;
            let problem = put(&gateway, &body).await.refused(400);
            assert_eq!(problem["fields"][list], "Invalid type", "{problem}");
        }
    }
}

#[tokio::test]
async fn a_profile_takes_one_call_and_the_own_one_two_and_one_for_an_open_step_of_communities() {
    let gateway = TestGateway::start().await;
    let path = |of| format!("/api/users/{of}/profile");
    let mut report = Vec::new();
    for (what, ask, calls) in [
        ("visitor", TestRequest::new("GET", &path(ANA)), 1),
        ("other member, cold", TestRequest::new("GET", &path(BEN)).by_member(ANA), 2),
        ("other member, warm", TestRequest::new("GET", &path(BEN)).by_member(ANA), 1),
        ("own, warm", TestRequest::new("GET", &path(ANA)).by_member(ANA), 3),
        ("own, cold", TestRequest::new("GET", &path(BEN)).by_member(BEN), 4),
    ] {
        gateway.fakes.seen();
        assert_eq!(gateway.send(ask).await.status, 200);
        let seen: Vec<_> = gateway.fakes.seen().into_iter().map(|seen| seen.method).collect();
        assert_eq!(seen.len(), calls, "{what}: {seen:?}");
        report.push(format!("{what}: {calls} ({})", seen.join(", ")));
    }
    println!("gRPC calls per GET /api/users/{{id}}/profile\n{}", report.join("\n"));
}

#[tokio::test]
async fn counters_are_private_and_optional() {
    let gateway = TestGateway::start().await;
    let of = |id, by| TestRequest::new("GET", &format!("/api/users/{id}/profile")).by_member(by);
    let own = gateway.send(of(ANA, ANA)).await;
    assert_eq!(own.json()["stats"], json!({ "profileViews": 12, "postImpressions": 99, "connections": 3 }));
    assert_eq!(gateway.send(of(BEN, ANA)).await.json().get("stats"), None);

    gateway.fakes.fail("get_post_stats", FakeServices::unavailable());
    let own = gateway.send(of(ANA, ANA)).await;
    assert_eq!((own.status.as_u16(), own.header("x-degraded")), (200, "feed"));
    assert_eq!(own.json().get("stats"), None, "absent counters");
    let other = gateway.send(of(BEN, ANA)).await;
    assert_eq!((other.status.as_u16(), other.header("x-degraded")), (200, ""));
}

#[tokio::test(start_paused = true)]
async fn feed_and_profile_are_called_concurrently() {
    let gateway = TestGateway::start().await;
    gateway.fakes.fail("get_post_stats", crate::fakes::Failure::Hangs);
    let own = gateway.send(TestRequest::new("GET", &format!("/api/users/{ANA}/profile")).by_member(ANA)).await;
    assert_eq!((own.status.as_u16(), own.header("x-degraded")), (200, "feed"));
    let seen: Vec<_> = gateway.fakes.seen().into_iter().map(|seen| seen.method).collect();
    assert!(seen.contains(&"get_member") && seen.contains(&"get_post_stats"), "{seen:?}");
}

#[tokio::test]
async fn an_endorsement_is_created_withdrawn_hidden_and_listed() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/users/{ANA}/endorsements");
    let skill = json!({ "skill": SKILL });
    let given = gateway.send(TestRequest::new("POST", &path).by_member(BEN).json(&skill)).await;
    assert_eq!(given.json(), json!({ "skill": SKILL, "count": 2, "endorsedByMe": true }));
    let taken = gateway.send(TestRequest::new("DELETE", &format!("{path}?skill={SKILL}")).by_member(BEN)).await;
    assert_eq!(taken.json(), json!({ "skill": SKILL, "count": 1, "endorsedByMe": false }));
    let hide = json!({ "skill": SKILL, "endorserId": BEN, "hidden": true });
    let hidden = gateway.send(TestRequest::new("PATCH", &path).by_member(ANA).json(&hide)).await;
    assert_eq!(hidden.json()["count"], 0);
    let listed = gateway.get(&format!("{path}?skill={SKILL}")).await;
    assert_eq!(listed.json()[0]["user"]["fullName"], "Ben Whitlock");
    assert!(listed.header("link").contains(&format!("?skill={SKILL}&cursor=more")), "{}", listed.header("link"));

    gateway.send(TestRequest::new("POST", &path).by_member(ANA).json(&skill)).await.refused(403);
    for unknown in ["", "Tax%00", "research"] {
        gateway.send(TestRequest::new("DELETE", &format!("{path}?skill={unknown}")).by_member(BEN)).await.refused(404);
        gateway.get(&format!("{path}?skill={unknown}")).await.refused(404);
    }
    for (method, ask) in [("PATCH", json!({ "skill": SKILL, "endorserId": BEN })), ("POST", json!({ "skill": 7 }))] {
        gateway.send(TestRequest::new(method, &path).by_member(ANA).json(&ask)).await.refused(400);
    }
}

#[tokio::test]
async fn activity_contains_member_cards() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get(&format!("/api/users/{BEN}/activity?limit=3")).await;
    let body = reply.json();
    let kinds: Vec<_> = body.as_array().unwrap().iter().map(|activity| activity["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["comment", "reaction", "post"]);
    assert_eq!(body[0]["comment"]["user"]["fullName"], "Ben Whitlock");
    assert_eq!((&body[1]["reaction"], &body[1]["post"]["author"]["fullName"]), (&json!("thanks"), &json!("Ana Reyes")));
    assert!(body[2].get("comment").is_none() && body[2].get("reaction").is_none());
    assert!(reply.header("link").contains("limit=3&cursor=older"));
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
}

//! What each route answers, to the letter.

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    actors::{
        ANA, APPLICATION, ARTICLE, BEN, CARL, CLOSED_JOB, COMMENT, COMMUNITY, CONNECTION, CONVERSATION, EVENT, JOB,
        POST, RESOURCE, SKILL,
    },
    test_gateway::{Ask, TestGateway},
};

/// Headers that belong to the answer, and the answer.
async fn told(gateway: &TestGateway, ask: Ask) -> Value {
    let reply = gateway.send(ask).await;
    let mut told = json!({ "status": reply.status.as_u16(), "body": reply.json() });
    for header in ["link", "location", "x-degraded", "x-total-count", "set-cookie"] {
        if !reply.header(header).is_empty() {
            told[header] = reply.header(header).into();
        }
    }
    told
}

#[tokio::test]
async fn posts() {
    let gateway = TestGateway::start().await;
    insta::assert_json_snapshot!("posts", told(&gateway, Ask::new("GET", "/api/posts?sort=top&limit=1")).await);
    insta::assert_json_snapshot!("post", told(&gateway, Ask::new("GET", &format!("/api/posts/{POST}")).of(ANA)).await);
    let create = Ask::new("POST", "/api/posts").of(BEN).json(&json!({ "userId": BEN, "content": "Hello" }));
    insta::assert_json_snapshot!("post_created", told(&gateway, create).await);
    let change = Ask::new("PATCH", &format!("/api/posts/{POST}")).of(ANA).json(&json!({ "content": "Passed!" }));
    insta::assert_json_snapshot!("post_updated", told(&gateway, change).await);
    let share = Ask::new("POST", "/api/posts").of(ANA).json(&json!({ "userId": ANA, "content": "", "repostOf": POST }));
    insta::assert_json_snapshot!("post_shared", told(&gateway, share).await);
    let gone = gateway.send(Ask::new("DELETE", &format!("/api/posts/{POST}")).of(ANA)).await;
    assert_eq!((gone.status, gone.text()), (StatusCode::NO_CONTENT, String::new()));
}

#[tokio::test]
async fn likes_and_comments() {
    let gateway = TestGateway::start().await;
    let path = |part: &str| format!("/api/posts/{POST}/{part}");
    insta::assert_json_snapshot!("likes", told(&gateway, Ask::new("GET", &path("likes"))).await);
    let like = Ask::new("POST", &path("likes")).of(ANA).json(&json!({ "userId": ANA, "type": "thanks" }));
    insta::assert_json_snapshot!("like_set", told(&gateway, like).await);
    insta::assert_json_snapshot!("like_removed", told(&gateway, Ask::new("DELETE", &path("likes")).of(ANA)).await);
    insta::assert_json_snapshot!("comments", told(&gateway, Ask::new("GET", &path("comments"))).await);
    let comment = Ask::new("POST", &path("comments")).of(ANA).json(&json!({ "userId": ANA, "content": "Well done" }));
    insta::assert_json_snapshot!("comment_created", told(&gateway, comment).await);
    let comment = |method| Ask::new(method, &format!("/api/comments/{COMMENT}")).of(BEN);
    let change = comment("PATCH").json(&json!({ "content": "Well done!" }));
    insta::assert_json_snapshot!("comment_updated", told(&gateway, change).await);
    insta::assert_json_snapshot!("comment_removed", told(&gateway, comment("DELETE")).await);
}

#[tokio::test]
async fn members_and_their_graph() {
    let gateway = TestGateway::start().await;
    let of = |path: String| Ask::new("GET", &path).of(ANA);
    insta::assert_json_snapshot!("me", told(&gateway, of("/api/auth/me".to_owned())).await);
    insta::assert_json_snapshot!("profile", told(&gateway, of(format!("/api/users/{BEN}/profile"))).await);
    insta::assert_json_snapshot!("connections", told(&gateway, of(format!("/api/users/{ANA}/connections"))).await);
    insta::assert_json_snapshot!("suggestions", told(&gateway, of(format!("/api/users/{ANA}/suggestions"))).await);
    let lookup = of(format!("/api/connections?requesterId={ANA}&recipientId={BEN}"));
    insta::assert_json_snapshot!("connection_between", told(&gateway, lookup).await);
    let pending = of(format!("/api/connections?recipientId={ANA}&status=pending"));
    insta::assert_json_snapshot!("connection_requests", told(&gateway, pending).await);
    insta::assert_json_snapshot!("blocks", told(&gateway, of("/api/blocks".to_owned())).await);
}

#[tokio::test]
async fn conversations_and_notifications() {
    let gateway = TestGateway::start().await;
    let of = |method: &str, path: &str| Ask::new(method, &format!("/api/{path}")).of(ANA);
    let one = format!("conversations/{CONVERSATION}");
    insta::assert_json_snapshot!("conversations", told(&gateway, of("GET", "conversations?limit=2")).await);
    let open = of("POST", "conversations").json(&json!({ "userId": BEN }));
    insta::assert_json_snapshot!("conversation_opened", told(&gateway, open).await);
    insta::assert_json_snapshot!("conversation", told(&gateway, of("GET", &one)).await);
    insta::assert_json_snapshot!("conversation_accepted", told(&gateway, of("POST", &format!("{one}/accept"))).await);
    let send = of("POST", &format!("{one}/messages")).json(&json!({ "userId": ANA, "content": "At ten." }));
    insta::assert_json_snapshot!("message_sent", told(&gateway, send).await);
    insta::assert_json_snapshot!("unread", told(&gateway, of("GET", "unread")).await);
    insta::assert_json_snapshot!("notifications", told(&gateway, of("GET", "notifications?cursor=c")).await);
    insta::assert_json_snapshot!("notification_settings", told(&gateway, of("GET", "notifications/settings")).await);
    let change = of("PATCH", "notifications/settings").json(&json!({ "post_liked": false, "community_posted": true }));
    insta::assert_json_snapshot!("notification_settings_updated", told(&gateway, change).await);
}

#[tokio::test]
async fn communities_and_their_posts() {
    let gateway = TestGateway::start().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/communities{part}")).of(ANA);
    let one = format!("/{COMMUNITY}");
    insta::assert_json_snapshot!("communities", told(&gateway, of("GET", "")).await);
    insta::assert_json_snapshot!("community", told(&gateway, of("GET", &one)).await);
    let found = of("POST", "").json(&json!({ "name": "Moot Society" }));
    insta::assert_json_snapshot!("community_created", told(&gateway, found).await);
    insta::assert_json_snapshot!(
        "community_name_taken",
        refused(&gateway, of("POST", "").json(&json!({ "name": "Law Review" }))).await
    );
    let change = of("PATCH", &one).json(&json!({ "name": "Law Review", "description": "Ours", "rules": "" }));
    insta::assert_json_snapshot!("community_updated", told(&gateway, change).await);
    insta::assert_json_snapshot!("community_members", told(&gateway, of("GET", &format!("{one}/members"))).await);
    let promote = of("PATCH", &format!("{one}/members/{BEN}")).json(&json!({ "role": "owner" }));
    insta::assert_json_snapshot!("community_role_set", told(&gateway, promote).await);
    let membership = |method| Ask::new(method, &format!("/api/communities{one}/membership")).of(BEN);
    insta::assert_json_snapshot!("community_joined", told(&gateway, membership("PUT")).await);
    insta::assert_json_snapshot!("community_left", told(&gateway, membership("DELETE")).await);
    let last = of("DELETE", &format!("{one}/membership"));
    insta::assert_json_snapshot!("community_last_owner", refused(&gateway, last).await);

    let posts = Ask::new("GET", &format!("/api/posts?communityId={COMMUNITY}")).of(BEN);
    insta::assert_json_snapshot!("community_posts", told(&gateway, posts).await);
    let post = Ask::new("POST", "/api/posts").of(BEN).json(&json!({ "content": "Hello", "communityId": COMMUNITY }));
    insta::assert_json_snapshot!("community_post_created", told(&gateway, post).await);
}

/// A refusal, but for its id.
async fn refused(gateway: &TestGateway, ask: Ask) -> Value {
    let mut told = told(gateway, ask).await;
    told["body"].as_object_mut().unwrap().remove("requestId");
    told
}

#[tokio::test]
async fn events_and_who_comes() {
    let gateway = TestGateway::start().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/events{part}")).of(ANA);
    let one = format!("/{EVENT}");
    insta::assert_json_snapshot!("events", told(&gateway, of("GET", "")).await);
    insta::assert_json_snapshot!("event", told(&gateway, Ask::new("GET", &format!("/api/events{one}")).of(BEN)).await);
    let text = json!({ "title": "Finals", "startDate": "2026-12-01T09:00:00+08:00", "timeZone": "Asia/Manila",
                       "endDate": "2026-12-01T11:00:00+08:00", "description": "Bring a robe." });
    insta::assert_json_snapshot!("event_created", told(&gateway, of("POST", "").json(&text)).await);
    let change = of("PATCH", &one).json(&json!({ "location": null, "endDate": "2026-11-22T00:00:00Z" }));
    insta::assert_json_snapshot!("event_updated", told(&gateway, change).await);
    let attendance = |method| of(method, &format!("{one}/attendance"));
    insta::assert_json_snapshot!("event_attended", told(&gateway, attendance("PUT")).await);
    insta::assert_json_snapshot!("event_unattended", told(&gateway, attendance("DELETE")).await);
    insta::assert_json_snapshot!("event_attendees", told(&gateway, of("GET", &format!("{one}/attendees"))).await);
    let file = gateway.get(&format!("/api/events{one}/calendar.ics")).await;
    insta::assert_snapshot!("event_calendar", file.text().replace("\r\n", "\n"));
}

#[tokio::test]
async fn profiles_as_they_are_edited_and_endorsed() {
    let gateway = TestGateway::start().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/users/{ANA}{part}")).of(ANA);
    insta::assert_json_snapshot!("own_profile", told(&gateway, of("GET", "/profile")).await);
    let card = json!({ "fullName": "Ana Lim", "headline": "2L", "location": "Manila", "avatarUrl": "" });
    insta::assert_json_snapshot!("user_updated", told(&gateway, of("PATCH", "").json(&card)).await);
    let lists = json!({ "userId": ANA, "bio": "Hello", "experiences": [], "education": [], "skills": [SKILL] });
    insta::assert_json_snapshot!("profile_replaced", told(&gateway, of("PUT", "/profile").json(&lists)).await);
    insta::assert_json_snapshot!("activity", told(&gateway, of("GET", "/activity")).await);
    insta::assert_json_snapshot!(
        "endorsements",
        told(&gateway, of("GET", &format!("/endorsements?skill={SKILL}"))).await
    );
    let give = Ask::new("POST", &format!("/api/users/{ANA}/endorsements")).of(BEN).json(&json!({ "skill": SKILL }));
    insta::assert_json_snapshot!("skill_endorsed", told(&gateway, give).await);
}

#[tokio::test]
async fn accounts() {
    let gateway = TestGateway::start().await;
    let check = Ask::new("POST", "/api/auth/check-username").trusted().json(&json!({ "username": "ana" }));
    insta::assert_json_snapshot!("username_checked", told(&gateway, check).await);
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/auth/{part}")).of(ANA);
    insta::assert_json_snapshot!("sessions", told(&gateway, of("GET", "sessions")).await);
    insta::assert_json_snapshot!("recovery_codes", told(&gateway, of("GET", "recovery-codes")).await);
    let renew = of("POST", "recovery-codes").json(&json!({ "password": "correct horse" }));
    insta::assert_json_snapshot!("recovery_codes_renewed", told(&gateway, renew).await);
}

#[tokio::test]
async fn connections_as_they_come() {
    let gateway = TestGateway::start().await;
    let ask = json!({ "requesterId": ANA, "recipientId": BEN, "status": "pending" });
    let request = Ask::new("POST", "/api/connections").of(ANA).json(&ask);
    insta::assert_json_snapshot!("connection_requested", told(&gateway, request).await);
    let accept =
        Ask::new("PATCH", &format!("/api/connections/{CONNECTION}")).of(ANA).json(&json!({ "status": "accepted" }));
    insta::assert_json_snapshot!("connection_answered", told(&gateway, accept).await);
}

#[tokio::test]
async fn jobs_and_news() {
    let gateway = TestGateway::start().await;
    let of = |path: &str| Ask::new("GET", path).of(ANA);
    insta::assert_json_snapshot!("jobs", told(&gateway, of("/api/jobs")).await);
    insta::assert_json_snapshot!("job_stats", told(&gateway, of("/api/jobs/stats/overview")).await);
    insta::assert_json_snapshot!("applications", told(&gateway, of("/api/jobs/applications/my")).await);
    insta::assert_json_snapshot!("news", told(&gateway, of("/api/news?page=2&source=aba&search=court")).await);
    insta::assert_json_snapshot!("news_sources", told(&gateway, of("/api/news/sources/list")).await);
    insta::assert_json_snapshot!("resources", told(&gateway, of("/api/resources")).await);
}

#[tokio::test]
async fn a_job_and_its_application() {
    let gateway = TestGateway::start().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/jobs/{part}")).of(ANA);
    insta::assert_json_snapshot!("job", told(&gateway, of("GET", &JOB.to_string())).await);
    insta::assert_json_snapshot!(
        "job_closed",
        told(&gateway, Ask::new("GET", &format!("/api/jobs/{CLOSED_JOB}"))).await
    );
    let one = format!("applications/{APPLICATION}");
    insta::assert_json_snapshot!("application", told(&gateway, of("GET", &one)).await);
    let change = of("PATCH", &one).json(&json!({ "status": "accepted", "notes": null }));
    insta::assert_json_snapshot!("application_updated", told(&gateway, change).await);
    let apply = |job| of("POST", &format!("{job}/apply")).json(&json!({ "notes": "My own words" }));
    insta::assert_json_snapshot!("applied", told(&gateway, apply(JOB).header("idempotency-key", "k-1")).await);
    insta::assert_json_snapshot!("applied_already", refused(&gateway, apply(JOB)).await);
    insta::assert_json_snapshot!("applied_too_late", refused(&gateway, apply(CLOSED_JOB)).await);
    insta::assert_json_snapshot!("jobs_refreshed", told(&gateway, of("POST", "refresh")).await);
}

#[tokio::test]
async fn a_story_a_resource_and_where_all_of_it_comes_from() {
    let gateway = TestGateway::start().await;
    insta::assert_json_snapshot!("article", told(&gateway, Ask::new("GET", &format!("/api/news/{ARTICLE}"))).await);
    insta::assert_json_snapshot!("news_refreshed", told(&gateway, Ask::new("POST", "/api/news/refresh")).await);
    insta::assert_json_snapshot!(
        "resource",
        told(&gateway, Ask::new("GET", &format!("/api/resources/{RESOURCE}"))).await
    );
    let suggest = |member, url: &str| {
        let form = json!({ "title": "Outlines", "description": null, "url": url, "type": "study-material" });
        Ask::new("POST", "/api/resources").of(member).json(&form)
    };
    let new = "https://outlines.example/";
    insta::assert_json_snapshot!("resource_suggested", told(&gateway, suggest(ANA, new)).await);
    insta::assert_json_snapshot!("resource_known", refused(&gateway, suggest(ANA, "https://known.example/")).await);
    let too_many = gateway.send(suggest(CARL, new)).await;
    assert_eq!(too_many.header("retry-after"), "", "time alone does not help");
    insta::assert_json_snapshot!("resources_waiting", refused(&gateway, suggest(CARL, new)).await);
    insta::assert_json_snapshot!("status", told(&gateway, Ask::new("GET", "/api/status")).await);
}

#[tokio::test]
async fn filters_reach_the_service_as_the_contract_spells_them() {
    let gateway = TestGateway::start().await;
    let query = "search=tax%20law&location=new+york&practiceArea=intellectual-property&experienceLevel=entry-level\
                 &employmentType=part-time&limit=7&cursor=c";
    assert_eq!(gateway.get(&format!("/api/jobs?{query}")).await.status, StatusCode::OK);
    let asked = gateway.fakes.seen().pop().unwrap().message;
    for part in ["\"tax law\"", "NewYork", "IntellectualProperty", "EntryLevel", "PartTime", "page_size: 7", "\"c\""] {
        assert!(asked.contains(part), "{part} is not in {asked}");
    }
    assert_eq!(gateway.get("/api/jobs?location=&practiceArea=&search=").await.status, StatusCode::OK);
    assert!(gateway.fakes.seen().pop().unwrap().message.contains("location: Unspecified"));
    for (query, asked) in [("type=case-brief", "type: \"case-brief\""), ("type=", "type: \"\""), ("", "type: \"\"")] {
        assert_eq!(gateway.get(&format!("/api/resources?{query}")).await.status, StatusCode::OK);
        let seen = gateway.fakes.seen().pop().unwrap().message;
        assert!(seen.contains(asked), "{query}: {seen}");
    }
    gateway.get("/api/news?source=all").await;
    assert!(gateway.fakes.seen().pop().unwrap().message.contains("page: 1, source: \"\""));
    gateway.get(&format!("/api/posts?userId={ANA}")).await;
    assert!(gateway.fakes.seen().iter().any(|seen| seen.message.contains("sort: Recent")));
}

#[tokio::test]
async fn an_idempotency_key_travels_with_the_post() {
    let gateway = TestGateway::start().await;
    let ask =
        Ask::new("POST", "/api/posts").of(ANA).header("idempotency-key", "k-1").json(&json!({ "content": "Hello" }));
    assert_eq!(gateway.send(ask).await.status, StatusCode::CREATED);
    assert!(gateway.fakes.seen().iter().any(|seen| seen.message.contains("Some(\"k-1\")")));
}

#[tokio::test]
async fn an_absent_field_of_an_application_stays_and_an_empty_one_clears() {
    let gateway = TestGateway::start().await;
    for (body, asked) in [
        (json!({ "status": "withdrawn" }), "status: Withdrawn, notes: None"),
        (json!({ "notes": "" }), "status: Unspecified, notes: Some(\"\")"),
        (json!({ "notes": null }), "status: Unspecified, notes: Some(\"\")"),
        (json!({ "status": null, "notes": "Call back" }), "status: Unspecified, notes: Some(\"Call back\")"),
    ] {
        let change = Ask::new("PATCH", &format!("/api/jobs/applications/{APPLICATION}")).of(ANA).json(&body);
        assert_eq!(gateway.send(change).await.status, StatusCode::OK, "{body}");
        let seen = gateway.fakes.seen().pop().unwrap();
        assert!(seen.method == "update_application" && seen.message.contains(asked), "{body}: {seen:?}");
    }
    for body in [json!({}), json!({ "status": null }), json!({ "unknown": 1 })] {
        let change = Ask::new("PATCH", &format!("/api/jobs/applications/{APPLICATION}")).of(ANA).json(&body);
        assert!(gateway.send(change).await.refused(400)["fields"]["status"].is_string(), "{body}");
    }
    for (body, notes) in [("", "\"\""), ("{}", "\"\""), (r#"{"notes":null}"#, "\"\""), (r#"{"notes":"a"}"#, "\"a\"")] {
        let apply = Ask::new("POST", &format!("/api/jobs/{JOB}/apply")).of(BEN).raw(body);
        assert_eq!(gateway.send(apply).await.status, StatusCode::CREATED, "{body}");
        let seen = gateway.fakes.seen().pop().unwrap().message;
        assert!(seen.contains(&format!("notes: {notes}, idempotency_key: None")), "{body}: {seen}");
    }
}

#[tokio::test]
async fn the_document_is_the_one_in_the_repository() {
    let kept = include_str!("../../openapi.json");
    assert_eq!(kept, gateway::api::routes::document_json(), "run `cargo xtask openapi`");
    let gateway = TestGateway::start().await;
    assert_eq!(gateway.get("/api/openapi.json").await.text(), kept);
}

#[tokio::test]
async fn the_reader_shows_every_route_and_runs_nothing() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get("/api/docs").await;
    let page = reply.text();
    for path in gateway::api::routes::document().paths.paths.keys() {
        assert!(page.contains(&format!("<code>{path}</code>")), "{path}");
    }
    assert!(!page.contains("<script"));
    assert!(reply.header("content-security-policy").starts_with("default-src 'none'; style-src 'sha256-"));
}

//! What each route answers, to the letter.

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    cast::{
        ANA, APPLICATION, ARTICLE, BEN, CARL, CLOSED_JOB, COMMENT, COMMUNITY, CONNECTION, CONVERSATION, EVENT, JOB,
        POST, RESOURCE, SKILL,
    },
    door::{Ask, Door},
};

/// Headers that belong to the answer, and the answer.
async fn told(door: &Door, ask: Ask) -> Value {
    let reply = door.send(ask).await;
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
    let door = Door::open().await;
    insta::assert_json_snapshot!("posts", told(&door, Ask::new("GET", "/api/posts?sort=top&limit=1")).await);
    insta::assert_json_snapshot!("post", told(&door, Ask::new("GET", &format!("/api/posts/{POST}")).of(ANA)).await);
    let create = Ask::new("POST", "/api/posts").of(BEN).json(&json!({ "userId": BEN, "content": "Hello" }));
    insta::assert_json_snapshot!("post_created", told(&door, create).await);
    let change = Ask::new("PATCH", &format!("/api/posts/{POST}")).of(ANA).json(&json!({ "content": "Passed!" }));
    insta::assert_json_snapshot!("post_updated", told(&door, change).await);
    let share = Ask::new("POST", "/api/posts").of(ANA).json(&json!({ "userId": ANA, "content": "", "repostOf": POST }));
    insta::assert_json_snapshot!("post_shared", told(&door, share).await);
    let gone = door.send(Ask::new("DELETE", &format!("/api/posts/{POST}")).of(ANA)).await;
    assert_eq!((gone.status, gone.text()), (StatusCode::NO_CONTENT, String::new()));
}

#[tokio::test]
async fn likes_and_comments() {
    let door = Door::open().await;
    let path = |part: &str| format!("/api/posts/{POST}/{part}");
    insta::assert_json_snapshot!("likes", told(&door, Ask::new("GET", &path("likes"))).await);
    let like = Ask::new("POST", &path("likes")).of(ANA).json(&json!({ "userId": ANA, "type": "thanks" }));
    insta::assert_json_snapshot!("like_set", told(&door, like).await);
    insta::assert_json_snapshot!("like_removed", told(&door, Ask::new("DELETE", &path("likes")).of(ANA)).await);
    insta::assert_json_snapshot!("comments", told(&door, Ask::new("GET", &path("comments"))).await);
    let comment = Ask::new("POST", &path("comments")).of(ANA).json(&json!({ "userId": ANA, "content": "Well done" }));
    insta::assert_json_snapshot!("comment_created", told(&door, comment).await);
    let comment = |method| Ask::new(method, &format!("/api/comments/{COMMENT}")).of(BEN);
    let change = comment("PATCH").json(&json!({ "content": "Well done!" }));
    insta::assert_json_snapshot!("comment_updated", told(&door, change).await);
    insta::assert_json_snapshot!("comment_removed", told(&door, comment("DELETE")).await);
}

#[tokio::test]
async fn members_and_their_graph() {
    let door = Door::open().await;
    let of = |path: String| Ask::new("GET", &path).of(ANA);
    insta::assert_json_snapshot!("me", told(&door, of("/api/auth/me".to_owned())).await);
    insta::assert_json_snapshot!("profile", told(&door, of(format!("/api/users/{BEN}/profile"))).await);
    insta::assert_json_snapshot!("connections", told(&door, of(format!("/api/users/{ANA}/connections"))).await);
    insta::assert_json_snapshot!("suggestions", told(&door, of(format!("/api/users/{ANA}/suggestions"))).await);
    let lookup = of(format!("/api/connections?requesterId={ANA}&recipientId={BEN}"));
    insta::assert_json_snapshot!("connection_between", told(&door, lookup).await);
    let pending = of(format!("/api/connections?recipientId={ANA}&status=pending"));
    insta::assert_json_snapshot!("connection_requests", told(&door, pending).await);
    insta::assert_json_snapshot!("blocks", told(&door, of("/api/blocks".to_owned())).await);
}

#[tokio::test]
async fn conversations_and_what_the_bell_tells() {
    let door = Door::open().await;
    let of = |method: &str, path: &str| Ask::new(method, &format!("/api/{path}")).of(ANA);
    let one = format!("conversations/{CONVERSATION}");
    insta::assert_json_snapshot!("conversations", told(&door, of("GET", "conversations?limit=2")).await);
    let open = of("POST", "conversations").json(&json!({ "userId": BEN }));
    insta::assert_json_snapshot!("conversation_opened", told(&door, open).await);
    insta::assert_json_snapshot!("conversation", told(&door, of("GET", &one)).await);
    insta::assert_json_snapshot!("conversation_accepted", told(&door, of("POST", &format!("{one}/accept"))).await);
    let send = of("POST", &format!("{one}/messages")).json(&json!({ "userId": ANA, "content": "At ten." }));
    insta::assert_json_snapshot!("message_sent", told(&door, send).await);
    insta::assert_json_snapshot!("unread", told(&door, of("GET", "unread")).await);
    insta::assert_json_snapshot!("notifications", told(&door, of("GET", "notifications?cursor=c")).await);
    insta::assert_json_snapshot!("notification_settings", told(&door, of("GET", "notifications/settings")).await);
    let change = of("PATCH", "notifications/settings").json(&json!({ "post_liked": false, "community_posted": true }));
    insta::assert_json_snapshot!("notification_settings_updated", told(&door, change).await);
}

#[tokio::test]
async fn communities_and_what_is_posted_in_them() {
    let door = Door::open().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/communities{part}")).of(ANA);
    let one = format!("/{COMMUNITY}");
    insta::assert_json_snapshot!("communities", told(&door, of("GET", "")).await);
    insta::assert_json_snapshot!("community", told(&door, of("GET", &one)).await);
    let found = of("POST", "").json(&json!({ "name": "Moot Society" }));
    insta::assert_json_snapshot!("community_created", told(&door, found).await);
    insta::assert_json_snapshot!(
        "community_name_taken",
        refused(&door, of("POST", "").json(&json!({ "name": "Law Review" }))).await
    );
    let change = of("PATCH", &one).json(&json!({ "name": "Law Review", "description": "Ours", "rules": "" }));
    insta::assert_json_snapshot!("community_updated", told(&door, change).await);
    insta::assert_json_snapshot!("community_members", told(&door, of("GET", &format!("{one}/members"))).await);
    let promote = of("PATCH", &format!("{one}/members/{BEN}")).json(&json!({ "role": "owner" }));
    insta::assert_json_snapshot!("community_role_set", told(&door, promote).await);
    let membership = |method| Ask::new(method, &format!("/api/communities{one}/membership")).of(BEN);
    insta::assert_json_snapshot!("community_joined", told(&door, membership("PUT")).await);
    insta::assert_json_snapshot!("community_left", told(&door, membership("DELETE")).await);
    let last = of("DELETE", &format!("{one}/membership"));
    insta::assert_json_snapshot!("community_last_owner", refused(&door, last).await);

    let posts = Ask::new("GET", &format!("/api/posts?communityId={COMMUNITY}")).of(BEN);
    insta::assert_json_snapshot!("community_posts", told(&door, posts).await);
    let post = Ask::new("POST", "/api/posts").of(BEN).json(&json!({ "content": "Hello", "communityId": COMMUNITY }));
    insta::assert_json_snapshot!("community_post_created", told(&door, post).await);
}

/// A refusal, but for its id.
async fn refused(door: &Door, ask: Ask) -> Value {
    let mut told = told(door, ask).await;
    told["body"].as_object_mut().unwrap().remove("requestId");
    told
}

#[tokio::test]
async fn events_and_who_comes() {
    let door = Door::open().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/events{part}")).of(ANA);
    let one = format!("/{EVENT}");
    insta::assert_json_snapshot!("events", told(&door, of("GET", "")).await);
    insta::assert_json_snapshot!("event", told(&door, Ask::new("GET", &format!("/api/events{one}")).of(BEN)).await);
    let text = json!({ "title": "Finals", "startDate": "2026-12-01T09:00:00+08:00", "timeZone": "Asia/Manila",
                       "endDate": "2026-12-01T11:00:00+08:00", "description": "Bring a robe." });
    insta::assert_json_snapshot!("event_created", told(&door, of("POST", "").json(&text)).await);
    let change = of("PATCH", &one).json(&json!({ "location": null, "endDate": "2026-11-22T00:00:00Z" }));
    insta::assert_json_snapshot!("event_updated", told(&door, change).await);
    let attendance = |method| of(method, &format!("{one}/attendance"));
    insta::assert_json_snapshot!("event_attended", told(&door, attendance("PUT")).await);
    insta::assert_json_snapshot!("event_unattended", told(&door, attendance("DELETE")).await);
    insta::assert_json_snapshot!("event_attendees", told(&door, of("GET", &format!("{one}/attendees"))).await);
    let file = door.get(&format!("/api/events{one}/calendar.ics")).await;
    insta::assert_snapshot!("event_calendar", file.text().replace("\r\n", "\n"));
}

#[tokio::test]
async fn profiles_as_they_are_edited_and_endorsed() {
    let door = Door::open().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/users/{ANA}{part}")).of(ANA);
    insta::assert_json_snapshot!("own_profile", told(&door, of("GET", "/profile")).await);
    let card = json!({ "fullName": "Ana Lim", "headline": "2L", "location": "Manila", "avatarUrl": "" });
    insta::assert_json_snapshot!("user_updated", told(&door, of("PATCH", "").json(&card)).await);
    let lists = json!({ "userId": ANA, "bio": "Hello", "experiences": [], "education": [], "skills": [SKILL] });
    insta::assert_json_snapshot!("profile_replaced", told(&door, of("PUT", "/profile").json(&lists)).await);
    insta::assert_json_snapshot!("activity", told(&door, of("GET", "/activity")).await);
    insta::assert_json_snapshot!("endorsements", told(&door, of("GET", &format!("/endorsements?skill={SKILL}"))).await);
    let give = Ask::new("POST", &format!("/api/users/{ANA}/endorsements")).of(BEN).json(&json!({ "skill": SKILL }));
    insta::assert_json_snapshot!("skill_endorsed", told(&door, give).await);
}

#[tokio::test]
async fn accounts() {
    let door = Door::open().await;
    let check = Ask::new("POST", "/api/auth/check-username").trusted().json(&json!({ "username": "ana" }));
    insta::assert_json_snapshot!("username_checked", told(&door, check).await);
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/auth/{part}")).of(ANA);
    insta::assert_json_snapshot!("sessions", told(&door, of("GET", "sessions")).await);
    insta::assert_json_snapshot!("recovery_codes", told(&door, of("GET", "recovery-codes")).await);
    let renew = of("POST", "recovery-codes").json(&json!({ "password": "correct horse" }));
    insta::assert_json_snapshot!("recovery_codes_renewed", told(&door, renew).await);
}

#[tokio::test]
async fn connections_as_they_come() {
    let door = Door::open().await;
    let ask = json!({ "requesterId": ANA, "recipientId": BEN, "status": "pending" });
    let request = Ask::new("POST", "/api/connections").of(ANA).json(&ask);
    insta::assert_json_snapshot!("connection_requested", told(&door, request).await);
    let accept =
        Ask::new("PATCH", &format!("/api/connections/{CONNECTION}")).of(ANA).json(&json!({ "status": "accepted" }));
    insta::assert_json_snapshot!("connection_answered", told(&door, accept).await);
}

#[tokio::test]
async fn jobs_and_news() {
    let door = Door::open().await;
    let of = |path: &str| Ask::new("GET", path).of(ANA);
    insta::assert_json_snapshot!("jobs", told(&door, of("/api/jobs")).await);
    insta::assert_json_snapshot!("job_stats", told(&door, of("/api/jobs/stats/overview")).await);
    insta::assert_json_snapshot!("applications", told(&door, of("/api/jobs/applications/my")).await);
    insta::assert_json_snapshot!("news", told(&door, of("/api/news?page=2&source=aba&search=court")).await);
    insta::assert_json_snapshot!("news_sources", told(&door, of("/api/news/sources/list")).await);
    insta::assert_json_snapshot!("resources", told(&door, of("/api/resources")).await);
}

#[tokio::test]
async fn a_posting_and_what_a_member_did_about_it() {
    let door = Door::open().await;
    let of = |method: &str, part: &str| Ask::new(method, &format!("/api/jobs/{part}")).of(ANA);
    insta::assert_json_snapshot!("job", told(&door, of("GET", &JOB.to_string())).await);
    insta::assert_json_snapshot!("job_closed", told(&door, Ask::new("GET", &format!("/api/jobs/{CLOSED_JOB}"))).await);
    let one = format!("applications/{APPLICATION}");
    insta::assert_json_snapshot!("application", told(&door, of("GET", &one)).await);
    let change = of("PATCH", &one).json(&json!({ "status": "accepted", "notes": null }));
    insta::assert_json_snapshot!("application_updated", told(&door, change).await);
    let apply = |job| of("POST", &format!("{job}/apply")).json(&json!({ "notes": "My own words" }));
    insta::assert_json_snapshot!("applied", told(&door, apply(JOB).header("idempotency-key", "k-1")).await);
    insta::assert_json_snapshot!("applied_already", refused(&door, apply(JOB)).await);
    insta::assert_json_snapshot!("applied_too_late", refused(&door, apply(CLOSED_JOB)).await);
    insta::assert_json_snapshot!("jobs_refreshed", told(&door, of("POST", "refresh")).await);
}

#[tokio::test]
async fn a_story_a_resource_and_where_all_of_it_comes_from() {
    let door = Door::open().await;
    insta::assert_json_snapshot!("article", told(&door, Ask::new("GET", &format!("/api/news/{ARTICLE}"))).await);
    insta::assert_json_snapshot!("news_refreshed", told(&door, Ask::new("POST", "/api/news/refresh")).await);
    insta::assert_json_snapshot!("resource", told(&door, Ask::new("GET", &format!("/api/resources/{RESOURCE}"))).await);
    let suggest = |member, url: &str| {
        let form = json!({ "title": "Outlines", "description": null, "url": url, "type": "study-material" });
        Ask::new("POST", "/api/resources").of(member).json(&form)
    };
    let new = "https://outlines.example/";
    insta::assert_json_snapshot!("resource_suggested", told(&door, suggest(ANA, new)).await);
    insta::assert_json_snapshot!("resource_known", refused(&door, suggest(ANA, "https://known.example/")).await);
    let too_many = door.send(suggest(CARL, new)).await;
    assert_eq!(too_many.header("retry-after"), "", "time alone does not help");
    insta::assert_json_snapshot!("resources_waiting", refused(&door, suggest(CARL, new)).await);
    insta::assert_json_snapshot!("status", told(&door, Ask::new("GET", "/api/status")).await);
}

#[tokio::test]
async fn filters_reach_the_service_as_the_contract_spells_them() {
    let door = Door::open().await;
    let query = "search=tax%20law&location=new+york&practiceArea=intellectual-property&experienceLevel=entry-level\
                 &employmentType=part-time&limit=7&cursor=c";
    assert_eq!(door.get(&format!("/api/jobs?{query}")).await.status, StatusCode::OK);
    let asked = door.world.seen().pop().unwrap().message;
    for part in ["\"tax law\"", "NewYork", "IntellectualProperty", "EntryLevel", "PartTime", "page_size: 7", "\"c\""] {
        assert!(asked.contains(part), "{part} is not in {asked}");
    }
    assert_eq!(door.get("/api/jobs?location=&practiceArea=&search=").await.status, StatusCode::OK);
    assert!(door.world.seen().pop().unwrap().message.contains("location: Unspecified"));
    for (query, asked) in [("type=case-brief", "type: \"case-brief\""), ("type=", "type: \"\""), ("", "type: \"\"")] {
        assert_eq!(door.get(&format!("/api/resources?{query}")).await.status, StatusCode::OK);
        let seen = door.world.seen().pop().unwrap().message;
        assert!(seen.contains(asked), "{query}: {seen}");
    }
    door.get("/api/news?source=all").await;
    assert!(door.world.seen().pop().unwrap().message.contains("page: 1, source: \"\""));
    door.get(&format!("/api/posts?userId={ANA}")).await;
    assert!(door.world.seen().iter().any(|seen| seen.message.contains("sort: Recent")));
}

#[tokio::test]
async fn an_idempotency_key_travels_with_the_post() {
    let door = Door::open().await;
    let ask =
        Ask::new("POST", "/api/posts").of(ANA).header("idempotency-key", "k-1").json(&json!({ "content": "Hello" }));
    assert_eq!(door.send(ask).await.status, StatusCode::CREATED);
    assert!(door.world.seen().iter().any(|seen| seen.message.contains("Some(\"k-1\")")));
}

#[tokio::test]
async fn what_is_not_sent_of_an_application_stays_and_what_is_empty_clears() {
    let door = Door::open().await;
    for (body, asked) in [
        (json!({ "status": "withdrawn" }), "status: Withdrawn, notes: None"),
        (json!({ "notes": "" }), "status: Unspecified, notes: Some(\"\")"),
        (json!({ "notes": null }), "status: Unspecified, notes: Some(\"\")"),
        (json!({ "status": null, "notes": "Call back" }), "status: Unspecified, notes: Some(\"Call back\")"),
    ] {
        let change = Ask::new("PATCH", &format!("/api/jobs/applications/{APPLICATION}")).of(ANA).json(&body);
        assert_eq!(door.send(change).await.status, StatusCode::OK, "{body}");
        let seen = door.world.seen().pop().unwrap();
        assert!(seen.method == "update_application" && seen.message.contains(asked), "{body}: {seen:?}");
    }
    for body in [json!({}), json!({ "status": null }), json!({ "unknown": 1 })] {
        let change = Ask::new("PATCH", &format!("/api/jobs/applications/{APPLICATION}")).of(ANA).json(&body);
        assert!(door.send(change).await.refused(400)["fields"]["status"].is_string(), "{body}");
    }
    for (body, notes) in [("", "\"\""), ("{}", "\"\""), (r#"{"notes":null}"#, "\"\""), (r#"{"notes":"a"}"#, "\"a\"")] {
        let apply = Ask::new("POST", &format!("/api/jobs/{JOB}/apply")).of(BEN).raw(body);
        assert_eq!(door.send(apply).await.status, StatusCode::CREATED, "{body}");
        let seen = door.world.seen().pop().unwrap().message;
        assert!(seen.contains(&format!("notes: {notes}, idempotency_key: None")), "{body}: {seen}");
    }
}

#[tokio::test]
async fn the_document_is_the_one_in_the_repository() {
    let kept = include_str!("../../openapi.json");
    assert_eq!(kept, gateway::api::routes::document_json(), "run `cargo xtask openapi`");
    let door = Door::open().await;
    assert_eq!(door.get("/api/openapi.json").await.text(), kept);
}

#[tokio::test]
async fn the_reader_shows_every_route_and_runs_nothing() {
    let door = Door::open().await;
    let reply = door.get("/api/docs").await;
    let page = reply.text();
    for path in gateway::api::routes::document().paths.paths.keys() {
        assert!(page.contains(&format!("<code>{path}</code>")), "{path}");
    }
    assert!(!page.contains("<script"));
    assert!(reply.header("content-security-policy").starts_with("default-src 'none'; style-src 'sha256-"));
}

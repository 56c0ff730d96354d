//! Snapshots of the response of each route.

use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    actors::{
        ANA, APPLICATION, ARTICLE, BEN, CARL, CLOSED_JOB, COMMENT, COMMUNITY, CONNECTION, CONVERSATION, EVENT, GROUP,
        JOB, MESSAGE, POST, RESOURCE, SKILL, subscribe_form,
    },
    test_gateway::{TestGateway, TestRequest},
};

/// The status, the relevant headers and the body of the response.
async fn response(gateway: &TestGateway, ask: TestRequest) -> Value {
    let reply = gateway.send(ask).await;
    let mut response = json!({ "status": reply.status.as_u16(), "body": reply.json() });
    for header in ["link", "location", "x-degraded", "x-total-count", "set-cookie"] {
        if !reply.header(header).is_empty() {
            response[header] = reply.header(header).into();
        }
    }
    response
}

#[tokio::test]
async fn posts() {
    let gateway = TestGateway::start().await;
    insta::assert_json_snapshot!(
        "posts",
        response(&gateway, TestRequest::new("GET", "/api/posts?sort=top&limit=1")).await
    );
    insta::assert_json_snapshot!(
        "post",
        response(&gateway, TestRequest::new("GET", &format!("/api/posts/{POST}")).by_member(ANA)).await
    );
    let create =
        TestRequest::new("POST", "/api/posts").by_member(BEN).json(&json!({ "userId": BEN, "content": "Hello" }));
    insta::assert_json_snapshot!("post_created", response(&gateway, create).await);
    let change =
        TestRequest::new("PATCH", &format!("/api/posts/{POST}")).by_member(ANA).json(&json!({ "content": "Passed!" }));
    insta::assert_json_snapshot!("post_updated", response(&gateway, change).await);
    let share = TestRequest::new("POST", "/api/posts")
        .by_member(ANA)
        .json(&json!({ "userId": ANA, "content": "", "repostOf": POST }));
    insta::assert_json_snapshot!("post_shared", response(&gateway, share).await);
    let gone = gateway.send(TestRequest::new("DELETE", &format!("/api/posts/{POST}")).by_member(ANA)).await;
    assert_eq!((gone.status, gone.text()), (StatusCode::NO_CONTENT, String::new()));
}

#[tokio::test]
async fn likes_and_comments() {
    let gateway = TestGateway::start().await;
    let path = |part: &str| format!("/api/posts/{POST}/{part}");
    insta::assert_json_snapshot!("likes", response(&gateway, TestRequest::new("GET", &path("likes"))).await);
    let like =
        TestRequest::new("POST", &path("likes")).by_member(ANA).json(&json!({ "userId": ANA, "type": "thanks" }));
    insta::assert_json_snapshot!("like_set", response(&gateway, like).await);
    insta::assert_json_snapshot!(
        "like_removed",
        response(&gateway, TestRequest::new("DELETE", &path("likes")).by_member(ANA)).await
    );
    insta::assert_json_snapshot!("comments", response(&gateway, TestRequest::new("GET", &path("comments"))).await);
    let comment = TestRequest::new("POST", &path("comments"))
        .by_member(ANA)
        .json(&json!({ "userId": ANA, "content": "Well done" }));
    insta::assert_json_snapshot!("comment_created", response(&gateway, comment).await);
    let comment = |method| TestRequest::new(method, &format!("/api/comments/{COMMENT}")).by_member(BEN);
    let change = comment("PATCH").json(&json!({ "content": "Well done!" }));
    insta::assert_json_snapshot!("comment_updated", response(&gateway, change).await);
    insta::assert_json_snapshot!("comment_removed", response(&gateway, comment("DELETE")).await);
}

#[tokio::test]
async fn replies_and_reactions_to_comments() {
    let gateway = TestGateway::start().await;
    let request = |method: &str, part: &str| TestRequest::new(method, &format!("/api/comments/{COMMENT}{part}"));
    insta::assert_json_snapshot!("comment", response(&gateway, request("GET", "")).await);
    insta::assert_json_snapshot!("replies", response(&gateway, request("GET", "/replies?limit=1")).await);
    insta::assert_json_snapshot!("comment_likes", response(&gateway, request("GET", "/likes")).await);
    let like = request("POST", "/likes").by_member(ANA).json(&json!({ "userId": ANA, "type": "like" }));
    insta::assert_json_snapshot!("comment_like_set", response(&gateway, like).await);
    let unlike = request("DELETE", "/likes").by_member(ANA);
    insta::assert_json_snapshot!("comment_like_removed", response(&gateway, unlike).await);
    let reply = |to: String| {
        let body = json!({ "userId": ANA, "content": "Thank you!", "replyTo": to });
        TestRequest::new("POST", &format!("/api/posts/{POST}/comments")).by_member(ANA).json(&body)
    };
    insta::assert_json_snapshot!("reply_created", response(&gateway, reply(COMMENT.to_string())).await);
    let unknown = gateway.send(reply(crate::actors::UNKNOWN.to_string())).await;
    assert_eq!(unknown.refused(404)["error"], "Comment not found");
}

#[tokio::test]
async fn members_and_their_graph() {
    let gateway = TestGateway::start().await;
    let request = |path: String| TestRequest::new("GET", &path).by_member(ANA);
    insta::assert_json_snapshot!("me", response(&gateway, request("/api/auth/me".to_owned())).await);
    insta::assert_json_snapshot!("profile", response(&gateway, request(format!("/api/users/{BEN}/profile"))).await);
    insta::assert_json_snapshot!(
        "connections",
        response(&gateway, request(format!("/api/users/{ANA}/connections"))).await
    );
    insta::assert_json_snapshot!(
        "suggestions",
        response(&gateway, request(format!("/api/users/{ANA}/suggestions"))).await
    );
    let lookup = request(format!("/api/connections?requesterId={ANA}&recipientId={BEN}"));
    insta::assert_json_snapshot!("connection_between", response(&gateway, lookup).await);
    let pending = request(format!("/api/connections?recipientId={ANA}&status=pending"));
    insta::assert_json_snapshot!("connection_requests", response(&gateway, pending).await);
    insta::assert_json_snapshot!("blocks", response(&gateway, request("/api/blocks".to_owned())).await);
}

#[tokio::test]
async fn conversations_and_notifications() {
    let gateway = TestGateway::start().await;
    let request = |method: &str, path: &str| TestRequest::new(method, &format!("/api/{path}")).by_member(ANA);
    let one = format!("conversations/{CONVERSATION}");
    insta::assert_json_snapshot!("conversations", response(&gateway, request("GET", "conversations?limit=2")).await);
    let open = request("POST", "conversations").json(&json!({ "userId": BEN }));
    insta::assert_json_snapshot!("conversation_opened", response(&gateway, open).await);
    insta::assert_json_snapshot!("conversation", response(&gateway, request("GET", &one)).await);
    let group = format!("conversations/{GROUP}");
    insta::assert_json_snapshot!("group", response(&gateway, request("GET", &group)).await);
    let members = request("GET", &format!("{group}/members"));
    insta::assert_json_snapshot!("group_members", response(&gateway, members).await);
    let create = request("POST", "conversations/groups").json(&json!({ "memberIds": [BEN, CARL] }));
    insta::assert_json_snapshot!("group_created", response(&gateway, create).await);
    insta::assert_json_snapshot!(
        "conversation_accepted",
        response(&gateway, request("POST", &format!("{one}/accept"))).await
    );
    let send = request("POST", &format!("{one}/messages")).json(&json!({ "userId": ANA, "content": "At ten." }));
    insta::assert_json_snapshot!("message_sent", response(&gateway, send).await);
    let edit = TestRequest::new("PATCH", &format!("/api/{one}/messages/{MESSAGE}"));
    let edit = edit.by_member(BEN).json(&json!({ "content": "At ten" }));
    insta::assert_json_snapshot!("message_edited", response(&gateway, edit).await);
    insta::assert_json_snapshot!("messages_found", response(&gateway, request("GET", "messages?search=see")).await);
    insta::assert_json_snapshot!("unread", response(&gateway, request("GET", "unread")).await);
    insta::assert_json_snapshot!("notifications", response(&gateway, request("GET", "notifications?cursor=c")).await);
    insta::assert_json_snapshot!(
        "notification_settings",
        response(&gateway, request("GET", "notifications/settings")).await
    );
    let change =
        request("PATCH", "notifications/settings").json(&json!({ "post_liked": false, "community_posted": true }));
    insta::assert_json_snapshot!("notification_settings_updated", response(&gateway, change).await);
    insta::assert_json_snapshot!("push_settings", response(&gateway, request("GET", "push")).await);
    let subscribe = request("POST", "push/subscriptions").json(&subscribe_form());
    insta::assert_json_snapshot!("push_subscribed", response(&gateway, subscribe).await);
}

#[tokio::test]
async fn communities_and_their_posts() {
    let gateway = TestGateway::start().await;
    let request =
        |method: &str, part: &str| TestRequest::new(method, &format!("/api/communities{part}")).by_member(ANA);
    let one = format!("/{COMMUNITY}");
    insta::assert_json_snapshot!("communities", response(&gateway, request("GET", "")).await);
    insta::assert_json_snapshot!("community", response(&gateway, request("GET", &one)).await);
    let found = request("POST", "").json(&json!({ "name": "Moot Society" }));
    insta::assert_json_snapshot!("community_created", response(&gateway, found).await);
    insta::assert_json_snapshot!(
        "community_name_taken",
        refused(&gateway, request("POST", "").json(&json!({ "name": "Law Review" }))).await
    );
    let change = request("PATCH", &one).json(&json!({ "name": "Law Review", "description": "Ours", "rules": "" }));
    insta::assert_json_snapshot!("community_updated", response(&gateway, change).await);
    insta::assert_json_snapshot!(
        "community_members",
        response(&gateway, request("GET", &format!("{one}/members"))).await
    );
    let promote = request("PATCH", &format!("{one}/members/{BEN}")).json(&json!({ "role": "owner" }));
    insta::assert_json_snapshot!("community_role_set", response(&gateway, promote).await);
    insta::assert_json_snapshot!(
        "community_requests",
        response(&gateway, request("GET", &format!("{one}/requests"))).await
    );
    insta::assert_json_snapshot!(
        "community_invitations",
        response(&gateway, request("GET", &format!("{one}/invitations"))).await
    );
    insta::assert_json_snapshot!("own_community_invitations", response(&gateway, request("GET", "/invitations")).await);
    insta::assert_json_snapshot!("community_bans", response(&gateway, request("GET", &format!("{one}/bans"))).await);
    insta::assert_json_snapshot!("community_log", response(&gateway, request("GET", &format!("{one}/log"))).await);
    let transfer = request("POST", &format!("{one}/transfer")).json(&json!({ "memberId": BEN }));
    insta::assert_json_snapshot!("community_transferred", response(&gateway, transfer).await);
    let protected = request("DELETE", &format!("{one}/members/{ANA}"));
    insta::assert_json_snapshot!("community_member_protected", refused(&gateway, protected).await);
    let membership = |method| TestRequest::new(method, &format!("/api/communities{one}/membership")).by_member(BEN);
    insta::assert_json_snapshot!("community_joined", response(&gateway, membership("PUT")).await);
    insta::assert_json_snapshot!("community_left", response(&gateway, membership("DELETE")).await);
    let last = request("DELETE", &format!("{one}/membership"));
    insta::assert_json_snapshot!("community_last_owner", refused(&gateway, last).await);

    let posts = TestRequest::new("GET", &format!("/api/posts?communityId={COMMUNITY}")).by_member(BEN);
    insta::assert_json_snapshot!("community_posts", response(&gateway, posts).await);
    let post = TestRequest::new("POST", "/api/posts")
        .by_member(BEN)
        .json(&json!({ "content": "Hello", "communityId": COMMUNITY }));
    insta::assert_json_snapshot!("community_post_created", response(&gateway, post).await);
}

/// Like [`response`], for a refusal: without the request id.
async fn refused(gateway: &TestGateway, ask: TestRequest) -> Value {
    let mut response = response(gateway, ask).await;
    response["body"].as_object_mut().unwrap().remove("requestId");
    response
}

#[tokio::test]
async fn events_and_who_comes() {
    let gateway = TestGateway::start().await;
    let request = |method: &str, part: &str| TestRequest::new(method, &format!("/api/events{part}")).by_member(ANA);
    let one = format!("/{EVENT}");
    insta::assert_json_snapshot!("events", response(&gateway, request("GET", "")).await);
    insta::assert_json_snapshot!(
        "event",
        response(&gateway, TestRequest::new("GET", &format!("/api/events{one}")).by_member(BEN)).await
    );
    let text = json!({ "title": "Finals", "startDate": "2026-12-01T09:00:00+08:00", "timeZone": "Asia/Manila",
                       "endDate": "2026-12-01T11:00:00+08:00", "description": "Bring a robe." });
    insta::assert_json_snapshot!("event_created", response(&gateway, request("POST", "").json(&text)).await);
    let change = request("PATCH", &one).json(&json!({ "location": null, "endDate": "2026-11-22T00:00:00Z" }));
    insta::assert_json_snapshot!("event_updated", response(&gateway, change).await);
    let attendance = |method| request(method, &format!("{one}/attendance"));
    insta::assert_json_snapshot!("event_attended", response(&gateway, attendance("PUT")).await);
    insta::assert_json_snapshot!("event_unattended", response(&gateway, attendance("DELETE")).await);
    insta::assert_json_snapshot!(
        "event_attendees",
        response(&gateway, request("GET", &format!("{one}/attendees"))).await
    );
    let file = gateway.get(&format!("/api/events{one}/calendar.ics")).await;
    insta::assert_snapshot!("event_calendar", file.text().replace("\r\n", "\n"));
}

#[tokio::test]
async fn profiles_as_they_are_edited_and_endorsed() {
    let gateway = TestGateway::start().await;
    let request =
        |method: &str, part: &str| TestRequest::new(method, &format!("/api/users/{ANA}{part}")).by_member(ANA);
    insta::assert_json_snapshot!("own_profile", response(&gateway, request("GET", "/profile")).await);
    let card = json!({ "fullName": "Ana Lim", "headline": "2L", "location": "Manila", "avatarUrl": "" });
    insta::assert_json_snapshot!("user_updated", response(&gateway, request("PATCH", "").json(&card)).await);
    let lists = json!({ "userId": ANA, "bio": "Hello", "experiences": [], "education": [], "skills": [SKILL] });
    insta::assert_json_snapshot!("profile_replaced", response(&gateway, request("PUT", "/profile").json(&lists)).await);
    insta::assert_json_snapshot!("activity", response(&gateway, request("GET", "/activity")).await);
    insta::assert_json_snapshot!(
        "endorsements",
        response(&gateway, request("GET", &format!("/endorsements?skill={SKILL}"))).await
    );
    let give = TestRequest::new("POST", &format!("/api/users/{ANA}/endorsements"))
        .by_member(BEN)
        .json(&json!({ "skill": SKILL }));
    insta::assert_json_snapshot!("skill_endorsed", response(&gateway, give).await);
}

#[tokio::test]
async fn accounts() {
    let gateway = TestGateway::start().await;
    let check = TestRequest::new("POST", "/api/auth/check-username").trusted().json(&json!({ "username": "ana" }));
    insta::assert_json_snapshot!("username_checked", response(&gateway, check).await);
    let request = |method: &str, part: &str| TestRequest::new(method, &format!("/api/auth/{part}")).by_member(ANA);
    insta::assert_json_snapshot!("sessions", response(&gateway, request("GET", "sessions")).await);
    let trusted = request("GET", "trusted-browsers");
    insta::assert_json_snapshot!("trusted_browsers", response(&gateway, trusted).await);
    let advice = TestRequest::new("POST", "/api/auth/check-password").json(&json!({ "hashPrefix": "5e8" }));
    insta::assert_json_snapshot!("password_advice", response(&gateway, advice).await);
    insta::assert_json_snapshot!("recovery_codes", response(&gateway, request("GET", "recovery-codes")).await);
    let renew = request("POST", "recovery-codes").json(&json!({}));
    insta::assert_json_snapshot!("recovery_codes_renewed", response(&gateway, renew).await);
    insta::assert_json_snapshot!("passkeys", response(&gateway, request("GET", "passkeys")).await);
    let create = request("POST", "passkeys").json(&crate::passkeys::new_passkey());
    insta::assert_json_snapshot!("passkey_created", response(&gateway, create).await);
    insta::assert_json_snapshot!("totp", response(&gateway, request("GET", "totp")).await);
    insta::assert_json_snapshot!("totp_created", response(&gateway, request("POST", "totp").json(&json!({}))).await);
}

#[tokio::test]
async fn connections_as_they_come() {
    let gateway = TestGateway::start().await;
    let ask = json!({ "requesterId": ANA, "recipientId": BEN, "status": "pending" });
    let request = TestRequest::new("POST", "/api/connections").by_member(ANA).json(&ask);
    insta::assert_json_snapshot!("connection_requested", response(&gateway, request).await);
    let accept = TestRequest::new("PATCH", &format!("/api/connections/{CONNECTION}"))
        .by_member(ANA)
        .json(&json!({ "status": "accepted" }));
    insta::assert_json_snapshot!("connection_answered", response(&gateway, accept).await);
}

#[tokio::test]
async fn jobs_and_news() {
    let gateway = TestGateway::start().await;
    let request = |path: &str| TestRequest::new("GET", path).by_member(ANA);
    insta::assert_json_snapshot!("jobs", response(&gateway, request("/api/jobs")).await);
    insta::assert_json_snapshot!("job_stats", response(&gateway, request("/api/jobs/stats/overview")).await);
    insta::assert_json_snapshot!("applications", response(&gateway, request("/api/jobs/applications/my")).await);
    insta::assert_json_snapshot!("news", response(&gateway, request("/api/news?page=2&source=aba&search=court")).await);
    insta::assert_json_snapshot!("news_sources", response(&gateway, request("/api/news/sources/list")).await);
    insta::assert_json_snapshot!("resources", response(&gateway, request("/api/resources")).await);
}

#[tokio::test]
async fn a_job_and_its_application() {
    let gateway = TestGateway::start().await;
    let request = |method: &str, part: &str| TestRequest::new(method, &format!("/api/jobs/{part}")).by_member(ANA);
    insta::assert_json_snapshot!("job", response(&gateway, request("GET", &JOB.to_string())).await);
    insta::assert_json_snapshot!(
        "job_closed",
        response(&gateway, TestRequest::new("GET", &format!("/api/jobs/{CLOSED_JOB}"))).await
    );
    let one = format!("applications/{APPLICATION}");
    insta::assert_json_snapshot!("application", response(&gateway, request("GET", &one)).await);
    let change = request("PATCH", &one).json(&json!({ "status": "accepted", "notes": null }));
    insta::assert_json_snapshot!("application_updated", response(&gateway, change).await);
    let apply = |job| request("POST", &format!("{job}/apply")).json(&json!({ "notes": "My own words" }));
    insta::assert_json_snapshot!("applied", response(&gateway, apply(JOB).header("idempotency-key", "k-1")).await);
    insta::assert_json_snapshot!("applied_already", refused(&gateway, apply(JOB)).await);
    insta::assert_json_snapshot!("applied_too_late", refused(&gateway, apply(CLOSED_JOB)).await);
    insta::assert_json_snapshot!("jobs_refreshed", response(&gateway, request("POST", "refresh")).await);
}

#[tokio::test]
async fn articles_resources_and_sources() {
    let gateway = TestGateway::start().await;
    insta::assert_json_snapshot!(
        "article",
        response(&gateway, TestRequest::new("GET", &format!("/api/news/{ARTICLE}"))).await
    );
    insta::assert_json_snapshot!(
        "news_refreshed",
        response(&gateway, TestRequest::new("POST", "/api/news/refresh")).await
    );
    insta::assert_json_snapshot!(
        "resource",
        response(&gateway, TestRequest::new("GET", &format!("/api/resources/{RESOURCE}"))).await
    );
    let suggest = |member, url: &str| {
        let form = json!({ "title": "Outlines", "description": null, "url": url, "type": "study-material" });
        TestRequest::new("POST", "/api/resources").by_member(member).json(&form)
    };
    let new = "https://outlines.example/";
    insta::assert_json_snapshot!("resource_suggested", response(&gateway, suggest(ANA, new)).await);
    insta::assert_json_snapshot!("resource_known", refused(&gateway, suggest(ANA, "https://known.example/")).await);
    let too_many = gateway.send(suggest(CARL, new)).await;
    assert_eq!(too_many.header("retry-after"), "", "a retry cannot succeed");
    insta::assert_json_snapshot!("resources_waiting", refused(&gateway, suggest(CARL, new)).await);
    insta::assert_json_snapshot!("status", response(&gateway, TestRequest::new("GET", "/api/status")).await);
}

#[tokio::test]
async fn filters_reach_the_service_as_the_contract_spells_them() {
    let gateway = TestGateway::start().await;
    let query = "search=tax%20law&location=new+york&practiceArea=intellectual-property&experienceLevel=entry-level\
                 &employmentType=part-time&limit=7&cursor=c";
    assert_eq!(gateway.get(&format!("/api/jobs?{query}")).await.status, StatusCode::OK);
    let message = gateway.fakes.seen().pop().unwrap().message;
    for part in ["\"tax law\"", "NewYork", "IntellectualProperty", "EntryLevel", "PartTime", "page_size: 7", "\"c\""] {
        assert!(message.contains(part), "{part} is not in {message}");
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
async fn an_idempotency_key_is_forwarded() {
    let gateway = TestGateway::start().await;
    let ask = TestRequest::new("POST", "/api/posts")
        .by_member(ANA)
        .header("idempotency-key", "k-1")
        .json(&json!({ "content": "Hello" }));
    assert_eq!(gateway.send(ask).await.status, StatusCode::CREATED);
    assert!(gateway.fakes.seen().iter().any(|seen| seen.message.contains("Some(\"k-1\")")));
    let group = TestRequest::new("POST", "/api/conversations/groups")
        .by_member(ANA)
        .header("idempotency-key", "k-2")
        .json(&json!({ "memberIds": [BEN, CARL] }));
    assert_eq!(gateway.send(group).await.status, StatusCode::CREATED);
    assert!(gateway.fakes.seen().iter().any(|seen| seen.message.contains("Some(\"k-2\")")));
}

#[tokio::test]
async fn an_absent_field_of_an_application_stays_and_an_empty_one_clears() {
    let gateway = TestGateway::start().await;
    for (body, asked) in [
        (json!({ "status": "withdrawn" }), "status: Withdrawn, notes: None"),
        (json!({ "notes": "" }), "status: Unspecified, notes: Some(\"\")"),
        (json!({ "notes": null }), "status: Unspecified, notes: Some(\"\")"),
        (json!({ "status": null, "notes": "Call back" }), "status: Unspecified, notes: Some(\"Call back\")"),
        (json!({ "sentToEmployer": "not-yet" }), "status: Unspecified, notes: None, sent_to_employer: NotYet"),
        (json!({ "sentToEmployer": "yes", "notes": null }), "notes: Some(\"\"), sent_to_employer: Yes"),
    ] {
        let change =
            TestRequest::new("PATCH", &format!("/api/jobs/applications/{APPLICATION}")).by_member(ANA).json(&body);
        assert_eq!(gateway.send(change).await.status, StatusCode::OK, "{body}");
        let seen = gateway.fakes.seen().pop().unwrap();
        assert!(seen.method == "update_application" && seen.message.contains(asked), "{body}: {seen:?}");
    }
    for body in [json!({}), json!({ "status": null }), json!({ "unknown": 1 })] {
        let change =
            TestRequest::new("PATCH", &format!("/api/jobs/applications/{APPLICATION}")).by_member(ANA).json(&body);
        assert!(gateway.send(change).await.refused(400)["fields"]["status"].is_string(), "{body}");
    }
    for (body, notes) in [("", "\"\""), ("{}", "\"\""), (r#"{"notes":null}"#, "\"\""), (r#"{"notes":"a"}"#, "\"a\"")] {
        let apply = TestRequest::new("POST", &format!("/api/jobs/{JOB}/apply")).by_member(BEN).raw(body);
        assert_eq!(gateway.send(apply).await.status, StatusCode::CREATED, "{body}");
        let seen = gateway.fakes.seen().pop().unwrap().message;
        assert!(seen.contains(&format!("notes: {notes}, idempotency_key: None")), "{body}: {seen}");
    }
}

#[tokio::test]
async fn the_committed_openapi_document_is_up_to_date() {
    let committed = include_str!("../../openapi.json");
    assert_eq!(committed, gateway::api::routes::document_json(), "run `cargo xtask generate`");
    let gateway = TestGateway::start().await;
    assert_eq!(gateway.get("/api/openapi.json").await.text(), committed);
}

#[tokio::test]
async fn the_reader_shows_every_route_without_scripts() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get("/api/docs").await;
    let page = reply.text();
    for path in gateway::api::routes::document().paths.paths.keys() {
        assert!(page.contains(&format!("<code>{path}</code>")), "{path}");
    }
    assert!(!page.contains("<script"));
    assert!(reply.header("content-security-policy").starts_with("default-src 'none'; style-src 'sha256-"));
}

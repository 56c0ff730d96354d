//! Invalid input: every case is answered with 4xx, and no service is called.

use serde_json::{Value, json};

use crate::{
    actors::{
        ANA, APPLICATION, BEN, CARL, COMMENT, COMMUNITY, CONNECTION, CONVERSATION, EVENT, GROUP, JOB, MESSAGE,
        NOTIFICATION, PICTURE_ID, POST, SKILL, subscribe_form,
    },
    test_gateway::{TestGateway, TestRequest},
};

/// A method and a path.
type Route = (&'static str, String);

/// Every route with a body, with a valid body.
fn forms() -> Vec<(Route, Value)> {
    let post = |path: &str, form| (("POST", path.to_owned()), form);
    let of_ana = |method, part: &str, form| ((method, format!("/api/users/{ANA}{part}")), form);
    vec![
        post("/api/auth/login", json!({ "username": "ana", "password": "correct horse", "sharedComputer": true })),
        post("/api/auth/check-username", json!({ "username": "ana" })),
        post("/api/auth/check-password", json!({ "hashPrefix": "5e8" })),
        post("/api/auth/suspension-appeal", json!({ "token": "token", "text": "I did not." })),
        post(
            "/api/auth/reset-password",
            json!({ "username": "ana", "password": "battery staple", "recoveryCode": "CODE", "token": "link" }),
        ),
        post(
            "/api/auth/change-password",
            json!({ "currentPassword": "correct horse", "newPassword": "battery staple" }),
        ),
        post("/api/auth/reauthenticate", json!({ "password": "correct horse", "oneTimeCode": "CODE" })),
        // `passkeys` tests their credentials: a missing part is named by the part.
        post("/api/auth/passkeys", json!({ "name": "Phone", "ceremony": "ceremony" })),
        (("PATCH", format!("/api/auth/passkeys/{POST}")), json!({ "name": "Laptop" })),
        post("/api/auth/passkeys/sign-in", json!({ "ceremony": "ceremony", "sharedComputer": true })),
        post("/api/auth/totp/confirm", json!({ "oneTimeCode": "123456" })),
        post("/api/auth/close-account", json!({ "confirmation": "ana" })),
        post("/api/connections", json!({ "requesterId": ANA, "recipientId": BEN, "status": "pending" })),
        (("PATCH", format!("/api/connections/{CONNECTION}")), json!({ "status": "accepted" })),
        of_ana(
            "PATCH",
            "",
            json!({ "fullName": "Ana", "headline": "a", "location": "b", "avatarUrl": "", "website": "", "linkedin": "",
                    "school": "c", "graduationYear": "2027" }),
        ),
        of_ana(
            "PATCH",
            "/privacy",
            json!({ "profileAudience": "members", "messageAudience": "everyone", "searchEngines": true,
                    "activityShown": false, "readReceipts": true }),
        ),
        of_ana("PATCH", "/onboarding", json!({ "step": "school", "state": "done" })),
        // `profile` tests its lists.
        of_ana("PUT", "/profile", json!({ "userId": ANA, "bio": "a" })),
        of_ana("POST", "/endorsements", json!({ "skill": SKILL })),
        of_ana("PATCH", "/endorsements", json!({ "skill": SKILL, "endorserId": BEN, "hidden": true })),
        post(
            "/api/auth/register",
            json!({ "username": "carla", "password": "correct horse", "fullName": "Carla", "headline": "a",
                    "location": "b", "school": "c", "graduationYear": "2027", "sharedComputer": false }),
        ),
        post(
            "/api/posts",
            json!({ "userId": ANA, "content": "Hello", "communityId": COMMUNITY, "repostOf": POST, "title": "a",
                    "pictureId": PICTURE_ID, "pictureAlt": "b", "videoUrl": "https://video.example/1",
                    "pdfId": PICTURE_ID }),
        ),
        (
            ("PATCH", format!("/api/posts/{POST}")),
            json!({ "content": "Hello", "title": "Title", "pictureAlt": "A court" }),
        ),
        (("PATCH", format!("/api/comments/{COMMENT}")), json!({ "content": "Hello" })),
        post(
            "/api/communities",
            json!({ "name": "Moot Society", "description": "a", "rules": "b", "visibility": "private", "joining": "invitation" }),
        ),
        (
            ("PATCH", format!("/api/communities/{COMMUNITY}")),
            json!({ "name": "a", "description": null, "rules": "b", "visibility": "public", "joining": "request" }),
        ),
        (("PATCH", format!("/api/communities/{COMMUNITY}/members/{BEN}")), json!({ "role": "owner" })),
        post(&format!("/api/communities/{COMMUNITY}/transfer"), json!({ "memberId": BEN })),
        post("/api/events", event()),
        (("PATCH", format!("/api/events/{EVENT}")), event()),
        post(&format!("/api/posts/{POST}/likes"), json!({ "userId": ANA, "type": "like" })),
        post(&format!("/api/posts/{POST}/comments"), json!({ "userId": ANA, "content": "Hello", "replyTo": COMMENT })),
        post(&format!("/api/comments/{COMMENT}/likes"), json!({ "userId": ANA, "type": "like" })),
        (("PUT", format!("/api/hidden-posts/{POST}")), json!({ "notInterested": true })),
        post("/api/mutes", json!({ "kind": "member", "word": "bar", "targetId": BEN, "duration": "day" })),
        post("/api/conversations", json!({ "userId": BEN })),
        post("/api/conversations/groups", json!({ "title": "Moot court", "memberIds": [BEN, CARL] })),
        (("PATCH", format!("/api/conversations/{GROUP}/group")), json!({ "title": "Finals" })),
        post(&format!("/api/conversations/{GROUP}/members"), json!({ "memberIds": [CARL] })),
        post(
            &format!("/api/conversations/{CONVERSATION}/messages"),
            json!({ "userId": ANA, "conversationId": CONVERSATION, "content": "Hello", "replyTo": MESSAGE,
                    "fileId": PICTURE_ID }),
        ),
        (("PATCH", format!("/api/conversations/{CONVERSATION}/messages/{MESSAGE}")), json!({ "content": "Hello" })),
        (
            ("PUT", format!("/api/conversations/{CONVERSATION}/messages/{MESSAGE}/reactions")),
            json!({ "kind": "love", "on": true }),
        ),
        post(&format!("/api/conversations/{CONVERSATION}/read"), json!({ "upTo": MESSAGE })),
        post("/api/push/subscriptions", subscribe_form()),
        post("/api/notifications/read", json!({ "id": NOTIFICATION, "upTo": null })),
        (
            ("PATCH", "/api/notifications/settings".to_owned()),
            json!({ "post_liked": true, "post_commented": false, "connection_requested": true,
                    "connection_accepted": true, "skill_endorsed": true, "community_joined": true,
                    "community_invited": true, "community_join_requested": true, "community_join_approved": true,
                    "community_posted": true, "event_attended": true, "event_changed": true,
                    "event_cancelled": true, "posting_closed": true, "post_reposted": true, "application_due": true,
                    "comment_replied": true, "comment_liked": true }),
        ),
        post(&format!("/api/jobs/{JOB}/apply"), json!({ "notes": "a", "sentToEmployer": "yes" })),
        (
            ("PATCH", format!("/api/jobs/applications/{APPLICATION}")),
            json!({ "status": "offered", "notes": "a", "sentToEmployer": "not-yet" }),
        ),
        post("/api/link-previews", json!({ "url": "https://lawphil.example/" })),
        post(
            "/api/resources",
            json!({ "title": "Outlines", "description": "a", "url": "https://outlines.example/", "type": "guide" }),
        ),
    ]
}

fn event() -> Value {
    json!({ "title": "Finals", "description": "a", "location": "b", "startDate": "2026-12-01T09:00:00+08:00",
            "endDate": "2026-12-01T11:00:00.5Z", "timeZone": "Asia/Manila" })
}

async fn send(
    gateway: &TestGateway,
    (method, path): &Route,
    body: impl Into<axum::body::Body>,
) -> crate::test_gateway::Reply {
    gateway.send(TestRequest::new(method, path).by_member(ANA).raw(body)).await
}

#[tokio::test]
async fn a_field_of_the_wrong_type_is_named() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 1000)).await;
    for (route, form) in forms() {
        for field in form.as_object().unwrap().keys() {
            for wrong in [json!(7), json!([]), json!({}), json!(-1.5e300), json!([{ "a": [] }])] {
                let mut body = form.clone();
                body[field] = wrong.clone();
                let problem = send(&gateway, &route, body.to_string()).await.refused(400);
                // An entry of a list is named by its position.
                let is_named =
                    [field.clone(), format!("{field}[0]")].iter().any(|name| problem["fields"][name].is_string());
                assert!(is_named, "{route:?} {field}={wrong}: {problem}");
            }
        }
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
}

fn with_field(body: &[u8], field: &str) -> Vec<u8> {
    let at = body.windows(5).position(|window| window == b"FIELD");
    at.map_or_else(|| body.to_vec(), |at| [&body[..at], field.as_bytes(), &body[at + 5..]].concat())
}

#[tokio::test]
async fn a_body_that_is_not_a_json_object_is_refused_on_every_route() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 1000)).await;
    let deep = format!("{{\"FIELD\":{}{}}}", "[".repeat(40), "]".repeat(40));
    let broken: [&[u8]; 12] = [
        b"{",
        b"\"text\"",
        b"[]",
        b"null",
        b"{\"FIELD\":\"\\ud800\"}",
        b"{\"FIELD\":\"\xc0\xaf\"}",
        b"{\"FIELD\":\"\xed\xa0\x80\"}",
        b"{\"FIELD\":1e400}",
        b"{\"FIELD\":\"a\0b\"}",
        b"{\"FIELD\":NaN}",
        b"{}{}",
        deep.as_bytes(),
    ];
    for (route, form) in forms() {
        for field in form.as_object().unwrap().keys() {
            for body in broken {
                let body = with_field(body, field);
                assert_eq!(send(&gateway, &route, body).await.refused(400)["code"], "MALFORMED_JSON");
            }
        }
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
}

#[tokio::test]
async fn bodies_must_be_uncompressed_json_of_limited_length() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 1000)).await;
    for (route, form) in forms() {
        for media in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
            "application/jsonx",
        ] {
            let ask = TestRequest::new(route.0, &route.1)
                .by_member(ANA)
                .untyped(form.to_string())
                .header("content-type", media);
            assert_eq!(gateway.send(ask).await.refused(415)["code"], "NOT_JSON", "{media}");
        }
        gateway.send(TestRequest::new(route.0, &route.1).by_member(ANA).untyped(form.to_string())).await.refused(415);
        let packed = TestRequest::new(route.0, &route.1).by_member(ANA).json(&form).header("content-encoding", "gzip");
        assert_eq!(gateway.send(packed).await.refused(415)["code"], "ENCODED");
        let mut long = form.clone();
        long["padding"] = "a".repeat(1 << 20).into();
        assert_eq!(send(&gateway, &route, long.to_string()).await.refused(413)["code"], "TOO_LARGE");
    }
}

#[tokio::test]
async fn a_group_keeps_its_title_unless_a_request_has_one() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/conversations/{GROUP}/group");
    let update = |body: Value| TestRequest::new("PATCH", &path).by_member(ANA).json(&body);
    let problem = gateway.send(update(json!({}))).await.refused(400);
    assert_eq!(problem["fields"]["title"], "Required");
    assert_eq!(gateway.send(update(json!({ "title": null }))).await.status, 200);
}

#[tokio::test]
async fn an_empty_body_is_an_empty_form() {
    let gateway = TestGateway::start().await;
    let problem =
        gateway.send(TestRequest::new("POST", &format!("/api/posts/{POST}/likes")).by_member(ANA)).await.refused(400);
    assert_eq!(problem["fields"]["type"], "Required");
    assert_eq!(gateway.send(TestRequest::new("POST", "/api/auth/logout")).await.status, 204);
}

#[tokio::test]
async fn an_unknown_choice_is_answered_with_the_choices() {
    let gateway = TestGateway::start().await;
    let change = format!("/api/jobs/applications/{APPLICATION}");
    for (method, path, form, field, choices) in [
        (
            "PATCH",
            change.as_str(),
            json!({ "status": "ghosted" }),
            "status",
            "applied, interviewed, offered, accepted, rejected, withdrawn",
        ),
        ("PATCH", change.as_str(), json!({ "sentToEmployer": "no" }), "sentToEmployer", "yes or not-yet"),
        (
            "POST",
            "/api/resources",
            json!({ "title": "a", "url": "https://a.example/", "type": "video" }),
            "type",
            "article, guide, study-material, case-brief",
        ),
    ] {
        let problem = gateway.send(TestRequest::new(method, path).by_member(ANA).json(&form)).await.refused(400);
        assert_eq!(problem["fields"][field], format!("This must be one of: {choices}."));
    }
    let like = TestRequest::new("POST", &format!("/api/posts/{POST}/likes"))
        .by_member(ANA)
        .json(&json!({ "type": "dislike" }));
    let problem = gateway.send(like).await.refused(400);
    assert_eq!(problem["fields"]["type"], "This must be one of: like, celebrate, support, insightful, thanks.");
    let queries = [
        ("/api/posts?sort=best", "sort"),
        ("/api/posts?limit=many", "limit"),
        ("/api/posts?limit=99999999999", "limit"),
        ("/api/posts?sort=top&sort=recent", "sort"),
        ("/api/jobs?location=mars", "location"),
        ("/api/jobs?employmentType=full_time", "employmentType"),
        ("/api/jobs?experienceLevel=Senior", "experienceLevel"),
        ("/api/jobs?practiceArea=%00", "practiceArea"),
        ("/api/resources?type=video", "type"),
        ("/api/resources?type=case_brief", "type"),
        ("/api/resources?type=Guide", "type"),
        ("/api/resources?type=guide&type=article", "type"),
        ("/api/resources?limit=ten", "limit"),
        ("/api/news?page=one", "page"),
        ("/api/news?page=1.5", "page"),
        ("/api/news?page=", "page"),
        (&format!("/api/posts?userId={ANA}&communityId={COMMUNITY}"), "communityId"),
        ("/api/posts?feed=all", "feed"),
        ("/api/posts?feed=top&feed=school", "feed"),
        ("/api/posts?feed=school&sort=top", "sort"),
        (&format!("/api/posts?feed=school&userId={ANA}"), "feed"),
        ("/api/hidden-posts?limit=few", "limit"),
        ("/api/follows?limit=", "limit"),
        ("/api/communities?limit=1e3", "limit"),
        ("/api/events?limit=-", "limit"),
        ("/api/blocks?limit=", "limit"),
        ("/api/conversations?folder=archive", "folder"),
        ("/api/conversations?folder=inbox&folder=requests", "folder"),
        ("/api/conversations?limit=few", "limit"),
        (&format!("/api/conversations?search={}", "a".repeat(101)), "search"),
        ("/api/conversations?search=a%00b", "search"),
        ("/api/conversations?search=%E2%80%AEnimda", "search"),
        (&format!("/api/conversations/{CONVERSATION}?limit=1.5"), "limit"),
        ("/api/messages?search=invalid", "search"),
        ("/api/messages?search=fine&limit=few", "limit"),
        ("/api/notifications?limit=0x10", "limit"),
        ("/api/connections?status=open", "status"),
        ("/api/connections", "recipientId"),
        (&format!("/api/connections?recipientId={ANA}"), "requesterId"),
    ];
    for (path, field) in queries {
        let problem = gateway.send(TestRequest::new("GET", path).by_member(ANA)).await.refused(400);
        assert!(problem["fields"][field].is_string(), "{path}: {problem}");
    }
    for page in ["0", "-1", "1001"] {
        gateway.get(&format!("/api/news?page={page}")).await.refused(400);
    }
}

#[tokio::test]
async fn an_invalid_id_is_not_found() {
    let gateway = TestGateway::start().await;
    let too_long = "9".repeat(5000);
    let ids = ["1", "..", "%00", "%ff", "%2e%2e%2f", "null", "f47ac10b-58cc-4372-a567-0e02b2c3d479", &too_long];
    for id in ids {
        for path in [format!("/api/posts/{id}"), format!("/api/posts/{id}/likes"), format!("/api/posts/{id}/comments")]
        {
            assert_eq!(gateway.get(&path).await.refused(404)["error"], "Post not found", "{path:.60}");
        }
        for part in ["profile", "activity", "endorsements?skill=Research"] {
            assert_eq!(gateway.get(&format!("/api/users/{id}/{part}")).await.refused(404)["error"], "User not found");
        }
        for (nouns, parts, error) in [
            ("communities", ["", "/members"].as_slice(), "Community not found"),
            ("events", &["", "/attendees", "/calendar.ics"], "Event not found"),
        ] {
            for part in parts {
                let problem = gateway.get(&format!("/api/{nouns}/{id}{part}")).await.refused(404);
                assert_eq!(problem["error"], error, "{id:.60}{part}");
            }
        }
        for (method, path, error) in [
            ("PUT", format!("/api/blocks/{id}"), "User not found"),
            ("GET", format!("/api/follows/{id}"), "User not found"),
            ("PUT", format!("/api/follows/{id}"), "User not found"),
            ("GET", format!("/api/posts/{id}/reasons"), "Post not found"),
            ("PUT", format!("/api/hidden-posts/{id}"), "Post not found"),
            ("DELETE", format!("/api/mutes/{id}"), "Mute not found"),
            ("DELETE", format!("/api/users/{ANA}/suggestions/{id}"), "User not found"),
            ("DELETE", format!("/api/users/{id}/suggestions/{BEN}"), "User not found"),
            ("PUT", format!("/api/communities/{id}/membership"), "Community not found"),
            ("DELETE", format!("/api/communities/{id}"), "Community not found"),
            ("GET", format!("/api/communities/{id}/log"), "Community not found"),
            ("GET", format!("/api/communities/{id}/bans"), "Community not found"),
            ("GET", format!("/api/communities/{id}/requests"), "Community not found"),
            ("PUT", format!("/api/communities/{id}/requests/{BEN}"), "Community not found"),
            ("DELETE", format!("/api/communities/{COMMUNITY}/requests/{id}"), "User not found"),
            ("GET", format!("/api/communities/{id}/invitations"), "Community not found"),
            ("PUT", format!("/api/communities/{COMMUNITY}/invitations/{id}"), "User not found"),
            ("DELETE", format!("/api/communities/{id}/invitations/{BEN}"), "Community not found"),
            ("DELETE", format!("/api/communities/{id}/bans/{BEN}"), "Community not found"),
            ("DELETE", format!("/api/communities/{COMMUNITY}/bans/{id}"), "User not found"),
            ("DELETE", format!("/api/communities/{id}/members/{BEN}"), "Community not found"),
            ("DELETE", format!("/api/communities/{COMMUNITY}/members/{id}"), "User not found"),
            ("PATCH", format!("/api/communities/{id}/members/{BEN}"), "Community not found"),
            ("PATCH", format!("/api/communities/{COMMUNITY}/members/{id}"), "User not found"),
            ("DELETE", format!("/api/events/{id}"), "Event not found"),
            ("PUT", format!("/api/events/{id}/attendance"), "Event not found"),
            ("GET", format!("/api/jobs/{id}"), "Job not found"),
            ("POST", format!("/api/jobs/{id}/apply"), "Job not found"),
            ("GET", format!("/api/jobs/applications/{id}"), "Application not found"),
            ("PATCH", format!("/api/jobs/applications/{id}"), "Application not found"),
            ("GET", format!("/api/news/{id}"), "Article not found"),
            ("GET", format!("/api/resources/{id}"), "Resource not found"),
            ("GET", format!("/api/conversations/{id}"), "Conversation not found"),
            ("DELETE", format!("/api/conversations/{id}"), "Conversation not found"),
            ("POST", format!("/api/conversations/{id}/accept"), "Conversation not found"),
            ("PATCH", format!("/api/conversations/{id}/group"), "Conversation not found"),
            ("GET", format!("/api/conversations/{id}/members"), "Conversation not found"),
            ("POST", format!("/api/conversations/{id}/members"), "Conversation not found"),
            ("DELETE", format!("/api/conversations/{GROUP}/members/{id}"), "User not found"),
            ("POST", format!("/api/conversations/{id}/messages"), "Conversation not found"),
            ("PUT", format!("/api/conversations/{id}/mute"), "Conversation not found"),
            ("GET", format!("/api/conversations/{id}/messages/{MESSAGE}"), "Conversation not found"),
            ("PATCH", format!("/api/conversations/{CONVERSATION}/messages/{id}"), "Message not found"),
            ("DELETE", format!("/api/conversations/{CONVERSATION}/messages/{id}"), "Message not found"),
            ("PUT", format!("/api/conversations/{CONVERSATION}/messages/{id}/reactions"), "Message not found"),
            ("POST", format!("/api/conversations/{id}/read"), "Conversation not found"),
            ("POST", format!("/api/conversations/{id}/typing"), "Conversation not found"),
        ] {
            let problem = gateway.send(TestRequest::new(method, &path).by_member(ANA)).await.refused(404);
            // A path that is not UTF-8 is refused as a whole, with the message of its first id.
            assert!(problem["error"] == error || id == "%ff", "{method} {path:.60}: {problem}");
        }
    }
    let calls: Vec<_> = gateway.fakes.seen().into_iter().map(|seen| seen.method).collect();
    assert!(calls.iter().all(|method| *method == "resolve_session"), "{calls:?}");
    assert_eq!(
        gateway.get(&format!("/api/users/{}/profile", crate::actors::UNKNOWN)).await.refused(404)["error"],
        "User not found"
    );
}

#[tokio::test]
async fn unknown_routes_and_wrong_methods_are_answered_in_json() {
    let gateway = TestGateway::start().await;
    for path in
        ["/api", "/api/", "/api/nothing", "/api/posts/", "/api//posts", "/api/posts/x/y/z", "/api/../etc/passwd"]
    {
        assert_eq!(gateway.get(path).await.refused(404)["code"], "NOT_FOUND", "{path}");
    }
    for (method, path, allow) in [
        ("PUT", "/api/posts", "GET,HEAD,POST"),
        ("DELETE", "/api/auth/me", "GET,HEAD"),
        ("GET", "/api/auth/login", "POST"),
        ("GET", "/api/jobs/refresh", "POST"),
        ("PUT", "/api/resources", "GET,HEAD,POST"),
        ("OPTIONS", "/api/posts", "GET,HEAD,POST"),
        ("TRACE", "/api/posts", "GET,HEAD,POST"),
        ("BREW", "/api/posts", "GET,HEAD,POST"),
    ] {
        let reply = gateway.send(TestRequest::new(method, path)).await;
        reply.refused(405);
        assert_eq!(reply.header("allow"), allow, "{method} {path}");
    }
}

#[tokio::test]
async fn an_idempotency_key_is_limited_to_visible_ascii() {
    let gateway = TestGateway::start().await;
    let long = "k".repeat(129);
    for path in ["/api/posts".to_owned(), format!("/api/jobs/{JOB}/apply")] {
        for key in ["", long.as_str(), "ñ", "a b"] {
            let ask = TestRequest::new("POST", &path)
                .by_member(ANA)
                .header("idempotency-key", key)
                .json(&json!({ "content": "Hi" }));
            assert!(gateway.send(ask).await.refused(400)["fields"]["Idempotency-Key"].is_string());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_times_out() {
    let gateway = TestGateway::start().await;
    let endless = axum::body::Body::from_stream(tokio_stream::pending::<Result<bytes::Bytes, std::io::Error>>());
    let begun = tokio::time::Instant::now();
    let reply = send(&gateway, &("POST", "/api/posts".to_owned()), endless).await;
    assert_eq!(reply.refused(408)["code"], "BODY_TIMEOUT");
    assert_eq!(begun.elapsed().as_secs(), 5);
}

/// A sender that never pauses for long must not take forever either.
#[tokio::test(start_paused = true)]
async fn a_body_that_trickles_times_out() {
    let gateway = TestGateway::start().await;
    let trickle = |pause: u64| {
        axum::body::Body::from_stream(futures::stream::unfold((), move |()| async move {
            tokio::time::sleep(std::time::Duration::from_secs(pause)).await;
            Some((Ok::<_, std::io::Error>(bytes::Bytes::from_static(b" ")), ()))
        }))
    };
    for (pause, expected) in [(4, 15), (6, 5)] {
        let begun = tokio::time::Instant::now();
        let reply = send(&gateway, &("POST", "/api/posts".to_owned()), trickle(pause)).await;
        assert_eq!(reply.refused(408)["code"], "BODY_TIMEOUT");
        assert_eq!(begun.elapsed().as_secs(), expected, "{pause}");
    }
}

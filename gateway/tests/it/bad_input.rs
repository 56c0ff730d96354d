//! Invalid input that needs no service: it is answered with 4xx, and no service is called. Bad values in every field and parameter
//! are sent by `deploy/standalone/tests/it/bad_input`, to the real services.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, APPLICATION, COMMUNITY, CONVERSATION, GROUP, JOB, MODERATOR, POST, id},
    document::operations,
    test_gateway::{TestGateway, TestRequest},
};

#[tokio::test]
async fn bodies_must_be_uncompressed_json_of_limited_length() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 1000)).await;
    for operation in operations().into_iter().filter(|operation| operation.has_json_body) {
        let path = operation.path(&id(0x5a).to_string(), "", "");
        let request = || TestRequest::new(&operation.method, &path).by_member(MODERATOR);
        for media in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
            "application/jsonx",
        ] {
            let ask = request().untyped("{}").header("content-type", media);
            assert_eq!(gateway.send(ask).await.refused(415)["code"], "NOT_JSON", "{path} {media}");
        }
        gateway.send(request().untyped("{}")).await.refused(415);
        let packed = request().json(&json!({})).header("content-encoding", "gzip");
        assert_eq!(gateway.send(packed).await.refused(415)["code"], "ENCODED", "{path}");
        let long = json!({ "padding": "a".repeat(1 << 20) });
        assert_eq!(gateway.send(request().json(&long)).await.refused(413)["code"], "TOO_LARGE", "{path}");
    }
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
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

/// The message for an id that is none, by the part of the path before it.
fn missing(route: &str, name: &str) -> &'static str {
    let before = route.split(&format!("/{{{name}}}")).next().unwrap().rsplit('/').next().unwrap();
    match (name, before) {
        ("memberId", _) | (_, "users" | "members") => "User not found",
        ("messageId", _) | (_, "messages") => "Message not found",
        (_, "posts" | "hidden-posts") => "Post not found",
        (_, "comments") => "Comment not found",
        (_, "communities") => "Community not found",
        (_, "events") => "Event not found",
        (_, "jobs") => "Job not found",
        (_, "applications") => "Application not found",
        (_, "news") => "Article not found",
        (_, "resources") => "Resource not found",
        (_, "conversations") => "Conversation not found",
        (_, "connections") => "Connection not found",
        (_, "mutes") => "Mute not found",
        (_, "sessions") => "Session not found",
        (_, "trusted-browsers") => "Trusted browser not found",
        (_, "passkeys") => "Passkey not found",
        (_, "reports") => "There is no such report.",
        (_, "appeals") => "There is no such removal.",
        (_, "suspension-appeals") => "This does not exist.",
        (_, "subscriptions") => "This device is not subscribed.",
        ("streamId", _) => "Stream not found",
        other => panic!("{route}: {other:?}"),
    }
}

#[tokio::test]
async fn an_invalid_id_is_not_found_on_any_route() {
    let gateway = TestGateway::start_with(|source| source.with("rate_limit_scale", 1000)).await;
    let too_long = "9".repeat(5000);
    for operation in operations() {
        for name in &operation.ids {
            let error = missing(&operation.route, name);
            for bad in ["1", "%00", "%ff", "%2e%2e%2f", "f47ac10b-58cc-4372-a567-0e02b2c3d479", &too_long] {
                let path = operation.path(&MODERATOR.to_string(), name, bad);
                let request = TestRequest::new(&operation.method, &path).by_member(MODERATOR);
                let problem = gateway.send(request).await.refused(404);
                // A path that is not UTF-8 is refused as a whole, with the message of its first id.
                let is_whole = bad == "%ff" && operation.route.matches('{').count() > 1;
                assert!(problem["error"] == error || is_whole, "{} {path:.60}: {problem}", operation.method);
            }
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
    let reply = gateway.send(TestRequest::new("POST", "/api/posts").by_member(ANA).raw(endless)).await;
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
        let reply = gateway.send(TestRequest::new("POST", "/api/posts").by_member(ANA).raw(trickle(pause))).await;
        assert_eq!(reply.refused(408)["code"], "BODY_TIMEOUT");
        assert_eq!(begun.elapsed().as_secs(), expected, "{pause}");
    }
}

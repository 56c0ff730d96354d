//! A hostile member: sessions, ids and keys of other members, and slow requests, against the whole stack.

use portia::stack::Stack;
use portia_proto::profile::{EnsureMemberRequest, GetMemberRequest, profile_service_client::ProfileServiceClient};
use reqwest::Method;
use serde_json::json;
use sqlx::ConnectOptions as _;
use tonic::{Code, Request};

use crate::{
    browser::Browser,
    local::{folder, start},
};

fn visitor(stack: &Stack) -> Browser {
    Browser::new(format!("http://{}", stack.address))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_comes_from_the_server_and_ends_for_all_holders() {
    let data = folder();
    let stack = start(&data, true).await;
    let planted = format!("portia_session={}", "B".repeat(43));
    let mut victim = visitor(&stack).with_cookie(&planted);
    victim.register("victim").await;
    victim.get("/api/auth/me").await.expect(200);
    visitor(&stack).with_cookie(&planted).get("/api/auth/me").await.expect(401);

    // Never resolved before, so it is in no cache.
    let mut late = visitor(&stack);
    late.register("late").await;
    let mut auth = stack.context("auth").unwrap().database.clone().unwrap().connect().await.unwrap();
    sqlx::raw_sql(
        "update auth.sessions set created_at = now() - interval '1 day', ends_at = now() - interval '1 second'",
    )
    .execute(&mut auth)
    .await
    .unwrap();
    late.get("/api/auth/me").await.expect(401);
    late.post("/api/posts", json!({"content": "Too late."})).await.expect(401);
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_cannot_reach_what_belongs_to_another() {
    let data = folder();
    let stack = start(&data, true).await;
    let (mut ana, mut ben) = (visitor(&stack), visitor(&stack));
    let (ana_id, ben_id) = (ana.register("ana").await, ben.register("ben").await);
    for path in [
        format!("/api/users/{ana_id}/connections"),
        format!("/api/users/{ana_id}/suggestions"),
        format!("/api/connections?recipientId={ana_id}&status=pending"),
    ] {
        ana.get(&path).await.expect(200);
        ben.get(&path).await.expect(403);
        visitor(&stack).get(&path).await.expect(401);
    }
    ben.post("/api/posts", json!({"userId": ana_id, "content": "Not hers."})).await.expect(403);

    let key = [("idempotency-key", "one")];
    let words = |content: &str| Some(json!({"userId": null, "content": content}));
    let first = ana.send(Method::POST, "/api/posts", words("Mine."), &key).await.expect(201);
    let again = ana.send(Method::POST, "/api/posts", words("Mine."), &key).await.expect(201);
    assert_eq!(first["id"], again["id"]);
    ana.send(Method::POST, "/api/posts", words("Another."), &key).await.expect(422);
    let others = ben.send(Method::POST, "/api/posts", words("Mine."), &key).await.expect(201);
    assert_eq!((&others["user"]["id"], others["id"] == first["id"]), (&json!(ben_id), false));
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn services_take_no_call_without_the_right_token() {
    let data = folder();
    let stack = start(&data, true).await;
    let member = visitor(&stack).register("member").await;
    let gateway = stack.context("gateway").unwrap();
    let mut profile = ProfileServiceClient::new(gateway.upstreams.transport("profile").unwrap());
    let now = gateway.clock.now();
    let of = |process: &str| {
        let token = stack.context(process).unwrap().signer.service("profile", now).unwrap();
        token.to_str().unwrap().to_owned()
    };
    let forged = of("gateway").rsplit_once('.').map(|(signed, _)| format!("{signed}.{}", "A".repeat(86))).unwrap();
    for (token, read, write) in [
        (None, Code::Unauthenticated, Code::Unauthenticated),
        (Some(forged), Code::Unauthenticated, Code::Unauthenticated),
        (Some(of("feed")), Code::PermissionDenied, Code::PermissionDenied),
        (Some(of("gateway")), Code::Ok, Code::InvalidArgument),
    ] {
        let asked = profile
            .get_member(with(GetMemberRequest { member_id: member.clone(), ..Default::default() }, token.as_ref()))
            .await;
        assert_eq!(asked.map_or_else(|status| status.code(), |_| Code::Ok), read);
        let ensured = profile.ensure_member(with(EnsureMemberRequest::default(), token.as_ref())).await;
        assert_eq!(ensured.map_or_else(|status| status.code(), |_| Code::Ok), write);
    }
    stack.stop().await.unwrap();
}

fn with<T>(message: T, token: Option<&String>) -> Request<T> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.parse().unwrap());
    }
    request
}

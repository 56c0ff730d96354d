//! A member who blocked the caller is answered like one who does not exist, byte for byte, on every route that takes the id of a
//! member: otherwise the id tells of the block.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::fixture::Fixture;
use crate::browser::Response;

/// An id of no member.
const MISSING: &str = "01990000-0000-7000-8000-000000000000";
/// The place of the id.
const ID: &str = "{x}";

/// A request of the owner with the id of a member: method, path and body.
type Route = (&'static str, &'static str, &'static str);

const ROUTES: [Route; 41] = [
    ("GET", "/api/users/{x}/profile", ""),
    ("GET", "/api/users/{x}/activity", ""),
    ("GET", "/api/users/{x}/namesakes", ""),
    ("GET", "/api/users/{x}/endorsements?skill=Law", ""),
    ("POST", "/api/users/{x}/endorsements", r#"{"skill":"Law"}"#),
    ("DELETE", "/api/users/{x}/endorsements?skill=Law", ""),
    ("PATCH", "/api/users/{x}/endorsements", r#"{"skill":"Law","endorserId":"{other}","hidden":true}"#),
    ("PATCH", "/api/users/{owner}/endorsements", r#"{"skill":"Law","endorserId":"{x}","hidden":true}"#),
    ("GET", "/api/users/{x}/connections", ""),
    ("GET", "/api/users/{x}/suggestions", ""),
    ("DELETE", "/api/users/{x}/suggestions/{other}", ""),
    ("DELETE", "/api/users/{owner}/suggestions/{x}", ""),
    ("GET", "/api/users/{x}/export", ""),
    ("GET", "/api/users/{x}/privacy", ""),
    ("PATCH", "/api/users/{x}/privacy", r#"{"readReceipts":true}"#),
    ("PATCH", "/api/users/{x}/onboarding", r#"{"dismissed":true}"#),
    ("PATCH", "/api/users/{x}", r#"{"headline":"a"}"#),
    ("PUT", "/api/users/{x}/profile", r#"{"experiences":[],"education":[],"skills":[]}"#),
    ("GET", "/api/posts?userId={x}", ""),
    ("GET", "/api/connections?requesterId={owner}&recipientId={x}", ""),
    ("GET", "/api/connections?requesterId={x}&recipientId={owner}", ""),
    ("POST", "/api/connections", r#"{"recipientId":"{x}"}"#),
    ("POST", "/api/connections", r#"{"requesterId":"{x}","recipientId":"{other}"}"#),
    ("PUT", "/api/blocks/{x}", ""),
    ("DELETE", "/api/blocks/{x}", ""),
    ("GET", "/api/follows/{x}", ""),
    ("PUT", "/api/follows/{x}", ""),
    ("DELETE", "/api/follows/{x}", ""),
    ("DELETE", "/api/communities/{fresh}/invitations/{x}", ""),
    ("PUT", "/api/communities/{fresh}/requests/{x}", ""),
    ("DELETE", "/api/communities/{fresh}/requests/{x}", ""),
    ("DELETE", "/api/communities/{fresh}/members/{x}?ban=false", ""),
    ("PATCH", "/api/communities/{fresh}/members/{x}", r#"{"role":"moderator"}"#),
    ("DELETE", "/api/communities/{fresh}/bans/{x}", ""),
    ("POST", "/api/communities/{fresh}/transfer", r#"{"memberId":"{x}"}"#),
    ("POST", "/api/conversations", r#"{"userId":"{x}"}"#),
    ("POST", "/api/conversations/groups", r#"{"title":"Moot","memberIds":["{other}","{x}"]}"#),
    ("POST", "/api/conversations/{circle}/members", r#"{"memberIds":["{x}"]}"#),
    ("DELETE", "/api/conversations/{circle}/members/{x}", ""),
    ("POST", "/api/mutes", r#"{"kind":"member","targetId":"{x}"}"#),
    ("PUT", "/api/live/{stream}/interests", r#"{"members":["{x}"]}"#),
];

/// Requests that a block must not prevent, by decision: they succeed for the member who blocked the caller as for any
/// other. The caller may report received content and moderate a community; an invitation waits unseen.
const ALLOWED: [Route; 3] = [
    ("PUT", "/api/communities/{fresh}/invitations/{x}", ""),
    ("DELETE", "/api/communities/{fresh}/members/{x}?ban=true", ""),
    ("POST", "/api/reports", r#"{"kind":"member","id":"{x}","reason":"spam"}"#),
];

/// Requests with a member's id that are not from one member about another: the id is the caller's, or the caller is a
/// steward or moderator.
const OTHERS: [&str; 9] = [
    "post /api/comments/{id}/likes",
    "post /api/conversations/{id}/messages",
    "post /api/posts",
    "post /api/posts/{id}/comments",
    "post /api/posts/{id}/likes",
    "post /api/moderation/members/{id}/restore",
    "post /api/moderation/members/{id}/suspend",
    "post /api/school/members/{id}/verify",
    "post /api/school/members/{id}/withdraw",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_member_who_blocked_the_caller_is_answered_like_a_missing_one() {
    let mut fixture = Fixture::open().await;
    fixture.name("fresh", "owner", "/api/communities", json!({ "name": "Fresh" })).await;
    let members = json!({ "title": "Circle", "memberIds": ["{other}", "{member}"] });
    fixture.name("circle", "owner", "/api/conversations/groups", members).await;
    let blocker = fixture.ids["blocker"].clone();
    let mut differences = Vec::new();
    let stranger = fixture.ids["banned"].clone();
    for route in ROUTES {
        let missing = answer(&mut fixture, route, MISSING).await;
        let hidden = answer(&mut fixture, route, &blocker).await;
        if missing != hidden {
            differences.push(format!("{} {}:\n  missing: {missing}\n  hidden: {hidden}", route.0, route.1));
        }
    }
    for route in ALLOWED {
        let hidden = answer(&mut fixture, route, &blocker).await;
        let other = answer(&mut fixture, route, &stranger).await;
        if hidden != other {
            differences.push(format!("{} {}:\n  hidden: {hidden}\n  other: {other}", route.0, route.1));
        }
    }
    fixture.stack.stop().await.unwrap();
    assert!(differences.is_empty(), "a block is recognisable:\n{}", differences.join("\n"));
}

/// The status, the headers and the body, without the id and what differs in every response.
async fn answer(fixture: &mut Fixture, (method, path, body): Route, id: &str) -> String {
    let (path, body) = (fixture.named(&path.replace(ID, id)), fixture.named(&body.replace(ID, id)));
    let body = (!body.is_empty()).then(|| serde_json::from_str(&body).unwrap());
    let browser = fixture.browsers.get_mut("owner").unwrap();
    let Response { status, headers, mut body } =
        browser.send(Method::from_bytes(method.as_bytes()).unwrap(), &path, body, &[]).await;
    if let Some(problem) = body.as_object_mut() {
        problem.remove("requestId");
    }
    let changing = ["date", "x-request-id", "etag", "content-length"];
    let headers: BTreeSet<String> = headers
        .iter()
        .filter(|(name, _)| !changing.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap_or_default()))
        .collect();
    format!("{status} {body} {headers:?}").replace(id, ID)
}

#[test]
fn every_route_that_takes_the_id_of_a_member_is_compared() {
    let document: Value = serde_json::from_str(&gateway::api::routes::document_json()).unwrap();
    let schemas = &document["components"]["schemas"];
    let is_member = |name: &str| {
        ["memberId", "memberIds", "members", "userId", "recipientId", "requesterId", "endorserId", "targetId"]
            .contains(&name)
    };
    let mut expected = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let mut names = parameters.filter_map(|parameter| parameter["name"].as_str());
            let reference = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
            let schema = reference.as_str().and_then(|reference| schemas.get(reference.rsplit('/').next().unwrap()));
            let has_field = schema.is_some_and(|schema| {
                schema["properties"].as_object().into_iter().flatten().any(|(name, _)| is_member(name))
            });
            let is_of_member = path.contains("/users/{id}") || path.contains("/members/{id}");
            if is_of_member || has_field || names.any(is_member) {
                expected.insert(format!("{method} {path}"));
            }
        }
    }
    let compared = ROUTES.iter().chain(&ALLOWED).map(|(method, path, _)| {
        let path = path.split('?').next().unwrap();
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        let first = parts.iter().position(|part| part.starts_with('{'));
        let (last, count) = (parts.iter().rposition(|part| part.starts_with('{')), parts.len());
        if let (Some(first), Some(last)) = (first, last) {
            let stream = if path.starts_with("/api/live") { "{streamId}" } else { "{id}" };
            stream.clone_into(&mut parts[first]);
            let is_of_list = ["blocks", "follows"].contains(&parts[last - 1].as_str());
            if last > first && last + 1 == count || is_of_list {
                "{memberId}".clone_into(&mut parts[last]);
            }
        }
        format!("{} {}", method.to_lowercase(), parts.join("/"))
    });
    let compared: BTreeSet<String> = compared.collect();
    let missing: Vec<_> =
        expected.iter().filter(|route| !compared.contains(*route) && !OTHERS.contains(&route.as_str())).collect();
    assert!(missing.is_empty(), "routes with the id of a member: {missing:?}");
}

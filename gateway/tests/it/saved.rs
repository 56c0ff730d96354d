//! Saved items: the calls to the owners, deleted items, and an unavailable owner.

use serde_json::{Value, json};

use crate::{
    actors::{ANA, ARTICLE, CARL, CLOSED_JOB, EVENT, JOB, POST, RESOURCE, UNKNOWN, id},
    fakes::FakeServices,
    test_gateway::{TestGateway, TestRequest},
};

const BATCHES: [(&str, &str, &str); 5] = [
    ("post", "batch_get_posts", "feed"),
    ("job", "batch_get_jobs", "jobs"),
    ("article", "batch_get_articles", "news"),
    ("resource", "batch_get_resources", "news"),
    ("event", "batch_get_events", "social-graph"),
];

/// The calls, without session lookups.
fn calls(gateway: &TestGateway) -> Vec<&'static str> {
    gateway.fakes.seen().into_iter().map(|seen| seen.method).filter(|method| *method != "resolve_session").collect()
}

fn kinds(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn saved_items_equal_their_own_lists_with_one_round_of_calls() {
    let gateway = TestGateway::start().await;
    let answer = gateway.send(TestRequest::new("GET", "/api/saved-items?limit=7").by_member(ANA)).await;
    assert_eq!((answer.status.as_u16(), answer.header("x-degraded")), (200, ""));
    assert_eq!(answer.header("link"), "</api/saved-items?limit=7&cursor=page-2>; rel=\"next\"");
    let seen = gateway.fakes.seen();
    for (_, method, _) in BATCHES {
        assert_eq!(seen.iter().filter(|seen| seen.method == method && seen.actor == Some(ANA)).count(), 1, "{method}");
    }
    let listed = seen.iter().find(|seen| seen.method == "list_saved_items").unwrap();
    assert!(listed.message.contains("page_size: 7"), "{}", listed.message);
    let items = answer.json();
    assert_eq!(kinds(&items), ["post", "job", "article", "resource", "event", "job", "resource"]);
    let entity = async |path: &str| gateway.send(TestRequest::new("GET", path).by_member(ANA)).await.json();
    assert_eq!(items[0]["post"], entity("/api/posts").await[0]);
    assert_eq!(items[1]["job"], entity(&format!("/api/jobs/{CLOSED_JOB}")).await);
    assert_eq!(items[2]["article"], entity("/api/news").await["articles"][0]);
    assert_eq!(items[3]["resource"], entity("/api/resources").await[0]);
    assert_eq!(items[4]["event"], entity("/api/events").await[0]);
    for (n, item) in items.as_array().unwrap().iter().enumerate() {
        let set: Vec<&str> =
            BATCHES.iter().map(|(kind, _, _)| *kind).filter(|kind| item[kind] != Value::Null).collect();
        let expected: &[&str] = if n < 5 { &[BATCHES[n].0] } else { &[] };
        assert_eq!(set, expected, "{item}");
        assert_eq!(item.as_object().unwrap().len(), 8);
    }
    assert_eq!((&items[5]["id"], &items[6]["id"]), (&json!(UNKNOWN), &json!("builtin-barbri")));
    assert_eq!(items[0]["savedAt"], "2026-11-20T11:59:00.250Z");
}

#[tokio::test]
async fn a_list_of_one_kind_calls_only_its_owner() {
    let gateway = TestGateway::start().await;
    for (kind, method, _) in BATCHES {
        let path = format!("/api/saved-items?kind={kind}&cursor=page-2");
        let answer = gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await;
        assert_eq!((answer.status.as_u16(), answer.header("link")), (200, ""), "{kind}");
        let made = calls(&gateway);
        assert_eq!(
            made.iter().filter(|call| call.starts_with("batch_get_") && **call != "batch_get_members").count(),
            1
        );
        assert!(made.contains(&method));
        assert!(kinds(&answer.json()).iter().all(|found| *found == kind));
    }
    gateway.send(TestRequest::new("GET", "/api/saved-items?kind=member").by_member(ANA)).await.refused(400);
    gateway.send(TestRequest::new("GET", "/api/saved-items?limit=many").by_member(ANA)).await.refused(400);
    assert_eq!(
        gateway.send(TestRequest::new("GET", "/api/saved-items?kind=&limit=5000").by_member(ANA)).await.status,
        200
    );
    let seen = gateway.fakes.seen();
    assert!(seen.iter().any(|seen| seen.message.contains("page_size: 100")), "the maximum of a batch request");
}

#[tokio::test]
async fn items_of_an_unavailable_owner_are_left_out() {
    for (kind, method, owner) in BATCHES {
        let gateway = TestGateway::start().await;
        gateway.fakes.fail(method, FakeServices::unavailable());
        let answer = gateway.send(TestRequest::new("GET", "/api/saved-items").by_member(ANA)).await;
        assert_eq!((answer.status.as_u16(), answer.header("x-degraded")), (200, owner), "{kind}");
        let items = answer.json();
        assert!(!items.as_array().unwrap().is_empty() && !kinds(&items).contains(&kind), "{items}");
        gateway
            .send(TestRequest::new("GET", &format!("/api/saved-items?kind={kind}")).by_member(ANA))
            .await
            .refused(503);
    }
}

#[tokio::test]
async fn saved_ids_contain_every_kind() {
    let gateway = TestGateway::start().await;
    let ids = gateway.send(TestRequest::new("GET", "/api/saved-items/ids").by_member(ANA)).await;
    assert_eq!((ids.status.as_u16(), ids.header("link")), (200, ""));
    let ids = ids.json();
    assert_eq!(ids[0], json!({ "kind": "post", "id": POST }));
    assert_eq!(ids.as_array().unwrap().len(), 7);
    assert_eq!(calls(&gateway), ["list_saved_items"]);
}

#[tokio::test]
async fn an_item_is_saved_when_its_owner_knows_it() {
    let gateway = TestGateway::start().await;
    for (kind, known, owners) in [
        ("post", POST, None),
        ("job", JOB, Some("get_job")),
        ("article", ARTICLE, Some("get_article")),
        ("resource", RESOURCE, Some("get_resource")),
        ("event", EVENT, Some("get_event")),
    ] {
        let path = format!("/api/saved-items/{kind}/{known}");
        let upper = format!("/api/saved-items/{kind}/{}", known.to_string().to_uppercase());
        for path in [&path, &upper] {
            gateway.fakes.seen();
            assert_eq!(gateway.send(TestRequest::new("PUT", path).by_member(ANA)).await.status, 204, "{path}");
            let seen = gateway.fakes.seen();
            let saved = seen.iter().find(|seen| seen.method == "save_item").unwrap();
            assert!(saved.message.contains(&known.to_string()), "{}", saved.message);
            let calls: Vec<&str> =
                seen.iter().map(|seen| seen.method).filter(|method| *method != "resolve_session").collect();
            assert_eq!(calls, owners.into_iter().chain(["save_item"]).collect::<Vec<_>>());
        }
        for unknown in [id(0xdead).to_string(), "1".to_owned(), "%00".to_owned(), "builtin-".to_owned()] {
            let reply = gateway
                .send(TestRequest::new("PUT", &format!("/api/saved-items/{kind}/{unknown}")).by_member(ANA))
                .await;
            let name = kind[..1].to_uppercase() + &kind[1..];
            assert_eq!(reply.refused(404)["error"], format!("{name} not found"), "{unknown}");
        }
        assert_eq!(gateway.send(TestRequest::new("DELETE", &path).by_member(ANA)).await.status, 204);
        let gone = format!("/api/saved-items/{kind}/{}", id(0xdead));
        assert_eq!(
            gateway.send(TestRequest::new("DELETE", &gone).by_member(ANA)).await.status,
            204,
            "a deleted item too"
        );
    }
    gateway.send(TestRequest::new("PUT", &format!("/api/saved-items/member/{ANA}")).by_member(ANA)).await.refused(404);
    gateway.fakes.seen();
    assert_eq!(
        gateway.send(TestRequest::new("PUT", "/api/saved-items/resource/builtin-barbri").by_member(ANA)).await.status,
        204
    );
    assert_eq!(calls(&gateway), ["save_item"]);
    for foreign in ["builtin-A", "builtin-a%20b", "builtin-%C3%A9", &format!("builtin-{}", "a".repeat(33))] {
        gateway
            .send(TestRequest::new("PUT", &format!("/api/saved-items/resource/{foreign}")).by_member(ANA))
            .await
            .refused(404);
    }
    gateway.send(TestRequest::new("PUT", "/api/saved-items/job/builtin-barbri").by_member(ANA)).await.refused(404);
    assert_eq!(calls(&gateway), [""; 0]);
}

#[tokio::test]
async fn too_many_saved_items_are_a_conflict() {
    let gateway = TestGateway::start().await;
    let full = gateway.send(TestRequest::new("PUT", &format!("/api/saved-items/event/{EVENT}")).by_member(CARL)).await;
    assert_eq!(full.header("retry-after"), "");
    let problem = full.refused(409);
    assert_eq!(
        (&problem["code"], &problem["error"]),
        (&json!("TOO_MANY_SAVED"), &json!("You can save up to 1,000 items"))
    );
}

//! Conversations and messages: what reaches the service, what is refused on the way, and what it takes.

use primitives::error::{ErrorKind, new_status};
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, CARL, CONVERSATION, MESSAGE, NOBODY, id},
    fakes::{Failure, FakeServices},
    test_gateway::{Ask, Reply, TestGateway},
};

fn path(part: &str) -> String {
    format!("/api/conversations/{CONVERSATION}{part}")
}

async fn send(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(Ask::new("POST", &path("/messages")).of(ANA).json(body)).await
}

/// The methods called since this was last asked, but for who asks.
fn calls(gateway: &TestGateway) -> Vec<&'static str> {
    let seen = gateway.fakes.seen().into_iter().map(|seen| seen.method);
    seen.filter(|method| *method != "resolve_session").collect()
}

#[tokio::test]
async fn the_list_is_of_one_folder_and_of_everybody() {
    let gateway = TestGateway::start().await;
    for (query, folder) in [
        ("", "Inbox"),
        ("?folder=", "Inbox"),
        ("?folder=inbox&search=%20%09", "Inbox"),
        ("?folder=requests", "Requests"),
    ] {
        let reply = gateway.send(Ask::new("GET", &format!("/api/conversations{query}")).of(ANA)).await;
        assert_eq!((reply.status.as_u16(), reply.json().as_array().unwrap().len()), (200, 2), "{query}");
        let asked = gateway.fakes.seen().into_iter().find(|seen| seen.method == "list_conversations").unwrap().message;
        assert!(asked.contains(&format!("folder: {folder}")) && asked.contains("other_member_ids: []"), "{asked}");
    }
}

#[tokio::test]
async fn a_search_is_among_the_names_of_those_one_converses_with() {
    let gateway = TestGateway::start().await;
    let search = async |query: &str| {
        let reply = gateway.send(Ask::new("GET", &format!("/api/conversations?{query}")).of(ANA)).await;
        assert_eq!(reply.status, 200);
        let seen = gateway.fakes.seen();
        let asked = seen.iter().find(|seen| seen.method == "list_conversations").map(|seen| seen.message.clone());
        (reply, asked, seen.into_iter().map(|seen| seen.method).collect::<Vec<_>>())
    };
    let (reply, asked, _) = search("search=%20whit%20&limit=5").await;
    assert_eq!(reply.header("link"), "</api/conversations?search=+whit+&limit=5&cursor=more>; rel=\"next\"");
    let asked = asked.unwrap();
    assert!(asked.contains(&format!("other_member_ids: [\"{BEN}\"]")) && asked.contains("page_size: 5"), "{asked}");

    // No match must give an empty list, not an unfiltered one.
    let (reply, asked, methods) = search("search=nobody").await;
    assert_eq!((reply.json(), asked, reply.header("link")), (json!([]), None, ""));
    assert!(methods.contains(&"match_names"));
    let (reply, asked, methods) = search("search=ben&folder=requests").await;
    assert_eq!((reply.json(), asked), (json!([]), None));
    assert!(!methods.contains(&"match_names"), "there is nobody to be called so");
}

#[tokio::test]
async fn an_invalid_search_names_the_search_field() {
    let gateway = TestGateway::start().await;
    let refusal = crate::actors::at_fault(ErrorKind::Invalid, "INVALID", "query", "This must be at most 12 words.");
    gateway.fakes.fail("match_names", Failure::With(refusal));
    let problem = gateway.send(Ask::new("GET", "/api/conversations?search=a+b").of(ANA)).await.refused(400);
    assert_eq!(problem["fields"], json!({ "search": "This must be at most 12 words." }));
}

#[tokio::test]
async fn a_conversation_is_opened_once_and_found_again() {
    let gateway = TestGateway::start().await;
    let open = |member, with: Value| Ask::new("POST", "/api/conversations").of(member).json(&json!({ "userId": with }));
    let opened = gateway.send(open(ANA, json!(BEN))).await;
    assert_eq!((opened.status.as_u16(), opened.header("location")), (201, path("").as_str()));
    assert_eq!(calls(&gateway), ["batch_get_members", "open_conversation", "batch_get_members"]);
    let found = gateway.send(open(BEN, json!(ANA))).await;
    assert_eq!((found.status.as_u16(), found.header("location")), (200, ""));

    let problem = gateway.send(open(ANA, json!(ANA))).await.refused(400);
    assert!(problem["fields"]["userId"].is_string(), "REST's name for it: {problem}");
    for garbage in ["", "x", "f47ac10b-58cc-4372-a567-0e02b2c3d479"] {
        assert!(gateway.send(open(ANA, json!(garbage))).await.refused(400)["fields"]["userId"].is_string());
    }
    assert!(gateway.send(open(ANA, Value::Null)).await.refused(400)["fields"]["userId"].is_string());
    let mut unknown = gateway.send(open(ANA, json!(NOBODY))).await.refused(404);
    let mut blocked = gateway.send(open(ANA, json!(CARL))).await.refused(404);
    for told in [&mut unknown, &mut blocked] {
        told.as_object_mut().unwrap().remove("requestId");
    }
    assert_eq!((&unknown, &unknown["error"]), (&blocked, &json!("User not found")));
    gateway.fakes.seen();
    gateway.send(open(ANA, json!(NOBODY))).await.refused(404);
    assert_eq!(calls(&gateway), ["batch_get_members"], "nothing is begun with somebody who left");
}

#[tokio::test]
async fn a_thread_reads_from_the_oldest_of_its_newest_page_and_is_read_by_it() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(Ask::new("GET", &path("?limit=3")).of(ANA)).await;
    let told = reply.json();
    let words: Vec<_> = told["messages"].as_array().unwrap().iter().map(|said| said["content"].clone()).collect();
    assert_eq!(words, ["Hello", "At nine?", "See you"]);
    assert_eq!((&told["messages"][0]["userId"], &told["unreadCount"]), (&Value::Null, &json!(1)));
    assert_eq!(reply.header("link"), format!("<{}?limit=3&cursor=older>; rel=\"next\"", path("")));
    let seen = gateway.fakes.seen();
    let marked: Vec<_> = seen.iter().filter(|seen| seen.method == "mark_read").collect();
    assert!(marked.len() == 1 && marked[0].message.contains(&MESSAGE.to_string()), "{marked:?}");

    gateway.send(Ask::new("GET", &path("?cursor=older")).of(ANA)).await;
    assert!(!calls(&gateway).contains(&"mark_read"), "an older page says nothing of the newest");
    gateway.send(Ask::new("GET", &path("?cursor=")).of(BEN)).await;
    assert!(!calls(&gateway).contains(&"mark_read"), "there is nothing unread");
    assert_eq!(gateway.send(Ask::new("GET", &path("")).of(CARL)).await.refused(404)["error"], "Conversation not found");
    assert_eq!(calls(&gateway), ["list_messages"]);
}

#[tokio::test]
async fn a_message_says_where_it_goes_or_nothing_and_never_elsewhere() {
    let gateway = TestGateway::start().await;
    for body in [
        json!({ "content": "Hi" }),
        json!({ "content": "Hi", "userId": null, "conversationId": null }),
        json!({ "content": "Hi", "userId": ANA, "conversationId": CONVERSATION }),
    ] {
        let said = send(&gateway, &body).await;
        assert_eq!((said.status.as_u16(), &said.json()["userId"]), (201, &json!(ANA)), "{body}");
    }
    gateway.fakes.seen();
    for elsewhere in [json!(id(0x99)), json!(""), json!("x")] {
        let problem = send(&gateway, &json!({ "content": "Hi", "conversationId": elsewhere })).await.refused(400);
        assert!(problem["fields"]["conversationId"].is_string(), "{problem}");
    }
    for somebody in [json!(BEN), json!(""), json!("ana")] {
        let problem = send(&gateway, &json!({ "content": "Hi", "userId": somebody })).await.refused(403);
        assert_eq!(problem["code"], "NOT_YOURS");
    }
    assert_eq!(calls(&gateway), Vec::<&str>::new());
    for blank in [json!({}), json!({ "content": "  " })] {
        assert!(send(&gateway, &blank).await.refused(400)["fields"]["content"].is_string());
    }
}

#[tokio::test]
async fn a_key_travels_and_nothing_is_said_twice_by_the_gateway() {
    let gateway = TestGateway::start().await;
    let keyed = || {
        let ask = Ask::new("POST", &path("/messages")).of(ANA).header("idempotency-key", "k-1");
        ask.json(&json!({ "content": "Hi" }))
    };
    assert_eq!(gateway.send(keyed()).await.status, 201);
    let seen = gateway.fakes.seen();
    assert!(seen.iter().any(|seen| seen.message.contains("Some(\"k-1\")") && seen.message.contains("\"Hi\"")));

    gateway.fakes.fail_once("send_message", FakeServices::away());
    gateway.send(keyed()).await.refused(503);
    assert_eq!(gateway.fakes.count("send_message"), 1, "whoever has the key tries again");
    let reused = new_status(ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED", "This key was used for something else.");
    gateway.fakes.fail_once("send_message", Failure::With(reused));
    gateway.send(keyed()).await.refused(422);
}

#[tokio::test]
async fn who_may_not_write_reads_why() {
    let gateway = TestGateway::start().await;
    for (reason, sentence) in [
        ("FORMER_MEMBER", "This member's account is closed."),
        ("REQUEST_WAITING", "They need to accept your request before you can write more."),
    ] {
        gateway.fakes.fail_once("send_message", Failure::With(new_status(ErrorKind::Forbidden, reason, sentence)));
        let problem = send(&gateway, &json!({ "content": "Hi" })).await.refused(403);
        assert_eq!((&problem["code"], &problem["error"]), (&json!(reason), &json!(sentence)));
    }
}

#[tokio::test]
async fn a_mark_names_a_message() {
    let gateway = TestGateway::start().await;
    let read = |body: Value| Ask::new("POST", &path("/read")).of(ANA).json(&body);
    let reply = gateway.send(read(json!({ "upTo": MESSAGE }))).await;
    assert_eq!((reply.status.as_u16(), reply.bytes.len()), (204, 0));
    for wrong in [json!({ "upTo": "yesterday" }), json!({ "upTo": "" }), json!({})] {
        assert!(gateway.send(read(wrong)).await.refused(400)["fields"]["upTo"].is_string());
    }
    gateway.send(read(json!({ "upTo": id(0x98) }))).await.refused(404);
}

#[tokio::test]
async fn idempotent_calls_are_retried_after_an_outage() {
    let gateway = TestGateway::start().await;
    for (method, part, rpc, status, attempts) in [
        ("POST", "/accept", "accept_request", 200, 2),
        ("POST", "/read", "mark_read", 204, 2),
        ("DELETE", "", "clear_conversation", 503, 1),
        ("POST", "/typing", "note_typing", 503, 1),
    ] {
        gateway.fakes.fail_once(rpc, FakeServices::away());
        let reply = gateway.send(Ask::new(method, &path(part)).of(ANA).json(&json!({ "upTo": MESSAGE }))).await;
        assert_eq!(reply.status.as_u16(), status, "{rpc}");
        assert_eq!(gateway.fakes.count(rpc), attempts, "{rpc}");
    }
}

//! Conversations and messages: forwarded calls, refusals, and the number of calls.

use primitives::error::{ErrorKind, new_status};
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, CARL, CONVERSATION, GROUP, MESSAGE, UNKNOWN, id},
    fakes::{Failure, FakeServices},
    test_gateway::{Reply, TestGateway, TestRequest},
};

fn path(part: &str) -> String {
    format!("/api/conversations/{CONVERSATION}{part}")
}

async fn send(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("POST", &path("/messages")).by_member(ANA).json(body)).await
}

/// The calls since the last query, without session lookups.
fn calls(gateway: &TestGateway) -> Vec<&'static str> {
    let seen = gateway.fakes.seen().into_iter().map(|seen| seen.method);
    seen.filter(|method| *method != "resolve_session").collect()
}

#[tokio::test]
async fn a_list_contains_one_folder_without_a_filter_of_members() {
    let gateway = TestGateway::start().await;
    for (query, folder) in [
        ("", "Inbox"),
        ("?folder=", "Inbox"),
        ("?folder=inbox&search=%20%09", "Inbox"),
        ("?folder=requests", "Requests"),
    ] {
        let reply = gateway.send(TestRequest::new("GET", &format!("/api/conversations{query}")).by_member(ANA)).await;
        assert_eq!((reply.status.as_u16(), reply.json().as_array().unwrap().len()), (200, 2), "{query}");
        let message =
            gateway.fakes.seen().into_iter().find(|seen| seen.method == "list_conversations").unwrap().message;
        assert!(
            message.contains(&format!("folder: {folder}")) && message.contains("other_member_ids: []"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_search_matches_the_names_of_partners() {
    let gateway = TestGateway::start().await;
    let search = async |query: &str| {
        let reply = gateway.send(TestRequest::new("GET", &format!("/api/conversations?{query}")).by_member(ANA)).await;
        assert_eq!(reply.status, 200);
        let seen = gateway.fakes.seen();
        let message = seen.iter().find(|seen| seen.method == "list_conversations").map(|seen| seen.message.clone());
        (reply, message, seen.into_iter().map(|seen| seen.method).collect::<Vec<_>>())
    };
    let (reply, message, _) = search("search=%20whit%20&limit=5").await;
    assert_eq!(reply.header("link"), "</api/conversations?search=+whit+&limit=5&cursor=more>; rel=\"next\"");
    let message = message.unwrap();
    assert!(
        message.contains(&format!("other_member_ids: [\"{BEN}\"]")) && message.contains("page_size: 5"),
        "{message}"
    );

    // No match must give an empty list, not an unfiltered one: messaging searches the titles of groups.
    let (_, message, methods) = search("search=unknown").await;
    let message = message.unwrap();
    assert!(message.contains("other_member_ids: []") && message.contains("search: \"unknown\""), "{message}");
    assert!(methods.contains(&"match_names"));
    let (_, message, methods) = search("search=ben&folder=requests").await;
    assert!(message.unwrap().contains("search: \"ben\""));
    assert!(!methods.contains(&"match_names"), "there are no partners to match");
    let (reply, ..) = search("search=moot").await;
    assert_eq!(reply.json()[2]["group"]["title"], "Moot court");
}

#[tokio::test]
async fn a_group_with_an_unknown_member_is_not_created() {
    let gateway = TestGateway::start().await;
    let create = TestRequest::new("POST", "/api/conversations/groups").by_member(ANA);
    let body = json!({ "title": null, "memberIds": [BEN, UNKNOWN] });
    assert_eq!(gateway.send(create.json(&body)).await.refused(404)["error"], "User not found");
    assert_eq!(gateway.fakes.count("create_group"), 0);
}

#[tokio::test]
async fn a_thread_of_a_group_reads_all_its_cards_with_one_call() {
    let gateway = TestGateway::start().await;
    let path = format!("/api/conversations/{GROUP}");
    let reply = gateway.send(TestRequest::new("GET", &path).by_member(ANA)).await.json();
    assert_eq!((&reply["otherUser"], &reply["group"]["role"]), (&Value::Null, &json!("owner")));
    assert_eq!(reply["messages"][0]["systemLine"]["members"][1]["fullName"], "Former member");
    assert_eq!(reply["messages"][1]["sender"]["id"], json!(BEN));
    assert_eq!(gateway.fakes.count("batch_get_members"), 1);
}

#[tokio::test]
async fn an_invalid_search_names_the_search_field() {
    let gateway = TestGateway::start().await;
    let refusal =
        crate::actors::invalid_field(ErrorKind::Invalid, "INVALID", "query", "This must be at most 12 words.");
    gateway.fakes.fail("match_names", Failure::With(refusal));
    let problem =
        gateway.send(TestRequest::new("GET", "/api/conversations?search=a+b").by_member(ANA)).await.refused(400);
    assert_eq!(problem["fields"], json!({ "search": "This must be at most 12 words." }));
}

#[tokio::test]
async fn a_conversation_is_created_once() {
    let gateway = TestGateway::start().await;
    let open = |member, with: Value| {
        TestRequest::new("POST", "/api/conversations").by_member(member).json(&json!({ "userId": with }))
    };
    let opened = gateway.send(open(ANA, json!(BEN))).await;
    assert_eq!((opened.status.as_u16(), opened.header("location")), (201, path("").as_str()));
    assert_eq!(calls(&gateway), ["batch_get_members", "open_conversation", "batch_get_members"]);
    let found = gateway.send(open(BEN, json!(ANA))).await;
    assert_eq!((found.status.as_u16(), found.header("location")), (200, ""));

    let problem = gateway.send(open(ANA, json!(ANA))).await.refused(400);
    assert!(problem["fields"]["userId"].is_string(), "the field has its name of REST: {problem}");
    for garbage in ["", "x", "f47ac10b-58cc-4372-a567-0e02b2c3d479"] {
        assert!(gateway.send(open(ANA, json!(garbage))).await.refused(400)["fields"]["userId"].is_string());
    }
    assert!(gateway.send(open(ANA, Value::Null)).await.refused(400)["fields"]["userId"].is_string());
    let mut unknown = gateway.send(open(ANA, json!(UNKNOWN))).await.refused(404);
    let mut blocked = gateway.send(open(ANA, json!(CARL))).await.refused(404);
    for body in [&mut unknown, &mut blocked] {
        body.as_object_mut().unwrap().remove("requestId");
    }
    assert_eq!((&unknown, &unknown["error"]), (&blocked, &json!("User not found")));
    gateway.fakes.seen();
    gateway.send(open(ANA, json!(UNKNOWN))).await.refused(404);
    assert_eq!(calls(&gateway), ["batch_get_members"], "messaging is not called for a closed account");
}

#[tokio::test]
async fn the_newest_page_is_sorted_by_time_and_marks_the_conversation_read() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(TestRequest::new("GET", &path("?limit=3")).by_member(ANA)).await;
    let body = reply.json();
    let words: Vec<_> = body["messages"].as_array().unwrap().iter().map(|message| message["content"].clone()).collect();
    assert_eq!(words, ["Hello", "At nine?", "See you"]);
    assert_eq!((&body["messages"][0]["userId"], &body["unreadCount"]), (&Value::Null, &json!(1)));
    assert_eq!(reply.header("link"), format!("<{}?limit=3&cursor=older>; rel=\"next\"", path("")));
    let seen = gateway.fakes.seen();
    let marked: Vec<_> = seen.iter().filter(|seen| seen.method == "mark_read").collect();
    assert!(marked.len() == 1 && marked[0].message.contains(&MESSAGE.to_string()), "{marked:?}");

    gateway.send(TestRequest::new("GET", &path("?cursor=older")).by_member(ANA)).await;
    assert!(!calls(&gateway).contains(&"mark_read"), "an older page does not mark");
    gateway.send(TestRequest::new("GET", &path("?cursor=")).by_member(BEN)).await;
    assert!(!calls(&gateway).contains(&"mark_read"), "nothing is unread");
    assert_eq!(
        gateway.send(TestRequest::new("GET", &path("")).by_member(CARL)).await.refused(404)["error"],
        "Conversation not found"
    );
    assert_eq!(calls(&gateway), ["list_messages"]);
}

#[tokio::test]
async fn the_ids_of_a_message_match_path_and_session() {
    let gateway = TestGateway::start().await;
    for body in [
        json!({ "content": "Hi" }),
        json!({ "content": "Hi", "userId": null, "conversationId": null }),
        json!({ "content": "Hi", "userId": ANA, "conversationId": CONVERSATION }),
    ] {
        let sent = send(&gateway, &body).await;
        assert_eq!((sent.status.as_u16(), &sent.json()["userId"]), (201, &json!(ANA)), "{body}");
    }
    gateway.fakes.seen();
    for other in [json!(id(0x99)), json!(""), json!("x")] {
        let problem = send(&gateway, &json!({ "content": "Hi", "conversationId": other })).await.refused(400);
        assert!(problem["fields"]["conversationId"].is_string(), "{problem}");
    }
    for user in [json!(BEN), json!(""), json!("ana")] {
        let problem = send(&gateway, &json!({ "content": "Hi", "userId": user })).await.refused(403);
        assert_eq!(problem["code"], "NOT_YOURS");
    }
    assert_eq!(calls(&gateway), Vec::<&str>::new());
    for blank in [json!({}), json!({ "content": "  " })] {
        assert!(send(&gateway, &blank).await.refused(400)["fields"]["content"].is_string());
    }
}

#[tokio::test]
async fn an_idempotency_key_is_forwarded_and_a_write_is_not_retried() {
    let gateway = TestGateway::start().await;
    let keyed = || {
        let ask = TestRequest::new("POST", &path("/messages")).by_member(ANA).header("idempotency-key", "k-1");
        ask.json(&json!({ "content": "Hi" }))
    };
    assert_eq!(gateway.send(keyed()).await.status, 201);
    let seen = gateway.fakes.seen();
    assert!(seen.iter().any(|seen| seen.message.contains("Some(\"k-1\")") && seen.message.contains("\"Hi\"")));

    gateway.fakes.fail_once("send_message", FakeServices::unavailable());
    gateway.send(keyed()).await.refused(503);
    assert_eq!(gateway.fakes.count("send_message"), 1, "only the client retries");
    let reused = new_status(ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED", "This key was used for something else.");
    gateway.fakes.fail_once("send_message", Failure::With(reused));
    gateway.send(keyed()).await.refused(422);
}

#[tokio::test]
async fn a_refused_sender_gets_the_reason() {
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
async fn a_read_mark_needs_a_message() {
    let gateway = TestGateway::start().await;
    let read = |body: Value| TestRequest::new("POST", &path("/read")).by_member(ANA).json(&body);
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
        gateway.fakes.fail_once(rpc, FakeServices::unavailable());
        let reply =
            gateway.send(TestRequest::new(method, &path(part)).by_member(ANA).json(&json!({ "upTo": MESSAGE }))).await;
        assert_eq!(reply.status.as_u16(), status, "{rpc}");
        assert_eq!(gateway.fakes.count(rpc), attempts, "{rpc}");
    }
}

#[tokio::test]
async fn a_page_around_a_message_marks_nothing_as_read() {
    let gateway = TestGateway::start().await;
    let reply = gateway.send(TestRequest::new("GET", &path(&format!("?around={MESSAGE}"))).by_member(ANA)).await;
    assert_eq!(reply.status, 200);
    let seen = gateway.fakes.seen();
    let listed = seen.iter().find(|seen| seen.method == "list_messages").unwrap();
    assert!(listed.message.contains(&MESSAGE.to_string()), "{listed:?}");
    assert!(seen.iter().all(|seen| seen.method != "mark_read"));
}

#[tokio::test]
async fn a_link_of_another_site_marks_nothing_as_read() {
    let gateway = TestGateway::start().await;
    for (site, marks) in [("cross-site", false), ("same-site", false), ("same-origin", true), ("none", true)] {
        let ask = TestRequest::new("GET", &path("")).by_member(ANA).header("sec-fetch-site", site);
        assert_eq!(gateway.send(ask).await.status, 200, "{site}");
        assert_eq!(calls(&gateway).contains(&"mark_read"), marks, "{site}");
    }
}

#[tokio::test]
async fn a_message_is_found_in_its_conversation_only() {
    let gateway = TestGateway::start().await;
    let get = |conversation| {
        let path = format!("/api/conversations/{conversation}/messages/{MESSAGE}");
        gateway.send(TestRequest::new("GET", &path).by_member(ANA))
    };
    assert_eq!(get(CONVERSATION).await.json()["id"], json!(MESSAGE));
    assert_eq!(get(id(0x99)).await.refused(404)["error"], "Message not found");
}

#[tokio::test]
async fn a_message_of_another_member_is_not_changed() {
    let gateway = TestGateway::start().await;
    let edit = TestRequest::new("PATCH", &path(&format!("/messages/{MESSAGE}")));
    let problem = gateway.send(edit.by_member(ANA).json(&json!({ "content": "Hi" }))).await.refused(403);
    assert_eq!(
        (&problem["code"], &problem["error"]),
        (&json!("NOT_SENDER"), &json!("You can change only your own messages."))
    );
}

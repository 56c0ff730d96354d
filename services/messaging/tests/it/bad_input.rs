//! Bad input: each field is refused by name, without a write and without an internal error.

use portia_proto::messaging::ListConversationsRequest;
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;

use crate::fixtures::Fixture;

fn corpus() -> Vec<String> {
    let mut bad: Vec<String> =
        ["", " ", "\n\t", "\0", "a\0b", "\u{202e}gpj.exe", "\u{200b}\u{2060}", "\u{ffff}", "\u{7f}"]
            .map(str::to_owned)
            .to_vec();
    bad.push("a".repeat(1 << 20));
    bad.push("\u{e9}".repeat(4_001));
    bad
}

fn assert_refused<T: std::fmt::Debug>(answer: Result<T, StatusDetails>, field: &str, input: &str) {
    let refused = answer.expect_err(&format!("{field} took {:?}", input.chars().take(20).collect::<String>()));
    assert_eq!(refused.kind, ErrorKind::Invalid, "{input:.20?}");
    assert_eq!(refused.violations[0].field, field, "{input:.20?}");
    assert!(!refused.message.is_empty());
}

#[tokio::test]
async fn invalid_texts_and_keys_are_refused() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    for content in corpus() {
        assert_refused(inbox.send(1, &id, &content).await, "content", &content);
    }
    let mut keys = corpus();
    keys.push("k".repeat(201));
    keys.push("two\nlines".to_owned());
    for key in keys {
        assert_refused(inbox.send_with_key(1, &id, "Fine", Some(&key)).await, "idempotencyKey", &key);
    }
    assert_eq!(inbox.count_rows("messages").await, 0);
    let blank = inbox.send(1, &id, " ").await.unwrap_err();
    assert_eq!(blank.message, "Please write something before sending.");
    let both = inbox.send_with_key(1, "no id", "", Some("")).await.unwrap_err();
    let fields: Vec<_> = both.violations.iter().map(|violation| violation.field.as_str()).collect();
    assert_eq!(fields, ["conversationId", "content", "idempotencyKey"], "all at once");
}

#[tokio::test]
async fn invalid_ids_are_refused() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(1, &id, "Fine").await.unwrap();
    let mut bad = corpus();
    bad.extend(
        [
            "1",
            "' or 1=1 --",
            "00000000-0000-0000-0000-000000000000",
            "f47ac10b-58cc-4372-a567-0e02b2c3d479",
            "{01930000-0000-7000-8000-000000000401}",
            "01930000000070008000000000000401",
        ]
        .map(str::to_owned),
    );
    for bad in bad {
        assert_refused(inbox.get_conversation(1, &bad).await, "conversationId", &bad);
        assert_refused(inbox.list_messages(1, &bad).await, "conversationId", &bad);
        assert_refused(inbox.send(1, &bad, "Fine").await, "conversationId", &bad);
        assert_refused(inbox.accept_request(1, &bad).await, "conversationId", &bad);
        assert_refused(inbox.clear_conversation(1, &bad).await, "conversationId", &bad);
        assert_refused(inbox.note_typing(1, &bad).await, "conversationId", &bad);
        assert_refused(inbox.mark_read(1, &bad, &id).await, "conversationId", &bad);
        assert_refused(inbox.mark_read(1, &id, &bad).await, "upTo", &bad);
        assert_refused(inbox.get_message(1, &bad).await, "messageId", &bad);
        let request = portia_proto::messaging::OpenConversationRequest { member_id: bad.clone() };
        let opened =
            crate::fixtures::into_result(inbox.messaging.clone().open_conversation(inbox.as_member(1, request)).await);
        assert_refused(opened, "userId", &bad);
        let among = ListConversationsRequest { other_member_ids: vec![bad.clone()], ..Default::default() };
        assert_refused(inbox.list_page(1, among).await, "otherMemberIds", &bad);
    }
    assert_eq!((inbox.count_rows("messages").await, inbox.count_rows("conversations").await), (1, 1));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn invalid_pages_and_folders_are_refused() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let page = |page_size, page_token: &str, folder| ListConversationsRequest {
        page_size,
        page_token: page_token.to_owned(),
        folder,
        ..Default::default()
    };
    for (request, field) in [
        (page(-1, "", 0), "pageSize"),
        (page(0, "bm90IGpzb24", 0), "pageToken"),
        (page(0, &"A".repeat(100_000), 0), "pageToken"),
        (page(0, "", 3), "folder"),
        (page(0, "", -1), "folder"),
    ] {
        assert_refused(inbox.list_page(1, request).await, field, "a page");
    }
    let crowd = ListConversationsRequest {
        other_member_ids: (0..1_001).map(|n| member(n).to_string()).collect(),
        ..Default::default()
    };
    assert_refused(inbox.list_page(1, crowd.clone()).await, "otherMemberIds", "a crowd");
    let most = ListConversationsRequest { other_member_ids: crowd.other_member_ids[..1_000].to_vec(), ..crowd };
    assert_eq!(inbox.list_page(1, most).await.unwrap().conversations.len(), 1);
    assert_refused(inbox.list_messages_page(1, &id, -1, "").await, "pageSize", "a page");
    assert_refused(inbox.list_messages_page(1, &id, 0, "bm90IGpzb24").await, "pageToken", "a page");
    // The number in a forged token is only a bound.
    for seq in [i64::MIN, -1, i64::MAX] {
        let token = primitives::input::Cursor::to_token(&Tampered { seq });
        assert_eq!(inbox.list_messages_page(1, &id, 0, &token).await.unwrap().messages, []);
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Tampered {
    seq: i64,
}

impl primitives::input::Cursor for Tampered {}

#[tokio::test]
async fn a_message_of_the_maximum_length_is_accepted() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let words = "\u{1f389}".repeat(4_000);
    assert_eq!(inbox.send(1, &id, &words).await.unwrap().content, words);
    assert_eq!(inbox.list_conversations(2, crate::fixtures::INBOX).await[0].last_message.as_deref(), Some(&*words));
}

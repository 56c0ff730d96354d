//! Search in messages, and the page around a found message.

use primitives::error::ErrorKind;

use crate::fixtures::{Fixture, number, reason};

#[tokio::test]
async fn every_word_must_occur_in_a_message_of_an_own_conversation() {
    let inbox = Fixture::new().await;
    let (id, other) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(1, 3).await);
    let elsewhere = inbox.connect_pair(2, 3).await;
    for (who, conversation, content) in [
        (1, &id, "The moot court is on Friday"),
        (2, &id, "Is the COURT open?"),
        (3, &other, "100% of the courtroom, mo_ot"),
        (2, &elsewhere, "A court of others"),
    ] {
        inbox.advance_clock(1);
        inbox.send(who, conversation, content).await.unwrap();
    }
    let all = ["100% of the courtroom, mo_ot", "Is the COURT open?", "The moot court is on Friday"];
    assert_eq!(inbox.search(1, "court").await, all, "newest first, in any case, parts of words too");
    assert_eq!(inbox.search(1, "  moot Friday ").await, all[2..]);
    assert_eq!(inbox.search(1, "moot open").await, [""; 0]);
    assert_eq!(inbox.search(1, "0%").await, all[..1], "no wildcards");
    assert_eq!(inbox.search(1, "o_o").await, all[..1]);
    assert_eq!(inbox.search(1, "is").await, [all[1], all[2]], "short words");
    assert_eq!(inbox.search(1, " ").await, [""; 0]);
    assert_eq!(inbox.search(3, "court").await, ["A court of others", all[0]]);
    assert_eq!(inbox.search(4, "court").await, [""; 0]);

    let first = inbox.search_page(1, "court", 2, "").await.unwrap();
    assert_eq!(
        first.messages.iter().map(|found| found.other_member_id.as_deref().map(number)).collect::<Vec<_>>(),
        [Some(3), Some(2)]
    );
    let rest = inbox.search_page(1, "court", 2, &first.next_page_token).await.unwrap();
    assert_eq!((rest.messages.len(), rest.next_page_token.as_str()), (1, ""));
    assert_eq!(rest.messages[0].message.as_ref().unwrap().content, all[2]);
}

#[tokio::test]
async fn a_search_does_not_depend_on_the_signs_of_a_program() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let all =
        ["The Prosecutor\u{2019}s brief", "Doe v. Jones \u{2014} a can\u{2010}do firm", "I'm late, the firm is not"];
    for content in all {
        inbox.advance_clock(1);
        inbox.send(1, &id, content).await.unwrap();
    }
    for (words, expected) in [
        ("prosecutor's", &all[..1]),
        ("\"v. Jones\"", &all[1..2]),
        ("can-do", &all[1..2]),
        ("(firm), doe", &all[1..2]),
        ("i\u{2019}m", &all[2..]),
        ("i\u{2bc}m firm", &all[2..]),
    ] {
        assert_eq!(inbox.search(1, words).await, expected, "{words}");
    }
    assert_eq!(inbox.search(1, "\"").await, [""; 0], "a search without a word finds nothing");
}

#[tokio::test]
async fn deleted_cleared_and_blocked_messages_are_not_found() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "A secret word").await.unwrap().id;
    inbox.edit_message(1, &id, &message, "A public word").await.unwrap();
    assert_eq!(inbox.search(2, "secret").await, [""; 0], "an edit replaces the words");
    assert_eq!(inbox.search(2, "public").await, ["A public word"]);
    inbox.block(1, 2).await;
    assert_eq!(inbox.search(2, "word").await, [""; 0]);
    inbox.unblock(1, 2).await;
    inbox.send(2, &id, "Another word").await.unwrap();
    inbox.delete_message(1, &id, &message).await.unwrap();
    assert_eq!(inbox.search(2, "word").await, ["Another word"]);
    inbox.erase(1).await;
    assert_eq!(inbox.search(2, "word").await, ["Another word"], "also in the conversation of an erased member");
    inbox.clear_conversation(2, &id).await.unwrap();
    assert_eq!(inbox.search(2, "word").await, [""; 0]);
}

#[tokio::test]
async fn invalid_searches_are_refused() {
    let inbox = Fixture::new().await;
    let many = "a ".repeat(13);
    for (query, size, token, field) in [
        ("a\0b", 0, "", "query"),
        (&*"a".repeat(101), 0, "", "query"),
        (&*many, 0, "", "query"),
        ("fine", -1, "", "pageSize"),
        ("fine", 0, "bm90IGpzb24", "pageToken"),
    ] {
        let refused = inbox.search_page(1, query, size, token).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field), "{query}");
    }
}

#[tokio::test]
async fn a_page_around_a_message_has_it_in_the_middle() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let mut ids = Vec::new();
    for n in 1..=9 {
        ids.push(inbox.send(1, &id, &n.to_string()).await.unwrap().id);
    }
    let contents = async |message: &str, size| {
        let page = inbox.list_messages_around(2, &id, message, size).await.unwrap();
        let words: Vec<String> = page.messages.into_iter().map(|message| message.content).collect();
        (words.join(" "), !page.next_page_token.is_empty())
    };
    assert_eq!(contents(&ids[4], 4).await, ("7 6 5 4".to_owned(), true));
    assert_eq!(contents(&ids[8], 4).await, ("9 8 7 6".to_owned(), true));
    assert_eq!(contents(&ids[0], 4).await, ("3 2 1".to_owned(), false));
    assert_eq!(inbox.unread_counts(2).await, (9, 0), "the page marks nothing as read");
    let other = inbox.connect_pair(1, 3).await;
    assert_eq!(reason(inbox.list_messages_around(1, &other, &ids[0], 4).await), "MESSAGE_NOT_FOUND");
    assert_eq!(reason(inbox.list_messages_around(3, &id, &ids[0], 4).await), "MESSAGE_NOT_FOUND");
    let invalid = inbox.list_messages_around(1, &id, "x", 4).await.unwrap_err();
    assert_eq!(invalid.violations[0].field, "around");
}

#[tokio::test]
async fn the_name_of_a_file_is_found() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let file = inbox.send_file(1, &id).await.unwrap().id;
    let text = inbox.send(2, &id, "My brief").await.unwrap().id;
    let found = async |who: u128, words: &str| -> Vec<String> {
        let messages = inbox.search_page(who, words, 0, "").await.unwrap().messages;
        messages.into_iter().map(|found| found.message.unwrap().id).collect()
    };
    assert_eq!(found(2, "BRIEF").await, [text, file.clone()]);
    assert_eq!(found(2, "brief.pdf").await, std::slice::from_ref(&file));
    assert_eq!(found(3, "brief").await, [""; 0]);
    inbox.edit_message(1, &id, &file, "For Friday").await.unwrap();
    assert_eq!(found(2, "friday pdf").await, std::slice::from_ref(&file), "a word in the text, one in the name");
    inbox.delete_message(1, &id, &file).await.unwrap();
    assert_eq!(found(2, "pdf").await, [""; 0]);
}

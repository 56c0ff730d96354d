//! Edited and deleted messages, and replies.

use primitives::error::ErrorKind;
use testkit::race;

use crate::fixtures::{Fixture, INBOX, reason};

#[tokio::test]
async fn the_sender_edits_a_message_and_both_members_see_it() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "See you at nine").await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.advance_clock(60);
    let edited = inbox.edit_message(1, &id, &message.id, "See you at ten").await.unwrap();
    assert_eq!((edited.content.as_str(), edited.edited_at.is_some()), ("See you at ten", true));
    assert_eq!((edited.sent_at, edited.is_read), (message.sent_at, false), "time and read state stay");
    assert_eq!(inbox.facts_since(before).await, ["message changed for [1, 2]"]);
    assert_eq!(inbox.get_message(2, &message.id).await.unwrap(), edited);
    assert_eq!(inbox.list_messages(2, &id).await.unwrap().messages, [edited]);
    assert_eq!(inbox.list_conversations(2, INBOX).await[0].last_message.as_deref(), Some("See you at ten"));
    assert_eq!(inbox.unread_counts(2).await, (1, 0), "an edit is no new message");
    // An earlier message does not become the last one of the list.
    inbox.send(2, &id, "Fine").await.unwrap();
    inbox.edit_message(1, &id, &message.id, "At eleven").await.unwrap();
    assert_eq!(inbox.list_conversations(2, INBOX).await[0].last_message.as_deref(), Some("Fine"));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_deleted_message_stays_in_its_place_without_its_text() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send_with_key(1, &id, "Wrong chat", Some("k")).await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.delete_message(1, &id, &message.id).await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["message changed for [1, 2]", "changed for 2"]);
    let seen = inbox.list_messages(2, &id).await.unwrap();
    assert_eq!((seen.messages[0].content.as_str(), seen.messages[0].deleted), ("", true));
    let conversation = inbox.list_conversations(2, INBOX).await.remove(0);
    assert_eq!((conversation.last_message, conversation.last_message_deleted), (None, true));
    assert!(conversation.last_message_at.is_some());
    assert_eq!((conversation.unread_count, inbox.unread_counts(2).await), (0, (0, 0)), "it is not unread");
    let stored = "select count(*) from messaging.messages m join messaging.conversations c on c.id = m.conversation_id
        where m.content || c.last_message <> ''";
    let stored = sqlx::query_scalar::<_, i64>(stored).fetch_one(inbox.harness.pool()).await.unwrap();
    assert_eq!(stored, 0, "the text is not stored any more");

    inbox.delete_message(1, &id, &message.id).await.unwrap();
    assert_eq!(inbox.published_facts().await.len(), before + 2, "a repeated deletion changes nothing");
    assert_eq!(reason(inbox.edit_message(1, &id, &message.id, "Back").await), "MESSAGE_NOT_FOUND");
    let again = inbox.send_with_key(1, &id, "Wrong chat", Some("k")).await.unwrap();
    assert!(again.id == message.id && again.deleted, "a repeated request does not send it again");
    inbox.assert_invariants().await;
}

/// Sends a message of member 1 for each word, and returns their ids.
async fn send_all(inbox: &Fixture, id: &str, words: &[&str]) -> Vec<String> {
    let mut sent = Vec::new();
    for text in words {
        sent.push(inbox.send(1, id, text).await.unwrap().id);
    }
    sent
}

#[tokio::test]
async fn a_deleted_message_leaves_the_counts_of_members_who_had_not_read_it() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = send_all(&inbox, &id, &["Read", "First", "Middle", "Last"]).await;
    inbox.mark_read(2, &id, &sent[0]).await.unwrap();
    let before = inbox.published_facts().await.len();
    // The read one, the middle one, the middle one again, the last one, the first one.
    for (deleted, unread) in [(0, 3), (2, 2), (2, 2), (3, 1), (1, 0)] {
        inbox.delete_message(1, &id, &sent[deleted]).await.unwrap();
        assert_eq!(inbox.unread_counts(2).await, (unread, 0));
        assert_eq!(inbox.get_conversation(2, &id).await.unwrap().unread_count, unread);
        inbox.assert_invariants().await;
    }
    let one = ["message changed for [1, 2]", "changed for 2"];
    let facts = inbox.facts_since(before).await;
    assert_eq!(facts, [&one[..1], &one, &one, &one].concat(), "a read message changes no count");
    // Read marks and later messages count on.
    inbox.send(1, &id, "New").await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (1, 0));
    inbox.mark_read(2, &id, &sent[3]).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (1, 0), "deleted messages before the mark are not subtracted again");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_request_of_deleted_messages_is_not_counted() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    let sent = send_all(&inbox, &id, &["One", "Two"]).await;
    inbox.delete_message(1, &id, &sent[0]).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (0, 1), "a request counts once");
    inbox.delete_message(1, &id, &sent[1]).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (0, 0));
    inbox.assert_invariants().await;
    inbox.accept_request(2, &id).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (0, 0));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_muted_or_cleared_conversation_stays_out_of_the_totals_after_a_deletion() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let sent = send_all(&inbox, &id, &["One", "Two", "Three"]).await;
    inbox.mute(2, &id, true).await.unwrap();
    inbox.delete_message(1, &id, &sent[2]).await.unwrap();
    assert_eq!((inbox.unread_counts(2).await, inbox.get_conversation(2, &id).await.unwrap().unread_count), ((0, 0), 2));
    inbox.mute(2, &id, false).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (2, 0));
    inbox.clear_conversation(2, &id).await.unwrap();
    inbox.delete_message(1, &id, &sent[0]).await.unwrap();
    inbox.send(1, &id, "Four").await.unwrap();
    inbox.delete_message(1, &id, &sent[1]).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (1, 0), "the cleared messages were not counted");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_deleted_message_of_a_group_leaves_the_count_of_each_member_who_saw_it_unread() {
    let inbox = Fixture::new().await;
    inbox.connect_pair(1, 2).await;
    for other in [3, 4, 5] {
        inbox.connect_pair(1, other).await;
    }
    // 6 has not accepted the group.
    let id = inbox.create_group(1, None, &[2, 3, 4, 5, 6]).await.unwrap().id;
    let sent = send_all(&inbox, &id, &["One", "Two", "Three"]).await;
    inbox.mark_read(2, &id, &sent[1]).await.unwrap();
    inbox.block(3, 1).await;
    inbox.mute(4, &id, true).await.unwrap();
    inbox.add_to_group(1, &id, &[7]).await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.delete_message(1, &id, &sent[1]).await.unwrap();
    // 2 read it, 3 blocks the sender, 7 joined later.
    let facts = inbox.facts_since(before).await;
    assert_eq!(facts, ["message changed for [1, 2, 4, 5, 6, 7]", "group changed for [4, 5, 6]"]);
    for (who, totals, unread) in
        [(2, (1, 0), 1), (3, (0, 0), 0), (4, (0, 0), 2), (5, (2, 0), 2), (6, (0, 1), 2), (7, (0, 0), 0)]
    {
        assert_eq!((inbox.unread_counts(who).await, who), (totals, who));
        assert_eq!((inbox.get_conversation(who, &id).await.unwrap().unread_count, who), (unread, who));
    }
    inbox.assert_invariants().await;
    inbox.unblock(3, 1).await;
    assert_eq!(inbox.unread_counts(3).await, (2, 0), "the messages that appear again");
    inbox.accept_request(6, &id).await.unwrap();
    assert_eq!(inbox.unread_counts(6).await, (2, 0));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_message_deleted_while_it_is_read_is_subtracted_once() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    for n in 0..40 {
        let sent = send_all(&inbox, &id, &["One", "Two", "Three"]).await;
        let (deleted, read) = race(n, inbox.delete_message(1, &id, &sent[0]), inbox.mark_read(2, &id, &sent[1])).await;
        deleted.unwrap();
        read.unwrap();
        assert_eq!(inbox.unread_counts(2).await, (1, 0));
        inbox.assert_invariants().await;
        inbox.mark_read(2, &id, &sent[2]).await.unwrap();
    }
}

#[tokio::test]
async fn a_message_can_be_changed_for_fifteen_minutes_and_only_by_its_sender() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "Mine").await.unwrap().id;
    let not_mine = inbox.edit_message(2, &id, &message, "Yours").await.unwrap_err();
    assert_eq!((not_mine.kind, not_mine.reason.as_str()), (ErrorKind::Forbidden, "NOT_SENDER"));
    assert_eq!(reason(inbox.delete_message(2, &id, &message).await), "NOT_SENDER");
    assert_eq!(reason(inbox.edit_message(3, &id, &message, "Theirs").await), "CONVERSATION_NOT_FOUND");
    assert_eq!(reason(inbox.delete_message(3, &id, &message).await), "CONVERSATION_NOT_FOUND");
    let other = inbox.connect_pair(1, 3).await;
    assert_eq!(reason(inbox.delete_message(1, &other, &message).await), "MESSAGE_NOT_FOUND", "of another conversation");

    inbox.advance_clock(15 * 60 - 1);
    inbox.edit_message(1, &id, &message, "Still mine").await.unwrap();
    inbox.advance_clock(1);
    let late = inbox.edit_message(1, &id, &message, "Too late").await.unwrap_err();
    assert_eq!((late.kind, late.reason.as_str()), (ErrorKind::Conflict, "MESSAGE_CHANGE_TOO_LATE"));
    assert_eq!(late.message, "A message can be changed for 15 minutes after sending.");
    assert_eq!(reason(inbox.delete_message(1, &id, &message).await), "MESSAGE_CHANGE_TOO_LATE");
    assert_eq!(inbox.get_message(2, &message).await.unwrap().content, "Still mine");
}

#[tokio::test]
async fn a_blocked_or_cleared_message_cannot_be_changed() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "Mine").await.unwrap().id;
    inbox.block(2, 1).await;
    assert_eq!(reason(inbox.edit_message(1, &id, &message, "Hi").await), "CONVERSATION_NOT_FOUND");
    inbox.unblock(2, 1).await;
    inbox.clear_conversation(1, &id).await.unwrap();
    assert_eq!(reason(inbox.edit_message(1, &id, &message, "Hi").await), "MESSAGE_NOT_FOUND");
    assert_eq!(reason(inbox.delete_message(1, &id, &message).await), "MESSAGE_NOT_FOUND");
}

#[tokio::test]
async fn a_reply_quotes_its_message_until_that_is_deleted() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let asked = inbox.send(1, &id, &"Which paragraph? ".repeat(20)).await.unwrap();
    let reply = inbox.reply(2, &id, &asked.id, "The last one").await.unwrap();
    let quote = reply.reply_to.clone().unwrap();
    assert_eq!((&quote.id, &quote.sender_id), (&asked.id, &asked.sender_id));
    assert_eq!(quote.content.unwrap().chars().count(), 200, "the beginning of the text");
    assert_eq!(inbox.list_messages(1, &id).await.unwrap().messages[0], reply);
    assert_eq!(inbox.get_message(1, &reply.id).await.unwrap(), reply);

    inbox.delete_message(1, &id, &asked.id).await.unwrap();
    let seen = inbox.list_messages(1, &id).await.unwrap().messages.remove(0).reply_to.unwrap();
    assert_eq!((seen.id, seen.content), (asked.id.clone(), None));
    inbox.reply(2, &id, &asked.id, "A reply may arrive after the deletion").await.unwrap();

    let other = inbox.connect_pair(2, 3).await;
    assert_eq!(reason(inbox.reply(2, &other, &asked.id, "Elsewhere").await), "MESSAGE_NOT_FOUND");
    inbox.clear_conversation(1, &id).await.unwrap();
    assert_eq!(reason(inbox.reply(1, &id, &reply.id, "Cleared").await), "MESSAGE_NOT_FOUND");
    inbox.reply(2, &id, &reply.id, "After").await.unwrap();
    let seen = inbox.list_messages(1, &id).await.unwrap().messages.remove(0).reply_to.unwrap();
    assert_eq!(seen.content, None, "the member cleared the message");
    inbox.assert_invariants().await;
}

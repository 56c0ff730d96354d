//! Messages of groups: blocks between members, read counts, and changes of messages.

use portia_proto::{messaging::MessageReactionKind, profile::MessageAudience};

use crate::fixtures::{Fixture, INBOX, reason};

#[tokio::test]
async fn members_separated_by_a_block_do_not_see_messages_of_each_other() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    inbox.send(2, &id, "Before").await.unwrap();
    inbox.send(1, &id, "From the owner").await.unwrap();
    assert_eq!(inbox.unread_counts(3).await, (2, 0));
    inbox.block(3, 2).await;
    assert_eq!(inbox.unread_counts(3).await, (1, 0));
    let hidden = inbox.send(2, &id, "Hidden").await.unwrap().id;
    assert_eq!((inbox.unread_counts(1).await, inbox.unread_counts(3).await), ((1, 0), (1, 0)));
    assert_eq!(inbox.lines(3, &id).await, ["created by Some(1) [] 0", "From the owner"]);
    assert_eq!(inbox.lines(1, &id).await.len(), 4);
    assert_eq!(inbox.get_conversation(3, &id).await.unwrap().last_message.as_deref(), Some("From the owner"));
    assert_eq!(inbox.search(3, "Hidden").await, Vec::<String>::new());
    assert_eq!(reason(inbox.get_message(3, &hidden).await), "MESSAGE_NOT_FOUND");
    assert_eq!(reason(inbox.reply(3, &id, &hidden, "No").await), "MESSAGE_NOT_FOUND");
    assert_eq!(reason(inbox.react(3, &id, &hidden, MessageReactionKind::Like, true).await), "MESSAGE_NOT_FOUND");
    assert_eq!(inbox.group_members(3, &id).await.unwrap().0, [1, 2, 3], "each knows who receives the messages");
    let quoting = inbox.reply(1, &id, &hidden, "A quote").await.unwrap();
    let seen = inbox.get_message(3, &quoting.id).await.unwrap();
    assert_eq!(seen.reply_to.unwrap().content, None);
    let facts = inbox.facts_since(0).await;
    assert!(facts.contains(&"message from 2 to 1".to_owned()), "{facts:?}");
    inbox.assert_invariants().await;

    inbox.clear_conversation(3, &id).await.unwrap();
    inbox.send(2, &id, "Hidden again").await.unwrap();
    assert!(inbox.list_conversations(3, INBOX).await.iter().all(|one| one.id != id), "stays cleared");
    inbox.unblock(3, 2).await;
    assert_eq!(inbox.lines(3, &id).await, ["Hidden again"]);
    assert_eq!(inbox.unread_counts(3).await, (1, 0));
    assert!(inbox.list_conversations(3, INBOX).await.iter().any(|one| one.id == id));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_message_counts_the_members_who_read_it() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3, 4, 5]).await;
    inbox.set_privacy(3, MessageAudience::Everyone, false).await;
    inbox.block(4, 1).await;
    let sent = inbox.send(1, &id, "Hello").await.unwrap();
    assert_eq!((sent.read_count, sent.is_read, sent.of_group), (0, false, true));
    for who in [2, 3] {
        inbox.mark_read(who, &id, &sent.id).await.unwrap();
    }
    let later = inbox.send(5, &id, "Answering reads").await.unwrap();
    let seen = inbox.get_message(1, &sent.id).await.unwrap();
    assert_eq!((seen.read_count, seen.is_read), (2, true), "2 and 5: 3 does not show it, 4 is blocked");
    let listed = inbox.list_messages(1, &id).await.unwrap().messages;
    assert_eq!(listed.iter().find(|one| one.id == sent.id).unwrap().read_count, 2);
    assert_eq!(listed.iter().find(|one| one.id == later.id).unwrap().read_count, 0, "of another member");
    inbox.add_to_group(1, &id, &[6]).await.unwrap();
    assert_eq!(inbox.get_message(1, &sent.id).await.unwrap().read_count, 2, "6 joined later");
    inbox.set_privacy(1, MessageAudience::Everyone, false).await;
    assert_eq!(inbox.get_message(1, &sent.id).await.unwrap().read_count, 0);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn replies_reactions_edits_mute_and_clearing_work_in_a_group() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    let sent = inbox.send(2, &id, "At nine?").await.unwrap().id;
    let reply = inbox.reply(3, &id, &sent, "Yes").await.unwrap();
    assert_eq!(reply.reply_to.unwrap().content.as_deref(), Some("At nine?"));
    inbox.react(1, &id, &sent, MessageReactionKind::Love, true).await.unwrap();
    inbox.edit_message(2, &id, &sent, "At ten?").await.unwrap();
    assert_eq!(reason(inbox.edit_message(1, &id, &sent, "Mine").await), "NOT_SENDER");
    let seen = inbox.get_message(3, &sent).await.unwrap();
    assert_eq!((seen.content.as_str(), seen.reactions.len()), ("At ten?", 1));
    inbox.delete_message(2, &id, &sent).await.unwrap();
    inbox.mute(1, &id, true).await.unwrap();
    assert_eq!(inbox.unread_counts(1).await, (0, 0));
    inbox.clear_conversation(1, &id).await.unwrap();
    assert_eq!(inbox.lines(1, &id).await, Vec::<String>::new());
    inbox.rename_group(1, &id, "Quiet").await.unwrap();
    assert!(inbox.list_conversations(1, INBOX).await.iter().all(|one| one.id != id), "a line lists it for no member");
    let line = inbox.list_messages(2, &id).await.unwrap().messages.remove(0).id;
    assert_eq!(reason(inbox.react(2, &id, &line, MessageReactionKind::Like, true).await), "MESSAGE_NOT_FOUND");
    assert_eq!(reason(inbox.delete_message(1, &id, &line).await), "MESSAGE_NOT_FOUND");
    assert_eq!(reason(inbox.reply(2, &id, &line, "To a line").await), "MESSAGE_NOT_FOUND");
    inbox.assert_invariants().await;
}

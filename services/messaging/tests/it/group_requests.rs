//! Members who have not accepted a group: what they receive and see; members who left; erased members behind a block.

use portia_proto::messaging::ListConversationsRequest;
use testkit::member;

use crate::fixtures::{Fact, Fixture, INBOX, REQUESTS, reason};

#[tokio::test]
async fn a_title_is_shown_to_members_who_accepted_the_group() {
    let inbox = Fixture::new().await;
    inbox.connect_pair(1, 2).await;
    let id = inbox.create_group(1, Some("Moot court"), &[2, 3]).await.unwrap().id;
    let title = async |who: u128| inbox.get_conversation(who, &id).await.unwrap().group.unwrap().title;
    assert_eq!((title(2).await.as_deref(), title(3).await), (Some("Moot court"), None));
    inbox.rename_group(1, &id, "Another text").await.unwrap();
    assert_eq!(title(3).await, None);
    let request =
        ListConversationsRequest { search: "another".to_owned(), folder: REQUESTS.into(), ..Default::default() };
    assert_eq!(inbox.list_page(3, request).await.unwrap().conversations, []);
    assert_eq!(inbox.accept_request(3, &id).await.unwrap().group.unwrap().title.as_deref(), Some("Another text"));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_member_receives_five_messages_before_accepting_although_another_one_accepted() {
    let inbox = Fixture::new().await;
    inbox.connect_pair(1, 2).await;
    let id = inbox.create_group(1, None, &[2, 3, 4]).await.unwrap().id;
    inbox.send(2, &id, "From two").await.unwrap();
    let mut sent = Vec::new();
    for n in 1..=6 {
        sent.push(inbox.send(1, &id, &format!("Number {n}")).await.unwrap().id);
    }
    let received = ["created by Some(1) [] 0", "From two", "Number 1", "Number 2", "Number 3", "Number 4"];
    assert_eq!(inbox.lines(3, &id).await, received);
    let request = inbox.get_conversation(3, &id).await.unwrap();
    assert_eq!((request.unread_count, request.last_message.as_deref()), (5, Some("Number 4")));
    assert_eq!(reason(inbox.get_message(3, &sent[4]).await), "MESSAGE_NOT_FOUND");
    assert_eq!(reason(inbox.reply(3, &id, &sent[4], "No").await), "MESSAGE_NOT_FOUND");
    assert_eq!(inbox.search(3, "Number 5").await, Vec::<String>::new());
    assert_eq!(inbox.get_conversation(2, &id).await.unwrap().unread_count, 6);
    let facts = inbox.facts_since(0).await;
    assert_eq!(facts.last().unwrap(), "message from 1 to 2", "{facts:?}");
    inbox.assert_invariants().await;

    let accepted = inbox.accept_request(3, &id).await.unwrap();
    assert_eq!((accepted.unread_count, inbox.unread_counts(3).await), (7, (7, 0)));
    assert_eq!(inbox.lines(3, &id).await[6..], ["Number 5", "Number 6"]);
    assert_eq!(inbox.search(3, "Number 5").await, ["Number 5"]);
    inbox.send(1, &id, "Number 7").await.unwrap();
    assert_eq!((inbox.unread_counts(3).await, inbox.unread_counts(4).await), ((8, 0), (0, 1)));
    inbox.assert_invariants().await;

    // An answer accepts too.
    inbox.send(4, &id, "An answer").await.unwrap();
    assert_eq!(inbox.lines(4, &id).await[6..], ["Number 5", "Number 6", "Number 7", "An answer"]);
    assert_eq!(inbox.search(4, "Number 6").await, ["Number 6"]);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_line_of_a_group_does_not_move_a_request_to_the_top() {
    let inbox = Fixture::new().await;
    let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
    inbox.advance_clock(1);
    let later = inbox.create_group(4, None, &[2, 3]).await.unwrap().id;
    inbox.advance_clock(1);
    inbox.rename_group(1, &id, "Read me").await.unwrap();
    let listed: Vec<String> = inbox.list_conversations(2, REQUESTS).await.into_iter().map(|one| one.id).collect();
    assert_eq!(listed, [later, id]);
}

#[tokio::test]
async fn a_member_who_left_is_not_added_again() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3, 4]).await;
    inbox.remove_from_group(2, &id, 2).await.unwrap();
    assert_eq!(reason(inbox.add_to_group(1, &id, &[2, 5]).await), "MEMBER_LEFT_GROUP");
    assert_eq!(inbox.group_members(1, &id).await.unwrap().0, [1, 3, 4]);
    assert!(inbox.list_conversations(2, INBOX).await.iter().all(|one| one.id != id));
    inbox.remove_from_group(1, &id, 4).await.unwrap();
    inbox.add_to_group(1, &id, &[4]).await.unwrap();
    assert_eq!(
        inbox.group_members(1, &id).await.unwrap().0,
        [1, 3, 4],
        "a member that the owner removed may be added again"
    );
    inbox.add_to_group(1, &id, &[6]).await.unwrap();
    inbox.remove_from_group(1, &id, 6).await.unwrap();
    assert_eq!(reason(inbox.add_to_group(1, &id, &[6]).await), "MEMBER_LEFT_GROUP", "not accepted when removed");
    inbox.remove_from_group(1, &id, 1).await.unwrap();
    assert_eq!(reason(inbox.add_to_group(3, &id, &[1]).await), "MEMBER_LEFT_GROUP", "also by the next owner");
    inbox.erase(2).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(2)).await, Vec::<String>::new());
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn messages_of_an_erased_member_stay_hidden_from_members_behind_a_block() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3, 4]).await;
    inbox.send(1, &id, "From the owner").await.unwrap();
    inbox.send(2, &id, "Before the block").await.unwrap();
    inbox.add_to_group(1, &id, &[5]).await.unwrap();
    inbox.block(3, 2).await;
    inbox.block(2, 4).await;
    let hidden = inbox.send(2, &id, "After the block").await.unwrap().id;
    let quoting = inbox.reply(1, &id, &hidden, "A quote").await.unwrap().id;
    let visible = ["created by Some(1) [] 0", "From the owner", "added by Some(1) [5] 0", "A quote"];
    for who in [3, 4] {
        assert_eq!(
            (inbox.lines(who, &id).await, inbox.unread_counts(who).await),
            (visible.map(str::to_owned).to_vec(), (2, 0))
        );
    }
    inbox.erase(2).await;
    inbox.assert_invariants().await;
    for who in [3, 4] {
        assert_eq!(
            (inbox.lines(who, &id).await, inbox.unread_counts(who).await),
            (visible.map(str::to_owned).to_vec(), (2, 0))
        );
        assert_eq!(reason(inbox.get_message(who, &hidden).await), "MESSAGE_NOT_FOUND");
        assert_eq!(inbox.get_message(who, &quoting).await.unwrap().reply_to.unwrap().content, None);
        assert_eq!(reason(inbox.reply(who, &id, &hidden, "No").await), "MESSAGE_NOT_FOUND");
        assert_eq!(inbox.search(who, "the block").await, Vec::<String>::new());
        inbox.mark_read(who, &id, &quoting).await.unwrap();
        assert_eq!(inbox.unread_counts(who).await, (0, 0));
    }
    assert_eq!(inbox.lines(5, &id).await, ["added by Some(1) [5] 0", "After the block", "A quote"]);
    assert_eq!(inbox.lines(1, &id).await.len(), 6);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn the_lines_of_an_erased_owner_stay_hidden_from_members_behind_a_block() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    inbox.block(3, 1).await;
    inbox.rename_group(1, &id, "Renamed").await.unwrap();
    assert_eq!(inbox.lines(3, &id).await, Vec::<String>::new());
    inbox.erase(1).await;
    assert_eq!(inbox.lines(3, &id).await, Vec::<String>::new());
    assert_eq!(inbox.lines(2, &id).await, ["created by None [] 0", "renamed by None [] 0"]);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn the_erasure_of_a_member_finds_the_lines_of_an_erased_owner_behind_a_block() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 4]).await;
    inbox.add_to_group(1, &id, &[3]).await.unwrap();
    inbox.block(3, 1).await;
    for who in [1, 3] {
        inbox.erase(who).await;
        assert_eq!(inbox.harness.database().tables_referencing(member(who)).await, Vec::<String>::new());
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_full_request_receives_no_system_lines_before_the_member_accepts() {
    let inbox = Fixture::new().await;
    inbox.connect_pair(1, 2).await;
    let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
    inbox.send(2, &id, "An answer").await.unwrap();
    inbox.rename_group(1, &id, "Before").await.unwrap();
    for n in 1..=5 {
        inbox.send(1, &id, &format!("Number {n}")).await.unwrap();
    }
    let before = inbox.published_facts().await.len();
    inbox.rename_group(1, &id, "Afterwards").await.unwrap();
    let facts = inbox.facts_since(before).await;
    assert!(facts.contains(&"message from 1 to 2".to_owned()), "{facts:?}");
    let received = inbox.lines(3, &id).await;
    assert_eq!(received.len(), 7, "{received:?}");
    assert_eq!(received.last().unwrap(), "Number 4");
    assert_eq!(inbox.get_conversation(3, &id).await.unwrap().last_message.as_deref(), Some("Number 4"));
    inbox.accept_request(3, &id).await.unwrap();
    assert_eq!(inbox.lines(3, &id).await.len(), 9);
    inbox.assert_invariants().await;
}

/// The others see that files are no longer refused.
#[tokio::test]
async fn the_others_learn_that_a_member_accepted_the_group() {
    let inbox = Fixture::new().await;
    let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
    let before = inbox.published_facts().await.len();
    inbox.accept_request(2, &id).await.unwrap();
    let facts = inbox.facts_since(before).await;
    assert!(facts.contains(&"group changed for [1, 3]".to_owned()), "{facts:?}");
    assert!(!inbox.get_conversation(1, &id).await.unwrap().files_refused);
}

#[tokio::test]
async fn a_group_that_no_other_member_accepted_says_that_it_refuses_files() {
    let inbox = Fixture::new().await;
    let id = inbox.create_group(1, None, &[2, 3]).await.unwrap();
    assert!(id.files_refused);
    let id = id.id;
    let refused = async |who: u128| {
        let listed = inbox.list_messages(who, &id).await.unwrap().conversation.unwrap().files_refused;
        assert_eq!(inbox.get_conversation(who, &id).await.unwrap().files_refused, listed);
        listed
    };
    assert_eq!((refused(1).await, refused(2).await), (true, false));
    assert_eq!(reason(inbox.send_file(1, &id).await), "ATTACHMENTS_REFUSED");
    // The owner has the group in the inbox, so that an answer may have a file.
    inbox.send_file(2, &id).await.unwrap();
    assert_eq!((refused(1).await, refused(3).await), (false, false));
    inbox.send_file(1, &id).await.unwrap();
    let pair = inbox.open_request(4, 5).await;
    assert!(inbox.get_conversation(4, &pair).await.unwrap().files_refused);
    inbox.send(4, &pair, "May I?").await.unwrap();
    assert!(!inbox.get_conversation(5, &pair).await.unwrap().files_refused, "an answer accepts the request");
    inbox.accept_request(5, &pair).await.unwrap();
    assert!(!inbox.get_conversation(4, &pair).await.unwrap().files_refused);
}

#[tokio::test]
async fn the_sender_does_not_learn_that_a_group_was_opened_before_it_is_accepted() {
    let inbox = Fixture::new().await;
    inbox.connect_pair(1, 2).await;
    let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
    let sent = inbox.send(1, &id, "Are you there?").await.unwrap().id;
    let before = inbox.published_facts().await.len();
    inbox.mark_read(3, &id, &sent).await.unwrap();
    let read_marks = async || -> Vec<(u128, Option<u128>)> {
        let published = inbox.published_facts().await.split_off(before);
        let marks = published.into_iter().filter_map(|fact| match fact {
            Fact::Read { reader, other, .. } => Some((reader, other)),
            _ => None,
        });
        marks.collect()
    };
    assert_eq!(read_marks().await, [(3, None)]);
    assert_eq!(inbox.note_typing(3, &id).await.unwrap(), None);
    let read_count = async || {
        let listed = inbox.list_messages(1, &id).await.unwrap().messages;
        let listed = listed.into_iter().find(|message| message.id == sent).unwrap().read_count;
        (listed, inbox.get_message(1, &sent).await.unwrap().read_count)
    };
    assert_eq!(read_count().await, (0, 0));

    inbox.accept_request(3, &id).await.unwrap();
    assert_eq!(read_count().await, (1, 1));
    inbox.send(1, &id, "And now?").await.unwrap();
    let newest = inbox.list_messages(3, &id).await.unwrap().messages.remove(0).id;
    inbox.mark_read(3, &id, &newest).await.unwrap();
    assert_eq!(read_marks().await.last(), Some(&(3, Some(1))));
    inbox.assert_invariants().await;
}

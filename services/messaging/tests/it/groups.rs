//! Groups: creation, members, ownership, messages, system lines and blocks.

use portia_proto::{
    messaging::{
        AddGroupMembersRequest, Conversation, CreateGroupRequest, GroupRole, ListConversationsRequest,
        ListGroupMembersRequest, Message, NoteTypingRequest, RemoveGroupMemberRequest, SystemLineKind,
        UpdateGroupRequest,
    },
    profile::MessageAudience,
};
use primitives::error::StatusDetails;
use testkit::member;

use crate::fixtures::{Fixture, INBOX, REQUESTS, into_result, number, reason};

fn ids(members: &[u128]) -> Vec<String> {
    members.iter().map(|who| member(*who).to_string()).collect()
}

impl Fixture {
    pub async fn create_group(
        &self,
        who: u128,
        title: Option<&str>,
        others: &[u128],
    ) -> Result<Conversation, StatusDetails> {
        self.create_group_with_key(who, title, others, None).await
    }

    pub async fn create_group_with_key(
        &self,
        who: u128,
        title: Option<&str>,
        others: &[u128],
        key: Option<&str>,
    ) -> Result<Conversation, StatusDetails> {
        let (title, idempotency_key) = (title.map(str::to_owned), key.map(str::to_owned));
        let request = CreateGroupRequest { title, member_ids: ids(others), idempotency_key };
        let created = into_result(self.messaging.clone().create_group(self.as_member(who, request)).await);
        created.map(|created| created.conversation.unwrap())
    }

    /// Creates a group of member 1, who is connected with the others.
    pub async fn connected_group(&self, others: &[u128]) -> String {
        for other in others {
            self.connect_pair(1, *other).await;
        }
        self.create_group(1, None, others).await.unwrap().id
    }

    pub async fn rename_group(&self, who: u128, id: &str, title: &str) -> Result<Conversation, StatusDetails> {
        let request = UpdateGroupRequest { conversation_id: id.to_owned(), title: Some(title.to_owned()) };
        let updated = into_result(self.messaging.clone().update_group(self.as_member(who, request)).await);
        updated.map(|updated| updated.conversation.unwrap())
    }

    pub async fn add_to_group(&self, who: u128, id: &str, members: &[u128]) -> Result<Conversation, StatusDetails> {
        let request = AddGroupMembersRequest { conversation_id: id.to_owned(), member_ids: ids(members) };
        let added = into_result(self.messaging.clone().add_group_members(self.as_member(who, request)).await);
        added.map(|added| added.conversation.unwrap())
    }

    pub async fn remove_from_group(&self, who: u128, id: &str, other: u128) -> Result<(), StatusDetails> {
        let request = RemoveGroupMemberRequest { conversation_id: id.to_owned(), member_id: member(other).to_string() };
        into_result(self.messaging.clone().remove_group_member(self.as_member(who, request)).await).map(drop)
    }

    /// Returns the members, and separately the owners.
    pub async fn group_members(&self, who: u128, id: &str) -> Result<(Vec<u128>, Vec<u128>), StatusDetails> {
        let request = ListGroupMembersRequest { conversation_id: id.to_owned() };
        let listed = into_result(self.messaging.clone().list_group_members(self.as_member(who, request)).await)?;
        let all = listed.members.iter().map(|one| number(&one.member_id)).collect();
        let owners = listed.members.iter().filter(|one| one.role() == GroupRole::Owner);
        Ok((all, owners.map(|one| number(&one.member_id)).collect()))
    }

    /// Returns the lines of a thread, oldest first: the text, or the system line with its actor and subjects.
    pub async fn lines(&self, who: u128, id: &str) -> Vec<String> {
        let messages = self.list_messages(who, id).await.unwrap().messages;
        messages.iter().rev().map(line).collect()
    }
}

fn line(message: &Message) -> String {
    let Some(line) = &message.system_line else { return message.content.clone() };
    let subjects: Vec<u128> = line.subject_ids.iter().map(|id| number(id)).collect();
    let actor = message.sender_id.as_deref().map(number);
    let kind = SystemLineKind::try_from(line.kind).unwrap().as_str_name().to_lowercase();
    format!("{} by {actor:?} {subjects:?} {}", kind.trim_start_matches("system_line_kind_"), line.former_members)
}

#[tokio::test]
async fn a_group_is_in_the_inbox_of_connections_and_a_request_of_others() {
    let inbox = Fixture::new().await;
    inbox.connect_pair(1, 2).await;
    let group = inbox.create_group(1, Some("  Moot court "), &[2, 3]).await.unwrap();
    let summary = group.group.clone().unwrap();
    assert_eq!(
        (summary.title.as_deref(), summary.member_count, summary.role()),
        (Some("Moot court"), 3, GroupRole::Owner)
    );
    assert_eq!((ids(&[2, 3]), group.other_member_id), (summary.member_ids, None));
    for (who, folder) in [(1, INBOX), (2, INBOX), (3, REQUESTS)] {
        let listed = inbox.list_conversations(who, folder).await;
        assert!(listed.iter().any(|one| one.id == group.id), "{who}");
    }
    inbox.send(1, &group.id, "Hello").await.unwrap();
    assert_eq!((inbox.unread_counts(2).await, inbox.unread_counts(3).await), ((1, 0), (0, 1)));
    assert_eq!(inbox.accept_request(3, &group.id).await.unwrap().folder(), INBOX);
    assert_eq!(inbox.unread_counts(3).await, (1, 0));
    assert_eq!(inbox.lines(2, &group.id).await, ["created by Some(1) [] 0", "Hello"]);
    assert_eq!(reason(inbox.get_conversation(4, &group.id).await), "CONVERSATION_NOT_FOUND");
    assert_eq!(reason(inbox.group_members(4, &group.id).await), "CONVERSATION_NOT_FOUND");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_group_that_no_other_member_accepted_takes_five_messages() {
    let inbox = Fixture::new().await;
    let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
    for n in 0..5 {
        inbox.send_with_key(1, &id, "Hello", Some(&n.to_string())).await.unwrap();
    }
    assert_eq!(reason(inbox.send(1, &id, "More").await), "REQUEST_WAITING");
    assert_eq!(reason(inbox.send_with_key(1, &id, "Hello", Some("1")).await), "OK", "a repetition is no message");
    inbox.send(3, &id, "An answer accepts").await.unwrap();
    inbox.send(1, &id, "More").await.unwrap();
    assert_eq!((inbox.unread_counts(2).await, inbox.unread_counts(3).await), ((0, 1), (1, 0)));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn only_the_owner_renames_adds_and_removes() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    assert_eq!(reason(inbox.rename_group(2, &id, "Mine").await), "NOT_GROUP_OWNER");
    assert_eq!(reason(inbox.add_to_group(2, &id, &[4]).await), "NOT_GROUP_OWNER");
    assert_eq!(reason(inbox.remove_from_group(2, &id, 3).await), "NOT_GROUP_OWNER");
    assert_eq!(reason(inbox.rename_group(4, &id, "Mine").await), "CONVERSATION_NOT_FOUND");
    let pair = inbox.open_request(1, 2).await;
    assert_eq!(reason(inbox.rename_group(1, &pair, "Mine").await), "CONVERSATION_NOT_FOUND");
    inbox.send(1, &id, "Before").await.unwrap();
    let renamed = inbox.rename_group(1, &id, "Bar review").await.unwrap();
    assert_eq!(renamed.group.unwrap().title.as_deref(), Some("Bar review"));
    inbox.add_to_group(1, &id, &[3, 4]).await.unwrap();
    inbox.add_to_group(1, &id, &[4]).await.unwrap();
    assert_eq!(inbox.group_members(2, &id).await.unwrap(), (vec![1, 2, 3, 4], vec![1]));
    inbox.remove_from_group(1, &id, 3).await.unwrap();
    inbox.remove_from_group(1, &id, 3).await.unwrap();
    let after = ["renamed by Some(1) [] 0", "added by Some(1) [4] 0", "removed by Some(1) [3] 0"];
    assert_eq!(inbox.lines(2, &id).await[2..], after);
    assert_eq!(inbox.lines(4, &id).await, after[1..], "a new member sees the messages from joining on");
    assert_eq!(inbox.search(4, "Before").await, Vec::<String>::new());
    assert_eq!(inbox.search(2, "Before").await, ["Before"]);
    assert_eq!(reason(inbox.get_conversation(3, &id).await), "CONVERSATION_NOT_FOUND");
    assert_eq!(inbox.unread_counts(3).await, (0, 0));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn the_longest_member_owns_the_group_of_an_owner_who_left() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    inbox.add_to_group(1, &id, &[4]).await.unwrap();
    inbox.remove_from_group(1, &id, 1).await.unwrap();
    assert_eq!(inbox.group_members(4, &id).await.unwrap(), (vec![2, 3, 4], vec![2]));
    inbox.erase(2).await;
    assert_eq!(inbox.group_members(4, &id).await.unwrap(), (vec![3, 4], vec![3]));
    inbox.remove_from_group(4, &id, 4).await.unwrap();
    inbox.remove_from_group(3, &id, 3).await.unwrap();
    let empty = async {
        while inbox.count_rows("conversations where is_group").await > 0 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(crate::fixtures::TIMEOUT, empty).await.expect("the group is deleted");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_erased_member_is_a_former_member_of_the_lines() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    inbox.add_to_group(1, &id, &[4]).await.unwrap();
    inbox.send(4, &id, "From me").await.unwrap();
    inbox.erase(4).await;
    inbox.erase(1).await;
    let messages = inbox.list_messages(2, &id).await.unwrap().messages;
    assert_eq!(
        messages.iter().map(line).collect::<Vec<_>>(),
        ["From me", "added by None [] 1", "created by None [] 0"]
    );
    assert_eq!(messages[0].sender_id, None);
    for who in [1, 4] {
        assert_eq!(inbox.harness.database().tables_referencing(member(who)).await, Vec::<String>::new());
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn members_who_refuse_or_are_blocked_are_not_added() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    inbox.set_privacy(4, MessageAudience::Connections, true).await;
    inbox.set_privacy(5, MessageAudience::RepliesOnly, true).await;
    inbox.block(6, 1).await;
    inbox.apply_closure(7).await;
    for (who, expected) in
        [(4, "MESSAGES_CLOSED"), (5, "MESSAGES_CLOSED"), (6, "MEMBER_NOT_FOUND"), (7, "MEMBER_NOT_FOUND")]
    {
        assert_eq!(reason(inbox.add_to_group(1, &id, &[8, who]).await), expected, "{who}");
        assert_eq!(reason(inbox.create_group(1, None, &[2, who]).await), expected, "{who}");
    }
    inbox.connect_pair(1, 4).await;
    let pair = inbox.connect_pair(1, 5).await;
    assert_eq!(reason(inbox.add_to_group(1, &id, &[5]).await), "MESSAGES_CLOSED", "connected, but has not written");
    inbox.send(5, &pair, "Hello").await.unwrap();
    inbox.add_to_group(1, &id, &[4, 5]).await.unwrap();
    assert_eq!(inbox.group_members(1, &id).await.unwrap().0, [1, 2, 3, 4, 5]);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_group_has_at_most_fifty_members() {
    let inbox = Fixture::new().await;
    let others: Vec<u128> = (2..=50).collect();
    let id = inbox.create_group(1, None, &others).await.unwrap().id;
    assert_eq!(reason(inbox.add_to_group(1, &id, &[51]).await), "GROUP_FULL");
    inbox.send(2, &id, "To all").await.unwrap();
    assert_eq!((inbox.unread_counts(1).await, inbox.unread_counts(50).await), ((1, 0), (0, 1)));
    let facts = inbox.published_facts().await;
    assert_eq!(facts.len(), 5, "one fact for all members: {facts:?}");
    for wrong in [vec![2], vec![2, 2], vec![1, 2, 3], (2..=51).collect()] {
        assert_eq!(reason(inbox.create_group(1, None, &wrong).await), "INVALID", "{wrong:?}");
    }
    assert_eq!(reason(inbox.create_group(1, Some(&"x".repeat(101)), &[2, 3]).await), "INVALID");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn typing_reaches_the_members_who_accepted_the_group() {
    let inbox = Fixture::new().await;
    for other in [2, 3, 4] {
        inbox.connect_pair(1, other).await;
    }
    let id = inbox.create_group(1, None, &[2, 3, 4, 5]).await.unwrap().id;
    inbox.block(4, 1).await;
    let request = inbox.as_member(1, NoteTypingRequest { conversation_id: id });
    let noted = into_result(inbox.messaging.clone().note_typing(request).await).unwrap();
    assert_eq!((noted.recipient_id, noted.recipient_ids), (None, ids(&[2, 3])));
}

#[tokio::test]
async fn a_search_of_the_list_finds_groups_by_title_and_by_member() {
    let inbox = Fixture::new().await;
    let titled = inbox.create_group(1, Some("Moot court"), &[2, 3]).await.unwrap().id;
    let other = inbox.create_group(1, None, &[3, 4]).await.unwrap().id;
    let find = async |search: &str, members: &[u128]| -> Vec<String> {
        let (search, other_member_ids) = (search.to_owned(), ids(members));
        let request = ListConversationsRequest { search, other_member_ids, ..Default::default() };
        inbox.list_page(1, request).await.unwrap().conversations.into_iter().map(|one| one.id).collect()
    };
    assert_eq!(find("court moot", &[]).await, [titled.as_str()]);
    assert_eq!(find("dina", &[4]).await, [other.as_str()]);
    assert_eq!(find("nothing", &[]).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_search_of_the_list_does_not_find_a_group_by_a_member_in_a_block() {
    let inbox = Fixture::new().await;
    let id = inbox.create_group(1, None, &[2, 3, 4]).await.unwrap().id;
    inbox.block(2, 1).await;
    inbox.block(1, 3).await;
    assert_eq!(inbox.list_partners(1, INBOX).await, [4]);
    let find = async |who: u128, members: &[u128]| -> Vec<String> {
        let request = ListConversationsRequest {
            search: "name".to_owned(),
            other_member_ids: ids(members),
            ..Default::default()
        };
        inbox.list_page(who, request).await.unwrap().conversations.into_iter().map(|one| one.id).collect()
    };
    for blocked in [2, 3] {
        assert_eq!(find(1, &[blocked]).await, Vec::<String>::new(), "{blocked}");
    }
    assert_eq!(find(1, &[2, 3, 4]).await, [id.as_str()], "another member has the name too");
    inbox.unblock(2, 1).await;
    assert_eq!(find(1, &[2]).await, [id.as_str()]);
    assert_eq!(inbox.list_partners(1, INBOX).await, [2, 4]);
}

#[tokio::test]
async fn a_repeated_key_returns_the_first_group() {
    let inbox = Fixture::new().await;
    let first = inbox.create_group_with_key(1, Some("Moot court"), &[2, 3], Some("k")).await.unwrap();
    let facts = inbox.published_facts().await.len();
    let again = inbox.create_group_with_key(1, Some("Moot court"), &[2, 3], Some("k")).await.unwrap();
    assert_eq!((again, inbox.published_facts().await.len()), (first.clone(), facts));
    for (title, others) in [(None, &[2, 3][..]), (Some("Moot court"), &[2, 4]), (Some("Moot court"), &[2, 3, 4])] {
        let refused = inbox.create_group_with_key(1, title, others, Some("k")).await;
        assert_eq!(reason(refused), "IDEMPOTENCY_KEY_REUSED");
    }
    assert_eq!(reason(inbox.create_group_with_key(1, None, &[2, 3], Some("")).await), "INVALID");
    assert_eq!(inbox.count_rows("conversations").await, 1);
    assert_ne!(inbox.create_group_with_key(4, Some("Moot court"), &[2, 3], Some("k")).await.unwrap().id, first.id);
    // A refused group does not use the key.
    inbox.block(5, 1).await;
    assert_eq!(reason(inbox.create_group_with_key(1, None, &[2, 5], Some("l")).await), "MEMBER_NOT_FOUND");
    inbox.unblock(5, 1).await;
    inbox.create_group_with_key(1, None, &[2, 5], Some("l")).await.unwrap();
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_block_hides_the_unread_messages_of_a_member_who_left() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3, 4]).await;
    for who in [2, 3] {
        inbox.send(who, &id, "Before leaving").await.unwrap();
    }
    inbox.remove_from_group(2, &id, 2).await.unwrap();
    assert_eq!((inbox.unread_counts(1).await.0, inbox.unread_counts(4).await.0), (2, 2));
    inbox.block(4, 2).await;
    inbox.block(2, 1).await;
    assert_eq!((inbox.unread_counts(1).await.0, inbox.unread_counts(4).await.0), (1, 1));
    inbox.assert_invariants().await;
    inbox.unblock(4, 2).await;
    assert_eq!(inbox.unread_counts(4).await.0, 2);
    inbox.assert_invariants().await;
    // A read message changes nothing.
    let last = inbox.list_messages(4, &id).await.unwrap().messages.remove(0).id;
    inbox.mark_read(4, &id, &last).await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.block(4, 2).await;
    assert!(!inbox.facts_since(before).await.iter().any(|fact| fact.contains("group")));
    inbox.assert_invariants().await;
}

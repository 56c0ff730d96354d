//! The list of conversations, as each of the two members sees it.

use chrono::TimeDelta;
use portia_proto::messaging::{
    Conversation, Folder, GetConversationRequest, ListConversationsRequest, ListPartnersRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;
use tonic::Code;

use crate::fixtures::{Fixture, INBOX, REQUESTS, connection_id, into_result, number, reason};

impl Fixture {
    pub async fn list_partners(&self, who: u128, folder: Folder) -> Vec<u128> {
        let request = self.as_member(who, ListPartnersRequest { folder: folder.into() });
        let partners = into_result(self.messaging.clone().list_partners(request).await).unwrap();
        partners.member_ids.iter().map(|id| number(id)).collect()
    }

    /// Returns the other members of the listed conversations.
    async fn list_with(&self, who: u128, people: &[u128]) -> Vec<u128> {
        let other_member_ids = people.iter().map(|n| member(*n).to_string()).collect();
        let request = ListConversationsRequest { other_member_ids, ..Default::default() };
        with(&self.list_page(who, request).await.unwrap().conversations)
    }
}

fn with(conversations: &[Conversation]) -> Vec<u128> {
    conversations.iter().map(|conversation| number(conversation.other_member_id.as_ref().unwrap())).collect()
}

#[tokio::test]
async fn each_member_sees_the_other_and_the_own_unread_count() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(1, &id, "Hi").await.unwrap();
    inbox.advance_clock(60);
    inbox.send(1, &id, "Are you there?").await.unwrap();
    let seen = |other, unread_count| Conversation {
        id: id.clone(),
        other_member_id: Some(member(other).to_string()),
        last_message: Some("Are you there?".to_owned()),
        last_message_at: Some(timestamp(inbox.harness.clock.now())),
        unread_count,
        folder: INBOX.into(),
        waiting: false,
        last_message_deleted: false,
        group: None,
        last_system_line: None,
        last_sender_id: None,
        last_attachments: None,
        muted: false,
        files_refused: false,
    };
    for (who, other, unread) in [(1, 2, 0), (2, 1, 2)] {
        assert_eq!(inbox.list_conversations(who, INBOX).await, [seen(other, unread)]);
        assert_eq!(inbox.get_conversation(who, &id).await.unwrap(), seen(other, unread));
        assert_eq!(inbox.list_conversations(who, REQUESTS).await, []);
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_conversation_of_others_is_not_found() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "Between us").await.unwrap().id;
    inbox.connect_pair(3, 4).await;
    let before = inbox.published_facts().await.len();
    assert_eq!(with(&inbox.list_conversations(3, INBOX).await), [4]);
    let refusals = [
        reason(inbox.get_conversation(3, &id).await),
        reason(inbox.list_messages(3, &id).await),
        reason(inbox.send(3, &id, "Let me in").await),
        reason(inbox.mark_read(3, &id, &message).await),
        reason(inbox.accept_request(3, &id).await),
        reason(inbox.clear_conversation(3, &id).await),
        reason(inbox.note_typing(3, &id).await),
    ];
    assert_eq!(refusals, [const { "CONVERSATION_NOT_FOUND" }; 7]);
    // The answer equals that for an unknown id.
    let nothing = inbox.get_conversation(3, &member(9).to_string()).await.unwrap_err();
    assert_eq!((nothing.kind, nothing.message.as_str()), (ErrorKind::NotFound, "Conversation not found"));
    assert_eq!(inbox.published_facts().await.len(), before);
    assert_eq!(inbox.message_contents(2, &id).await, [("Between us".to_owned(), false)]);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_connection_creates_a_conversation_sorted_by_the_time_of_the_request() {
    let inbox = Fixture::new().await;
    let now = inbox.harness.clock.now();
    inbox.apply_connection(1, 2, connection_id(now, 9, 2)).await;
    inbox.apply_connection(3, 1, connection_id(now, 3, 3)).await;
    inbox.apply_connection(1, 4, connection_id(now, 6, 4)).await;
    // An id from a fast clock.
    inbox.apply_connection(1, 5, connection_id(now, -6, 5)).await;
    inbox.advance_clock(1);
    inbox.open_request(1, 6).await;
    let list = inbox.list_conversations(1, INBOX).await;
    assert_eq!(with(&list), [6, 5, 3, 4, 2]);
    assert!(list.iter().skip(1).all(|c| !c.waiting && c.last_message.is_none() && c.last_message_at.is_none()));
    assert_eq!(with(&inbox.list_conversations(3, INBOX).await), [1]);

    inbox.advance_clock(1);
    inbox.send(2, &list[4].id, "First!").await.unwrap();
    assert_eq!(with(&inbox.list_conversations(1, INBOX).await)[0], 2, "a message is newer than any connection");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_second_connection_changes_nothing_and_publishes_changes_for_both() {
    let inbox = Fixture::new().await;
    let connection = connection_id(inbox.harness.clock.now(), 1, 1);
    inbox.apply_connection(1, 2, connection).await;
    assert_eq!(inbox.facts_since(0).await, ["changed for 1", "changed for 2"]);
    let list = inbox.list_conversations(1, INBOX).await;
    inbox.advance_clock(9);
    inbox.apply_connection(2, 1, connection).await;
    assert_eq!(inbox.list_conversations(1, INBOX).await, list);
    assert_eq!(inbox.count_rows("conversations").await, 1);
    let opened = inbox.open_conversation(2, 1).await.unwrap();
    assert_eq!((opened.created, opened.conversation.unwrap().id), (false, list[0].id.clone()));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn pages_contain_each_conversation_once_while_new_ones_arrive() {
    let inbox = Fixture::new().await;
    let now = inbox.harness.clock.now();
    for n in 2..=6 {
        // Two share a time: the id breaks the tie.
        inbox.apply_connection(1, n, connection_id(now, i64::try_from(n / 2).unwrap(), 0)).await;
    }
    let mut seen = Vec::new();
    let mut request = ListConversationsRequest { page_size: 2, ..Default::default() };
    loop {
        let page = inbox.list_page(1, request.clone()).await.unwrap();
        seen.extend(with(&page.conversations));
        if seen.len() == 2 {
            inbox.apply_connection(1, 9, connection_id(now, 0, 0)).await;
        }
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    let pairs: Vec<u128> = seen.iter().map(|n| n / 2).collect();
    assert_eq!(pairs, [1, 1, 2, 2, 3]);
    seen.sort_unstable();
    assert_eq!(seen, [2, 3, 4, 5, 6]);
    assert_eq!(inbox.list_conversations(1, INBOX).await.len(), 6);
}

#[tokio::test]
async fn the_list_can_be_filtered_by_members() {
    let inbox = Fixture::new().await;
    let now = inbox.harness.clock.now();
    for n in 2..=5 {
        inbox.apply_connection(1, n, connection_id(now, i64::try_from(n).unwrap(), n)).await;
    }
    inbox.connect_pair(2, 3).await;
    let asked = inbox.open_request(6, 1).await;
    inbox.send(6, &asked, "May I?").await.unwrap();
    assert_eq!(inbox.list_partners(1, INBOX).await, [2, 3, 4, 5]);
    assert_eq!(inbox.list_partners(1, REQUESTS).await, [6]);
    assert_eq!(inbox.list_with(1, &[5, 3, 6, 9]).await, [3, 5]);
    assert_eq!(inbox.list_with(1, &[9]).await, Vec::<u128>::new());
    let requests = ListConversationsRequest {
        other_member_ids: vec![member(6).to_string(), member(3).to_string()],
        folder: REQUESTS.into(),
        ..Default::default()
    };
    assert_eq!(with(&inbox.list_page(1, requests).await.unwrap().conversations), [6]);

    // A filtered list has pages like the whole list.
    let mut request = ListConversationsRequest {
        page_size: 1,
        other_member_ids: [5, 4].map(|n| member(n).to_string()).to_vec(),
        ..Default::default()
    };
    let page = inbox.list_page(1, request.clone()).await.unwrap();
    request.page_token = page.next_page_token;
    let next = inbox.list_page(1, request).await.unwrap();
    assert_eq!((with(&page.conversations), with(&next.conversations)), (vec![4], vec![5]));
    assert_eq!(next.next_page_token, "");

    inbox.clear_conversation(1, &inbox.list_conversations(1, INBOX).await[0].id).await.unwrap();
    inbox.block(3, 1).await;
    assert_eq!(inbox.list_partners(1, INBOX).await, [4, 5]);
    assert_eq!(inbox.list_with(1, &[2, 3, 4]).await, [4]);
}

#[tokio::test]
async fn a_visitor_is_refused() {
    let inbox = Fixture::new().await;
    let gateway = inbox.harness.actors.service("gateway");
    let list = gateway.request(ListConversationsRequest::default()).unwrap();
    let find = gateway.request(GetConversationRequest::default()).unwrap();
    let codes = [
        inbox.messaging.clone().list_conversations(list).await.unwrap_err().code(),
        inbox.messaging.clone().get_conversation(find).await.unwrap_err().code(),
    ];
    assert_eq!(codes, [Code::Unauthenticated; 2]);
}

#[tokio::test]
async fn two_members_have_at_most_one_conversation() {
    let inbox = Fixture::new().await;
    inbox.connect_pair(1, 2).await;
    let refusals = [
        ("lower_member_id, upper_member_id", "conversations_lower_member_id_upper_member_id_key"),
        ("upper_member_id, lower_member_id", "conversations_upper_member_id_check"),
    ];
    for (pair, constraint) in refusals {
        let again = format!(
            "insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at)
            select gen_random_uuid(), {pair}, opened_at from messaging.conversations"
        );
        let again = sqlx::raw_sql(sqlx::AssertSqlSafe(again)).execute(inbox.harness.pool()).await;
        assert_eq!(db::Error::from(again.unwrap_err()).constraint(), Some(constraint));
    }
}

#[tokio::test]
async fn a_message_from_a_slow_clock_sorts_after_earlier_messages() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let first = inbox.send(1, &id, "Now").await.unwrap();
    inbox.harness.clock.advance(TimeDelta::seconds(-30));
    let second = inbox.send(2, &id, "Earlier, says my clock").await.unwrap();
    assert_eq!(first.sent_at, second.sent_at);
    inbox.assert_invariants().await;
}

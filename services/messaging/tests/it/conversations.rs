//! The list of conversations: as each of the two sees it, and nobody else.

use chrono::TimeDelta;
use portia_proto::messaging::{
    Conversation, Folder, GetConversationRequest, ListConversationsRequest, ListPartnersRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;
use tonic::Code;

use crate::inbox::{INBOX, Inbox, REQUESTS, connection_id, number, reason, told};

impl Inbox {
    async fn partners(&self, who: u128, folder: Folder) -> Vec<u128> {
        let request = self.by(who, ListPartnersRequest { folder: folder.into() });
        let partners = told(self.messaging.clone().list_partners(request).await).unwrap();
        partners.member_ids.iter().map(|id| number(id)).collect()
    }

    /// With whom the conversations of a page are.
    async fn among(&self, who: u128, people: &[u128]) -> Vec<u128> {
        let other_member_ids = people.iter().map(|n| member(*n).to_string()).collect();
        let request = ListConversationsRequest { other_member_ids, ..Default::default() };
        with(&self.page(who, request).await.unwrap().conversations)
    }
}

fn with(conversations: &[Conversation]) -> Vec<u128> {
    conversations.iter().map(|conversation| number(conversation.other_member_id.as_ref().unwrap())).collect()
}

#[tokio::test]
async fn both_see_the_other_and_their_own_unread_count() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    inbox.say(1, &id, "Hi").await.unwrap();
    inbox.wait(60);
    inbox.say(1, &id, "Are you there?").await.unwrap();
    let seen = |other, unread_count| Conversation {
        id: id.clone(),
        other_member_id: Some(member(other).to_string()),
        last_message: Some("Are you there?".to_owned()),
        last_message_at: Some(timestamp(inbox.harness.clock.now())),
        unread_count,
        folder: INBOX.into(),
        waiting: false,
    };
    for (who, other, unread) in [(1, 2, 0), (2, 1, 2)] {
        assert_eq!(inbox.list(who, INBOX).await, [seen(other, unread)]);
        assert_eq!(inbox.find(who, &id).await.unwrap(), seen(other, unread));
        assert_eq!(inbox.list(who, REQUESTS).await, []);
    }
    inbox.assert_true().await;
}

#[tokio::test]
async fn who_takes_no_part_sees_nothing() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let message = inbox.say(1, &id, "Between us").await.unwrap().id;
    inbox.connect(3, 4).await;
    let before = inbox.facts().await.len();
    assert_eq!(with(&inbox.list(3, INBOX).await), [4]);
    let refusals = [
        reason(inbox.find(3, &id).await),
        reason(inbox.thread(3, &id).await),
        reason(inbox.say(3, &id, "Let me in").await),
        reason(inbox.read(3, &id, &message).await),
        reason(inbox.accept(3, &id).await),
        reason(inbox.clear(3, &id).await),
        reason(inbox.type_in(3, &id).await),
    ];
    assert_eq!(refusals, [const { "CONVERSATION_NOT_FOUND" }; 7]);
    // As one that never was.
    let nothing = inbox.find(3, &member(9).to_string()).await.unwrap_err();
    assert_eq!((nothing.kind, nothing.message.as_str()), (ErrorKind::NotFound, "Conversation not found"));
    assert_eq!(inbox.facts().await.len(), before);
    assert_eq!(inbox.words(2, &id).await, [("Between us".to_owned(), false)]);
    inbox.assert_true().await;
}

#[tokio::test]
async fn who_connects_has_a_conversation_which_stands_where_the_two_met() {
    let inbox = Inbox::open().await;
    let now = inbox.harness.clock.now();
    inbox.connected(1, 2, connection_id(now, 9, 2)).await;
    inbox.connected(3, 1, connection_id(now, 3, 3)).await;
    inbox.connected(1, 4, connection_id(now, 6, 4)).await;
    // An id from a clock that was ahead.
    inbox.connected(1, 5, connection_id(now, -6, 5)).await;
    inbox.wait(1);
    inbox.ask(1, 6).await;
    let list = inbox.list(1, INBOX).await;
    assert_eq!(with(&list), [6, 5, 3, 4, 2]);
    assert!(list.iter().skip(1).all(|c| !c.waiting && c.last_message.is_none() && c.last_message_at.is_none()));
    assert_eq!(with(&inbox.list(3, INBOX).await), [1]);

    inbox.wait(1);
    inbox.say(2, &list[4].id, "First!").await.unwrap();
    assert_eq!(with(&inbox.list(1, INBOX).await)[0], 2, "what was said is newer than any meeting");
    inbox.assert_true().await;
}

#[tokio::test]
async fn connecting_again_changes_nothing_and_tells_the_two_to_look() {
    let inbox = Inbox::open().await;
    let connection = connection_id(inbox.harness.clock.now(), 1, 1);
    inbox.connected(1, 2, connection).await;
    assert_eq!(inbox.news(0).await, ["1 looks", "2 looks"]);
    let list = inbox.list(1, INBOX).await;
    inbox.wait(9);
    inbox.connected(2, 1, connection).await;
    assert_eq!(inbox.list(1, INBOX).await, list);
    assert_eq!(inbox.count("conversations").await, 1);
    let opened = inbox.start(2, 1).await.unwrap();
    assert_eq!((opened.created, opened.conversation.unwrap().id), (false, list[0].id.clone()));
    inbox.assert_true().await;
}

#[tokio::test]
async fn pages_walk_through_all_of_them_while_new_ones_arrive() {
    let inbox = Inbox::open().await;
    let now = inbox.harness.clock.now();
    for n in 2..=6 {
        // Two of one moment: the ids decide.
        inbox.connected(1, n, connection_id(now, i64::try_from(n / 2).unwrap(), 0)).await;
    }
    let mut seen = Vec::new();
    let mut request = ListConversationsRequest { page_size: 2, ..Default::default() };
    loop {
        let page = inbox.page(1, request.clone()).await.unwrap();
        seen.extend(with(&page.conversations));
        if seen.len() == 2 {
            inbox.connected(1, 9, connection_id(now, 0, 0)).await;
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
    assert_eq!(inbox.list(1, INBOX).await.len(), 6);
}

#[tokio::test]
async fn the_list_is_cut_to_people_and_names_them() {
    let inbox = Inbox::open().await;
    let now = inbox.harness.clock.now();
    for n in 2..=5 {
        inbox.connected(1, n, connection_id(now, i64::try_from(n).unwrap(), n)).await;
    }
    inbox.connect(2, 3).await;
    let asked = inbox.ask(6, 1).await;
    inbox.say(6, &asked, "May I?").await.unwrap();
    assert_eq!(inbox.partners(1, INBOX).await, [2, 3, 4, 5]);
    assert_eq!(inbox.partners(1, REQUESTS).await, [6]);
    assert_eq!(inbox.among(1, &[5, 3, 6, 9]).await, [3, 5]);
    assert_eq!(inbox.among(1, &[9]).await, Vec::<u128>::new());
    let requests = ListConversationsRequest {
        other_member_ids: vec![member(6).to_string(), member(3).to_string()],
        folder: REQUESTS.into(),
        ..Default::default()
    };
    assert_eq!(with(&inbox.page(1, requests).await.unwrap().conversations), [6]);

    // Its pages go on as those of the whole list.
    let mut request = ListConversationsRequest {
        page_size: 1,
        other_member_ids: [5, 4].map(|n| member(n).to_string()).to_vec(),
        ..Default::default()
    };
    let page = inbox.page(1, request.clone()).await.unwrap();
    request.page_token = page.next_page_token;
    let next = inbox.page(1, request).await.unwrap();
    assert_eq!((with(&page.conversations), with(&next.conversations)), (vec![4], vec![5]));
    assert_eq!(next.next_page_token, "");

    inbox.clear(1, &inbox.list(1, INBOX).await[0].id).await.unwrap();
    inbox.block(3, 1).await;
    assert_eq!(inbox.partners(1, INBOX).await, [4, 5]);
    assert_eq!(inbox.among(1, &[2, 3, 4]).await, [4]);
}

#[tokio::test]
async fn a_visitor_is_refused() {
    let inbox = Inbox::open().await;
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
async fn two_members_have_one_conversation() {
    let inbox = Inbox::open().await;
    inbox.connect(1, 2).await;
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
async fn a_message_from_a_slow_clock_does_not_sort_before_what_was_said() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let first = inbox.say(1, &id, "Now").await.unwrap();
    inbox.harness.clock.advance(TimeDelta::seconds(-30));
    let second = inbox.say(2, &id, "Earlier, says my clock").await.unwrap();
    assert_eq!(first.sent_at, second.sent_at);
    inbox.assert_true().await;
}

//! The list of conversations: as each of the two sees it, and nobody else.

use chassis::{clock::timestamp, error::Kind};
use portia_proto::messaging::{Conversation, ListConversationsRequest};
use testkit::member;

use crate::inbox::{Inbox, conversation_id};

#[tokio::test]
async fn both_see_the_other_and_their_own_unread_count() {
    let inbox = Inbox::open().await;
    inbox.converse(1, member(1), member(2)).await;
    inbox.say(1, member(1), "Hi").await;
    inbox.say(1, member(1), "Are you there?").await;
    let seen = |other, unread_count| Conversation {
        id: conversation_id(1).to_string(),
        other_member_id: Some(member(other).to_string()),
        last_message: Some("Are you there?".to_owned()),
        last_message_at: Some(timestamp(inbox.active_at(1))),
        unread_count,
    };
    for (who, other, unread) in [(1, 2, 0), (2, 1, 2)] {
        let page = inbox.list(member(who), ListConversationsRequest::default()).await.unwrap();
        assert_eq!((page.conversations, page.next_page_token), (vec![seen(other, unread)], String::new()));
    }
}

#[tokio::test]
async fn who_takes_no_part_sees_nothing() {
    let inbox = Inbox::open().await;
    inbox.converse(1, member(1), member(2)).await;
    let page = inbox.list(member(3), ListConversationsRequest::default()).await.unwrap();
    assert_eq!((page.conversations, page.next_page_token), (vec![], String::new()));
}

#[tokio::test]
async fn a_conversation_without_a_message_stands_where_it_was_opened() {
    let inbox = Inbox::open().await;
    inbox.converse(3, member(1), member(2)).await;
    inbox.converse(2, member(1), member(3)).await;
    inbox.converse(1, member(1), member(4)).await;
    inbox.say(1, member(4), "Newest").await;
    inbox.say(3, member(2), "Oldest").await;
    let page = inbox.list(member(1), ListConversationsRequest::default()).await.unwrap();
    let told: Vec<_> = page.conversations.iter().map(|c| c.last_message.as_deref()).collect();
    assert_eq!(told, [Some("Newest"), None, Some("Oldest")]);
    assert_eq!(page.conversations[1].last_message_at, None);
}

#[tokio::test]
async fn pages_walk_through_all_of_them_while_new_ones_arrive() {
    let inbox = Inbox::open().await;
    for n in 1..=5 {
        inbox.converse(n, member(1), member(u128::from(n) + 1)).await;
    }
    let mut seen = Vec::new();
    let mut request = ListConversationsRequest { page_size: 2, ..Default::default() };
    loop {
        let page = inbox.list(member(1), request.clone()).await.unwrap();
        seen.extend(page.conversations.into_iter().map(|conversation| conversation.id));
        if seen.len() == 2 {
            inbox.converse(0, member(1), member(9)).await;
        }
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|n| conversation_id(n).to_string()));
}

#[tokio::test]
async fn a_visitor_is_refused() {
    let inbox = Inbox::open().await;
    let request = inbox.harness.actors.service("gateway").request(ListConversationsRequest::default()).unwrap();
    let status = inbox.messaging.clone().list_conversations(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}

#[tokio::test]
async fn a_page_that_does_not_exist_is_refused() {
    let inbox = Inbox::open().await;
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "bm90IGpzb24", "pageToken")] {
        let request = ListConversationsRequest { page_size, page_token: page_token.to_owned() };
        let refused = inbox.list(member(1), request).await.unwrap_err();
        let fields: Vec<_> = refused.violations.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!((refused.kind, fields), (Kind::Invalid, vec![field]));
    }
}

#[tokio::test]
async fn two_members_have_one_conversation() {
    let inbox = Inbox::open().await;
    inbox.converse(1, member(1), member(2)).await;
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
        assert_eq!(chassis::db::Error::from(again.unwrap_err()).constraint(), Some(constraint));
    }
}

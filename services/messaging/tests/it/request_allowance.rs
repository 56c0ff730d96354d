//! The allowance of message requests: small for a new account, larger with its age and the conversations that others accepted.

use chrono::TimeDelta;
use futures::future::join_all;
use portia_proto::messaging::{
    AcceptRequestRequest, CreateGroupRequest, Message, OpenConversationRequest, SendMessageRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;
use uuid::{Builder, Uuid};

use crate::fixtures::{Fixture, into_result, reason};

impl Fixture {
    /// Returns the id of an account of this age.
    fn account(&self, age: TimeDelta) -> Uuid {
        let millis = u64::try_from((self.harness.clock.now() - age).timestamp_millis()).unwrap();
        Builder::from_unix_timestamp_millis(millis, &[9; 10]).into_uuid()
    }

    fn by<T>(&self, who: Uuid, message: T) -> tonic::Request<T> {
        self.harness.actors.member(who).request(message).unwrap()
    }

    async fn write_in(&self, who: Uuid, conversation: &str, content: &str) -> Result<Message, StatusDetails> {
        let send = SendMessageRequest {
            conversation_id: conversation.to_owned(),
            content: content.to_owned(),
            idempotency_key: Some(content.replace(' ', "-")),
            ..Default::default()
        };
        into_result(self.messaging.clone().send_message(self.by(who, send)).await).map(|sent| sent.message.unwrap())
    }

    /// Opens the conversation with a stranger and writes to them.
    async fn write_to(&self, who: Uuid, other: u128) -> Result<Message, StatusDetails> {
        let open = OpenConversationRequest { member_id: member(other).to_string() };
        let opened = into_result(self.messaging.clone().open_conversation(self.by(who, open)).await).unwrap();
        self.write_in(who, &opened.conversation.unwrap().id, "Hello").await
    }

    /// Writes to strangers from `from` on until one is refused. Returns their number and the refusal.
    async fn write_until_refused(&self, who: Uuid, from: u128) -> (u128, StatusDetails) {
        for other in from.. {
            if let Err(refused) = self.write_to(who, other).await {
                return (other - from, refused);
            }
        }
        unreachable!("every message was accepted")
    }

    async fn gather(&self, who: Uuid, others: std::ops::Range<u128>) -> String {
        let member_ids = others.map(|other| member(other).to_string()).collect();
        let create = CreateGroupRequest { title: None, member_ids, idempotency_key: None };
        reason(into_result(self.messaging.clone().create_group(self.by(who, create)).await))
    }
}

#[tokio::test]
async fn a_new_account_writes_to_twenty_strangers() {
    let inbox = Fixture::new().await;
    let who = inbox.account(TimeDelta::seconds(5));
    let (written, refused) = inbox.write_until_refused(who, 1).await;
    assert_eq!((written, refused.kind, refused.reason.as_str()), (20, ErrorKind::Limited, "MESSAGE_REQUESTS_WAITING"));
    assert!(refused.retry_after.is_some());
    let open = OpenConversationRequest { member_id: member(1).to_string() };
    let open = into_result(inbox.messaging.clone().open_conversation(inbox.by(who, open)).await).unwrap();
    let first = open.conversation.unwrap().id;
    assert_eq!(reason(inbox.write_in(who, &first, "Hello").await), "OK", "the repeated first message");
    assert_eq!(reason(inbox.write_in(who, &first, "Are you there?").await), "OK", "the second one to the same member");
    assert_eq!(inbox.gather(who, 100..103).await, "MESSAGE_REQUESTS_OF_DAY");
    assert!(inbox.write_to(member(900), 901).await.is_ok(), "an old account is not concerned");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn accepted_conversations_and_age_raise_the_allowance() {
    let inbox = Fixture::new().await;
    let who = inbox.account(TimeDelta::seconds(5));
    for other in 1..=10 {
        let message = inbox.write_to(who, other).await.unwrap();
        let accept = AcceptRequestRequest { conversation_id: message.conversation_id };
        into_result(inbox.messaging.clone().accept_request(inbox.as_member(other, accept)).await).unwrap();
    }
    let (written, refused) = inbox.write_until_refused(who, 100).await;
    assert!((15..=25).contains(&written), "{written}");
    assert_eq!(refused.reason, "MESSAGE_REQUESTS_OF_DAY");
    inbox.harness.clock.advance(TimeDelta::days(1));
    assert!(inbox.write_to(who, 300).await.is_ok(), "the next day");
    let older = inbox.account(TimeDelta::days(8));
    assert_eq!(inbox.write_until_refused(older, 400).await.0, 50);
}

#[tokio::test]
async fn invitations_of_strangers_to_groups_count_each() {
    let inbox = Fixture::new().await;
    let who = inbox.account(TimeDelta::seconds(5));
    assert_eq!(inbox.gather(who, 1..22).await, "MESSAGE_REQUESTS_OF_DAY", "21 strangers");
    assert_eq!(inbox.gather(who, 1..16).await, "OK", "15 strangers");
    assert_eq!(inbox.gather(who, 30..37).await, "MESSAGE_REQUESTS_OF_DAY", "7 more");
    let (written, refused) = inbox.write_until_refused(who, 50).await;
    assert_eq!((written, refused.reason.as_str()), (5, "MESSAGE_REQUESTS_OF_DAY"));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn parallel_requests_do_not_exceed_the_allowance() {
    let inbox = Fixture::new().await;
    let who = inbox.account(TimeDelta::seconds(5));
    let written = join_all((1..=40).map(|other| inbox.write_to(who, other))).await;
    assert_eq!(written.iter().filter(|answer| answer.is_ok()).count(), 20);
    assert_eq!(inbox.count_rows("messages").await, 20);
}

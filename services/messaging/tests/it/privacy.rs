//! Privacy settings: who may write to a member, and read receipts.

use portia_proto::profile::{MessageAudience, PrivacyChanged, PrivacySettings, ProfileAudience};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, reason};

impl Fixture {
    pub async fn set_privacy(&self, who: u128, message_audience: MessageAudience, read_receipts: bool) {
        let settings = PrivacySettings {
            profile_audience: ProfileAudience::Public.into(),
            message_audience: message_audience.into(),
            search_engines: true,
            activity_shown: true,
            read_receipts,
        };
        self.publish_profile(&PrivacyChanged { member_id: member(who).to_string(), settings: Some(settings) }).await;
    }
}

#[tokio::test]
async fn only_connections_start_a_conversation_with_a_member_who_wants_that() {
    let inbox = Fixture::new().await;
    inbox.set_privacy(2, MessageAudience::Connections, true).await;
    let refused = inbox.open_conversation(1, 2).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "MESSAGES_CLOSED"));
    assert_eq!(refused.message, "This member does not accept new messages.");
    assert_eq!(inbox.count_rows("conversations").await, 0);
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(1, &id, "Hello").await.unwrap();
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_request_from_before_the_setting_continues_only_after_an_answer() {
    for audience in [MessageAudience::Connections, MessageAudience::RepliesOnly] {
        let inbox = Fixture::new().await;
        let id = inbox.open_request(1, 2).await;
        inbox.send_with_key(1, &id, "Before", Some("k")).await.unwrap();
        inbox.set_privacy(2, audience, true).await;
        assert_eq!(reason(inbox.send(1, &id, "After").await), "MESSAGES_CLOSED");
        assert_eq!(reason(inbox.send_with_key(1, &id, "Before", Some("k")).await), "OK", "a repetition is no message");
        inbox.send(2, &id, "Answer").await.unwrap();
        inbox.send(1, &id, "After").await.unwrap();
        inbox.assert_invariants().await;
    }
}

#[tokio::test]
async fn with_replies_only_a_connection_writes_only_after_the_member_did() {
    let inbox = Fixture::new().await;
    inbox.set_privacy(2, MessageAudience::RepliesOnly, true).await;
    let id = inbox.connect_pair(1, 2).await;
    assert_eq!(reason(inbox.send(1, &id, "Hello").await), "MESSAGES_CLOSED");
    inbox.send(2, &id, "I write first").await.unwrap();
    inbox.send(1, &id, "Hello").await.unwrap();
    inbox.set_privacy(2, MessageAudience::Everyone, true).await;
    assert_eq!(inbox.count_rows("privacy_settings").await, 0, "the defaults need no row");
    inbox.open_request(3, 2).await;
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_blocked_member_does_not_learn_of_the_setting() {
    let inbox = Fixture::new().await;
    inbox.set_privacy(2, MessageAudience::Connections, true).await;
    inbox.block(2, 1).await;
    assert_eq!(reason(inbox.open_conversation(1, 2).await), "MEMBER_NOT_FOUND");
}

#[tokio::test]
async fn the_sender_of_a_request_learns_after_its_acceptance_that_it_was_read() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    let question = inbox.send(1, &id, "Question").await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.mark_read(2, &id, &question.id).await.unwrap();
    let published = inbox.published_facts().await.split_off(before);
    assert!(
        matches!(published.as_slice(), [crate::fixtures::Fact::Read { reader: 2, other: None, .. }]),
        "{published:?}"
    );
    assert_eq!(inbox.unread_counts(2).await, (0, 0), "the own mark moves");
    let is_read = async |who| {
        let [(_, listed)] = inbox.message_contents(who, &id).await.try_into().unwrap();
        (inbox.get_message(who, &question.id).await.unwrap().is_read, listed)
    };
    assert_eq!((is_read(1).await, is_read(2).await), ((false, false), (true, true)));
    inbox.accept_request(2, &id).await.unwrap();
    assert_eq!(is_read(1).await, (true, true));
}

#[tokio::test]
async fn without_read_receipts_neither_member_sees_the_marks_of_the_other() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let question = inbox.send(1, &id, "Question").await.unwrap();
    inbox.set_privacy(2, MessageAudience::Everyone, false).await;
    let before = inbox.published_facts().await.len();
    inbox.mark_read(2, &id, &question.id).await.unwrap();
    let published = inbox.published_facts().await.split_off(before);
    assert!(
        matches!(published.as_slice(), [crate::fixtures::Fact::Read { reader: 2, other: None, .. }]),
        "{published:?}"
    );
    assert_eq!(inbox.unread_counts(2).await, (0, 0), "the own mark moves");
    let answer = inbox.send(2, &id, "Answer").await.unwrap();
    inbox.mark_read(1, &id, &answer.id).await.unwrap();
    for who in [1, 2] {
        for (content, is_read) in inbox.message_contents(who, &id).await {
            let is_own = (content == "Question") == (who == 1);
            assert_eq!(is_read, !is_own, "{content} as {who}");
        }
    }
    assert!(!inbox.get_message(1, &question.id).await.unwrap().is_read);
    // The marks are stored, so that they return with the setting.
    inbox.set_privacy(2, MessageAudience::Everyone, true).await;
    assert!(inbox.message_contents(1, &id).await.iter().all(|(_, is_read)| *is_read));
    assert!(inbox.message_contents(2, &id).await.iter().all(|(_, is_read)| *is_read));
}

#[tokio::test]
async fn an_erased_member_leaves_no_settings() {
    let inbox = Fixture::new().await;
    inbox.set_privacy(1, MessageAudience::Connections, false).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, ["privacy_settings"]);
    inbox.erase(1).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, [""; 0]);
    // The fact of profile may arrive after the fact of auth.
    inbox.set_privacy(1, MessageAudience::Connections, false).await;
    inbox.publish_profile(&PrivacyChanged { member_id: member(1).to_string(), settings: None }).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, [""; 0]);
}

//! Reactions to messages.

use portia_proto::messaging::MessageReactionKind::{Laugh, Like, Love, Unspecified};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, number, reason};

#[tokio::test]
async fn a_member_has_each_kind_of_reaction_once() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "We won the moot").await.unwrap().id;
    let before = inbox.published_facts().await.len();
    for (who, kind) in [(2, Love), (2, Love), (1, Love), (2, Like)] {
        inbox.advance_clock(1);
        inbox.react(who, &id, &message, kind, true).await.unwrap();
    }
    let facts = ["message changed for [2, 1]", "message changed for [1, 2]", "message changed for [2, 1]"];
    assert_eq!(inbox.facts_since(before).await, facts, "a repeated reaction changes nothing");
    let seen = inbox.list_messages(1, &id).await.unwrap().messages.remove(0);
    let reactions = |message: &portia_proto::messaging::Message| {
        let kinds = message.reactions.iter();
        kinds
            .map(|one| (one.kind(), one.member_ids.iter().map(|id| number(id)).collect::<Vec<_>>()))
            .collect::<Vec<_>>()
    };
    assert_eq!(reactions(&seen), [(Like, vec![2]), (Love, vec![2, 1])]);
    assert_eq!(inbox.get_message(2, &message).await.unwrap(), seen);
    assert_eq!(inbox.unread_counts(2).await, (1, 0), "a reaction is no message");

    let after = inbox.react(2, &id, &message, Love, false).await.unwrap();
    assert_eq!(reactions(&after), [(Like, vec![2]), (Love, vec![1])]);
    inbox.react(2, &id, &message, Love, false).await.unwrap();
    assert_eq!(inbox.published_facts().await.len(), before + 4, "a repeated removal changes nothing");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_reaction_needs_a_visible_message() {
    let inbox = Fixture::new().await;
    let (id, other) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(1, 3).await);
    let message = inbox.send(1, &id, "Hello").await.unwrap().id;
    assert_eq!(reason(inbox.react(3, &id, &message, Like, true).await), "CONVERSATION_NOT_FOUND");
    assert_eq!(reason(inbox.react(1, &other, &message, Like, true).await), "MESSAGE_NOT_FOUND");
    let unknown = inbox.react(2, &id, &message, Unspecified, true).await.unwrap_err();
    assert_eq!((unknown.kind, unknown.violations[0].field.as_str()), (ErrorKind::Invalid, "kind"));
    inbox.react(2, &id, &message, Laugh, true).await.unwrap();
    inbox.delete_message(1, &id, &message).await.unwrap();
    assert_eq!(inbox.get_message(2, &message).await.unwrap().reactions, [], "a deletion removes the reactions");
    assert_eq!(reason(inbox.react(2, &id, &message, Like, true).await), "MESSAGE_NOT_FOUND");
    let second = inbox.send(1, &id, "Again").await.unwrap().id;
    inbox.clear_conversation(2, &id).await.unwrap();
    assert_eq!(reason(inbox.react(2, &id, &second, Like, true).await), "MESSAGE_NOT_FOUND");
    inbox.block(2, 1).await;
    assert_eq!(reason(inbox.react(1, &id, &second, Like, true).await), "CONVERSATION_NOT_FOUND");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_erased_member_leaves_no_reaction() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "Hello").await.unwrap().id;
    for (who, kind) in [(1, Like), (2, Like), (2, Love)] {
        inbox.react(who, &id, &message, kind, true).await.unwrap();
    }
    inbox.erase(2).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(2)).await, Vec::<String>::new());
    let left = inbox.get_message(1, &message).await.unwrap().reactions;
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].kind(), left[0].member_ids.as_slice()), (Like, [member(1).to_string()].as_slice()));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn members_separated_by_a_block_do_not_see_reactions_of_each_other_in_a_group() {
    let inbox = Fixture::new().await;
    let id = inbox.connected_group(&[2, 3]).await;
    let sent = inbox.send(3, &id, "At nine?").await.unwrap().id;
    inbox.react(2, &id, &sent, Love, true).await.unwrap();
    inbox.block(2, 1).await;
    inbox.react(1, &id, &sent, Like, true).await.unwrap();
    for (who, kinds) in [(1, vec![Like]), (2, vec![Love])] {
        let listed = inbox.list_messages(who, &id).await.unwrap().messages.remove(0);
        for message in [listed, inbox.get_message(who, &sent).await.unwrap()] {
            assert_eq!(message.reactions.iter().map(|one| one.kind()).collect::<Vec<_>>(), kinds, "{who}");
        }
    }
    assert_eq!(inbox.get_message(3, &sent).await.unwrap().reactions.len(), 2);
    inbox.assert_invariants().await;
}

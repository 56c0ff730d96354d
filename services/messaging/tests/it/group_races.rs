//! Concurrent changes of groups: additions, departures, messages, blocks and erasures leave counts that match the rows.

use std::collections::BTreeMap;

use futures::future::join_all;
use testkit::{member, race};

use crate::fixtures::{Fixture, reason, wait_for_background_work};

const REPETITIONS: u128 = 24;

#[tokio::test]
async fn a_message_concurrent_with_an_addition_is_counted_if_it_is_seen() {
    let inbox = Fixture::new().await;
    for n in 0..REPETITIONS {
        let new = 10 + n;
        let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
        inbox.send(2, &id, "Accepted").await.unwrap();
        let (added, sent) = race(n, inbox.add_to_group(1, &id, &[new]), inbox.send(2, &id, "Meanwhile")).await;
        added.unwrap();
        sent.unwrap();
        inbox.assert_invariants().await;
    }
}

#[tokio::test]
async fn a_member_who_leaves_during_a_message_has_no_unread_messages() {
    let inbox = Fixture::new().await;
    let mut tally = BTreeMap::<String, u32>::new();
    for n in 0..REPETITIONS {
        let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
        inbox.send(2, &id, "Accepted").await.unwrap();
        let (left, sent) = race(n, inbox.remove_from_group(3, &id, 3), inbox.send(3, &id, "Meanwhile")).await;
        left.unwrap();
        *tally.entry(reason(sent)).or_default() += 1;
        assert_eq!(inbox.unread_counts(3).await, (0, 0));
    }
    assert!(tally.keys().all(|outcome| ["OK", "CONVERSATION_NOT_FOUND"].contains(&outcome.as_str())), "{tally:?}");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn owners_who_leave_concurrently_leave_an_owned_or_deleted_group() {
    let inbox = Fixture::new().await;
    for _ in 0..REPETITIONS {
        let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
        let left = join_all([1, 2].map(async |who| inbox.remove_from_group(who, &id, who).await)).await;
        assert!(left.into_iter().all(|left| left.is_ok()));
        assert_eq!(inbox.group_members(3, &id).await.unwrap(), (vec![3], vec![3]));
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_block_concurrent_with_messages_and_additions_counts_nothing_hidden() {
    let inbox = Fixture::new().await;
    for n in 0..REPETITIONS {
        let (a, b) = (100 + 2 * n, 101 + 2 * n);
        let id = inbox.create_group(1, None, &[a, 2]).await.unwrap().id;
        inbox.send(2, &id, "Accepted").await.unwrap();
        let added = async {
            inbox.add_to_group(1, &id, &[b]).await.unwrap();
            inbox.send(a, &id, "Meanwhile").await.unwrap();
            inbox.send(b, &id, "Meanwhile").await.unwrap();
        };
        let ((), ()) = race(n, inbox.block(a, b), added).await;
        inbox.assert_invariants().await;
        let seen = inbox.list_messages(b, &id).await.unwrap().messages;
        assert!(seen.iter().all(|message| message.sender_id != Some(member(a).to_string())));
    }
}

#[tokio::test]
async fn a_member_erased_during_an_addition_leaves_no_rows() {
    let inbox = Fixture::new().await;
    let mut tally = BTreeMap::<String, u32>::new();
    for n in 0..REPETITIONS {
        let erased = 200 + n;
        let id = inbox.create_group(1, None, &[2, 3]).await.unwrap().id;
        let ((), added) = race(n, inbox.apply_erasure(erased), inbox.add_to_group(1, &id, &[erased])).await;
        *tally.entry(reason(added)).or_default() += 1;
    }
    assert!(tally.keys().all(|outcome| ["OK", "MEMBER_NOT_FOUND"].contains(&outcome.as_str())), "{tally:?}");
    wait_for_background_work(&inbox.harness).await;
    for n in 0..REPETITIONS {
        let named = inbox.harness.database().tables_referencing(member(200 + n)).await;
        assert_eq!(named, Vec::<String>::new());
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn concurrent_messages_in_groups_of_the_same_members_do_not_deadlock() {
    let inbox = Fixture::new().await;
    let mut groups = Vec::new();
    for _ in 0..4 {
        let id = inbox.create_group(1, None, &[2, 3, 4]).await.unwrap().id;
        inbox.send(2, &id, "Accepted").await.unwrap();
        groups.push(id);
    }
    for _ in 0..5 {
        let sent = groups.iter().flat_map(|id| [1, 2, 3, 4].map(|who| (who, id)));
        let sent = join_all(sent.map(async |(who, id)| inbox.send(who, id, "At once").await)).await;
        assert!(sent.iter().all(Result::is_ok), "{sent:?}");
    }
    inbox.assert_invariants().await;
}

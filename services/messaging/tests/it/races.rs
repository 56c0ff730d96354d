//! Concurrent actions: in any order there is one conversation, numbers without gaps, one order for both members, and
//! counts that match the rows.

use std::collections::{BTreeMap, HashSet};

use futures::{FutureExt as _, future::join_all};
use primitives::error::ErrorKind;
use testkit::race;
use tokio::time::timeout;

use crate::fixtures::{Fact, Fixture, INBOX, TIMEOUT, connection_id, reason, wait_for_background_work};

const REPETITIONS: u128 = 60;

/// Returns the pair of the `n`th repetition.
const fn pair(n: u128) -> (u128, u128) {
    (2 * n + 1, 2 * n + 2)
}

/// Returns the numbers of calls before the second action and before the fact. A fact takes as long as some calls to
/// arrive, and on a busy machine their number varies.
const fn head_starts(n: u128) -> (u128, u128) {
    if n % 16 < 8 { (n % 8, 0) } else { (0, n % 8) }
}

/// The number of each outcome.
type Tally = BTreeMap<String, u32>;

impl Fixture {
    /// Waits for the erasure of these members; no row names them and the invariants hold.
    async fn assert_erased(&self, members: impl Iterator<Item = u128>) {
        wait_for_background_work(&self.harness).await;
        for who in members {
            let named = self.harness.database().tables_referencing(testkit::member(who)).await;
            assert_eq!(named, Vec::<String>::new());
        }
        self.assert_invariants().await;
    }

    /// Sends until it succeeds: a call that waits too long for a connection or a lock is refused as retryable.
    async fn send_until_accepted(&self, who: u128, id: &str, words: &str) {
        let key = words.replace(' ', "-");
        while let Err(refused) = self.send_with_key(who, id, words, Some(&key)).await {
            assert_ne!(refused.kind, ErrorKind::Invalid, "{refused:?}");
        }
    }
}

#[tokio::test]
async fn two_hundred_concurrent_messages_have_one_order() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let messages: Vec<(u128, String)> = (0..200).map(|n| (1 + n % 2, format!("Message {n}"))).collect();
    // As many at once as the browsers of two members may send.
    for at_once in messages.chunks(20) {
        join_all(at_once.iter().map(|(who, words)| inbox.send_until_accepted(*who, &id, words))).await;
    }
    let (one, other) = (inbox.message_contents(1, &id).await, inbox.message_contents(2, &id).await);
    let order = |thread: &[(String, bool)]| thread.iter().map(|(words, _)| words.clone()).collect::<Vec<_>>();
    assert_eq!(order(&one), order(&other));
    assert_eq!(inbox.count_rows("messages").await, 200);
    inbox.assert_invariants().await;

    // Facts have the order of the messages.
    let facts = inbox.published_facts().await.into_iter().filter_map(|fact| match fact {
        Fact::Sent { sender, .. } => Some(sender),
        _ => None,
    });
    let senders: Vec<i64> =
        sqlx::query_scalar("select (content ~ '[13579]$')::integer::bigint + 1 from messaging.messages order by seq")
            .fetch_all(inbox.harness.pool())
            .await
            .unwrap();
    assert_eq!(facts.collect::<Vec<_>>(), senders.into_iter().map(|n| u128::try_from(n).unwrap()).collect::<Vec<_>>());
}

#[tokio::test]
async fn concurrent_repetitions_of_a_message_create_one() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    for n in 0..20 {
        let key = n.to_string();
        let sent = join_all((0..8).map(|_| inbox.send_with_key(1, &id, "Once", Some(&key)))).await;
        let ids: HashSet<String> = sent.into_iter().map(|sent| sent.unwrap().id).collect();
        assert_eq!(ids.len(), 1);
    }
    assert_eq!((inbox.count_rows("messages").await, inbox.unread_counts(2).await), (20, (20, 0)));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn one_of_two_concurrent_messages_with_the_same_key_is_stored() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let key = n.to_string();
        let (one, other) =
            race(n, inbox.send_with_key(1, &id, "This", Some(&key)), inbox.send_with_key(1, &id, "That", Some(&key)))
                .await;
        let outcome = (reason(one), reason(other));
        assert!(
            ["OK", "IDEMPOTENCY_KEY_REUSED"].contains(&outcome.0.as_str()) && outcome.0 != outcome.1,
            "{outcome:?}"
        );
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}: both outcomes occur in a race");
    assert_eq!(i128::from(inbox.count_rows("messages").await), REPETITIONS as i128);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn members_who_open_concurrently_get_one_conversation() {
    let inbox = Fixture::new().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (one, other) = race(n, inbox.open_conversation(a, b), inbox.open_conversation(b, a)).await;
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(one.created != other.created);
        let (one, other) = (one.conversation.unwrap(), other.conversation.unwrap());
        assert_eq!(one.id, other.id);
        for who in [a, b] {
            let seen = inbox.get_conversation(who, &one.id).await.unwrap();
            assert_eq!((seen.folder(), seen.waiting), (INBOX, false), "both opened it");
        }
    }
    assert_eq!(i128::from(inbox.count_rows("conversations").await), REPETITIONS as i128);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_message_concurrent_with_a_block_is_not_counted() {
    let inbox = Fixture::new().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = inbox.connect_pair(a, b).await;
        let (sender, fact) = head_starts(n);
        let wait = async |calls| {
            for _ in 0..calls {
                let _ = inbox.get_conversation(a, &id).await;
            }
        };
        let actions = race(n, wait(fact).then(|()| inbox.block(b, a)), async {
            wait(sender).await;
            inbox.send(a, &id, "Hello").await
        });
        let ((), sent) = actions.await;
        *tally.entry(reason(sent)).or_default() += 1;
        assert_eq!((inbox.unread_counts(a).await, inbox.unread_counts(b).await), ((0, 0), (0, 0)));
        assert_eq!(reason(inbox.get_conversation(b, &id).await), "CONVERSATION_NOT_FOUND");
    }
    assert!(tally.keys().eq(["CONVERSATION_NOT_FOUND", "OK"]), "{tally:?}: both outcomes occur in a race");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn opening_concurrent_with_a_block_leaves_nothing_visible() {
    let inbox = Fixture::new().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (opener, fact) = head_starts(n);
        let wait = async |calls| {
            for _ in 0..calls {
                let _ = inbox.list_conversations(a, INBOX).await;
            }
        };
        let actions = race(n, wait(fact).then(|()| inbox.block(b, a)), async {
            wait(opener).await;
            let opened = inbox.open_conversation(a, b).await?;
            inbox.send(a, &opened.conversation.unwrap().id, "Hello").await
        });
        let ((), sent) = actions.await;
        *tally.entry(reason(sent)).or_default() += 1;
        assert_eq!(inbox.unread_counts(b).await, (0, 0));
        assert_eq!(inbox.list_conversations(a, INBOX).await, []);
    }
    assert!(tally.len() > 1 && tally.contains_key("OK"), "{tally:?}: both outcomes occur in a race");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_message_concurrent_with_clearing_is_cleared_or_listed() {
    let inbox = Fixture::new().await;
    let mut tally = BTreeMap::<(usize, i32), u32>::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = inbox.connect_pair(a, b).await;
        inbox.send(a, &id, "Before").await.unwrap();
        let (sent, cleared) = race(n, inbox.send(a, &id, "Meanwhile"), inbox.clear_conversation(b, &id)).await;
        sent.unwrap();
        cleared.unwrap();
        let (listed, unread) = (inbox.list_conversations(b, INBOX).await.len(), inbox.unread_counts(b).await.0);
        *tally.entry((listed, unread)).or_default() += 1;
    }
    assert!(tally.keys().eq(&[(0, 0), (1, 1)]), "{tally:?}: cleared with the rest, or listed again");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_message_concurrent_with_a_read_mark_stays_unread() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    for n in 0..REPETITIONS {
        let newest = inbox.send(1, &id, "Before").await.unwrap().id;
        let (sent, read) = race(n, inbox.send(1, &id, "Meanwhile"), inbox.mark_read(2, &id, &newest)).await;
        sent.unwrap();
        read.unwrap();
        assert_eq!(inbox.unread_counts(2).await, (1, 0), "only the concurrent message is unread");
        inbox.mark_read(2, &id, &inbox.list_messages(2, &id).await.unwrap().messages[0].id).await.unwrap();
    }
    assert_eq!(inbox.unread_counts(2).await, (0, 0));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn accepting_and_answering_concurrently_with_a_connection_succeed() {
    let inbox = Fixture::new().await;
    let now = inbox.harness.clock.now();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = inbox.open_request(a, b).await;
        inbox.send(a, &id, "Hello").await.unwrap();
        let ((), (accepted, sent)) = race(n, inbox.apply_connection(a, b, connection_id(now, 1, n)), async {
            for _ in 0..n % 4 {
                inbox.get_conversation(b, &id).await.unwrap();
            }
            tokio::join!(inbox.accept_request(b, &id), inbox.send(a, &id, "Hello again"))
        })
        .await;
        accepted.unwrap();
        sent.unwrap();
        assert_eq!(
            (inbox.unread_counts(b).await, inbox.get_conversation(a, &id).await.unwrap().waiting),
            ((2, 0), false)
        );
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn concurrent_messages_between_all_pairs_do_not_deadlock() {
    let inbox = Fixture::new().await;
    let mut ids = BTreeMap::new();
    for one in 1..=4 {
        for other in one + 1..=4 {
            ids.insert((one, other), inbox.connect_pair(one, other).await);
        }
    }
    // All conversations update the totals of the same members: another lock order would deadlock.
    for round in 0..10 {
        let words = round.to_string();
        join_all(ids.iter().flat_map(|((one, other), id)| [(*one, id), (*other, id)]).map(async |(who, id)| {
            let sent = inbox.send_with_key(who, id, &words, Some(&words)).await.unwrap();
            let _ = inbox.mark_read(who, id, &sent.id).await;
        }))
        .await;
    }
    assert_eq!(inbox.count_rows("messages").await, 120);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_account_erased_during_writes_of_others_leaves_no_rows() {
    let inbox = Fixture::new().await;
    let mut tally = Tally::new();
    for n in 0..32 {
        let (a, b) = pair(n);
        let id = inbox.connect_pair(a, b).await;
        let (sender, fact) = head_starts(n);
        let wait = async |calls| {
            for _ in 0..calls {
                let _ = inbox.get_conversation(b, &id).await;
            }
        };
        let actions = race(n, wait(fact).then(|()| inbox.apply_erasure(a)), async {
            wait(sender).await;
            inbox.send(b, &id, "Are you there?").await
        });
        let ((), sent) = actions.await;
        *tally.entry(reason(sent)).or_default() += 1;
    }
    assert!(tally.keys().eq(["FORMER_MEMBER", "OK"]), "{tally:?}: both outcomes occur in a race");
    inbox.assert_erased((0..32).map(|n| pair(n).0)).await;
}

#[tokio::test]
async fn an_account_erased_during_own_writes_leaves_no_rows() {
    let inbox = Fixture::new().await;
    let mut ids = BTreeMap::new();
    for n in 0..4 {
        let (a, b) = pair(n);
        ids.insert(a, inbox.connect_pair(a, b).await);
    }
    let erased = async {
        for (a, id) in &ids {
            // Wait for the first message.
            while inbox.get_conversation(*a, id).await.is_ok_and(|seen| seen.last_message.is_none()) {
                testkit::pause().await;
            }
        }
        join_all(ids.keys().map(async |a| inbox.apply_erasure(*a).await)).await;
    };
    let written = join_all(ids.iter().map(async |(a, id)| {
        let mut written = 0;
        while reason(inbox.send(*a, id, "Still here").await) != "CONVERSATION_NOT_FOUND" {
            written += 1;
        }
        written
    }));
    let both = async { tokio::join!(written, erased) };
    let (written, ()): (Vec<i32>, ()) = timeout(TIMEOUT, both).await.expect("the erasure ends");
    assert!(written.iter().sum::<i32>() > 0, "{written:?}: both outcomes occur in a race");
    inbox.assert_erased(ids.keys().copied()).await;
}

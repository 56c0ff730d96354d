//! Two at once: whatever the order, one conversation, numbers without gaps, one order for both, and counts that counting
//! confirms.

use std::{
    collections::{BTreeMap, HashSet},
    future::Future,
};

use futures::{FutureExt as _, future::join_all};
use tokio::time::timeout;

use crate::inbox::{INBOX, Inbox, PATIENCE, Told, connection_id, reason, settled};

const REPETITIONS: u128 = 60;

/// The pair of the `n`th repetition.
const fn pair(n: u128) -> (u128, u128) {
    (2 * n + 1, 2 * n + 2)
}

/// Both at once; every other time the second sets out first.
async fn race<A, B>(n: u128, one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
    if n.is_multiple_of(2) {
        tokio::join!(one, other)
    } else {
        let (other, one) = tokio::join!(other, one);
        (one, other)
    }
}

/// How many calls the second waits before it sets out, and how many what is told of waits before it is: word of a fact takes
/// as long as some calls do, and nobody knows how many on a busy machine.
const fn head_starts(n: u128) -> (u128, u128) {
    if n % 16 < 8 { (n % 8, 0) } else { (0, n % 8) }
}

/// How often each outcome came.
type Tally = BTreeMap<String, u32>;

impl Inbox {
    /// Waits until they are forgotten, and complains of whatever is left of them, or wrong since.
    async fn assert_gone(&self, members: impl Iterator<Item = u128>) {
        settled(&self.harness).await;
        for who in members {
            let named = self.harness.database().tables_naming(testkit::member(who)).await;
            assert_eq!(named, Vec::<String>::new());
        }
        self.assert_true().await;
    }

    /// Says it until it is answered: whoever waits too long for a connection or a lock is told to try again.
    async fn insist(&self, who: u128, id: &str, words: &str, key: &str) {
        while reason(self.send(who, id, words, Some(key)).await) != "OK" {}
    }
}

#[tokio::test]
async fn two_hundred_messages_at_once_stand_in_one_order() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let said: Vec<(u128, String)> = (0..200).map(|n| (1 + n % 2, format!("Message {n}"))).collect();
    // As many at a time as browsers of two people might send.
    for at_once in said.chunks(20) {
        join_all(at_once.iter().map(|(who, words)| inbox.insist(*who, &id, words, words))).await;
    }
    let (one, other) = (inbox.words(1, &id).await, inbox.words(2, &id).await);
    let order = |thread: &[(String, bool)]| thread.iter().map(|(words, _)| words.clone()).collect::<Vec<_>>();
    assert_eq!(order(&one), order(&other));
    assert_eq!(inbox.count("messages").await, 200);
    inbox.assert_true().await;

    // Facts have the order of the messages.
    let facts = inbox.facts().await.into_iter().filter_map(|told| match told {
        Told::Sent { sender, .. } => Some(sender),
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
async fn a_message_sent_many_times_at_once_is_one() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    for n in 0..20 {
        let key = n.to_string();
        let sent = join_all((0..8).map(|_| inbox.send(1, &id, "Once", Some(&key)))).await;
        let ids: HashSet<String> = sent.into_iter().map(|sent| sent.unwrap().id).collect();
        assert_eq!(ids.len(), 1);
    }
    assert_eq!((inbox.count("messages").await, inbox.unread(2).await), (20, (20, 0)));
    inbox.assert_true().await;
}

#[tokio::test]
async fn of_two_messages_with_one_key_at_once_one_is_said() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let key = n.to_string();
        let (one, other) =
            race(n, inbox.send(1, &id, "This", Some(&key)), inbox.send(1, &id, "That", Some(&key))).await;
        let outcome = (reason(one), reason(other));
        assert!(
            ["OK", "IDEMPOTENCY_KEY_REUSED"].contains(&outcome.0.as_str()) && outcome.0 != outcome.1,
            "{outcome:?}"
        );
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}: both happen, or this is no race");
    assert_eq!(i128::from(inbox.count("messages").await), REPETITIONS as i128);
    inbox.assert_true().await;
}

#[tokio::test]
async fn who_opens_at_once_meets() {
    let inbox = Inbox::open().await;
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (one, other) = race(n, inbox.start(a, b), inbox.start(b, a)).await;
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(one.created != other.created);
        let (one, other) = (one.conversation.unwrap(), other.conversation.unwrap());
        assert_eq!(one.id, other.id);
        for who in [a, b] {
            let seen = inbox.find(who, &one.id).await.unwrap();
            assert_eq!((seen.folder(), seen.waiting), (INBOX, false), "both asked for it");
        }
    }
    assert_eq!(i128::from(inbox.count("conversations").await), REPETITIONS as i128);
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_message_against_a_block_counts_for_nobody() {
    let inbox = Inbox::open().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = inbox.connect(a, b).await;
        let (sender, told) = head_starts(n);
        let wait = async |calls| {
            for _ in 0..calls {
                let _ = inbox.find(a, &id).await;
            }
        };
        let ((), sent) = tokio::join!(wait(told).then(|()| inbox.block(b, a)), async {
            wait(sender).await;
            inbox.say(a, &id, "Hello").await
        });
        *tally.entry(reason(sent)).or_default() += 1;
        assert_eq!((inbox.unread(a).await, inbox.unread(b).await), ((0, 0), (0, 0)));
        assert_eq!(reason(inbox.find(b, &id).await), "CONVERSATION_NOT_FOUND");
    }
    assert!(tally.keys().eq(["CONVERSATION_NOT_FOUND", "OK"]), "{tally:?}: both happen, or this is no race");
    inbox.assert_true().await;
}

#[tokio::test]
async fn opening_and_writing_against_a_block() {
    let inbox = Inbox::open().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (opener, told) = head_starts(n);
        let wait = async |calls| {
            for _ in 0..calls {
                let _ = inbox.list(a, INBOX).await;
            }
        };
        let ((), sent) = tokio::join!(wait(told).then(|()| inbox.block(b, a)), async {
            wait(opener).await;
            let opened = inbox.start(a, b).await?;
            inbox.say(a, &opened.conversation.unwrap().id, "Hello").await
        });
        *tally.entry(reason(sent)).or_default() += 1;
        assert_eq!(inbox.unread(b).await, (0, 0));
        assert_eq!(inbox.list(a, INBOX).await, []);
    }
    assert!(tally.len() > 1 && tally.contains_key("OK"), "{tally:?}: both happen, or this is no race");
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_message_against_clearing() {
    let inbox = Inbox::open().await;
    let mut tally = BTreeMap::<(usize, i32), u32>::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = inbox.connect(a, b).await;
        inbox.say(a, &id, "Before").await.unwrap();
        let (sent, cleared) = race(n, inbox.say(a, &id, "Meanwhile"), inbox.clear(b, &id)).await;
        sent.unwrap();
        cleared.unwrap();
        let (listed, unread) = (inbox.list(b, INBOX).await.len(), inbox.unread(b).await.0);
        *tally.entry((listed, unread)).or_default() += 1;
    }
    assert!(tally.keys().eq(&[(0, 0), (1, 1)]), "{tally:?}: it went with the rest, or it brought the thread back");
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_message_against_reading() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    for n in 0..REPETITIONS {
        let newest = inbox.say(1, &id, "Before").await.unwrap().id;
        let (sent, read) = race(n, inbox.say(1, &id, "Meanwhile"), inbox.read(2, &id, &newest)).await;
        sent.unwrap();
        read.unwrap();
        assert_eq!(inbox.unread(2).await, (1, 0), "only what came meanwhile is unread");
        inbox.read(2, &id, &inbox.thread(2, &id).await.unwrap().messages[0].id).await.unwrap();
    }
    assert_eq!(inbox.unread(2).await, (0, 0));
    inbox.assert_true().await;
}

#[tokio::test]
async fn accepting_and_answering_against_the_fact_that_the_two_connect() {
    let inbox = Inbox::open().await;
    let now = inbox.harness.clock.now();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = inbox.ask(a, b).await;
        inbox.say(a, &id, "Hello").await.unwrap();
        let ((), (accepted, said)) = race(n, inbox.connected(a, b, connection_id(now, 1, n)), async {
            for _ in 0..n % 4 {
                inbox.find(b, &id).await.unwrap();
            }
            tokio::join!(inbox.accept(b, &id), inbox.say(a, &id, "Hello again"))
        })
        .await;
        accepted.unwrap();
        said.unwrap();
        assert_eq!((inbox.unread(b).await, inbox.find(a, &id).await.unwrap().waiting), ((2, 0), false));
    }
    inbox.assert_true().await;
}

#[tokio::test]
async fn everybody_writes_to_everybody_and_nobody_waits_for_ever() {
    let inbox = Inbox::open().await;
    let mut ids = BTreeMap::new();
    for one in 1..=4 {
        for other in one + 1..=4 {
            ids.insert((one, other), inbox.connect(one, other).await);
        }
    }
    // Totals of the same members, from conversations of others: whoever locked in another order would be waited for.
    for round in 0..10 {
        let words = round.to_string();
        join_all(ids.iter().flat_map(|((one, other), id)| [(*one, id), (*other, id)]).map(async |(who, id)| {
            let sent = inbox.send(who, id, &words, Some(&words)).await.unwrap();
            let _ = inbox.read(who, id, &sent.id).await;
        }))
        .await;
    }
    assert_eq!(inbox.count("messages").await, 120);
    inbox.assert_true().await;
}

#[tokio::test]
async fn an_account_erased_while_others_write_leaves_nothing() {
    let inbox = Inbox::open().await;
    let mut tally = Tally::new();
    for n in 0..32 {
        let (a, b) = pair(n);
        let id = inbox.connect(a, b).await;
        let (sender, told) = head_starts(n);
        let wait = async |calls| {
            for _ in 0..calls {
                let _ = inbox.find(b, &id).await;
            }
        };
        let ((), sent) = tokio::join!(wait(told).then(|()| inbox.erased(a)), async {
            wait(sender).await;
            inbox.say(b, &id, "Are you there?").await
        });
        *tally.entry(reason(sent)).or_default() += 1;
    }
    assert!(tally.keys().eq(["FORMER_MEMBER", "OK"]), "{tally:?}: both happen, or this is no race");
    inbox.assert_gone((0..32).map(|n| pair(n).0)).await;
}

#[tokio::test]
async fn who_goes_on_writing_while_their_account_is_erased_leaves_nothing() {
    let inbox = Inbox::open().await;
    let mut ids = BTreeMap::new();
    for n in 0..4 {
        let (a, b) = pair(n);
        ids.insert(a, inbox.connect(a, b).await);
    }
    let erased = async {
        for (a, id) in &ids {
            // They have begun to write.
            while inbox.find(*a, id).await.is_ok_and(|seen| seen.last_message.is_none()) {}
        }
        join_all(ids.keys().map(async |a| inbox.erased(*a).await)).await;
    };
    let written = join_all(ids.iter().map(async |(a, id)| {
        let mut written = 0;
        while reason(inbox.say(*a, id, "Still here").await) != "CONVERSATION_NOT_FOUND" {
            written += 1;
        }
        written
    }));
    let both = async { tokio::join!(written, erased) };
    let (written, ()): (Vec<i32>, ()) = timeout(PATIENCE, both).await.expect("there is an end to it");
    assert!(written.iter().sum::<i32>() > 0, "{written:?}: or this is no race");
    inbox.assert_gone(ids.keys().copied()).await;
}

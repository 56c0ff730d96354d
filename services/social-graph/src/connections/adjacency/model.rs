//! A model test: compressed and replaced lists hold and count the same as a map of lists, after any changes.

use std::collections::{BTreeMap, HashMap, HashSet};

use proptest::prelude::*;
use testkit::member;
use uuid::Uuid;

use super::{Adjacency, Builder, Candidates, Contact, Counter};

const MEMBERS: u128 = 9;

/// A change of the lists.
#[derive(Clone, Debug)]
enum Change {
    /// The new list of a member: others, and whether they requested the connection.
    Replace(u128, Vec<(u128, bool)>),
    /// Closes or reopens an account.
    Toggle(u128),
    Remove(u128),
    Merge,
}

/// A connection as it is loaded.
#[derive(Clone, Debug)]
struct Row {
    requester: u128,
    recipient: u128,
    at: i64,
}

#[derive(Default)]
struct Model {
    lists: HashMap<u128, Vec<(u128, bool)>>,
    closed: HashSet<u128>,
}

impl Model {
    fn candidates(&self, who: u128, limit: usize, scanned: usize) -> Candidates {
        let list = |who: u128| self.lists.get(&who).cloned().unwrap_or_default();
        let visible = |who: u128| list(who).into_iter().filter(|(other, _)| !self.closed.contains(other));
        let mut counts = BTreeMap::<Uuid, i32>::new();
        for (friend, _) in visible(who).take(scanned) {
            for side in [true, false] {
                for (other, _) in visible(friend).filter(|(_, received)| *received == side).take(scanned) {
                    *counts.entry(member(other)).or_default() += 1;
                }
            }
        }
        for (known, _) in list(who).into_iter().chain([(who, false)]) {
            counts.remove(&member(known));
        }
        let mut best: Vec<(Uuid, i32)> = counts.into_iter().collect();
        best.sort_by_key(|(id, count)| (-count, *id));
        let are_all = best.len() <= limit;
        best.truncate(limit);
        Candidates { best, are_all }
    }

    fn assert_same(&self, graph: &Adjacency) {
        for who in 0..MEMBERS {
            for (limit, scanned) in [(1, 1), (2, 2), (3, 200), (20, 3)] {
                let counted = Counter::new(scanned).candidates(graph, member(who), limit);
                assert_eq!(counted, self.candidates(who, limit, usize::from(scanned)), "{who} {limit} {scanned}");
            }
            for other in 0..MEMBERS {
                let has = |one: u128, other: u128| {
                    self.lists.get(&one).is_some_and(|list| list.iter().any(|(listed, _)| *listed == other))
                };
                let connected = has(who, other) || has(other, who);
                assert_eq!(graph.are_connected(member(who), member(other)), connected);
            }
        }
    }
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let pair = (0..MEMBERS, 0..MEMBERS, 0..4_i64);
    proptest::collection::vec(pair, 0..30).prop_map(|pairs| {
        let mut seen = HashSet::new();
        let mut rows: Vec<Row> =
            pairs.into_iter().map(|(requester, recipient, at)| Row { requester, recipient, at }).collect();
        rows.retain(|row| {
            let pair = (row.requester.min(row.recipient), row.requester.max(row.recipient));
            row.requester != row.recipient && seen.insert(pair)
        });
        rows
    })
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let list = proptest::collection::btree_map(0..MEMBERS, any::<bool>(), 0..5);
    let replace = (0..MEMBERS, list, any::<u64>()).prop_map(|(who, list, seed)| {
        let mut list: Vec<(u128, bool)> = list.into_iter().filter(|(other, _)| *other != who).collect();
        list.sort_by_key(|(other, _)| u64::try_from(*other).unwrap_or_default().wrapping_mul(seed | 1));
        Change::Replace(who, list)
    });
    let change = prop_oneof![6 => replace, 2 => (0..MEMBERS).prop_map(Change::Toggle), 1 => (0..MEMBERS).prop_map(Change::Remove), 1 => Just(Change::Merge)];
    proptest::collection::vec(change, 0..20)
}

proptest! {
    #[test]
    fn lists_are_the_same_as_in_a_map(
        rows in rows(),
        closed in proptest::collection::hash_set(0..MEMBERS, 0..4),
        changes in changes(),
    ) {
        let mut model = Model { closed, ..Model::default() };
        let mut builder = Builder::default();
        for row in &rows {
            let [requester, recipient] =
                [row.requester, row.recipient].map(|who| (member(who), model.closed.contains(&who)));
            builder.add(requester, recipient, row.at);
        }
        // Rows are in the order of their ids.
        let mut newest: Vec<&Row> = rows.iter().rev().collect();
        newest.sort_by_key(|row| -row.at);
        for row in newest {
            model.lists.entry(row.requester).or_default().push((row.recipient, false));
            model.lists.entry(row.recipient).or_default().push((row.requester, true));
        }
        let mut graph = builder.build();
        model.assert_same(&graph);
        for change in changes {
            match change {
                Change::Replace(who, list) => {
                    let contact = |(other, received): &(u128, bool)| Contact {
                        member: member(*other),
                        received: *received,
                        hidden: model.closed.contains(other),
                    };
                    graph.replace(member(who), list.iter().map(contact));
                    graph.set_hidden(member(who), model.closed.contains(&who));
                    model.lists.insert(who, list);
                }
                Change::Toggle(who) => {
                    if !model.closed.remove(&who) {
                        model.closed.insert(who);
                    }
                    graph.set_hidden(member(who), model.closed.contains(&who));
                }
                Change::Remove(who) => {
                    for (other, _) in model.lists.remove(&who).unwrap_or_default() {
                        model.lists.entry(other).or_default().retain(|(listed, _)| *listed != who);
                    }
                    graph.remove(member(who));
                }
                Change::Merge => graph = graph.merged(),
            }
            model.assert_same(&graph);
        }
    }
}

#[test]
fn bytes_count_every_list() {
    let mut builder = Builder::default();
    for n in 1..=1_000 {
        builder.add((member(0), false), (member(n), false), 0);
    }
    let mut graph = builder.build();
    let loaded = graph.bytes();
    assert!((28_000..40_000).contains(&loaded), "20 bytes for a member, 8 for a connection: {loaded}");
    let list = (1..=1_000).map(|n| Contact { member: member(n), received: false, hidden: false });
    graph.replace(member(0), list);
    assert!((4_000..5_000).contains(&(graph.bytes() - loaded)));
    let merged = graph.merged();
    assert_eq!((merged.bytes(), merged.members()), (loaded, 1_001));
}

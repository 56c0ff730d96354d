//! Builds compressed lists from the rows of connections, and from lists of which some changed.

use std::{cmp::Reverse, collections::HashMap};

use uuid::Uuid;

use super::{Adjacency, RECEIVED, to_number, to_place};

/// A connection, with the numbers of its members.
struct Edge {
    requester: u32,
    recipient: u32,
    /// When it was accepted, in microseconds.
    at: i64,
}

/// Collects connections in the order of their ids.
#[derive(Default)]
pub struct Builder {
    numbers: HashMap<Uuid, u32>,
    ids: Vec<Uuid>,
    hidden: Vec<Uuid>,
    edges: Vec<Edge>,
}

impl Builder {
    /// Adds a connection that was accepted `at`, in microseconds. Each member is followed by whether its account is closed.
    pub fn add(&mut self, requester: (Uuid, bool), recipient: (Uuid, bool), at: i64) {
        let edge = Edge { requester: self.number(requester), recipient: self.number(recipient), at };
        self.edges.push(edge);
    }

    fn number(&mut self, (member, hidden): (Uuid, bool)) -> u32 {
        if hidden {
            self.hidden.push(member);
        }
        *self.numbers.entry(member).or_insert_with(|| {
            self.ids.push(member);
            to_number(self.ids.len() - 1)
        })
    }

    /// Builds the lists. Of two connections accepted at the same time, the one with the higher id comes first.
    pub fn build(self) -> Adjacency {
        let Self { numbers, ids, hidden, mut edges } = self;
        drop(numbers);
        let (ids, renumbered) = sort(ids);
        edges.reverse();
        edges.sort_by_key(|edge| Reverse(edge.at));
        let mut ends = vec![0_u32; ids.len()];
        let renumber = |number: u32| renumbered.get(to_place(number)).copied().unwrap_or_default();
        for edge in &mut edges {
            *edge = Edge { requester: renumber(edge.requester), recipient: renumber(edge.recipient), ..*edge };
            for member in [edge.requester, edge.recipient] {
                if let Some(count) = ends.get_mut(to_place(member)) {
                    *count += 1;
                }
            }
        }
        // First the starts, which the entries move to the ends.
        let mut next = 0;
        for place in &mut ends {
            next += std::mem::replace(place, next);
        }
        let mut entries = vec![0; to_place(next)];
        for edge in &edges {
            let sides = [(edge.requester, edge.recipient), (edge.recipient, edge.requester | RECEIVED)];
            for (member, entry) in sides {
                if let Some(place) = ends.get_mut(to_place(member)) {
                    if let Some(free) = entries.get_mut(to_place(*place)) {
                        *free = entry;
                    }
                    *place += 1;
                }
            }
        }
        let mut built = compressed(ids, ends, entries);
        for member in hidden {
            built.set_hidden(member, true);
        }
        built
    }
}

/// Sorts the ids, and returns them with the new number of each.
fn sort(ids: Vec<Uuid>) -> (Vec<Uuid>, Vec<u32>) {
    let mut order: Vec<u32> = (0..to_number(ids.len())).collect();
    let id = |number: &u32| ids.get(to_place(*number)).copied().unwrap_or_default();
    order.sort_unstable_by_key(id);
    let mut renumbered = vec![0; ids.len()];
    for (place, number) in order.iter().enumerate() {
        if let Some(new) = renumbered.get_mut(to_place(*number)) {
            *new = to_number(place);
        }
    }
    (order.iter().map(id).collect(), renumbered)
}

fn compressed(ids: Vec<Uuid>, ends: Vec<u32>, entries: Vec<u32>) -> Adjacency {
    Adjacency {
        ids,
        appended: HashMap::new(),
        ends,
        entries,
        replaced: HashMap::new(),
        replaced_entries: 0,
        hidden: Vec::new(),
    }
}

/// See [`Adjacency::merged`].
pub(super) fn merge(from: &Adjacency) -> Adjacency {
    let members = to_number(from.ids.len());
    let mut used = vec![false; from.ids.len()];
    let mut total = 0;
    for member in 0..members {
        let list = from.list(member);
        total += list.len();
        for number in list.iter().map(|entry| entry & !RECEIVED).chain((!list.is_empty()).then_some(member)) {
            if let Some(used) = used.get_mut(to_place(number)) {
                *used = true;
            }
        }
    }
    let mut order: Vec<u32> =
        (0..members).filter(|member| used.get(to_place(*member)).is_some_and(|used| *used)).collect();
    let id = |number: &u32| from.ids.get(to_place(*number)).copied().unwrap_or_default();
    order.sort_unstable_by_key(id);
    let mut renumbered = vec![0; from.ids.len()];
    for (place, number) in order.iter().enumerate() {
        if let Some(new) = renumbered.get_mut(to_place(*number)) {
            *new = to_number(place);
        }
    }
    let (mut ends, mut entries) = (Vec::with_capacity(order.len()), Vec::with_capacity(total));
    for member in &order {
        let list = from
            .list(*member)
            .iter()
            .map(|entry| renumbered.get(to_place(entry & !RECEIVED)).copied().unwrap_or_default() | (entry & RECEIVED));
        entries.extend(list);
        ends.push(to_number(entries.len()));
    }
    let mut merged = compressed(order.iter().map(id).collect(), ends, entries);
    for (place, member) in order.iter().enumerate() {
        if from.is_hidden(*member) {
            merged.set_bit(to_number(place), true);
        }
    }
    merged
}

//! The members with the most mutual connections, counted over the lists of the connections of a member.

use std::cmp::Ordering;

use uuid::Uuid;

use super::{Adjacency, RECEIVED, to_place};

/// Counts one member at a time. It is kept between requests: its arrays are as long as the number of members.
#[derive(Debug)]
pub struct Counter {
    /// The number of newest connections that are considered, of a member and of each connection on either side.
    scanned: u8,
    /// The mutual connections with each member, at most `scanned`; zero between requests.
    counts: Vec<u8>,
    /// The members with another count than zero.
    counted: Vec<u32>,
}

/// The best candidates for suggestions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The members with their numbers of mutual connections, in decreasing order; equal ones by id.
    pub best: Vec<(Uuid, i32)>,
    /// Whether there are no others.
    pub are_all: bool,
}

impl Counter {
    pub const fn new(scanned: u8) -> Self {
        Self { scanned, counts: Vec::new(), counted: Vec::new() }
    }

    /// Returns the best `limit` candidates for `member`, without its own connections.
    pub fn candidates(&mut self, graph: &Adjacency, member: Uuid, limit: usize) -> Candidates {
        let Some(member) = graph.number(member) else { return Candidates { best: Vec::new(), are_all: true } };
        self.count(graph, member);
        let mut best: Vec<(u8, u32)> = Vec::with_capacity(limit + 1);
        let mut are_all = true;
        for number in self.counted.drain(..) {
            let Some(count) = self.counts.get_mut(to_place(number)).map(std::mem::take) else { continue };
            if count == 0 {
                continue;
            }
            let candidate = (count, number);
            are_all &= best.len() < limit;
            if best.len() == limit && best.last().is_none_or(|last| graph.compare(*last, candidate).is_le()) {
                continue;
            }
            let place = best.partition_point(|better| graph.compare(*better, candidate).is_lt());
            best.insert(place, candidate);
            best.truncate(limit);
        }
        let named = |(count, number): (u8, u32)| Some((*graph.ids.get(to_place(number))?, i32::from(count)));
        Candidates { best: best.into_iter().filter_map(named).collect(), are_all }
    }

    /// Counts the mutual connections. The member and the own connections stay at zero.
    fn count(&mut self, graph: &Adjacency, member: u32) {
        self.counts.resize(self.counts.len().max(graph.members()), 0);
        let own = graph.list(member);
        let friends = own.iter().map(|entry| entry & !RECEIVED).filter(|friend| !graph.is_hidden(*friend));
        for friend in friends.take(usize::from(self.scanned)) {
            // The newest of each side.
            let mut left = [self.scanned; 2];
            for entry in graph.list(friend) {
                let other = entry & !RECEIVED;
                let Some(left) = left.get_mut(usize::from(entry & RECEIVED != 0)) else { continue };
                if *left == 0 || graph.is_hidden(other) {
                    continue;
                }
                *left -= 1;
                if let Some(count) = self.counts.get_mut(to_place(other)) {
                    if *count == 0 {
                        self.counted.push(other);
                    }
                    // A list contains a member once, so this is at most `scanned`.
                    *count = count.saturating_add(1);
                }
            }
        }
        for known in own.iter().map(|entry| entry & !RECEIVED).chain([member]) {
            if let Some(count) = self.counts.get_mut(to_place(known)) {
                *count = 0;
            }
        }
    }
}

impl Adjacency {
    /// Orders candidates, each with its count: the best first.
    fn compare(&self, one: (u8, u32), other: (u8, u32)) -> Ordering {
        other.0.cmp(&one.0).then_with(|| {
            let (one, other) = (to_place(one.1), to_place(other.1));
            // The compressed part is in the order of the ids.
            if one.max(other) < self.ends.len() { one.cmp(&other) } else { self.ids.get(one).cmp(&self.ids.get(other)) }
        })
    }
}

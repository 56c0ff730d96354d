//! The accepted connections of all members in memory: compressed lists, and the lists that changed since they were built.

mod build;
mod candidates;
#[cfg(test)]
mod model;

use std::{collections::HashMap, mem::size_of, ops::Range};

use uuid::Uuid;

pub use build::Builder;
pub use candidates::{Candidates, Counter};

/// The bit of an entry for a connection that the other member requested.
const RECEIVED: u32 = 1 << 31;

/// Changed lists are merged into the compressed ones when they have this many entries, and an eighth of the compressed ones.
const MIN_MERGED: usize = 1 << 16;

/// A connection in the list of one of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    pub member: Uuid,
    /// The other member requested it.
    pub received: bool,
    /// The account of the other member is closed.
    pub hidden: bool,
}

/// The connections of each member, newest first. Members are numbered. Closed accounts stay in the lists and are skipped, so that
/// closing an account changes one bit.
///
/// The compressed lists are one array, and their ends another: four bytes for each side of a connection, 20 for a member.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// The first `ends.len()` are in order, so that they are found and compared without a map.
    ids: Vec<Uuid>,
    /// The numbers of the later ones.
    appended: HashMap<Uuid, u32>,
    ends: Vec<u32>,
    /// The number of the other member, with [`RECEIVED`].
    entries: Vec<u32>,
    /// Lists that replace compressed ones, and the lists of the later members.
    replaced: HashMap<u32, Box<[u32]>>,
    replaced_entries: usize,
    /// One bit for each member.
    hidden: Vec<u64>,
}

impl Adjacency {
    /// Replaces the list of a member: `contacts`, newest first.
    pub fn replace(&mut self, member: Uuid, contacts: impl IntoIterator<Item = Contact>) {
        let entries: Box<[u32]> = contacts
            .into_iter()
            .map(|contact| {
                let number = self.number_or_append(contact.member);
                self.set_bit(number, contact.hidden);
                number | if contact.received { RECEIVED } else { 0 }
            })
            .collect();
        // A member without connections needs no number.
        if entries.is_empty() && self.number(member).is_none() {
            return;
        }
        let number = self.number_or_append(member);
        self.replace_entries(number, entries);
    }

    /// Ends all connections of a member.
    pub fn remove(&mut self, member: Uuid) {
        let Some(number) = self.number(member) else { return };
        let others: Vec<u32> = self.list(number).iter().map(|entry| entry & !RECEIVED).collect();
        for other in others {
            let kept = self.list(other).iter().copied().filter(|entry| entry & !RECEIVED != number).collect();
            self.replace_entries(other, kept);
        }
        self.replace_entries(number, Box::default());
    }

    /// Sets whether the account of a member is closed.
    pub fn set_hidden(&mut self, member: Uuid, hidden: bool) {
        if let Some(number) = self.number(member) {
            self.set_bit(number, hidden);
        }
    }

    /// Whether either of the two has the other in the list.
    pub fn are_connected(&self, one: Uuid, other: Uuid) -> bool {
        let (Some(one), Some(other)) = (self.number(one), self.number(other)) else { return false };
        let has = |member, other| self.list(member).iter().any(|entry| entry & !RECEIVED == other);
        has(one, other) || has(other, one)
    }

    /// Whether [`Self::merged`] is due.
    pub fn needs_merge(&self) -> bool {
        self.replaced_entries + self.replaced.len() >= MIN_MERGED.max(self.entries.len() / 8)
    }

    /// Returns the same lists, all compressed, without the members that no list contains.
    pub fn merged(&self) -> Self {
        build::merge(self)
    }

    /// The bytes that it holds.
    pub fn bytes(&self) -> usize {
        // A map has an eighth of free places at least, and a byte of its own for each.
        let places = |places: usize, entry: usize| places * 8 / 7 * (entry + 1);
        self.ids.capacity() * size_of::<Uuid>()
            + places(self.appended.capacity(), size_of::<(Uuid, u32)>())
            + (self.ends.capacity() + self.entries.capacity() + self.replaced_entries) * size_of::<u32>()
            + places(self.replaced.capacity(), size_of::<(u32, Box<[u32]>)>())
            + self.hidden.capacity() * size_of::<u64>()
    }

    /// The number of members.
    pub const fn members(&self) -> usize {
        self.ids.len()
    }

    fn number(&self, member: Uuid) -> Option<u32> {
        let sorted = self.ids.get(..self.ends.len()).unwrap_or_default();
        match sorted.binary_search(&member) {
            Ok(place) => u32::try_from(place).ok(),
            Err(_) => self.appended.get(&member).copied(),
        }
    }

    fn number_or_append(&mut self, member: Uuid) -> u32 {
        if let Some(number) = self.number(member) {
            return number;
        }
        let number = to_number(self.ids.len());
        self.ids.push(member);
        self.appended.insert(member, number);
        number
    }

    /// The entries of a member, newest first.
    fn list(&self, number: u32) -> &[u32] {
        match self.replaced.get(&number) {
            Some(entries) => entries,
            None => self.entries.get(self.compressed(number)).unwrap_or_default(),
        }
    }

    fn replace_entries(&mut self, number: u32, entries: Box<[u32]>) {
        self.replaced_entries += entries.len();
        if let Some(before) = self.replaced.insert(number, entries) {
            self.replaced_entries -= before.len();
        }
    }

    /// The place of a list in `entries`.
    fn compressed(&self, number: u32) -> Range<usize> {
        let number = to_place(number);
        let Some(end) = self.ends.get(number) else { return 0..0 };
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        to_place(start)..to_place(*end)
    }

    fn is_hidden(&self, number: u32) -> bool {
        self.hidden.get(to_place(number / 64)).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn set_bit(&mut self, number: u32, hidden: bool) {
        let place = to_place(number / 64);
        if self.hidden.len() <= place {
            if !hidden {
                return;
            }
            self.hidden.resize(place + 1, 0);
        }
        if let Some(word) = self.hidden.get_mut(place) {
            let bit = 1 << (number % 64);
            *word = if hidden { *word | bit } else { *word & !bit };
        }
    }
}

/// The number of a member. Two thousand million members would need 40 GB for their ids alone.
fn to_number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(RECEIVED - 1)
}

const fn to_place(number: u32) -> usize {
    number as usize
}

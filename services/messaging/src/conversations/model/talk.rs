//! A conversation as the model has it, and what the members of a story see of it: counted, not kept.

use std::collections::{BTreeMap, BTreeSet};

use testkit::member;
use uuid::Uuid;

use super::story::Story;
use crate::conversations::Folder;

/// A row of a list: which, with whom, the last words, what is unread, whether it waits for the other.
type Row = (Uuid, Option<Uuid>, Option<String>, i32, bool);

#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub folder: Folder,
    pub listed: bool,
    /// So many of the messages, from the first on, have been read, or cleared.
    pub read: usize,
    pub cleared: usize,
}

/// One's side of a conversation one has just come into.
pub const NEW: Side = Side { folder: Folder::Inbox, listed: true, read: 0, cleared: 0 };

#[derive(Debug)]
pub struct Said {
    pub id: Uuid,
    pub sender: Option<u128>,
    pub words: &'static str,
    pub key: Option<&'static str>,
}

/// A conversation of two; of whom one may be gone.
#[derive(Debug)]
pub struct Talk {
    pub pair: [u128; 2],
    pub requested_by: Option<u128>,
    pub said: Vec<Said>,
    pub sides: BTreeMap<u128, Side>,
    pub former_read: usize,
}

impl Talk {
    pub const fn new(one: u128, other: u128) -> Self {
        Self { pair: [one, other], requested_by: None, said: Vec::new(), sides: BTreeMap::new(), former_read: 0 }
    }

    pub fn other(&self, who: u128) -> u128 {
        self.pair.into_iter().find(|other| *other != who).unwrap()
    }

    pub fn unread(&self, who: u128) -> i32 {
        let side = self.sides[&who];
        let unread = self.said.iter().skip(side.read.max(side.cleared)).filter(|said| said.sender != Some(who));
        i32::try_from(unread.count()).unwrap()
    }
}

impl Story {
    /// A folder of a member's, in no order.
    pub fn listed(&self, who: u128, folder: Folder) -> BTreeSet<Row> {
        let seen = self
            .talks
            .iter()
            .filter(|(id, it)| self.sees(who, **id) && it.sides[&who].listed && it.sides[&who].folder == folder);
        seen.map(|(id, it)| {
            let last = it.said.last().filter(|_| it.said.len() > it.sides[&who].cleared);
            let other = self.present(it.other(who)).map(member);
            (*id, other, last.map(|said| said.words.to_owned()), it.unread(who), it.requested_by == Some(who))
        })
        .collect()
    }

    /// Messages of the inbox and requests that wait, counted.
    pub fn unread(&self, who: u128) -> (i32, i32) {
        let mine: Vec<&Talk> = self.talks.values().filter(|it| it.sides.contains_key(&who)).collect();
        let of = |folder| mine.iter().filter(move |it| it.sides[&who].folder == folder).map(|it| it.unread(who));
        let requests = of(Folder::Requests).filter(|unread| *unread > 0).count();
        (of(Folder::Inbox).sum(), i32::try_from(requests).unwrap())
    }

    /// What a member sees of a conversation, oldest first: the words, and whether they are read.
    pub fn thread(&self, who: u128, talk: Uuid) -> Option<Vec<(String, bool)>> {
        let it = self.talks.get(&talk).filter(|_| self.sees(who, talk))?;
        let mine = it.sides[&who];
        let theirs = it.sides.iter().find(|(other, _)| **other != who).map_or(it.former_read, |(_, side)| side.read);
        let said = it.said.iter().enumerate().skip(mine.cleared);
        let seen = said.map(|(place, said)| {
            let read = if said.sender == Some(who) { theirs } else { mine.read };
            (said.words.to_owned(), place < read)
        });
        Some(seen.collect())
    }
}

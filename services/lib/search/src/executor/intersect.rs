//! The intersection of the newest entries of several words.
//!
//! Postgres reads the lists, each a range of one index, and the service intersects them: grouping the entries in Postgres
//! takes several times as long as reading them, and one read serves every rank.
//!
//! A word may have entries below the end of its list. Where the other words reach far enough, the intersection goes on
//! below the end of the shortest list; a word whose list ends early is in so many documents that reading the documents
//! of the leader is cheaper.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    PUBLIC,
    sql::{Sql, query_as},
};

/// The most entries of a list.
const MAX_LIST: usize = 1000;
/// The most entries of all public lists together and of all others together, unless `MIN_LIST` is higher for each.
const MAX_TOTAL: usize = 16_000;
const MIN_LIST: usize = 64;
/// A list that ends after fewer documents of the leader is not continued.
const MIN_PROGRESS: usize = 100;

/// The time and id of a document.
pub(super) type Entry = (i32, Uuid);

/// A candidate word in one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range<'a> {
    pub(super) place: usize,
    pub(super) word: &'a str,
    pub(super) partition: i32,
}

/// The newest entries after a position, by word and partition.
#[derive(Debug)]
pub(super) struct EntryLists {
    after: Entry,
    lists: HashMap<(String, i32), List>,
}

/// Entries of one word in one partition, newest first.
#[derive(Debug, Default)]
struct List {
    entries: Vec<Entry>,
    /// The last entry, when older ones may be missing; `None` when the list is complete.
    unknown_from: Option<Entry>,
}

/// Documents that may have every word.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Intersection {
    pub(super) ids: Vec<Uuid>,
    /// The entry behind which more documents may follow, when these are all up to it.
    pub(super) rest: Option<Entry>,
}

/// The documents of one audience that have the leader.
struct LeadingDocuments {
    /// A bit for each word of the query that the document has.
    places: HashMap<Entry, u32>,
    /// For each word of the query, the entry from which its list may be incomplete.
    unknown_from: Vec<Option<Entry>>,
    /// For each word of the query, its oldest entry.
    oldest: Vec<Option<Entry>>,
}

impl EntryLists {
    pub(super) fn after(after: Entry) -> Self {
        Self { after, lists: HashMap::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Whether every list has entries older than `before` or is complete.
    pub(super) fn covers(&self, before: Entry) -> bool {
        before <= self.after && self.lists.values().filter_map(|list| list.unknown_from).all(|unknown| unknown < before)
    }

    /// Reads the missing lists after `before`, or all of them when the known lists end too early. Returns whether it
    /// read some.
    ///
    /// # Errors
    /// When a statement fails.
    pub(super) async fn read(
        &mut self,
        conn: &mut PgConnection,
        sql: &Sql,
        ranges: &[Range<'_>],
        before: Entry,
    ) -> Result<bool, sqlx::Error> {
        if !self.covers(before) {
            *self = Self::after(before);
        }
        let missing: HashSet<(&str, i32)> = ranges.iter().map(|range| (range.word, range.partition)).collect();
        let missing: Vec<(&str, i32)> = missing
            .into_iter()
            .filter(|(word, partition)| !self.lists.contains_key(&((*word).to_owned(), *partition)))
            .collect();
        if missing.is_empty() {
            return Ok(false);
        }
        // Public lists have a limit of their own, so that many other audiences do not shorten them.
        let public = missing.iter().filter(|(_, partition)| is_public(*partition)).count();
        let length = |lists: usize| (MAX_TOTAL / lists.max(1)).clamp(MIN_LIST, MAX_LIST);
        let (public_length, other_length) = (length(public), length(missing.len() - public));
        let length = |partition: i32| if is_public(partition) { public_length } else { other_length };
        let (words, partitions): (Vec<&str>, Vec<i32>) = missing.iter().copied().unzip();
        let lists: Vec<(i64, Vec<i32>, Vec<Uuid>)> = query_as(&sql.entry_lists)
            .bind(&words)
            .bind(&partitions)
            .bind(
                partitions
                    .iter()
                    .map(|partition| i32::try_from(length(*partition)).unwrap_or(i32::MAX))
                    .collect::<Vec<_>>(),
            )
            .bind(self.after.0)
            .bind(self.after.1)
            .fetch_all(conn)
            .await?;
        // The statement returns no row for an empty list.
        for (word, partition) in &missing {
            self.lists.insert(((*word).to_owned(), *partition), List::default());
        }
        for (number, at, ids) in lists {
            let range = usize::try_from(number - 1).ok().and_then(|number| missing.get(number));
            let Some((word, partition)) = range else { continue };
            let entries: Vec<Entry> = at.into_iter().zip(ids).collect();
            let unknown_from = entries.iter().min().copied().filter(|_| entries.len() >= length(*partition));
            let list = List { entries, unknown_from };
            self.lists.insert(((*word).to_owned(), *partition), list);
        }
        Ok(true)
    }

    /// Returns the newest documents after `before` that have the leader and may have every other word, down to the end
    /// of the leader and of the words whose lists are worth reading on. Below the end of another incomplete list, a
    /// document may have its word.
    pub(super) fn intersect(
        &self,
        ranges: &[Range<'_>],
        places: usize,
        leader: usize,
        before: Entry,
        limit: usize,
    ) -> Intersection {
        let mut audiences: HashMap<i32, LeadingDocuments> = HashMap::new();
        // Leader lists come first, because only documents with the leader are added.
        let (leading, others): (Vec<&Range<'_>>, Vec<&Range<'_>>) =
            ranges.iter().partition(|range| range.place == leader);
        for range in leading.into_iter().chain(others) {
            let Some(list) = self.lists.get(&(range.word.to_owned(), range.partition)) else { continue };
            // The two partitions of an audience share a document.
            let documents = audiences.entry(range.partition >> 1).or_insert_with(|| LeadingDocuments::empty(places));
            documents.add(range.place, range.place == leader, list, before);
        }
        let end = audiences.values().filter_map(|documents| documents.end(leader)).max();
        let mut entries: Vec<Entry> = audiences.values().flat_map(|documents| documents.intersect()).collect();
        entries.retain(|entry| end.is_none_or(|end| *entry >= end));
        entries.sort_unstable_by_key(|entry| Reverse(*entry));
        let rest = if entries.len() > limit { entries.get(limit - 1).copied() } else { end };
        entries.truncate(limit);
        Intersection { ids: entries.into_iter().map(|(_, id)| id).collect(), rest }
    }
}

fn is_public(partition: i32) -> bool {
    partition >> 1 == PUBLIC
}

impl LeadingDocuments {
    fn empty(places: usize) -> Self {
        Self { places: HashMap::new(), unknown_from: vec![None; places], oldest: vec![None; places] }
    }

    fn add(&mut self, place: usize, leads: bool, list: &List, before: Entry) {
        for entry in list.entries.iter().filter(|entry| **entry < before) {
            if leads {
                *self.places.entry(*entry).or_default() |= 1 << place;
            } else if let Some(places) = self.places.get_mut(entry) {
                *places |= 1 << place;
            }
        }
        if let Some(unknown_from) = self.unknown_from.get_mut(place) {
            *unknown_from = (*unknown_from).max(list.unknown_from);
        }
        if let Some(oldest) = self.oldest.get_mut(place) {
            *oldest = list.entries.iter().copied().chain(*oldest).min();
        }
    }

    /// Returns the entry down to which these documents are known; `None` when no document below it has every word.
    fn end(&self, leader: usize) -> Option<Entry> {
        let is_continued = |(place, end): (usize, Entry)| {
            place == leader || self.places.keys().filter(|entry| **entry >= end).count() >= MIN_PROGRESS
        };
        let ends = self.unknown_from.iter().enumerate().filter_map(|(place, end)| Some((place, (*end)?)));
        let end = ends.filter(|end| is_continued(*end)).map(|(_, end)| end).max()?;
        let mut places = self.unknown_from.iter().zip(&self.oldest);
        let continues = places.all(|(unknown, oldest)| unknown.is_some() || oldest.is_some_and(|oldest| oldest < end));
        continues.then_some(end)
    }

    fn intersect(&self) -> impl Iterator<Item = Entry> + '_ {
        self.places.iter().filter_map(|(entry, has)| {
            let mut places = self.unknown_from.iter().enumerate();
            let may_have = |(place, unknown_from): (usize, &Option<Entry>)| {
                has & 1 << place != 0 || unknown_from.is_some_and(|from| *entry < from)
            };
            places.all(may_have).then_some(*entry)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC_TITLES: i32 = 0;
    const OTHERS: i32 = 14;

    fn entry(at: i32) -> Entry {
        (at, Uuid::from_u128(u128::from(at.unsigned_abs())))
    }

    /// Lists from (word, partition, times, incomplete).
    fn entry_lists(lists: &[(usize, i32, &[i32], bool)]) -> (EntryLists, Vec<Range<'static>>) {
        const WORDS: [&str; 3] = ["law", "clerk", "moot"];
        let mut entry_lists = EntryLists::after((i32::MAX, Uuid::max()));
        let mut ranges = Vec::new();
        for (place, partition, times, incomplete) in lists {
            let entries: Vec<Entry> = times.iter().map(|at| entry(*at)).collect();
            let unknown_from = entries.last().copied().filter(|_| *incomplete);
            entry_lists.lists.insert((WORDS[*place].to_owned(), *partition), List { entries, unknown_from });
            ranges.push(Range { place: *place, word: WORDS[*place], partition: *partition });
        }
        (entry_lists, ranges)
    }

    fn intersection(lists: &[(usize, i32, &[i32], bool)], before: i32, limit: usize) -> Vec<i32> {
        let (entry_lists, ranges) = entry_lists(lists);
        let found = entry_lists.intersect(&ranges, 2, 0, entry(before), limit);
        found.ids.into_iter().map(|id| i32::try_from(id.as_u128()).unwrap()).collect()
    }

    #[test]
    fn documents_with_every_word_are_returned_newest_first() {
        let lists: [(usize, i32, &[i32], bool); 2] =
            [(0, PUBLIC_TITLES, &[9, 7, 5, 3], false), (1, PUBLIC_TITLES, &[8, 7, 5, 2], false)];
        assert_eq!(intersection(&lists, 99, 9), [7, 5]);
        assert_eq!(intersection(&lists, 99, 1), [7]);
        assert_eq!(intersection(&lists, 7, 9), [5], "after the cursor");
    }

    #[test]
    fn words_may_be_in_the_title_or_the_body_of_one_audience() {
        let lists: [(usize, i32, &[i32], bool); 3] =
            [(0, PUBLIC_TITLES, &[9, 7], false), (1, PUBLIC_TITLES + 1, &[9], false), (1, OTHERS, &[7], false)];
        assert_eq!(intersection(&lists, 99, 9), [9]);
    }

    #[test]
    fn a_document_older_than_an_incomplete_list_may_have_its_word() {
        let lists: [(usize, i32, &[i32], bool); 2] =
            [(0, PUBLIC_TITLES, &[9, 6, 5, 3], false), (1, PUBLIC_TITLES, &[9, 5], true)];
        assert_eq!(intersection(&lists, 99, 9), [9, 5, 3]);
        let other_audience: [(usize, i32, &[i32], bool); 3] =
            [(0, PUBLIC_TITLES, &[9, 6], false), (1, PUBLIC_TITLES, &[9], false), (1, OTHERS, &[8], true)];
        assert_eq!(intersection(&other_audience, 99, 9), [9], "only lists of the same audience count");
    }

    #[test]
    fn the_intersection_goes_on_below_the_end_of_a_list() {
        let rest = |lists: &[(usize, i32, &[i32], bool)], limit| {
            let (entry_lists, ranges) = entry_lists(lists);
            let found = entry_lists.intersect(&ranges, 2, 0, entry(999), limit);
            (found.ids.len(), found.rest)
        };
        let leader = (0, PUBLIC_TITLES, [9, 6, 5, 3].as_slice(), true);
        let other = (1, PUBLIC_TITLES, [9, 3, 2].as_slice(), false);
        assert_eq!(rest(&[leader, other], 9), (2, Some(entry(3))), "the end of the leader");
        assert_eq!(rest(&[leader, (1, PUBLIC_TITLES, &[9, 3], false)], 9), (2, None), "no older document has the word");
        assert_eq!(rest(&[leader, (1, PUBLIC_TITLES, &[], false)], 9), (0, None), "no document has the word");
        assert_eq!(rest(&[leader, other], 1), (1, Some(entry(9))), "that of the page");
        let newer: Vec<i32> = (100..300).rev().collect();
        let complete = (0, PUBLIC_TITLES, newer.as_slice(), false);
        assert_eq!(rest(&[complete, (1, PUBLIC_TITLES, &[280, 150], true)], 9), (2, Some(entry(150))), "far enough");
        assert_eq!(rest(&[complete, (1, PUBLIC_TITLES, &[280, 250], true)], 999), (152, None), "a frequent word");
    }

    #[test]
    fn lists_that_do_not_cover_the_position_are_read_again() {
        let (entry_lists, _) = entry_lists(&[(0, PUBLIC_TITLES, &[9, 6], true), (1, PUBLIC_TITLES, &[9, 5], false)]);
        assert!(entry_lists.covers(entry(9)) && entry_lists.covers(entry(7)));
        assert!(!entry_lists.covers(entry(6)) && !entry_lists.covers(entry(3)));
        let later = EntryLists { after: entry(8), ..entry_lists };
        assert!(later.covers(entry(8)) && !later.covers(entry(9)), "newer entries were not read");
    }
}

//! Meeting: the newest entries of several words, held against each other.
//!
//! Postgres reads the lists, each a piece of one index. They are compared here: grouping the same entries takes Postgres
//! several times as long as reading them, and what was read once serves every rank.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    EVERYBODY,
    sql::{Sql, query_as},
};

/// Entries of a list at most.
const LONGEST: usize = 1000;
/// Entries of everybody's lists together, and of all other audiences', as long as each may be as long as the shortest.
const TOGETHER: usize = 16_000;
const SHORTEST: usize = 64;

/// A document as the entries have it: its moment and its id.
pub(super) type Entry = (i32, Uuid);

/// A word on a shelf, where it will do for one of those looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range<'a> {
    pub(super) place: usize,
    pub(super) word: &'a str,
    pub(super) shelf: i32,
}

/// The newest entries behind a point, of some words on some shelves.
#[derive(Debug)]
pub(super) struct Held {
    behind: Entry,
    lists: HashMap<(String, i32), List>,
}

/// Entries of one word on one shelf, the newest first.
#[derive(Debug, Default)]
struct List {
    entries: Vec<Entry>,
    /// The moment from which on backwards there may be others; `None` where these are all.
    unknown_from: Option<i32>,
}

/// What is known of the documents of one audience that have the word that leads.
struct Known {
    /// The places each has a word for, a bit each.
    places: HashMap<Entry, u32>,
    /// For each place the moment from which on backwards a document may have its words without being known to.
    unknown_from: Vec<Option<i32>>,
}

impl Held {
    /// Nothing yet; what will be read is behind this.
    pub(super) fn behind(behind: Entry) -> Self {
        Self { behind, lists: HashMap::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Whether the lists go on behind `before`, each to its end or to something older.
    pub(super) fn reach(&self, before: Entry) -> bool {
        before <= self.behind
            && self.lists.values().filter_map(|list| list.unknown_from).all(|unknown| unknown < before.0)
    }

    /// Reads those of the lists behind `before` that are not held.
    ///
    /// # Errors
    /// As any statement.
    pub(super) async fn read(
        &mut self,
        conn: &mut PgConnection,
        sql: &Sql,
        ranges: &[Range<'_>],
        before: Entry,
    ) -> Result<(), sqlx::Error> {
        if !self.reach(before) {
            *self = Self::behind(before);
        }
        let missing: HashSet<(&str, i32)> = ranges.iter().map(|range| (range.word, range.shelf)).collect();
        let missing: Vec<(&str, i32)> = missing
            .into_iter()
            .filter(|(word, shelf)| !self.lists.contains_key(&((*word).to_owned(), *shelf)))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        // A document of a community is one of few; those for everybody are not crowded out by a hundred communities.
        let everybodys = missing.iter().filter(|(_, shelf)| is_everybodys(*shelf)).count();
        let length = |lists: usize| (TOGETHER / lists.max(1)).clamp(SHORTEST, LONGEST);
        let (of_everybody, of_others) = (length(everybodys), length(missing.len() - everybodys));
        let length = |shelf: i32| if is_everybodys(shelf) { of_everybody } else { of_others };
        let (words, shelves): (Vec<&str>, Vec<i32>) = missing.iter().copied().unzip();
        let lists: Vec<(i64, Vec<i32>, Vec<Uuid>)> = query_as(&sql.lists)
            .bind(&words)
            .bind(&shelves)
            .bind(shelves.iter().map(|shelf| i32::try_from(length(*shelf)).unwrap_or(i32::MAX)).collect::<Vec<_>>())
            .bind(self.behind.0)
            .bind(self.behind.1)
            .fetch_all(conn)
            .await?;
        // Of what has no entry here nothing is told.
        for (word, shelf) in &missing {
            self.lists.insert(((*word).to_owned(), *shelf), List::default());
        }
        for (number, at, ids) in lists {
            let range = usize::try_from(number - 1).ok().and_then(|number| missing.get(number));
            let Some((word, shelf)) = range else { continue };
            let unknown_from = at.iter().min().copied().filter(|_| at.len() >= length(*shelf));
            let list = List { entries: at.into_iter().zip(ids).collect(), unknown_from };
            self.lists.insert(((*word).to_owned(), *shelf), list);
        }
        Ok(())
    }

    /// The newest documents behind `before` that have a word for the place that leads, and for every other as far as can be
    /// told: of what is older than a list reaches it is not known that it has not.
    pub(super) fn meet(
        &self,
        ranges: &[Range<'_>],
        places: usize,
        leader: usize,
        before: Entry,
        limit: usize,
    ) -> Vec<Uuid> {
        let mut audiences: HashMap<i32, Known> = HashMap::new();
        // Only documents that have the word that leads are known at all.
        let (leading, others): (Vec<&Range<'_>>, Vec<&Range<'_>>) =
            ranges.iter().partition(|range| range.place == leader);
        for range in leading.into_iter().chain(others) {
            let Some(list) = self.lists.get(&(range.word.to_owned(), range.shelf)) else { continue };
            // A document is of one audience, which has two shelves.
            let known = audiences.entry(range.shelf >> 1).or_insert_with(|| Known::nothing(places));
            known.learn(range.place, range.place == leader, list, before);
        }
        let mut met: Vec<Entry> = audiences.values().flat_map(|known| known.meet()).collect();
        met.sort_unstable_by_key(|entry| Reverse(*entry));
        met.truncate(limit);
        met.into_iter().map(|(_, id)| id).collect()
    }
}

fn is_everybodys(shelf: i32) -> bool {
    shelf >> 1 == EVERYBODY
}

impl Known {
    fn nothing(places: usize) -> Self {
        Self { places: HashMap::new(), unknown_from: vec![None; places] }
    }

    fn learn(&mut self, place: usize, leads: bool, list: &List, before: Entry) {
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
    }

    fn meet(&self) -> impl Iterator<Item = Entry> + '_ {
        self.places.iter().filter_map(|(entry, has)| {
            let mut places = self.unknown_from.iter().enumerate();
            let may_have = |(place, unknown_from): (usize, &Option<i32>)| {
                has & 1 << place != 0 || unknown_from.is_some_and(|from| entry.0 <= from)
            };
            places.all(may_have).then_some(*entry)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERYBODYS: i32 = 0;
    const OTHERS: i32 = 14;

    fn entry(at: i32) -> Entry {
        (at, Uuid::from_u128(u128::from(at.unsigned_abs())))
    }

    /// Lists of places: the shelf, the moments, and whether there are older ones.
    fn held(lists: &[(usize, i32, &[i32], bool)]) -> (Held, Vec<Range<'static>>) {
        const WORDS: [&str; 3] = ["law", "clerk", "moot"];
        let mut held = Held::behind((i32::MAX, Uuid::max()));
        let mut ranges = Vec::new();
        for (place, shelf, moments, cut_off) in lists {
            let entries: Vec<Entry> = moments.iter().map(|at| entry(*at)).collect();
            let unknown_from = moments.last().copied().filter(|_| *cut_off);
            held.lists.insert((WORDS[*place].to_owned(), *shelf), List { entries, unknown_from });
            ranges.push(Range { place: *place, word: WORDS[*place], shelf: *shelf });
        }
        (held, ranges)
    }

    fn met(lists: &[(usize, i32, &[i32], bool)], before: i32, limit: usize) -> Vec<i32> {
        let (held, ranges) = held(lists);
        let ids = held.meet(&ranges, 2, 0, entry(before), limit);
        ids.into_iter().map(|id| i32::try_from(id.as_u128()).unwrap()).collect()
    }

    #[test]
    fn those_that_have_every_word_meet_the_newest_first() {
        let lists: [(usize, i32, &[i32], bool); 2] =
            [(0, EVERYBODYS, &[9, 7, 5, 3], false), (1, EVERYBODYS, &[8, 7, 5, 2], false)];
        assert_eq!(met(&lists, 99, 9), [7, 5]);
        assert_eq!(met(&lists, 99, 1), [7]);
        assert_eq!(met(&lists, 7, 9), [5], "behind what was seen");
    }

    #[test]
    fn words_may_stand_in_the_title_or_the_body_but_of_one_audience() {
        let lists: [(usize, i32, &[i32], bool); 3] =
            [(0, EVERYBODYS, &[9, 7], false), (1, EVERYBODYS + 1, &[9], false), (1, OTHERS, &[7], false)];
        assert_eq!(met(&lists, 99, 9), [9]);
    }

    #[test]
    fn what_is_older_than_a_list_reaches_may_have_its_word() {
        let lists: [(usize, i32, &[i32], bool); 2] =
            [(0, EVERYBODYS, &[9, 6, 5, 3], true), (1, EVERYBODYS, &[9, 5], true)];
        assert_eq!(met(&lists, 99, 9), [9, 5, 3]);
        let other_audience: [(usize, i32, &[i32], bool); 3] =
            [(0, EVERYBODYS, &[9, 6], false), (1, EVERYBODYS, &[9], false), (1, OTHERS, &[8], true)];
        assert_eq!(met(&other_audience, 99, 9), [9], "as far as lists of its own audience reach");
    }

    #[test]
    fn lists_are_read_again_where_they_do_not_reach() {
        let (held, _) = held(&[(0, EVERYBODYS, &[9, 6], true), (1, EVERYBODYS, &[9, 5], false)]);
        assert!(held.reach(entry(9)) && held.reach(entry(7)));
        assert!(!held.reach(entry(6)) && !held.reach(entry(3)));
        let later = Held { behind: entry(8), ..held };
        assert!(later.reach(entry(8)) && !later.reach(entry(9)), "nothing is known of what is newer");
    }
}

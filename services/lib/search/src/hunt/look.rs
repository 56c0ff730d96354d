//! Looking: what each round of a hunt reads, and what of that is noted.

use std::{cmp::Reverse, ops};

use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Hit, Hunt, NEWEST, Round,
    meet::{Entry, Held, Range},
};
use crate::{
    asked::Spot,
    keep::shelf,
    rank::{Candidate, Row, judge},
    sql::query_as,
};

/// Rows a statement reads at most, entries it counts at most: the statements have the numbers in them.
pub(super) const PIECE: usize = 64;
/// Documents of the word that leads which are looked at before all words are held against each other.
const GLANCE: usize = 32;
/// Audiences of which each is asked for every word.
const FEW: usize = 2;
/// Entries of a word beyond everybody's that are looked through for their shelves at most, and for each audience: to ask
/// an audience for a word costs as much as to read twenty entries.
const TOLD: usize = 1000;
const TOLD_EACH: usize = 20;
/// Documents a walk reads at least: of those the asker may not see, each would else be a statement.
const STEP: usize = 8;

/// Ranges of the entries, as the statements take them.
#[derive(Default)]
struct Ranges {
    words: Vec<String>,
    shelves: Vec<i32>,
    numbers: Vec<i32>,
    at: Vec<i32>,
    ids: Vec<Uuid>,
}

impl Ranges {
    fn push(&mut self, word: &str, shelf: i32, number: i32, before: (i32, Uuid)) {
        self.words.push(word.to_owned());
        self.shelves.push(shelf);
        self.numbers.push(number);
        self.at.push(before.0);
        self.ids.push(before.1);
    }
}

impl<T> Hunt<T> {
    /// Which word the fewest documents have, and how many these are, as far as they were counted. `None` when there is one
    /// that none has.
    pub(super) async fn leader(&self, conn: &mut PgConnection) -> Result<Option<(usize, usize)>, sqlx::Error> {
        let mut ranges = Ranges::default();
        for candidate in &self.candidates {
            for (_, shelf) in self.shelves(candidate) {
                ranges.push(&candidate.word, shelf, i32::try_from(candidate.place).unwrap_or(0), NEWEST);
            }
        }
        let counted: Vec<(i32, i64, Option<i32>)> = query_as(&self.search.sql.count)
            .bind(&ranges.words)
            .bind(&ranges.shelves)
            .bind(&ranges.numbers)
            .fetch_all(conn)
            .await?;
        let places = self.asked.words.len();
        if counted.len() < places || counted.iter().any(|(_, n, _)| *n == 0) {
            return Ok(None);
        }
        // Counted whole before those that have more; of these the one whose newest reach furthest back.
        let rarest = counted.into_iter().min_by_key(|(place, n, since)| match since {
            None => (false, *n, *place),
            Some(since) => (true, i64::from(*since), *place),
        });
        Ok(rarest.map(|(place, n, _)| (usize::try_from(place).unwrap_or(0), usize::try_from(n).unwrap_or(usize::MAX))))
    }

    /// Learns on which shelves some words stand: most are in few documents, and few audiences have them. Of a word that is
    /// in many nothing is learnt.
    pub(super) async fn stand(&mut self, conn: &mut PgConnection, new: &[Candidate]) -> Result<(), sqlx::Error> {
        if self.audiences.len() <= FEW || new.is_empty() {
            return Ok(());
        }
        let words: Vec<&str> = new.iter().map(|candidate| candidate.word.as_str()).collect();
        let most = i64::try_from((self.audiences.len() * TOLD_EACH).min(TOLD)).unwrap_or(i64::MAX);
        let told: Vec<(String, i64, Vec<i32>)> =
            query_as(&self.search.sql.standing).bind(&words).bind(most).fetch_all(conn).await?;
        for (word, entries, shelves) in told {
            if entries < most {
                self.standing.insert(word, shelves.into_iter().collect());
            }
        }
        Ok(())
    }

    /// Where a word may stand: its rank there, and the shelf.
    fn shelves<'a>(&'a self, candidate: &'a Candidate) -> impl Iterator<Item = (u8, i32)> + 'a {
        let ranks = [true, false].map(|in_title| self.search.order.rank(candidate.kinship, in_title));
        let [title, body] = ranks;
        let standing = self.standing.get(&candidate.word);
        let shelves = self.audiences.iter().map(|audience| shelf(*audience));
        let shelves = shelves.flat_map(move |shelf| [(title, shelf), (body, shelf.saturating_add(1))]);
        shelves.filter(move |(_, shelf)| *shelf <= 1 || standing.is_none_or(|standing| standing.contains(shelf)))
    }

    /// One word: the next of it.
    pub(super) async fn walk(
        &mut self,
        conn: &mut PgConnection,
        after: Option<Spot>,
        end: u8,
    ) -> Result<(), sqlx::Error> {
        let Some(after) = after else { return Ok(()) };
        let mut ranges = Ranges::default();
        for candidate in &self.candidates {
            for (rank, shelf) in self.shelves(candidate).filter(|(rank, _)| (after.rank..end).contains(rank)) {
                let before = if rank == after.rank { (after.at, after.id) } else { NEWEST };
                ranges.push(&candidate.word, shelf, i32::from(rank), before);
            }
        }
        // Where many were of no use, many more may be.
        let limit = self.missing().max(self.looked_at).clamp(STEP, PIECE);
        let rows = self.read(conn, ranges, limit).await?;
        if let Some(last) = rows.last().filter(|_| rows.len() >= limit) {
            let rank = u8::try_from(last.rank).unwrap_or(end);
            let after = Spot { rank, at: last.at, id: last.id };
            self.rounds.push_front(Round::Walk { after: Some(after), end });
        }
        for row in rows {
            let rank = u8::try_from(row.rank).unwrap_or(end);
            self.take(&row, rank..rank.saturating_add(1));
        }
        Ok(())
    }

    /// Several words, one of which only few documents have: all of those.
    pub(super) async fn all_of(
        &mut self,
        conn: &mut PgConnection,
        leader: usize,
        ranks: ops::Range<u8>,
    ) -> Result<(), sqlx::Error> {
        let ranges = self.led_by(leader, u8::MAX, NEWEST);
        let rows = self.read(conn, ranges, PIECE).await?;
        for row in rows {
            self.take(&row, ranks.clone());
        }
        self.hits.make_contiguous().sort_by_key(|hit| (hit.spot.rank, Reverse((hit.spot.at, hit.spot.id))));
        Ok(())
    }

    /// Several words, each of which many documents have: the next of one rank.
    pub(super) async fn follow(
        &mut self,
        conn: &mut PgConnection,
        leader: usize,
        rank: u8,
        before: (i32, Uuid),
        meeting: bool,
    ) -> Result<(), sqlx::Error> {
        // What is held already is told without looking.
        let meeting = meeting || (!self.held.is_empty() && self.held.reach(before));
        let limit = if meeting { self.missing().clamp(STEP, PIECE) } else { GLANCE };
        let rows = if meeting {
            self.meet(conn, leader, rank, before, limit).await?
        } else {
            let ranges = self.led_by(leader, rank, before);
            self.read(conn, ranges, limit).await?
        };
        if let Some(last) = rows.last().filter(|_| rows.len() >= limit) {
            let before = (last.at, last.id);
            self.rounds.push_front(Round::Follow { leader, rank, before, meeting: true });
        }
        for row in rows {
            self.take(&row, rank..rank + 1);
        }
        Ok(())
    }

    /// The ranges of the word that leads, as far as they may lead to such a rank; in one order, whatever their own ranks.
    fn led_by(&self, leader: usize, rank: u8, before: (i32, Uuid)) -> Ranges {
        let mut ranges = Ranges::default();
        for candidate in self.candidates.iter().filter(|candidate| candidate.place == leader) {
            for (_, shelf) in self.shelves(candidate).filter(|(own, _)| *own <= rank) {
                ranges.push(&candidate.word, shelf, 0, before);
            }
        }
        ranges
    }

    async fn read(&mut self, conn: &mut PgConnection, ranges: Ranges, limit: usize) -> Result<Vec<Row>, sqlx::Error> {
        if ranges.words.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<Row> = query_as(&self.search.sql.walk)
            .bind(&ranges.words)
            .bind(&ranges.shelves)
            .bind(&ranges.numbers)
            .bind(&ranges.at)
            .bind(&ranges.ids)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(conn)
            .await?;
        self.looked_at += rows.len();
        Ok(rows)
    }

    /// The newest that may have every word, in a place that may lead to such a rank.
    async fn meet(
        &mut self,
        conn: &mut PgConnection,
        leader: usize,
        rank: u8,
        before: Entry,
        limit: usize,
    ) -> Result<Vec<Row>, sqlx::Error> {
        let mut held = std::mem::replace(&mut self.held, Held::behind(NEWEST));
        let ranges = self.candidates.iter().flat_map(|candidate| {
            let range = |shelf| Range { place: candidate.place, word: candidate.word.as_str(), shelf };
            self.shelves(candidate).map(move |(own, shelf)| (own, range(shelf)))
        });
        let (ranks, ranges): (Vec<u8>, Vec<Range<'_>>) = ranges.unzip();
        // Of all ranks at once: the next ones need them too.
        held.read(conn, &self.search.sql, &ranges, before).await?;
        let good: Vec<Range<'_>> =
            ranks.into_iter().zip(ranges).filter(|(own, _)| *own <= rank).map(|(_, range)| range).collect();
        let met = held.meet(&good, self.asked.words.len(), leader, before, limit);
        self.held = held;
        if met.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<Row> = query_as(&self.search.sql.these).bind(&met).fetch_all(conn).await?;
        self.looked_at += rows.len();
        Ok(rows)
    }

    /// Notes what was found, if it is of these ranks, new, and after the last page.
    fn take(&mut self, row: &Row, ranks: ops::Range<u8>) {
        let Some((rank, words)) = judge(self.search.order, &self.candidates, self.asked.words.len(), row) else {
            return;
        };
        let spot = Spot { rank, at: row.at, id: row.id };
        if !ranks.contains(&rank) || self.asked.after.is_some_and(|after| !spot.is_after(after)) {
            return;
        }
        if self.seen.insert(row.id) {
            let beginning = |word: &str| {
                let typed = self.asked.words.iter().find(|typed| word.starts_with(typed.as_str()));
                typed.map_or(word, String::as_str).to_owned()
            };
            self.hits.push_back(Hit { spot, terms: words.into_iter().map(beginning).collect() });
        }
    }
}

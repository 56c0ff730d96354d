//! The scans of a query: which ranges each step reads, and which rows become hits.

use std::{cmp::Reverse, ops};

use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Hit, NEWEST, SearchExecutor, Step,
    intersect::{Entry, EntryLists, Intersection, Range},
};
use crate::{
    index::partition,
    query::SearchCursor,
    ranking::{Candidate, Row, Shelves, rank_document},
    sql::query_as,
};

/// The most rows or counted entries of one statement, as written in the statements.
pub(super) const MAX_ROWS: usize = 64;
/// Documents of the leader that are scanned before intersecting all words.
const LEADER_SCAN: usize = 32;
/// The most reads of lists of one query, each of at most 32,000 entries: less than a hundredth of a buffer for each.
const MAX_INTERSECTIONS: usize = 16;
/// Up to this number of audiences, every partition is read for every word.
const FEW_AUDIENCES: usize = 2;
/// The most non-public entries of a word that are read for their partitions, in total and for each audience. Reading a
/// word in one partition costs as much as 20 entries.
const MAX_PARTITION_ENTRIES: usize = 1000;
const PARTITION_ENTRIES_PER_AUDIENCE: usize = 20;
/// The fewest documents of one scan, so that invisible documents do not cost a statement each.
const MIN_ROWS: usize = 8;

/// Ranges of the entries as parameter arrays.
#[derive(Default)]
struct Ranges {
    words: Vec<String>,
    partitions: Vec<i32>,
    numbers: Vec<i32>,
    at: Vec<i32>,
    ids: Vec<Uuid>,
}

impl Ranges {
    fn push(&mut self, word: &str, partition: i32, number: i32, before: (i32, Uuid)) {
        self.words.push(word.to_owned());
        self.partitions.push(partition);
        self.numbers.push(number);
        self.at.push(before.0);
        self.ids.push(before.1);
    }
}

impl<T> SearchExecutor<T> {
    /// Finds the rarest word and the counted number of its documents. `None` when a word has no document. For a word
    /// with more beginnings than candidates the number is unknown, so a rare other word leads.
    pub(super) async fn leader(&self, conn: &mut PgConnection) -> Result<Option<(usize, usize)>, sqlx::Error> {
        let mut ranges = Ranges::default();
        for candidate in &self.candidates {
            for (_, partition) in self.partitions_of(candidate) {
                ranges.push(&candidate.word, partition, i32::try_from(candidate.place).unwrap_or(0), NEWEST);
            }
        }
        let counted: Vec<(i32, i64, Option<i32>)> = query_as(&self.search.sql.count_documents)
            .bind(&ranges.words)
            .bind(&ranges.partitions)
            .bind(&ranges.numbers)
            .fetch_all(conn)
            .await?;
        let places = self.query.words.len();
        if counted.len() < places || counted.iter().any(|(_, n, _)| *n == 0) {
            return Ok(None);
        }
        let is_rare = |(place, n, since): &&(i32, i64, Option<i32>)| {
            let is_cut = usize::try_from(*place).is_ok_and(|place| self.cut.contains(&place));
            since.is_none() && !is_cut && usize::try_from(*n).is_ok_and(|n| n < MAX_ROWS)
        };
        if let Some((place, n, _)) = counted.iter().filter(is_rare).min_by_key(|(place, n, _)| (*n, *place)) {
            return Ok(Some((usize::try_from(*place).unwrap_or(0), usize::try_from(*n).unwrap_or(usize::MAX))));
        }
        // Complete counts come first; among the others, the word whose counted entries reach furthest back.
        let rarest = counted.into_iter().min_by_key(|(place, n, since)| match since {
            None => (false, *n, *place),
            Some(since) => (true, i64::from(*since), *place),
        });
        Ok(rarest.map(|(place, n, _)| (usize::try_from(place).unwrap_or(0), usize::try_from(n).unwrap_or(usize::MAX))))
    }

    /// Reads the partitions in which words occur. Most words are in few documents and few audiences; nothing is stored for a
    /// frequent word.
    pub(super) async fn read_partitions(
        &mut self,
        conn: &mut PgConnection,
        new: &[Candidate],
    ) -> Result<(), sqlx::Error> {
        if self.audiences.len() <= FEW_AUDIENCES || new.is_empty() {
            return Ok(());
        }
        let words: Vec<&str> = new.iter().map(|candidate| candidate.word.as_str()).collect();
        let most = i64::try_from((self.audiences.len() * PARTITION_ENTRIES_PER_AUDIENCE).min(MAX_PARTITION_ENTRIES))
            .unwrap_or(i64::MAX);
        let rows: Vec<(String, i64, Vec<i32>)> =
            query_as(&self.search.sql.partitions).bind(&words).bind(most).fetch_all(conn).await?;
        for (word, entries, partitions) in rows {
            if entries < most {
                self.partitions.insert(word, partitions.into_iter().collect());
            }
        }
        Ok(())
    }

    /// The partitions in which a word may occur, with its rank there.
    fn partitions_of<'a>(&'a self, candidate: &'a Candidate) -> impl Iterator<Item = (u8, i32)> + 'a {
        let ranks = [true, false].map(|in_title| self.search.order.rank(candidate.kind, in_title));
        let [title, body] = ranks;
        let known = self.partitions.get(&candidate.word);
        let both = [(title, 0), (body, 1)];
        let (skip, take) = match candidate.shelves {
            Shelves::Both => (0, 2),
            Shelves::Body => (1, 1),
            Shelves::Beginning => (0, 1),
        };
        let partitions = self.audiences.iter().map(|audience| partition(*audience));
        let partitions = partitions.flat_map(move |first| {
            both.map(|(rank, shelf)| (rank, first.saturating_add(shelf))).into_iter().skip(skip).take(take)
        });
        partitions.filter(move |(_, partition)| *partition <= 1 || known.is_none_or(|known| known.contains(partition)))
    }

    /// Scans the next documents of a single word.
    pub(super) async fn scan(
        &mut self,
        conn: &mut PgConnection,
        after: Option<SearchCursor>,
        end: u8,
    ) -> Result<(), sqlx::Error> {
        let Some(after) = after else { return Ok(()) };
        let mut ranges = Ranges::default();
        for candidate in &self.candidates {
            for (rank, partition) in self.partitions_of(candidate).filter(|(rank, _)| (after.rank..end).contains(rank))
            {
                let before = if rank == after.rank { (after.at, after.id) } else { NEWEST };
                ranges.push(&candidate.word, partition, i32::from(rank), before);
            }
        }
        // After many invisible documents, more are likely: the limit grows with the number scanned.
        let limit = self.missing().max(self.scanned).clamp(MIN_ROWS, MAX_ROWS);
        let by_entries = self.is_decided_by_entries();
        let rows = self.read(conn, ranges, limit, by_entries).await?;
        if let Some(last) = rows.last().filter(|_| rows.len() >= limit) {
            let rank = u8::try_from(last.rank).unwrap_or(end);
            let after = SearchCursor { rank, at: last.at, id: last.id };
            self.steps.push_front(Step::Scan { after: Some(after), end });
        }
        for row in rows {
            let rank = u8::try_from(row.rank).unwrap_or(end);
            if by_entries {
                self.add_entry(&row, rank);
            } else {
                self.add_hit(&row, rank..rank.saturating_add(1), None);
            }
        }
        Ok(())
    }

    /// Whether the entries alone decide the hits of a single word, so that no document is read: the first entry gives
    /// its best rank unless a cursor is behind it, and the typed text marks every candidate.
    fn is_decided_by_entries(&self) -> bool {
        let [typed] = self.query.words.as_slice() else { return false };
        self.query.after.is_none() && self.candidates.iter().all(|candidate| candidate.word.starts_with(typed))
    }

    /// Scans all documents of a rare leader. Their words show every beginning, including beginnings that no candidate
    /// has.
    pub(super) async fn scan_all(
        &mut self,
        conn: &mut PgConnection,
        leader: usize,
        ranks: ops::Range<u8>,
    ) -> Result<(), sqlx::Error> {
        let ranges = self.leader_ranges(leader, u8::MAX, NEWEST);
        let rows = self.read(conn, ranges, MAX_ROWS, false).await?;
        for row in rows {
            self.add_hit(&row, ranks.clone(), Some(leader));
        }
        self.hits.make_contiguous().sort_by_key(|hit| (hit.cursor.rank, Reverse((hit.cursor.at, hit.cursor.id))));
        Ok(())
    }

    /// Scans the next documents of one rank for several frequent words.
    pub(super) async fn scan_leader(
        &mut self,
        conn: &mut PgConnection,
        leader: usize,
        rank: u8,
        before: (i32, Uuid),
        intersecting: bool,
    ) -> Result<(), sqlx::Error> {
        // Entries that were read before are intersected without a scan.
        let intersecting = intersecting || (!self.lists.is_empty() && self.lists.covers(before));
        let (rows, rest) = if intersecting {
            let limit = self.missing().clamp(MIN_ROWS, MAX_ROWS);
            self.intersect(conn, leader, rank, before, limit).await?
        } else {
            let ranges = self.leader_ranges(leader, rank, before);
            let rows = self.read(conn, ranges, LEADER_SCAN, false).await?;
            let rest = rows.last().filter(|_| rows.len() >= LEADER_SCAN).map(|last| (last.at, last.id));
            (rows, rest)
        };
        if let Some(before) = rest {
            self.steps.push_front(Step::ScanLeader { leader, rank, before, intersecting: true });
        }
        for row in rows {
            self.add_hit(&row, rank..rank + 1, None);
        }
        Ok(())
    }

    /// The ranges of the leader that can reach the rank, in one order by time.
    fn leader_ranges(&self, leader: usize, rank: u8, before: (i32, Uuid)) -> Ranges {
        let mut ranges = Ranges::default();
        for candidate in self.candidates.iter().filter(|candidate| candidate.place == leader) {
            for (_, partition) in self.partitions_of(candidate).filter(|(own, _)| *own <= rank) {
                ranges.push(&candidate.word, partition, 0, before);
            }
        }
        ranges
    }

    async fn read(
        &mut self,
        conn: &mut PgConnection,
        ranges: Ranges,
        limit: usize,
        entries_only: bool,
    ) -> Result<Vec<Row>, sqlx::Error> {
        if ranges.words.is_empty() {
            return Ok(Vec::new());
        }
        let sql = &self.search.sql;
        let rows: Vec<Row> = query_as(if entries_only { &sql.scan_entries } else { &sql.scan })
            .bind(&ranges.words)
            .bind(&ranges.partitions)
            .bind(&ranges.numbers)
            .bind(&ranges.at)
            .bind(&ranges.ids)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(conn)
            .await?;
        self.scanned += rows.len();
        Ok(rows)
    }

    /// The newest documents that may have every word in a partition that can reach the rank, and the end of what was read.
    async fn intersect(
        &mut self,
        conn: &mut PgConnection,
        leader: usize,
        rank: u8,
        before: Entry,
        limit: usize,
    ) -> Result<(Vec<Row>, Option<Entry>), sqlx::Error> {
        let mut lists = std::mem::replace(&mut self.lists, EntryLists::after(NEWEST));
        let ranges = self.candidates.iter().flat_map(|candidate| {
            let range = |partition| Range { place: candidate.place, word: candidate.word.as_str(), partition };
            self.partitions_of(candidate).map(move |(own, partition)| (own, range(partition)))
        });
        let (ranks, ranges): (Vec<u8>, Vec<Range<'_>>) = ranges.unzip();
        // Reads the lists of all ranks at once, because the later ranks need them too.
        let has_read = lists.read(conn, &self.search.sql, &ranges, before).await?;
        let matching: Vec<Range<'_>> =
            ranks.into_iter().zip(ranges).filter(|(own, _)| *own <= rank).map(|(_, range)| range).collect();
        let Intersection { ids, rest } = lists.intersect(&matching, self.query.words.len(), leader, before, limit);
        self.lists = lists;
        self.intersections += usize::from(has_read);
        let rest = rest.filter(|_| self.intersections < MAX_INTERSECTIONS);
        if ids.is_empty() {
            return Ok((Vec::new(), rest));
        }
        let rows: Vec<Row> = query_as(&self.search.sql.documents).bind(&ids).fetch_all(conn).await?;
        self.scanned += rows.len();
        Ok((rows, rest))
    }

    /// Adds an entry to the hits if it is the first one of its document.
    fn add_entry(&mut self, row: &Row, rank: u8) {
        if self.seen.insert(row.id) {
            let cursor = SearchCursor { rank, at: row.at, id: row.id };
            self.hits.push_back(Hit { cursor, terms: self.query.words.clone() });
        }
    }

    /// Adds a row to the hits if it has one of the ranks, is new, and follows the cursor. After a leader that is read completely,
    /// the other words match as beginnings of any word.
    fn add_hit(&mut self, row: &Row, ranks: ops::Range<u8>, rare_leader: Option<usize>) {
        let words = &self.query.words;
        let beginnings: Vec<(usize, &str)> = match rare_leader {
            Some(leader) if ranks.end > 2 => {
                words.iter().map(String::as_str).enumerate().filter(|(place, _)| *place != leader).collect()
            }
            _ => Vec::new(),
        };
        let ranked = rank_document(self.search.order, &self.candidates, words.len(), &beginnings, row);
        let Some((rank, words)) = ranked else { return };
        let cursor = SearchCursor { rank, at: row.at, id: row.id };
        if !ranks.contains(&rank) || self.query.after.is_some_and(|after| !cursor.is_after(after)) {
            return;
        }
        if self.seen.insert(row.id) {
            let prefix = |word: &str| {
                let typed = self.query.words.iter().find(|typed| word.starts_with(typed.as_str()));
                typed.map_or(word, String::as_str).to_owned()
            };
            self.hits.push_back(Hit { cursor, terms: words.into_iter().map(prefix).collect() });
        }
    }
}

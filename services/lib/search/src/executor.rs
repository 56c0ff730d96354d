//! The execution of a query, rank by rank in bounded steps, until the page is full.
//!
//! A single word is one range of the entries for each partition, newest first (`scan`). Of several words the rarest leads: its
//! documents are scanned. When it is frequent and its newest documents lack the other words, the newest entries of all words
//! are intersected (`intersect`). A caller with many audiences first reads the partitions in which each word occurs. Words
//! without a match are corrected, also when all words match but never in one document.

mod intersect;
mod scan;

use std::collections::{HashMap, HashSet, VecDeque};

use primitives::input::Cursor as _;
use sqlx::PgConnection;
use uuid::Uuid;

use self::intersect::EntryLists;
use crate::{
    Search, SearchQuery, WindowQuery,
    query::{SearchCursor, WindowCursor},
    ranking::{Candidate, MatchKind, Order, Shelves},
    sql::query_as,
    tokenization,
};

/// The most documents that one query scans.
const MAX_SCANNED: usize = 640;
/// The most corrections of one word.
const MAX_CORRECTIONS: usize = 6;
/// After every entry.
const NEWEST: (i32, Uuid) = (i32::MAX, Uuid::max());

/// A page of results.
#[derive(Debug)]
pub struct SearchPage<T> {
    /// At most the page size, the best first.
    pub rows: Vec<T>,
    /// Empty on the last page.
    pub next_page_token: String,
    /// Prefixes of the matching words.
    pub terms: Vec<String>,
}

impl<T> SearchPage<T> {
    /// The three fields of a response: rows as messages, token of the next page, terms.
    #[must_use]
    pub fn into_wire<M: From<T>>(self) -> (Vec<M>, String, Vec<String>) {
        (self.rows.into_iter().map(M::from).collect(), self.next_page_token, self.terms)
    }
}

/// A matching document, before the service has checked its visibility.
#[derive(Debug)]
struct Hit {
    cursor: SearchCursor,
    terms: Vec<String>,
}

/// A running query. `next` returns ids, the service reads them, and `accept` takes the visible rows, until `next` is `None`.
#[derive(Debug)]
pub struct SearchExecutor<T> {
    search: Search,
    query: SearchQuery,
    audiences: Vec<i32>,
    candidates: Vec<Candidate>,
    /// The positions of words that begin more words than there are candidates.
    cut: HashSet<usize>,
    /// The partitions in which a word occurs, without the public ones.
    partitions: HashMap<String, HashSet<i32>>,
    /// The next steps, in order.
    steps: VecDeque<Step>,
    hits: VecDeque<Hit>,
    pending: HashMap<Uuid, Hit>,
    seen: HashSet<Uuid>,
    scanned: usize,
    intersections: usize,
    accepted: Vec<(Hit, T)>,
    /// The entries of the candidates that were read last.
    lists: EntryLists,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Reads the candidates of this kind and starts their ranks.
    AddCandidates(MatchKind),
    /// Scans the ranges of a single word up to the rank `end`.
    Scan { after: Option<SearchCursor>, end: u8 },
    /// Finds documents with several words in one rank.
    ScanLeader { leader: usize, rank: u8, before: (i32, Uuid), intersecting: bool },
}

impl Search {
    /// Starts a query over the documents of the audiences.
    #[must_use]
    pub fn execute<T>(&self, query: SearchQuery, audiences: Vec<i32>) -> SearchExecutor<T> {
        let steps = if query.words.is_empty() {
            VecDeque::new()
        } else {
            [MatchKind::Exact, MatchKind::Related, MatchKind::Corrected].into_iter().map(Step::AddCandidates).collect()
        };
        let lists = EntryLists::after(query.after.map_or(NEWEST, |after| (after.at, after.id)));
        SearchExecutor {
            search: self.clone(),
            lists,
            query,
            audiences,
            candidates: Vec::new(),
            cut: HashSet::new(),
            partitions: HashMap::new(),
            steps,
            hits: VecDeque::new(),
            pending: HashMap::new(),
            seen: HashSet::new(),
            scanned: 0,
            intersections: 0,
            accepted: Vec::new(),
        }
    }
}

impl<T> SearchExecutor<T> {
    /// Returns the next ids to read; `None` when the page is full or there are no more matches.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn next(&mut self, conn: &mut PgConnection) -> Result<Option<Vec<Uuid>>, sqlx::Error> {
        let missing = self.missing();
        while missing > 0 && self.hits.is_empty() && self.scanned < MAX_SCANNED {
            let Some(step) = self.steps.pop_front() else { break };
            self.run(conn, step).await?;
        }
        let next: Vec<Hit> = self.hits.drain(..missing.min(self.hits.len())).collect();
        if next.is_empty() {
            return Ok(None);
        }
        let ids = next.iter().map(|hit| hit.cursor.id).collect();
        self.pending = next.into_iter().map(|hit| (hit.cursor.id, hit)).collect();
        Ok(Some(ids))
    }

    /// Takes the visible rows of the last ids, in any order.
    pub fn accept(&mut self, rows: impl IntoIterator<Item = T>, id: impl Fn(&T) -> Uuid) {
        let mut accepted: Vec<(Hit, T)> =
            rows.into_iter().filter_map(|row| self.pending.remove(&id(&row)).map(|hit| (hit, row))).collect();
        accepted.sort_by_key(|(hit, _)| (hit.cursor.rank, std::cmp::Reverse((hit.cursor.at, hit.cursor.id))));
        self.accepted.append(&mut accepted);
    }

    /// Returns the page of the accepted rows.
    #[must_use]
    pub fn page(mut self) -> SearchPage<T> {
        let rows = self.query.size.rows();
        let more = self.accepted.len() > rows;
        self.accepted.truncate(rows);
        let next_page_token = match self.accepted.last() {
            Some((last, _)) if more => last.cursor.to_token(),
            _ => String::new(),
        };
        let terms = self.terms();
        SearchPage { rows: self.accepted.into_iter().map(|(_, row)| row).collect(), next_page_token, terms }
    }

    /// A page of the window, whose rows of one rank are ordered by `key`. Pages read their window again: a change of the keys
    /// between two pages can repeat or skip a row.
    #[must_use]
    pub fn page_of_window<K: Ord>(mut self, window: &WindowQuery, key: impl Fn(&T) -> K) -> SearchPage<T> {
        let length = self.query.size.rows();
        let more = self.accepted.len() > length;
        self.accepted.truncate(length);
        let end = self.accepted.last().map(|(last, _)| last.cursor).filter(|_| more);
        let rest = window.skip + window.rows;
        let (start, length) = (self.query.after, u8::try_from(length).unwrap_or(u8::MAX));
        let next = if rest < self.accepted.len() {
            Some(WindowCursor { after: start, window: length, skip: u8::try_from(rest).unwrap_or(u8::MAX) })
        } else {
            end.map(|end| WindowCursor { after: Some(end), window: length, skip: 0 })
        };
        self.accepted.sort_by_cached_key(|(hit, row)| (hit.cursor.rank, key(row)));
        self.accepted = self.accepted.into_iter().skip(window.skip).take(window.rows).collect();
        let next_page_token = next.map_or_else(String::new, |next| next.to_token());
        let terms = self.terms();
        SearchPage { rows: self.accepted.into_iter().map(|(_, row)| row).collect(), next_page_token, terms }
    }

    /// Returns prefixes of the words that match in the accepted rows.
    fn terms(&self) -> Vec<String> {
        let mut terms: Vec<String> = self.accepted.iter().flat_map(|(hit, _)| hit.terms.iter().cloned()).collect();
        terms.sort();
        terms.dedup_by(|later, earlier| later.starts_with(earlier.as_str()));
        terms
    }

    fn missing(&self) -> usize {
        (self.query.size.rows() + 1).saturating_sub(self.accepted.len())
    }

    async fn run(&mut self, conn: &mut PgConnection, step: Step) -> Result<(), sqlx::Error> {
        match step {
            Step::AddCandidates(kind) => {
                // Corrections are used only without other results.
                let has_results = !self.accepted.is_empty() || self.query.after.is_some_and(|after| after.rank < 4);
                if kind == MatchKind::Corrected && has_results {
                    return Ok(());
                }
                self.add_candidates(conn, kind).await?;
                self.start_ranks(conn, kind).await
            }
            Step::Scan { after, end } => self.scan(conn, after, end).await,
            Step::ScanLeader { leader, rank, before, intersecting } => {
                self.scan_leader(conn, leader, rank, before, intersecting).await
            }
        }
    }

    /// Adds the candidates of this kind for the words of the query.
    async fn add_candidates(&mut self, conn: &mut PgConnection, kind: MatchKind) -> Result<(), sqlx::Error> {
        let words = &self.query.words;
        let mut add = Vec::new();
        let candidate =
            |place: usize, word: &String| Candidate { place, word: word.clone(), kind, shelves: Shelves::Both };
        match kind {
            MatchKind::Exact => add.extend(words.iter().enumerate().map(|(place, word)| candidate(place, word))),
            MatchKind::Related => {
                let related: Vec<(i64, String, bool, bool)> =
                    query_as(&self.search.sql.related).bind(words).fetch_all(&mut *conn).await?;
                let has_beginnings = self.search.order == Order::Titles;
                if has_beginnings {
                    add.extend(words.iter().enumerate().map(|(place, typed)| Candidate::beginning(place, typed)));
                }
                for (place, word, begins, is_cut) in related {
                    let place = usize::try_from(place).unwrap_or(0);
                    // The entries of the beginning contain all such words of titles.
                    let shelves = if has_beginnings && begins { Shelves::Body } else { Shelves::Both };
                    add.push(Candidate { place, word, kind, shelves });
                    if is_cut && !has_beginnings {
                        self.cut.insert(place);
                    }
                }
            }
            MatchKind::Corrected => {
                let corrected: Vec<(i64, String)> =
                    query_as(&self.search.sql.corrected).bind(words).fetch_all(&mut *conn).await?;
                for (place, typed) in words.iter().enumerate() {
                    let mut nearest: Vec<(usize, bool, &String)> = corrected
                        .iter()
                        .filter(|(n, _)| usize::try_from(*n) == Ok(place))
                        .filter_map(|(_, word)| Some((tokenization::edit_distance(typed, word)?, word)))
                        .map(|(distance, word)| (distance, word.chars().next() != typed.chars().next(), word))
                        .collect();
                    nearest.sort();
                    add.extend(nearest.into_iter().take(MAX_CORRECTIONS).map(|(_, _, word)| candidate(place, word)));
                }
            }
        }
        let mut known: HashSet<(usize, String)> =
            self.candidates.iter().map(|old| (old.place, old.word.clone())).collect();
        add.retain(|new| known.insert((new.place, new.word.clone())));
        self.read_partitions(conn, &add).await?;
        self.candidates.append(&mut add);
        Ok(())
    }

    /// Plans the steps of the ranks of this kind.
    async fn start_ranks(&mut self, conn: &mut PgConnection, kind: MatchKind) -> Result<(), sqlx::Error> {
        let mut ranks = self.search.order.ranks(kind);
        if let Some(after) = self.query.after {
            ranks.start = ranks.start.max(after.rank);
        }
        if ranks.is_empty() {
            return Ok(());
        }
        if self.query.words.len() == 1 {
            let first = SearchCursor { rank: ranks.start, at: NEWEST.0, id: NEWEST.1 };
            let after = self.query.after.filter(|after| after.rank == ranks.start).unwrap_or(first);
            self.steps.push_front(Step::Scan { after: Some(after), end: ranks.end });
            return Ok(());
        }
        let Some((leader, documents)) = self.leader(conn).await? else { return Ok(()) };
        if documents < scan::MAX_ROWS {
            return self.scan_all(conn, leader, ranks).await;
        }
        for rank in ranks.rev() {
            let before =
                self.query.after.filter(|after| after.rank == rank).map_or(NEWEST, |after| (after.at, after.id));
            self.steps.push_front(Step::ScanLeader { leader, rank, before, intersecting: false });
        }
        Ok(())
    }
}

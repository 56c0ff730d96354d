//! Finding: rank by rank, a bounded piece at a time, until the page is full.
//!
//! Every word has its own range of the entries, the newest first, so one word costs the same however many documents have it.
//! Of several words the one that the fewest documents have leads, and its documents are looked at; where even that one is in
//! many, and the newest of those lack the others, the newest of each word are held against each other (`meet`).
//! Who is of many audiences does not ask each of them for every word: of most words it is told on which shelves they stand.
//! Words nobody uses are taken for those they are nearest to; so are all of them, where they never stand together.

mod look;
mod meet;

use std::collections::{HashMap, HashSet, VecDeque};

use primitives::input::Cursor as _;
use sqlx::PgConnection;
use uuid::Uuid;

use self::meet::Held;
use crate::{
    Asked, Search,
    asked::Spot,
    rank::{Candidate, Kinship},
    sql::query_as,
    words,
};

/// Documents a hunt looks at before it gives up.
const MOST: usize = 640;
/// Words taken for one that was mistyped.
const MEANT: usize = 6;
/// Behind every moment and id.
const NEWEST: (i32, Uuid) = (i32::MAX, Uuid::max());

/// A page of what was found.
#[derive(Debug)]
pub struct Found<T> {
    /// At most the page size, the best first.
    pub rows: Vec<T>,
    /// Empty on the last page.
    pub next_page_token: String,
    /// Beginnings of words that made them match.
    pub terms: Vec<String>,
}

impl<T> Found<T> {
    /// The rows as messages, the next page's token and the terms: a response's three fields.
    #[must_use]
    pub fn into_wire<M: From<T>>(self) -> (Vec<M>, String, Vec<String>) {
        (self.rows.into_iter().map(M::from).collect(), self.next_page_token, self.terms)
    }
}

/// Something found, whether or not the asker may see it.
#[derive(Debug)]
struct Hit {
    spot: Spot,
    terms: Vec<String>,
}

/// A search under way. `next` tells what to read, `show` takes what of that the asker may see, until `next` tells nothing.
#[derive(Debug)]
pub struct Hunt<T> {
    search: Search,
    asked: Asked,
    audiences: Vec<i32>,
    candidates: Vec<Candidate>,
    /// Words of which the shelves they stand on were told, but for everybody's two.
    standing: HashMap<String, HashSet<i32>>,
    /// What comes next, in this order.
    rounds: VecDeque<Round>,
    hits: VecDeque<Hit>,
    told: HashMap<Uuid, Hit>,
    seen: HashSet<Uuid>,
    looked_at: usize,
    shown: Vec<(Hit, T)>,
    /// What the words that are known were last read to stand in.
    held: Held,
}

/// A piece of work.
#[derive(Clone, Copy, Debug)]
enum Round {
    /// Words so related become known, and their ranks are looked through.
    Know(Kinship),
    /// One word: from here on, in the order of the ranks before the last one.
    Walk { after: Option<Spot>, end: u8 },
    /// Several words, of which `leader` leads: one rank, from here on.
    Follow { leader: usize, rank: u8, before: (i32, Uuid), meeting: bool },
}

impl Search {
    /// Begins to look for what was asked, in what these audiences may find.
    #[must_use]
    pub fn hunt<T>(&self, asked: Asked, audiences: Vec<i32>) -> Hunt<T> {
        let rounds = if asked.words.is_empty() {
            VecDeque::new()
        } else {
            [Kinship::Same, Kinship::Near, Kinship::Meant].into_iter().map(Round::Know).collect()
        };
        let held = Held::behind(asked.after.map_or(NEWEST, |after| (after.at, after.id)));
        Hunt {
            search: self.clone(),
            held,
            asked,
            audiences,
            candidates: Vec::new(),
            standing: HashMap::new(),
            rounds,
            hits: VecDeque::new(),
            told: HashMap::new(),
            seen: HashSet::new(),
            looked_at: 0,
            shown: Vec::new(),
        }
    }
}

impl<T> Hunt<T> {
    /// What to read next; `None` when the page is full, or nothing more is found.
    ///
    /// # Errors
    /// As any statement.
    pub async fn next(&mut self, conn: &mut PgConnection) -> Result<Option<Vec<Uuid>>, sqlx::Error> {
        let missing = self.missing();
        while missing > 0 && self.hits.is_empty() && self.looked_at < MOST {
            let Some(round) = self.rounds.pop_front() else { break };
            self.work(conn, round).await?;
        }
        let next: Vec<Hit> = self.hits.drain(..missing.min(self.hits.len())).collect();
        if next.is_empty() {
            return Ok(None);
        }
        let ids = next.iter().map(|hit| hit.spot.id).collect();
        self.told = next.into_iter().map(|hit| (hit.spot.id, hit)).collect();
        Ok(Some(ids))
    }

    /// Takes those of the last piece that the asker may see, in any order.
    pub fn show(&mut self, rows: impl IntoIterator<Item = T>, id: impl Fn(&T) -> Uuid) {
        let mut shown: Vec<(Hit, T)> =
            rows.into_iter().filter_map(|row| self.told.remove(&id(&row)).map(|hit| (hit, row))).collect();
        shown.sort_by_key(|(hit, _)| (hit.spot.rank, std::cmp::Reverse((hit.spot.at, hit.spot.id))));
        self.shown.append(&mut shown);
    }

    /// The page.
    #[must_use]
    pub fn page(mut self) -> Found<T> {
        let rows = self.asked.size.rows();
        let more = self.shown.len() > rows;
        self.shown.truncate(rows);
        let next_page_token = match self.shown.last() {
            Some((last, _)) if more => last.spot.to_token(),
            _ => String::new(),
        };
        let mut terms: Vec<String> = self.shown.iter().flat_map(|(hit, _)| hit.terms.iter().cloned()).collect();
        terms.sort();
        terms.dedup_by(|later, earlier| later.starts_with(earlier.as_str()));
        Found { rows: self.shown.into_iter().map(|(_, row)| row).collect(), next_page_token, terms }
    }

    fn missing(&self) -> usize {
        (self.asked.size.rows() + 1).saturating_sub(self.shown.len())
    }

    async fn work(&mut self, conn: &mut PgConnection, round: Round) -> Result<(), sqlx::Error> {
        match round {
            Round::Know(kinship) => {
                // What was mistyped is looked for only where what was typed finds nothing.
                let found = !self.shown.is_empty() || self.asked.after.is_some_and(|after| after.rank < 4);
                if kinship == Kinship::Meant && found {
                    return Ok(());
                }
                self.know(conn, kinship).await?;
                self.begin(conn, kinship).await
            }
            Round::Walk { after, end } => self.walk(conn, after, end).await,
            Round::Follow { leader, rank, before, meeting } => self.follow(conn, leader, rank, before, meeting).await,
        }
    }

    /// Adds the words that are so related to those looked for.
    async fn know(&mut self, conn: &mut PgConnection, kinship: Kinship) -> Result<(), sqlx::Error> {
        let asked = &self.asked.words;
        let mut add = Vec::new();
        let mut candidate = |place: usize, word: String| add.push(Candidate { place, word, kinship });
        match kinship {
            Kinship::Same => asked.iter().enumerate().for_each(|(place, word)| candidate(place, word.clone())),
            Kinship::Near => {
                let near: Vec<(i64, String)> =
                    query_as(&self.search.sql.near).bind(asked).fetch_all(&mut *conn).await?;
                near.into_iter().for_each(|(place, word)| candidate(usize::try_from(place).unwrap_or(0), word));
            }
            Kinship::Meant => {
                let meant: Vec<(i64, String)> =
                    query_as(&self.search.sql.mistyped).bind(asked).fetch_all(&mut *conn).await?;
                for (place, typed) in asked.iter().enumerate() {
                    let mut nearest: Vec<(usize, bool, &String)> = meant
                        .iter()
                        .filter(|(n, _)| usize::try_from(*n) == Ok(place))
                        .filter_map(|(_, word)| Some((words::slips(typed, word)?, word)))
                        .map(|(slips, word)| (slips, word.chars().next() != typed.chars().next(), word))
                        .collect();
                    nearest.sort();
                    nearest.into_iter().take(MEANT).for_each(|(_, _, word)| candidate(place, word.clone()));
                }
            }
        }
        add.retain(|new| !self.candidates.iter().any(|old| (old.place, &old.word) == (new.place, &new.word)));
        self.stand(conn, &add).await?;
        self.candidates.append(&mut add);
        Ok(())
    }

    /// Decides how the ranks that may be looked through now are.
    async fn begin(&mut self, conn: &mut PgConnection, kinship: Kinship) -> Result<(), sqlx::Error> {
        let mut ranks = self.search.order.ranks(kinship);
        if let Some(after) = self.asked.after {
            ranks.start = ranks.start.max(after.rank);
        }
        if ranks.is_empty() {
            return Ok(());
        }
        if self.asked.words.len() == 1 {
            let before_all = Spot { rank: ranks.start, at: NEWEST.0, id: NEWEST.1 };
            let after = self.asked.after.filter(|after| after.rank == ranks.start).unwrap_or(before_all);
            self.rounds.push_front(Round::Walk { after: Some(after), end: ranks.end });
            return Ok(());
        }
        let Some((leader, some)) = self.leader(conn).await? else { return Ok(()) };
        if some < look::PIECE {
            return self.all_of(conn, leader, ranks).await;
        }
        for rank in ranks.rev() {
            let before =
                self.asked.after.filter(|after| after.rank == rank).map_or(NEWEST, |after| (after.at, after.id));
            self.rounds.push_front(Round::Follow { leader, rank, before, meeting: false });
        }
        Ok(())
    }
}

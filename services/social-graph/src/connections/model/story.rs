//! The rules of connecting, as a story of two or three members that no database is asked about.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use testkit::clock;
use uuid::Uuid;

use crate::{connections::Status, lots::Lots};

/// Most stories are short, so that there can be many; one in twenty goes on for as long as the longest.
const LONGEST: usize = 12;
const LONG_EVERY: usize = 20;

#[derive(Clone, Copy, Debug)]
pub enum Wish {
    Ask,
    Accept,
    Reject,
    Remove,
    Block,
    Unblock,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub id: Uuid,
    pub requester: u128,
    pub status: Status,
    pub answered_at: Option<DateTime<Utc>>,
}

/// A fact's name, and the numbers of the two it names.
pub type Told = (String, u128, u128);

/// What a wish comes to: where the pair stands after it, or why not.
pub type Outcome = Result<Option<(Status, u128)>, &'static str>;

/// One story: who is in it, and what the rules say stands between them.
#[derive(Debug)]
pub struct Story {
    pub cast: Vec<u128>,
    pub steps: usize,
    pub rows: BTreeMap<(u128, u128), Row>,
    /// Ids of connections that were, for wishes about what is gone.
    pub former: BTreeMap<(u128, u128), Uuid>,
    pub blocks: BTreeSet<(u128, u128)>,
    pub closed: BTreeSet<u128>,
    pub facts: Vec<Told>,
    pub now: DateTime<Utc>,
    pub lots: Lots,
}

pub const fn key(one: u128, other: u128) -> (u128, u128) {
    if one < other { (one, other) } else { (other, one) }
}

impl Story {
    pub fn new(n: usize) -> Self {
        let mut lots = Lots::new(n as u64);
        let first = 3 * n as u128 + 1;
        let cast = (first..).take(2 + lots.draw(2)).collect();
        let steps = if n.is_multiple_of(LONG_EVERY) { LONGEST } else { 2 + lots.draw(2) };
        Self {
            cast,
            steps,
            rows: BTreeMap::new(),
            former: BTreeMap::new(),
            blocks: BTreeSet::new(),
            closed: BTreeSet::new(),
            facts: Vec::new(),
            now: clock().now(),
            lots,
        }
    }

    fn tell(&mut self, name: &str, one: u128, other: u128) {
        self.facts.push((name.to_owned(), one, other));
    }

    /// The rules. `id` is what the service calls the connection, should this make one.
    pub fn apply(&mut self, wish: Wish, who: u128, other: u128, id: Uuid) -> Outcome {
        let now = self.now;
        let pair = key(who, other);
        let stands = self.rows.get(&pair).cloned();
        let away = self.closed.contains(&other);
        match wish {
            Wish::Ask => {
                if away || self.blocks.contains(&(who, other)) || self.blocks.contains(&(other, who)) {
                    return Err("MEMBER_NOT_FOUND");
                }
                let fresh = Row { id, requester: who, status: Status::Pending, answered_at: None };
                match stands {
                    None => {
                        self.rows.insert(pair, fresh);
                        self.tell("ConnectionRequested", who, other);
                    }
                    Some(row) if row.status == Status::Accepted => return Err("ALREADY_CONNECTED"),
                    Some(row) if row.status == Status::Pending && row.requester == who => {}
                    Some(row) if row.status == Status::Pending => {
                        self.tell("ConnectionAccepted", row.requester, who);
                        self.rows.insert(pair, Row { status: Status::Accepted, answered_at: Some(now), ..row });
                    }
                    Some(row) => {
                        if row.requester == who && row.answered_at.unwrap() + TimeDelta::days(30) > now {
                            return Err("ASKED_TOO_SOON");
                        }
                        self.rows.insert(pair, fresh);
                        self.tell("ConnectionRequested", who, other);
                    }
                }
            }
            Wish::Accept | Wish::Reject => {
                let row = stands.filter(|_| !away).ok_or("CONNECTION_NOT_FOUND")?;
                let answer = if matches!(wish, Wish::Accept) { Status::Accepted } else { Status::Rejected };
                if row.requester == who {
                    return Err("NOT_RECIPIENT");
                }
                if row.status == Status::Pending {
                    let name = if answer == Status::Accepted { "ConnectionAccepted" } else { "ConnectionRemoved" };
                    self.tell(name, row.requester, who);
                    self.rows.insert(pair, Row { status: answer, answered_at: Some(now), ..row });
                } else if row.status != answer {
                    return Err("ALREADY_ANSWERED");
                }
            }
            Wish::Remove => {
                let row = stands.filter(|row| !away && row.status != Status::Rejected);
                let row = row.ok_or("CONNECTION_NOT_FOUND")?;
                if row.status == Status::Pending && row.requester != who {
                    return Err("NOT_REQUESTER");
                }
                self.part(pair);
            }
            Wish::Block => {
                if self.rows.get(&pair).is_some_and(|row| row.status != Status::Rejected) {
                    self.part(pair);
                }
                if self.blocks.insert((who, other)) {
                    self.tell("MemberBlocked", who, other);
                }
            }
            Wish::Unblock => {
                if self.blocks.remove(&(who, other)) {
                    self.tell("MemberUnblocked", who, other);
                }
            }
        }
        Ok(self.rows.get(&pair).map(|row| (row.status, row.requester)))
    }

    fn part(&mut self, pair: (u128, u128)) {
        let row = self.rows.remove(&pair).unwrap();
        let recipient = if row.requester == pair.0 { pair.1 } else { pair.0 };
        self.tell("ConnectionRemoved", row.requester, recipient);
        self.former.insert(pair, row.id);
    }
}

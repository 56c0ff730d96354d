//! The rules of connections in memory, for histories of two or three members.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use testkit::clock;
use uuid::Uuid;

use super::steps::Action;
use crate::connections::Status;

#[derive(Clone, Debug)]
pub struct Row {
    pub id: Uuid,
    pub requester: u128,
    pub status: Status,
    pub answered_at: Option<DateTime<Utc>>,
}

/// A fact's name and the numbers of its two members.
pub type Fact = (String, u128, u128);

/// The state of the pair after an action, or the reason of the refusal.
pub type Outcome = Result<Option<(Status, u128)>, &'static str>;

/// The expected state of one history.
#[derive(Clone, Debug)]
pub struct Model {
    pub members: Vec<u128>,
    pub rows: BTreeMap<(u128, u128), Row>,
    /// Ids of removed connections, for actions on them.
    pub former: BTreeMap<(u128, u128), Uuid>,
    pub blocks: BTreeSet<(u128, u128)>,
    pub closed: BTreeSet<u128>,
    pub facts: Vec<Fact>,
    pub now: DateTime<Utc>,
    /// The number of applied steps.
    pub steps: u64,
    /// The outcome of the last action.
    pub outcome: Outcome,
}

pub const fn key(one: u128, other: u128) -> (u128, u128) {
    if one < other { (one, other) } else { (other, one) }
}

impl Model {
    /// A history without connections.
    pub fn new(members: u128) -> Self {
        Self {
            members: (1..=members).collect(),
            rows: BTreeMap::new(),
            former: BTreeMap::new(),
            blocks: BTreeSet::new(),
            closed: BTreeSet::new(),
            facts: Vec::new(),
            now: clock().now(),
            steps: 0,
            outcome: Ok(None),
        }
    }

    fn publish(&mut self, name: &str, one: u128, other: u128) {
        self.facts.push((name.to_owned(), one, other));
    }

    /// Applies an action to the connection `id`, which a request may create.
    pub fn apply(&mut self, action: Action, who: u128, other: u128, id: Uuid) -> Outcome {
        let now = self.now;
        let pair = key(who, other);
        let existing = self.rows.get(&pair).cloned();
        let closed = self.closed.contains(&other);
        match action {
            Action::Request => {
                if closed || self.blocks.contains(&(who, other)) || self.blocks.contains(&(other, who)) {
                    return Err("MEMBER_NOT_FOUND");
                }
                let fresh = |id| Row { id, requester: who, status: Status::Pending, answered_at: None };
                match existing {
                    None => {
                        self.rows.insert(pair, fresh(id));
                        self.publish("ConnectionRequested", who, other);
                    }
                    Some(row) if row.status == Status::Accepted => return Err("ALREADY_CONNECTED"),
                    Some(row) if row.status == Status::Pending && row.requester == who => {}
                    Some(row) if row.status == Status::Pending => {
                        self.publish("ConnectionAccepted", row.requester, who);
                        self.rows.insert(pair, Row { status: Status::Accepted, answered_at: Some(now), ..row });
                    }
                    Some(row) => {
                        if row.requester == who && row.answered_at.unwrap() + TimeDelta::days(30) > now {
                            return Err("ASKED_TOO_SOON");
                        }
                        // The row of a rejected request keeps its id.
                        self.rows.insert(pair, fresh(row.id));
                        self.publish("ConnectionRequested", who, other);
                    }
                }
            }
            Action::Accept | Action::Reject => {
                let row = existing.filter(|row| row.id == id && !closed).ok_or("CONNECTION_NOT_FOUND")?;
                let answer = if matches!(action, Action::Accept) { Status::Accepted } else { Status::Rejected };
                if row.requester == who {
                    return Err("NOT_RECIPIENT");
                }
                if row.status == Status::Pending {
                    let name = if answer == Status::Accepted { "ConnectionAccepted" } else { "ConnectionRemoved" };
                    self.publish(name, row.requester, who);
                    self.rows.insert(pair, Row { status: answer, answered_at: Some(now), ..row });
                } else if row.status != answer {
                    return Err("ALREADY_ANSWERED");
                }
            }
            Action::Remove => {
                let row = existing.filter(|row| row.id == id && !closed && row.status != Status::Rejected);
                let row = row.ok_or("CONNECTION_NOT_FOUND")?;
                if row.status == Status::Pending && row.requester != who {
                    return Err("NOT_REQUESTER");
                }
                self.remove(pair);
            }
            Action::Block => {
                if self.rows.get(&pair).is_some_and(|row| row.status != Status::Rejected) {
                    self.remove(pair);
                }
                if self.blocks.insert((who, other)) {
                    self.publish("MemberBlocked", who, other);
                }
            }
            Action::Unblock => {
                if self.blocks.remove(&(who, other)) {
                    self.publish("MemberUnblocked", who, other);
                }
            }
        }
        Ok(self.rows.get(&pair).map(|row| (row.status, row.requester)))
    }

    fn remove(&mut self, pair: (u128, u128)) {
        let row = self.rows.remove(&pair).unwrap();
        let recipient = if row.requester == pair.0 { pair.1 } else { pair.0 };
        self.publish("ConnectionRemoved", row.requester, recipient);
        self.former.insert(pair, row.id);
    }
}

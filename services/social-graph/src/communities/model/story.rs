//! The rules of communities, as a story of four members and two names that no database is asked about.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use testkit::{clock, member};
use uuid::Uuid;

use crate::{communities::Role, lots::Lots};

/// Most stories are short, so that there can be many; one in ten goes on for as long as the longest.
const SHORT: usize = 4;
const LONGEST: usize = 20;
const LONG_EVERY: usize = 10;
/// How many members are in one.
const CAST: u128 = 4;

#[derive(Clone, Copy, Debug)]
pub enum Wish {
    Found,
    Reword,
    Join,
    Leave,
    Appoint(Role),
    Close,
    Reopen,
    Erase,
}

#[derive(Debug)]
pub struct Community {
    pub name: String,
    /// Who belongs to it: what they are there, and since when.
    pub members: BTreeMap<u128, (Role, DateTime<Utc>)>,
}

/// What is told of a community.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    Called(String),
    Joined(Uuid, Role),
    Left(Uuid),
    Removed,
}

/// One story: who is in it, and how the rules say things stand.
#[derive(Debug)]
pub struct Story {
    pub cast: Vec<u128>,
    pub names: [String; 3],
    pub steps: usize,
    pub communities: BTreeMap<Uuid, Community>,
    /// Communities that were.
    pub former: Vec<Uuid>,
    pub closed: BTreeSet<u128>,
    /// Of each community, in order.
    pub facts: BTreeMap<Uuid, Vec<Told>>,
    pub now: DateTime<Utc>,
    pub lots: Lots,
}

impl Story {
    pub fn new(n: usize) -> Self {
        Self {
            cast: (CAST * n as u128 + 1..).take(CAST as usize).collect(),
            names: [format!("Moot {n}"), format!("MOOT  {n}"), format!("Review {n}")],
            steps: if n.is_multiple_of(LONG_EVERY) { LONGEST } else { SHORT },
            communities: BTreeMap::new(),
            former: Vec::new(),
            closed: BTreeSet::new(),
            facts: BTreeMap::new(),
            now: clock().now(),
            lots: Lots::new(n as u64),
        }
    }

    fn tell(&mut self, id: Uuid, told: Told) {
        self.facts.entry(id).or_default().push(told);
    }

    /// Whether another community than `id` is called so.
    fn taken(&self, id: Uuid, name: &str) -> bool {
        self.communities.iter().any(|(other, community)| *other != id && same(&community.name, name))
    }

    /// Whether somebody else than `who`, whose account is open, owns it.
    fn owned_besides(&self, community: &Community, who: u128) -> bool {
        let mut others = community.members.iter().filter(|(other, _)| **other != who && !self.closed.contains(other));
        others.any(|(_, (role, _))| *role == Role::Owner)
    }

    /// The rules. `id` is which community; of one that is founded, what the service calls it.
    pub fn apply(&mut self, wish: Wish, who: u128, other: u128, id: Uuid, name: &str) -> Result<(), &'static str> {
        let now = self.now;
        match wish {
            Wish::Found => {
                if self.taken(id, name) {
                    return Err("COMMUNITY_NAME_TAKEN");
                }
                let members = BTreeMap::from([(who, (Role::Owner, now))]);
                self.communities.insert(id, Community { name: tidy(name), members });
                self.tell(id, Told::Called(tidy(name)));
                self.tell(id, Told::Joined(member(who), Role::Owner));
            }
            Wish::Reword => {
                let community = self.communities.get(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if !matches!(community.members.get(&who), Some((Role::Owner, _))) {
                    return Err("NOT_OWNER");
                }
                if self.taken(id, name) {
                    return Err("COMMUNITY_NAME_TAKEN");
                }
                if community.name != tidy(name) {
                    self.tell(id, Told::Called(tidy(name)));
                    self.communities.get_mut(&id).unwrap().name = tidy(name);
                }
            }
            Wish::Join => {
                let community = self.communities.get_mut(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if let std::collections::btree_map::Entry::Vacant(place) = community.members.entry(who) {
                    place.insert((Role::Member, now));
                    self.tell(id, Told::Joined(member(who), Role::Member));
                }
            }
            Wish::Leave => {
                let community = self.communities.get(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                match community.members.get(&who) {
                    None => {}
                    Some((Role::Owner, _)) if !self.owned_besides(community, who) => return Err("LAST_OWNER"),
                    Some(_) => {
                        self.communities.get_mut(&id).unwrap().members.remove(&who);
                        self.tell(id, Told::Left(member(who)));
                    }
                }
            }
            Wish::Appoint(role) => {
                let community = self.communities.get(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if !matches!(community.members.get(&who), Some((Role::Owner, _))) {
                    return Err("NOT_OWNER");
                }
                let standing = community.members.get(&other).filter(|_| !self.closed.contains(&other));
                let (before, since) = *standing.ok_or("MEMBER_NOT_FOUND")?;
                if before == Role::Owner && role == Role::Member && !self.owned_besides(community, other) {
                    return Err("LAST_OWNER");
                }
                self.communities.get_mut(&id).unwrap().members.insert(other, (role, since));
                if before != role {
                    self.tell(id, Told::Joined(member(other), role));
                }
            }
            Wish::Close => {
                self.closed.insert(who);
            }
            Wish::Reopen => {
                self.closed.remove(&who);
            }
            Wish::Erase => {
                let ids: Vec<Uuid> = self.communities.keys().copied().collect();
                for id in ids {
                    self.bereave(id, who);
                }
                self.closed.remove(&who);
            }
        }
        Ok(())
    }

    /// A member of it is gone for good.
    fn bereave(&mut self, id: Uuid, who: u128) {
        let closed = self.closed.clone();
        let community = self.communities.get_mut(&id).unwrap();
        let Some((role, _)) = community.members.remove(&who) else { return };
        let mut heir = None;
        if role == Role::Owner {
            let order = |n: u128, (role, since): (Role, DateTime<Utc>)| {
                (closed.contains(&n), role != Role::Owner, since, member(n))
            };
            let first = community.members.iter_mut().min_by_key(|(n, standing)| order(**n, **standing));
            if let Some((n, standing)) = first.filter(|(_, standing)| standing.0 != Role::Owner) {
                standing.0 = Role::Owner;
                heir = Some(*n);
            }
        }
        let empty = community.members.is_empty();
        self.tell(id, Told::Left(member(who)));
        if let Some(heir) = heir {
            self.tell(id, Told::Joined(member(heir), Role::Owner));
        }
        if empty {
            self.communities.remove(&id);
            self.former.push(id);
            self.tell(id, Told::Removed);
        }
    }
}

fn tidy(name: &str) -> String {
    name.replace("  ", " ")
}

fn same(one: &str, other: &str) -> bool {
    tidy(one).to_lowercase() == tidy(other).to_lowercase()
}

//! The rules of communities in memory, for histories of four members and two names.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use testkit::{clock, member};
use uuid::Uuid;

use super::steps::Action;
use crate::communities::Role;

const MEMBERS: u128 = 4;

#[derive(Clone, Debug)]
pub struct Community {
    pub name: String,
    /// Role and time of joining of each member.
    pub members: BTreeMap<u128, (Role, DateTime<Utc>)>,
    pub bans: BTreeSet<u128>,
}

impl Community {
    fn is_moderated_by(&self, who: u128) -> bool {
        matches!(self.members.get(&who), Some((Role::Owner | Role::Moderator, _)))
    }
}

/// A published fact of one community.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Named(String),
    Joined(Uuid, Role),
    Left(Uuid),
    Removed,
}

/// The expected state of one history.
#[derive(Clone, Debug)]
pub struct Model {
    pub members: Vec<u128>,
    pub communities: BTreeMap<Uuid, Community>,
    /// Deleted communities.
    pub former: Vec<Uuid>,
    pub closed: BTreeSet<u128>,
    /// Members with a row in the service.
    known: BTreeSet<u128>,
    /// In the order of each community.
    pub facts: BTreeMap<Uuid, Vec<Fact>>,
    pub now: DateTime<Utc>,
    /// The number of applied steps.
    pub steps: u64,
    /// The outcome of the last action.
    pub outcome: Result<(), &'static str>,
}

impl Model {
    /// A history without communities.
    pub fn new() -> Self {
        Self {
            members: (1..=MEMBERS).collect(),
            communities: BTreeMap::new(),
            former: Vec::new(),
            closed: BTreeSet::new(),
            known: BTreeSet::new(),
            facts: BTreeMap::new(),
            now: clock().now(),
            steps: 0,
            outcome: Ok(()),
        }
    }

    fn publish(&mut self, id: Uuid, fact: Fact) {
        self.facts.entry(id).or_default().push(fact);
    }

    /// Whether another community than `id` has the name.
    fn taken(&self, id: Uuid, name: &str) -> bool {
        self.communities.iter().any(|(other, community)| *other != id && is_same_name(&community.name, name))
    }

    /// Whether another owner than `who` has an open account.
    fn has_other_owner(&self, community: &Community, who: u128) -> bool {
        let mut others = community.members.iter().filter(|(other, _)| **other != who && !self.closed.contains(other));
        others.any(|(_, (role, _))| *role == Role::Owner)
    }

    /// Applies an action. `id` is the community, or the id of the one it creates.
    pub fn apply(&mut self, action: Action, who: u128, other: u128, id: Uuid, name: &str) -> Result<(), &'static str> {
        let now = self.now;
        match action {
            Action::Create => {
                if self.taken(id, name) {
                    return Err("COMMUNITY_NAME_TAKEN");
                }
                let members = BTreeMap::from([(who, (Role::Owner, now))]);
                self.communities.insert(id, Community { name: normalize(name), members, bans: BTreeSet::new() });
                self.known.insert(who);
                self.publish(id, Fact::Named(normalize(name)));
                self.publish(id, Fact::Joined(member(who), Role::Owner));
            }
            Action::Update => {
                let community = self.communities.get(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if !matches!(community.members.get(&who), Some((Role::Owner, _))) {
                    return Err("NOT_OWNER");
                }
                if self.taken(id, name) {
                    return Err("COMMUNITY_NAME_TAKEN");
                }
                if community.name != normalize(name) {
                    self.publish(id, Fact::Named(normalize(name)));
                    self.communities.get_mut(&id).unwrap().name = normalize(name);
                }
            }
            Action::Join => {
                self.known.insert(who);
                let community = self.communities.get_mut(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if community.bans.contains(&who) {
                    return Err("BANNED");
                }
                if let std::collections::btree_map::Entry::Vacant(entry) = community.members.entry(who) {
                    entry.insert((Role::Member, now));
                    self.publish(id, Fact::Joined(member(who), Role::Member));
                }
            }
            Action::Leave => {
                self.known.insert(who);
                // A missing community is left like one to which the member does not belong.
                let Some(community) = self.communities.get(&id) else { return Ok(()) };
                match community.members.get(&who) {
                    None => {}
                    Some((Role::Owner, _)) if !self.has_other_owner(community, who) => return Err("LAST_OWNER"),
                    Some(_) => {
                        self.communities.get_mut(&id).unwrap().members.remove(&who);
                        self.publish(id, Fact::Left(member(who)));
                    }
                }
            }
            Action::SetRole(role) => {
                let community = self.communities.get(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if !matches!(community.members.get(&who), Some((Role::Owner, _))) {
                    return Err("NOT_OWNER");
                }
                let membership = community.members.get(&other).filter(|_| !self.closed.contains(&other));
                let (before, since) = *membership.ok_or("MEMBER_NOT_FOUND")?;
                if before == Role::Owner && role != Role::Owner && !self.has_other_owner(community, other) {
                    return Err("LAST_OWNER");
                }
                self.communities.get_mut(&id).unwrap().members.insert(other, (role, since));
                if before != role {
                    self.publish(id, Fact::Joined(member(other), role));
                }
            }
            Action::Remove { ban } => self.remove(who, other, id, ban)?,
            Action::Unban => {
                let community = self.communities.get_mut(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if !community.is_moderated_by(who) {
                    return Err("NOT_MODERATOR");
                }
                community.bans.remove(&other);
            }
            Action::Transfer => {
                let community = self.communities.get_mut(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                let (role, since) = *community.members.get(&who).unwrap_or(&(Role::Member, now));
                if role != Role::Owner {
                    return Err("NOT_OWNER");
                }
                let next = community.members.get(&other).filter(|_| !self.closed.contains(&other));
                let (next_role, next_since) = *next.ok_or("MEMBER_NOT_FOUND")?;
                if next_role != Role::Moderator {
                    return Err("NOT_A_MODERATOR");
                }
                community.members.insert(other, (Role::Owner, next_since));
                community.members.insert(who, (Role::Moderator, since));
                self.publish(id, Fact::Joined(member(other), Role::Owner));
                self.publish(id, Fact::Joined(member(who), Role::Moderator));
            }
            Action::Dissolve => {
                let community = self.communities.get(&id).ok_or("COMMUNITY_NOT_FOUND")?;
                if !matches!(community.members.get(&who), Some((Role::Owner, _))) {
                    return Err("NOT_OWNER");
                }
                self.communities.remove(&id);
                self.former.push(id);
                self.publish(id, Fact::Removed);
            }
            Action::Deactivate => {
                self.known.insert(who);
                self.closed.insert(who);
            }
            Action::Reactivate => {
                self.known.insert(who);
                self.closed.remove(&who);
            }
            Action::Erase => {
                let ids: Vec<Uuid> = self.communities.keys().copied().collect();
                for id in ids {
                    self.erase_membership(id, who);
                    if let Some(community) = self.communities.get_mut(&id) {
                        community.bans.remove(&who);
                    }
                }
                self.known.remove(&who);
                self.closed.remove(&who);
            }
        }
        Ok(())
    }

    /// Ends a membership, and bans the member.
    fn remove(&mut self, who: u128, other: u128, id: Uuid, ban: bool) -> Result<(), &'static str> {
        let is_open = self.known.contains(&other) && !self.closed.contains(&other);
        let community = self.communities.get_mut(&id).ok_or("COMMUNITY_NOT_FOUND")?;
        if !community.is_moderated_by(who) {
            return Err("NOT_MODERATOR");
        }
        let actor = community.members[&who].0;
        let role = community.members.get(&other).map(|(role, _)| *role);
        if !is_open || (role.is_none() && !ban) {
            return Err("MEMBER_NOT_FOUND");
        }
        if role == Some(Role::Owner) || (role == Some(Role::Moderator) && actor != Role::Owner) {
            return Err("MEMBER_PROTECTED");
        }
        if ban {
            community.bans.insert(other);
        }
        if community.members.remove(&other).is_some() {
            self.publish(id, Fact::Left(member(other)));
        }
        Ok(())
    }

    /// Removes an erased member from a community.
    fn erase_membership(&mut self, id: Uuid, who: u128) {
        let closed = self.closed.clone();
        let community = self.communities.get_mut(&id).unwrap();
        let Some((role, _)) = community.members.remove(&who) else { return };
        let mut heir = None;
        if role == Role::Owner {
            let order = |n: u128, (role, since): (Role, DateTime<Utc>)| {
                (closed.contains(&n), role != Role::Owner, role != Role::Moderator, since, member(n))
            };
            let first = community.members.iter_mut().min_by_key(|(n, membership)| order(**n, **membership));
            if let Some((n, membership)) = first.filter(|(_, membership)| membership.0 != Role::Owner) {
                membership.0 = Role::Owner;
                heir = Some(*n);
            }
        }
        let empty = community.members.is_empty();
        self.publish(id, Fact::Left(member(who)));
        if let Some(heir) = heir {
            self.publish(id, Fact::Joined(member(heir), Role::Owner));
        }
        if empty {
            self.communities.remove(&id);
            self.former.push(id);
            self.publish(id, Fact::Removed);
        }
    }
}

fn normalize(name: &str) -> String {
    name.replace("  ", " ")
}

fn is_same_name(one: &str, other: &str) -> bool {
    normalize(one).to_lowercase() == normalize(other).to_lowercase()
}

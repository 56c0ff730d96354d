//! Communities and their members: a few contain nearly every member, most are small.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    List, Stamps,
    members::Member,
    rng::{Rng, Weights},
    words,
};
use crate::size::Size;

const STREAM: u64 = 3;

/// A community.
#[derive(Debug)]
pub struct Community {
    /// Its id.
    pub id: Uuid,
    /// Unique.
    pub name: String,
    /// The date of creation.
    pub created_at: DateTime<Utc>,
    /// The members, the owner first; never empty.
    pub members: Vec<u32>,
}

pub(super) fn draw(size: Size, members: &List<Member>, now: DateTime<Utc>) -> List<Community> {
    let (mut rng, mut stamps) = (Rng::of(STREAM), Stamps::of(STREAM));
    let count = size.communities();
    let known = Weights::zipf(count, 0.9);
    let mut joined = vec![Vec::new(); count as usize];
    for number in 0..members.len() {
        // About three each; one member in eight belongs to none.
        let mut chosen: Vec<u32> = (0..rng.below(8)).map(|_| known.draw(&mut rng)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        for community in chosen {
            if let Some(joined) = joined.get_mut(community as usize) {
                joined.push(number);
            }
        }
    }
    let communities = (0..).zip(joined).map(|(number, mut members_of)| {
        let owner = if members_of.is_empty() { rng.below(members.len()) } else { *rng.choose(&members_of) };
        members_of.retain(|member| *member != owner);
        members_of.insert(0, owner);
        let created_at = rng.between(now - TimeDelta::days(729), now - TimeDelta::days(550));
        Community { id: stamps.new_owner(created_at), name: words::community(number), created_at, members: members_of }
    });
    communities.collect::<Vec<_>>().into()
}

/// The communities of each member.
#[must_use]
pub fn belongs(communities: &List<Community>, members: u32) -> List<Vec<u32>> {
    let mut belongs = vec![Vec::new(); members as usize];
    for (number, community) in communities.numbered() {
        for member in &community.members {
            if let Some(of_member) = belongs.get_mut(*member as usize) {
                of_member.push(number);
            }
        }
    }
    belongs.into()
}

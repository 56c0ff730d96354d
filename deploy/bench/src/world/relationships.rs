//! Connections, requests, blocks and dismissed suggestions: a few members have thousands of connections, most a few
//! dozen.

use std::collections::HashSet;

use super::{
    List,
    members::Member,
    rng::{Rng, Weights},
};
use crate::size::Size;

const STREAM: u64 = 2;

/// The shape of the distribution of popularity.
const POPULARITY: f64 = 2.1;
/// The most popular member is drawn at most this many times as often as the least popular one.
const MAX_POPULARITY: f64 = 100.0;
/// The share of connections within a school.
const WITHIN_A_SCHOOL: f64 = 0.5;

/// Pairs of members, by number; the first one is the requester or blocker.
#[derive(Debug)]
pub struct Relationships {
    /// Connected.
    pub accepted: Vec<(u32, u32)>,
    /// Pending requests.
    pub pending: Vec<(u32, u32)>,
    /// Rejected requests.
    pub rejected: Vec<(u32, u32)>,
    /// Blocks; blocked pairs are not connected.
    pub blocks: Vec<(u32, u32)>,
    /// Dismissed suggestions.
    pub dismissed: Vec<(u32, u32)>,
    /// The number of connections per member.
    pub degrees: List<u32>,
    /// The number of pending requests per member.
    pub requests: List<u32>,
}

impl Relationships {
    /// The connections of each member.
    #[must_use]
    pub fn connections(&self) -> List<Vec<u32>> {
        let mut connections: Vec<Vec<u32>> =
            self.degrees.iter().map(|count| Vec::with_capacity(*count as usize)).collect();
        let mut add = |one: u32, other: u32| {
            if let Some(list) = connections.get_mut(one as usize) {
                list.push(other);
            }
        };
        for (one, other) in &self.accepted {
            add(*one, *other);
            add(*other, *one);
        }
        connections.into()
    }
}

/// Draws distinct pairs, regardless of direction.
struct Pairs<'a> {
    rng: Rng,
    taken: HashSet<(u32, u32)>,
    members: &'a List<Member>,
    all: Weights,
    /// The members of each school, and their weights.
    schools: List<(Vec<u32>, Weights)>,
}

impl Pairs<'_> {
    /// A pair of members who may be connected.
    fn connected(&mut self, count: u32) -> Vec<(u32, u32)> {
        self.distinct_pairs(count, |pairs| {
            let one = pairs.all.draw(&mut pairs.rng);
            let school = pairs.members[one].school.filter(|_| pairs.rng.chance(WITHIN_A_SCHOOL));
            let other = match school {
                Some(school) => {
                    let (there, weights) = &pairs.schools[school];
                    there.get(weights.draw(&mut pairs.rng) as usize).copied().unwrap_or(one)
                }
                None => pairs.all.draw(&mut pairs.rng),
            };
            (one, other)
        })
    }

    /// A random pair.
    fn unrelated(&mut self, count: u32) -> Vec<(u32, u32)> {
        self.distinct_pairs(count, |pairs| {
            let end = pairs.members.len();
            (pairs.rng.below(end), pairs.rng.below(end))
        })
    }

    fn distinct_pairs(&mut self, count: u32, draw: impl Fn(&mut Self) -> (u32, u32)) -> Vec<(u32, u32)> {
        let mut drawn = Vec::with_capacity(count as usize);
        // In a small world popular members are connected with all others, so the number of attempts is limited.
        for _ in 0..u64::from(count) * 20 {
            if drawn.len() >= count as usize {
                break;
            }
            let (one, other) = draw(self);
            if one != other && self.taken.insert((one.min(other), one.max(other))) {
                drawn.push((one, other));
            }
        }
        drawn
    }
}

pub(super) fn draw(size: Size, members: &List<Member>) -> Relationships {
    let mut rng = Rng::of(STREAM);
    let known: Vec<f64> = members.iter().map(|_| rng.pareto(POPULARITY).min(MAX_POPULARITY)).collect();
    let all = Weights::new(known.iter().copied());
    let last_school = members.iter().filter_map(|member| member.school).max().unwrap_or_default();
    let mut there = vec![(Vec::new(), Vec::new()); last_school as usize + 1];
    for ((number, member), weight) in members.numbered().zip(&known) {
        if let Some((numbers, weights)) = member.school.and_then(|school| there.get_mut(school as usize)) {
            numbers.push(number);
            weights.push(*weight);
        }
    }
    let schools: Vec<_> = there.into_iter().map(|(numbers, weights)| (numbers, Weights::new(weights))).collect();
    let mut pairs = Pairs { rng, taken: HashSet::new(), members, all, schools: schools.into() };
    // A tiny world has too few members for fifty connections each.
    let room = size.connections().min(size.members * (size.members - 1) / 6);
    let accepted = pairs.connected(room);
    let pending = pairs.connected(room / 25);
    let rejected = pairs.connected(room / 100);
    let blocks = pairs.unrelated(size.members / 20);
    let dismissed = pairs.unrelated(size.members / 4);
    let mut degrees = vec![0; members.len() as usize];
    let mut requests = degrees.clone();
    for (one, other) in &accepted {
        count(&mut degrees, *one);
        count(&mut degrees, *other);
    }
    for (_, recipient) in &pending {
        count(&mut requests, *recipient);
    }
    Relationships { accepted, pending, rejected, blocks, dismissed, degrees: degrees.into(), requests: requests.into() }
}

fn count(counts: &mut [u32], number: u32) {
    if let Some(count) = counts.get_mut(number as usize) {
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};

    use super::*;

    #[test]
    fn fifty_on_average_hundreds_for_a_few() {
        let size: Size = "4000".parse().unwrap();
        let members = super::super::members::draw(size, DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let relationships = draw(size, &members);
        assert_eq!(relationships.accepted.len(), 100_000);
        assert_eq!(relationships.degrees.iter().sum::<u32>(), 200_000);
        let mut degrees: Vec<u32> = relationships.degrees.iter().copied().collect();
        degrees.sort_unstable();
        let (median, most) = (degrees[2_000], degrees[3_999]);
        assert!((25..50).contains(&median), "most know fewer than the average: {median}");
        assert!(most > 500, "a member has hundreds of connections: {most}");
    }

    #[test]
    fn no_pair_is_in_two_lists() {
        let size: Size = "100".parse().unwrap();
        let members = super::super::members::draw(size, DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let relationships = draw(size, &members);
        let lists = [
            &relationships.accepted,
            &relationships.pending,
            &relationships.rejected,
            &relationships.blocks,
            &relationships.dismissed,
        ];
        let all: Vec<(u32, u32)> =
            lists.into_iter().flatten().map(|(one, other)| (*one.min(other), *one.max(other))).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert!(lists.iter().all(|list| !list.is_empty()));
    }
}

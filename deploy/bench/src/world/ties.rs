//! Who knows whom, who asked whom, who blocks whom: a few know thousands, most a few dozen.

use std::collections::HashSet;

use super::{
    List,
    members::Member,
    rng::{Rng, Weights},
};
use crate::size::Size;

const STREAM: u64 = 2;

/// How heavy the tail of acquaintance is.
const TAIL: f64 = 2.1;
/// The most popular member is drawn at most this many times as often as the least popular one.
const BEST_KNOWN: f64 = 100.0;
/// How many of the connections are within a school.
const WITHIN_A_SCHOOL: f64 = 0.5;

/// Pairs of members, by number; the first one asked, or blocks.
#[derive(Debug)]
pub struct Ties {
    /// Connected.
    pub accepted: Vec<(u32, u32)>,
    /// Asked, and waiting.
    pub pending: Vec<(u32, u32)>,
    /// Asked, and refused.
    pub rejected: Vec<(u32, u32)>,
    /// Blocks; blocked pairs are not connected.
    pub blocks: Vec<(u32, u32)>,
    /// Suggestions not to be seen again.
    pub dismissed: Vec<(u32, u32)>,
    /// How many each is connected with.
    pub degrees: List<u32>,
    /// The number of pending requests per member.
    pub requests: List<u32>,
}

impl Ties {
    /// Whom each is connected with.
    #[must_use]
    pub fn circles(&self) -> List<Vec<u32>> {
        let mut circles: Vec<Vec<u32>> = self.degrees.iter().map(|count| Vec::with_capacity(*count as usize)).collect();
        let mut add = |one: u32, other: u32| {
            if let Some(circle) = circles.get_mut(one as usize) {
                circle.push(other);
            }
        };
        for (one, other) in &self.accepted {
            add(*one, *other);
            add(*other, *one);
        }
        circles.into()
    }
}

/// Draws pairs, none of them twice, whichever way round.
struct Pairs<'a> {
    rng: Rng,
    taken: HashSet<(u32, u32)>,
    members: &'a List<Member>,
    all: Weights,
    /// Of each school: who is there, and their weights.
    schools: List<(Vec<u32>, Weights)>,
}

impl Pairs<'_> {
    /// Pairs of people who may know one another.
    fn acquainted(&mut self, count: u32) -> Vec<(u32, u32)> {
        self.several(count, |pairs| {
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

    /// Pairs of strangers.
    fn any(&mut self, count: u32) -> Vec<(u32, u32)> {
        self.several(count, |pairs| {
            let end = pairs.members.len();
            (pairs.rng.below(end), pairs.rng.below(end))
        })
    }

    fn several(&mut self, count: u32, draw: impl Fn(&mut Self) -> (u32, u32)) -> Vec<(u32, u32)> {
        let mut drawn = Vec::with_capacity(count as usize);
        // In a small world popular members soon know all others: the search for more ends.
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

pub(super) fn draw(size: Size, members: &List<Member>) -> Ties {
    let mut rng = Rng::of(STREAM);
    let known: Vec<f64> = members.iter().map(|_| rng.heavy(TAIL).min(BEST_KNOWN)).collect();
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
    // A tiny world has no room for fifty connections a member.
    let room = size.connections().min(size.members * (size.members - 1) / 6);
    let accepted = pairs.acquainted(room);
    let pending = pairs.acquainted(room / 25);
    let rejected = pairs.acquainted(room / 100);
    let blocks = pairs.any(size.members / 20);
    let dismissed = pairs.any(size.members / 4);
    let mut degrees = vec![0; members.len() as usize];
    let mut requests = degrees.clone();
    for (one, other) in &accepted {
        count(&mut degrees, *one);
        count(&mut degrees, *other);
    }
    for (_, recipient) in &pending {
        count(&mut requests, *recipient);
    }
    Ties { accepted, pending, rejected, blocks, dismissed, degrees: degrees.into(), requests: requests.into() }
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
        let ties = draw(size, &members);
        assert_eq!(ties.accepted.len(), 100_000);
        assert_eq!(ties.degrees.iter().sum::<u32>(), 200_000);
        let mut degrees: Vec<u32> = ties.degrees.iter().copied().collect();
        degrees.sort_unstable();
        let (median, most) = (degrees[2_000], degrees[3_999]);
        assert!((25..50).contains(&median), "most know fewer than the average: {median}");
        assert!(most > 500, "a member has hundreds of connections: {most}");
    }

    #[test]
    fn no_pair_stands_in_two_lists() {
        let size: Size = "100".parse().unwrap();
        let members = super::super::members::draw(size, DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let ties = draw(size, &members);
        let lists = [&ties.accepted, &ties.pending, &ties.rejected, &ties.blocks, &ties.dismissed];
        let all: Vec<(u32, u32)> =
            lists.into_iter().flatten().map(|(one, other)| (*one.min(other), *one.max(other))).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert!(lists.iter().all(|list| !list.is_empty()));
    }
}

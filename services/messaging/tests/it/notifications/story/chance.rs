//! What may happen next, by lot.

use super::{
    deeds::{Deed, Lots, author},
    model::Model,
};

pub const SOURCES: [&str; 4] = ["auth", "feed", "profile", "social-graph"];
const SKILLS: [&str; 2] = ["Research", "Moot Court"];

impl Model {
    fn number(&mut self) -> u128 {
        self.numbers += 1;
        1_000 + self.numbers
    }

    /// What may happen next in a service; none when nothing can.
    pub fn deed(&mut self, source: &str, lots: &mut Lots) -> Option<Deed> {
        let (who, other) = (lots.pick(&self.cast()), lots.pick(&self.cast()));
        match source {
            "auth" => match lots.draw(40) {
                0 if self.gone.len() < 3 => Some(Deed::Erased { who }),
                1..10 if self.closed.contains(&who) => Some(Deed::Reopened { who }),
                1..4 => Some(Deed::Closed { who }),
                _ => None,
            },
            "feed" => Some(self.of_feed(lots, who)),
            "profile" => {
                let skill = lots.pick(&SKILLS);
                Some(if self.endorsements.contains(&(who, other, skill)) {
                    Deed::Unendorsed { who, other, skill }
                } else {
                    Deed::Endorsed { who, other, skill }
                })
            }
            _ => Some(match lots.draw(3) {
                0 => self.of_connections(lots, who, other),
                1 => self.of_communities(lots, who),
                _ => self.of_events(lots, who),
            }),
        }
    }

    fn of_feed(&mut self, lots: &mut Lots, who: u128) -> Deed {
        // Posts go with their authors.
        let posts: Vec<u128> = (0..20).filter(|post| !self.gone.contains(&author(*post))).collect();
        let post = lots.pick(&posts);
        match lots.draw(16) {
            0..6 if self.reactions.contains(&(who, post)) => Deed::Unreacted { who, post },
            0..6 => Deed::Reacted { who, post },
            6 if !self.communities.is_empty() => {
                let community = lots.pick(&self.communities.iter().copied().collect::<Vec<_>>());
                Deed::Posted { who, community, post: self.number() }
            }
            7 if lots.draw(4) == 0 => Deed::Deleted { who: author(post), community: None, post },
            8 if !self.posted.is_empty() => {
                let (post, who, community) = lots.pick(&self.posted.iter().copied().collect::<Vec<_>>());
                Deed::Deleted { who, community: Some(community), post }
            }
            9 | 10 if !self.comments.is_empty() => {
                let (who, post, comment) = lots.pick(&self.comments.iter().copied().collect::<Vec<_>>());
                Deed::Uncommented { who, post, comment }
            }
            11 | 12 => Deed::Reposted { who, post, repost: self.number() },
            13 if !self.reposts.is_empty() => {
                let (who, post, repost) = lots.pick(&self.reposts.iter().copied().collect::<Vec<_>>());
                Deed::Unreposted { who, post, repost }
            }
            _ => Deed::Commented { who, post, comment: self.number() },
        }
    }

    fn of_connections(&mut self, lots: &mut Lots, who: u128, other: u128) -> Deed {
        let between = |(one, two, _): &(u128, u128, bool)| (*one, *two) == (who, other) || (*one, *two) == (other, who);
        let standing = self.connections.iter().find(|(_, pair)| between(pair));
        match standing.map(|(id, pair)| (*id, *pair)) {
            Some((id, (who, other, false))) if lots.draw(2) == 0 => Deed::Accepted { id, who, other },
            // A block parts the two first.
            Some((id, (who, other, _))) => Deed::Parted { id, who, other },
            None if !self.blocks.is_empty() && (who == other || lots.draw(3) == 0) => {
                let (who, other) = lots.pick(&self.blocks.iter().copied().collect::<Vec<_>>());
                Deed::Unblocked { who, other }
            }
            None if who != other && lots.draw(3) == 0 => Deed::Blocked { who, other },
            None if who != other => Deed::Requested { id: self.number(), who, other },
            None => self.of_communities(lots, who),
        }
    }

    fn of_communities(&mut self, lots: &mut Lots, who: u128) -> Deed {
        let known: Vec<u128> = self.communities.iter().copied().collect();
        if known.is_empty() || (known.len() < 4 && lots.draw(10) == 0) {
            return Deed::Founded { community: self.number() };
        }
        let community = lots.pick(&known);
        match (self.members.get(&(community, who)), lots.draw(30)) {
            (_, 0) => Deed::Dissolved { community },
            (None, draw) => Deed::Joined { who, community, owner: draw < 8 },
            (Some(owner), 1..10) => Deed::Joined { who, community, owner: !owner },
            (Some(_), _) => Deed::Left { who, community },
        }
    }

    fn of_events(&mut self, lots: &mut Lots, who: u128) -> Deed {
        let known: Vec<u128> = self.events.keys().copied().collect();
        if known.is_empty() || (known.len() < 6 && lots.draw(10) == 0) {
            return Deed::Announced { event: self.number(), organiser: who, revision: 0, moved: false };
        }
        let event = lots.pick(&known);
        let (organiser, revision) = self.events[&event];
        match lots.draw(20) {
            0 => Deed::Cancelled { event },
            1..5 => {
                let revision = revision + i32::from(lots.draw(3) > 0);
                Deed::Announced { event, organiser, revision, moved: lots.draw(3) > 0 }
            }
            _ if self.attendances.contains(&(event, who)) => Deed::Unattended { who, event },
            _ => Deed::Attended { who, event },
        }
    }
}

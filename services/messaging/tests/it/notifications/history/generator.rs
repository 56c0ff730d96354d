//! Random triggers that are valid in the state of the model.

use super::{
    model::Model,
    rng::Rng,
    triggers::{CommentLike, Reply, Trigger, author},
};

pub const SOURCES: [&str; 4] = ["auth", "feed", "profile", "social-graph"];
const SKILLS: [&str; 2] = ["Research", "Moot Court"];

impl Model {
    fn number(&mut self) -> u128 {
        self.numbers += 1;
        1_000 + self.numbers
    }

    /// Draws a random trigger of a source, or none if no trigger is valid.
    pub fn trigger(&mut self, source: &str, rng: &mut Rng) -> Option<Trigger> {
        let (who, other) = (rng.pick(&self.members()), rng.pick(&self.members()));
        match source {
            "auth" => match rng.draw(40) {
                0 if self.erased.len() < 3 => Some(Trigger::AccountErased { who }),
                1..10 if self.closed.contains(&who) => Some(Trigger::AccountReopened { who }),
                1..4 => Some(Trigger::AccountClosed { who }),
                _ => None,
            },
            "feed" => Some(self.of_feed(rng, who)),
            "profile" => {
                let skill = rng.pick(&SKILLS);
                Some(if self.endorsements.contains(&(who, other, skill)) {
                    Trigger::EndorsementRemoved { who, other, skill }
                } else {
                    Trigger::SkillEndorsed { who, other, skill }
                })
            }
            _ => Some(match rng.draw(3) {
                0 => self.of_connections(rng, who, other),
                1 => self.of_communities(rng, who),
                _ => self.of_events(rng, who),
            }),
        }
    }

    fn of_feed(&mut self, rng: &mut Rng, who: u128) -> Trigger {
        // Posts of erased authors are deleted.
        let posts: Vec<u128> = (0..20).filter(|post| !self.erased.contains(&author(*post))).collect();
        let post = rng.pick(&posts);
        match rng.draw(19) {
            0..6 if self.reactions.contains(&(who, post)) => Trigger::ReactionRemoved { who, post },
            0..6 => Trigger::PostReacted { who, post },
            6 if !self.communities.is_empty() => {
                let community = rng.pick(&self.communities.iter().copied().collect::<Vec<_>>());
                Trigger::PostCreated { who, community, post: self.number() }
            }
            7 if rng.draw(4) == 0 => Trigger::PostDeleted { who: author(post), community: None, post },
            8 if !self.posted.is_empty() => {
                let (post, who, community) = rng.pick(&self.posted.iter().copied().collect::<Vec<_>>());
                Trigger::PostDeleted { who, community: Some(community), post }
            }
            14 | 15 if !self.visible_comments().is_empty() => self.of_comments(rng, who),
            9 | 10 if !self.comments.is_empty() => {
                let (who, post, comment) = rng.pick(&self.comments.iter().copied().collect::<Vec<_>>());
                Trigger::CommentRemoved { who, post, comment }
            }
            11 | 12 => Trigger::PostReposted { who, post, repost: self.number() },
            13 if !self.reposts.is_empty() => {
                let (who, post, repost) = rng.pick(&self.reposts.iter().copied().collect::<Vec<_>>());
                Trigger::RepostRemoved { who, post, repost }
            }
            _ => Trigger::PostCommented { who, post, comment: self.number() },
        }
    }

    /// Returns author, post and comment of each visible comment. Posts of erased authors are deleted.
    fn visible_comments(&self) -> Vec<(u128, u128, u128)> {
        self.comments.iter().copied().filter(|(_, post, _)| !self.erased.contains(&author(*post))).collect()
    }

    /// Draws a reply or a reaction to a comment, or the removal of one.
    fn of_comments(&mut self, rng: &mut Rng, who: u128) -> Trigger {
        let (commenter, post, comment) = rng.pick(&self.visible_comments());
        match rng.draw(4) {
            0 if !self.replies.is_empty() => {
                Trigger::ReplyRemoved(rng.pick(&self.replies.iter().copied().collect::<Vec<_>>()))
            }
            0 | 1 => {
                Trigger::CommentReplied(Reply { who, post, to: comment, answered: commenter, reply: self.number() })
            }
            _ => {
                let like = CommentLike { who, post, comment, commenter };
                if self.comment_likes.contains(&like) {
                    Trigger::CommentReactionRemoved(like)
                } else {
                    Trigger::CommentReacted(like)
                }
            }
        }
    }

    fn of_connections(&mut self, rng: &mut Rng, who: u128, other: u128) -> Trigger {
        let between = |(one, two, _): &(u128, u128, bool)| (*one, *two) == (who, other) || (*one, *two) == (other, who);
        let existing = self.connections.iter().find(|(_, pair)| between(pair));
        match existing.map(|(id, pair)| (*id, *pair)) {
            Some((id, (who, other, false))) if rng.draw(2) == 0 => Trigger::ConnectionAccepted { id, who, other },
            // A block removes the connection first.
            Some((id, (who, other, _))) => Trigger::ConnectionRemoved { id, who, other },
            None if !self.blocks.is_empty() && (who == other || rng.draw(3) == 0) => {
                let (who, other) = rng.pick(&self.blocks.iter().copied().collect::<Vec<_>>());
                Trigger::MemberUnblocked { who, other }
            }
            None if who != other && rng.draw(3) == 0 => Trigger::MemberBlocked { who, other },
            None if who != other => Trigger::ConnectionRequested { id: self.number(), who, other },
            None => self.of_communities(rng, who),
        }
    }

    fn of_communities(&mut self, rng: &mut Rng, who: u128) -> Trigger {
        let known: Vec<u128> = self.communities.iter().copied().collect();
        if known.is_empty() || (known.len() < 4 && rng.draw(10) == 0) {
            return Trigger::CommunityCreated { community: self.number() };
        }
        let community = rng.pick(&known);
        match (self.members.get(&(community, who)), rng.draw(30)) {
            (_, 0) => Trigger::CommunityRemoved { community },
            (None, draw) => Trigger::CommunityJoined { who, community, owner: draw < 8 },
            (Some(owner), 1..10) => Trigger::CommunityJoined { who, community, owner: !owner },
            (Some(_), _) => Trigger::CommunityLeft { who, community },
        }
    }

    fn of_events(&mut self, rng: &mut Rng, who: u128) -> Trigger {
        let known: Vec<u128> = self.events.keys().copied().collect();
        if known.is_empty() || (known.len() < 6 && rng.draw(10) == 0) {
            return Trigger::EventChanged { event: self.number(), organiser: who, revision: 0, moved: false };
        }
        let event = rng.pick(&known);
        let (organiser, revision) = self.events[&event];
        match rng.draw(20) {
            0 => Trigger::EventRemoved { event },
            1..5 => {
                let revision = revision + i32::from(rng.draw(3) > 0);
                Trigger::EventChanged { event, organiser, revision, moved: rng.draw(3) > 0 }
            }
            _ if self.attendances.contains(&(event, who)) => Trigger::EventUnattended { who, event },
            _ => Trigger::EventAttended { who, event },
        }
    }
}

//! Posts, reactions and comments: most posts get few, some get nearly every member.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    List, Stamps, World, communities,
    communities::Community,
    members::Member,
    rng::{self, Rng, Weights},
};
use crate::size::Size;

const STREAM: u64 = 5;
const REACTIONS: u64 = 6;
const COMMENTS: u64 = 7;

/// The share of posts by community members that are in one of their communities.
const IN_A_COMMUNITY: f64 = 0.4;

/// A post.
#[derive(Debug)]
pub struct Post {
    /// Its id, in the author's bucket.
    pub id: Uuid,
    /// The author.
    pub author: u32,
    /// Within the last year.
    pub created_at: DateTime<Utc>,
    /// The community of the post; only its members see it.
    pub community: Option<u32>,
    /// Reactions.
    pub reactions: u32,
    /// Comments.
    pub comments: u32,
}

/// A reaction or comment of a member.
#[derive(Debug)]
pub struct Interaction {
    /// Its number.
    pub post: u32,
    /// The member.
    pub member: u32,
    /// The time.
    pub at: DateTime<Utc>,
}

pub(super) fn draw(
    size: Size,
    members: &List<Member>,
    communities: &List<Community>,
    now: DateTime<Utc>,
) -> List<Post> {
    let (mut rng, mut stamps) = (Rng::of(STREAM), Stamps::of(STREAM));
    let belongs = communities::belongs(communities, members.len());
    let talkative = Weights::new((0..members.len()).map(|_| rng.pareto(1.5).min(200.0)));
    let year = now - TimeDelta::days(365);
    let mut times: Vec<_> = (0..size.posts).map(|_| rng.between(year, now)).collect();
    times.sort_unstable();
    let mut posts: Vec<Post> = times
        .into_iter()
        .map(|created_at| {
            let author = talkative.draw(&mut rng);
            let theirs = &belongs[author];
            let community = (!theirs.is_empty() && rng.chance(IN_A_COMMUNITY)).then(|| *rng.choose(theirs));
            let id = stamps.owned_by(members[author].id, created_at);
            Post { id, author, created_at, community, reactions: 0, comments: 0 }
        })
        .collect();
    let audience = |post: &Post| post.community.map_or(members.len(), |number| audience_of(&communities[number]));
    // The most popular post has a reaction from every other reader.
    let caps: Vec<u32> = posts.iter().map(|post| audience(post).div_ceil(2)).collect();
    let liked: Vec<f64> = posts.iter().map(|_| rng.pareto(1.3) - 0.9).collect();
    // The numbers of reactions and comments correlate.
    let answered: Vec<f64> = liked.iter().map(|weight| weight.sqrt() * (rng.pareto(1.8) - 0.9)).collect();
    let reactions = rng::shares(size.reactions(), &liked, &caps);
    let longest: Vec<u32> = caps.iter().map(|cap| cap * 2).collect();
    let comments = rng::shares(size.comments(), &answered, &longest);
    for ((post, reactions), comments) in posts.iter_mut().zip(reactions).zip(comments) {
        (post.reactions, post.comments) = (reactions, comments);
    }
    posts.into()
}

fn audience_of(community: &Community) -> u32 {
    u32::try_from(community.members.len()).unwrap_or(u32::MAX)
}

impl World {
    /// The member at a position of the audience.
    fn audience(&self, post: &Post, index: u32) -> u32 {
        let members = post.community.map(|number| &self.communities[number].members);
        members.map_or(index, |members| members.get(index as usize).copied().unwrap_or(post.author))
    }

    /// The size of the audience.
    fn audience_size(&self, post: &Post) -> u32 {
        post.community.map_or(self.members.len(), |number| audience_of(&self.communities[number]))
    }

    /// Every reaction, post by post; at most one per member and post.
    pub fn reactions(&self) -> impl Iterator<Item = Interaction> {
        let mut rng = Rng::of(REACTIONS);
        self.posts.numbered().flat_map(move |(number, post)| {
            let indexes = rng.distinct(post.reactions, self.audience_size(post)).collect::<Vec<_>>();
            let interaction = indexes.into_iter().map(|index| Interaction {
                post: number,
                member: self.audience(post, index),
                at: soon_after(&mut rng, post.created_at, self.now),
            });
            interaction.collect::<Vec<_>>()
        })
    }

    /// Every comment, post by post.
    pub fn comments(&self) -> impl Iterator<Item = Interaction> {
        let mut rng = Rng::of(COMMENTS);
        self.posts.numbered().flat_map(move |(number, post)| {
            let interaction = (0..post.comments).map(|_| Interaction {
                post: number,
                member: self.audience(post, rng.below(self.audience_size(post))),
                at: soon_after(&mut rng, post.created_at, self.now),
            });
            interaction.collect::<Vec<_>>()
        })
    }
}

/// Mostly within hours, rarely months later, never after the end.
fn soon_after(rng: &mut Rng, from: DateTime<Utc>, end: DateTime<Utc>) -> DateTime<Utc> {
    let part = rng.unit().powi(6);
    let micros = (end - from).num_microseconds().unwrap_or_default() as f64;
    from + TimeDelta::microseconds((micros * part) as i64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn world(size: &str) -> World {
        World::new(size.parse().unwrap(), DateTime::UNIX_EPOCH + TimeDelta::days(20_000))
    }

    #[test]
    fn counters_equal_the_rows_and_no_member_reacts_twice() {
        let world = world("60");
        let mut seen = HashSet::new();
        let mut counted = vec![(0, 0); world.posts.len() as usize];
        for interaction in world.reactions() {
            assert!(seen.insert((interaction.post, interaction.member)), "{interaction:?}");
            counted[interaction.post as usize].0 += 1;
        }
        for interaction in world.comments() {
            counted[interaction.post as usize].1 += 1;
        }
        let kept: Vec<_> = world.posts.iter().map(|post| (post.reactions, post.comments)).collect();
        assert_eq!(counted, kept);
    }

    #[test]
    fn interactions_in_a_community_are_by_its_members() {
        let world = world("60");
        let inside = |number: u32, member: u32| {
            let post = &world.posts[number];
            post.community.is_none_or(|community| world.communities[community].members.contains(&member))
        };
        assert!(world.posts.numbered().all(|(number, post)| inside(number, post.author)));
        assert!(
            world.reactions().chain(world.comments()).all(|interaction| inside(interaction.post, interaction.member))
        );
        assert!(world.posts.iter().any(|post| post.community.is_some()));
    }

    #[test]
    fn the_totals_are_those_of_the_size_and_a_few_posts_have_many() {
        let world = world("S");
        let reactions: u32 = world.posts.iter().map(|post| post.reactions).sum();
        let comments: u32 = world.posts.iter().map(|post| post.comments).sum();
        assert_eq!((reactions, comments), (100_000, 40_000));
        assert!(world.posts.iter().map(|post| post.reactions).max() > Some(300));
        assert!(world.posts.iter().filter(|post| post.reactions < 5).count() > 12_000);
    }

    #[test]
    fn reactions_and_comments_are_later_than_their_post() {
        let world = world("30");
        for interaction in world.reactions().chain(world.comments()) {
            assert!(interaction.at >= world.posts[interaction.post].created_at && interaction.at <= world.now);
        }
    }
}

//! What happens in the story, and how its source tells it.

use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    social_graph::{CommunityRemoved, ConnectionAccepted, EventChanged, MemberBlocked, MemberUnblocked},
};
use testkit::{FactSource, member};

use super::super::{
    announced, attended, called, cancelled, commented, deleted, endorsed, joined, left, parted, posted, reacted,
    reposted, requested, thing, unattended, uncommented, unendorsed, unreacted, unreposted,
};

/// Members, from 1 on.
pub const CAST: u128 = 12;

/// Lots, the same in every run.
pub struct Lots(u64);

impl Lots {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// splitmix64.
    pub fn draw(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % below as u64).unwrap()
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.draw(from.len())].clone()
    }
}

/// Whose post it is.
pub const fn author(post: u128) -> u128 {
    post % CAST + 1
}

/// Something that happens. Everything but members and skills is a [`thing`] by its number.
#[derive(Clone, Debug)]
pub enum Deed {
    Reacted { who: u128, post: u128 },
    Unreacted { who: u128, post: u128 },
    Commented { who: u128, post: u128, comment: u128 },
    Uncommented { who: u128, post: u128, comment: u128 },
    Reposted { who: u128, post: u128, repost: u128 },
    Unreposted { who: u128, post: u128, repost: u128 },
    Posted { who: u128, community: u128, post: u128 },
    Deleted { who: u128, community: Option<u128>, post: u128 },
    Endorsed { who: u128, other: u128, skill: &'static str },
    Unendorsed { who: u128, other: u128, skill: &'static str },
    Requested { id: u128, who: u128, other: u128 },
    Accepted { id: u128, who: u128, other: u128 },
    Parted { id: u128, who: u128, other: u128 },
    Blocked { who: u128, other: u128 },
    Unblocked { who: u128, other: u128 },
    Founded { community: u128 },
    Joined { who: u128, community: u128, owner: bool },
    Left { who: u128, community: u128 },
    Dissolved { community: u128 },
    Announced { event: u128, organiser: u128, revision: i32, moved: bool },
    Cancelled { event: u128 },
    Attended { who: u128, event: u128 },
    Unattended { who: u128, event: u128 },
    Closed { who: u128 },
    Reopened { who: u128 },
    Erased { who: u128 },
}

impl Deed {
    /// Has its source tell it, and answers the fact's number.
    pub fn tell(&self, source: &FactSource) -> i64 {
        let key = "story";
        match *self {
            Self::Reacted { who, post } => source.tell(key, &reacted(who, post, author(post))),
            Self::Unreacted { who, post } => source.tell(key, &unreacted(who, post, author(post))),
            Self::Commented { who, post, comment } => source.tell(key, &commented(who, post, author(post), comment)),
            Self::Uncommented { who, post, comment } => {
                source.tell(key, &uncommented(who, post, author(post), comment))
            }
            Self::Reposted { who, post, repost } => source.tell(key, &reposted(who, post, author(post), repost)),
            Self::Unreposted { who, post, repost } => source.tell(key, &unreposted(who, post, author(post), repost)),
            Self::Posted { who, community, post } => source.tell(key, &posted(who, post, Some(community))),
            Self::Deleted { who, community, post } => source.tell(key, &deleted(post, who, community)),
            Self::Endorsed { who, other, skill } => source.tell(key, &endorsed(who, other, skill)),
            Self::Unendorsed { who, other, skill } => source.tell(key, &unendorsed(who, other, skill)),
            Self::Requested { id, who, other } => source.tell(key, &requested(id, who, other)),
            Self::Accepted { id, who, other } => {
                let (requester_id, recipient_id) = (member(who).to_string(), member(other).to_string());
                source
                    .tell(key, &ConnectionAccepted { connection_id: thing(id).to_string(), requester_id, recipient_id })
            }
            Self::Parted { id, who, other } => source.tell(key, &parted(id, who, other)),
            Self::Blocked { who, other } => {
                let (blocker_id, blocked_id) = (member(who).to_string(), member(other).to_string());
                source.tell(key, &MemberBlocked { blocker_id, blocked_id })
            }
            Self::Unblocked { who, other } => {
                let (blocker_id, blocked_id) = (member(who).to_string(), member(other).to_string());
                source.tell(key, &MemberUnblocked { blocker_id, blocked_id })
            }
            Self::Founded { community } => source.tell(key, &called(community, "A community")),
            Self::Joined { who, community, owner } => source.tell(key, &joined(who, community, owner)),
            Self::Left { who, community } => source.tell(key, &left(who, community)),
            Self::Dissolved { community } => {
                source.tell(key, &CommunityRemoved { community_id: thing(community).to_string() })
            }
            Self::Announced { event, organiser, revision, moved } => {
                source.tell(key, &EventChanged { moved, ..announced(event, Some(organiser), "An event", revision) })
            }
            Self::Cancelled { event } => source.tell(key, &cancelled(event)),
            Self::Attended { who, event } => source.tell(key, &attended(who, event)),
            Self::Unattended { who, event } => source.tell(key, &unattended(who, event)),
            Self::Closed { who } => source.tell(key, &AccountClosed { member_id: member(who).to_string() }),
            Self::Reopened { who } => source.tell(key, &AccountReopened { member_id: member(who).to_string() }),
            Self::Erased { who } => source.tell(key, &AccountErased { member_id: member(who).to_string() }),
        }
    }
}

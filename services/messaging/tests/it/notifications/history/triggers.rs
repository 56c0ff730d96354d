//! The triggers of the history and their facts.

use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    feed::PostCommented,
    social_graph::{CommunityRemoved, ConnectionAccepted, EventChanged, MemberBlocked, MemberUnblocked},
};
use testkit::{FactSource, member};

use super::super::{
    comment_reacted, comment_reaction_removed, comment_removed, comment_replied, community_changed, community_joined,
    community_left, connection_removed, connection_requested, endorsement_removed, entity_id, event_attended,
    event_changed, event_removed, event_unattended, post_commented, post_created, post_deleted, post_reacted,
    post_reposted, reaction_removed, removed, repost_removed, skill_endorsed,
};

/// The number of members, counted from 1.
pub const MEMBERS: u128 = 12;

/// Returns the author of a post.
pub const fn author(post: u128) -> u128 {
    post % MEMBERS + 1
}

/// A reply to the comment `to` of `answered`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reply {
    pub who: u128,
    pub post: u128,
    pub to: u128,
    pub answered: u128,
    pub reply: u128,
}

/// A reaction to a comment of `commenter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommentLike {
    pub who: u128,
    pub post: u128,
    pub comment: u128,
    pub commenter: u128,
}

/// A trigger of notifications. Subjects are numbers for [`entity_id`].
#[derive(Clone, Debug)]
pub enum Trigger {
    PostReacted { who: u128, post: u128 },
    ReactionRemoved { who: u128, post: u128 },
    PostCommented { who: u128, post: u128, comment: u128 },
    CommentRemoved { who: u128, post: u128, comment: u128 },
    CommentReplied(Reply),
    ReplyRemoved(Reply),
    CommentReacted(CommentLike),
    CommentReactionRemoved(CommentLike),
    PostReposted { who: u128, post: u128, repost: u128 },
    RepostRemoved { who: u128, post: u128, repost: u128 },
    PostCreated { who: u128, community: u128, post: u128 },
    PostDeleted { who: u128, community: Option<u128>, post: u128 },
    SkillEndorsed { who: u128, other: u128, skill: &'static str },
    EndorsementRemoved { who: u128, other: u128, skill: &'static str },
    ConnectionRequested { id: u128, who: u128, other: u128 },
    ConnectionAccepted { id: u128, who: u128, other: u128 },
    ConnectionRemoved { id: u128, who: u128, other: u128 },
    MemberBlocked { who: u128, other: u128 },
    MemberUnblocked { who: u128, other: u128 },
    CommunityCreated { community: u128 },
    CommunityJoined { who: u128, community: u128, owner: bool },
    CommunityLeft { who: u128, community: u128 },
    CommunityRemoved { community: u128 },
    EventChanged { event: u128, organiser: u128, revision: i32, moved: bool },
    EventRemoved { event: u128 },
    EventAttended { who: u128, event: u128 },
    EventUnattended { who: u128, event: u128 },
    AccountClosed { who: u128 },
    AccountReopened { who: u128 },
    AccountErased { who: u128 },
}

impl Trigger {
    /// Publishes the fact at its source and returns its position.
    pub fn publish(&self, source: &FactSource) -> i64 {
        let key = "history";
        match *self {
            Self::PostReacted { who, post } => source.publish(key, &post_reacted(who, post, author(post))),
            Self::ReactionRemoved { who, post } => source.publish(key, &reaction_removed(who, post, author(post))),
            Self::PostCommented { who, post, comment } => {
                source.publish(key, &post_commented(who, post, author(post), comment))
            }
            Self::CommentRemoved { who, post, comment } => {
                source.publish(key, &comment_removed(who, post, author(post), comment))
            }
            Self::CommentReplied(reply) => source.publish(key, &replied(reply)),
            Self::ReplyRemoved(reply) => source.publish(key, &removed(replied(reply))),
            Self::CommentReacted(CommentLike { who, post, comment, commenter }) => {
                source.publish(key, &comment_reacted(who, post, comment, commenter))
            }
            Self::CommentReactionRemoved(CommentLike { who, post, comment, commenter }) => {
                source.publish(key, &comment_reaction_removed(who, post, comment, commenter))
            }
            Self::PostReposted { who, post, repost } => {
                source.publish(key, &post_reposted(who, post, author(post), repost))
            }
            Self::RepostRemoved { who, post, repost } => {
                source.publish(key, &repost_removed(who, post, author(post), repost))
            }
            Self::PostCreated { who, community, post } => {
                source.publish(key, &post_created(who, post, Some(community)))
            }
            Self::PostDeleted { who, community, post } => source.publish(key, &post_deleted(post, who, community)),
            Self::SkillEndorsed { who, other, skill } => source.publish(key, &skill_endorsed(who, other, skill)),
            Self::EndorsementRemoved { who, other, skill } => {
                source.publish(key, &endorsement_removed(who, other, skill))
            }
            Self::ConnectionRequested { id, who, other } => source.publish(key, &connection_requested(id, who, other)),
            Self::ConnectionAccepted { id, who, other } => {
                let (requester_id, recipient_id) = (member(who).to_string(), member(other).to_string());
                source.publish(
                    key,
                    &ConnectionAccepted { connection_id: entity_id(id).to_string(), requester_id, recipient_id },
                )
            }
            Self::ConnectionRemoved { id, who, other } => source.publish(key, &connection_removed(id, who, other)),
            Self::MemberBlocked { who, other } => {
                let (blocker_id, blocked_id) = (member(who).to_string(), member(other).to_string());
                source.publish(key, &MemberBlocked { blocker_id, blocked_id })
            }
            Self::MemberUnblocked { who, other } => {
                let (blocker_id, blocked_id) = (member(who).to_string(), member(other).to_string());
                source.publish(key, &MemberUnblocked { blocker_id, blocked_id })
            }
            Self::CommunityCreated { community } => source.publish(key, &community_changed(community, "A community")),
            Self::CommunityJoined { who, community, owner } => {
                source.publish(key, &community_joined(who, community, owner))
            }
            Self::CommunityLeft { who, community } => source.publish(key, &community_left(who, community)),
            Self::CommunityRemoved { community } => {
                source.publish(key, &CommunityRemoved { community_id: entity_id(community).to_string() })
            }
            Self::EventChanged { event, organiser, revision, moved } => source
                .publish(key, &EventChanged { moved, ..event_changed(event, Some(organiser), "An event", revision) }),
            Self::EventRemoved { event } => source.publish(key, &event_removed(event)),
            Self::EventAttended { who, event } => source.publish(key, &event_attended(who, event)),
            Self::EventUnattended { who, event } => source.publish(key, &event_unattended(who, event)),
            Self::AccountClosed { who } => source.publish(key, &AccountClosed { member_id: member(who).to_string() }),
            Self::AccountReopened { who } => {
                source.publish(key, &AccountReopened { member_id: member(who).to_string() })
            }
            Self::AccountErased { who } => source.publish(key, &AccountErased { member_id: member(who).to_string() }),
        }
    }
}

fn replied(Reply { who, post, to, answered, reply }: Reply) -> PostCommented {
    comment_replied(who, post, author(post), (to, answered), reply)
}

//! Reactions to posts and comments.

use portia_proto::feed as pb;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::{cache::MemberCards, views::Author};

pub use crate::api::contract::feed::{Like, LikeCount, ReactionType};

/// A reaction with the card of its member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberLike {
    /// The member.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// The type of reaction.
    #[serde(rename = "type")]
    pub kind: ReactionType,
    /// The card of the member.
    pub user: Author,
}

impl MemberLike {
    /// The ids of the members whose cards it contains.
    pub fn members(reaction: &pb::Reaction) -> impl Iterator<Item = &str> {
        std::iter::once(reaction.member_id.as_str())
    }

    /// A reaction with its member.
    pub fn of(reaction: pb::Reaction, people: &MemberCards) -> Self {
        Self { kind: reaction.kind().into(), user: people.author(&reaction.member_id), user_id: reaction.member_id }
    }
}

/// The reaction of the caller, and the number of reactions to the post or comment.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeSet {
    /// The caller.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// The type of reaction.
    #[serde(rename = "type")]
    pub kind: ReactionType,
    /// The number of reactions to the post or comment.
    pub like_count: i64,
}

impl From<pb::RemoveCommentReactionResponse> for LikeCount {
    fn from(answer: pb::RemoveCommentReactionResponse) -> Self {
        Self { like_count: answer.like_count }
    }
}

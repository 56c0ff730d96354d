//! Hidden posts, mutes and reasons.

use chrono::{DateTime, Utc};
use portia_proto::feed as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::cache::MemberCards;
use crate::{
    api::{members::views::Author, posts::views::Post},
    edge::{signed_addresses::AddressSigner, timestamps::required_moment},
};

pub use crate::api::contract::feed::{MuteKind, PostReason, PostReasonKind};

/// A hidden post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HiddenPost {
    /// The post.
    pub post: Post,
    /// The time since which it is hidden.
    pub hidden_at: DateTime<Utc>,
    /// The caller is not interested in such posts.
    pub not_interested: bool,
}

impl HiddenPost {
    /// A hidden post with the cards of its members; `None` without the post.
    pub fn of(hidden: pb::HiddenPost, people: &MemberCards, addresses: AddressSigner<'_>) -> Option<Self> {
        let (hidden_at, not_interested) = (required_moment(hidden.hidden_at), hidden.not_interested);
        Some(Self { post: Post::of(hidden.post?, people, addresses), hidden_at, not_interested })
    }
}

/// How long a mute lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MuteDuration {
    /// Until it is removed.
    #[default]
    Forever,
    /// 24 hours.
    Day,
    /// 7 days.
    Week,
    /// 30 days.
    Month,
}

impl From<MuteDuration> for pb::MuteDuration {
    fn from(duration: MuteDuration) -> Self {
        match duration {
            MuteDuration::Forever => Self::Unspecified,
            MuteDuration::Day => Self::Day,
            MuteDuration::Week => Self::Week,
            MuteDuration::Month => Self::Month,
        }
    }
}

/// A new mute.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateMute {
    /// What is muted.
    pub kind: MuteKind,
    /// For a word: 1 to 50 characters, also several words. Compared without case, with whole words.
    #[schema(format = "line", min_length = 1, max_length = 50)]
    pub word: Option<String>,
    /// For a member or a community: its id.
    #[schema(format = Uuid)]
    pub target_id: Option<String>,
    /// How long it lasts; `forever` when absent.
    pub duration: Option<MuteDuration>,
}

/// A muted community.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MutedCommunity {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The name.
    pub name: String,
}

/// A mute.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mute {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// What is muted.
    pub kind: MuteKind,
    /// The word, in lower case; null for other kinds.
    #[schema(required)]
    pub word: Option<String>,
    /// The member; null for other kinds.
    #[schema(required)]
    pub user: Option<Author>,
    /// The community; null for other kinds.
    #[schema(required)]
    pub community: Option<MutedCommunity>,
    /// The time of the mute.
    pub created_at: DateTime<Utc>,
    /// The time at which it ends; null for a mute without an end.
    #[schema(required)]
    pub expires_at: Option<DateTime<Utc>>,
}

impl Mute {
    /// The id of the muted member, if it is one: the card that it contains.
    pub fn members(mute: &pb::Mute) -> Option<&str> {
        mute.target_id.as_deref().filter(|_| mute.kind() == pb::MuteKind::Member)
    }

    /// A mute with the card of its member.
    pub fn of(mute: pb::Mute, people: &MemberCards) -> Self {
        let user = Self::members(&mute).map(|id| people.author(id));
        let kind = match mute.kind() {
            pb::MuteKind::Member => MuteKind::Member,
            pb::MuteKind::Community => MuteKind::Community,
            pb::MuteKind::Word | pb::MuteKind::Unspecified => MuteKind::Word,
        };
        Self {
            id: mute.id,
            kind,
            word: mute.word,
            user,
            community: mute.community.zip(mute.target_id).map(|(name, id)| MutedCommunity { id, name }),
            created_at: required_moment(mute.created_at),
            expires_at: mute.expires_at.map(|at| required_moment(Some(at))),
        }
    }
}

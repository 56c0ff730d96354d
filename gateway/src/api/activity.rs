//! The activity of a member.

use chrono::{DateTime, Utc};
use portia_proto::feed::{self as pb, ReactionKind, activity::Action};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::cache::MemberCards;
use crate::{
    api::{
        members::views::Author,
        posts::{comment_views::Comment, like_views::ReactionType, mentions},
    },
    edge::timestamps::required_moment,
};

/// A post, comment or reaction of a member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The kind of activity.
    #[serde(rename = "type")]
    pub kind: ActivityType,
    /// The time of the activity.
    pub at: DateTime<Utc>,
    /// The post: written, commented on, or reacted to.
    pub post: PostExcerpt,
    /// The comment. Only for the type `comment`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub comment: Option<Comment>,
    /// The reaction. Only for the type `reaction`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reaction: Option<ReactionType>,
}

/// Kinds of activity.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActivityType {
    /// The member wrote the post.
    Post,
    /// The member commented on the post.
    Comment,
    /// The member reacted to the post.
    Reaction,
}

/// The beginning of a post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostExcerpt {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The author.
    pub author: Author,
    /// The first 300 characters of the content.
    pub excerpt: String,
}

impl Activity {
    /// The ids of the members whose cards it contains: the author of the post, the commenter, and the mentioned members.
    pub fn members(activity: &pb::Activity) -> impl Iterator<Item = &str> {
        let commenter = match &activity.action {
            Some(Action::Commented(comment)) => Some(Comment::members(comment)),
            _ => None,
        };
        let mentioned = mentions::members_in(&activity.post_excerpt);
        std::iter::once(activity.post_author_id.as_str()).chain(commenter.into_iter().flatten()).chain(mentioned)
    }

    /// An activity with the cards of its members. `None` for a kind that this version does not know.
    pub fn of(activity: pb::Activity, people: &MemberCards) -> Option<Self> {
        let post = PostExcerpt {
            author: people.author(&activity.post_author_id),
            id: activity.post_id,
            excerpt: mentions::render(activity.post_excerpt, &[], people).0,
        };
        let view =
            Self { kind: ActivityType::Post, at: required_moment(activity.at), post, comment: None, reaction: None };
        Some(match activity.action? {
            Action::Posted(_) => view,
            Action::Commented(comment) => {
                Self { kind: ActivityType::Comment, comment: Some(Comment::of(comment, people)), ..view }
            }
            Action::Reacted(kind) => {
                let kind = ReactionKind::try_from(kind).unwrap_or_default();
                Self { kind: ActivityType::Reaction, reaction: Some(kind.into()), ..view }
            }
        })
    }
}

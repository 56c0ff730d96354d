//! What a member did lately.

use chrono::{DateTime, Utc};
use portia_proto::feed::{self as wire, ReactionKind, activity::Action};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{
    api::{
        members::views::Author,
        posts::views::{Comment, ReactionType},
    },
    edge::timestamps::required_moment,
};

/// One thing a member did.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ActivityType,
    /// When.
    pub at: DateTime<Utc>,
    /// The post that it is, or that it was said under.
    pub post: PostExcerpt,
    /// What they said: in a comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub comment: Option<Comment>,
    /// How they reacted: in a reaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reaction: Option<ReactionType>,
}

/// Kinds of activity.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ActivityType {
    /// They wrote the post.
    Post,
    /// They commented on it.
    Comment,
    /// They reacted to it.
    Reaction,
}

/// As much of a post as tells which it is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostExcerpt {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// Who wrote it.
    pub author: Author,
    /// Its first 300 characters.
    pub excerpt: String,
}

impl Activity {
    /// With the people in it. `None` for a kind that this version knows nothing of.
    pub fn of(activity: wire::Activity, people: &MemberCards) -> Option<Self> {
        let post = PostExcerpt {
            author: people.author(&activity.post_author_id),
            id: activity.post_id,
            excerpt: activity.post_excerpt,
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

/// The members an activity shows: the post's author and the commenter.
pub fn people_of(activity: &wire::Activity) -> impl Iterator<Item = &str> {
    let commenter = match &activity.action {
        Some(Action::Commented(comment)) => Some(comment.author_id.as_str()),
        _ => None,
    };
    std::iter::once(activity.post_author_id.as_str()).chain(commenter)
}

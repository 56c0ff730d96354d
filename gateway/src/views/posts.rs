//! Posts, reactions, comments, and what is sent to make them.

use chrono::{DateTime, Utc};
use portia_proto::feed as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{member::Author, required_moment};
use crate::people::People;

/// A post as lists carry it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// At most 5,000 characters.
    pub content: String,
    /// A picture's address.
    #[schema(required)]
    pub image_url: Option<String>,
    /// When it was published.
    pub created_at: DateTime<Utc>,
    /// Who wrote it.
    pub user: Author,
    /// At most 20, the asker's own always among them.
    pub likes: Vec<Like>,
    /// All of them.
    pub like_count: i64,
    /// All of them.
    pub comment_count: i64,
    /// The 3 newest, oldest of them first.
    pub comments: Vec<Comment>,
    /// Where it was published; null for a post to everybody.
    #[schema(required)]
    pub community: Option<PostCommunity>,
}

impl Post {
    /// A post with the people on it.
    pub fn of(post: wire::Post, people: &People) -> Self {
        Self {
            user: people.author(&post.author_id),
            id: post.id,
            content: post.content,
            image_url: post.image_url,
            created_at: required_moment(post.created_at),
            likes: post.reactions.into_iter().map(Like::from).collect(),
            like_count: post.like_count,
            comment_count: post.comment_count,
            comments: post.comments.into_iter().map(|comment| Comment::of(comment, people)).collect(),
            community: post.community.map(|community| PostCommunity { id: community.id, name: community.name }),
        }
    }
}

/// The community a post is in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostCommunity {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// What it is called.
    pub name: String,
}

/// The members a post shows: its author and who commented.
pub fn people_of(post: &wire::Post) -> impl Iterator<Item = &str> {
    let commenters = post.comments.iter().map(|comment| comment.author_id.as_str());
    std::iter::once(post.author_id.as_str()).chain(commenters)
}

/// How a member reacts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReactionType {
    /// The plain one.
    Like,
    /// Congratulations.
    Celebrate,
    /// I am with you.
    Support,
    /// I learnt something.
    Insightful,
    /// You helped me.
    Thanks,
}

impl From<ReactionType> for wire::ReactionKind {
    fn from(reaction: ReactionType) -> Self {
        match reaction {
            ReactionType::Like => Self::Like,
            ReactionType::Celebrate => Self::Celebrate,
            ReactionType::Support => Self::Support,
            ReactionType::Insightful => Self::Insightful,
            ReactionType::Thanks => Self::Thanks,
        }
    }
}

impl From<wire::ReactionKind> for ReactionType {
    fn from(kind: wire::ReactionKind) -> Self {
        match kind {
            wire::ReactionKind::Like | wire::ReactionKind::Unspecified => Self::Like,
            wire::ReactionKind::Celebrate => Self::Celebrate,
            wire::ReactionKind::Support => Self::Support,
            wire::ReactionKind::Insightful => Self::Insightful,
            wire::ReactionKind::Thanks => Self::Thanks,
        }
    }
}

/// A member's reaction to a post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Like {
    /// Whose.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// Which.
    #[serde(rename = "type")]
    pub kind: ReactionType,
}

impl From<wire::Reaction> for Like {
    fn from(reaction: wire::Reaction) -> Self {
        Self { kind: reaction.kind().into(), user_id: reaction.member_id }
    }
}

/// The asker's reaction as it now is, and the post's counter after it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeSet {
    /// The asker.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// Which.
    #[serde(rename = "type")]
    pub kind: ReactionType,
    /// Reactions to the post.
    pub like_count: i64,
}

/// A post's counter after a reaction was taken back.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeCount {
    /// Reactions to the post.
    pub like_count: i64,
}

/// A comment.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// At most 2,000 characters.
    pub content: String,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// Who wrote it.
    pub user: Author,
}

impl Comment {
    /// A comment with its author.
    pub fn of(comment: wire::Comment, people: &People) -> Self {
        Self {
            user: people.author(&comment.author_id),
            id: comment.id,
            content: comment.content,
            created_at: required_moment(comment.created_at),
        }
    }
}

/// A new post.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatePost {
    /// The signed-in member, or left out; anybody else is refused.
    #[schema(format = Uuid, nullable = false)]
    pub user_id: Option<String>,
    /// Not blank, at most 5,000 characters. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    pub content: String,
    /// The community whose members it is for; for everybody when left out.
    #[schema(format = Uuid, nullable = false)]
    pub community_id: Option<String>,
}

/// A reaction.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetLike {
    /// The signed-in member, or left out; anybody else is refused.
    #[schema(format = Uuid, nullable = false)]
    pub user_id: Option<String>,
    /// Which.
    #[serde(rename = "type")]
    pub kind: ReactionType,
}

/// A new comment.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateComment {
    /// The signed-in member, or left out; anybody else is refused.
    #[schema(format = Uuid, nullable = false)]
    pub user_id: Option<String>,
    /// Not blank, at most 2,000 characters. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    pub content: String,
}

/// In which order posts come.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FeedSort {
    /// The server's order.
    #[default]
    Relevant,
    /// Newest first.
    Recent,
    /// Most liked first, then newest.
    Top,
}

impl From<FeedSort> for wire::PostSort {
    fn from(sort: FeedSort) -> Self {
        match sort {
            FeedSort::Relevant => Self::Relevant,
            FeedSort::Recent => Self::Recent,
            FeedSort::Top => Self::Top,
        }
    }
}

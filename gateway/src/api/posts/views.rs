//! Posts, reactions, comments, and what is sent to make them.

use chrono::{DateTime, Utc};
use portia_proto::feed as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{api::members::views::Author, edge::timestamps::required_moment};

/// A post as lists carry it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// At most 5,000 characters; an article's are Markdown, in lists its first 600 characters as plain text. Empty where a
    /// repost says nothing itself.
    pub content: String,
    /// A picture's address.
    #[schema(required)]
    pub image_url: Option<String>,
    /// The same picture, with what it shows and its size.
    #[schema(required)]
    pub image: Option<PostImage>,
    /// An article's; null for any other post.
    #[schema(required)]
    pub title: Option<String>,
    /// The address of a page with a video.
    #[schema(required)]
    pub video_url: Option<String>,
    /// When it was published.
    pub created_at: DateTime<Utc>,
    /// When its author last changed it; null for what stands as it was written.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
    /// Who wrote it.
    pub user: Author,
    /// At most 20, the asker's own always among them.
    pub likes: Vec<Like>,
    /// All of them.
    pub like_count: i64,
    /// All of them.
    pub comment_count: i64,
    /// How often it was passed on.
    pub share_count: i64,
    /// The 3 newest, oldest of them first.
    pub comments: Vec<Comment>,
    /// Where it was published; null for a post to everybody.
    #[schema(required)]
    pub community: Option<PostCommunity>,
    /// What it passes on; null for a post of its own.
    #[schema(required)]
    pub repost: Option<Repost>,
}

impl Post {
    /// A post with the people on it.
    pub fn of(post: wire::Post, people: &MemberCards) -> Self {
        Self {
            user: people.author(&post.author_id),
            id: post.id,
            content: post.content,
            image: PostImage::of(post.image_url.as_deref(), post.picture),
            image_url: post.image_url,
            title: post.title,
            video_url: post.video_url,
            edited_at: post.edited_at.map(|at| required_moment(Some(at))),
            created_at: required_moment(post.created_at),
            likes: post.reactions.into_iter().map(Like::from).collect(),
            like_count: post.like_count,
            comment_count: post.comment_count,
            share_count: post.share_count,
            comments: post.comments.into_iter().map(|comment| Comment::of(comment, people)).collect(),
            community: post.community.map(|community| PostCommunity { id: community.id, name: community.name }),
            repost: post.repost.map(|repost| Repost::of(repost, people)),
        }
    }
}

/// A post's picture.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostImage {
    /// Its address.
    pub url: String,
    /// What it shows, in words; empty where its author says nothing of it.
    pub alt: String,
    /// In pixels.
    pub width: i32,
    /// In pixels.
    pub height: i32,
}

impl PostImage {
    fn of(url: Option<&str>, picture: Option<wire::Picture>) -> Option<Self> {
        let (url, wire::Picture { alt, width, height }) = url.zip(picture)?;
        Some(Self { url: url.to_owned(), alt, width, height })
    }
}

/// A picture that waits for the post that takes it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Picture {
    /// UUIDv7: what the post names it by.
    #[schema(format = Uuid)]
    pub id: String,
    /// Its address.
    pub url: String,
    /// In pixels.
    pub width: i32,
    /// In pixels.
    pub height: i32,
}

impl From<wire::UploadPictureResponse> for Picture {
    fn from(kept: wire::UploadPictureResponse) -> Self {
        Self { id: kept.picture_id, url: kept.url, width: kept.width, height: kept.height }
    }
}

/// A post that another one passes on. Everything is null when it is gone, or not for the asker.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Repost {
    /// UUIDv7.
    #[schema(required, format = Uuid)]
    pub id: Option<String>,
    /// Who wrote it.
    #[schema(required)]
    pub user: Option<Author>,
    /// Its words; of an article the first 600 characters as plain text.
    #[schema(required)]
    pub content: Option<String>,
    /// An article's; null for any other post.
    #[schema(required)]
    pub title: Option<String>,
    /// Its picture.
    #[schema(required)]
    pub image: Option<PostImage>,
    /// The address of a page with a video.
    #[schema(required)]
    pub video_url: Option<String>,
    /// When it was published.
    #[schema(required)]
    pub created_at: Option<DateTime<Utc>>,
    /// When its author last changed it; null for what stands as it was written.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
}

impl Repost {
    fn of(repost: wire::Repost, people: &MemberCards) -> Self {
        Self {
            user: repost.author_id.as_deref().map(|author| people.author(author)),
            id: repost.post_id,
            content: repost.content,
            title: repost.title,
            image: PostImage::of(repost.image_url.as_deref(), repost.picture),
            video_url: repost.video_url,
            created_at: repost.created_at.map(|at| required_moment(Some(at))),
            edited_at: repost.edited_at.map(|at| required_moment(Some(at))),
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

/// The members a post shows: its author, who commented, and who wrote what it passes on.
pub fn people_of(post: &wire::Post) -> impl Iterator<Item = &str> {
    let commenters = post.comments.iter().map(|comment| comment.author_id.as_str());
    let original = post.repost.as_ref().and_then(|repost| repost.author_id.as_deref());
    std::iter::once(post.author_id.as_str()).chain(commenters).chain(original)
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
    /// When its author last changed it; null for what stands as it was written.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
    /// Who wrote it.
    pub user: Author,
}

impl Comment {
    /// A comment with its author.
    pub fn of(comment: wire::Comment, people: &MemberCards) -> Self {
        Self {
            user: people.author(&comment.author_id),
            id: comment.id,
            content: comment.content,
            created_at: required_moment(comment.created_at),
            edited_at: comment.edited_at.map(|at| required_moment(Some(at))),
        }
    }
}

/// A post's counter after a comment was taken away.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentCount {
    /// The post.
    #[schema(format = Uuid)]
    pub post_id: String,
    /// Comments on it; null where the caller, who took their own back, may not see it any more.
    pub comment_count: Option<i64>,
}

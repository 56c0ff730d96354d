//! What is sent to write, change and answer, and the orders to read in.

use portia_proto::feed as wire;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::posts::views::ReactionType;

/// A new post.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatePost {
    /// The signed-in member, or left out; anybody else is refused.
    #[schema(format = Uuid, nullable = false)]
    pub user_id: Option<String>,
    /// Not blank, at most 5,000 characters; an article's at most 40,000, in Markdown. May be blank where something is
    /// passed on. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    pub content: String,
    /// The community whose members it is for; for everybody when left out.
    #[schema(format = Uuid, nullable = false)]
    pub community_id: Option<String>,
    /// Makes it an article: 1 to 200 characters.
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// A picture of mine that no post has taken; not in an article or a repost.
    #[schema(format = Uuid, nullable = false)]
    pub picture_id: Option<String>,
    /// What the picture shows, in words: at most 1,000 characters.
    #[schema(nullable = false)]
    pub picture_alt: Option<String>,
    /// http(s), at most 2,048 characters: the address of a page with a video. Not together with a picture, nor in a repost.
    #[schema(nullable = false)]
    pub video_url: Option<String>,
    /// The post it passes on, which is for everybody. Without words a member passes a post on once.
    #[schema(format = Uuid, nullable = false)]
    pub repost_of: Option<String>,
}

/// What a post says from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatePost {
    /// Not blank, at most 5,000 characters; an article's at most 40,000. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    pub content: String,
    /// An article's title.
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// What the post's picture shows, in words; as it was when left out.
    #[schema(nullable = false)]
    pub picture_alt: Option<String>,
}

/// What a comment says from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateComment {
    /// Not blank, at most 2,000 characters. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    pub content: String,
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

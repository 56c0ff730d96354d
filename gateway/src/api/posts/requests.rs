//! Requests to create and update posts, comments and reactions, and the orders of lists.

use portia_proto::feed as pb;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api::posts::like_views::ReactionType;

pub use crate::api::contract::feed::FeedKind;

/// A new post.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatePost {
    /// The signed-in member. May be left out; any other id is refused with 403.
    #[schema(format = Uuid)]
    pub user_id: Option<String>,
    /// The text: at most 5,000 characters. With a `title`, Markdown of at most 40,000 characters. Must not be blank, except
    /// in a repost. Absent counts as blank. `@[<member id>]` mentions a member, at most 20 times, and counts as one character.
    #[serde(default)]
    #[schema(format = "text", required, max_length = 40000, extensions(("x-max-length-without-title" = json!(5000))))]
    pub content: String,
    /// The community of the post. The post is public when absent.
    #[schema(format = Uuid)]
    pub community_id: Option<String>,
    /// Makes the post an article: a title of 1 to 200 characters.
    #[schema(format = "line", min_length = 1, max_length = 200)]
    pub title: Option<String>,
    /// An uploaded picture that no post uses. Not allowed in an article or a repost.
    #[schema(format = Uuid)]
    pub picture_id: Option<String>,
    /// The description of the picture, at most 1,000 characters.
    #[schema(format = "text", max_length = 1000)]
    pub picture_alt: Option<String>,
    /// Several pictures in their order, at most 4, instead of `pictureId` and `pictureAlt`.
    #[schema(max_items = 4)]
    pub pictures: Option<Vec<NewPicture>>,
    /// An uploaded PDF file that no post uses. Not allowed with a picture or a video, in an article or a repost.
    #[schema(format = Uuid)]
    pub pdf_id: Option<String>,
    /// The URL of a page with a video: http(s), at most 2,048 characters. Not allowed with a picture or in a repost.
    #[schema(format = "link", min_length = 1, max_length = 2048)]
    pub video_url: Option<String>,
    /// Whether the first link of the text has no preview. Absent counts as false.
    #[serde(default)]
    #[schema(required = false)]
    pub without_link_preview: bool,
    /// The reposted post, which must be public. Without content, a member can repost a post once.
    #[schema(format = Uuid)]
    pub repost_of: Option<String>,
}

/// One of several pictures of a new post.
#[derive(Deserialize, ToSchema)]
pub struct NewPicture {
    /// An uploaded picture that no post uses.
    #[schema(format = Uuid)]
    pub id: String,
    /// The description, at most 300 characters.
    #[schema(format = "text", max_length = 300)]
    pub alt: Option<String>,
}

impl From<NewPicture> for pb::NewPicture {
    fn from(picture: NewPicture) -> Self {
        Self { picture_id: picture.id, alt: picture.alt.unwrap_or_default() }
    }
}

/// Changes of a post.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdatePost {
    /// The text: not blank, at most 5,000 characters, in an article at most 40,000, with mentions as in a new post. Absent
    /// counts as blank.
    #[serde(default)]
    #[schema(format = "text", required, min_length = 1, max_length = 40000, extensions(("x-max-length-without-title" = json!(5000))))]
    pub content: String,
    /// The title of an article. Absent keeps the title.
    #[schema(format = "line", min_length = 1, max_length = 200)]
    pub title: Option<String>,
    /// The description of the first picture, at most 1,000 characters. Absent keeps the description.
    #[schema(format = "text", max_length = 1000)]
    pub picture_alt: Option<String>,
    /// Instead of `pictureAlt`, a description for each picture of the post in their order, at most 300 characters each, of a
    /// single picture 1,000. Absent or empty keeps the descriptions.
    #[schema(inline, value_type = Option<Vec<PictureAlt>>, max_items = 4)]
    pub picture_alts: Option<Vec<String>>,
}

/// The description of a picture.
#[derive(ToSchema)]
#[schema(format = "text", max_length = 1000)]
#[expect(dead_code, reason = "only for the OpenAPI document")]
struct PictureAlt(String);

/// A reaction.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetLike {
    /// The signed-in member. May be left out; any other id is refused with 403.
    #[schema(format = Uuid)]
    pub user_id: Option<String>,
    /// The type of reaction.
    #[serde(rename = "type")]
    pub kind: ReactionType,
}

/// A new comment.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateComment {
    /// The signed-in member. May be left out; any other id is refused with 403.
    #[schema(format = Uuid)]
    pub user_id: Option<String>,
    /// The text: not blank, at most 2,000 characters, with mentions as in a post. Absent counts as blank.
    #[serde(default)]
    #[schema(format = "text", required, min_length = 1, max_length = 2000)]
    pub content: String,
    /// The answered comment, on the same post. A reply to a reply belongs to the same top-level comment.
    #[schema(format = Uuid)]
    pub reply_to: Option<String>,
}

/// The order of posts.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FeedSort {
    /// By relevance for the caller.
    #[default]
    Relevant,
    /// Newest first.
    Recent,
    /// Most reactions first, then newest.
    Top,
}

impl From<FeedSort> for pb::PostSort {
    fn from(sort: FeedSort) -> Self {
        match sort {
            FeedSort::Relevant => Self::Relevant,
            FeedSort::Recent => Self::Recent,
            FeedSort::Top => Self::Top,
        }
    }
}

//! Posts and pictures.

use chrono::{DateTime, Utc};
use portia_proto::feed as pb;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::cache::MemberCards;
use crate::{
    api::{
        members::views::Author,
        posts::{
            comment_views::Comment,
            like_views::Like,
            link_previews::LinkPreview,
            mentions::{self, Mention},
            signed_pictures::PictureSigner,
        },
    },
    edge::{signed_addresses::AddressSigner, timestamps::required_moment},
};

/// A post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The text, at most 5,000 characters, with the names of mentioned members. Of an article, Markdown; in lists, its first 600 characters as plain text. Empty
    /// in a repost without its own text.
    pub content: String,
    /// The URL of the picture. In a community it is signed and valid for half an hour at least; afterwards the post has another one.
    #[schema(required)]
    pub image_url: Option<String>,
    /// The picture with its description and size.
    #[schema(required)]
    pub image: Option<PostImage>,
    /// All pictures, at most 4; the first one is also `image`.
    pub pictures: Vec<PostImage>,
    /// The PDF file.
    #[schema(required)]
    pub pdf: Option<PostPdf>,
    /// The preview of the first link of the text. Absent while the page is being fetched, and when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub link_preview: Option<LinkPreview>,
    /// The title of an article; null for other posts.
    #[schema(required)]
    pub title: Option<String>,
    /// The URL of a page with a video.
    #[schema(required)]
    pub video_url: Option<String>,
    /// The time of publication.
    pub created_at: DateTime<Utc>,
    /// The time of the last edit; null without edits.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
    /// The author.
    pub user: Author,
    /// At most 20 reactions, including that of the caller.
    pub likes: Vec<Like>,
    /// The number of reactions.
    pub like_count: i64,
    /// The number of comments, including replies.
    pub comment_count: i64,
    /// The number of reposts.
    pub share_count: i64,
    /// The 3 newest top-level comments, oldest first.
    pub comments: Vec<Comment>,
    /// The community; null for a public post.
    #[schema(required)]
    pub community: Option<PostCommunity>,
    /// The reposted post; null for other posts.
    #[schema(required)]
    pub repost: Option<Repost>,
    /// The mentions in the text, in its order.
    pub mentions: Vec<Mention>,
}

impl Post {
    /// A post with the cards of its members, and signed addresses of its pictures.
    pub fn of(post: pb::Post, people: &MemberCards, addresses: AddressSigner<'_>) -> Self {
        let (content, mentions) = mentions::render(post.content, &post.mentioned_ids, people);
        let signer = PictureSigner { addresses, is_public: post.community.is_none() };
        let image_url = post.image_url.map(|path| signer.sign(path));
        Self {
            user: people.author(&post.author_id),
            pictures: post.pictures.into_iter().map(|picture| PostImage::signed(picture, signer)).collect(),
            pdf: post.pdf.map(|pdf| PostPdf::of(pdf, &post.id)),
            link_preview: post.link_preview.map(|preview| LinkPreview::of(preview, signer)),
            id: post.id,
            content,
            mentions,
            image: PostImage::of(image_url.as_deref(), post.picture),
            image_url,
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
            repost: post.repost.map(|repost| Repost::of(repost, people, addresses)),
        }
    }
}

/// The picture of a post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostImage {
    /// The URL of the picture, as `imageUrl` of the post.
    pub url: String,
    /// The description; empty without one.
    pub alt: String,
    /// The width in pixels.
    pub width: i32,
    /// The height in pixels.
    pub height: i32,
}

impl PostImage {
    fn of(url: Option<&str>, picture: Option<pb::Picture>) -> Option<Self> {
        let (url, pb::Picture { alt, width, height }) = url.zip(picture)?;
        Some(Self { url: url.to_owned(), alt, width, height })
    }

    fn signed(pb::PostPicture { url, alt, width, height }: pb::PostPicture, signer: PictureSigner<'_>) -> Self {
        Self { url: signer.sign(url), alt, width, height }
    }
}

/// The PDF file of a post.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PostPdf {
    /// The name on the computer of the author, with the ending `.pdf`.
    pub name: String,
    /// The size in bytes.
    pub size: i32,
    /// The URL of the download, for callers who may see the post.
    pub url: String,
}

impl PostPdf {
    fn of(pdf: pb::Pdf, post: &str) -> Self {
        Self { name: pdf.name, size: pdf.size, url: format!("/api/posts/{post}/pdf") }
    }
}

/// An uploaded picture.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Picture {
    /// UUIDv7, for the `pictureId` of a post.
    #[schema(format = Uuid)]
    pub id: String,
    /// The URL of the picture, valid for half an hour at least.
    pub url: String,
    /// The width in pixels.
    pub width: i32,
    /// The height in pixels.
    pub height: i32,
}

impl Picture {
    /// A picture with an address for its member: the audience of its post is not known yet.
    pub fn of(stored: pb::UploadPictureResponse, addresses: AddressSigner<'_>) -> Self {
        let (width, height) = (stored.width, stored.height);
        Self { id: stored.picture_id, url: addresses.temporary(stored.url), width, height }
    }
}

/// A reposted post. All fields are null when it is deleted or not visible to the caller.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Repost {
    /// UUIDv7.
    #[schema(required, format = Uuid)]
    pub id: Option<String>,
    /// The author.
    #[schema(required)]
    pub user: Option<Author>,
    /// The text; of an article, the first 600 characters as plain text.
    #[schema(required)]
    pub content: Option<String>,
    /// The title of an article; null for other posts.
    #[schema(required)]
    pub title: Option<String>,
    /// The picture.
    #[schema(required)]
    pub image: Option<PostImage>,
    /// All pictures, at most 4; the first one is also `image`.
    pub pictures: Vec<PostImage>,
    /// The PDF file.
    #[schema(required)]
    pub pdf: Option<PostPdf>,
    /// The preview of the first link of the text, as in a post.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub link_preview: Option<LinkPreview>,
    /// The URL of a page with a video.
    #[schema(required)]
    pub video_url: Option<String>,
    /// The time of publication.
    #[schema(required)]
    pub created_at: Option<DateTime<Utc>>,
    /// The time of the last edit; null without edits.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
    /// The mentions in the text, in its order.
    pub mentions: Vec<Mention>,
}

impl Repost {
    fn of(repost: pb::Repost, people: &MemberCards, addresses: AddressSigner<'_>) -> Self {
        // Only public posts can be reposted.
        let signer = PictureSigner { addresses, is_public: true };
        let image_url = repost.image_url.map(|path| signer.sign(path));
        let rendered = repost.content.map(|content| mentions::render(content, &repost.mentioned_ids, people));
        let (content, mentions) = rendered.unzip();
        Self {
            user: repost.author_id.as_deref().map(|author| people.author(author)),
            pictures: repost.pictures.into_iter().map(|picture| PostImage::signed(picture, signer)).collect(),
            link_preview: repost.link_preview.map(|preview| LinkPreview::of(preview, signer)),
            pdf: repost.pdf.zip(repost.post_id.as_deref()).map(|(pdf, post)| PostPdf::of(pdf, post)),
            id: repost.post_id,
            content,
            mentions: mentions.unwrap_or_default(),
            title: repost.title,
            image: PostImage::of(image_url.as_deref(), repost.picture),
            video_url: repost.video_url,
            created_at: repost.created_at.map(|at| required_moment(Some(at))),
            edited_at: repost.edited_at.map(|at| required_moment(Some(at))),
        }
    }
}

/// The community of a post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostCommunity {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The name.
    pub name: String,
}

/// The members of a post view: the authors of the post, of its comments and of the reposted post, and the mentioned members.
pub fn people_of(post: &pb::Post) -> impl Iterator<Item = &str> {
    let commenters = post.comments.iter().flat_map(Comment::members);
    let repost = post.repost.as_ref();
    let original = repost.and_then(|repost| repost.author_id.as_deref());
    let texts = std::iter::once(post.content.as_str()).chain(repost.and_then(|repost| repost.content.as_deref()));
    let mentioned = texts.flat_map(mentions::members_in);
    std::iter::once(post.author_id.as_str()).chain(commenters).chain(original).chain(mentioned)
}

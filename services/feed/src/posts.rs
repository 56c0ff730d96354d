//! Posts and articles.

pub mod create;
pub mod delete;
pub mod erase;
pub mod excerpt;
pub mod reactions;
pub mod reposts;
pub mod update;

use chrono::{DateTime, Utc};
use primitives::input::{Line, Text};
use uuid::Uuid;

use crate::{
    comments::Comment,
    link_previews::LinkPreview,
    media::{NewPicture, PostPdf},
    mentions::MAX_TOKENS,
    pictures::PostPicture,
    reactions::Reaction,
};

pub use reposts::Repost;

/// The maximum length of a post, in characters.
pub const MAX_POST: usize = 5_000;
/// The maximum length of an article, in characters.
pub const MAX_ARTICLE: usize = 40_000;

const MICROS_A_DAY: f64 = 86_400_000_000.0;

/// Returns the time in a rank (timeline/ranking.rs): days since 1970, to the microsecond (a double is exact until the
/// year 2255).
#[must_use]
pub fn freshness(created_at: DateTime<Utc>) -> f64 {
    created_at.timestamp_micros() as f64 / MICROS_A_DAY
}

/// The title of an article.
pub type Title = Line<200>;

/// The stored text of a post: [`MAX_POST`] characters when it is shown.
pub type PostText = Text<{ MAX_POST + MAX_TOKENS }>;
/// The stored text of an article: [`MAX_ARTICLE`] characters when it is shown.
pub type ArticleText = Text<{ MAX_ARTICLE + MAX_TOKENS }>;

/// The text of a new post.
pub enum Body {
    /// No text: only a repost may have none.
    Empty,
    Plain(PostText),
    /// The text is Markdown, stored as written.
    Article {
        title: Title,
        text: ArticleText,
    },
}

impl Body {
    pub fn content(&self) -> &str {
        match self {
            Self::Empty => "",
            Self::Plain(text) => text,
            Self::Article { text, .. } => text,
        }
    }

    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Article { title, .. } => Some(title),
            Self::Empty | Self::Plain(_) => None,
        }
    }
}

/// Pictures, a video or a PDF file of a new post.
pub enum Attachment {
    /// Pictures that the author uploaded.
    Pictures {
        /// The field of the request that lists them.
        field: &'static str,
        /// One to four, without repetition.
        pictures: Vec<NewPicture>,
    },
    /// A PDF file that the author uploaded.
    Pdf(Uuid),
    /// The address of a page with a video.
    Video(String),
}

/// A post that a member creates.
pub struct NewPost {
    pub body: Body,
    pub attachment: Option<Attachment>,
    /// `None` for a public post.
    pub community_id: Option<Uuid>,
    pub repost_of: Option<Uuid>,
    /// The author removed the preview of the link.
    pub without_link_preview: bool,
}

impl NewPost {
    /// Returns the text whose first link gets a preview.
    pub fn previewed_text(&self) -> Option<&str> {
        match &self.body {
            Body::Plain(text)
                if self.attachment.is_none() && self.repost_of.is_none() && !self.without_link_preview =>
            {
                Some(text)
            }
            _ => None,
        }
    }
}

/// The community of a post.
#[derive(Clone)]
pub struct Community {
    pub id: Uuid,
    /// Empty after the community was removed.
    pub name: String,
}

/// A post in a list.
#[derive(Clone)]
pub struct Post {
    /// In the bucket of its author.
    pub id: Uuid,
    pub author_id: Uuid,
    /// The text; for an article in a list, its excerpt.
    pub content: String,
    /// The title of an article.
    pub title: Option<String>,
    pub pictures: Vec<PostPicture>,
    pub pdf: Option<PostPdf>,
    pub link_preview: Option<LinkPreview>,
    /// The address of a page with a video.
    pub video_url: Option<String>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    /// Reactions of every kind.
    pub like_count: i64,
    pub comment_count: i64,
    /// Reposts.
    pub share_count: i64,
    /// At most 20: the viewer's first, then the newest.
    pub reactions: Vec<Reaction>,
    /// The 3 newest, oldest first.
    pub comments: Vec<Comment>,
    /// `None` for a public post.
    pub community: Option<Community>,
    pub repost: Option<Repost>,
    /// Relevance to the viewer in a list by relevance, the rank in other lists.
    pub score: f64,
    /// Whether it is one of the viewer's new posts, which lead the list by relevance.
    pub leads: bool,
}

impl Post {
    /// Returns a new public post without attachment, reactions and comments.
    pub fn new_public(id: Uuid, author_id: Uuid, content: String, created_at: DateTime<Utc>) -> Self {
        Self {
            id,
            author_id,
            content,
            title: None,
            pictures: Vec::new(),
            pdf: None,
            link_preview: None,
            video_url: None,
            created_at,
            edited_at: None,
            like_count: 0,
            comment_count: 0,
            share_count: 0,
            reactions: Vec::new(),
            comments: Vec::new(),
            community: None,
            repost: None,
            // It has no engagement yet.
            score: freshness(created_at),
            leads: true,
        }
    }
}

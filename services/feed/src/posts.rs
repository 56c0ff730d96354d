//! Posts and articles.

pub mod create;
pub mod delete;
pub mod excerpt;
pub mod reposts;
pub mod update;

use chrono::{DateTime, Utc};
use primitives::input::{Line, Text};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    comments::Comment,
    error::Error,
    link_previews::LinkPreview,
    media::{NewPicture, PostPdf},
    mentions::MAX_TOKENS,
    pictures::PostPicture,
    reactions::Reaction,
    timeline::ranking,
    visibility::visible_post_query,
};

pub use reposts::Repost;

/// The maximum length of a post, in characters.
pub const MAX_POST: usize = 5_000;
/// The maximum length of an article, in characters.
pub const MAX_ARTICLE: usize = 40_000;

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
    /// The text whose first link gets a preview.
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
    /// The text; of an article in a list its excerpt.
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

/// What other statements need of a post that the viewer may see.
pub struct VisiblePost {
    pub id: Uuid,
    pub author_id: Uuid,
    pub is_public: bool,
    /// The original of a repost without text.
    pub original_id: Option<Uuid>,
    pub is_article: bool,
    /// How many pictures it has.
    pub pictures: i32,
    /// Whether it is public or the viewer belongs to its community: an author who left sees the own posts, and changes nothing
    /// that its members see.
    pub may_write: bool,
}

/// A post, if the viewer may see it.
pub async fn get_visible(db: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<VisiblePost, Error> {
    let post = visible_post_query!(
        VisiblePost,
        r#"
        select
            p.id,
            p.author_id,
            p.community_id is null as "is_public!",
            case when p.content = '' then p.repost_of end as "original_id?",
            p.title is not null as "is_article!",
            case when p.picture_hash is null then 0 else 1 + coalesce(jsonb_array_length(p.media -> 'pictures'), 0) end
                as "pictures!",
            p.community_id is null
                or exists (select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id)
                as "may_write!"
        from feed.posts p
        where p.id = $2
            and
        "#,
        "",
        viewer,
        id
    );
    post.fetch_optional(db).await?.ok_or(Error::PostNotFound)
}

/// Why a member could not write to a post: [`Error::NotAWriter`] if the member sees it.
pub async fn refusal_to_write(db: &mut PgConnection, member_id: Uuid, id: Uuid) -> Error {
    match get_visible(db, member_id, id).await {
        Ok(post) if !post.may_write => Error::NotAWriter,
        Ok(_) => Error::PostNotFound,
        Err(error) => error,
    }
}

impl Post {
    /// A public post without attachment, just created: it has no reactions and no comments.
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
            score: ranking::rank(ranking::freshness(created_at), 0, 0),
            leads: true,
        }
    }
}

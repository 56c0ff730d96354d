//! Posts: publishing one, and what one looks like.

use chrono::{DateTime, Utc};
use primitives::input::{Line, Text};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    comments::Comment,
    error::Error,
    markdown, pictures, ranking,
    reactions::Reaction,
    reposts::{self, Repost},
    sight::in_sight,
};

/// The longest post, in characters.
pub const LONGEST: usize = 5_000;

/// The longest article, in characters.
pub const LONGEST_ARTICLE: usize = 40_000;

/// What an article is called.
pub type Title = Line<200>;

/// What a post says.
#[derive(Debug)]
pub enum Words {
    /// Nothing: only what passes something on may do without.
    Silent,
    /// Plain text.
    Plain(Text<LONGEST>),
    /// An article: its text is Markdown, kept as it was written.
    Article {
        /// What it is called.
        title: Title,
        /// What it says.
        text: Text<LONGEST_ARTICLE>,
    },
}

impl Words {
    /// What is said.
    #[must_use]
    pub fn content(&self) -> &str {
        match self {
            Self::Silent => "",
            Self::Plain(text) => text,
            Self::Article { text, .. } => text,
        }
    }

    /// What it is called, if it is an article.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Article { title, .. } => Some(title),
            Self::Silent | Self::Plain(_) => None,
        }
    }
}

/// What a post shows besides its words.
#[derive(Debug)]
pub enum Attached {
    /// A picture its author uploaded.
    Picture {
        /// Which.
        id: Uuid,
        /// What it shows, in words; empty when nothing is said of it.
        alt: String,
    },
    /// The address of a page with a video.
    Video(String),
}

/// A post somebody wants to publish.
#[derive(Debug)]
pub struct NewPost {
    /// What it says.
    pub words: Words,
    /// What it shows besides.
    pub attached: Option<Attached>,
    /// For whose members; for everybody when `None`.
    pub community_id: Option<Uuid>,
    /// What it passes on.
    pub repost_of: Option<Uuid>,
}

/// The community a post is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Community {
    /// Which.
    pub id: Uuid,
    /// What it is called; nothing once it is gone.
    pub name: String,
}

/// A post as lists carry it.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// Its id, in its author's bucket.
    pub id: Uuid,
    /// Who wrote it.
    pub author_id: Uuid,
    /// Its words; of an article in lists its beginning.
    pub content: String,
    /// An article's.
    pub title: Option<String>,
    /// What it shows.
    pub picture: Option<pictures::Shown>,
    /// The address of a page with a video.
    pub video_url: Option<String>,
    /// When it was published.
    pub created_at: DateTime<Utc>,
    /// When its words were last changed.
    pub edited_at: Option<DateTime<Utc>>,
    /// Reactions of every kind.
    pub like_count: i64,
    /// Comments.
    pub comment_count: i64,
    /// How often it was passed on.
    pub share_count: i64,
    /// At most 20: the viewer's first, then the newest.
    pub reactions: Vec<Reaction>,
    /// The 3 newest, oldest of them first.
    pub comments: Vec<Comment>,
    /// Where it was published; `None` is for everybody.
    pub community: Option<Community>,
    /// What it passes on; `None` for a post of its own.
    pub repost: Option<Repost>,
    /// Relevance to the viewer in a list by relevance, to a stranger anywhere else.
    pub score: f64,
    /// Whether it leads this page because the viewer just wrote it.
    pub leads: bool,
}

/// What became of a wish to publish.
#[derive(Debug)]
pub enum Published {
    /// It stands, in this community.
    New(Option<Community>),
    /// The author has passed that on before, without a word more.
    Before(Uuid),
}

/// Publishes a post, into a community only if the author belongs to it; it takes its picture.
///
/// # Errors
/// [`Error::NotAWriter`] of the community; or there is none. [`Error::Invalid`] when the picture cannot be taken.
pub async fn publish(
    conn: &mut PgConnection,
    id: Uuid,
    author_id: Uuid,
    post: &NewPost,
    at: DateTime<Utc>,
) -> Result<Published, Error> {
    let title = post.words.title();
    let excerpt = title.map(|_| markdown::excerpt(post.words.content()));
    let (picture, alt, video) = match &post.attached {
        Some(Attached::Picture { id: picture, alt }) => {
            (Some(pictures::take(&mut *conn, *picture, author_id, id, at).await?), Some(alt.as_str()), None)
        }
        Some(Attached::Video(address)) => (None, None, Some(address.as_str())),
        None => (None, None, None),
    };
    let published = sqlx::query_scalar!(
        "
        insert into feed.posts (
            id, author_id, content, created_at, freshness, community_id, repost_of, school_key, title, excerpt,
            picture_hash, picture_alt, picture_width, picture_height, video_url
        )
        select
            $1, $2, $3, $4, $5, $6, $7, (select school_key from feed.members where member_id = $2), $8, $9, $10, $11,
            $12, $13, $14
        where $6::uuid is null
            or exists (select from feed.memberships where member_id = $2 and community_id = $6)
        on conflict (author_id, repost_of, coalesce(community_id, '00000000-0000-0000-0000-000000000000'))
            where content = ''
            do nothing
        returning (select name from feed.communities c where c.id = community_id)
        ",
        id,
        author_id,
        post.words.content(),
        at,
        ranking::freshness(at),
        post.community_id,
        post.repost_of,
        title,
        excerpt,
        picture.as_ref().map(|picture| picture.hash.as_str()),
        alt,
        picture.as_ref().map(|picture| picture.width),
        picture.as_ref().map(|picture| picture.height),
        video
    )
    .fetch_optional(&mut *conn)
    .await?;
    match (published, post.repost_of) {
        (Some(name), _) => {
            let name = name.unwrap_or_default();
            Ok(Published::New(post.community_id.map(|id| Community { id, name })))
        }
        // Only without a word is one repost like the other.
        (None, Some(original)) if matches!(post.words, Words::Silent) => {
            let before = reposts::before(conn, author_id, original, post.community_id).await?;
            before.map(Published::Before).ok_or(Error::NotAWriter)
        }
        (None, _) => Err(Error::NotAWriter),
    }
}

/// What a post is, to somebody who may see it.
#[derive(Debug)]
pub struct Seen {
    /// Which.
    pub id: Uuid,
    /// Who wrote it.
    pub author_id: Uuid,
    /// Whether it is for everybody.
    pub is_public: bool,
    /// What it passes on without a word more.
    pub passes_on: Option<Uuid>,
    /// Whether it has a title.
    pub is_article: bool,
    /// Whether it shows one.
    pub has_picture: bool,
}

/// A post, if `viewer` may see it.
///
/// # Errors
/// [`Error::PostNotFound`].
pub async fn seen(conn: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<Seen, Error> {
    let seen = in_sight!(
        Seen,
        r#"
        select
            p.id,
            p.author_id,
            p.community_id is null as "is_public!",
            case when p.content = '' then p.repost_of end as "passes_on?",
            p.title is not null as "is_article!",
            p.picture_hash is not null as "has_picture!"
        from feed.posts p
        where p.id = $2
            and
        "#,
        "",
        viewer,
        id
    );
    seen.fetch_optional(conn).await?.ok_or(Error::PostNotFound)
}

impl Post {
    /// A post of words alone, just published to everybody: nobody has said anything yet.
    #[must_use]
    pub fn fresh(id: Uuid, author_id: Uuid, content: String, created_at: DateTime<Utc>) -> Self {
        Self {
            id,
            author_id,
            content,
            title: None,
            picture: None,
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

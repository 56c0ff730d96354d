//! Updates posts. An updated post is marked as edited; the same content changes nothing.

use outbox::UnitOfWork;
use primitives::error::Violation;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{ArticleText, MAX_POST, Title, excerpt::excerpt};
use crate::{
    error::Error,
    link_previews::{self, LinkPreviews},
    mentions::{self, MentionPlace},
    publishing, search, topics,
    visibility::get_visible,
};

/// A change of a post.
pub struct PostUpdate {
    pub post_id: Uuid,
    /// The text, with the limit of an article: only the row knows whether the post is one.
    pub content: ArticleText,
    /// Whether the text is short enough for a post without a title.
    pub fits_a_post: bool,
    /// The title of an article; `None` keeps it.
    pub title: Option<Title>,
    /// The descriptions; `None` keeps them.
    pub alts: Option<Alts>,
}

/// Descriptions of pictures.
pub enum Alts {
    /// The description of the first picture.
    First(String),
    /// The descriptions of all pictures, in order.
    All(Vec<String>),
}

impl Alts {
    fn first(&self) -> Option<&str> {
        match self {
            Self::First(alt) => Some(alt),
            Self::All(alts) => alts.first().map(String::as_str),
        }
    }

    fn all(&self) -> Option<&[String]> {
        match self {
            Self::First(_) => None,
            Self::All(alts) => Some(alts),
        }
    }
}

/// Updates a post of the member with its topics, link preview and entry in the search index. Publishes the edit, if there is one.
///
/// # Errors
/// [`Error::NotAWriter`] for an author who no longer belongs to the community of the post; [`Error::Invalid`] for a title, a description or a length that this post cannot have.
pub async fn update(
    work: &mut UnitOfWork<'_>,
    links: &LinkPreviews,
    member_id: Uuid,
    change: &PostUpdate,
) -> Result<(), Error> {
    let post_id = change.post_id;
    match replace_content(work, member_id, change).await? {
        Some(before) => {
            let place = MentionPlace { post_id, author_id: member_id, reply_to_author: None };
            let mentions = mentions::change(work, place, &before, &change.content).await?;
            publishing::publish_post_edited(work, post_id, member_id, &mentions).await?;
        }
        None => refuse(work.db, member_id, change).await?,
    }
    search::index(work.db, post_id).await?;
    topics::update(work.db, post_id).await?;
    link_previews::update::update(work, links, post_id).await?;
    Ok(())
}

/// Replaces the content of a post. Returns the text before; `None` when nothing changed.
async fn replace_content(
    work: &mut UnitOfWork<'_>,
    member_id: Uuid,
    change: &PostUpdate,
) -> Result<Option<String>, sqlx::Error> {
    let updated = sqlx::query_scalar!(
        "with own as (
            select
                id,
                content,
                case when picture_hash is null then 0 else 1 + coalesce(jsonb_array_length(media -> 'pictures'), 0) end
                    as pictures,
                case
                    when $9::text[] is null or media -> 'pictures' is null then media
                    else jsonb_set(media, '{pictures}', (
                        select jsonb_agg(picture || jsonb_build_object('alt', coalesce(($9)[at + 1], '')) order by at)
                        from jsonb_array_elements(media -> 'pictures') with ordinality more (picture, at)
                    ))
                end as described
            from feed.posts o
            where id = $2
                and author_id = $1
                and (
                    community_id is null
                    or exists (
                        select from feed.memberships w where w.member_id = $1 and w.community_id = o.community_id
                    )
                )
            for no key update
        )
        update feed.posts p
        set
            content = $3,
            title = coalesce($5, p.title),
            excerpt = case when p.title is not null then $6::text end,
            picture_alt = coalesce($7, p.picture_alt),
            media = own.described,
            edited_at = $4
        from own
        where p.id = own.id
            and ($8 or p.title is not null)
            and case when $5::text is null then true else p.title is not null end
            and case when $7::text is null then true else p.picture_alt is not null end
            and case when $9::text[] is null then true else cardinality($9) = own.pictures end
            and (p.content, p.title, p.picture_alt, p.media)
                is distinct from ($3, coalesce($5, p.title), coalesce($7, p.picture_alt), own.described)
        returning own.content",
        member_id,
        change.post_id,
        &*change.content,
        work.now,
        change.title.as_deref(),
        excerpt(&change.content),
        change.alts.as_ref().and_then(Alts::first),
        change.fits_a_post,
        change.alts.as_ref().and_then(Alts::all)
    );
    updated.fetch_optional(&mut *work.db).await
}

/// Returns the error of an update that changed no row, or `Ok` for one to the same content.
async fn refuse(db: &mut PgConnection, member_id: Uuid, change: &PostUpdate) -> Result<(), Error> {
    let post = get_visible(db, member_id, change.post_id).await?;
    if post.author_id != member_id {
        Err(Error::NotTheAuthor)
    } else if !post.may_write {
        Err(Error::NotAWriter)
    } else if !change.fits_a_post && !post.is_article {
        Err(Violation::new("content", format!("This must be at most {MAX_POST} characters.")).into())
    } else if change.title.is_some() && !post.is_article {
        Err(Violation::new("title", "Only an article has a title.").into())
    } else {
        match &change.alts {
            Some(Alts::First(_)) if post.pictures == 0 => {
                Err(Violation::new("pictureAlt", "This post has no picture.").into())
            }
            Some(Alts::All(alts)) if usize::try_from(post.pictures) != Ok(alts.len()) => {
                Err(Violation::new("pictureAlts", "Send one description for each picture of the post.").into())
            }
            _ => Ok(()),
        }
    }
}

//! Deletes posts.
//!
//! A post may have 100,000 reactions, so its rows are not deleted in the request. The request anonymises the post: it gets
//! the nil author and the nil community, so that every visibility check refuses it, and loses its content. The erasure task
//! deletes it with its reactions and comments, in batches.

use outbox::UnitOfWork;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{erase, reposts};
use crate::{
    community_removals::Deleter,
    error::Error,
    link_previews, pdf_files, pictures,
    publishing::{self, RepostRef},
    search, topics,
    visibility::get_visible,
};

/// Deletes a post of the member, or one in a community that the member moderates. Removes it from the search index,
/// decrements the share count of its original, and publishes the deletion.
pub async fn delete(work: &mut UnitOfWork<'_>, by: &Deleter, post_id: Uuid) -> Result<(), Error> {
    let deleted = anonymise(work.db, by.member_id, post_id).await?;
    let author_id = deleted.author_id;
    search::POSTS.remove(&mut *work.db, &[post_id]).await?;
    if let Some(original) = deleted.repost_of
        && let Some(author) = reposts::decrement_share_count(work.db, original).await?
    {
        let repost = RepostRef { post: original, author, repost: post_id, member: author_id };
        publishing::publish_post_repost_removed(work, &repost).await?;
    }
    publishing::publish_post_deleted(work, post_id, author_id, deleted.community_id).await?;
    if let Some(community) = deleted.community_id.filter(|_| author_id != by.member_id) {
        let removal = by.removal(work.ids, community, post_id, None, author_id);
        publishing::publish_community_content_removed(work, &removal).await?;
    }
    Ok(())
}

struct DeletedPost {
    author_id: Uuid,
    community_id: Option<Uuid>,
    repost_of: Option<Uuid>,
    link_preview_id: Option<Uuid>,
}

async fn anonymise(db: &mut PgConnection, member_id: Uuid, post_id: Uuid) -> Result<DeletedPost, Error> {
    let deleted = sqlx::query_as!(
        DeletedPost,
        r#"
        with own as (
            select o.id, o.author_id, o.community_id, o.repost_of, o.link_preview_id
            from feed.posts o
            where o.id = $2
                and (
                    o.author_id = $1
                    or exists (
                        select
                        from feed.memberships m
                        where m.member_id = $1
                            and m.community_id = o.community_id
                            and m.moderates
                    )
                )
            for no key update of o
        )
        update feed.posts p
        set
            author_id = '00000000-0000-0000-0000-000000000000',
            community_id = '00000000-0000-0000-0000-000000000000',
            content = '-',
            title = null,
            excerpt = null,
            picture_hash = null,
            picture_alt = null,
            picture_width = null,
            picture_height = null,
            media = null,
            video_url = null,
            repost_of = null,
            link_preview_id = null
        from own
        where p.id = own.id
        returning
            own.author_id as "author_id!",
            own.community_id as "community_id?",
            own.repost_of as "repost_of?",
            own.link_preview_id as "link_preview_id?"
        "#,
        member_id,
        post_id
    )
    .fetch_optional(&mut *db)
    .await?;
    match deleted {
        Some(deleted) => {
            pictures::release(&mut *db, post_id).await?;
            if let Some(preview) = deleted.link_preview_id {
                link_previews::release(&mut *db, preview).await?;
            }
            topics::delete(db, post_id).await?;
            pdf_files::delete_of_post(db, post_id).await?;
            Ok(deleted)
        }
        None => {
            get_visible(db, member_id, post_id).await?;
            Err(Error::NotTheAuthor)
        }
    }
}

/// Deletes the rows of anonymised posts. After an error, the next call continues.
pub async fn purge(db: &PgPool) -> Result<(), sqlx::Error> {
    while let Some(post_id) = erase::next_post(db, Uuid::nil()).await? {
        erase::erase_post(db, post_id).await?;
    }
    Ok(())
}

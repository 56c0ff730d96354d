//! The preview of an edited post.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{LinkPreviews, Place, attach, attach_uncounted, release};

/// Reattaches the preview of a post whose removal was overturned, if the post had one.
pub async fn restore(work: &mut UnitOfWork<'_>, links: &LinkPreviews, removal_id: Uuid) -> Result<(), sqlx::Error> {
    let restored = sqlx::query_scalar!(
        "select item_id
        from feed.removals
        where id = $1
            and kind = 'post'
            and is_restored
            and had_link_preview",
        removal_id
    );
    match restored.fetch_optional(&mut *work.db).await? {
        Some(post_id) => replace(work, links, post_id, false).await,
        None => Ok(()),
    }
}

/// Attaches the preview of the first link of the text to an edited post, in the transaction that locked the post; the same link
/// keeps it.
pub async fn update(work: &mut UnitOfWork<'_>, links: &LinkPreviews, post_id: Uuid) -> Result<(), sqlx::Error> {
    replace(work, links, post_id, true).await
}

/// Replaces the preview of a post. If `is_counted`, a new link uses the author's quota.
async fn replace(
    work: &mut UnitOfWork<'_>,
    links: &LinkPreviews,
    post_id: Uuid,
    is_counted: bool,
) -> Result<(), sqlx::Error> {
    let post = sqlx::query!(
        r#"
        select p.author_id, p.community_id, p.content, p.link_preview_id, l.url as "url?"
        from feed.posts p
        left join feed.link_previews l on l.id = p.link_preview_id
        where p.id = $1
            and not p.without_link_preview
            and num_nonnulls(p.title, p.repost_of, p.picture_hash, p.video_url, p.media) = 0
        "#,
        post_id
    );
    let Some(post) = post.fetch_optional(&mut *work.db).await? else { return Ok(()) };
    let url = links.first_link(&post.content);
    if url == post.url {
        return Ok(());
    }
    if let Some(before) = post.link_preview_id {
        release(work.db, before).await?;
    }
    let next = match url {
        Some(url) => {
            let place = Place { author_id: post.author_id, community_id: post.community_id };
            if is_counted { attach(work, place, &url).await? } else { Some(attach_uncounted(work, place, &url).await?) }
        }
        None => None,
    };
    sqlx::query!("update feed.posts set link_preview_id = $2 where id = $1", post_id, next)
        .execute(&mut *work.db)
        .await?;
    Ok(())
}

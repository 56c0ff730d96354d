//! Hidden posts: a member hides them from the lists of all members' posts, and may mark them as not interesting.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Page, PageSize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{cursors::HiddenPostsCursor, error::Error, posts::Post, timeline, visibility::get_visible};

pub struct HiddenPost {
    pub post: Post,
    pub hidden_at: DateTime<Utc>,
    pub not_interested: bool,
}

/// Hides a post, or replaces `not_interested` of a hidden one. Keeps the newest 1,000 of the member.
///
/// # Errors
/// [`Error::OwnPost`] for a post of the member.
pub async fn hide(
    work: &mut UnitOfWork<'_>,
    member_id: Uuid,
    post_id: Uuid,
    not_interested: bool,
) -> Result<(), Error> {
    let post = get_visible(work.db, member_id, post_id).await?;
    if post.author_id == member_id {
        return Err(Error::OwnPost);
    }
    sqlx::query!(
        "insert into feed.hidden_posts (member_id, post_id, hidden_at, not_interested, author_id, topics)
        values (
            $1, $2, $3, $4, $5,
            array(select t.topic from feed.post_topics t where t.post_id = $2 order by t.topic limit 5)
        )
        on conflict (member_id, post_id) do update
        set
            hidden_at = excluded.hidden_at,
            not_interested = excluded.not_interested,
            topics = excluded.topics",
        member_id,
        post_id,
        work.now,
        not_interested,
        post.author_id
    )
    .execute(&mut *work.db)
    .await?;
    sqlx::query!(
        "delete from feed.hidden_posts
        where member_id = $1
            and (hidden_at, post_id) <= (
                select hidden_at, post_id
                from feed.hidden_posts
                where member_id = $1
                order by hidden_at desc, post_id desc
                offset 1000
                limit 1
            )",
        member_id
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Shows a hidden post again, if it is hidden.
pub async fn unhide(db: &mut PgConnection, member_id: Uuid, post_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.hidden_posts where member_id = $1 and post_id = $2", member_id, post_id)
        .execute(db)
        .await?;
    Ok(())
}

/// Returns a page of the hidden posts that the member may see, last hidden first. Deleted posts are left out, so the
/// page may be short.
pub async fn list(
    db: &mut PgConnection,
    member_id: Uuid,
    size: PageSize,
    after: HiddenPostsCursor,
) -> Result<Page<HiddenPost>, Error> {
    let hidden = sqlx::query!(
        "select post_id, hidden_at, not_interested
        from feed.hidden_posts
        where member_id = $1
            and (hidden_at, post_id) < ($2, $3)
        order by hidden_at desc, post_id desc
        limit $4",
        member_id,
        *after.at,
        after.id,
        size.to_fetch()
    );
    let hidden = hidden.fetch_all(&mut *db).await?;
    let Page { rows, next_page_token } =
        Page::cut(hidden, size, |row| HiddenPostsCursor { at: row.hidden_at.into(), id: row.post_id });
    let ids: Vec<Uuid> = rows.iter().map(|row| row.post_id).collect();
    let mut posts = timeline::batch_get(db, Some(member_id), &ids).await?;
    let rows = rows.into_iter().filter_map(|row| {
        let at = posts.iter().position(|post| post.id == row.post_id)?;
        let post = posts.swap_remove(at);
        Some(HiddenPost { post, hidden_at: row.hidden_at, not_interested: row.not_interested })
    });
    Ok(Page { rows: rows.collect(), next_page_token })
}

/// Deletes the rows of an erased member, and rows of others about that member's posts.
pub async fn erase(db: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.hidden_posts where member_id = $1", member_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.hidden_posts where author_id = $1", member_id).execute(db).await?;
    Ok(())
}

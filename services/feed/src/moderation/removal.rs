//! Removed posts and comments: kept invisible for 30 days, then deleted.
//!
//! A removed post gets an author and a community that do not exist, so that every visibility check refuses it, also for
//! its author. Its reactions, comments and pictures stay; the gateway refuses pictures of a post that the viewer may
//! not see.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::removed_comments;
use crate::{
    cases::{DecisionReason, Removed, Report, ReportedKind},
    comments,
    community_removals::Deleter,
    error::Error,
    link_previews::{self, LinkPreviews},
    mentions::MentionChange,
    pdf_files, pictures,
    posts::{delete, reposts},
    publishing::{self, RepostRef},
    search, topics,
};

/// The time for an appeal, during which the content is kept.
pub const APPEAL_PERIOD: TimeDelta = TimeDelta::days(30);
/// The interval at which the task looks for content whose retention ended.
const POLL_INTERVAL: Duration = Duration::from_secs(600);

/// The moderator and the reason of a removal.
pub struct NewRemoval {
    /// The moderator; `None` for an operator.
    pub by: Option<Uuid>,
    pub reason: DecisionReason,
}

/// Removes the post or comment of a report. Returns the id of the removal, or `None` when the item is gone or belongs
/// to another service.
pub async fn remove(work: &mut UnitOfWork<'_>, report: &Report, removal: &NewRemoval) -> Result<Option<Uuid>, Error> {
    // An item without an author was erased with its author.
    let Some(author) = report.subject_id else { return Ok(None) };
    let is_removed = match report.kind {
        ReportedKind::Post => remove_post(work, author, report, removal).await?,
        ReportedKind::Comment => remove_comment(work, author, report, removal).await?,
        ReportedKind::Member | ReportedKind::Message | ReportedKind::Job => false,
    };
    Ok(is_removed.then_some(report.id))
}

struct RemovedPost {
    community_id: Option<Uuid>,
    repost_of: Option<Uuid>,
    link_preview_id: Option<Uuid>,
}

async fn remove_post(
    work: &mut UnitOfWork<'_>,
    author: Uuid,
    report: &Report,
    removal: &NewRemoval,
) -> Result<bool, Error> {
    let post_id = report.item_id;
    let Some(removed) = hide_post(work.db, author, post_id).await? else {
        // A repost without text contains nothing to keep.
        return match delete::delete(work, &Deleter::author(author), post_id).await {
            Ok(()) => insert(work, report, author, removal, None, None).await.map(|()| true),
            Err(Error::PostNotFound | Error::NotTheAuthor) => Ok(false),
            Err(error) => Err(error),
        };
    };
    insert(work, report, author, removal, Some(work.now + APPEAL_PERIOD), Some(&removed)).await?;
    if let Some(preview) = removed.link_preview_id {
        link_previews::release(work.db, preview).await?;
    }
    topics::delete(work.db, post_id).await?;
    search::POSTS.remove(&mut *work.db, &[post_id]).await?;
    if let Some(original) = removed.repost_of
        && let Some(of) = reposts::decrement_share_count(work.db, original).await?
    {
        let repost = RepostRef { post: original, author: of, repost: post_id, member: author };
        publishing::publish_post_repost_removed(work, &repost).await?;
    }
    publishing::publish_post_deleted(work, post_id, author, removed.community_id).await?;
    Ok(true)
}

/// Hides a post with a text from everyone. The pictures and the PDF file stay.
async fn hide_post(db: &mut PgConnection, author: Uuid, post_id: Uuid) -> Result<Option<RemovedPost>, Error> {
    let removed = sqlx::query_as!(
        RemovedPost,
        r#"
        with own as (
            select id, community_id, repost_of, link_preview_id
            from feed.posts
            where id = $2
                and author_id = $1
                and content <> ''
            for no key update
        )
        update feed.posts p
        set
            author_id = '00000000-0000-0000-0000-000000000001',
            community_id = '00000000-0000-0000-0000-000000000001',
            repost_of = null,
            link_preview_id = null
        from own
        where p.id = own.id
        returning own.community_id as "community_id?", own.repost_of as "repost_of?", own.link_preview_id as "link_preview_id?"
        "#,
        author,
        post_id
    );
    Ok(removed.fetch_optional(db).await?)
}

async fn remove_comment(
    work: &mut UnitOfWork<'_>,
    author: Uuid,
    report: &Report,
    removal: &NewRemoval,
) -> Result<bool, Error> {
    // The lock on the post excludes replies until the comment is deleted.
    if comments::delete::lock_post(work.db, report.item_id).await?.is_none() {
        return Ok(false);
    }
    insert(work, report, author, removal, Some(work.now + APPEAL_PERIOD), None).await?;
    removed_comments::keep(work.db, report.id, report.item_id, author).await?;
    match comments::delete::delete(work, &Deleter::author(author), report.item_id).await {
        Ok(_) => Ok(true),
        // The author deleted it before.
        Err(Error::CommentNotFound | Error::NotTheAuthor) => {
            sqlx::query!("delete from feed.removals where id = $1", report.id).execute(&mut *work.db).await?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

async fn insert(
    work: &mut UnitOfWork<'_>,
    report: &Report,
    author: Uuid,
    removal: &NewRemoval,
    kept_until: Option<DateTime<Utc>>,
    post: Option<&RemovedPost>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.removals
            (id, kind, item_id, author_id, excerpt, reason, removed_by, removed_at, kept_until, community_id, repost_of, had_link_preview)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        report.id,
        report.kind as ReportedKind,
        report.item_id,
        author,
        report.excerpt,
        removal.reason as DecisionReason,
        removal.by,
        work.now,
        kept_until,
        post.and_then(|post| post.community_id),
        post.and_then(|post| post.repost_of),
        post.is_some_and(|post| post.link_preview_id.is_some()),
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Restores the content of a removal, unless it is no longer kept, or the post or answered comment is gone.
pub async fn restore(work: &mut UnitOfWork<'_>, links: &LinkPreviews, removed: &Removed) -> Result<(), Error> {
    let is_restored = match removed.kind {
        ReportedKind::Post => restore_post(work, removed).await?,
        _ => removed_comments::restore(work, removed).await?,
    };
    sqlx::query!("update feed.removals set kept_until = null, is_restored = $2 where id = $1", removed.id, is_restored)
        .execute(&mut *work.db)
        .await?;
    if is_restored {
        link_previews::update::restore(work, links, removed.id).await?;
    } else {
        delete_kept(work.db, removed.id, removed.item_id).await?;
    }
    Ok(())
}

async fn restore_post(work: &mut UnitOfWork<'_>, removed: &Removed) -> Result<bool, Error> {
    let restored = sqlx::query!(
        "with original as (
            update feed.posts o
            set share_count = o.share_count + 1
            from feed.removals r
            where r.id = $1
                and r.kept_until is not null
                and o.id = r.repost_of
                and o.author_id <> '00000000-0000-0000-0000-000000000000'
        )
        update feed.posts p
        set
            author_id = r.author_id,
            community_id = r.community_id,
            repost_of = r.repost_of
        from feed.removals r
        where r.id = $1
            and r.kept_until is not null
            and p.id = r.item_id
            and p.author_id = '00000000-0000-0000-0000-000000000001'",
        removed.id,
    );
    if restored.execute(&mut *work.db).await?.rows_affected() == 0 {
        return Ok(false);
    }
    topics::update(work.db, removed.item_id).await?;
    let documents = search::read_documents(work.db, vec![removed.item_id]).await?;
    search::POSTS.update(&mut *work.db, &[removed.item_id], &documents).await?;
    publishing::publish_post_edited(work, removed.item_id, removed.author_id, &MentionChange::default()).await?;
    Ok(true)
}

/// Deletes the content of removals after the retention, unless an appeal waits for a decision.
///
/// # Errors
/// When a statement fails.
pub async fn purge_kept(db: &PgPool, now: DateTime<Utc>) -> anyhow::Result<()> {
    loop {
        let mut tx = db::begin(db).await?;
        let due = sqlx::query!(
            "update feed.removals
            set kept_until = null
            where id = (
                select id
                from feed.removals
                where kept_until <= $1
                    and (appealed_at is null or appeal_outcome is not null)
                limit 1
                for update skip locked
            )
            returning id, item_id",
            now
        );
        let Some(due) = due.fetch_optional(&mut *tx).await? else { return Ok(()) };
        delete_kept(&mut tx, due.id, due.item_id).await?;
        tx.commit().await?;
    }
}

/// Deletes the kept content of a removal. The erasure task deletes the rows of a post.
async fn delete_kept(db: &mut PgConnection, id: Uuid, item_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.removed_comments where removal_id = $1", id).execute(&mut *db).await?;
    let deleted = sqlx::query!(
        "update feed.posts
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
            video_url = null
        where id = $1
            and author_id = '00000000-0000-0000-0000-000000000001'",
        item_id
    );
    if deleted.execute(&mut *db).await?.rows_affected() > 0 {
        pictures::release(&mut *db, item_id).await?;
        pdf_files::delete_of_post(db, item_id).await?;
    }
    Ok(())
}

/// Deletes kept content after its retention, until the process stops.
pub fn spawn_purge(context: &ServiceContext, db: &PgPool) {
    let (db, clock) = (db.clone(), context.clock.clone());
    context.tasks.spawn("removed content", move |stopped| {
        let (db, clock): (PgPool, Clock) = (db.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(POLL_INTERVAL) => purge_kept(&db, clock.now()).await?,
                }
            }
        }
    });
}

/// Erases a member: their removed content, and their name as a moderator.
pub async fn erase(db: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    let removals = sqlx::query!("select id, item_id from feed.removals where author_id = $1", member_id);
    for removal in removals.fetch_all(&mut *db).await? {
        delete_kept(db, removal.id, removal.item_id).await?;
    }
    sqlx::query!("delete from feed.removals where author_id = $1", member_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.removed_comments where author_id = $1", member_id).execute(&mut *db).await?;
    sqlx::query!("update feed.removals set removed_by = null where removed_by = $1", member_id)
        .execute(&mut *db)
        .await?;
    sqlx::query!("update feed.removals set appeal_decided_by = null where appeal_decided_by = $1", member_id)
        .execute(&mut *db)
        .await?;
    sqlx::query!("update feed.reports set decided_by = null where decided_by = $1", member_id).execute(db).await?;
    Ok(())
}

//! The PDF files of posts, and the deletion of unused ones.
//!
//! An upload waits for a post of the same member, which attaches the file in the transaction that creates the post. The
//! cleanup deletes a file that no post uses within a day. The file of a deleted post is deleted at once, and the oldest
//! unused file when the member uploads more than sixteen.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use primitives::{clock::Clock, error::Violation, input::PdfFile};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{allowances, error::Error, visibility::visible_post_query};

/// The time for which a file may stay unused.
const RETENTION: TimeDelta = TimeDelta::days(1);
/// The maximum number of unused files of a member, enough for a few unfinished posts.
const MAX_UNUSED: i64 = 16;
const CLEANUP_INTERVAL: Duration = Duration::from_mins(5);
/// The number of files that one statement deletes.
const BATCH: i64 = 20;
/// The size of a chunk that is read at once, in bytes.
const CHUNK: i32 = 64 * 1024;

/// The description of an uploaded file.
pub struct UploadedPdf {
    /// The id by which a post attaches it.
    pub id: Uuid,
    /// The name on the computer of the author.
    pub name: String,
    /// In bytes.
    pub size: i32,
}

/// Stores a file. Then deletes the oldest unused files of the member beyond the maximum.
///
/// # Errors
/// [`Error::FilesOfDay`]: the member uploaded too many bytes within a day.
pub async fn insert(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    member_id: Uuid,
    file: &PdfFile,
) -> Result<UploadedPdf, Error> {
    // Its lock makes uploads of a member wait for each other.
    allowances::count_file(work, member_id, file.size()).await?;
    let inserted = sqlx::query_as!(
        UploadedPdf,
        "insert into feed.pdf_files (id, member_id, name, size, content, uploaded_at)
        values ($1, $2, $3, $4, $5, $6)
        returning id, name, size",
        id,
        member_id,
        file.name,
        file.size(),
        file.bytes,
        work.now
    );
    let inserted = inserted.fetch_one(&mut *work.db).await?;
    // A post that takes one of them concurrently keeps it: Postgres checks the condition again after the lock.
    sqlx::query!(
        "delete from feed.pdf_files
        where post_id is null
            and id in (
                select id
                from feed.pdf_files
                where member_id = $1
                    and post_id is null
                order by uploaded_at desc, id desc
                offset $2
            )",
        member_id,
        MAX_UNUSED,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(inserted)
}

/// Returns the file of a repeated upload.
///
/// # Errors
/// [`Error::KeyReused`] when the file was deleted: the upload cannot be repeated with the same key.
pub async fn get(db: &mut PgConnection, id: Uuid, member_id: Uuid) -> Result<UploadedPdf, Error> {
    let stored = sqlx::query_as!(
        UploadedPdf,
        "select id, name, size
        from feed.pdf_files
        where id = $1
            and member_id = $2",
        id,
        member_id
    );
    stored.fetch_optional(db).await?.ok_or(Error::KeyReused)
}

/// Attaches an unused file of the author to a post.
///
/// # Errors
/// [`Error::Invalid`], the same for a missing file as for one of another member.
pub async fn attach(work: &mut UnitOfWork<'_>, id: Uuid, member_id: Uuid, post_id: Uuid) -> Result<UploadedPdf, Error> {
    let attached = sqlx::query_as!(
        UploadedPdf,
        "update feed.pdf_files
        set post_id = $3
        where id = $1
            and member_id = $2
            and post_id is null
            and uploaded_at > $4
        returning id, name, size",
        id,
        member_id,
        post_id,
        work.now - RETENTION
    );
    let refused = || Violation::new("pdfId", "This file cannot be used. Please choose it again.");
    attached.fetch_optional(&mut *work.db).await?.ok_or_else(|| refused().into())
}

/// Returns the file of a post that the viewer may see.
///
/// # Errors
/// [`Error::FileNotFound`], also for a post that the viewer may not see.
pub async fn find(db: &mut PgConnection, viewer: Option<Uuid>, post_id: Uuid) -> Result<UploadedPdf, Error> {
    let found = visible_post_query!(
        UploadedPdf,
        r#"
        select f.id, f.name, f.size
        from feed.posts p
        join feed.pdf_files f on f.post_id = p.id
        where p.id = $2
            and
        "#,
        "",
        viewer,
        post_id
    );
    found.fetch_optional(db).await?.ok_or(Error::FileNotFound)
}

/// Reads at most [`CHUNK`] bytes of a file from an offset. Returns no bytes at the end.
///
/// # Errors
/// [`Error::FileNotFound`] when the file was deleted meanwhile.
pub async fn read_chunk(db: &mut PgConnection, id: Uuid, offset: i32) -> Result<Vec<u8>, Error> {
    let chunk = sqlx::query_scalar!(
        r#"select substring(content from $2::integer + 1 for $3::integer) as "chunk!"
        from feed.pdf_files
        where id = $1"#,
        id,
        offset,
        CHUNK
    );
    chunk.fetch_optional(db).await?.ok_or(Error::FileNotFound)
}

/// Deletes the file of a deleted post.
pub async fn delete_of_post(db: &mut PgConnection, post_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.pdf_files where post_id = $1", post_id).execute(db).await?;
    Ok(())
}

/// Deletes a batch of the files of an erased member. Returns the number of files.
pub async fn erase_batch(db: &PgPool, member_id: Uuid) -> Result<u64, sqlx::Error> {
    let erased = sqlx::query!(
        "delete from feed.pdf_files where id in (select id from feed.pdf_files where member_id = $1 limit $2)",
        member_id,
        BATCH
    );
    Ok(erased.execute(db).await?.rows_affected())
}

/// Deletes unused files every few minutes until the process stops.
pub fn spawn_cleanup(context: &ServiceContext, db: &PgPool) {
    let (db, clock) = (db.clone(), context.clock.clone());
    context.tasks.spawn("unused files", move |stopped| {
        let (db, clock): (PgPool, Clock) = (db.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(CLEANUP_INTERVAL) => delete_unused(&db, clock.now()).await?,
                };
            }
        }
    });
}

/// Deletes every unused file. Returns their number.
///
/// # Errors
/// When a statement fails.
pub async fn delete_unused(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let mut all = 0;
    loop {
        let deleted = sqlx::query!(
            "delete from feed.pdf_files
            where id in (
                select id
                from feed.pdf_files
                where post_id is null
                    and uploaded_at <= $1
                order by uploaded_at
                limit $2
                for update skip locked
            )",
            now - RETENTION,
            BATCH
        );
        let deleted = deleted.execute(db).await?.rows_affected();
        all += deleted;
        if deleted == 0 {
            return Ok(all);
        }
    }
}

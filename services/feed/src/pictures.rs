//! The pictures of posts, and the deletion of unused ones.
//!
//! The gateway signs the address of every picture: for one viewer and at most an hour in a community, without expiry
//! for a public post. An upload does not know which kind its post will be. The signature is no permission, because it
//! outlives the post: the gateway asks before it sends a picture ([`is_visible`]).
//!
//! Each picture has its own object and row, even when the same file is uploaded twice. An upload commits the row,
//! stores the object outside of a transaction, and waits for a post of the same member, which attaches the picture in
//! the transaction that creates the post. The cleanup deletes pictures that were not attached within a day or whose
//! post was deleted: first the object, then the row, so that no object is left after a crash.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use picture_store::{Name, Picture, Pictures};
use primitives::{clock::Clock, error::Violation};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{error::Error, visibility::visible_post_query};

/// The time for which a picture may stay unattached.
const RETENTION: TimeDelta = TimeDelta::days(1);
const CLEANUP_INTERVAL: Duration = Duration::from_mins(5);

/// The row of an uploaded picture.
pub struct UploadedPicture {
    /// The id by which a post attaches it.
    pub id: Uuid,
    /// The name of the object.
    pub hash: String,
    /// In pixels.
    pub width: i32,
    /// In pixels.
    pub height: i32,
    /// The post that attached it.
    pub post_id: Option<Uuid>,
}

/// The picture of a post.
#[derive(Clone)]
pub struct PostPicture {
    /// The path, to be signed.
    pub url: String,
    /// The description; empty when there is none.
    pub alt: String,
    /// In pixels.
    pub width: i32,
    /// In pixels.
    pub height: i32,
}

/// Returns the path of a picture, which the gateway signs for browsers.
pub fn url(hash: &str) -> String {
    Name::from_hash(hash).map(|name| name.signed_address()).unwrap_or_default()
}

/// Inserts the row of a picture, before its object is stored.
pub async fn insert(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    member_id: Uuid,
    picture: &Picture,
) -> Result<UploadedPicture, Error> {
    let inserted = sqlx::query_as!(
        UploadedPicture,
        "insert into feed.pictures (id, member_id, hash, width, height, unused_since)
        values ($1, $2, $3, $4, $5, $6)
        returning id, hash, width, height, post_id",
        id,
        member_id,
        picture.name.hash(),
        i32::try_from(picture.width).unwrap_or(i32::MAX),
        i32::try_from(picture.height).unwrap_or(i32::MAX),
        work.now
    );
    Ok(inserted.fetch_one(&mut *work.db).await?)
}

/// Returns the picture of a repeated upload. Restarts the retention of an unattached one.
///
/// # Errors
/// [`Error::KeyReused`] when the picture was deleted: the upload cannot be repeated with the same key.
pub async fn renew(work: &mut UnitOfWork<'_>, id: Uuid, member_id: Uuid) -> Result<UploadedPicture, Error> {
    let renewed = sqlx::query_as!(
        UploadedPicture,
        "update feed.pictures
        set unused_since = case when post_id is null then $3::timestamptz end
        where id = $1
            and member_id = $2
            and (post_id is not null or unused_since > $4)
        returning id, hash, width, height, post_id",
        id,
        member_id,
        work.now,
        work.now - RETENTION
    );
    renewed.fetch_optional(&mut *work.db).await?.ok_or(Error::KeyReused)
}

/// Attaches unattached pictures of the author to a post. Returns them in the same order.
///
/// # Errors
/// [`Error::Invalid`] for `field`, the same for a missing picture as for one of another member.
pub async fn attach(
    work: &mut UnitOfWork<'_>,
    field: &str,
    ids: &[Uuid],
    member_id: Uuid,
    post_id: Uuid,
) -> Result<Vec<UploadedPicture>, Error> {
    let attached = sqlx::query_as!(
        UploadedPicture,
        "update feed.pictures
        set post_id = $3, unused_since = null
        where id = any($1)
            and member_id = $2
            and post_id is null
            and unused_since > $4
        returning id, hash, width, height, post_id",
        ids,
        member_id,
        post_id,
        work.now - RETENTION
    );
    let mut attached = attached.fetch_all(&mut *work.db).await?;
    if attached.len() != ids.len() {
        return Err(Violation::new(field, "This picture cannot be used. Please choose it again.").into());
    }
    attached.sort_by_key(|picture| ids.iter().position(|id| *id == picture.id));
    Ok(attached)
}

/// Releases the pictures of a deleted post: the next cleanup deletes them.
pub async fn release(db: &mut PgConnection, post_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update feed.pictures
        set post_id = null, unused_since = $2
        where post_id = $1",
        post_id,
        DateTime::UNIX_EPOCH
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Releases a batch of the pictures of an erased member. Returns the number of pictures.
pub async fn release_batch(db: &PgPool, member_id: Uuid, batch: i64) -> Result<u64, sqlx::Error> {
    let released = sqlx::query!(
        "update feed.pictures
        set member_id = null, post_id = null, unused_since = $3
        where id in (select id from feed.pictures where member_id = $1 limit $2)",
        member_id,
        batch,
        DateTime::UNIX_EPOCH
    );
    Ok(released.execute(db).await?.rows_affected())
}

/// Returns whether the row of a picture exists.
pub async fn exists(db: &PgPool, id: Uuid) -> Result<bool, sqlx::Error> {
    let exists = sqlx::query_scalar!(r#"select exists (select from feed.pictures where id = $1) as "exists!""#, id);
    exists.fetch_one(db).await
}

/// The viewer of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureViewer {
    /// A member, or a visitor.
    Viewer(Option<Uuid>),
    /// A moderator who reads a report.
    Moderator,
}

struct Visible {
    visible: bool,
}

/// Returns whether the viewer may see a picture: it belongs to a visible post or its link preview, or the viewer
/// uploaded it. A viewer with a closed account sees none. A moderator sees the pictures of every post that was not
/// deleted.
///
/// # Errors
/// When the database is unavailable.
pub async fn is_visible(
    db: &mut PgConnection,
    name: &Name,
    viewer: PictureViewer,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let viewer = match viewer {
        PictureViewer::Viewer(viewer) => viewer,
        PictureViewer::Moderator => return is_of_a_post(db, name).await,
    };
    let found = visible_post_query!(
        Visible,
        r#"
        select
            not exists (select from feed.hidden_members h where h.member_id = $1)
            and (
                exists (
                    select from feed.pictures o
                    where o.hash = $2
                        and o.post_id is null
                        and o.member_id = $1
                        and o.unused_since > $3
                )
                or exists (select from feed.link_previews d where d.pictures @> array[$2] and d.audience = $1)
                or exists (
                    select
                    from (
                        select o.post_id
                        from feed.pictures o
                        where o.hash = $2
                        union all
                        select u.id
                        from feed.link_previews l
                        join feed.posts u on u.link_preview_id = l.id
                        where l.pictures @> array[$2]
                    ) as uses
                    join feed.posts p on p.id = uses.post_id
                    where
        "#,
        r#"
                )
            ) as "visible!"
        "#,
        viewer,
        name.hash(),
        now - RETENTION
    );
    Ok(found.fetch_one(db).await?.visible)
}

async fn is_of_a_post(db: &mut PgConnection, name: &Name) -> Result<bool, Error> {
    let attached = sqlx::query_scalar!(
        r#"select exists (select from feed.pictures where hash = $1 and post_id is not null) as "exists!""#,
        name.hash()
    );
    Ok(attached.fetch_one(db).await?)
}

/// Deletes unused pictures every few minutes until the process stops.
pub fn spawn_cleanup(context: &ServiceContext, db: &PgPool, pictures: &Pictures) {
    let (db, pictures, clock) = (db.clone(), pictures.clone(), context.clock.clone());
    context.tasks.spawn("unused pictures", move |stopped| {
        let (db, pictures, clock): (PgPool, Pictures, Clock) = (db.clone(), pictures.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(CLEANUP_INTERVAL) => delete_unused(&db, &pictures, clock.now()).await?,
                };
            }
        }
    });
}

/// Deletes every unused picture. Returns their number. After an error, the next call continues.
///
/// # Errors
/// When the database or the picture store is unavailable.
pub async fn delete_unused(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<u32, Error> {
    let mut deleted = 0;
    while delete_one_unused(db, pictures, now).await? {
        deleted += 1;
    }
    Ok(deleted)
}

/// Locks the row until the object is deleted: a concurrent post that attaches the picture waits and does not find it.
async fn delete_one_unused(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<bool, Error> {
    let mut tx = db::begin(db).await?;
    let unused = sqlx::query!(
        "select id, hash
        from feed.pictures
        where post_id is null
            and unused_since <= $1
        order by unused_since
        limit 1
        for update skip locked",
        now - RETENTION
    );
    let Some(unused) = unused.fetch_optional(&mut *tx).await? else { return Ok(false) };
    if let Some(name) = Name::from_hash(&unused.hash) {
        pictures.delete(&name).await?;
    }
    sqlx::query!("delete from feed.pictures where id = $1", unused.id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(true)
}

//! Account of posts' pictures, so that no object stays in the store for nobody, whenever a process is killed.
//!
//! A picture is an object of its own, under an id of its own: the same file sent twice is two. It is noted in one
//! transaction, put into the store while none is open, and waits there for a post of the same member's, which takes it in
//! the transaction that publishes it. What no post takes within a day, or whose post is gone, the sweeper takes away:
//! object first, then row.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use picture_store::{Name, Picture, Pictures};
use primitives::{clock::Clock, error::Violation};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// How long a picture waits for its post.
const KEPT: TimeDelta = TimeDelta::days(1);
/// How often those nobody needs are looked for.
const SWEEP_EVERY: Duration = Duration::from_mins(5);

/// A picture as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What a post names it by.
    pub id: Uuid,
    /// What it is kept as.
    pub hash: String,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
    /// Which post shows it.
    pub post_id: Option<Uuid>,
}

/// What a post shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Where browsers find it.
    pub address: String,
    /// What it shows, in words.
    pub alt: String,
    /// Pixels across.
    pub width: i32,
    /// Pixels down.
    pub height: i32,
}

/// Where browsers find a picture.
#[must_use]
pub fn address(hash: &str) -> String {
    Name::from_hash(hash).map(|name| name.address()).unwrap_or_default()
}

/// Notes a picture that is about to be put for a member.
///
/// # Errors
/// As any statement.
pub async fn note(
    conn: &mut PgConnection,
    id: Uuid,
    member_id: Uuid,
    picture: &Picture,
    now: DateTime<Utc>,
) -> Result<Kept, Error> {
    let noted = sqlx::query_as!(
        Kept,
        "insert into feed.pictures (id, member_id, hash, width, height, unused_since)
        values ($1, $2, $3, $4, $5, $6)
        returning id, hash, width, height, post_id",
        id,
        member_id,
        picture.name.hash(),
        i32::try_from(picture.width).unwrap_or(i32::MAX),
        i32::try_from(picture.height).unwrap_or(i32::MAX),
        now
    );
    Ok(noted.fetch_one(conn).await?)
}

/// A picture that was noted before and still waits, from now on for another day; or that a post has taken since.
///
/// # Errors
/// [`Error::KeyReused`] when it is gone: what the key made cannot be answered again.
pub async fn again(conn: &mut PgConnection, id: Uuid, member_id: Uuid, now: DateTime<Utc>) -> Result<Kept, Error> {
    let kept = sqlx::query_as!(
        Kept,
        "update feed.pictures
        set unused_since = case when post_id is null then $3::timestamptz end
        where id = $1
            and member_id = $2
            and (post_id is not null or unused_since > $4)
        returning id, hash, width, height, post_id",
        id,
        member_id,
        now,
        now - KEPT
    );
    kept.fetch_optional(conn).await?.ok_or(Error::KeyReused)
}

/// A post takes a picture that waits: its author's own, which none took before.
///
/// # Errors
/// [`Error::Invalid`], whatever keeps it from being taken: nobody learns of another's.
pub async fn take(
    conn: &mut PgConnection,
    id: Uuid,
    member_id: Uuid,
    post_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Kept, Error> {
    let taken = sqlx::query_as!(
        Kept,
        "update feed.pictures
        set post_id = $3, unused_since = null
        where id = $1
            and member_id = $2
            and post_id is null
            and unused_since > $4
        returning id, hash, width, height, post_id",
        id,
        member_id,
        post_id,
        now - KEPT
    );
    let refused = || Violation::new("pictureId", "This picture cannot be used. Please choose it again.");
    taken.fetch_optional(conn).await?.ok_or_else(|| refused().into())
}

/// A post that is gone shows nothing any more: its picture is the sweeper's, at once.
///
/// # Errors
/// As any statement.
pub async fn release(conn: &mut PgConnection, post_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update feed.pictures
        set post_id = null, unused_since = $2
        where post_id = $1",
        post_id,
        DateTime::UNIX_EPOCH
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes a bite of the pictures of a member who is gone: they are nobody's, and the sweeper's. Answers how many it found.
///
/// # Errors
/// As any statement.
pub async fn forget(db: &PgPool, member_id: Uuid, bite: i64) -> Result<u64, sqlx::Error> {
    let forgotten = sqlx::query!(
        "update feed.pictures
        set member_id = null, post_id = null, unused_since = $3
        where id in (select id from feed.pictures where member_id = $1 limit $2)",
        member_id,
        bite,
        DateTime::UNIX_EPOCH
    );
    Ok(forgotten.execute(db).await?.rows_affected())
}

/// Whether a picture is still noted.
///
/// # Errors
/// As any statement.
pub async fn noted(db: &PgPool, id: Uuid) -> Result<bool, sqlx::Error> {
    let noted = sqlx::query_scalar!(r#"select exists (select from feed.pictures where id = $1) as "noted!""#, id);
    noted.fetch_one(db).await
}

/// Sweeps every few minutes until the process stops.
pub fn work(context: &ServiceContext, db: &PgPool, pictures: &Pictures) {
    let (db, pictures, clock) = (db.clone(), pictures.clone(), context.clock.clone());
    context.tasks.spawn("unused pictures", move |stopped| {
        let (db, pictures, clock): (PgPool, Pictures, Clock) = (db.clone(), pictures.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(SWEEP_EVERY) => sweep(&db, &pictures, clock.now()).await?,
                };
            }
        }
    });
}

/// Deletes every object that no post takes, and its row. Says how many there were.
///
/// # Errors
/// When the database or the store is away; what was not done is done next time.
pub async fn sweep(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<u32, Error> {
    let mut swept = 0;
    while sweep_one(db, pictures, now).await? {
        swept += 1;
    }
    Ok(swept)
}

/// The row is locked until its object is gone: a post that comes for it meanwhile waits, and finds it gone.
async fn sweep_one(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<bool, Error> {
    let mut tx = db::begin(db).await?;
    let unused = sqlx::query!(
        "select id, hash
        from feed.pictures
        where post_id is null
            and unused_since <= $1
        order by unused_since
        limit 1
        for update skip locked",
        now - KEPT
    );
    let Some(unused) = unused.fetch_optional(&mut *tx).await? else { return Ok(false) };
    if let Some(name) = Name::from_hash(&unused.hash) {
        pictures.delete(&name).await?;
    }
    sqlx::query!("delete from feed.pictures where id = $1", unused.id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(true)
}

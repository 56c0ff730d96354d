//! Mutes: words, members and communities that a member excludes from the lists of all members' posts.
//!
//! The statements of these lists exclude members and communities; [`filter`] excludes words.

pub mod filter;

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// The maximum length of a word, in characters.
pub const MAX_WORD: usize = 50;
/// The interval at which expired mutes are deleted. A mute has no effect from the moment it expires.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3_600);

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum MuteKind {
    Word,
    Member,
    Community,
}

impl MuteKind {
    /// Returns the maximum number of mutes of a member, and the message beyond it.
    const fn limit(self) -> (i64, &'static str) {
        match self {
            Self::Word => (100, "You can mute up to 100 words"),
            Self::Member => (500, "You can mute up to 500 members"),
            Self::Community => (100, "You can mute up to 100 communities"),
        }
    }
}

/// The target of a mute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MuteTarget {
    /// In lower case, white space as single spaces.
    Word(String),
    Member(Uuid),
    Community(Uuid),
}

impl MuteTarget {
    fn kind(&self) -> MuteKind {
        match self {
            Self::Word(_) => MuteKind::Word,
            Self::Member(_) => MuteKind::Member,
            Self::Community(_) => MuteKind::Community,
        }
    }

    fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Member(_) | Self::Community(_) => None,
        }
    }

    fn id(&self) -> Option<Uuid> {
        match self {
            Self::Word(_) => None,
            Self::Member(id) | Self::Community(id) => Some(*id),
        }
    }
}

/// A mute that a member creates.
pub struct NewMute {
    pub target: MuteTarget,
    /// `None` for a mute without an end.
    pub duration: Option<TimeDelta>,
}

pub struct Mute {
    pub id: Uuid,
    pub kind: MuteKind,
    pub word: Option<String>,
    pub target_id: Option<Uuid>,
    /// The name of a community of the member; `None` after the member left it.
    pub community: Option<String>,
    pub muted_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
}

/// Creates a mute, or replaces the duration of an existing one. Returns true when it is new. Concurrent requests of one
/// member may exceed the limit by their number.
///
/// # Errors
/// [`Error::TooManyMutes`] beyond the limit of the kind.
pub async fn create(work: &mut UnitOfWork<'_>, member_id: Uuid, new: &NewMute) -> Result<(Mute, bool), Error> {
    let expires_at = new.duration.map(|duration| work.now + duration);
    if let Some(mute) = renew(work, member_id, &new.target, expires_at).await? {
        return Ok((mute, false));
    }
    let kind = new.target.kind();
    let (limit, refusal) = kind.limit();
    let inserted = sqlx::query_as!(
        Mute,
        r#"
        insert into feed.mutes (id, member_id, kind, word, target_id, muted_at, expires_at)
        select $1, $2, $3, $4, $5, $6, $7
        where (
            select count(*)
            from feed.mutes
            where member_id = $2
                and kind = $3
                and (word is not null or target_id is not null)
                and (expires_at is null or expires_at > $6)
        ) < $8
        on conflict do nothing
        returning
            id, kind as "kind: MuteKind", word, target_id,
            (
                select c.name
                from feed.communities c
                join feed.memberships s on s.community_id = c.id
                where c.id = target_id
                    and s.member_id = $2
            ) as community, muted_at, expires_at
        "#,
        work.ids.owned_by(member_id),
        member_id,
        kind as MuteKind,
        new.target.word(),
        new.target.id(),
        work.now,
        expires_at,
        limit
    );
    if let Some(mute) = inserted.fetch_optional(&mut *work.db).await? {
        return Ok((mute, true));
    }
    // A concurrent request may have created it in between.
    let mute = renew(work, member_id, &new.target, expires_at).await?;
    mute.map(|mute| (mute, false)).ok_or(Error::TooManyMutes(refusal))
}

async fn renew(
    work: &mut UnitOfWork<'_>,
    member_id: Uuid,
    target: &MuteTarget,
    expires_at: Option<DateTime<Utc>>,
) -> Result<Option<Mute>, sqlx::Error> {
    let renewed = sqlx::query_as!(
        Mute,
        r#"
        update feed.mutes
        set muted_at = $5, expires_at = $6
        where id = (
            select id
            from feed.mutes
            where member_id = $1
                and word = $3
            union all
            select id
            from feed.mutes
            where member_id = $1
                and kind = $2
                and target_id = $4
        )
        returning
            id, kind as "kind: MuteKind", word, target_id,
            (
                select c.name
                from feed.communities c
                join feed.memberships s on s.community_id = c.id
                where c.id = target_id
                    and s.member_id = $1
            ) as community, muted_at, expires_at
        "#,
        member_id,
        target.kind() as MuteKind,
        target.word(),
        target.id(),
        work.now,
        expires_at
    );
    renewed.fetch_optional(&mut *work.db).await
}

/// Removes a mute of the member, if it exists.
pub async fn delete(db: &mut PgConnection, member_id: Uuid, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.mutes where id = $2 and member_id = $1", member_id, id).execute(db).await?;
    Ok(())
}

/// Returns the mutes of a member that have not expired, newest first.
pub async fn list(db: &mut PgConnection, member_id: Uuid, now: DateTime<Utc>) -> Result<Vec<Mute>, sqlx::Error> {
    let mutes = sqlx::query_as!(
        Mute,
        r#"
        select
            m.id as "id!", m.kind as "kind!: MuteKind", m.word, m.target_id,
            (
                select c.name
                from feed.communities c
                join feed.memberships s on s.community_id = c.id
                where c.id = m.target_id
                    and s.member_id = $1
            ) as community, m.muted_at as "muted_at!",
            m.expires_at
        from (
            select *
            from feed.mutes
            where member_id = $1
                and word is not null
            union all
            select *
            from feed.mutes
            where member_id = $1
                and target_id is not null
        ) as m
        where m.expires_at is null
            or m.expires_at > $2
        order by m.muted_at desc, m.id desc
        "#,
        member_id,
        now
    );
    mutes.fetch_all(db).await
}

/// Deletes expired mutes until the process stops.
pub fn spawn_prune(context: &ServiceContext, db: &PgPool) {
    let (db, clock) = (db.clone(), context.clock.clone());
    context.tasks.spawn("expired mutes", move |stopped| {
        let (db, clock) = (db.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(PRUNE_INTERVAL) => prune(&db, clock.now()).await?,
                };
            }
        }
    });
}

/// Deletes the mutes that have expired. Returns their number.
///
/// # Errors
/// When the statement fails.
pub async fn prune(db: &PgPool, now: DateTime<Utc>) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!("delete from feed.mutes where expires_at <= $1", now).execute(db).await?;
    Ok(deleted.rows_affected())
}

/// Deletes the mutes of an erased member, and the mutes that target the member.
pub async fn erase(db: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.mutes where member_id = $1 and word is not null", member_id)
        .execute(&mut *db)
        .await?;
    sqlx::query!("delete from feed.mutes where member_id = $1 and target_id is not null", member_id)
        .execute(&mut *db)
        .await?;
    sqlx::query!("delete from feed.mutes where target_id = $1", member_id).execute(db).await?;
    Ok(())
}

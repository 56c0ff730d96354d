//! Steps in a conversation besides saying something: opening, accepting and clearing it; and connecting, which
//! social-graph tells.

#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Folder;
use crate::{
    blocks,
    error::Error,
    standing::{self, Effects},
    unread::Changes,
};

/// A conversation that is there now.
pub struct Opened {
    pub id: Uuid,
    /// Whether it was not there before.
    pub created: bool,
    pub effects: Effects,
}

/// Opens the conversation with `other`, as `id` if there is none: a request. Who opens one that is not on their list,
/// because nothing was said in it yet or they cleared it, takes the other's request with it.
pub async fn open(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    other: Uuid,
    now: DateTime<Utc>,
) -> Result<Opened, Error> {
    blocks::lock_pair(db, member, other).await?;
    let opened = sqlx::query!(
        "with opened as (
            insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at, requested_by)
            select $1::uuid, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $4::timestamptz, $2
            where not exists (
                select
                from messaging.blocks b
                where b.blocker_id = $2
                    and b.blocked_id = $3
            )
                and not exists (
                    select
                    from messaging.blocks b
                    where b.blocker_id = $3
                        and b.blocked_id = $2
                )
            on conflict (lower_member_id, upper_member_id) do nothing
            returning id, opened_at
        )
        insert into messaging.participants (conversation_id, member_id, other_member_id, active_at)
        select id, $2, $3, opened_at
        from opened",
        id,
        member,
        other,
        now,
    )
    .execute(&mut *db)
    .await?;
    let mut effects = Effects::default();
    if opened.rows_affected() == 1 {
        effects.changed(id, member);
        return Ok(Opened { id, created: true, effects });
    }
    let id = standing::lock_of(db, member, other).await?.ok_or(Error::MemberNotFound)?;
    relist(db, id, member, other, now, &mut effects).await?;
    Ok(Opened { id, created: false, effects })
}

/// Puts one that is there onto the member's list. The caller holds its lock.
async fn relist(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    other: Uuid,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> Result<(), Error> {
    let there = sqlx::query!(
        r#"select
            coalesce(p.listed, false) as "listed!",
            coalesce(c.requested_by = $3, false) as "requested!"
        from messaging.conversations c
        left join messaging.participants p on p.conversation_id = c.id and p.member_id = $2
        where c.id = $1
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = $2
                    and b.blocked_id = $3
            )
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = $3
                    and b.blocked_id = $2
            )"#,
        id,
        member,
        other,
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    if there.listed {
        return Ok(());
    }
    // Nothing that is off the list is unread: no total changes with the folder.
    sqlx::query!(
        "with taken as (
            update messaging.conversations
            set requested_by = null
            where id = $1
                and requested_by = $3
        )
        insert into messaging.participants (conversation_id, member_id, other_member_id, active_at)
        values ($1, $2, $3, $4)
        on conflict (conversation_id, member_id) do update
        set
            listed = true,
            folder = 'inbox',
            active_at = excluded.active_at",
        id,
        member,
        other,
        now,
    )
    .execute(db)
    .await?;
    effects.changed(id, member);
    if there.requested {
        effects.changed(id, other);
    }
    Ok(())
}

/// Takes a request: it moves to the member's inbox.
pub async fn accept(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Effects, Error> {
    standing::lock(db, id, member).await?;
    let standing = standing::read(db, id, member).await?;
    let mut effects = Effects::default();
    if standing.mine.folder == Folder::Inbox {
        return Ok(effects);
    }
    sqlx::query!(
        "with taken as (
            update messaging.conversations
            set requested_by = null
            where id = $1
        )
        update messaging.participants
        set folder = 'inbox'
        where conversation_id = $1
            and member_id = $2",
        id,
        member,
    )
    .execute(db)
    .await?;
    effects.count(member, Folder::Requests, standing.mine.unread_count, 0);
    effects.count(member, Folder::Inbox, 0, standing.mine.unread_count);
    effects.changed(id, member);
    if let Some(other) = standing.other {
        effects.changed(id, other);
    }
    Ok(effects)
}

/// Empties the member's side and takes it off the list. What was not read stays so: the other's ticks tell the truth.
pub async fn clear(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Effects, Error> {
    standing::lock(db, id, member).await?;
    let standing = standing::read(db, id, member).await?;
    let mut effects = Effects::default();
    if !standing.mine.listed {
        return Ok(effects);
    }
    sqlx::query!(
        "update messaging.participants
        set
            cleared_seq = $3,
            unread_count = 0,
            listed = false
        where conversation_id = $1
            and member_id = $2",
        id,
        member,
        standing.last_seq,
    )
    .execute(db)
    .await?;
    effects.count(member, standing.mine.folder, standing.mine.unread_count, 0);
    effects.changed(id, member);
    Ok(effects)
}

/// The two are connected: they have a conversation, as `id` if there was none, and it is no request any more. One that
/// either has cleared stays off their list. Answers what that changes for the totals.
pub async fn connected(
    db: &mut PgConnection,
    id: Uuid,
    one: Uuid,
    other: Uuid,
    at: DateTime<Utc>,
) -> Result<Changes, Error> {
    if stands(db, one, other).await? {
        return Ok(Changes::default());
    }
    sqlx::query!(
        "insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at)
        values ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $4)
        on conflict (lower_member_id, upper_member_id) do nothing",
        id,
        one,
        other,
        at,
    )
    .execute(&mut *db)
    .await?;
    let mut effects = Effects::default();
    let Some(id) = standing::lock_of(db, one, other).await? else { return Ok(effects.unread) };
    let moved = sqlx::query!(
        "with taken as (
            update messaging.conversations
            set requested_by = null
            where id = $1
                and requested_by is not null
        ),
        came as (
            insert into messaging.participants (conversation_id, member_id, other_member_id, active_at)
            values ($1, $2, $3, $4), ($1, $3, $2, $4)
            on conflict (conversation_id, member_id) do nothing
        )
        update messaging.participants
        set folder = 'inbox'
        where conversation_id = $1
            and folder = 'requests'
        returning member_id, unread_count",
        id,
        one,
        other,
        at,
    )
    .fetch_all(db)
    .await?;
    for side in moved {
        effects.count(side.member_id, Folder::Requests, side.unread_count, 0);
        effects.count(side.member_id, Folder::Inbox, 0, side.unread_count);
    }
    Ok(effects.unread)
}

/// Whether the two have a conversation that is no request. Nobody is waited for to know: a snapshot, which is one long
/// transaction, says so of everybody who is connected, and they write to each other meanwhile.
async fn stands(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<bool, Error> {
    let stands = sqlx::query_scalar!(
        r#"select exists (
            select
            from messaging.conversations c
            where c.lower_member_id = least($1::uuid, $2::uuid)
                and c.upper_member_id = greatest($1::uuid, $2::uuid)
                and c.requested_by is null
                and 2 = (
                    select count(*)
                    from messaging.participants p
                    where p.conversation_id = c.id
                        and p.folder = 'inbox'
                )
        ) as "stands!""#,
        one,
        other,
    );
    Ok(stands.fetch_one(db).await?)
}

/// Tells two who were just connected that they have a conversation.
pub async fn appeared(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<Effects, Error> {
    let mut effects = Effects::default();
    if let Some(id) = standing::lock_of(db, one, other).await? {
        effects.changed(id, one);
        effects.changed(id, other);
    }
    Ok(effects)
}

//! Transitions of a conversation, except messages: open, accept and clear. `super::connect` has the connection of its members.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{Folder, acceptance, effects::Effects, locks, state};
use crate::{error::Error, read_model::privacy};

/// The result of [`open`].
pub struct OpenOutcome {
    pub id: Uuid,
    /// Whether it is new.
    pub created: bool,
}

/// Opens the conversation with `other`: a new one has the id `id` and is a request. Opening an unlisted conversation
/// lists it again and accepts a request of the other member. Members who do not accept messages from everyone get no new
/// request; a connection opens their conversation (`super::connect`).
pub async fn open(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, other: Uuid) -> Result<OpenOutcome, Error> {
    locks::lock_pair(work.db, member, other).await?;
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
                and not exists (
                    select
                    from messaging.privacy_settings s
                    where s.member_id = $3
                        and s.message_audience <> 'everyone'
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
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    if opened.rows_affected() == 1 {
        let mut effects = Effects::default();
        effects.add_changed(id, member);
        effects.apply(work).await?;
        return Ok(OpenOutcome { id, created: true });
    }
    let Some(id) = state::lock_pair(work.db, member, other).await? else {
        let is_refused = privacy::refuses_new(work.db, member, other).await?;
        return Err(if is_refused { Error::MessagesClosed } else { Error::MemberNotFound });
    };
    relist(work, id, member, other).await?;
    Ok(OpenOutcome { id, created: false })
}

/// Lists an existing conversation for the member. The caller holds its lock.
async fn relist(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, other: Uuid) -> Result<(), Error> {
    let existing = sqlx::query!(
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
    .fetch_optional(&mut *work.db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    if existing.listed {
        return Ok(());
    }
    // An unlisted conversation has no unread messages, so the totals do not change with the folder.
    sqlx::query!(
        "with accepted as (
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
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    let mut effects = Effects::default();
    effects.add_changed(id, member);
    if existing.requested {
        effects.add_changed(id, other);
    }
    effects.apply(work).await
}

/// Accepts a request: it moves to the member's inbox.
pub async fn accept(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
    state::lock(work.db, id, member).await?;
    let state = state::read(work.db, id, member).await?;
    if state.own.folder == Folder::Inbox {
        return Ok(());
    }
    sqlx::query!(
        "with accepted as (
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
    .execute(&mut *work.db)
    .await?;
    let mut effects = Effects::default();
    let mut unread = state.own.unread_count;
    if let Some(group) = &state.group {
        // The others see that files are no longer refused.
        effects.add_group_changed(id, group.visible_others());
        unread = acceptance::count_unread(work.db, id, member).await?;
        acceptance::show_hidden(work.db, id, member).await?;
    }
    effects.add_unread(member, Folder::Requests, state.own.muted, state.own.unread_count, 0);
    effects.add_unread(member, Folder::Inbox, state.own.muted, 0, unread);
    effects.add_changed(id, member);
    if let Some(other) = state.other {
        effects.add_changed(id, other);
    }
    effects.apply(work).await
}

/// Clears the messages for the member and removes the conversation from the list. The read mark stays: the other member
/// must not see unread messages as read.
pub async fn clear(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
    state::lock(work.db, id, member).await?;
    let state = state::read(work.db, id, member).await?;
    if !state.own.listed {
        return Ok(());
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
        state.last_seq,
    )
    .execute(&mut *work.db)
    .await?;
    let mut effects = Effects::default();
    effects.add_unread(member, state.own.folder, state.own.muted, state.own.unread_count, 0);
    effects.add_changed(id, member);
    effects.apply(work).await
}

//! The effects of blocks: a block hides the conversation of the two members from both and from all counts. An unblock
//! restores it as read. In groups, neither of the two sees the other's messages.

mod groups;

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{Folder, effects::Effects, locks, state};
use crate::{error::Error, read_model::blocks};

/// Inserts a block. Marks the conversation as read for both, so that the totals do not depend on blocks. In shared
/// groups, hides the messages of each from the other.
pub async fn block(work: &mut UnitOfWork<'_>, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    locks::lock_pair(work.db, blocker, blocked).await?;
    locks::lock_members_exclusively(work.db, &[blocker, blocked]).await?;
    let shared = state::lock_shared(work.db, blocker, blocked).await?;
    if !blocks::insert(work.db, blocker, blocked).await? {
        return Ok(());
    }
    let mut effects = Effects::default();
    groups::recount(work.db, &shared.groups, [blocker, blocked], &mut effects).await?;
    let Some(id) = shared.pair else { return effects.apply(work).await };
    let participants = sqlx::query!(
        r#"update messaging.participants p
        set
            read_seq = before.last_seq,
            unread_count = 0
        from (
            select c.last_seq, s.member_id, s.unread_count
            from messaging.conversations c
            join messaging.participants s on s.conversation_id = c.id
            where c.id = $1
        ) before
        where p.conversation_id = $1
            and p.member_id = before.member_id
        returning p.member_id, p.folder as "folder: Folder", p.listed, p.muted, before.unread_count"#,
        id,
    );
    for participant in participants.fetch_all(&mut *work.db).await? {
        let (member, folder, muted) = (participant.member_id, participant.folder, participant.muted);
        effects.add_unread(member, folder, muted, participant.unread_count, 0);
        if participant.listed {
            effects.add_changed(id, participant.member_id);
        }
    }
    effects.apply(work).await
}

/// Deletes a block. The conversation stays hidden while a block in the other direction exists.
pub async fn unblock(work: &mut UnitOfWork<'_>, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    locks::lock_pair(work.db, blocker, blocked).await?;
    locks::lock_members_exclusively(work.db, &[blocker, blocked]).await?;
    let shared = state::lock_shared(work.db, blocker, blocked).await?;
    if !blocks::delete(work.db, blocker, blocked).await? {
        return Ok(());
    }
    let mut effects = Effects::default();
    groups::recount(work.db, &shared.groups, [blocker, blocked], &mut effects).await?;
    let restored = sqlx::query!(
        "select p.conversation_id, p.member_id
        from messaging.participants p
        where ((p.member_id = $1 and p.other_member_id = $2) or (p.member_id = $2 and p.other_member_id = $1))
            and p.listed
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = $2
                    and b.blocked_id = $1
            )
        order by p.member_id",
        blocker,
        blocked,
    );
    for participant in restored.fetch_all(&mut *work.db).await? {
        effects.add_changed(participant.conversation_id, participant.member_id);
    }
    effects.apply(work).await
}

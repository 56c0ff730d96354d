//! Members who leave a group or are removed from it.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::departures;
use crate::{
    conversations::{
        Folder,
        lines::{self, NewLine, SystemKind},
        state,
    },
    error::Error,
};

/// Removes a member from a group: the actor, or another one if the actor owns the group. The conversation leaves the
/// list of the member; their messages stay. A member who leaves, or had not accepted the group, is not added again.
/// When the owner leaves, the longest member becomes the owner.
pub async fn remove(work: &mut UnitOfWork<'_>, actor: Uuid, id: Uuid, member: Uuid) -> Result<(), Error> {
    state::lock(work.db, id, actor).await?;
    let state = state::read(work.db, id, actor).await?;
    let mut group = state.group.ok_or(Error::ConversationNotFound)?;
    if member != actor {
        group.require_owner(actor)?;
    }
    let Some(left) = delete(work.db, id, member).await? else { return Ok(()) };
    // Otherwise the owner could send a stranger five messages, remove them, and begin again.
    if member == actor || left.folder == Folder::Requests {
        departures::insert(work.db, id, member, work.now).await?;
    }
    let mut changed: Vec<Uuid> = group.all_others().collect();
    changed.push(actor);
    group.others.retain(|other| other.member != member);
    let kind = if member == actor { SystemKind::Left } else { SystemKind::Removed };
    let subjects: &[Uuid] = if member == actor { &[] } else { &[member] };
    let line = NewLine::of(work, id, actor, kind, subjects);
    lines::insert(work.db, &line).await?;
    let mut effects = lines::effects(&line, &group, changed);
    effects.add_unread(member, left.folder, left.muted, left.unread_count, 0);
    effects.apply(work).await
}

/// The row of a former member.
struct Left {
    folder: Folder,
    muted: bool,
    unread_count: i32,
}

/// Deletes the participant and passes the ownership on. None when the member does not belong to the group.
async fn delete(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Option<Left>, Error> {
    let left = sqlx::query_as!(
        Left,
        r#"with deleted as (
            delete from messaging.participants
            where conversation_id = $1
                and member_id = $2
            returning folder, muted, unread_count
        ),
        remaining as (
            update messaging.conversations c
            set
                member_count = c.member_count - 1,
                owner_id = case
                    when c.owner_id <> $2 then c.owner_id
                    else (
                        select p.member_id
                        from messaging.participants p
                        where p.conversation_id = $1
                            and p.member_id <> $2
                        order by
                            exists (select from messaging.closed_members g where g.member_id = p.member_id),
                            p.joined_seq,
                            p.member_id
                        limit 1
                    )
                end
            from deleted
            where c.id = $1
        )
        select folder as "folder: Folder", muted, unread_count
        from deleted"#,
        id,
        member,
    );
    Ok(left.fetch_optional(db).await?)
}

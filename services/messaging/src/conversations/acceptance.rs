//! The acceptance of a group by one of its members, who sees the title and all messages from then on.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Folder, group::Group};
use crate::error::Error;

/// The maximum number of messages of a group that a member receives before accepting it.
pub const MAX_WAITING_MESSAGES: i64 = 5;
/// The maximum number of hidden messages that an acceptance adds to the member's search, newest first. Older ones are
/// only listed, because a statement has 1.9 s.
const MAX_SHOWN: i64 = 1_000;

/// Stops further messages for members who have not accepted the group, if the message `seq` is their fifth. The caller
/// holds the lock of the conversation.
pub async fn end_full_requests(db: &mut PgConnection, id: Uuid, group: &Group, seq: i64) -> Result<(), Error> {
    let waiting = group.receivers().filter(|other| other.folder == Folder::Requests);
    let waiting: Vec<Uuid> = waiting.map(|other| other.member).collect();
    if waiting.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "update messaging.participants o
        set received_seq = $3
        where o.conversation_id = $1
            and o.member_id = any ($2)
            and o.folder = 'requests'
            and $4 <= (
                select count(*)
                from (
                    select
                    from messaging.messages m
                    where m.conversation_id = o.conversation_id
                        and m.seq > o.joined_seq
                        and m.system_kind is null
                        and o.member_id = any (m.audience)
                    limit $4
                ) received
            )",
        id,
        &waiting,
        seq,
        MAX_WAITING_MESSAGES,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Counts the unread messages of a member who accepted the group, including messages hidden until then, and returns the
/// number. The caller holds the lock of the conversation.
pub async fn count_unread(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<i32, Error> {
    let unread = sqlx::query_scalar!(
        "update messaging.participants p
        set unread_count = (
            select count(*)::integer
            from messaging.messages m
            where m.conversation_id = p.conversation_id
                and m.seq > greatest(p.read_seq, p.cleared_seq)
                and m.sender_id is distinct from p.member_id
                and m.system_kind is null
                and m.deleted_at is null
                and (p.member_id = any (m.audience) or m.sender_id is not null)
                and not exists (
                    select
                    from messaging.blocks b
                    where (b.blocker_id = p.member_id and b.blocked_id = m.sender_id)
                        or (b.blocker_id = m.sender_id and b.blocked_id = p.member_id)
                )
        )
        where p.conversation_id = $1
            and p.member_id = $2
        returning p.unread_count",
        id,
        member,
    );
    Ok(unread.fetch_one(db).await?)
}

/// Adds a member who accepted the group to the audience of the messages that were hidden until then. Skips messages
/// that an erasure is changing, to avoid a deadlock with its order of locks.
pub async fn show_hidden(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "with hidden as (
            select m.id
            from messaging.messages m
            join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $2
            where m.conversation_id = $1
                and m.seq > p.cleared_seq
                and m.sender_id is not null
                and $2 <> all (m.audience)
            order by m.seq desc
            limit $3
            for update of m skip locked
        )
        update messaging.messages m
        set audience = m.audience || $2::uuid
        from hidden
        where m.id = hidden.id",
        id,
        member,
        MAX_SHOWN,
    )
    .execute(db)
    .await?;
    Ok(())
}

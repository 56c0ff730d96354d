//! Read marks of conversations.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    conversations::{effects::Effects, state},
    error::Error,
    publishing::ConversationFact,
};

/// Returns the number of a message, if it is after the member's read mark.
pub async fn find_unread(
    db: &mut PgConnection,
    member: Uuid,
    conversation: Uuid,
    message: Uuid,
) -> Result<Option<i64>, Error> {
    let found = sqlx::query!(
        r#"select m.seq as "seq?", p.read_seq
        from messaging.participants p
        left join messaging.messages m
            on m.id = $3 and m.conversation_id = p.conversation_id and m.seq > p.cleared_seq
        where p.conversation_id = $1
            and p.member_id = $2
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = p.member_id
                    and b.blocked_id = p.other_member_id
            )
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = p.other_member_id
                    and b.blocked_id = p.member_id
            )"#,
        conversation,
        member,
        message,
    )
    .fetch_optional(db)
    .await?;
    let found = found.ok_or(Error::ConversationNotFound)?;
    let seq = found.seq.ok_or(Error::MessageNotFound)?;
    Ok(Some(seq).filter(|seq| *seq > found.read_seq))
}

/// Moves the read mark of the member to the message `seq`, and subtracts the messages between the two marks from the
/// unread count. A mark does not move backwards.
pub async fn mark_read(work: &mut UnitOfWork<'_>, member: Uuid, conversation: Uuid, seq: i64) -> Result<(), Error> {
    state::lock(work.db, conversation, member).await?;
    let state = state::read(work.db, conversation, member).await?;
    if seq <= state.own.read_seq {
        return Ok(());
    }
    let unread = sqlx::query_scalar!(
        r#"update messaging.participants p
        set
            read_seq = $3::bigint,
            unread_count = case when $3::bigint >= $4::bigint then 0 else greatest(0, p.unread_count - (
                select count(*)::integer
                from messaging.messages m
                where m.conversation_id = $1
                    and m.seq > greatest(p.read_seq, p.cleared_seq)
                    and m.seq <= $3::bigint
                    and m.sender_id is distinct from $2
                    and m.system_kind is null
                    and m.deleted_at is null
                    and not coalesce(
                        m.sender_id = any (array(
                            select blocked_id from messaging.blocks where blocker_id = $2
                            union all
                            select blocker_id from messaging.blocks where blocked_id = $2
                        )),
                        false
                    )
                    and ($2 = any (m.audience) or (m.sender_id is not null and p.folder = 'inbox'))
            )) end
        where p.conversation_id = $1
            and p.member_id = $2
        returning p.unread_count"#,
        conversation,
        member,
        seq,
        state.last_seq,
    )
    .fetch_one(&mut *work.db)
    .await?;
    let others = state.readers(work.db, seq).await?;
    let mut effects = Effects::default();
    effects.facts.push(ConversationFact::Read { conversation, reader: member, others });
    effects.add_unread(member, state.own.folder, state.own.muted, state.own.unread_count, unread);
    effects.apply(work).await
}

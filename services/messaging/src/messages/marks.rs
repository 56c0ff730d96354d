//! What a member has read of a conversation.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    facts::News,
    standing::{self, Effects},
};

/// The number of a message, if the member has not read so far.
pub async fn unread(
    db: &mut PgConnection,
    member: Uuid,
    conversation: Uuid,
    message: Uuid,
) -> Result<Option<i64>, Error> {
    let mark = sqlx::query!(
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
    let mark = mark.ok_or(Error::ConversationNotFound)?;
    let seq = mark.seq.ok_or(Error::MessageNotFound)?;
    Ok(Some(seq).filter(|seq| *seq > mark.read_seq))
}

/// The member has read everything up to a number; what is counted off is only what was read by this.
pub async fn put(db: &mut PgConnection, member: Uuid, conversation: Uuid, seq: i64) -> Result<Effects, Error> {
    standing::lock(db, conversation, member).await?;
    let standing = standing::read(db, conversation, member).await?;
    let mine = standing.mine;
    let mut effects = Effects::default();
    if seq <= mine.read_seq {
        return Ok(effects);
    }
    let unread = sqlx::query_scalar!(
        r#"update messaging.participants p
        set
            read_seq = $3::bigint,
            unread_count = case when $3::bigint >= $4::bigint then 0 else p.unread_count - (
                select count(*)::integer
                from messaging.messages m
                where m.conversation_id = $1
                    and m.seq > greatest(p.read_seq, p.cleared_seq)
                    and m.seq <= $3::bigint
                    and m.sender_id is distinct from $2
            ) end
        where p.conversation_id = $1
            and p.member_id = $2
        returning p.unread_count"#,
        conversation,
        member,
        seq,
        standing.last_seq,
    )
    .fetch_one(db)
    .await?;
    effects.news.push(News::Read { conversation, reader: member, other: standing.other });
    effects.count(member, mine.folder, mine.unread_count, unread);
    Ok(effects)
}

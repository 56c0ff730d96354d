//! What is said in a conversation, a page at a time.

pub mod marks;
pub mod send;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    conversations::{Conversation, Folder},
    convert::Thread,
    error::Error,
};

/// Something said.
#[derive(Debug)]
pub struct Message {
    pub id: Uuid,
    pub conversation_id: Uuid,
    pub seq: i64,
    /// None once that account is gone.
    pub sender: Option<Uuid>,
    pub content: String,
    pub sent_at: DateTime<Utc>,
    /// By whoever did not write it.
    pub is_read: bool,
}

/// A place in a thread.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Before {
    seq: i64,
}

impl Cursor for Before {}

impl Before {
    /// After the newest message.
    pub const END: Self = Self { seq: i64::MAX };
}

/// A message, as a thread would show it to one of the two: nobody else's, nothing that they cleared, and none while one of
/// the two blocks the other.
pub async fn find(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Message, Error> {
    let message = sqlx::query_as!(
        Message,
        r#"select
            m.id, m.conversation_id, m.seq, m.sender_id as "sender?", m.content, m.sent_at,
            coalesce(
                case when m.sender_id = p.member_id
                    then m.seq <= coalesce(o.read_seq, c.former_read_seq)
                    else m.seq <= p.read_seq
                end,
                false
            ) as "is_read!"
        from messaging.messages m
        join messaging.conversations c on c.id = m.conversation_id
        join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $2
        left join messaging.participants o on o.conversation_id = m.conversation_id and o.member_id = p.other_member_id
        where m.id = $1
            and m.seq > p.cleared_seq
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
        id,
        member,
    )
    .fetch_optional(db)
    .await?;
    message.ok_or(Error::MessageNotFound)
}

/// A page of a thread, newest first, and the conversation: one statement, so that the two fit each other. The newest
/// message comes with the page's first row only, and blocks are looked up once, not for each row.
pub async fn list(
    db: &mut PgConnection,
    member: Uuid,
    thread: &Thread,
) -> Result<(Page<Message>, Conversation), Error> {
    let rows = sqlx::query!(
        r#"select
            p.conversation_id, p.other_member_id, p.unread_count, p.folder as "folder: Folder", p.active_at,
            case when c.last_seq > p.cleared_seq and coalesce(m.nth, 1) = 1 then c.last_message end as last_message,
            case when c.last_seq > p.cleared_seq then c.last_message_at end as last_message_at,
            coalesce(c.requested_by = p.member_id, false) as "waiting!",
            m.id as "id?", m.seq as "seq?", m.sender_id as "sender_id?", m.content as "content?",
            m.sent_at as "sent_at?",
            case when m.sender_id = p.member_id
                then m.seq <= coalesce(o.read_seq, c.former_read_seq)
                else m.seq <= p.read_seq
            end as is_read
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        left join messaging.participants o on o.conversation_id = p.conversation_id and o.member_id = p.other_member_id
        left join lateral (
            select
                said.id, said.seq, said.sender_id, said.content, said.sent_at,
                row_number() over (order by said.seq desc) as nth
            from messaging.messages said
            where said.conversation_id = p.conversation_id
                and said.seq > p.cleared_seq
                and said.seq < $3
            order by said.seq desc
            limit $4
        ) m on true
        where p.conversation_id = $1
            and p.member_id = $2
            and not coalesce(
                p.other_member_id = any (array(
                    select blocked_id from messaging.blocks where blocker_id = $2
                    union all
                    select blocker_id from messaging.blocks where blocked_id = $2
                )),
                false
            )
        order by m.seq desc"#,
        thread.conversation,
        member,
        thread.before.seq,
        thread.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    let mut conversation = None;
    let mut messages = Vec::with_capacity(rows.len());
    for row in rows {
        if let (Some(id), Some(seq), Some(content), Some(sent_at)) = (row.id, row.seq, row.content, row.sent_at) {
            messages.push(Message {
                id,
                conversation_id: row.conversation_id,
                seq,
                sender: row.sender_id,
                content,
                sent_at,
                is_read: row.is_read.unwrap_or_default(),
            });
        }
        conversation.get_or_insert(Conversation {
            id: row.conversation_id,
            other_member: row.other_member_id,
            last_message: row.last_message,
            last_message_at: row.last_message_at,
            unread_count: row.unread_count,
            folder: row.folder,
            waiting: row.waiting,
            active_at: row.active_at,
        });
    }
    let conversation = conversation.ok_or(Error::ConversationNotFound)?;
    Ok((Page::cut(messages, thread.size, |message| Before { seq: message.seq }), conversation))
}

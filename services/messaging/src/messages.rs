//! Messages of a conversation: get and list.

pub mod mark_read;
pub mod send;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    conversations::{Conversation, Folder},
    convert::ListMessages,
    error::Error,
};

/// A message as one participant sees it.
#[derive(Debug)]
pub struct Message {
    pub id: Uuid,
    pub conversation_id: Uuid,
    pub seq: i64,
    /// None after that account is erased.
    pub sender: Option<Uuid>,
    pub content: String,
    pub sent_at: DateTime<Utc>,
    /// By the recipient.
    pub is_read: bool,
}

/// The position of a message in its conversation.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct MessageCursor {
    seq: i64,
}

impl Cursor for MessageCursor {}

impl MessageCursor {
    /// After the newest message.
    pub const END: Self = Self { seq: i64::MAX };
}

/// A message that the list of the conversation contains for the member.
pub async fn get(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Message, Error> {
    let message = sqlx::query_as!(
        Message,
        r#"select
            m.id, m.conversation_id, m.seq, m.sender_id as "sender?", m.content, m.sent_at,
            coalesce(
                case when m.sender_id = p.member_id
                    then m.seq <= coalesce(o.read_seq, c.former_read_seq) and not exists (
                        select
                        from messaging.privacy_settings s
                        where s.member_id in (p.member_id, p.other_member_id)
                            and not s.read_receipts
                    )
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

/// A page of messages, newest first, and the conversation. One statement, so that both have the same state. Only the
/// first row has the text of the newest message, and blocks and read receipts are read once, not for each row (`offset 0`).
pub async fn list(
    db: &mut PgConnection,
    member: Uuid,
    query: &ListMessages,
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
                then m.seq <= coalesce(o.read_seq, c.former_read_seq) and receipts.shown
                else m.seq <= p.read_seq
            end as is_read
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        left join messaging.participants o on o.conversation_id = p.conversation_id and o.member_id = p.other_member_id
        cross join lateral (
            select not exists (
                select
                from messaging.privacy_settings s
                where s.member_id in (p.member_id, p.other_member_id)
                    and not s.read_receipts
            ) as shown
            offset 0
        ) receipts
        left join lateral (
            select
                page.id, page.seq, page.sender_id, page.content, page.sent_at,
                row_number() over (order by page.seq desc) as nth
            from messaging.messages page
            where page.conversation_id = p.conversation_id
                and page.seq > p.cleared_seq
                and page.seq < $3
            order by page.seq desc
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
        query.conversation,
        member,
        query.before.seq,
        query.size.to_fetch(),
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
    Ok((Page::cut(messages, query.size, |message| MessageCursor { seq: message.seq }), conversation))
}

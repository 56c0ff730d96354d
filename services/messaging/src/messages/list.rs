//! The messages of a conversation, in pages.

use primitives::input::{Cursor, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Message, MessageRow};
use crate::{
    attachments::StoredAttachments,
    conversations::{self, Conversation, Folder, lines::SystemKind},
    error::Error,
};

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

/// A page of the messages of one conversation.
pub struct ListMessages {
    pub conversation: Uuid,
    pub size: PageSize,
    pub before: MessageCursor,
    /// The message in the middle of the page.
    pub around: Option<Uuid>,
}

/// Returns the position half a page after a message of the conversation, so that the message is in the middle of the
/// page before this position.
pub async fn position_around(
    db: &mut PgConnection,
    member: Uuid,
    conversation: Uuid,
    message: Uuid,
    size: PageSize,
) -> Result<MessageCursor, Error> {
    let seq = sqlx::query_scalar!(
        "select m.seq
        from messaging.messages m
        join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $2
        where m.id = $3
            and m.conversation_id = $1
            and m.seq > p.cleared_seq",
        conversation,
        member,
        message,
    );
    let seq = seq.fetch_optional(db).await?.ok_or(Error::MessageNotFound)?;
    Ok(MessageCursor { seq: seq.saturating_add(size.to_fetch() / 2).saturating_add(1) })
}

/// Returns a page of messages, newest first, and the conversation. One statement reads both in the same state; a second
/// one reads a group. Only the first row has the text of the newest message, and blocks and read receipts are read
/// once, not for each row (`offset 0`).
pub async fn list(
    db: &mut PgConnection,
    member: Uuid,
    query: &ListMessages,
) -> Result<(Page<Message>, Conversation), Error> {
    let rows = sqlx::query!(
        r#"select
            p.conversation_id, p.other_member_id, p.unread_count, p.folder as "folder: Folder", p.active_at, p.muted,
            case when c.last_seq > p.cleared_seq and coalesce(m.nth, 1) = 1 then c.last_attachments end
                as "last_attachments: StoredAttachments",
            m.attachments as "attachments?: StoredAttachments", q.attachments as "reply_attachments?: StoredAttachments",
            case when c.last_seq > p.cleared_seq and coalesce(m.nth, 1) = 1 then c.last_message end as last_message,
            case when c.last_seq > p.cleared_seq then c.last_message_at end as last_message_at,
            coalesce(c.requested_by = p.member_id, false) as "waiting!", c.is_group,
            m.id as "id?", m.seq as "seq?", m.sender_id as "sender_id?", m.content as "content?",
            m.sent_at as "sent_at?", m.edited_at as "edited_at?", m.deleted_at as "deleted_at?",
            m.reply_to_id as "reply_to?", q.sender_id as "reply_sender?",
            m.system_kind as "system_kind?: SystemKind", m.subject_ids as "subject_ids?: Vec<Option<Uuid>>",
            case
                when q.deleted_at is null
                    and q.seq > p.cleared_seq
                    and not coalesce(
                        c.is_group and q.sender_id = any (array(
                            select blocked_id from messaging.blocks where blocker_id = $2
                            union all
                            select blocker_id from messaging.blocks where blocked_id = $2
                        )),
                        false
                    )
                    and ($2 = any (q.audience) or (q.sender_id is not null and p.folder = 'inbox'))
                then q.content
            end as reply_content,
            case when m.reaction_count > 0 then array(
                select r.kind || ' ' || r.member_id
                from messaging.message_reactions r
                where r.message_id = m.id
                    and not coalesce(
                        c.is_group and r.member_id = any (array(
                            select blocked_id from messaging.blocks where blocker_id = $2
                            union all
                            select blocker_id from messaging.blocks where blocked_id = $2
                        )),
                        false
                    )
                order by r.reacted_at, r.member_id
            ) end as reactions,
            case
                when m.sender_id is distinct from p.member_id then m.seq <= p.read_seq
                when c.requested_by = p.member_id then false
                when not c.is_group then m.seq <= coalesce(o.read_seq, c.former_read_seq) and receipts.shown
            end as is_read,
            case when c.is_group and m.sender_id = p.member_id then (
                select count(*)::integer
                from unnest(seen.joined_seqs, seen.read_seqs) as s (joined_seq, read_seq)
                where s.joined_seq < m.seq
                    and s.read_seq >= m.seq
            ) end as "read_count?"
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
            select array_agg(r.joined_seq) as joined_seqs, array_agg(r.read_seq) as read_seqs
            from messaging.participants r
            where c.is_group
                and r.conversation_id = c.id
                and r.member_id <> $2
                and r.folder = 'inbox'
                and not r.member_id = any (array(
                    select blocked_id from messaging.blocks where blocker_id = $2
                    union all
                    select blocker_id from messaging.blocks where blocked_id = $2
                ))
                and not exists (
                    select
                    from messaging.privacy_settings s
                    where s.member_id in ($2, r.member_id)
                        and not s.read_receipts
                )
            offset 0
        ) seen on true
        left join lateral (
            select
                page.id, page.seq, page.sender_id, page.content, page.sent_at, page.edited_at, page.deleted_at,
                page.reaction_count, page.reply_to_id, page.system_kind, page.subject_ids, page.attachments,
                row_number() over (order by page.seq desc) as nth
            from messaging.messages page
            where page.conversation_id = p.conversation_id
                and page.seq > p.cleared_seq
                and page.seq <= coalesce(case p.folder when 'requests' then p.received_seq end, 9223372036854775807)
                and page.seq < $3
                and not coalesce(
                    c.is_group and page.sender_id = any (array(
                        select blocked_id from messaging.blocks where blocker_id = $2
                        union all
                        select blocker_id from messaging.blocks where blocked_id = $2
                    )),
                    false
                )
                and ($2 = any (page.audience) or (page.sender_id is not null and p.folder = 'inbox'))
            order by page.seq desc
            limit $4
        ) m on true
        left join lateral (
            select
                replied.seq, replied.sender_id, replied.deleted_at, replied.audience, left(replied.content, 200) as content,
                replied.attachments
            from messaging.messages replied
            where replied.id = m.reply_to_id
            limit 1
        ) q on true
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
    .fetch_all(&mut *db)
    .await?;
    let (mut conversation, mut is_group) = (None, false);
    let mut messages = Vec::with_capacity(rows.len());
    for row in rows {
        if let (Some(id), Some(seq), Some(content), Some(sent_at)) = (row.id, row.seq, row.content, row.sent_at) {
            messages.push(Message::from(MessageRow {
                id,
                conversation_id: row.conversation_id,
                seq,
                sender: row.sender_id,
                content,
                sent_at,
                is_read: row.is_read.unwrap_or_default(),
                edited_at: row.edited_at,
                is_deleted: row.deleted_at.is_some(),
                reactions: row.reactions,
                reply_to: row.reply_to,
                reply_sender: row.reply_sender,
                reply_content: row.reply_content,
                system_kind: row.system_kind,
                subject_ids: row.subject_ids,
                read_count: row.read_count,
                of_group: row.is_group,
                attachments: row.attachments,
                reply_attachments: row.reply_attachments,
            }));
        }
        is_group = row.is_group;
        conversation.get_or_insert(Conversation {
            id: row.conversation_id,
            other_member: row.other_member_id,
            last_message: row.last_message,
            last_message_at: row.last_message_at,
            last_attachments: row.last_attachments.map(|stored| stored.0),
            unread_count: row.unread_count,
            folder: row.folder,
            waiting: row.waiting,
            files_refused: row.waiting,
            muted: row.muted,
            active_at: row.active_at,
            group: None,
        });
    }
    let conversation = match conversation {
        // Reading a group's members and newest message here would widen each row of the page.
        Some(_) if is_group => conversations::get(db, member, query.conversation).await?,
        found => found.ok_or(Error::ConversationNotFound)?,
    };
    Ok((Page::cut(messages, query.size, |message| MessageCursor { seq: message.seq }), conversation))
}

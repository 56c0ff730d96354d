//! Messages of a conversation.

pub mod attachments;
pub mod change;
pub mod list;
pub mod mark_read;
pub mod reactions;
pub mod search;
pub mod send;
pub mod unread;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    attachments::{Attachments, StoredAttachments},
    conversations::lines::{SystemKind, SystemLine},
    error::Error,
    messages::reactions::ReactionKind,
};

/// A message as one participant sees it.
#[derive(Debug)]
pub struct Message {
    pub id: Uuid,
    pub conversation_id: Uuid,
    pub seq: i64,
    /// None after that account is erased.
    pub sender: Option<Uuid>,
    /// Empty for a deleted message, and for one of attachments only.
    pub content: String,
    pub sent_at: DateTime<Utc>,
    /// Whether the recipient, or in a group another member, read the message.
    pub is_read: bool,
    pub edited_at: Option<DateTime<Utc>>,
    pub is_deleted: bool,
    /// The reactions, oldest first.
    pub reactions: Vec<(ReactionKind, Uuid)>,
    pub reply_to: Option<RepliedMessage>,
    pub line: Option<SystemLine>,
    /// The members of a group who read a message of the member and show it.
    pub read_count: i32,
    pub of_group: bool,
    pub attachments: Option<Attachments>,
}

/// The message that a message replies to.
#[derive(Debug)]
pub struct RepliedMessage {
    pub id: Uuid,
    /// None after that account is erased.
    pub sender: Option<Uuid>,
    /// The beginning of the text; None for a message that is deleted or that the member cleared.
    pub content: Option<String>,
    /// None without content.
    pub attachments: Option<Attachments>,
}

/// A row of a message, as the statements below select it.
pub struct MessageRow {
    pub id: Uuid,
    pub conversation_id: Uuid,
    pub seq: i64,
    pub sender: Option<Uuid>,
    pub content: String,
    pub sent_at: DateTime<Utc>,
    pub is_read: bool,
    pub edited_at: Option<DateTime<Utc>>,
    pub is_deleted: bool,
    /// Each entry is a kind and a member, separated by a space.
    pub reactions: Option<Vec<String>>,
    pub reply_to: Option<Uuid>,
    pub reply_sender: Option<Uuid>,
    pub reply_content: Option<String>,
    pub system_kind: Option<SystemKind>,
    pub subject_ids: Option<Vec<Option<Uuid>>>,
    /// None for a conversation of two, and for messages of others.
    pub read_count: Option<i32>,
    pub of_group: bool,
    pub attachments: Option<StoredAttachments>,
    pub reply_attachments: Option<StoredAttachments>,
}

impl From<MessageRow> for Message {
    fn from(row: MessageRow) -> Self {
        let (sender, content) = (row.reply_sender, row.reply_content);
        let quoted = row.reply_attachments.filter(|_| content.is_some()).map(|stored| stored.0);
        Self {
            id: row.id,
            conversation_id: row.conversation_id,
            seq: row.seq,
            sender: row.sender,
            content: row.content,
            sent_at: row.sent_at,
            is_read: row.is_read || row.read_count > Some(0),
            edited_at: row.edited_at,
            is_deleted: row.is_deleted,
            reactions: reactions::parse(row.reactions.as_deref()),
            reply_to: row.reply_to.map(|id| RepliedMessage { id, sender, content, attachments: quoted }),
            line: SystemLine::of(row.system_kind, row.subject_ids),
            read_count: row.read_count.unwrap_or_default(),
            of_group: row.of_group,
            attachments: row.attachments.map(|stored| stored.0),
        }
    }
}

/// Selects messages that the member `$1` sees and did not clear; `$rest` narrows them. `crate::groups` explains the
/// audience.
macro_rules! messages_query {
    ($rest:literal, $member:expr $(, $argument:expr)* $(,)?) => {
        $crate::messages::messages_query!(
            where "not exists (select from blocked b where b.member_id in (p.other_member_id, m.sender_id)) and ",
            $rest, $member $(, $argument)*
        )
    };
    (where $blocks:literal, $rest:literal, $member:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::messages::MessageRow,
            r#"with blocked as materialized (
                select blocked_id as member_id from messaging.blocks where blocker_id = $1
                union all
                select blocker_id from messaging.blocks where blocked_id = $1
            )
            select
                m.id, m.conversation_id, m.seq, m.sender_id as "sender?", m.content, m.sent_at, m.edited_at,
                m.deleted_at is not null as "is_deleted!", m.reply_to_id as reply_to, q.sender_id as "reply_sender?",
                case
                    when q.deleted_at is null
                        and q.seq > p.cleared_seq
                        and not exists (select from blocked b where b.member_id = q.sender_id)
                        and ($1 = any (q.audience) or (q.sender_id is not null and p.folder = 'inbox'))
                    then left(q.content, 200)
                end as reply_content,
                case when m.reaction_count > 0 then array(
                    select r.kind || ' ' || r.member_id
                    from messaging.message_reactions r
                    where r.message_id = m.id
                        and not exists (select from blocked b where b.member_id = r.member_id)
                    order by r.reacted_at, r.member_id
                ) end as reactions,
                m.system_kind as "system_kind: SystemKind", m.subject_ids as "subject_ids?: Vec<Option<Uuid>>",
                c.is_group as of_group, m.attachments as "attachments: crate::attachments::StoredAttachments",
                q.attachments as "reply_attachments?: crate::attachments::StoredAttachments",
                case when c.is_group and m.sender_id = p.member_id then (
                    select count(*)::integer
                    from messaging.participants o
                    where o.conversation_id = c.id
                        and o.member_id <> p.member_id
                        and o.folder = 'inbox'
                        and o.joined_seq < m.seq
                        and o.read_seq >= m.seq
                        and not exists (select from blocked b where b.member_id = o.member_id)
                        and not exists (
                            select
                            from messaging.privacy_settings s
                            where s.member_id in (p.member_id, o.member_id)
                                and not s.read_receipts
                        )
                ) end as "read_count?",
                coalesce(
                    case
                        when m.sender_id is distinct from p.member_id then m.seq <= p.read_seq
                        when c.is_group then false
                        when c.requested_by = p.member_id then false
                        else m.seq <= coalesce(o.read_seq, c.former_read_seq) and not exists (
                            select
                            from messaging.privacy_settings s
                            where s.member_id in (p.member_id, p.other_member_id)
                                and not s.read_receipts
                        )
                    end,
                    false
                ) as "is_read!"
            from messaging.messages m
            join messaging.conversations c on c.id = m.conversation_id
            join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $1
            left join messaging.participants o on o.conversation_id = m.conversation_id and o.member_id = p.other_member_id
            left join messaging.messages q on q.id = m.reply_to_id
            where ($1 = any (m.audience) or (m.sender_id is not null and p.folder = 'inbox'))
                and "# + $blocks + $rest,
            $member $(, $argument)*
        )
    };
}
pub(crate) use messages_query;

/// Returns a message that the member reports: like [`get`], but also after a block.
pub async fn get_reported(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Message, Error> {
    let message = messages_query!(where "", "m.id = $2 and m.seq > p.cleared_seq", member, id);
    message.fetch_optional(db).await?.map(Message::from).ok_or(Error::MessageNotFound)
}

/// Returns a message that the member's list of the conversation contains.
pub async fn get(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Message, Error> {
    let message = messages_query!("m.id = $2 and m.seq > p.cleared_seq", member, id);
    message.fetch_optional(db).await?.map(Message::from).ok_or(Error::MessageNotFound)
}

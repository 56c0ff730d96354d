//! A conversation as one of its two participants sees it.

pub mod blocks;
pub mod effects;
pub mod erase;
pub mod list;
#[cfg(test)]
mod model;
pub mod mute;
pub mod state;
pub mod transitions;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The folder of a conversation in the list of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Folder {
    Inbox,
    Requests,
}

impl Folder {
    /// The value in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Requests => "requests",
        }
    }
}

/// A conversation in a member's list.
#[derive(Debug)]
pub struct Conversation {
    pub id: Uuid,
    /// None after that account is erased.
    pub other_member: Option<Uuid>,
    /// Empty when the newest message is deleted.
    pub last_message: Option<String>,
    pub last_message_at: Option<DateTime<Utc>>,
    pub unread_count: i32,
    pub folder: Folder,
    /// The member sent a request that the other member has not accepted.
    pub waiting: bool,
    pub muted: bool,
    pub active_at: DateTime<Utc>,
}

/// A conversation of the member, listed or not.
pub async fn get(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Conversation, Error> {
    let conversation = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, p.other_member_id as other_member, p.unread_count, p.folder as "folder: Folder", p.active_at, p.muted,
            case when c.last_seq > p.cleared_seq then c.last_message end as last_message,
            case when c.last_seq > p.cleared_seq then c.last_message_at end as last_message_at,
            coalesce(c.requested_by = p.member_id, false) as "waiting!"
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
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
        id,
        member,
    )
    .fetch_optional(db)
    .await?;
    conversation.ok_or(Error::ConversationNotFound)
}

/// The id of the listed conversation with another member, if neither blocks the other.
pub async fn find_listed(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<Option<Uuid>, Error> {
    let id = sqlx::query_scalar!(
        "select p.conversation_id
        from messaging.participants p
        where p.member_id = $1
            and p.other_member_id = $2
            and p.listed
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = $1
                    and b.blocked_id = $2
            )
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = $2
                    and b.blocked_id = $1
            )",
        member,
        other,
    );
    Ok(id.fetch_optional(db).await?)
}

/// The other participant, to be shown that the member types. None while a request waits, or when the account of the other
/// participant is closed or erased.
pub async fn typing_recipient(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Option<Uuid>, Error> {
    let recipient = sqlx::query_scalar!(
        "select case
            when c.requested_by is null
                and not exists (select from messaging.closed_members g where g.member_id = p.other_member_id)
            then p.other_member_id
        end
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
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
            )",
        id,
        member,
    )
    .fetch_optional(db)
    .await?;
    recipient.ok_or(Error::ConversationNotFound)
}

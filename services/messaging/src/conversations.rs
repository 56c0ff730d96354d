//! Conversations as one of the two members sees them.

pub mod erasure;
#[cfg(test)]
mod model;
pub mod steps;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::MyConversations, error::Error};

/// Among so many conversations a search of the list looks.
const SEARCHED: i64 = 1_000;

/// Where a conversation stands for its participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Folder {
    Inbox,
    Requests,
}

impl Folder {
    /// As rows have it.
    pub const fn name(self) -> &'static str {
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
    /// None once that account is gone.
    pub other_member: Option<Uuid>,
    pub last_message: Option<String>,
    pub last_message_at: Option<DateTime<Utc>>,
    pub unread_count: i32,
    pub folder: Folder,
    /// The member has opened it, and the other has not taken it yet.
    pub waiting: bool,
    pub active_at: DateTime<Utc>,
}

/// A place in the list of conversations.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Active {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Active {}

impl Active {
    /// Before every conversation.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A folder of a member's conversations, the one with the newest message first; one without any stands where it was
/// opened. Whom the member blocks or is blocked by, is looked up once, not for each row.
pub async fn list(db: &mut PgConnection, member: Uuid, mine: &MyConversations) -> Result<Page<Conversation>, Error> {
    if !mine.among.is_empty() {
        return among(db, member, mine).await;
    }
    let rows = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, p.other_member_id as other_member, p.unread_count, p.folder as "folder: Folder", p.active_at,
            case when c.last_seq > p.cleared_seq then c.last_message end as last_message,
            case when c.last_seq > p.cleared_seq then c.last_message_at end as last_message_at,
            coalesce(c.requested_by = p.member_id, false) as "waiting!"
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.member_id = $1
            and p.folder = $2
            and p.listed
            and (p.active_at, p.conversation_id) < ($3, $4)
            and not coalesce(
                p.other_member_id = any (array(
                    select blocked_id from messaging.blocks where blocker_id = $1
                    union all
                    select blocker_id from messaging.blocks where blocked_id = $1
                )),
                false
            )
        order by p.active_at desc, p.conversation_id desc
        limit $5"#,
        member,
        mine.folder.name(),
        mine.after.at,
        mine.after.id,
        mine.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(cut(rows, mine))
}

/// The same cut to some people: a statement of its own, because it is found by another index.
async fn among(db: &mut PgConnection, member: Uuid, mine: &MyConversations) -> Result<Page<Conversation>, Error> {
    let rows = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, p.other_member_id as other_member, p.unread_count, p.folder as "folder: Folder", p.active_at,
            case when c.last_seq > p.cleared_seq then c.last_message end as last_message,
            case when c.last_seq > p.cleared_seq then c.last_message_at end as last_message_at,
            coalesce(c.requested_by = p.member_id, false) as "waiting!"
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.member_id = $1
            and p.other_member_id = any ($6::uuid[])
            and p.folder = $2
            and p.listed
            and (p.active_at, p.conversation_id) < ($3, $4)
            and not p.other_member_id = any (array(
                select blocked_id from messaging.blocks where blocker_id = $1
                union all
                select blocker_id from messaging.blocks where blocked_id = $1
            ))
        order by p.active_at desc, p.conversation_id desc
        limit $5"#,
        member,
        mine.folder.name(),
        mine.after.at,
        mine.after.id,
        mine.size.to_fetch(),
        &mine.among,
    )
    .fetch_all(db)
    .await?;
    Ok(cut(rows, mine))
}

fn cut(rows: Vec<Conversation>, mine: &MyConversations) -> Page<Conversation> {
    Page::cut(rows, mine.size, |conversation| Active { at: conversation.active_at, id: conversation.id })
}

/// Whom the newest conversations of a folder are with.
pub async fn partners(db: &mut PgConnection, member: Uuid, folder: Folder) -> Result<Vec<Uuid>, Error> {
    let partners = sqlx::query_scalar!(
        r#"select p.other_member_id as "other_member_id!"
        from messaging.participants p
        where p.member_id = $1
            and p.folder = $2
            and p.listed
            and p.other_member_id is not null
            and not p.other_member_id = any (array(
                select blocked_id from messaging.blocks where blocker_id = $1
                union all
                select blocker_id from messaging.blocks where blocked_id = $1
            ))
        order by p.active_at desc, p.conversation_id desc
        limit $3"#,
        member,
        folder.name(),
        SEARCHED,
    )
    .fetch_all(db)
    .await?;
    Ok(partners)
}

/// One conversation, on the list or not.
pub async fn find(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Conversation, Error> {
    let conversation = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, p.other_member_id as other_member, p.unread_count, p.folder as "folder: Folder", p.active_at,
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

/// The listed conversation with a member, if there is one and neither blocks the other.
pub async fn with(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<Option<Uuid>, Error> {
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
    )
    .fetch_optional(db)
    .await?;
    Ok(id)
}

/// Who should see that a member is typing: nobody while a request waits, or once the other is away.
pub async fn listener(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Option<Uuid>, Error> {
    let listener = sqlx::query_scalar!(
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
    listener.ok_or(Error::ConversationNotFound)
}

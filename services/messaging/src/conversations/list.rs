//! The list of conversations of one folder, the newest message first.
//!
//! The members that the viewer blocks or is blocked by are read once, not for each row.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Conversation, Folder};
use crate::{convert::ListConversations, error::Error};

/// The number of conversations that a search of the list covers.
const MAX_PARTNERS: i64 = 1_000;

/// The position of a conversation in the list.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct ConversationCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for ConversationCursor {}

impl ConversationCursor {
    /// Before every conversation.
    pub const START: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A page of a folder. A conversation without messages has the position of its opening.
pub async fn list(db: &mut PgConnection, member: Uuid, query: &ListConversations) -> Result<Page<Conversation>, Error> {
    if !query.other_members.is_empty() {
        return list_with(db, member, query).await;
    }
    let rows = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, p.other_member_id as other_member, p.unread_count, p.folder as "folder: Folder", p.active_at, p.muted,
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
        query.folder.as_str(),
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(page(rows, query))
}

/// A page of the conversations with the given members. A separate statement, because it uses another index.
async fn list_with(
    db: &mut PgConnection,
    member: Uuid,
    query: &ListConversations,
) -> Result<Page<Conversation>, Error> {
    let rows = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, p.other_member_id as other_member, p.unread_count, p.folder as "folder: Folder", p.active_at, p.muted,
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
        query.folder.as_str(),
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
        &query.other_members,
    )
    .fetch_all(db)
    .await?;
    Ok(page(rows, query))
}

fn page(rows: Vec<Conversation>, query: &ListConversations) -> Page<Conversation> {
    Page::cut(rows, query.size, |conversation| ConversationCursor { at: conversation.active_at, id: conversation.id })
}

/// The other participants of the newest conversations of a folder.
pub async fn list_partners(db: &mut PgConnection, member: Uuid, folder: Folder) -> Result<Vec<Uuid>, Error> {
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
        folder.as_str(),
        MAX_PARTNERS,
    );
    Ok(partners.fetch_all(db).await?)
}

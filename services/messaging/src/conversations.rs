//! Conversations as one of the two members sees them.

use chassis::input::{Cursor, Page};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::MyConversations, error::Error};

/// A conversation in a member's list.
pub struct Conversation {
    pub id: Uuid,
    /// None once that account is gone.
    pub other_member: Option<Uuid>,
    pub last_message: Option<String>,
    pub last_message_at: Option<DateTime<Utc>>,
    pub unread_count: i32,
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

/// A member's conversations, the one with the newest message first; one without any stands where it was opened.
pub async fn list(db: &mut PgConnection, member: Uuid, mine: &MyConversations) -> Result<Page<Conversation>, Error> {
    let rows = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, c.last_message, c.last_message_at, p.unread_count, p.active_at,
            case p.member_id when c.lower_member_id then c.upper_member_id else c.lower_member_id end as other_member
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.member_id = $1
            and (p.active_at, p.conversation_id) < ($2, $3)
        order by p.active_at desc, p.conversation_id desc
        limit $4"#,
        member,
        mine.after.at,
        mine.after.id,
        mine.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, mine.size, |conversation| Active { at: conversation.active_at, id: conversation.id }))
}

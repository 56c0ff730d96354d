//! Where the two of a conversation stand, read under its lock, and what a step there brings about for others.
//!
//! Whoever changes anything of a conversation holds its row, then those of its participants, and last the totals
//! (`crate::unread`): nobody waits for somebody who waits for them. What is decided by other rows than the one that was
//! waited for is read by a statement of its own, after the wait: the first one's view is older.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    conversations::Folder,
    error::Error,
    facts::{self, News},
    unread::{Changes, Delta},
};

/// Where one stands, and the other.
#[derive(Debug)]
pub struct Standing {
    pub id: Uuid,
    /// The number of the newest message.
    pub last_seq: i64,
    pub last_message_at: Option<DateTime<Utc>>,
    /// Who waits for the other to take the request.
    pub requested_by: Option<Uuid>,
    /// None once that account is gone.
    pub other: Option<Uuid>,
    /// Whether it is closed, and may be opened again.
    pub other_closed: bool,
    pub mine: Side,
    /// Whether the conversation stands in a folder of the other's, and what waits for them there.
    pub theirs_listed: bool,
    pub theirs_unread: i32,
}

/// One's side of it.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub folder: Folder,
    pub listed: bool,
    pub unread_count: i32,
    pub read_seq: i64,
}

impl Standing {
    /// Whether the member waits for the other to take the request.
    pub fn is_requested_by(&self, member: Uuid) -> bool {
        self.requested_by == Some(member)
    }
}

/// Takes the conversation's lock, for a step of a participant.
pub async fn lock(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<(), Error> {
    let locked = sqlx::query_scalar!(
        "select c.id
        from messaging.conversations c
        where c.id = $1
            and $2 in (c.lower_member_id, c.upper_member_id)
        for no key update",
        id,
        member,
    )
    .fetch_optional(db)
    .await?;
    locked.map(drop).ok_or(Error::ConversationNotFound)
}

/// The same by the pair. None when the two have no conversation.
pub async fn lock_of(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<Option<Uuid>, Error> {
    let locked = sqlx::query_scalar!(
        "select c.id
        from messaging.conversations c
        where c.lower_member_id = $1
            and c.upper_member_id = $2
        for no key update",
        one.min(other),
        one.max(other),
    )
    .fetch_optional(db)
    .await?;
    Ok(locked)
}

/// Where the two stand. The caller holds the lock.
pub async fn read(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Standing, Error> {
    let row = sqlx::query!(
        r#"select
            c.last_seq, c.last_message_at, c.requested_by, p.other_member_id, p.folder as "folder: Folder", p.listed,
            p.unread_count, p.read_seq, coalesce(o.listed, false) as "theirs_listed!",
            coalesce(o.unread_count, 0) as "theirs_unread!",
            exists (select from messaging.closed_members g where g.member_id = p.other_member_id) as "other_closed!"
        from messaging.conversations c
        join messaging.participants p on p.conversation_id = c.id
        left join messaging.participants o on o.conversation_id = c.id and o.member_id = p.other_member_id
        where c.id = $1
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
    let row = row.ok_or(Error::ConversationNotFound)?;
    Ok(Standing {
        id,
        last_seq: row.last_seq,
        last_message_at: row.last_message_at,
        requested_by: row.requested_by,
        other: row.other_member_id,
        other_closed: row.other_closed,
        mine: Side { folder: row.folder, listed: row.listed, unread_count: row.unread_count, read_seq: row.read_seq },
        theirs_listed: row.theirs_listed,
        theirs_unread: row.theirs_unread,
    })
}

/// What a step brings about besides the rows it wrote: who is told, and what waits unread.
#[derive(Debug, Default)]
#[must_use = "nobody is told before `settle`"]
pub struct Effects {
    pub news: Vec<News>,
    pub unread: Changes,
}

impl Effects {
    /// Notes that a conversation appeared in a member's list, left it, or moved.
    pub fn changed(&mut self, conversation: Uuid, member: Uuid) {
        self.news.push(News::Changed { conversation, member });
    }

    /// Notes what a conversation of `folder` counts for its participant: `after` unread messages instead of `before`.
    pub fn count(&mut self, member: Uuid, folder: Folder, before: i32, after: i32) {
        let mut delta = Delta::default();
        match folder {
            Folder::Inbox => delta.messages = after - before,
            Folder::Requests => delta.requests = i32::from(after > 0) - i32::from(before > 0),
        }
        self.unread.note(member, delta);
    }

    /// Tells and keeps it: the last thing a transaction does.
    pub async fn settle(self, db: &mut PgConnection, outbox: &Outbox, at: DateTime<Utc>) -> Result<(), sqlx::Error> {
        for news in &self.news {
            facts::tell(outbox, db, news, at).await?;
        }
        self.unread.keep(db).await
    }
}

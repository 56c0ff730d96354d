//! Conversations of two members or of a group (`crate::groups`), as one of the participants sees them.

pub mod acceptance;
pub mod allowance;
pub mod blocks;
pub mod connect;
pub mod effects;
pub mod erase;
pub mod group;
pub mod lines;
pub mod list;
pub mod locks;
#[cfg(test)]
mod model;
pub mod mute;
pub mod state;
pub mod transitions;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    attachments::{Attachments, StoredAttachments},
    error::Error,
};
use lines::{SystemKind, SystemLine};

/// The folder of a conversation in the list of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Folder {
    Inbox,
    Requests,
}

impl Folder {
    /// Returns the value in the database.
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
    /// None in a group, and after that account is erased.
    pub other_member: Option<Uuid>,
    /// Empty when the newest message is deleted, a system line, or has attachments only.
    pub last_message: Option<String>,
    pub last_attachments: Option<Attachments>,
    pub last_message_at: Option<DateTime<Utc>>,
    pub unread_count: i32,
    pub folder: Folder,
    /// Whether the member sent a request that the other member has not accepted.
    pub waiting: bool,
    /// Whether files are refused because no other member has accepted the conversation: strangers do not send files.
    pub files_refused: bool,
    pub muted: bool,
    pub active_at: DateTime<Utc>,
    pub group: Option<GroupSummary>,
}

/// A group in the list of one of its members.
#[derive(Clone, Debug)]
pub struct GroupSummary {
    /// None also until the member accepts the group.
    pub title: Option<String>,
    /// The number of members, including this one.
    pub member_count: i32,
    /// The first few of the other members.
    pub members: Vec<Uuid>,
    pub is_owner: bool,
    /// The sender of the newest message that the member sees.
    pub last_sender: Option<Uuid>,
    pub last_line: Option<SystemLine>,
}

/// A row of a conversation, as `conversations_query` selects it.
#[derive(Debug)]
pub struct ConversationRow {
    pub id: Uuid,
    pub other_member: Option<Uuid>,
    pub last_message: Option<String>,
    pub last_attachments: Option<StoredAttachments>,
    pub last_message_at: Option<DateTime<Utc>>,
    pub unread_count: i32,
    pub folder: Folder,
    pub waiting: bool,
    pub unanswered_group: bool,
    pub muted: bool,
    pub active_at: DateTime<Utc>,
    pub is_group: bool,
    pub title: Option<String>,
    pub member_count: i32,
    pub members: Option<Vec<Uuid>>,
    pub is_owner: bool,
    pub last_sender: Option<Uuid>,
    pub last_kind: Option<SystemKind>,
    pub last_subjects: Option<Vec<Option<Uuid>>>,
}

impl From<ConversationRow> for Conversation {
    fn from(row: ConversationRow) -> Self {
        let group = row.is_group.then(|| GroupSummary {
            title: row.title,
            member_count: row.member_count,
            members: row.members.unwrap_or_default(),
            is_owner: row.is_owner,
            last_sender: row.last_sender,
            last_line: SystemLine::of(row.last_kind, row.last_subjects),
        });
        Self {
            id: row.id,
            other_member: row.other_member,
            last_message: row.last_message,
            last_attachments: row.last_attachments.map(|stored| stored.0),
            last_message_at: row.last_message_at,
            unread_count: row.unread_count,
            folder: row.folder,
            waiting: row.waiting,
            files_refused: row.waiting || row.unanswered_group,
            muted: row.muted,
            active_at: row.active_at,
            group,
        }
    }
}

/// Selects conversations of the member `$1`, without those with a blocked member; `$rest` narrows and orders them. The
/// newest message of a group depends on the member, because messages of blocked members are hidden; so it is read, not
/// stored. Only members who accepted the group see the title, which a stranger may have written.
macro_rules! conversations_query {
    ($rest:literal, $member:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::conversations::ConversationRow,
            r#"select
                c.id, p.other_member_id as other_member, p.unread_count, p.folder as "folder: Folder", p.active_at, p.muted,
                case
                    when c.is_group then newest.content
                    when c.last_seq > p.cleared_seq then c.last_message
                end as last_message,
                case
                    when c.is_group then newest.attachments
                    when c.last_seq > p.cleared_seq then c.last_attachments
                end as "last_attachments: crate::attachments::StoredAttachments",
                case
                    when c.is_group then newest.sent_at
                    when c.last_seq > p.cleared_seq then c.last_message_at
                end as last_message_at,
                coalesce(c.requested_by = p.member_id, false) as "waiting!",
                c.is_group and c.member_count > 1 and not exists (
                    select
                    from messaging.participants o
                    where o.conversation_id = c.id
                        and o.member_id <> p.member_id
                        and o.folder = 'inbox'
                ) as "unanswered_group!",
                c.is_group, c.member_count, coalesce(c.owner_id = p.member_id, false) as "is_owner!",
                case when p.folder = 'inbox' then c.title end as title,
                case when c.is_group then array(
                    select o.member_id
                    from messaging.participants o
                    where o.conversation_id = c.id
                        and o.member_id <> p.member_id
                    order by o.joined_seq, o.member_id
                    limit 4
                ) end as members,
                newest.sender_id as "last_sender?",
                newest.system_kind as "last_kind?: SystemKind",
                newest.subject_ids as "last_subjects?: Vec<Option<Uuid>>"
            from messaging.participants p
            join messaging.conversations c on c.id = p.conversation_id
            left join lateral (
                select m.content, m.sent_at, m.sender_id, m.system_kind, m.subject_ids, m.attachments
                from messaging.messages m
                where c.is_group
                    and m.conversation_id = c.id
                    and m.seq > p.cleared_seq
                    and m.seq <= coalesce(case p.folder when 'requests' then p.received_seq end, 9223372036854775807)
                    and not coalesce(
                        m.sender_id = any (array(
                            select blocked_id from messaging.blocks where blocker_id = $1
                            union all
                            select blocker_id from messaging.blocks where blocked_id = $1
                        )),
                        false
                    )
                    and ($1 = any (m.audience) or (m.sender_id is not null and p.folder = 'inbox'))
                order by m.seq desc
                limit 1
            ) newest on true
            where p.member_id = $1
                and not coalesce(
                    p.other_member_id = any (array(
                        select blocked_id from messaging.blocks where blocker_id = $1
                        union all
                        select blocker_id from messaging.blocks where blocked_id = $1
                    )),
                    false
                )
                and "# + $rest,
            $member $(, $argument)*
        )
    };
}
pub(crate) use conversations_query;

/// Returns a conversation of the member, listed or not.
pub async fn get(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Conversation, Error> {
    let conversation = conversations_query!("p.conversation_id = $2", member, id);
    conversation.fetch_optional(db).await?.map(Conversation::from).ok_or(Error::ConversationNotFound)
}

/// Returns groups of the member, by id.
pub async fn get_groups(
    db: &mut PgConnection,
    member: Uuid,
    ids: BTreeSet<Uuid>,
) -> Result<BTreeMap<Uuid, GroupSummary>, Error> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let groups = conversations_query!("p.conversation_id = any ($2)", member, &ids);
    let groups = groups.fetch_all(db).await?.into_iter().map(Conversation::from);
    Ok(groups.filter_map(|conversation| Some((conversation.id, conversation.group?))).collect())
}

/// Returns the id of the listed conversation with another member, if neither blocks the other.
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

/// Returns the participants who see that the member types: the other participant, unless a request waits, or the
/// members who accepted the group, if this member did too. Leaves out closed accounts, and in a group members that a
/// block separates.
pub async fn typing_recipients(db: &mut PgConnection, member: Uuid, id: Uuid) -> Result<Vec<Uuid>, Error> {
    let recipients = sqlx::query_scalar!(
        r#"select case
            when c.requested_by is null and p.folder = 'inbox' then array(
                select o.member_id
                from messaging.participants o
                where o.conversation_id = p.conversation_id
                    and o.member_id <> p.member_id
                    and o.folder = 'inbox'
                    and not exists (select from messaging.closed_members g where g.member_id = o.member_id)
                    and not o.member_id = any (array(
                        select blocked_id from messaging.blocks where blocker_id = $2
                        union all
                        select blocker_id from messaging.blocks where blocked_id = $2
                    ))
                order by o.member_id
            )
        end as "recipients?"
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.conversation_id = $1
            and p.member_id = $2
            and not coalesce(
                p.other_member_id = any (array(
                    select blocked_id from messaging.blocks where blocker_id = $2
                    union all
                    select blocker_id from messaging.blocks where blocked_id = $2
                )),
                false
            )"#,
        id,
        member,
    );
    let recipients = recipients.fetch_optional(db).await?.ok_or(Error::ConversationNotFound)?;
    Ok(recipients.unwrap_or_default())
}

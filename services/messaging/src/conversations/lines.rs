//! System lines: messages without a text that state a change of a group. They never count as unread, and do not relist
//! a group that a member cleared. Like messages, they stop for a member who has not accepted the group after five
//! messages.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{effects::Effects, group::Group};
use crate::{error::Error, publishing::ConversationFact};

/// The change that a system line states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum SystemKind {
    Created,
    Renamed,
    /// The subjects are new members.
    Added,
    /// The subject is no longer a member.
    Removed,
    Left,
}

impl SystemKind {
    /// Returns the value in the database.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Renamed => "renamed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Left => "left",
        }
    }
}

/// A change of a group. The sender of the message made it.
#[derive(Clone, Debug)]
pub struct SystemLine {
    pub kind: SystemKind,
    /// None for an erased account.
    pub subjects: Vec<Option<Uuid>>,
}

impl SystemLine {
    pub fn of(kind: Option<SystemKind>, subjects: Option<Vec<Option<Uuid>>>) -> Option<Self> {
        kind.map(|kind| Self { kind, subjects: subjects.unwrap_or_default() })
    }
}

/// A new system line of the actor.
pub struct NewLine<'a> {
    id: Uuid,
    conversation: Uuid,
    actor: Uuid,
    kind: SystemKind,
    subjects: &'a [Uuid],
    at: DateTime<Utc>,
}

impl<'a> NewLine<'a> {
    /// The line of a change that happens now.
    pub fn of(work: &UnitOfWork<'_>, conversation: Uuid, actor: Uuid, kind: SystemKind, subjects: &'a [Uuid]) -> Self {
        Self { id: work.ids.owned_by(conversation), conversation, actor, kind, subjects, at: work.now }
    }
}

/// Inserts the line. The caller holds the lock of the conversation.
pub async fn insert(db: &mut PgConnection, line: &NewLine<'_>) -> Result<(), Error> {
    sqlx::query!(
        "with newest as (
            update messaging.conversations
            set
                last_seq = last_seq + 1,
                last_message = '',
                last_message_at = greatest(last_message_at, $6)
            where id = $2
            returning last_seq, last_message_at
        ),
        line as (
            insert into messaging.messages
                (id, conversation_id, seq, sender_id, content, sent_at, system_kind, subject_ids, audience)
            select
                $1, $2, n.last_seq, $3, '', n.last_message_at, $4, $5::uuid[],
                array(
                    select p.member_id
                    from messaging.participants p
                    where p.conversation_id = $2
                        and (p.folder = 'inbox' or p.received_seq is null)
                    union
                    select unnest($5::uuid[])
                )
            from newest n
        )
        update messaging.participants p
        set active_at = n.last_message_at
        from newest n
        where p.conversation_id = $2
            and p.listed
            and p.folder = 'inbox'
            and not exists (
                select
                from messaging.blocks b
                where (b.blocker_id = $3 and b.blocked_id = p.member_id)
                    or (b.blocker_id = p.member_id and b.blocked_id = $3)
            )",
        line.id,
        line.conversation,
        line.actor,
        line.kind.as_str(),
        line.subjects,
        line.at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns the effects of a line for the members: the message, for those who see it, and the changed group, for all.
pub fn effects(line: &NewLine<'_>, group: &Group, changed: Vec<Uuid>) -> Effects {
    let mut effects = Effects::default();
    effects.facts.push(ConversationFact::MessageSent {
        conversation: line.conversation,
        message: line.id,
        sender: line.actor,
        recipients: group.recipients(),
    });
    effects.add_group_changed(line.conversation, changed);
    effects
}

//! The sender can edit and delete a message within 15 minutes after sending. A message with attachments can be deleted
//! at any time, because they use the sender's space.

use chrono::TimeDelta;
use outbox::UnitOfWork;
use primitives::input::Text;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{send::MAX_LENGTH, unread};
use crate::{
    conversations::{effects::Effects, state},
    error::Error,
    publishing::ConversationFact,
};

/// The time after sending in which the sender can change a message.
const CHANGE_WINDOW: TimeDelta = TimeDelta::minutes(15);

/// A message of a conversation.
#[derive(Clone, Copy, Debug)]
pub struct MessageRef {
    pub conversation: Uuid,
    pub id: Uuid,
}

impl MessageRef {
    /// Returns the fact that the message changed.
    pub const fn changed(self, by: Uuid, others: Vec<Uuid>) -> ConversationFact {
        ConversationFact::MessageChanged { conversation: self.conversation, message: self.id, by, others }
    }
}

/// The new text of a message.
pub struct EditedMessage {
    pub message: MessageRef,
    pub content: Text<MAX_LENGTH>,
}

/// Replaces the text of a message. Its attachments stay.
pub async fn edit(work: &mut UnitOfWork<'_>, member: Uuid, edited: &EditedMessage) -> Result<(), Error> {
    let message = edited.message;
    state::lock(work.db, message.conversation, member).await?;
    let state = state::read(work.db, message.conversation, member).await?;
    let is_edited = sqlx::query_scalar!(
        r#"with edited as (
            update messaging.messages m
            set
                content = $4,
                edited_at = $5
            from messaging.participants p
            where m.id = $3
                and m.conversation_id = $1
                and m.sender_id = $2
                and m.deleted_at is null
                and m.system_kind is null
                and m.sent_at > $6
                and p.conversation_id = $1
                and p.member_id = $2
                and m.seq > p.cleared_seq
            returning m.conversation_id, m.seq, m.content
        ),
        newest as (
            update messaging.conversations c
            set last_message = edited.content
            from edited
            where c.id = edited.conversation_id
                and c.last_seq = edited.seq
        )
        select exists (select from edited) as "edited!""#,
        message.conversation,
        member,
        message.id,
        &*edited.content,
        work.now,
        work.now - CHANGE_WINDOW,
    );
    if !is_edited.fetch_one(&mut *work.db).await? {
        return Err(refusal(work.db, member, message).await?.unwrap_or(Error::MessageNotFound));
    }
    let mut effects = Effects::default();
    effects.facts.push(message.changed(member, state.others()));
    effects.apply(work).await
}

/// Deletes the text of a message, its attachments and its reactions. The message keeps its place, so that read marks do
/// not change, and no longer counts as unread for others.
pub async fn delete(work: &mut UnitOfWork<'_>, member: Uuid, message: MessageRef) -> Result<(), Error> {
    state::lock(work.db, message.conversation, member).await?;
    let state = state::read(work.db, message.conversation, member).await?;
    let is_deleted = sqlx::query_scalar!(
        r#"with deleted as (
            update messaging.messages m
            set
                content = '',
                attachments = null,
                edited_at = null,
                deleted_at = $4,
                reaction_count = 0
            from messaging.participants p
            where m.id = $3
                and m.conversation_id = $1
                and m.sender_id = $2
                and m.deleted_at is null
                and m.system_kind is null
                and (m.sent_at > $5 or m.attachments is not null)
                and p.conversation_id = $1
                and p.member_id = $2
                and m.seq > p.cleared_seq
            returning m.id, m.conversation_id, m.seq
        ),
        newest as (
            update messaging.conversations c
            set
                last_message = '',
                last_attachments = null
            from deleted
            where c.id = deleted.conversation_id
                and c.last_seq = deleted.seq
        ),
        files as (
            delete from messaging.attachments a
            using deleted
            where a.message_id = deleted.id
        ),
        reactions as (
            delete from messaging.message_reactions r
            using deleted
            where r.message_id = deleted.id
        )
        select exists (select from deleted) as "deleted!""#,
        message.conversation,
        member,
        message.id,
        work.now,
        work.now - CHANGE_WINDOW,
    );
    if !is_deleted.fetch_one(&mut *work.db).await? {
        return refusal(work.db, member, message).await?.map_or(Ok(()), Err);
    }
    let mut effects = Effects::default();
    effects.facts.push(message.changed(member, state.others()));
    unread::subtract_deleted(work.db, &[message.id], &mut effects).await?;
    effects.apply(work).await
}

/// Returns why a message of the conversation did not change, or None for a deleted message of the member.
async fn refusal(db: &mut PgConnection, member: Uuid, message: MessageRef) -> Result<Option<Error>, Error> {
    let found = sqlx::query!(
        r#"select m.sender_id is not distinct from $2 as "is_own!", m.deleted_at is not null as "is_deleted!"
        from messaging.messages m
        join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $2
        where m.id = $3
            and m.conversation_id = $1
            and m.system_kind is null
            and m.seq > p.cleared_seq"#,
        message.conversation,
        member,
        message.id,
    );
    let found = found.fetch_optional(db).await?.ok_or(Error::MessageNotFound)?;
    Ok(match (found.is_own, found.is_deleted) {
        (false, _) => Some(Error::NotSender),
        (true, true) => None,
        (true, false) => Some(Error::ChangeTooLate),
    })
}

//! Send a message: once for each idempotency key, at any time.

mod group;

use chrono::{DateTime, Utc};
use primitives::input::{Line, Text};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Message, messages_query};
use crate::{
    conversations::{
        Folder,
        effects::Effects,
        state::{self, ConversationState},
    },
    error::Error,
    facts::ConversationFact,
    groups::{Group, lines::SystemKind},
    push::queue,
};

/// The maximum length of a message, in characters.
pub const MAX_LENGTH: usize = 4_000;
/// The maximum number of messages in a request that is not accepted.
const MAX_REQUEST_MESSAGES: i64 = 5;

/// The idempotency key of a message. Unlike the keys of the library `idempotency`, it does not expire.
pub type Key = Line<200>;

pub struct NewMessage {
    pub conversation: Uuid,
    pub content: Text<MAX_LENGTH>,
    pub key: Option<Key>,
    /// A message of the conversation, also a deleted one: it may be deleted before an unsent reply arrives.
    pub reply_to: Option<Uuid>,
}

/// The result of [`send`].
pub struct SendOutcome {
    pub message: Message,
    pub effects: Effects,
}

/// Sends a message with the id `id`. A repeated key returns the earlier message, even if a new one would be refused.
pub async fn send(
    db: &mut PgConnection,
    id: Uuid,
    sender: Uuid,
    new: &NewMessage,
    now: DateTime<Utc>,
) -> Result<SendOutcome, Error> {
    state::lock(db, new.conversation, sender).await?;
    let state = state::read(db, new.conversation, sender).await?;
    // Another message may have been inserted while this one waited for the lock: times increase with the numbers.
    let now = state.last_message_at.map_or(now, |last| last.max(now));
    let refusal = match allowed_recipient(db, &state, sender, new).await? {
        Ok(recipient) => {
            if let Some(effects) = deliver(db, id, sender, recipient, new, &state, now).await? {
                queue::message(db, new.conversation, id, sender, effects.recipients(), now).await?;
                let message = sent(db, id, sender, new, &state, now).await?;
                return Ok(SendOutcome { effects, message });
            }
            Error::KeyReused
        }
        Err(refusal) => refusal,
    };
    match find_by_key(db, sender, new).await? {
        // A message that was edited or deleted since is still the one of the first request.
        Some(message) if message.content == *new.content || message.edited_at.is_some() || message.is_deleted => {
            Ok(SendOutcome { message, effects: Effects::default() })
        }
        Some(_) => Err(Error::KeyReused),
        None => Err(refusal),
    }
}

/// Inserts the message for its recipient, or for the group. None when the key was used.
async fn deliver(
    db: &mut PgConnection,
    id: Uuid,
    sender: Uuid,
    recipient: Recipient<'_>,
    new: &NewMessage,
    state: &ConversationState,
    now: DateTime<Utc>,
) -> Result<Option<Effects>, Error> {
    match recipient {
        Recipient::Group(of) => group::insert(db, id, sender, new, (state, of), now).await,
        Recipient::Member(recipient) => {
            let is_inserted = insert(db, id, sender, recipient, new, state, now).await?;
            Ok(is_inserted.then(|| effects(state, id, sender, recipient)))
        }
    }
}

/// The message after its insertion.
async fn sent(
    db: &mut PgConnection,
    id: Uuid,
    sender: Uuid,
    new: &NewMessage,
    state: &ConversationState,
    now: DateTime<Utc>,
) -> Result<Message, Error> {
    if new.reply_to.is_some() {
        return super::get(db, sender, id).await;
    }
    Ok(Message {
        id,
        conversation_id: new.conversation,
        seq: state.last_seq + 1,
        sender: Some(sender),
        content: new.content.to_string(),
        sent_at: now,
        is_read: false,
        edited_at: None,
        is_deleted: false,
        reactions: Vec::new(),
        reply_to: None,
        line: None,
        read_count: 0,
        of_group: state.group.is_some(),
    })
}

/// The recipient of a message.
enum Recipient<'a> {
    Member(Uuid),
    Group(&'a Group),
}

/// The recipient, or the refusal.
async fn allowed_recipient<'a>(
    db: &mut PgConnection,
    state: &'a ConversationState,
    sender: Uuid,
    new: &NewMessage,
) -> Result<Result<Recipient<'a>, Error>, Error> {
    if let Some(reply_to) = new.reply_to
        && !is_visible(db, sender, new.conversation, reply_to).await?
    {
        return Ok(Err(Error::MessageNotFound));
    }
    let Some(of) = &state.group else { return Ok(recipient(state, sender).map(Recipient::Member)) };
    match group::require_answer(db, state.id, of, sender).await {
        Ok(()) => Ok(Ok(Recipient::Group(of))),
        Err(refusal @ Error::RequestWaiting) => Ok(Err(refusal)),
        Err(error) => Err(error),
    }
}

/// Whether the member sees the message, which is of a member.
async fn is_visible(db: &mut PgConnection, member: Uuid, conversation: Uuid, message: Uuid) -> Result<bool, Error> {
    let found = sqlx::query_scalar!(
        "select m.id
        from messaging.messages m
        join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $2
        where m.id = $3
            and m.conversation_id = $1
            and m.system_kind is null
            and m.seq > p.cleared_seq
            and ($2 = any (m.audience) or (m.sender_id is not null and p.folder = 'inbox'))
            and not exists (
                select
                from messaging.blocks b
                where (b.blocker_id = $2 and b.blocked_id = m.sender_id)
                    or (b.blocker_id = m.sender_id and b.blocked_id = $2)
            )",
        conversation,
        member,
        message,
    );
    Ok(found.fetch_optional(db).await?.is_some())
}

/// The recipient, if the sender may write.
fn recipient(state: &ConversationState, sender: Uuid) -> Result<Uuid, Error> {
    let recipient = state.other.filter(|_| !state.other_closed).ok_or(Error::FormerMember)?;
    if state.refused {
        return Err(Error::MessagesClosed);
    }
    if state.is_requested_by(sender) && state.last_seq >= MAX_REQUEST_MESSAGES {
        return Err(Error::RequestWaiting);
    }
    Ok(recipient)
}

/// The folder of the recipient.
fn recipient_folder(state: &ConversationState, sender: Uuid) -> Folder {
    if state.is_requested_by(sender) { Folder::Requests } else { Folder::Inbox }
}

/// Inserts the message and updates the conversation and both participants. False when the key was used.
async fn insert(
    db: &mut PgConnection,
    id: Uuid,
    sender: Uuid,
    recipient: Uuid,
    new: &NewMessage,
    state: &ConversationState,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let requested_by = state.requested_by.filter(|requester| *requester == sender);
    let inserted = sqlx::query_scalar!(
        r#"with inserted as (
            insert into messaging.messages
                (id, conversation_id, seq, sender_id, content, sent_at, idempotency_key, reply_to_id, audience)
            values ($1, $2, $3, $4, $5, $6, $7, $11, array[$4::uuid, $9::uuid])
            on conflict (conversation_id, sender_id, idempotency_key) where idempotency_key is not null do nothing
            returning conversation_id, seq, sender_id, content, sent_at
        ),
        conversation as (
            update messaging.conversations c
            set
                last_seq = inserted.seq,
                last_message = inserted.content,
                last_message_at = inserted.sent_at,
                requested_by = $8
            from inserted
            where c.id = inserted.conversation_id
        ),
        sender_row as (
            update messaging.participants p
            set
                active_at = inserted.sent_at,
                listed = true,
                folder = 'inbox',
                read_seq = inserted.seq,
                unread_count = 0
            from inserted
            where p.conversation_id = inserted.conversation_id
                and p.member_id = inserted.sender_id
        ),
        recipient_row as (
            insert into messaging.participants as p
                (conversation_id, member_id, other_member_id, active_at, folder, unread_count)
            select inserted.conversation_id, $9::uuid, inserted.sender_id, inserted.sent_at, $10::text, 1
            from inserted
            on conflict (conversation_id, member_id) do update
            set
                active_at = excluded.active_at,
                listed = true,
                unread_count = p.unread_count + 1
        )
        select exists (select from inserted) as "inserted!""#,
        id,
        new.conversation,
        state.last_seq + 1,
        sender,
        &*new.content,
        now,
        new.key.as_deref(),
        requested_by,
        recipient,
        recipient_folder(state, sender).as_str(),
        new.reply_to,
    );
    Ok(inserted.fetch_one(db).await?)
}

fn effects(state: &ConversationState, message: Uuid, sender: Uuid, recipient: Uuid) -> Effects {
    let (conversation, own) = (state.id, state.own);
    let mut effects = Effects::default();
    let recipients = vec![recipient];
    effects.facts.push(ConversationFact::MessageSent { conversation, message, sender, recipients });
    if own.read_seq < state.last_seq {
        effects.facts.push(ConversationFact::Read {
            conversation,
            reader: sender,
            others: state.other.filter(|_| state.receipts).into_iter().collect(),
        });
    }
    let accepted = own.folder == Folder::Requests;
    if accepted || !own.listed {
        effects.add_changed(conversation, sender);
    }
    if accepted || !state.other_listed {
        effects.add_changed(conversation, recipient);
    }
    effects.add_unread(sender, own.folder, own.muted, own.unread_count, 0);
    let (folder, unread) = (recipient_folder(state, sender), state.other_unread);
    effects.add_unread(recipient, folder, state.other_muted, unread, unread + 1);
    effects
}

/// The earlier message with the same key.
async fn find_by_key(db: &mut PgConnection, sender: Uuid, new: &NewMessage) -> Result<Option<Message>, Error> {
    let Some(key) = new.key.as_deref() else { return Ok(None) };
    let message = messages_query!(
        "m.conversation_id = $2
            and m.sender_id = $1
            and m.idempotency_key = $3",
        sender,
        new.conversation,
        key,
    );
    Ok(message.fetch_optional(db).await?.map(Message::from))
}

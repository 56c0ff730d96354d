//! Send a message: once for each idempotency key, at any time.

use chrono::{DateTime, Utc};
use primitives::input::{Line, Text};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Message;
use crate::{
    conversations::{
        Folder,
        effects::Effects,
        state::{self, ConversationState},
    },
    error::Error,
    facts::ConversationFact,
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
    let refusal = match recipient(&state, sender) {
        Ok(recipient) => {
            if insert(db, id, sender, recipient, new, &state, now).await? {
                let message = Message {
                    id,
                    conversation_id: new.conversation,
                    seq: state.last_seq + 1,
                    sender: Some(sender),
                    content: new.content.to_string(),
                    sent_at: now,
                    is_read: false,
                };
                return Ok(SendOutcome { effects: effects(&state, id, sender, recipient), message });
            }
            Error::KeyReused
        }
        Err(refusal) => refusal,
    };
    match find_by_key(db, sender, new).await? {
        Some(message) if message.content == *new.content => Ok(SendOutcome { message, effects: Effects::default() }),
        Some(_) => Err(Error::KeyReused),
        None => Err(refusal),
    }
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
            insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at, idempotency_key)
            values ($1, $2, $3, $4, $5, $6, $7)
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
    );
    Ok(inserted.fetch_one(db).await?)
}

fn effects(state: &ConversationState, message: Uuid, sender: Uuid, recipient: Uuid) -> Effects {
    let (conversation, own) = (state.id, state.own);
    let mut effects = Effects::default();
    effects.facts.push(ConversationFact::MessageSent { conversation, message, sender, recipient });
    if own.read_seq < state.last_seq {
        let other = Some(recipient).filter(|_| state.receipts);
        effects.facts.push(ConversationFact::Read { conversation, reader: sender, other });
    }
    let accepted = own.folder == Folder::Requests;
    if accepted || !own.listed {
        effects.add_changed(conversation, sender);
    }
    if accepted || !state.other_listed {
        effects.add_changed(conversation, recipient);
    }
    effects.add_unread(sender, own.folder, own.unread_count, 0);
    effects.add_unread(recipient, recipient_folder(state, sender), state.other_unread, state.other_unread + 1);
    effects
}

/// The earlier message with the same key.
async fn find_by_key(db: &mut PgConnection, sender: Uuid, new: &NewMessage) -> Result<Option<Message>, Error> {
    let Some(key) = new.key.as_deref() else { return Ok(None) };
    let message = sqlx::query_as!(
        Message,
        r#"select
            m.id, m.conversation_id, m.seq, m.sender_id as sender, m.content, m.sent_at,
            m.seq <= coalesce(o.read_seq, c.former_read_seq) and not exists (
                select
                from messaging.privacy_settings s
                where s.member_id in (m.sender_id, o.member_id)
                    and not s.read_receipts
            ) as "is_read!"
        from messaging.messages m
        join messaging.conversations c on c.id = m.conversation_id
        left join messaging.participants o on o.conversation_id = m.conversation_id and o.member_id <> m.sender_id
        where m.conversation_id = $1
            and m.sender_id = $2
            and m.idempotency_key = $3"#,
        new.conversation,
        sender,
        key,
    );
    Ok(message.fetch_optional(db).await?)
}

//! Saying something: once, however often it is sent.

use chrono::{DateTime, Utc};
use primitives::input::{Line, Text};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Message;
use crate::{
    conversations::Folder,
    error::Error,
    facts::News,
    standing::{self, Effects, Standing},
};

/// The longest message, in characters.
pub const LONGEST: usize = 4_000;
/// So much may be said in a request that nobody has taken.
const WAITING: i64 = 5;

/// A key as the sender chose it.
pub type Key = Line<200>;

/// What somebody wants to say.
pub struct NewMessage {
    pub conversation: Uuid,
    pub content: Text<LONGEST>,
    pub key: Option<Key>,
}

/// What was said, and what came of it.
pub struct Sent {
    pub message: Message,
    pub effects: Effects,
}

/// Says something, as `id`. The same key again is answered with what it made, also when it could not be said any more.
pub async fn send(
    db: &mut PgConnection,
    id: Uuid,
    sender: Uuid,
    new: &NewMessage,
    now: DateTime<Utc>,
) -> Result<Sent, Error> {
    standing::lock(db, new.conversation, sender).await?;
    let standing = standing::read(db, new.conversation, sender).await?;
    // Whoever waited for the lock set out before what was said meanwhile.
    let now = standing.last_message_at.map_or(now, |last| last.max(now));
    let refused = match recipient(&standing, sender) {
        Ok(recipient) => {
            if say(db, id, sender, recipient, new, &standing, now).await? {
                let message = Message {
                    id,
                    conversation_id: new.conversation,
                    seq: standing.last_seq + 1,
                    sender: Some(sender),
                    content: new.content.to_string(),
                    sent_at: now,
                    is_read: false,
                };
                return Ok(Sent { effects: effects(&standing, id, sender, recipient), message });
            }
            Error::KeyReused
        }
        Err(refused) => refused,
    };
    match earlier(db, sender, new).await? {
        Some(message) if message.content == *new.content => Ok(Sent { message, effects: Effects::default() }),
        Some(_) => Err(Error::KeyReused),
        None => Err(refused),
    }
}

/// Whom it reaches, if it may be said.
fn recipient(standing: &Standing, sender: Uuid) -> Result<Uuid, Error> {
    let recipient = standing.other.filter(|_| !standing.other_closed).ok_or(Error::FormerMember)?;
    if standing.is_requested_by(sender) && standing.last_seq >= WAITING {
        return Err(Error::RequestWaiting);
    }
    Ok(recipient)
}

/// In whose folder it arrives.
fn folder(standing: &Standing, sender: Uuid) -> Folder {
    if standing.is_requested_by(sender) { Folder::Requests } else { Folder::Inbox }
}

/// Writes the message with all that follows from it, unless its key was used: false then.
async fn say(
    db: &mut PgConnection,
    id: Uuid,
    sender: Uuid,
    recipient: Uuid,
    new: &NewMessage,
    standing: &Standing,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let requested_by = standing.requested_by.filter(|requester| *requester == sender);
    let said = sqlx::query_scalar!(
        r#"with said as (
            insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at, idempotency_key)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (conversation_id, sender_id, idempotency_key) where idempotency_key is not null do nothing
            returning conversation_id, seq, sender_id, content, sent_at
        ),
        newest as (
            update messaging.conversations c
            set
                last_seq = said.seq,
                last_message = said.content,
                last_message_at = said.sent_at,
                requested_by = $8
            from said
            where c.id = said.conversation_id
        ),
        mine as (
            update messaging.participants p
            set
                active_at = said.sent_at,
                listed = true,
                folder = 'inbox',
                read_seq = said.seq,
                unread_count = 0
            from said
            where p.conversation_id = said.conversation_id
                and p.member_id = said.sender_id
        ),
        theirs as (
            insert into messaging.participants as p
                (conversation_id, member_id, other_member_id, active_at, folder, unread_count)
            select said.conversation_id, $9::uuid, said.sender_id, said.sent_at, $10::text, 1
            from said
            on conflict (conversation_id, member_id) do update
            set
                active_at = excluded.active_at,
                listed = true,
                unread_count = p.unread_count + 1
        )
        select exists (select from said) as "said!""#,
        id,
        new.conversation,
        standing.last_seq + 1,
        sender,
        &*new.content,
        now,
        new.key.as_deref(),
        requested_by,
        recipient,
        folder(standing, sender).name(),
    )
    .fetch_one(db)
    .await?;
    Ok(said)
}

/// Who is told of it, and what waits for whom.
fn effects(standing: &Standing, message: Uuid, sender: Uuid, recipient: Uuid) -> Effects {
    let (conversation, mine) = (standing.id, standing.mine);
    let mut effects = Effects::default();
    effects.news.push(News::Sent { conversation, message, sender, recipient });
    if mine.read_seq < standing.last_seq {
        effects.news.push(News::Read { conversation, reader: sender, other: Some(recipient) });
    }
    let answered = mine.folder == Folder::Requests;
    if answered || !mine.listed {
        effects.changed(conversation, sender);
    }
    if answered || !standing.theirs_listed {
        effects.changed(conversation, recipient);
    }
    effects.count(sender, mine.folder, mine.unread_count, 0);
    effects.count(recipient, folder(standing, sender), standing.theirs_unread, standing.theirs_unread + 1);
    effects
}

/// What a key made before.
async fn earlier(db: &mut PgConnection, sender: Uuid, new: &NewMessage) -> Result<Option<Message>, Error> {
    let Some(key) = new.key.as_deref() else { return Ok(None) };
    let message = sqlx::query_as!(
        Message,
        r#"select
            m.id, m.conversation_id, m.seq, m.sender_id as sender, m.content, m.sent_at,
            m.seq <= coalesce(o.read_seq, c.former_read_seq) as "is_read!"
        from messaging.messages m
        join messaging.conversations c on c.id = m.conversation_id
        left join messaging.participants o on o.conversation_id = m.conversation_id and o.member_id <> m.sender_id
        where m.conversation_id = $1
            and m.sender_id = $2
            and m.idempotency_key = $3"#,
        new.conversation,
        sender,
        key,
    )
    .fetch_optional(db)
    .await?;
    Ok(message)
}

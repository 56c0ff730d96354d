//! Send a message: once for each idempotency key, at any time.

mod group;

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Line, Text};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use super::{Message, messages_query};
use crate::{
    attachments::{self, Attachments, NewAttachments},
    conversations::{
        Folder, allowance,
        effects::Effects,
        group::Group,
        lines::SystemKind,
        state::{self, ConversationState},
    },
    error::Error,
    publishing::ConversationFact,
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
    /// The text; None only with attachments.
    pub content: Option<Text<MAX_LENGTH>>,
    pub attachments: Option<NewAttachments>,
    pub key: Option<Key>,
    /// A message of the conversation. It may be deleted, because a deletion can precede the arrival of an unsent reply.
    pub reply_to: Option<Uuid>,
}

impl NewMessage {
    fn text(&self) -> &str {
        self.content.as_deref().unwrap_or_default()
    }

    /// Returns whether the message was sent before. An earlier message still counts after an edit or deletion.
    fn is_sent_as(&self, message: &Message) -> bool {
        let is_same = match (&self.attachments, &message.attachments) {
            (None, None) => true,
            (Some(new), Some(sent)) => new.are_those_of(sent),
            _ => false,
        };
        message.is_deleted || (is_same && (message.content == self.text() || message.edited_at.is_some()))
    }
}

/// The result of [`insert_once`].
pub struct Sent {
    pub message: Message,
    pub effects: Effects,
    /// The first message of a request to the other member.
    is_request: bool,
}

/// Sends a message with the id `id`. A repeated key returns the earlier message, even if a new one would be refused. `scale`
/// multiplies the allowance of requests.
pub async fn send(
    work: &mut UnitOfWork<'_>,
    scale: u32,
    id: Uuid,
    sender: Uuid,
    new: &NewMessage,
) -> Result<Message, Error> {
    let Sent { message, effects, is_request } = insert_once(work, id, sender, new).await?;
    allowance::count_requests(work, sender, usize::from(is_request), scale).await?;
    effects.apply(work).await?;
    Ok(message)
}

/// Inserts a message, or finds the earlier one with its key. [`send`] applies the effects; the demo publishes no facts.
pub async fn insert_once(work: &mut UnitOfWork<'_>, id: Uuid, sender: Uuid, new: &NewMessage) -> Result<Sent, Error> {
    state::lock(work.db, new.conversation, sender).await?;
    let state = state::read(work.db, new.conversation, sender).await?;
    work.now = state.time_after(work.now);
    // The earlier message uses the uploads. The lock of the conversation makes this the only request with the key.
    if new.attachments.is_some()
        && let Some(message) = find_by_key(work.db, sender, new).await?
    {
        return repeated(new, message);
    }
    let refusal = match allowed_recipient(work.db, &state, sender, new).await? {
        Ok(recipient) => {
            let attached = match &new.attachments {
                Some(uploads) => Some(attachments::take(work, uploads, sender, id).await?),
                None => None,
            };
            let insertion = Insertion { id, sender, new, attached: attached.as_ref(), now: work.now };
            if let Some(effects) = deliver(work.db, &insertion, recipient, &state).await? {
                queue::message(work.db, new.conversation, id, sender, effects.recipients(), work.now).await?;
                let message = sent(work.db, &insertion, &state).await?;
                let is_request = state.last_seq == 0 && state.is_requested_by(sender);
                return Ok(Sent { message, effects, is_request });
            }
            Error::KeyReused
        }
        Err(refusal) => refusal,
    };
    match find_by_key(work.db, sender, new).await? {
        Some(message) => repeated(new, message),
        None => Err(refusal),
    }
}

fn repeated(new: &NewMessage, message: Message) -> Result<Sent, Error> {
    if new.is_sent_as(&message) {
        Ok(Sent { message, effects: Effects::default(), is_request: false })
    } else {
        Err(Error::KeyReused)
    }
}

/// A message to insert.
struct Insertion<'a> {
    id: Uuid,
    sender: Uuid,
    new: &'a NewMessage,
    attached: Option<&'a Attachments>,
    now: DateTime<Utc>,
}

/// Inserts the message for its recipient, or for the group. None when the key was used.
async fn deliver(
    db: &mut PgConnection,
    insertion: &Insertion<'_>,
    recipient: Recipient<'_>,
    state: &ConversationState,
) -> Result<Option<Effects>, Error> {
    match recipient {
        Recipient::Group(of) => group::insert(db, insertion, (state, of)).await,
        Recipient::Member(recipient) => {
            let is_inserted = insert(db, insertion, recipient, state).await?;
            Ok(is_inserted.then(|| effects(state, insertion.id, insertion.sender, recipient)))
        }
    }
}

/// Returns the message after its insertion.
async fn sent(
    db: &mut PgConnection,
    &Insertion { id, sender, new, attached, now }: &Insertion<'_>,
    state: &ConversationState,
) -> Result<Message, Error> {
    if new.reply_to.is_some() {
        return super::get(db, sender, id).await;
    }
    Ok(Message {
        id,
        conversation_id: new.conversation,
        seq: state.last_seq + 1,
        sender: Some(sender),
        content: new.text().to_owned(),
        sent_at: now,
        is_read: false,
        edited_at: None,
        is_deleted: false,
        reactions: Vec::new(),
        reply_to: None,
        line: None,
        read_count: 0,
        of_group: state.group.is_some(),
        attachments: attached.cloned(),
    })
}

/// The recipient of a message.
enum Recipient<'a> {
    Member(Uuid),
    Group(&'a Group),
}

/// Returns the recipient, or the refusal.
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
    let Some(of) = &state.group else { return Ok(recipient(state, sender, new).map(Recipient::Member)) };
    // Strangers do not send files.
    if new.attachments.is_some() && of.is_unanswered() {
        return Ok(Err(Error::AttachmentsRefused));
    }
    match group::require_answer(db, state.id, of, sender).await {
        Ok(()) => Ok(Ok(Recipient::Group(of))),
        Err(refusal @ Error::RequestWaiting) => Ok(Err(refusal)),
        Err(error) => Err(error),
    }
}

/// Returns whether the member sees the message and it is not a system line.
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

/// Returns the recipient, if the sender may write.
fn recipient(state: &ConversationState, sender: Uuid, new: &NewMessage) -> Result<Uuid, Error> {
    let recipient = state.other.filter(|_| !state.other_closed).ok_or(Error::FormerMember)?;
    if state.refused {
        return Err(Error::MessagesClosed);
    }
    if state.is_requested_by(sender) && state.last_seq >= MAX_REQUEST_MESSAGES {
        return Err(Error::RequestWaiting);
    }
    // Strangers do not send files.
    if state.is_requested_by(sender) && new.attachments.is_some() {
        return Err(Error::AttachmentsRefused);
    }
    Ok(recipient)
}

/// Returns the folder for the recipient.
fn recipient_folder(state: &ConversationState, sender: Uuid) -> Folder {
    if state.is_requested_by(sender) { Folder::Requests } else { Folder::Inbox }
}

/// Inserts the message and updates the conversation and both participants. False when the key was used.
async fn insert(
    db: &mut PgConnection,
    &Insertion { id, sender, new, attached, now }: &Insertion<'_>,
    recipient: Uuid,
    state: &ConversationState,
) -> Result<bool, Error> {
    let requested_by = state.requested_by.filter(|requester| *requester == sender);
    let inserted = sqlx::query_scalar!(
        r#"with inserted as (
            insert into messaging.messages
                (id, conversation_id, seq, sender_id, content, sent_at, idempotency_key, reply_to_id, audience, attachments)
            values ($1, $2, $3, $4, $5, $6, $7, $11, array[$4::uuid, $9::uuid], $12)
            on conflict (conversation_id, sender_id, idempotency_key) where idempotency_key is not null do nothing
            returning conversation_id, seq, sender_id, content, sent_at, attachments
        ),
        conversation as (
            update messaging.conversations c
            set
                last_seq = inserted.seq,
                last_message = inserted.content,
                last_attachments = inserted.attachments,
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
        new.text(),
        now,
        new.key.as_deref(),
        requested_by,
        recipient,
        recipient_folder(state, sender).as_str(),
        new.reply_to,
        attached.map(Json) as _,
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

/// Returns the earlier message with the same key.
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

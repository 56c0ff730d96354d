//! A message to a group: one statement for all participants, serialised by the lock of the conversation.

use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use super::{Insertion, MAX_REQUEST_MESSAGES};
use crate::{
    conversations::{
        Folder, acceptance,
        effects::Effects,
        group::{self, Group},
        state::ConversationState,
    },
    error::Error,
    publishing::ConversationFact,
};

/// Refuses more messages to a group that no other member has accepted.
pub async fn require_answer(db: &mut PgConnection, id: Uuid, group: &Group, sender: Uuid) -> Result<(), Error> {
    if !group.is_unanswered() {
        return Ok(());
    }
    let sent = sqlx::query_scalar!(
        r#"select count(*) as "count!"
        from (
            select
            from messaging.messages
            where conversation_id = $1
                and sender_id = $2
                and system_kind is null
            limit $3
        ) sent"#,
        id,
        sender,
        MAX_REQUEST_MESSAGES,
    );
    if sent.fetch_one(db).await? >= MAX_REQUEST_MESSAGES { Err(Error::RequestWaiting) } else { Ok(()) }
}

/// Inserts the message and updates the conversation and all participants. Members get no unread message if a block
/// separates them from the sender, or if they have not accepted the group and received five. Returns None when the key
/// was used.
pub async fn insert(
    db: &mut PgConnection,
    &Insertion { id, sender, new, attached, now }: &Insertion<'_>,
    (state, group): (&ConversationState, &Group),
) -> Result<Option<Effects>, Error> {
    let recipients = group.recipients();
    let audience = [sender].into_iter().chain(group.receivers().map(|other| other.member));
    let audience: Vec<Uuid> = audience.collect();
    let rows = sqlx::query!(
        r#"with inserted as (
            insert into messaging.messages
                (id, conversation_id, seq, sender_id, content, sent_at, idempotency_key, reply_to_id, audience, attachments)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9::uuid[], $11)
            on conflict (conversation_id, sender_id, idempotency_key) where idempotency_key is not null do nothing
            returning conversation_id, seq, sender_id, content, sent_at
        ),
        conversation as (
            update messaging.conversations c
            set
                last_seq = inserted.seq,
                last_message = inserted.content,
                last_message_at = inserted.sent_at
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
        recipient_rows as (
            update messaging.participants p
            set
                active_at = inserted.sent_at,
                listed = true,
                unread_count = p.unread_count + 1
            from inserted
            where p.conversation_id = inserted.conversation_id
                and p.member_id = any ($10::uuid[])
            returning p.member_id, p.folder, p.muted, p.unread_count
        )
        select
            exists (select from inserted) as "inserted!", r.member_id as "member_id?", r.folder as "folder?: Folder",
            r.muted as "muted?", r.unread_count as "unread_count?"
        from (select) one
        left join recipient_rows r on true"#,
        id,
        new.conversation,
        state.last_seq + 1,
        sender,
        new.text(),
        now,
        new.key.as_deref(),
        new.reply_to,
        &audience,
        &recipients,
        attached.map(Json) as _,
    );
    let rows = rows.fetch_all(&mut *db).await?;
    if !rows.iter().all(|row| row.inserted) {
        return Ok(None);
    }
    acceptance::end_full_requests(db, state.id, group, state.last_seq + 1).await?;
    let (conversation, own) = (state.id, state.own);
    let mut effects = Effects::default();
    effects.facts.push(ConversationFact::MessageSent { conversation, message: id, sender, recipients });
    if own.read_seq < state.last_seq {
        let others = group::list_readers(db, conversation, group, (own.read_seq, state.last_seq)).await?;
        effects.facts.push(ConversationFact::Read { conversation, reader: sender, others });
    }
    if own.folder == Folder::Requests || !own.listed {
        effects.add_changed(conversation, sender);
    }
    if own.folder == Folder::Requests {
        acceptance::show_hidden(db, conversation, sender).await?;
    }
    let relisted = group.others.iter().filter(|other| !other.listed && effects.recipients().contains(&other.member));
    effects.add_group_changed(conversation, relisted.map(|other| other.member).collect());
    effects.add_unread(sender, own.folder, own.muted, own.unread_count, 0);
    for row in rows {
        if let (Some(member), Some(folder), Some(unread)) = (row.member_id, row.folder, row.unread_count) {
            effects.add_unread(member, folder, row.muted.unwrap_or_default(), unread - 1, unread);
        }
    }
    Ok(Some(effects))
}

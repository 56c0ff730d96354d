//! The demo conversations, written in `demo/conversations.txt`, and a group.

mod group;
mod script;

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use outbox::{Changes, Outbox};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use uuid::Uuid;

use crate::conversations::{Folder, effects::Effects, state};
use script::DemoConversation;

/// The number of attempts to load the demo. Meanwhile the facts of its connections open the same conversations in
/// another order, and Postgres ends one of two deadlocked transactions.
const ATTEMPTS: usize = 5;

/// Inserts the demo conversations once. Publishes no facts: members are not notified of messages before their first
/// sign-in.
///
/// # Errors
/// When the database is unavailable.
pub async fn load(context: &ServiceContext) -> anyhow::Result<()> {
    let mut connection = context.database.clone().context("messaging has no database")?.connect().await?;
    let conversations = script::read()?;
    let mut attempt = 1;
    while let Err(error) = insert_all(&mut connection, context, &conversations).await {
        if attempt == ATTEMPTS || !is_deadlock(&error) {
            return Err(error);
        }
        attempt += 1;
    }
    connection.close().await?;
    Ok(())
}

async fn insert_all(
    connection: &mut PgConnection,
    context: &ServiceContext,
    conversations: &[DemoConversation],
) -> anyhow::Result<()> {
    let mut tx = connection.begin().await?;
    let mut effects = Effects::default();
    for conversation in conversations {
        insert(&mut tx, context, conversation, &mut effects).await?;
    }
    effects.unread.apply(&mut tx).await?;
    group::insert(&mut Changes::new(context, &Outbox::new("messaging")).work(&mut tx)).await?;
    tx.commit().await?;
    Ok(())
}

/// Returns whether the error, or an error in its chain, is a deadlock.
fn is_deadlock(error: &anyhow::Error) -> bool {
    let statement = error.chain().find_map(|cause| cause.downcast_ref::<sqlx::Error>());
    statement.and_then(sqlx::Error::as_database_error).is_some_and(|error| error.code().as_deref() == Some("40P01"))
}

/// Returns the id of a demo member, which is the same in every service.
fn member(number: usize) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | (number << 10) as u128 | number as u128)
}

/// Computes the time of each message from the age of the last one: mostly minutes apart, sometimes a night.
fn times(now: DateTime<Utc>, conversation: &DemoConversation) -> Vec<DateTime<Utc>> {
    let mut at = now - conversation.age;
    let mut times: Vec<DateTime<Utc>> = conversation
        .messages
        .iter()
        .rev()
        .map(|(_, content)| {
            let (sent_at, length) = (at, i64::try_from(content.len()).unwrap_or_default());
            let pause = TimeDelta::seconds(20 + length * 3);
            at -= if length % 5 == 0 { pause + TimeDelta::hours(7) } else { pause };
            sent_at
        })
        .collect();
    times.reverse();
    times
}

/// Inserts one conversation. The fact of the connection, which opens the conversation, may be applied before or later.
/// A conversation with messages stays unchanged.
async fn insert(
    db: &mut PgConnection,
    context: &ServiceContext,
    conversation: &DemoConversation,
    effects: &mut Effects,
) -> anyhow::Result<()> {
    let [one, other] = conversation.members.map(member);
    let times = times(context.clock.now(), conversation);
    let (first_at, last_at) =
        times.first().copied().zip(times.last().copied()).context("a conversation has no messages")?;
    sqlx::query!(
        "insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at)
        values ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $4)
        on conflict (lower_member_id, upper_member_id) do nothing",
        context.ids.new_owner(),
        one,
        other,
        first_at,
    )
    .execute(&mut *db)
    .await?;
    let id = state::lock_pair(db, one, other).await?.context("the conversation is missing")?;
    let count = i64::try_from(conversation.messages.len())?;
    let updated = sqlx::query!(
        "update messaging.conversations
        set
            last_seq = $2,
            last_message = $3,
            last_message_at = $4,
            requested_by = $5
        where id = $1
            and last_seq = 0",
        id,
        count,
        conversation.messages.last().map(|(_, content)| content),
        last_at,
        conversation.request.then_some(one),
    )
    .execute(&mut *db)
    .await?;
    if updated.rows_affected() == 1 {
        insert_messages(db, context, id, conversation, &times).await?;
        insert_participants(db, id, conversation, last_at, effects).await?;
    }
    Ok(())
}

async fn insert_messages(
    db: &mut PgConnection,
    context: &ServiceContext,
    id: Uuid,
    conversation: &DemoConversation,
    times: &[DateTime<Utc>],
) -> Result<(), sqlx::Error> {
    let messages = &conversation.messages;
    let ids: Vec<Uuid> = messages.iter().map(|_| context.ids.owned_by(id)).collect();
    let senders: Vec<Uuid> = messages.iter().map(|(sender, _)| member(*sender)).collect();
    let contents: Vec<String> = messages.iter().map(|(_, content)| content.clone()).collect();
    sqlx::query!(
        "insert into messaging.messages (id, conversation_id, seq, sender_id, content, sent_at, audience)
        select message.id, $1, message.seq, message.sender_id, message.content, message.sent_at, $6::uuid[]
        from unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[])
            with ordinality as message (id, sender_id, content, sent_at, seq)",
        id,
        &ids,
        &senders,
        &contents,
        times,
        &conversation.members.map(member)[..],
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Inserts the participants. The recipient of the last message has unread messages, the sender none.
async fn insert_participants(
    db: &mut PgConnection,
    id: Uuid,
    conversation: &DemoConversation,
    last_at: DateTime<Utc>,
    effects: &mut Effects,
) -> anyhow::Result<()> {
    let [one, other] = conversation.members;
    let last = conversation.messages.last().map(|(sender, _)| *sender);
    for (own, partner) in [(one, other), (other, one)] {
        let unread = if last == Some(own) { 0 } else { conversation.unread };
        let folder = if conversation.request && own == other { Folder::Requests } else { Folder::Inbox };
        sqlx::query!(
            "insert into messaging.participants
                (conversation_id, member_id, other_member_id, active_at, folder, read_seq, unread_count)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (conversation_id, member_id) do update
            set
                active_at = excluded.active_at,
                read_seq = excluded.read_seq,
                unread_count = excluded.unread_count",
            id,
            member(own),
            member(partner),
            last_at,
            folder.as_str(),
            i64::try_from(conversation.messages.len() - unread)?,
            i32::try_from(unread)?,
        )
        .execute(&mut *db)
        .await?;
        effects.add_unread(member(own), folder, false, 0, i32::try_from(unread)?);
    }
    Ok(())
}

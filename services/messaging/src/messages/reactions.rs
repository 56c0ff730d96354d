//! Reactions to messages: a member has each kind at most once on a message.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::change::MessageRef;
use crate::{
    batches::BATCH,
    conversations::{effects::Effects, state},
    error::Error,
};

/// A kind of reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReactionKind {
    Like,
    Love,
    Laugh,
    Wow,
    Sad,
    Thanks,
}

impl ReactionKind {
    /// All kinds, in the order of the proto enum.
    pub const ALL: [Self; 6] = [Self::Like, Self::Love, Self::Laugh, Self::Wow, Self::Sad, Self::Thanks];

    /// Returns the value in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Like => "like",
            Self::Love => "love",
            Self::Laugh => "laugh",
            Self::Wow => "wow",
            Self::Sad => "sad",
            Self::Thanks => "thanks",
        }
    }
}

/// Parses the column `reactions` of the statements that select messages.
pub fn parse(reactions: Option<&[String]>) -> Vec<(ReactionKind, Uuid)> {
    let parse = |reaction: &String| {
        let (kind, member) = reaction.split_once(' ')?;
        let kind = ReactionKind::ALL.into_iter().find(|known| known.as_str() == kind)?;
        Some((kind, member.parse().ok()?))
    };
    reactions.unwrap_or_default().iter().filter_map(parse).collect()
}

/// Sets a reaction of the member, or removes it.
pub async fn react(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    message: MessageRef,
    kind: ReactionKind,
    on: bool,
) -> Result<(), Error> {
    set(work, member, message, kind, on).await?.apply(work).await
}

/// Changes the rows of a reaction. [`react`] applies the effects; the demo publishes no facts.
pub async fn set(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    message: MessageRef,
    kind: ReactionKind,
    on: bool,
) -> Result<Effects, Error> {
    state::lock(work.db, message.conversation, member).await?;
    let state = state::read(work.db, message.conversation, member).await?;
    require_visible(work.db, member, message).await?;
    let is_changed = if on {
        insert(work, member, message.id, kind).await?
    } else {
        delete(work.db, member, message.id, kind).await?
    };
    let mut effects = Effects::default();
    if is_changed {
        effects.facts.push(message.changed(member, state.others()));
    }
    Ok(effects)
}

/// Refuses deleted messages and system lines, which have no reactions, and in a group messages of blocked members,
/// which are hidden.
async fn require_visible(db: &mut PgConnection, member: Uuid, message: MessageRef) -> Result<(), Error> {
    let found = sqlx::query_scalar!(
        "select m.id
        from messaging.messages m
        join messaging.participants p on p.conversation_id = m.conversation_id and p.member_id = $2
        where m.id = $3
            and m.conversation_id = $1
            and m.deleted_at is null
            and m.system_kind is null
            and m.seq > p.cleared_seq
            and ($2 = any (m.audience) or (m.sender_id is not null and p.folder = 'inbox'))
            and not exists (
                select
                from messaging.blocks b
                where (b.blocker_id = $2 and b.blocked_id = m.sender_id)
                    or (b.blocker_id = m.sender_id and b.blocked_id = $2)
            )",
        message.conversation,
        member,
        message.id,
    );
    found.fetch_optional(db).await?.map(drop).ok_or(Error::MessageNotFound)
}

async fn insert(work: &mut UnitOfWork<'_>, member: Uuid, message: Uuid, kind: ReactionKind) -> Result<bool, Error> {
    let inserted = sqlx::query!(
        "with inserted as (
            insert into messaging.message_reactions (message_id, member_id, kind, reacted_at)
            values ($1, $2, $3, $4)
            on conflict (message_id, member_id, kind) do nothing
            returning message_id
        )
        update messaging.messages m
        set reaction_count = m.reaction_count + 1
        from inserted
        where m.id = inserted.message_id",
        message,
        member,
        kind.as_str(),
        work.now,
    );
    Ok(inserted.execute(&mut *work.db).await?.rows_affected() == 1)
}

async fn delete(db: &mut PgConnection, member: Uuid, message: Uuid, kind: ReactionKind) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "with deleted as (
            delete from messaging.message_reactions
            where message_id = $1
                and member_id = $2
                and kind = $3
            returning message_id
        )
        update messaging.messages m
        set reaction_count = m.reaction_count - 1
        from deleted
        where m.id = deleted.message_id",
        message,
        member,
        kind.as_str(),
    );
    Ok(deleted.execute(db).await?.rows_affected() == 1)
}

/// Deletes a batch of the reactions of an erased member. False when there are none.
pub async fn erase_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let erased = sqlx::query!(
        "with deleted as (
            delete from messaging.message_reactions r
            using (
                select message_id, kind
                from messaging.message_reactions
                where member_id = $1
                order by message_id
                limit $2
            ) as batch
            where r.message_id = batch.message_id
                and r.member_id = $1
                and r.kind = batch.kind
            returning r.message_id
        )
        update messaging.messages m
        set reaction_count = m.reaction_count - deleted.n
        from (select message_id, count(*)::integer as n from deleted group by message_id) deleted
        where m.id = deleted.message_id",
        member,
        BATCH,
    );
    Ok(erased.execute(db).await?.rows_affected() > 0)
}

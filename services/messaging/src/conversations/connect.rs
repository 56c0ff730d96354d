//! The conversations of connected members.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet, btree_map::Entry};

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Folder, effects::Effects, state};
use crate::error::Error;

/// Two members who connected.
#[derive(Clone, Copy, Debug)]
pub struct Connected {
    pub requester: Uuid,
    pub recipient: Uuid,
    /// The id of their conversation, if they have none.
    pub new_id: Uuid,
    /// Orders a new conversation in the lists of both.
    pub at: DateTime<Utc>,
}

/// The smaller id comes first, as in a conversation.
pub type Pair = (Uuid, Uuid);

impl Connected {
    pub fn pair(&self) -> Pair {
        (self.requester.min(self.recipient), self.requester.max(self.recipient))
    }
}

/// Gives each pair of connected members a conversation in both inboxes, a new or the existing one. A conversation that
/// a member cleared stays unlisted. The first of repeated pairs counts. Takes no lock on the conversations of known
/// connections: a snapshot is one long transaction with every connection, and the members continue to write meanwhile.
/// [`publish_connected`] publishes the change, because a snapshot publishes none.
pub async fn connect_all(db: &mut PgConnection, connected: &[Connected]) -> Result<(), Error> {
    let mut effects = Effects::default();
    let existing = open_missing(db, connected).await?;
    let locked = state::lock_pairs(db, &existing.iter().map(Connected::pair).collect::<Vec<_>>()).await?;
    let known = existing.iter().filter_map(|one| Some((*locked.get(&one.pair())?, one)));
    for participant in move_to_inboxes(db, known.collect()).await? {
        let (member, unread, muted) = (participant.member_id, participant.unread_count, participant.muted);
        effects.add_unread(member, Folder::Requests, muted, unread, 0);
        effects.add_unread(member, Folder::Inbox, muted, 0, unread);
    }
    effects.unread.apply(db).await
}

/// Inserts conversations for the pairs without one. Returns the pairs whose conversation is a request or was inserted
/// concurrently.
async fn open_missing(db: &mut PgConnection, connected: &[Connected]) -> Result<Vec<Connected>, Error> {
    let mut pairs = BTreeMap::new();
    for one in connected {
        if let Entry::Vacant(first) = pairs.entry(one.pair()) {
            first.insert(*one);
        }
    }
    let ids: Vec<Uuid> = pairs.values().map(|one| one.new_id).collect();
    let (lower, upper): (Vec<Uuid>, Vec<Uuid>) = pairs.keys().copied().unzip();
    let times: Vec<DateTime<Utc>> = pairs.values().map(|one| one.at).collect();
    // Subqueries for the lists, as in notifications/notifier/causes.rs.
    let existing = sqlx::query!(
        r#"with missing as materialized (
            select p.*
            from unnest(
                (select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::timestamptz[])
            ) as p (id, lower_id, upper_id, at)
            where not exists (
                select
                from messaging.conversations c
                where c.lower_member_id = p.lower_id
                    and c.upper_member_id = p.upper_id
                    and c.requested_by is null
                    and 2 = (
                        select count(*)
                        from messaging.participants s
                        where s.conversation_id = c.id
                            and s.folder = 'inbox'
                    )
            )
        ),
        opened as (
            insert into messaging.conversations (id, lower_member_id, upper_member_id, opened_at)
            select id, lower_id, upper_id, at
            from missing
            order by lower_id, upper_id
            on conflict (lower_member_id, upper_member_id) do nothing
            returning id
        ),
        joined as (
            insert into messaging.participants (conversation_id, member_id, other_member_id, active_at)
            select m.id, side.member_id, side.other_id, m.at
            from opened o
            join missing m on m.id = o.id
            cross join lateral (
                values (m.lower_id, m.upper_id), (m.upper_id, m.lower_id)
            ) as side (member_id, other_id)
        )
        select m.id as "id!"
        from missing m
        where not exists (select from opened o where o.id = m.id)"#,
        &ids,
        &lower,
        &upper,
        &times,
    );
    let existing: HashSet<Uuid> = existing.fetch_all(db).await?.into_iter().map(|row| row.id).collect();
    Ok(pairs.into_values().filter(|one| existing.contains(&one.new_id)).collect())
}

/// A participant whose request is accepted.
struct Moved {
    member_id: Uuid,
    unread_count: i32,
    muted: bool,
}

/// Accepts requests. The conversations are locked.
async fn move_to_inboxes(db: &mut PgConnection, known: Vec<(Uuid, &Connected)>) -> Result<Vec<Moved>, Error> {
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let (ids, connected): (Vec<Uuid>, Vec<&Connected>) = known.into_iter().unzip();
    let requesters: Vec<Uuid> = connected.iter().map(|one| one.requester).collect();
    let recipients: Vec<Uuid> = connected.iter().map(|one| one.recipient).collect();
    let times: Vec<DateTime<Utc>> = connected.iter().map(|one| one.at).collect();
    let moved = sqlx::query_as!(
        Moved,
        "with known as materialized (
            select k.*
            from unnest(
                (select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::timestamptz[])
            ) as k (id, requester_id, recipient_id, at)
        ),
        accepted as (
            update messaging.conversations c
            set requested_by = null
            from known k
            where c.id = k.id
                and c.requested_by is not null
        ),
        joined as (
            insert into messaging.participants (conversation_id, member_id, other_member_id, active_at)
            select k.id, side.member_id, side.other_id, k.at
            from known k
            cross join lateral (
                values (k.requester_id, k.recipient_id), (k.recipient_id, k.requester_id)
            ) as side (member_id, other_id)
            on conflict (conversation_id, member_id) do nothing
        )
        update messaging.participants p
        set folder = 'inbox'
        from known k
        where p.conversation_id = k.id
            and p.folder = 'requests'
        returning p.member_id, p.unread_count, p.muted",
        &ids,
        &requesters,
        &recipients,
        &times,
    );
    Ok(moved.fetch_all(db).await?)
}

/// Publishes the facts of new connections: the conversation changed for both members.
pub async fn publish_connected(work: &mut UnitOfWork<'_>, connected: &[Connected]) -> Result<(), Error> {
    let locked = state::lock_pairs(work.db, &connected.iter().map(Connected::pair).collect::<Vec<_>>()).await?;
    let mut effects = Effects::default();
    for one in connected {
        if let Some(id) = locked.get(&one.pair()) {
            effects.add_changed(*id, one.requester);
            effects.add_changed(*id, one.recipient);
        }
    }
    effects.apply(work).await
}

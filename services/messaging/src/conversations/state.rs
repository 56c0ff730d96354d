//! The state of a conversation, read under its lock.
//!
//! Every transaction locks the row of the conversation first, then its participants, and last the totals
//! (`crate::unread`), so that no two transactions deadlock. A separate statement after the lock reads other rows that
//! decide a transition: a statement that waited for a lock sees other rows as they were before the wait.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Folder,
    group::{self, Group},
};
use crate::error::Error;

/// The state of a conversation for one participant.
#[derive(Debug)]
pub struct ConversationState {
    pub id: Uuid,
    /// The number of the newest message.
    pub last_seq: i64,
    pub last_message_at: Option<DateTime<Utc>>,
    /// The sender of a request that is not accepted.
    pub requested_by: Option<Uuid>,
    /// None in a group, and after that account is erased.
    pub other: Option<Uuid>,
    pub other_closed: bool,
    pub group: Option<Group>,
    pub own: Participant,
    /// Whether the other participant has the conversation in a folder, and their unread count.
    pub other_listed: bool,
    pub other_unread: i32,
    pub other_muted: bool,
    /// Both members show read marks to each other. False in a request, whose sender must not learn that it was opened.
    pub receipts: bool,
    /// The settings of the other participant refuse messages of this member, in a request that is not accepted or
    /// before the other participant wrote.
    pub refused: bool,
}

/// The row of a participant.
#[derive(Clone, Copy, Debug)]
pub struct Participant {
    pub folder: Folder,
    pub listed: bool,
    pub unread_count: i32,
    pub read_seq: i64,
    pub muted: bool,
}

impl ConversationState {
    /// Returns the time of a new message: `now`, or the time of the newest message if it is later. Another message may have been
    /// inserted while this one waited for the lock, and times increase with the numbers.
    pub fn time_after(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        self.last_message_at.map_or(now, |last| last.max(now))
    }

    /// Returns whether the conversation is a request of the member.
    pub fn is_requested_by(&self, member: Uuid) -> bool {
        self.requested_by == Some(member)
    }

    /// Returns the other participants, except members that a block separates from the member.
    pub fn others(&self) -> Vec<Uuid> {
        self.group.as_ref().map_or_else(|| self.other.into_iter().collect(), Group::visible_others)
    }

    /// Returns the other participants who see that the mark of the member moved to the message `seq`.
    pub async fn readers(&self, db: &mut PgConnection, seq: i64) -> Result<Vec<Uuid>, Error> {
        match &self.group {
            // As above.
            Some(_) if self.own.folder == Folder::Requests => Ok(Vec::new()),
            Some(group) => group::list_readers(db, self.id, group, (self.own.read_seq, seq)).await,
            None => Ok(self.other.filter(|_| self.receipts).into_iter().collect()),
        }
    }
}

/// Locks the conversation of a participant.
pub async fn lock(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<(), Error> {
    let locked = sqlx::query_scalar!(
        "select c.id
        from messaging.conversations c
        where c.id = $1
            and (
                $2 in (c.lower_member_id, c.upper_member_id)
                or (
                    c.is_group
                    and exists (
                        select
                        from messaging.participants p
                        where p.conversation_id = c.id
                            and p.member_id = $2
                    )
                )
            )
        for no key update",
        id,
        member,
    )
    .fetch_optional(db)
    .await?;
    locked.map(drop).ok_or(Error::ConversationNotFound)
}

/// Locks the conversation of two members, and returns its id. None when they have no conversation.
pub async fn lock_pair(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<Option<Uuid>, Error> {
    let locked = sqlx::query_scalar!(
        "select c.id
        from messaging.conversations c
        where c.lower_member_id = $1
            and c.upper_member_id = $2
        for no key update",
        one.min(other),
        one.max(other),
    );
    Ok(locked.fetch_optional(db).await?)
}

/// Locks the conversations of pairs of members, in the order of their ids, and returns them by pair: the smaller id comes first.
pub async fn lock_pairs(db: &mut PgConnection, pairs: &[(Uuid, Uuid)]) -> Result<HashMap<(Uuid, Uuid), Uuid>, Error> {
    if pairs.is_empty() {
        return Ok(HashMap::new());
    }
    let (lower, upper): (Vec<Uuid>, Vec<Uuid>) = pairs.iter().copied().unzip();
    let locked = sqlx::query!(
        r#"select c.id, c.lower_member_id as "lower!", c.upper_member_id as "upper!"
        from unnest((select $1::uuid[]), (select $2::uuid[])) as p (lower_id, upper_id)
        join messaging.conversations c on c.lower_member_id = p.lower_id and c.upper_member_id = p.upper_id
        order by c.id
        for no key update of c"#,
        &lower,
        &upper,
    );
    Ok(locked.fetch_all(db).await?.into_iter().map(|row| ((row.lower, row.upper), row.id)).collect())
}

/// The conversations that two members share.
pub struct SharedConversations {
    pub pair: Option<Uuid>,
    pub groups: Vec<Uuid>,
}

/// Locks all conversations that two members share, in the order of their ids. Includes groups that one of them left
/// while the other has unread messages of theirs, because a block hides these too.
pub async fn lock_shared(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<SharedConversations, Error> {
    let locked = sqlx::query!(
        "select c.id, c.is_group
        from messaging.conversations c
        where c.id = any (array(
            select pair.id
            from messaging.conversations pair
            where pair.lower_member_id = least($1::uuid, $2::uuid)
                and pair.upper_member_id = greatest($1::uuid, $2::uuid)
            union all
            select p.conversation_id
            from messaging.participants p
            join messaging.participants o on o.conversation_id = p.conversation_id and o.member_id = $2
            where p.member_id = $1
                and p.other_member_id is null
            union all
            select p.conversation_id
            from messaging.participants p
            join messaging.conversations g on g.id = p.conversation_id and g.is_group
            where p.other_member_id is null
                and p.member_id in ($1, $2)
                and exists (
                    select
                    from messaging.messages m
                    where m.conversation_id = p.conversation_id
                        and m.seq > greatest(p.read_seq, p.cleared_seq)
                        and m.sender_id = case p.member_id when $1 then $2 else $1 end
                )
        ))
        order by c.id
        for no key update",
        one,
        other,
    );
    let locked = locked.fetch_all(db).await?;
    let pair = locked.iter().find(|conversation| !conversation.is_group).map(|conversation| conversation.id);
    let groups =
        locked.iter().filter(|conversation| conversation.is_group).map(|conversation| conversation.id).collect();
    Ok(SharedConversations { pair, groups })
}

/// Reads the state. The caller holds the lock.
pub async fn read(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<ConversationState, Error> {
    let row = sqlx::query!(
        r#"select
            c.last_seq, c.last_message_at, c.requested_by, c.is_group, c.owner_id, p.other_member_id, p.folder as "folder: Folder", p.listed,
            p.unread_count, p.read_seq, p.muted, coalesce(o.listed, false) as "other_listed!",
            coalesce(o.unread_count, 0) as "other_unread!", coalesce(o.muted, false) as "other_muted!",
            exists (select from messaging.closed_members g where g.member_id = p.other_member_id) as "other_closed!",
            c.requested_by is null
                and not exists (
                    select
                    from messaging.privacy_settings s
                    where s.member_id in ($2, p.other_member_id)
                        and not s.read_receipts
                ) as "receipts!",
            coalesce(
                (
                    select case s.message_audience
                        when 'connections' then c.requested_by = p.member_id
                        when 'replies_only' then not exists (
                            select
                            from messaging.messages m
                            where m.conversation_id = c.id
                                and m.sender_id = s.member_id
                        )
                    end
                    from messaging.privacy_settings s
                    where s.member_id = p.other_member_id
                ),
                false
            ) as "refused!"
        from messaging.conversations c
        join messaging.participants p on p.conversation_id = c.id
        left join messaging.participants o on o.conversation_id = c.id and o.member_id = p.other_member_id
        where c.id = $1
            and p.member_id = $2
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = p.member_id
                    and b.blocked_id = p.other_member_id
            )
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = p.other_member_id
                    and b.blocked_id = p.member_id
            )"#,
        id,
        member,
    )
    .fetch_optional(&mut *db)
    .await?;
    let row = row.ok_or(Error::ConversationNotFound)?;
    let group = if row.is_group {
        Some(Group { owner: row.owner_id, others: group::list_others(db, id, member).await? })
    } else {
        None
    };
    let (folder, listed, muted) = (row.folder, row.listed, row.muted);
    Ok(ConversationState {
        id,
        last_seq: row.last_seq,
        last_message_at: row.last_message_at,
        requested_by: row.requested_by,
        other: row.other_member_id,
        other_closed: row.other_closed,
        group,
        own: Participant { folder, listed, unread_count: row.unread_count, read_seq: row.read_seq, muted },
        other_listed: row.other_listed,
        other_unread: row.other_unread,
        other_muted: row.other_muted,
        receipts: row.receipts,
        refused: row.refused,
    })
}

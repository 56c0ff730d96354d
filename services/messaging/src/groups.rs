//! Conversations of groups: their members, one of them the owner.
//!
//! A group is a conversation without a pair of members. Messages of a member that the viewer blocks, or that blocks the viewer,
//! are hidden while the block exists: they are not listed, found or counted. A change of the group is a message without
//! a text, a system line.
//!
//! A message is visible to its audience, the members who received it. One that has a sender is visible to every member who
//! accepted the group: until then a member receives five messages and does not see the title, which a stranger may have written.

pub mod accept;
pub mod blocks;
pub mod create;
pub mod departures;
pub mod erase;
pub mod invite;
pub mod leave;
pub mod lines;
pub mod update;

use primitives::input::Line;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{conversations::Folder, error::Error};

/// The maximum number of members, with the owner.
pub const MAX_MEMBERS: usize = 50;
/// The minimum number of other members of a new group.
pub const MIN_OTHERS: usize = 2;

/// The title of a group.
pub type Title = Line<100>;

/// A group, as one of its members sees it under the lock of the conversation.
#[derive(Debug)]
pub struct Group {
    pub owner: Option<Uuid>,
    pub others: Vec<OtherMember>,
}

/// Another member of the group.
#[derive(Debug)]
pub struct OtherMember {
    pub member: Uuid,
    pub folder: Folder,
    pub listed: bool,
    /// Has not accepted the group, and received the maximum number of messages.
    pub full: bool,
    /// A block separates the two, in either direction.
    pub separated: bool,
    /// Both show read marks to each other.
    pub receipts: bool,
}

impl Group {
    /// The other members, with those that a block separates.
    pub fn all_others(&self) -> impl Iterator<Item = Uuid> {
        self.others.iter().map(|other| other.member)
    }

    pub fn visible_others(&self) -> Vec<Uuid> {
        self.others.iter().filter(|other| !other.separated).map(|other| other.member).collect()
    }

    /// The other members who receive a message, with those that a block separates.
    pub fn receivers(&self) -> impl Iterator<Item = &OtherMember> {
        self.others.iter().filter(|other| !other.full)
    }

    /// The other members who receive a message and see it.
    pub fn recipients(&self) -> Vec<Uuid> {
        self.receivers().filter(|other| !other.separated).map(|other| other.member).collect()
    }

    /// The members who see the read marks of the member.
    pub fn readers(&self) -> Vec<Uuid> {
        let readers = self.others.iter().filter(|other| other.receipts && !other.separated);
        readers.map(|other| other.member).collect()
    }

    /// No other member has accepted the group.
    pub fn is_unanswered(&self) -> bool {
        !self.others.is_empty() && self.others.iter().all(|other| other.folder == Folder::Requests)
    }

    pub fn require_owner(&self, member: Uuid) -> Result<(), Error> {
        if self.owner == Some(member) { Ok(()) } else { Err(Error::NotGroupOwner) }
    }
}

/// The authors of the messages of a group after the number `from` up to `to`, who see the read mark of the member. Other members
/// see no change: with them, each message would cause as many events as the square of the members.
pub async fn list_readers(
    db: &mut PgConnection,
    id: Uuid,
    group: &Group,
    (from, to): (i64, i64),
) -> Result<Vec<Uuid>, Error> {
    let readers = sqlx::query_scalar!(
        r#"select r.id as "id!"
        from unnest($2::uuid[]) as r (id)
        where exists (
            select
            from messaging.messages m
            where m.conversation_id = $1
                and m.seq > $3
                and m.seq <= $4
                and m.sender_id = r.id
        )
        order by r.id"#,
        id,
        &group.readers(),
        from,
        to,
    );
    Ok(readers.fetch_all(db).await?)
}

/// A member of a group in the list of its members.
pub struct Member {
    pub id: Uuid,
    pub is_owner: bool,
}

/// The other members of a group, in the order of their ids.
pub async fn list_others(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Vec<OtherMember>, Error> {
    let others = sqlx::query_as!(
        OtherMember,
        r#"select
            o.member_id as member, o.folder as "folder: Folder", o.listed,
            o.folder = 'requests' and o.received_seq is not null as "full!",
            exists (
                select
                from messaging.blocks b
                where (b.blocker_id = $2 and b.blocked_id = o.member_id)
                    or (b.blocker_id = o.member_id and b.blocked_id = $2)
            ) as "separated!",
            not exists (
                select
                from messaging.privacy_settings s
                where s.member_id in ($2, o.member_id)
                    and not s.read_receipts
            ) as "receipts!"
        from messaging.participants o
        where o.conversation_id = $1
            and o.member_id <> $2
        order by o.member_id"#,
        id,
        member,
    );
    Ok(others.fetch_all(db).await?)
}

/// The members of a group of the member, the longest one first. All of them, also those that a block separates: each member
/// knows who receives the messages.
pub async fn list_members(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Vec<Member>, Error> {
    let members = sqlx::query_as!(
        Member,
        r#"select o.member_id as id, coalesce(o.member_id = c.owner_id, false) as "is_owner!"
        from messaging.conversations c
        join messaging.participants p on p.conversation_id = c.id and p.member_id = $2
        join messaging.participants o on o.conversation_id = c.id
        where c.id = $1
            and c.is_group
        order by o.joined_seq, o.member_id"#,
        id,
        member,
    );
    let members = members.fetch_all(db).await?;
    if members.is_empty() { Err(Error::ConversationNotFound) } else { Ok(members) }
}

/// Locks members against erasures and blocks until the transaction ends, before any row: an invitation must not wait for
/// rows of those. The keys are few, so that the facts of a snapshot cannot exhaust the locks of the server.
pub async fn lock_members(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock_shared(hashtext('messaging.member'), k.key) is null as "locked?"
        from (
            select distinct hashtext(m::text) & 1023 as key
            from unnest($1::uuid[]) m
            order by key
            offset 0
        ) k"#,
        members,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

/// The lock of erasures and blocks that excludes [`lock_members`].
pub async fn lock_members_exclusively(db: &mut PgConnection, members: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        r#"select pg_advisory_xact_lock(hashtext('messaging.member'), k.key) is null as "locked?"
        from (
            select distinct hashtext(m::text) & 1023 as key
            from unnest($1::uuid[]) m
            order by key
            offset 0
        ) k"#,
        members,
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

//! The members of a group, as one of them sees the group under the lock of the conversation.

use sqlx::PgConnection;
use uuid::Uuid;

use super::Folder;
use crate::error::Error;

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
    /// The member has not accepted the group, and received the maximum number of messages.
    pub full: bool,
    /// A block separates the two, in either direction.
    pub blocked: bool,
    /// Both show read marks to each other.
    pub receipts: bool,
}

impl Group {
    /// Returns the other members, including members that a block separates.
    pub fn all_others(&self) -> impl Iterator<Item = Uuid> {
        self.others.iter().map(|other| other.member)
    }

    pub fn visible_others(&self) -> Vec<Uuid> {
        self.others.iter().filter(|other| !other.blocked).map(|other| other.member).collect()
    }

    /// Returns the other members who receive a message, including members that a block separates.
    pub fn receivers(&self) -> impl Iterator<Item = &OtherMember> {
        self.others.iter().filter(|other| !other.full)
    }

    /// Returns the other members who receive a message and see it.
    pub fn recipients(&self) -> Vec<Uuid> {
        self.receivers().filter(|other| !other.blocked).map(|other| other.member).collect()
    }

    /// Returns the members who see the read marks of the member.
    pub fn readers(&self) -> Vec<Uuid> {
        let readers = self.others.iter().filter(|other| other.receipts && !other.blocked);
        readers.map(|other| other.member).collect()
    }

    /// Returns whether no other member has accepted the group.
    pub fn is_unanswered(&self) -> bool {
        !self.others.is_empty() && self.others.iter().all(|other| other.folder == Folder::Requests)
    }

    pub fn require_owner(&self, member: Uuid) -> Result<(), Error> {
        if self.owner == Some(member) { Ok(()) } else { Err(Error::NotGroupOwner) }
    }
}

/// Returns the authors of the messages of a group after the number `from` up to `to`, who see the read mark of the
/// member. Other members get no event: otherwise each message would cause as many events as the square of the number of
/// members.
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

/// Returns the other members of a group, in the order of their ids.
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
            ) as "blocked!",
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

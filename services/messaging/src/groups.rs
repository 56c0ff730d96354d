//! Conversations of groups: their members, one of them the owner.
//!
//! A group is a conversation without a pair of members. Messages of a member that the viewer blocks, or that blocks the viewer,
//! are hidden while the block exists: they are not listed, found or counted. A change of the group is a message without
//! a text, a system line.
//!
//! A message is visible to its audience, the members who received it. A message with a sender is also visible to every
//! member who accepted the group; until then a member receives five messages and does not see the title, which a
//! stranger may have written.
//!
//! `crate::conversations` defines the parts of a group that every conversation needs: its state, its system lines and
//! its acceptance.

pub mod create;
pub mod departures;
pub mod erase;
pub mod invite;
pub mod leave;
pub mod update;

use primitives::input::Line;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The maximum number of members, with the owner.
pub const MAX_MEMBERS: usize = 50;
/// The minimum number of other members of a new group.
pub const MIN_OTHERS: usize = 2;

/// The title of a group.
pub type Title = Line<100>;

/// A member of a group in the list of its members.
pub struct Member {
    pub id: Uuid,
    pub is_owner: bool,
}

/// Lists the members of a group, the longest one first. Includes members that a block separates, because each member
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

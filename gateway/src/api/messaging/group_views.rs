//! Groups, their members and system lines, and the requests to change them.

use portia_proto::messaging as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::api::messaging::participant::OtherUser;

pub use crate::api::contract::messaging::{GroupRole, SystemLineKind};

/// A group, as the caller sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The title; null for a group without one.
    #[schema(required)]
    pub title: Option<String>,
    /// The number of members, with the caller.
    pub member_count: i32,
    /// The first of the other members, at most four.
    pub members: Vec<OtherUser>,
    /// The role of the caller.
    pub role: GroupRole,
}

impl Group {
    /// A group with the cards of its first members.
    pub fn of(group: pb::Group, people: &MemberCards) -> Self {
        Self {
            role: group.role().into(),
            title: group.title,
            member_count: group.member_count,
            members: group.member_ids.iter().map(|id| OtherUser::of(Some(id), people)).collect(),
        }
    }
}

/// A member of a group.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupMember {
    /// The card.
    #[serde(flatten)]
    pub user: OtherUser,
    /// The role.
    pub role: GroupRole,
}

impl GroupMember {
    /// The ids of the members whose cards it contains.
    pub fn members(member: &pb::GroupMember) -> impl Iterator<Item = &str> {
        std::iter::once(member.member_id.as_str())
    }

    /// A member with the card.
    pub fn of(member: pb::GroupMember, people: &MemberCards) -> Self {
        Self { user: OtherUser::of(Some(&member.member_id), people), role: member.role().into() }
    }
}

/// A change of a group. The sender of the message made it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SystemLine {
    /// The change.
    pub kind: SystemLineKind,
    /// The members concerned.
    pub members: Vec<OtherUser>,
}

impl SystemLine {
    /// None for a kind of a newer service.
    pub fn of(line: pb::SystemLine, people: &MemberCards) -> Option<Self> {
        let kind = match line.kind() {
            pb::SystemLineKind::Unspecified => return None,
            pb::SystemLineKind::Created => SystemLineKind::Created,
            pb::SystemLineKind::Renamed => SystemLineKind::Renamed,
            pb::SystemLineKind::Added => SystemLineKind::Added,
            pb::SystemLineKind::Removed => SystemLineKind::Removed,
            pb::SystemLineKind::Left => SystemLineKind::Left,
        };
        let former = (0..line.former_members).map(|_| OtherUser::of(None, people));
        let members = line.subject_ids.iter().map(|id| OtherUser::of(Some(id), people)).chain(former).collect();
        Some(Self { kind, members })
    }
}

/// A new group.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateGroup {
    /// The title, at most 100 characters; none if absent, null or blank.
    #[schema(format = "line", max_length = 100)]
    pub title: Option<String>,
    /// The other members: 2 to 49.
    #[schema(min_items = 2, max_items = 49, value_type = Vec<uuid::Uuid>)]
    pub member_ids: Vec<String>,
}

/// The new title of a group.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateGroup {
    /// The title, at most 100 characters; null or blank for none.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(format = "line", required, max_length = 100)]
    pub title: Option<String>,
}

/// New members of a group.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddGroupMembers {
    /// The members: 1 to 49. Those who belong to the group stay.
    #[schema(min_items = 1, max_items = 49, value_type = Vec<uuid::Uuid>)]
    pub member_ids: Vec<String>,
}

//! Groups and their system lines.

use std::collections::BTreeSet;

use idempotency::RequestKey;
use portia_proto::messaging as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Form, Line},
};
use uuid::Uuid;

use super::parse_conversation_id;
use crate::{
    conversations::{
        GroupSummary,
        lines::{SystemKind, SystemLine},
    },
    error::Error,
    groups::{MAX_MEMBERS, MIN_OTHERS, Member, Title, create::NewGroup, update::UpdatedGroup},
};

/// A new group with an optional idempotency key.
pub struct IdempotentGroup {
    pub new: NewGroup,
    pub key: Option<RequestKey>,
}

impl IdempotentGroup {
    /// Parses a new group of `owner`.
    pub fn parse(owner: Uuid, mut request: pb::CreateGroupRequest) -> Result<Self, Error> {
        let raw_key = request.idempotency_key.take();
        let mut form = Form::default();
        let key = form.take(RequestKey::parse(raw_key.as_deref(), &request));
        let title = form.take(parse_title(request.title.as_deref()));
        let members = form.take(parse_members(owner, &request.member_ids, MIN_OTHERS));
        let ((title, members), key) = form.finish(title.zip(members).zip(key))?;
        Ok(Self { new: NewGroup { title, members }, key })
    }
}

impl TryFrom<pb::UpdateGroupRequest> for UpdatedGroup {
    type Error = Error;

    fn try_from(request: pb::UpdateGroupRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let title = form.take(parse_title(request.title.as_deref()));
        let (conversation, title) = form.finish(conversation.zip(title))?;
        Ok(Self { conversation, title })
    }
}

fn parse_title(raw: Option<&str>) -> Result<Option<Title>, Violation> {
    Line::parse_optional("title", raw)
}

/// New members of a group, each once.
pub struct AddMembers {
    pub conversation: Uuid,
    pub members: Vec<Uuid>,
}

impl AddMembers {
    pub fn parse(actor: Uuid, request: &pb::AddGroupMembersRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let members = form.take(parse_members(actor, &request.member_ids, 1));
        let (conversation, members) = form.finish(conversation.zip(members))?;
        Ok(Self { conversation, members })
    }
}

fn parse_members(actor: Uuid, raw: &[String], min: usize) -> Result<Vec<Uuid>, Violation> {
    let max = MAX_MEMBERS - 1;
    let refused = || Violation::new("memberIds", format!("These must be {min} to {max} other members."));
    if raw.len() > max {
        return Err(refused());
    }
    let members: BTreeSet<Uuid> = raw.iter().map(|id| ids::parse("memberIds", id)).collect::<Result<_, _>>()?;
    if members.contains(&actor) || members.len() < min {
        return Err(refused());
    }
    Ok(members.into_iter().collect())
}

/// A member of a group.
pub struct GroupMemberRef {
    pub conversation: Uuid,
    pub member: Uuid,
}

impl TryFrom<pb::RemoveGroupMemberRequest> for GroupMemberRef {
    type Error = Error;

    fn try_from(request: pb::RemoveGroupMemberRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let member = form.take(ids::parse("memberId", &request.member_id));
        let (conversation, member) = form.finish(conversation.zip(member))?;
        Ok(Self { conversation, member })
    }
}

fn role(is_owner: bool) -> i32 {
    if is_owner { pb::GroupRole::Owner.into() } else { pb::GroupRole::Member.into() }
}

impl From<GroupSummary> for pb::Group {
    fn from(group: GroupSummary) -> Self {
        Self {
            title: group.title,
            member_count: group.member_count,
            member_ids: group.members.iter().map(Uuid::to_string).collect(),
            role: role(group.is_owner),
        }
    }
}

impl From<Member> for pb::GroupMember {
    fn from(member: Member) -> Self {
        Self { member_id: member.id.to_string(), role: role(member.is_owner) }
    }
}

impl From<SystemKind> for pb::SystemLineKind {
    fn from(kind: SystemKind) -> Self {
        match kind {
            SystemKind::Created => Self::Created,
            SystemKind::Renamed => Self::Renamed,
            SystemKind::Added => Self::Added,
            SystemKind::Removed => Self::Removed,
            SystemKind::Left => Self::Left,
        }
    }
}

impl From<SystemLine> for pb::SystemLine {
    fn from(line: SystemLine) -> Self {
        let former = line.subjects.iter().filter(|subject| subject.is_none()).count();
        Self {
            kind: pb::SystemLineKind::from(line.kind).into(),
            subject_ids: line.subjects.iter().flatten().map(Uuid::to_string).collect(),
            former_members: i32::try_from(former).unwrap_or(i32::MAX),
        }
    }
}

//! Conversion of the messages about the moderation of communities.

use portia_proto::social_graph as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor, Form},
};

use super::community_id;
use crate::{
    communities::{
        CommunityMemberRef, CommunityPage, Reason,
        log::{Action, Entry, LogCursor},
        moderation::{Ban, BanCursor, RemoveMember},
    },
    error::Error,
    paging::PageRequest,
};

impl<C: Cursor> CommunityPage<C> {
    pub(super) fn parse(community: &str, page_size: i32, page_token: &str, first: C) -> Result<Self, Error> {
        Ok(Self { community: community_id(community)?, page: PageRequest::parse(page_size, page_token, first)? })
    }
}

impl TryFrom<pb::ListBansRequest> for CommunityPage<BanCursor> {
    type Error = Error;

    fn try_from(request: pb::ListBansRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, request.page_size, &request.page_token, BanCursor::FIRST)
    }
}

impl TryFrom<pb::ListCommunityLogRequest> for CommunityPage<LogCursor> {
    type Error = Error;

    fn try_from(request: pb::ListCommunityLogRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, request.page_size, &request.page_token, LogCursor::FIRST)
    }
}

impl CommunityMemberRef {
    pub(super) fn parse(community: &str, member: &str) -> Result<Self, Error> {
        let mut form = Form::default();
        let community = form.take(ids::parse("communityId", community));
        let member = form.take(ids::parse("memberId", member));
        let (community, member) = form.finish(community.zip(member))?;
        Ok(Self { community, member })
    }
}

impl TryFrom<pb::TransferCommunityRequest> for CommunityMemberRef {
    type Error = Error;

    fn try_from(request: pb::TransferCommunityRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, &request.member_id)
    }
}

impl TryFrom<pb::UnbanMemberRequest> for CommunityMemberRef {
    type Error = Error;

    fn try_from(request: pb::UnbanMemberRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, &request.member_id)
    }
}

impl TryFrom<pb::RemoveMemberRequest> for RemoveMember {
    type Error = Error;

    fn try_from(request: pb::RemoveMemberRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let community = form.take(ids::parse("communityId", &request.community_id));
        let member = form.take(ids::parse("memberId", &request.member_id));
        let reason = form.take(reason(request.reason));
        let ((community, member), reason) = form.finish(community.zip(member).zip(reason))?;
        Ok(Self { community, member, ban: request.ban, reason })
    }
}

fn reason(raw: i32) -> Result<Option<Reason>, Violation> {
    use pb::CommunityReason as Stated;
    match Stated::try_from(raw) {
        Ok(Stated::Unspecified) => Ok(None),
        Ok(Stated::Rules) => Ok(Some(Reason::Rules)),
        Ok(Stated::OffTopic) => Ok(Some(Reason::OffTopic)),
        Ok(Stated::Spam) => Ok(Some(Reason::Spam)),
        Ok(Stated::Harassment) => Ok(Some(Reason::Harassment)),
        Ok(Stated::Other) => Ok(Some(Reason::Other)),
        Err(_) => Err(Violation::new("reason", "This is not a reason.")),
    }
}

impl From<Reason> for pb::CommunityReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Rules => Self::Rules,
            Reason::OffTopic => Self::OffTopic,
            Reason::Spam => Self::Spam,
            Reason::Harassment => Self::Harassment,
            Reason::Other => Self::Other,
        }
    }
}

impl From<Action> for pb::CommunityAction {
    fn from(action: Action) -> Self {
        match action {
            Action::RoleSet => Self::RoleSet,
            Action::Transferred => Self::Transferred,
            Action::MemberRemoved => Self::MemberRemoved,
            Action::MemberBanned => Self::MemberBanned,
            Action::MemberUnbanned => Self::MemberUnbanned,
            Action::PostRemoved => Self::PostRemoved,
            Action::CommentRemoved => Self::CommentRemoved,
            Action::Succeeded => Self::Succeeded,
            Action::JoinApproved => Self::JoinApproved,
            Action::JoinDeclined => Self::JoinDeclined,
            Action::MemberInvited => Self::MemberInvited,
            Action::InvitationWithdrawn => Self::InvitationWithdrawn,
        }
    }
}

fn stated(reason: Option<Reason>) -> i32 {
    reason.map_or(pb::CommunityReason::Unspecified, Into::into).into()
}

impl From<Ban> for pb::CommunityBan {
    fn from(ban: Ban) -> Self {
        Self {
            member_id: ban.member_id.to_string(),
            reason: stated(ban.reason),
            banned_at: Some(timestamp(ban.banned_at)),
        }
    }
}

impl From<Entry> for pb::CommunityLogEntry {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id.to_string(),
            action: pb::CommunityAction::from(entry.action).into(),
            actor_id: entry.actor_id.map(|id| id.to_string()),
            member_id: entry.member_id.map(|id| id.to_string()),
            role: entry.role.map_or(pb::CommunityRole::Unspecified, Into::into).into(),
            reason: stated(entry.reason),
            created_at: Some(timestamp(entry.created_at)),
        }
    }
}

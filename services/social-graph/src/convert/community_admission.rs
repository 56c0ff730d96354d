//! Conversion of the messages about the access to communities, requests to join, and invitations.

use portia_proto::social_graph as pb;
use primitives::{clock::timestamp, error::Violation, ids, input::Form};

use crate::{
    communities::{
        CommunityMemberRef, CommunityPage,
        access::{Access, Joining, Visibility},
        invitations::{Invitation, InvitationCursor, ListOwnInvitations, OwnInvitation},
        join_requests::{AnswerJoinRequest, JoinRequest, JoinRequestCursor},
    },
    error::Error,
    paging::PageRequest,
};

/// Parses the access to a community; unspecified values are `None`.
pub(super) fn access(form: &mut Form, visibility: i32, joining: i32) -> Option<Access> {
    use pb::{CommunityJoining as J, CommunityVisibility as V};
    let visibility = form.take(match V::try_from(visibility) {
        Ok(V::Unspecified) => Ok(None),
        Ok(V::Public) => Ok(Some(Visibility::Public)),
        Ok(V::Private) => Ok(Some(Visibility::Private)),
        Err(_) => Err(Violation::new("visibility", "This must be public or private.")),
    });
    let joining = form.take(match J::try_from(joining) {
        Ok(J::Unspecified) => Ok(None),
        Ok(J::Open) => Ok(Some(Joining::Open)),
        Ok(J::Request) => Ok(Some(Joining::Request)),
        Ok(J::Invitation) => Ok(Some(Joining::Invitation)),
        Err(_) => Err(Violation::new("joining", "This must be open, request or invitation.")),
    });
    let (visibility, joining) = visibility.zip(joining)?;
    Some(Access { visibility, joining })
}

impl TryFrom<pb::ListJoinRequestsRequest> for CommunityPage<JoinRequestCursor> {
    type Error = Error;

    fn try_from(request: pb::ListJoinRequestsRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, request.page_size, &request.page_token, JoinRequestCursor::FIRST)
    }
}

impl TryFrom<pb::ListInvitationsRequest> for CommunityPage<InvitationCursor> {
    type Error = Error;

    fn try_from(request: pb::ListInvitationsRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, request.page_size, &request.page_token, InvitationCursor::FIRST)
    }
}

impl TryFrom<pb::ListOwnInvitationsRequest> for ListOwnInvitations {
    type Error = Error;

    fn try_from(request: pb::ListOwnInvitationsRequest) -> Result<Self, Error> {
        PageRequest::parse(request.page_size, &request.page_token, InvitationCursor::FIRST)
    }
}

impl TryFrom<pb::AnswerJoinRequestRequest> for AnswerJoinRequest {
    type Error = Error;

    fn try_from(request: pb::AnswerJoinRequestRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let community = form.take(ids::parse("communityId", &request.community_id));
        let member = form.take(ids::parse("memberId", &request.member_id));
        let (community, member) = form.finish(community.zip(member))?;
        Ok(Self { community, member, approve: request.approve })
    }
}

impl TryFrom<pb::InviteMemberRequest> for CommunityMemberRef {
    type Error = Error;

    fn try_from(request: pb::InviteMemberRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, &request.member_id)
    }
}

impl TryFrom<pb::WithdrawInvitationRequest> for CommunityMemberRef {
    type Error = Error;

    fn try_from(request: pb::WithdrawInvitationRequest) -> Result<Self, Error> {
        Self::parse(&request.community_id, &request.member_id)
    }
}

impl From<Visibility> for pb::CommunityVisibility {
    fn from(visibility: Visibility) -> Self {
        match visibility {
            Visibility::Public => Self::Public,
            Visibility::Private => Self::Private,
        }
    }
}

impl From<Joining> for pb::CommunityJoining {
    fn from(joining: Joining) -> Self {
        match joining {
            Joining::Open => Self::Open,
            Joining::Request => Self::Request,
            Joining::Invitation => Self::Invitation,
        }
    }
}

impl From<JoinRequest> for pb::JoinRequest {
    fn from(request: JoinRequest) -> Self {
        Self { member_id: request.member_id.to_string(), requested_at: Some(timestamp(request.requested_at)) }
    }
}

impl From<Invitation> for pb::CommunityInvitation {
    fn from(invitation: Invitation) -> Self {
        Self {
            member_id: invitation.member_id.to_string(),
            invited_by_id: invitation.invited_by.map(|id| id.to_string()),
            invited_at: Some(timestamp(invitation.invited_at)),
        }
    }
}

impl From<OwnInvitation> for pb::OwnInvitation {
    fn from(invitation: OwnInvitation) -> Self {
        Self {
            community: Some(invitation.community.into()),
            invited_by_id: invitation.invited_by.map(|id| id.to_string()),
            invited_at: Some(timestamp(invitation.invited_at)),
        }
    }
}

//! RPCs of requests to join a community, and of invitations.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::communities::{
    CommunityMemberRef, CommunityPage,
    invitations::{self, ListOwnInvitations},
    join_requests::{self, AnswerJoinRequest},
};

pub(super) async fn list_requests(
    service: &SocialGraphService,
    request: Request<pb::ListJoinRequestsRequest>,
) -> RpcResult<pb::ListJoinRequestsResponse> {
    let member = Actor::member(&request)?;
    let query = CommunityPage::try_from(request.into_inner())?;
    let page = join_requests::list(&mut *service.connection().await?, member, &query).await?;
    let (requests, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListJoinRequestsResponse { requests, next_page_token }))
}

pub(super) async fn answer_request(
    service: &SocialGraphService,
    request: Request<pb::AnswerJoinRequestRequest>,
) -> RpcResult<pb::AnswerJoinRequestResponse> {
    let member = Actor::member(&request)?;
    let answer = AnswerJoinRequest::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    join_requests::answer(&mut service.work(&mut tx), member, &answer).await?;
    commit(tx).await?;
    Ok(Response::new(pb::AnswerJoinRequestResponse {}))
}

pub(super) async fn invite(
    service: &SocialGraphService,
    request: Request<pb::InviteMemberRequest>,
) -> RpcResult<pb::InviteMemberResponse> {
    let member = Actor::member(&request)?;
    let invited = CommunityMemberRef::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    invitations::invite(work, member, &invited, service.rate_limit_scale).await?;
    commit(tx).await?;
    Ok(Response::new(pb::InviteMemberResponse {}))
}

pub(super) async fn withdraw_invitation(
    service: &SocialGraphService,
    request: Request<pb::WithdrawInvitationRequest>,
) -> RpcResult<pb::WithdrawInvitationResponse> {
    let member = Actor::member(&request)?;
    let invited = CommunityMemberRef::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    invitations::withdraw(&mut service.work(&mut tx), member, &invited).await?;
    commit(tx).await?;
    Ok(Response::new(pb::WithdrawInvitationResponse {}))
}

pub(super) async fn list_invitations(
    service: &SocialGraphService,
    request: Request<pb::ListInvitationsRequest>,
) -> RpcResult<pb::ListInvitationsResponse> {
    let member = Actor::member(&request)?;
    let query = CommunityPage::try_from(request.into_inner())?;
    let page = invitations::list(&mut *service.connection().await?, member, &query).await?;
    let (invitations, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListInvitationsResponse { invitations, next_page_token }))
}

pub(super) async fn list_own_invitations(
    service: &SocialGraphService,
    request: Request<pb::ListOwnInvitationsRequest>,
) -> RpcResult<pb::ListOwnInvitationsResponse> {
    let member = Actor::member(&request)?;
    let query = ListOwnInvitations::try_from(request.into_inner())?;
    let page = invitations::list_own(&mut *service.connection().await?, member, &query).await?;
    let (invitations, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListOwnInvitationsResponse { invitations, next_page_token }))
}

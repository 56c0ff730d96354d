//! RPCs of requests to join a community, and of invitations.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    communities::{
        CommunityMemberRef, CommunityPage,
        invitations::{self, Invited, ListOwnInvitations},
        join_requests::{self, AnswerJoinRequest},
        log::{self, Action},
    },
    connections::allowance,
    publishing::admissions,
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
    service.answer_join_request(&mut tx, member, &answer).await?;
    commit(tx).await?;
    Ok(Response::new(pb::AnswerJoinRequestResponse {}))
}

pub(super) async fn invite(
    service: &SocialGraphService,
    request: Request<pb::InviteMemberRequest>,
) -> RpcResult<pb::InviteMemberResponse> {
    let member = Actor::member(&request)?;
    let invited = CommunityMemberRef::try_from(request.into_inner())?;
    let (id, other, now) = (invited.community, invited.member, service.clock.now());
    let mut tx = service.begin().await?;
    match invitations::invite(&mut tx, member, &invited, now).await? {
        Invited::Sent => {
            allowance::count_invitation(&mut tx, member, other, service.rate_limit_scale, now).await?;
            admissions::publish_invited(&service.outbox, &mut tx, id, other, member, now).await?;
            log::insert(&mut tx, &service.log_entry(id, Action::MemberInvited, member, other), now).await?;
        }
        // Counted like any other, which does not reveal the block.
        Invited::Withheld => {
            allowance::count_invitation(&mut tx, member, other, service.rate_limit_scale, now).await?;
            log::insert(&mut tx, &service.log_entry(id, Action::MemberInvited, member, other), now).await?;
        }
        Invited::Requested => {
            let answer = AnswerJoinRequest { community: id, member: other, approve: true };
            service.answer_join_request(&mut tx, member, &answer).await?;
        }
        Invited::Unchanged => {}
    }
    commit(tx).await?;
    Ok(Response::new(pb::InviteMemberResponse {}))
}

pub(super) async fn withdraw_invitation(
    service: &SocialGraphService,
    request: Request<pb::WithdrawInvitationRequest>,
) -> RpcResult<pb::WithdrawInvitationResponse> {
    let member = Actor::member(&request)?;
    let invited = CommunityMemberRef::try_from(request.into_inner())?;
    let (id, other, now) = (invited.community, invited.member, service.clock.now());
    let mut tx = service.begin().await?;
    if let Some(withdrawn) = invitations::withdraw(&mut tx, member, &invited).await? {
        admissions::publish_invitations_removed(&service.outbox, &mut tx, &[withdrawn], now).await?;
        log::insert(&mut tx, &service.log_entry(id, Action::InvitationWithdrawn, member, other), now).await?;
    }
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

impl SocialGraphService {
    /// Ends the invitations by a member who may not moderate the community any more.
    pub(super) async fn end_invitations_of(
        &self,
        db: &mut sqlx::PgConnection,
        community: uuid::Uuid,
        author: uuid::Uuid,
    ) -> Result<(), crate::error::Error> {
        let ended = invitations::remove_by_author(&mut *db, community, author).await?;
        admissions::publish_invitations_removed(&self.outbox, db, &ended, self.clock.now()).await
    }

    async fn answer_join_request(
        &self,
        db: &mut sqlx::PgConnection,
        member: uuid::Uuid,
        answer: &AnswerJoinRequest,
    ) -> Result<(), crate::error::Error> {
        let (id, other, now) = (answer.community, answer.member, self.clock.now());
        if !join_requests::answer(db, member, answer, now).await? {
            return Ok(());
        }
        admissions::publish_join_request_removed(&self.outbox, db, id, other, now).await?;
        if answer.approve {
            admissions::publish_join_approved(&self.outbox, db, id, other, member, now).await?;
        }
        let action = if answer.approve { Action::JoinApproved } else { Action::JoinDeclined };
        log::insert(db, &self.log_entry(id, action, member, other), now).await
    }
}

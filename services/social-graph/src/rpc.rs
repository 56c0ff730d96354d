//! The service's RPCs, one line each; the feature files hold the transactions.

mod blocks;
mod communities;
mod community_admission;
mod community_moderation;
mod connections;
mod events;
mod follows;
mod suggestions;

use std::sync::Arc;

use idempotency::IdempotencyKeys;
use outbox::Outbox;
use portia_proto::social_graph::{self as pb, social_graph_service_server};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use tonic::{Request, Response, Status};

use crate::{
    connections::memory::GraphMemory,
    error::Error,
    export::{ExportStream, MemberExporter},
};

/// The server of portia.social_graph.v1.SocialGraphService.
pub struct SocialGraphService {
    pub db: db::Pool,
    pub clock: Clock,
    pub ids: Ids,
    pub outbox: Outbox,
    pub keys: IdempotencyKeys,
    pub exports: MemberExporter,
    pub memory: Arc<GraphMemory>,
    /// Multiplies the allowance of requests to connect.
    pub rate_limit_scale: u32,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl SocialGraphService {
    /// Acquires a connection for reads, which need no transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }

    /// Like [`Self::connection`], for the memory of connections, which follows the primary.
    async fn connection_of_memory(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire_at_primary(&self.db).await?)
    }

    async fn begin(&self) -> Result<db::Transaction, Error> {
        Ok(db::begin(&self.db).await?)
    }
}

async fn commit(tx: db::Transaction) -> Result<(), Error> {
    Ok(tx.commit().await?)
}

#[tonic::async_trait]
impl social_graph_service_server::SocialGraphService for SocialGraphService {
    async fn list_connections(
        &self,
        request: Request<pb::ListConnectionsRequest>,
    ) -> RpcResult<pb::ListConnectionsResponse> {
        connections::list(self, request).await
    }

    async fn list_pending_requests(
        &self,
        request: Request<pb::ListPendingRequestsRequest>,
    ) -> RpcResult<pb::ListPendingRequestsResponse> {
        connections::list_pending(self, request).await
    }

    async fn find_connection(
        &self,
        request: Request<pb::FindConnectionRequest>,
    ) -> RpcResult<pb::FindConnectionResponse> {
        connections::find(self, request).await
    }

    async fn batch_find_connections(
        &self,
        request: Request<pb::BatchFindConnectionsRequest>,
    ) -> RpcResult<pb::BatchFindConnectionsResponse> {
        connections::batch_find(self, request).await
    }

    async fn request_connection(
        &self,
        request: Request<pb::RequestConnectionRequest>,
    ) -> RpcResult<pb::RequestConnectionResponse> {
        connections::request(self, request).await
    }

    async fn answer_connection(
        &self,
        request: Request<pb::AnswerConnectionRequest>,
    ) -> RpcResult<pb::AnswerConnectionResponse> {
        connections::answer(self, request).await
    }

    async fn remove_connection(
        &self,
        request: Request<pb::RemoveConnectionRequest>,
    ) -> RpcResult<pb::RemoveConnectionResponse> {
        connections::remove(self, request).await
    }

    async fn list_suggestions(
        &self,
        request: Request<pb::ListSuggestionsRequest>,
    ) -> RpcResult<pb::ListSuggestionsResponse> {
        suggestions::list(self, request).await
    }

    async fn dismiss_suggestion(
        &self,
        request: Request<pb::DismissSuggestionRequest>,
    ) -> RpcResult<pb::DismissSuggestionResponse> {
        suggestions::dismiss(self, request).await
    }

    async fn block_member(&self, request: Request<pb::BlockMemberRequest>) -> RpcResult<pb::BlockMemberResponse> {
        blocks::block(self, request).await
    }

    async fn unblock_member(&self, request: Request<pb::UnblockMemberRequest>) -> RpcResult<pb::UnblockMemberResponse> {
        blocks::unblock(self, request).await
    }

    async fn list_blocks(&self, request: Request<pb::ListBlocksRequest>) -> RpcResult<pb::ListBlocksResponse> {
        blocks::list(self, request).await
    }

    async fn follow_member(&self, request: Request<pb::FollowMemberRequest>) -> RpcResult<pb::FollowMemberResponse> {
        follows::follow(self, request).await
    }

    async fn unfollow_member(
        &self,
        request: Request<pb::UnfollowMemberRequest>,
    ) -> RpcResult<pb::UnfollowMemberResponse> {
        follows::unfollow(self, request).await
    }

    async fn get_follow(&self, request: Request<pb::GetFollowRequest>) -> RpcResult<pb::GetFollowResponse> {
        follows::get(self, request).await
    }

    async fn list_follows(&self, request: Request<pb::ListFollowsRequest>) -> RpcResult<pb::ListFollowsResponse> {
        follows::list(self, request).await
    }

    async fn list_communities(
        &self,
        request: Request<pb::ListCommunitiesRequest>,
    ) -> RpcResult<pb::ListCommunitiesResponse> {
        communities::list(self, request).await
    }

    async fn search_communities(
        &self,
        request: Request<pb::SearchCommunitiesRequest>,
    ) -> RpcResult<pb::SearchCommunitiesResponse> {
        communities::search(self, request).await
    }

    async fn get_community(&self, request: Request<pb::GetCommunityRequest>) -> RpcResult<pb::GetCommunityResponse> {
        communities::get(self, request).await
    }

    async fn create_community(
        &self,
        request: Request<pb::CreateCommunityRequest>,
    ) -> RpcResult<pb::CreateCommunityResponse> {
        communities::create(self, request).await
    }

    async fn update_community(
        &self,
        request: Request<pb::UpdateCommunityRequest>,
    ) -> RpcResult<pb::UpdateCommunityResponse> {
        communities::update(self, request).await
    }

    async fn list_members(&self, request: Request<pb::ListMembersRequest>) -> RpcResult<pb::ListMembersResponse> {
        communities::list_members(self, request).await
    }

    async fn join_community(&self, request: Request<pb::JoinCommunityRequest>) -> RpcResult<pb::JoinCommunityResponse> {
        communities::join(self, request).await
    }

    async fn leave_community(
        &self,
        request: Request<pb::LeaveCommunityRequest>,
    ) -> RpcResult<pb::LeaveCommunityResponse> {
        communities::leave(self, request).await
    }

    async fn set_member_role(
        &self,
        request: Request<pb::SetMemberRoleRequest>,
    ) -> RpcResult<pb::SetMemberRoleResponse> {
        communities::set_member_role(self, request).await
    }

    async fn transfer_community(
        &self,
        request: Request<pb::TransferCommunityRequest>,
    ) -> RpcResult<pb::TransferCommunityResponse> {
        community_moderation::transfer(self, request).await
    }

    async fn dissolve_community(
        &self,
        request: Request<pb::DissolveCommunityRequest>,
    ) -> RpcResult<pb::DissolveCommunityResponse> {
        community_moderation::dissolve(self, request).await
    }

    async fn remove_member(&self, request: Request<pb::RemoveMemberRequest>) -> RpcResult<pb::RemoveMemberResponse> {
        community_moderation::remove_member(self, request).await
    }

    async fn unban_member(&self, request: Request<pb::UnbanMemberRequest>) -> RpcResult<pb::UnbanMemberResponse> {
        community_moderation::unban_member(self, request).await
    }

    async fn list_bans(&self, request: Request<pb::ListBansRequest>) -> RpcResult<pb::ListBansResponse> {
        community_moderation::list_bans(self, request).await
    }

    async fn batch_get_communities(
        &self,
        request: Request<pb::BatchGetCommunitiesRequest>,
    ) -> RpcResult<pb::BatchGetCommunitiesResponse> {
        communities::batch_get(self, request).await
    }

    async fn list_join_requests(
        &self,
        request: Request<pb::ListJoinRequestsRequest>,
    ) -> RpcResult<pb::ListJoinRequestsResponse> {
        community_admission::list_requests(self, request).await
    }

    async fn answer_join_request(
        &self,
        request: Request<pb::AnswerJoinRequestRequest>,
    ) -> RpcResult<pb::AnswerJoinRequestResponse> {
        community_admission::answer_request(self, request).await
    }

    async fn invite_member(&self, request: Request<pb::InviteMemberRequest>) -> RpcResult<pb::InviteMemberResponse> {
        community_admission::invite(self, request).await
    }

    async fn withdraw_invitation(
        &self,
        request: Request<pb::WithdrawInvitationRequest>,
    ) -> RpcResult<pb::WithdrawInvitationResponse> {
        community_admission::withdraw_invitation(self, request).await
    }

    async fn list_invitations(
        &self,
        request: Request<pb::ListInvitationsRequest>,
    ) -> RpcResult<pb::ListInvitationsResponse> {
        community_admission::list_invitations(self, request).await
    }

    async fn list_own_invitations(
        &self,
        request: Request<pb::ListOwnInvitationsRequest>,
    ) -> RpcResult<pb::ListOwnInvitationsResponse> {
        community_admission::list_own_invitations(self, request).await
    }

    async fn list_community_log(
        &self,
        request: Request<pb::ListCommunityLogRequest>,
    ) -> RpcResult<pb::ListCommunityLogResponse> {
        community_moderation::list_log(self, request).await
    }

    async fn list_events(&self, request: Request<pb::ListEventsRequest>) -> RpcResult<pb::ListEventsResponse> {
        events::list(self, request).await
    }

    async fn get_event(&self, request: Request<pb::GetEventRequest>) -> RpcResult<pb::GetEventResponse> {
        events::get(self, request).await
    }

    async fn batch_get_events(
        &self,
        request: Request<pb::BatchGetEventsRequest>,
    ) -> RpcResult<pb::BatchGetEventsResponse> {
        events::batch_get(self, request).await
    }

    async fn create_event(&self, request: Request<pb::CreateEventRequest>) -> RpcResult<pb::CreateEventResponse> {
        events::create(self, request).await
    }

    async fn update_event(&self, request: Request<pb::UpdateEventRequest>) -> RpcResult<pb::UpdateEventResponse> {
        events::update(self, request).await
    }

    async fn cancel_event(&self, request: Request<pb::CancelEventRequest>) -> RpcResult<pb::CancelEventResponse> {
        events::cancel(self, request).await
    }

    async fn list_attendees(&self, request: Request<pb::ListAttendeesRequest>) -> RpcResult<pb::ListAttendeesResponse> {
        events::list_attendees(self, request).await
    }

    async fn attend_event(&self, request: Request<pb::AttendEventRequest>) -> RpcResult<pb::AttendEventResponse> {
        events::attend(self, request).await
    }

    async fn unattend_event(&self, request: Request<pb::UnattendEventRequest>) -> RpcResult<pb::UnattendEventResponse> {
        events::unattend(self, request).await
    }

    type ExportMemberStream = ExportStream;

    async fn export_member(&self, request: Request<pb::ExportMemberRequest>) -> RpcResult<ExportStream> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}

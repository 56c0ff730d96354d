//! Every RPC: who asks, what is asked, the answer.

mod writes;

use outbox::Outbox;
use portia_proto::social_graph::{self as wire, social_graph_service_server::SocialGraphService};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tonic::{Request, Response, Status};

use crate::{
    blocks, communities, connections,
    convert::{
        Answered, Appointed, BrowseAttendees, BrowseBlocks, BrowseCommunities, BrowseConnections, BrowseEvents,
        BrowseMembers, Changed, Other, Reworded, Suggest, community_id, connection_id, event_id, event_ids, looked_for,
        member_ids,
    },
    counts,
    error::Error,
    events,
    export::{Exports, Records},
    idempotency::Keyed,
    search, suggestions,
};

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub clock: Clock,
    pub ids: Ids,
    pub outbox: Outbox,
    pub exports: Exports,
}

type Answer<T> = Result<Response<T>, Status>;

impl Rpc {
    /// A connection to read with: one statement needs no transaction.
    async fn reader(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }
}

#[tonic::async_trait]
impl SocialGraphService for Rpc {
    async fn batch_get_events(
        &self,
        request: Request<wire::BatchGetEventsRequest>,
    ) -> Answer<wire::BatchGetEventsResponse> {
        let viewer = Actor::viewer(&request)?;
        let ids = event_ids(request.get_ref())?;
        let events = events::several(&mut *self.reader().await?, viewer, &ids).await.map_err(Error::from)?;
        Ok(Response::new(wire::BatchGetEventsResponse { events: events.into_iter().map(Into::into).collect() }))
    }

    type ExportMemberStream = Records;

    async fn list_connections(
        &self,
        request: Request<wire::ListConnectionsRequest>,
    ) -> Answer<wire::ListConnectionsResponse> {
        let member = Actor::member(&request)?;
        let browse = BrowseConnections::try_from(request.into_inner())?;
        let mut reader = self.reader().await?;
        let page = connections::list(&mut reader, member, &browse).await?;
        let total = counts::of(&mut reader, member).await.map_err(Error::from)?.connections;
        let (connections, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListConnectionsResponse { connections, next_page_token, total }))
    }

    async fn list_pending_requests(
        &self,
        request: Request<wire::ListPendingRequestsRequest>,
    ) -> Answer<wire::ListPendingRequestsResponse> {
        let member = Actor::member(&request)?;
        let browse = BrowseConnections::try_from(request.into_inner())?;
        let mut reader = self.reader().await?;
        let page = connections::pending(&mut reader, member, &browse).await?;
        let total = counts::of(&mut reader, member).await.map_err(Error::from)?.requests;
        let (connections, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListPendingRequestsResponse { connections, next_page_token, total }))
    }

    async fn find_connection(
        &self,
        request: Request<wire::FindConnectionRequest>,
    ) -> Answer<wire::FindConnectionResponse> {
        let member = Actor::member(&request)?;
        let Other(other) = Other::try_from(request.into_inner())?;
        let connection = connections::among(&mut *self.reader().await?, member, &[other]).await?.pop();
        Ok(Response::new(wire::FindConnectionResponse { connection: connection.map(Into::into) }))
    }

    async fn batch_find_connections(
        &self,
        request: Request<wire::BatchFindConnectionsRequest>,
    ) -> Answer<wire::BatchFindConnectionsResponse> {
        let member = Actor::member(&request)?;
        let others = member_ids(request.get_ref())?;
        let connections = connections::among(&mut *self.reader().await?, member, &others).await?;
        let connections = connections.into_iter().map(Into::into).collect();
        Ok(Response::new(wire::BatchFindConnectionsResponse { connections }))
    }

    async fn list_suggestions(
        &self,
        request: Request<wire::ListSuggestionsRequest>,
    ) -> Answer<wire::ListSuggestionsResponse> {
        let member = Actor::member(&request)?;
        let Suggest(size) = Suggest::try_from(request.into_inner())?;
        let suggestions = suggestions::list(&mut *self.reader().await?, member, size).await?;
        let suggestions = suggestions.into_iter().map(Into::into).collect();
        Ok(Response::new(wire::ListSuggestionsResponse { suggestions }))
    }

    async fn list_communities(
        &self,
        request: Request<wire::ListCommunitiesRequest>,
    ) -> Answer<wire::ListCommunitiesResponse> {
        let viewer = Actor::viewer(&request)?;
        let browse = BrowseCommunities::try_from(request.into_inner())?;
        let mut reader = self.reader().await?;
        let page = communities::list(&mut reader, viewer, &browse).await?;
        let total = communities::total(&mut reader).await?;
        let (communities, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListCommunitiesResponse { communities, next_page_token, total }))
    }

    async fn search_communities(
        &self,
        request: Request<wire::SearchCommunitiesRequest>,
    ) -> Answer<wire::SearchCommunitiesResponse> {
        let viewer = Actor::viewer(&request)?;
        let asked = looked_for(&request.into_inner())?;
        let found = search::communities(&mut *self.reader().await?, asked, viewer).await?;
        let (communities, next_page_token, terms) = found.into_wire();
        Ok(Response::new(wire::SearchCommunitiesResponse { communities, next_page_token, terms }))
    }

    async fn get_community(&self, request: Request<wire::GetCommunityRequest>) -> Answer<wire::GetCommunityResponse> {
        let viewer = Actor::viewer(&request)?;
        let id = community_id(&request.get_ref().community_id)?;
        let community = communities::find(&mut *self.reader().await?, viewer, id).await?;
        Ok(Response::new(wire::GetCommunityResponse { community: Some(community.into()) }))
    }

    async fn create_community(
        &self,
        request: Request<wire::CreateCommunityRequest>,
    ) -> Answer<wire::CreateCommunityResponse> {
        let member = Actor::member(&request)?;
        let wanted = Keyed::try_from(request.into_inner())?;
        let community = self.found(member, &wanted).await?;
        Ok(Response::new(wire::CreateCommunityResponse { community: Some(community.into()) }))
    }

    async fn update_community(
        &self,
        request: Request<wire::UpdateCommunityRequest>,
    ) -> Answer<wire::UpdateCommunityResponse> {
        let member = Actor::member(&request)?;
        let reworded = Reworded::try_from(request.into_inner())?;
        let community = self.reword(member, &reworded).await?;
        Ok(Response::new(wire::UpdateCommunityResponse { community: Some(community.into()) }))
    }

    async fn list_members(&self, request: Request<wire::ListMembersRequest>) -> Answer<wire::ListMembersResponse> {
        let viewer = Actor::viewer(&request)?;
        let browse = BrowseMembers::try_from(request.into_inner())?;
        let page = communities::members(&mut *self.reader().await?, viewer, &browse).await?;
        let (members, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListMembersResponse { members, next_page_token }))
    }

    async fn join_community(
        &self,
        request: Request<wire::JoinCommunityRequest>,
    ) -> Answer<wire::JoinCommunityResponse> {
        let member = Actor::member(&request)?;
        let id = community_id(&request.get_ref().community_id)?;
        let community = self.join(member, id).await?;
        Ok(Response::new(wire::JoinCommunityResponse { community: Some(community.into()) }))
    }

    async fn leave_community(
        &self,
        request: Request<wire::LeaveCommunityRequest>,
    ) -> Answer<wire::LeaveCommunityResponse> {
        let member = Actor::member(&request)?;
        let id = community_id(&request.get_ref().community_id)?;
        let community = self.leave(member, id).await?;
        Ok(Response::new(wire::LeaveCommunityResponse { community: Some(community.into()) }))
    }

    async fn set_member_role(
        &self,
        request: Request<wire::SetMemberRoleRequest>,
    ) -> Answer<wire::SetMemberRoleResponse> {
        let member = Actor::member(&request)?;
        let appointed = Appointed::try_from(request.into_inner())?;
        let belonging = self.appoint(member, &appointed).await?;
        Ok(Response::new(wire::SetMemberRoleResponse { member: Some(belonging.into()) }))
    }

    async fn list_events(&self, request: Request<wire::ListEventsRequest>) -> Answer<wire::ListEventsResponse> {
        let viewer = Actor::viewer(&request)?;
        let browse = BrowseEvents::try_from(request.into_inner())?;
        let page = events::list(&mut *self.reader().await?, viewer, &browse, self.clock.now()).await?;
        let (events, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListEventsResponse { events, next_page_token }))
    }

    async fn get_event(&self, request: Request<wire::GetEventRequest>) -> Answer<wire::GetEventResponse> {
        let viewer = Actor::viewer(&request)?;
        let id = event_id(&request.get_ref().event_id)?;
        let event = events::find(&mut *self.reader().await?, viewer, id).await?;
        Ok(Response::new(wire::GetEventResponse { event: Some(event.into()) }))
    }

    async fn create_event(&self, request: Request<wire::CreateEventRequest>) -> Answer<wire::CreateEventResponse> {
        let (member, now) = (Actor::member(&request)?, self.clock.now());
        let wanted = Keyed::parse(request.into_inner(), now)?;
        let event = self.announce(member, &wanted, now).await?;
        Ok(Response::new(wire::CreateEventResponse { event: Some(event.into()) }))
    }

    async fn update_event(&self, request: Request<wire::UpdateEventRequest>) -> Answer<wire::UpdateEventResponse> {
        let member = Actor::member(&request)?;
        let changed = Changed::parse(request.into_inner(), self.clock.now())?;
        let event = self.change(member, &changed).await?;
        Ok(Response::new(wire::UpdateEventResponse { event: Some(event.into()) }))
    }

    async fn cancel_event(&self, request: Request<wire::CancelEventRequest>) -> Answer<wire::CancelEventResponse> {
        let member = Actor::member(&request)?;
        self.cancel(member, event_id(&request.get_ref().event_id)?).await?;
        Ok(Response::new(wire::CancelEventResponse {}))
    }

    async fn list_attendees(
        &self,
        request: Request<wire::ListAttendeesRequest>,
    ) -> Answer<wire::ListAttendeesResponse> {
        let viewer = Actor::viewer(&request)?;
        let browse = BrowseAttendees::try_from(request.into_inner())?;
        let page = events::attendees(&mut *self.reader().await?, viewer, &browse).await?;
        let (attendees, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListAttendeesResponse { attendees, next_page_token }))
    }

    async fn attend_event(&self, request: Request<wire::AttendEventRequest>) -> Answer<wire::AttendEventResponse> {
        let member = Actor::member(&request)?;
        let event = self.attend(member, event_id(&request.get_ref().event_id)?).await?;
        Ok(Response::new(wire::AttendEventResponse { event: Some(event.into()) }))
    }

    async fn unattend_event(
        &self,
        request: Request<wire::UnattendEventRequest>,
    ) -> Answer<wire::UnattendEventResponse> {
        let member = Actor::member(&request)?;
        let event = self.unattend(member, event_id(&request.get_ref().event_id)?).await?;
        Ok(Response::new(wire::UnattendEventResponse { event: Some(event.into()) }))
    }

    async fn request_connection(
        &self,
        request: Request<wire::RequestConnectionRequest>,
    ) -> Answer<wire::RequestConnectionResponse> {
        let member = Actor::member(&request)?;
        let other = Other::than(member, &request.get_ref().member_id)?;
        let step = self.ask(member, other).await?;
        let changed = step.turn.is_some();
        Ok(Response::new(wire::RequestConnectionResponse { connection: Some(step.connection.into()), changed }))
    }

    async fn answer_connection(
        &self,
        request: Request<wire::AnswerConnectionRequest>,
    ) -> Answer<wire::AnswerConnectionResponse> {
        let member = Actor::member(&request)?;
        let answered = Answered::try_from(request.into_inner())?;
        let step = self.answer(member, &answered).await?;
        Ok(Response::new(wire::AnswerConnectionResponse { connection: Some(step.connection.into()) }))
    }

    async fn remove_connection(
        &self,
        request: Request<wire::RemoveConnectionRequest>,
    ) -> Answer<wire::RemoveConnectionResponse> {
        let member = Actor::member(&request)?;
        self.remove(member, connection_id(&request.get_ref().connection_id)?).await?;
        Ok(Response::new(wire::RemoveConnectionResponse {}))
    }

    async fn dismiss_suggestion(
        &self,
        request: Request<wire::DismissSuggestionRequest>,
    ) -> Answer<wire::DismissSuggestionResponse> {
        let member = Actor::member(&request)?;
        let other = Other::than(member, &request.get_ref().member_id)?;
        suggestions::dismiss(&mut *self.reader().await?, member, other, self.clock.now()).await?;
        Ok(Response::new(wire::DismissSuggestionResponse {}))
    }

    async fn block_member(&self, request: Request<wire::BlockMemberRequest>) -> Answer<wire::BlockMemberResponse> {
        let member = Actor::member(&request)?;
        let other = Other::than(member, &request.get_ref().member_id)?;
        self.block(member, other).await?;
        Ok(Response::new(wire::BlockMemberResponse {}))
    }

    async fn unblock_member(
        &self,
        request: Request<wire::UnblockMemberRequest>,
    ) -> Answer<wire::UnblockMemberResponse> {
        let member = Actor::member(&request)?;
        let Other(other) = Other::try_from(request.into_inner())?;
        self.unblock(member, other).await?;
        Ok(Response::new(wire::UnblockMemberResponse {}))
    }

    async fn list_blocks(&self, request: Request<wire::ListBlocksRequest>) -> Answer<wire::ListBlocksResponse> {
        let member = Actor::member(&request)?;
        let browse = BrowseBlocks::try_from(request.into_inner())?;
        let page = blocks::list(&mut *self.reader().await?, member, &browse).await?;
        let (blocks, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListBlocksResponse { blocks, next_page_token }))
    }

    async fn export_member(&self, request: Request<wire::ExportMemberRequest>) -> Answer<Records> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}

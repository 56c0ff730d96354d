//! Every RPC: who asks, what is asked, the answer.

use chassis::{actor::Actor, clock::Clock, db::begin, ids::Ids, outbox::Outbox};
use portia_proto::social_graph::{
    AnswerConnectionRequest, AnswerConnectionResponse, BlockMemberRequest, BlockMemberResponse, Connection,
    DismissSuggestionRequest, DismissSuggestionResponse, ExportMemberRequest, ExportMemberResponse,
    FindConnectionRequest, FindConnectionResponse, ListBlocksRequest, ListBlocksResponse, ListCommunitiesRequest,
    ListCommunitiesResponse, ListConnectionsRequest, ListConnectionsResponse, ListEventsRequest, ListEventsResponse,
    ListPendingRequestsRequest, ListPendingRequestsResponse, ListSuggestionsRequest, ListSuggestionsResponse,
    RemoveConnectionRequest, RemoveConnectionResponse, RequestConnectionRequest, RequestConnectionResponse, Suggestion,
    UnblockMemberRequest, UnblockMemberResponse, social_graph_service_server::SocialGraphService,
};
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    blocks, communities,
    connections::{
        self,
        steps::{self, Step},
    },
    convert::{
        Answered, BrowseBlocks, BrowseCommunities, BrowseConnections, BrowseEvents, Other, Suggest, connection_id,
    },
    counts,
    error::Error,
    events, export, facts, suggestions,
};

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub clock: Clock,
    pub ids: Ids,
    pub outbox: Outbox,
}

impl Rpc {
    /// A connection to read with: one statement needs no transaction.
    async fn reader(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }

    async fn ask(&self, member: Uuid, other: Uuid) -> Result<Step, Error> {
        let (id, now) = (self.ids.owned_by(member), self.clock.now());
        let mut tx = begin(&self.db).await?;
        let step = steps::request(&mut tx, id, member, other, now).await?;
        facts::stepped(&self.outbox, &mut tx, &step, now).await?;
        tx.commit().await?;
        Ok(step)
    }

    async fn answer(&self, member: Uuid, answered: &Answered) -> Result<Step, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let step = steps::answer(&mut tx, answered.connection, member, answered.answer, now).await?;
        facts::stepped(&self.outbox, &mut tx, &step, now).await?;
        tx.commit().await?;
        Ok(step)
    }

    async fn remove(&self, member: Uuid, connection: Uuid) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        let step = steps::remove(&mut tx, connection, member).await?;
        facts::stepped(&self.outbox, &mut tx, &step, self.clock.now()).await?;
        Ok(tx.commit().await?)
    }

    async fn block(&self, member: Uuid, other: Uuid) -> Result<(), Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let blocked = blocks::put(&mut tx, member, other, now).await?;
        if let Some(step) = blocked.severed {
            facts::stepped(&self.outbox, &mut tx, &step, now).await?;
        }
        if blocked.new {
            facts::blocked(&self.outbox, &mut tx, member, other, now).await?;
        }
        Ok(tx.commit().await?)
    }

    async fn unblock(&self, member: Uuid, other: Uuid) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        if blocks::lift(&mut tx, member, other).await? {
            facts::unblocked(&self.outbox, &mut tx, member, other, self.clock.now()).await?;
        }
        Ok(tx.commit().await?)
    }
}

#[tonic::async_trait]
impl SocialGraphService for Rpc {
    type ExportMemberStream = ReceiverStream<Result<ExportMemberResponse, Status>>;

    async fn list_connections(
        &self,
        request: Request<ListConnectionsRequest>,
    ) -> Result<Response<ListConnectionsResponse>, Status> {
        let member = Actor::member(&request)?;
        let browse = BrowseConnections::try_from(request.into_inner())?;
        let mut reader = self.reader().await?;
        let page = connections::list(&mut reader, member, &browse).await?;
        let total = counts::of(&mut reader, member).await.map_err(Error::from)?.connections;
        let (connections, next_page_token) = page.into_wire();
        Ok(Response::new(ListConnectionsResponse { connections, next_page_token, total }))
    }

    async fn list_pending_requests(
        &self,
        request: Request<ListPendingRequestsRequest>,
    ) -> Result<Response<ListPendingRequestsResponse>, Status> {
        let member = Actor::member(&request)?;
        let browse = BrowseConnections::try_from(request.into_inner())?;
        let mut reader = self.reader().await?;
        let page = connections::pending(&mut reader, member, &browse).await?;
        let total = counts::of(&mut reader, member).await.map_err(Error::from)?.requests;
        let (connections, next_page_token) = page.into_wire();
        Ok(Response::new(ListPendingRequestsResponse { connections, next_page_token, total }))
    }

    async fn find_connection(
        &self,
        request: Request<FindConnectionRequest>,
    ) -> Result<Response<FindConnectionResponse>, Status> {
        let member = Actor::member(&request)?;
        let Other(other) = Other::try_from(request.into_inner())?;
        let connection = connections::find(&mut *self.reader().await?, member, other).await?;
        Ok(Response::new(FindConnectionResponse { connection: connection.map(Connection::from) }))
    }

    async fn list_suggestions(
        &self,
        request: Request<ListSuggestionsRequest>,
    ) -> Result<Response<ListSuggestionsResponse>, Status> {
        let member = Actor::member(&request)?;
        let Suggest(size) = Suggest::try_from(request.into_inner())?;
        let suggestions = suggestions::list(&mut *self.reader().await?, member, size).await?;
        let suggestions = suggestions.into_iter().map(Suggestion::from).collect();
        Ok(Response::new(ListSuggestionsResponse { suggestions }))
    }

    async fn list_communities(
        &self,
        request: Request<ListCommunitiesRequest>,
    ) -> Result<Response<ListCommunitiesResponse>, Status> {
        let browse = BrowseCommunities::try_from(request.into_inner())?;
        let page = communities::list(&mut *self.reader().await?, &browse).await?;
        let (communities, next_page_token) = page.into_wire();
        Ok(Response::new(ListCommunitiesResponse { communities, next_page_token }))
    }

    async fn list_events(&self, request: Request<ListEventsRequest>) -> Result<Response<ListEventsResponse>, Status> {
        let browse = BrowseEvents::try_from(request.into_inner())?;
        let page = events::list(&mut *self.reader().await?, &browse, self.clock.now()).await?;
        let (events, next_page_token) = page.into_wire();
        Ok(Response::new(ListEventsResponse { events, next_page_token }))
    }
    async fn request_connection(
        &self,
        request: Request<RequestConnectionRequest>,
    ) -> Result<Response<RequestConnectionResponse>, Status> {
        let member = Actor::member(&request)?;
        let other = Other::than(member, &request.get_ref().member_id)?;
        let step = self.ask(member, other).await?;
        let changed = step.turn.is_some();
        Ok(Response::new(RequestConnectionResponse { connection: Some(step.connection.into()), changed }))
    }

    async fn answer_connection(
        &self,
        request: Request<AnswerConnectionRequest>,
    ) -> Result<Response<AnswerConnectionResponse>, Status> {
        let member = Actor::member(&request)?;
        let answered = Answered::try_from(request.into_inner())?;
        let step = self.answer(member, &answered).await?;
        Ok(Response::new(AnswerConnectionResponse { connection: Some(step.connection.into()) }))
    }

    async fn remove_connection(
        &self,
        request: Request<RemoveConnectionRequest>,
    ) -> Result<Response<RemoveConnectionResponse>, Status> {
        let member = Actor::member(&request)?;
        let connection = connection_id(&request.get_ref().connection_id)?;
        self.remove(member, connection).await?;
        Ok(Response::new(RemoveConnectionResponse {}))
    }

    async fn dismiss_suggestion(
        &self,
        request: Request<DismissSuggestionRequest>,
    ) -> Result<Response<DismissSuggestionResponse>, Status> {
        let member = Actor::member(&request)?;
        let other = Other::than(member, &request.get_ref().member_id)?;
        suggestions::dismiss(&mut *self.reader().await?, member, other, self.clock.now()).await?;
        Ok(Response::new(DismissSuggestionResponse {}))
    }

    async fn block_member(
        &self,
        request: Request<BlockMemberRequest>,
    ) -> Result<Response<BlockMemberResponse>, Status> {
        let member = Actor::member(&request)?;
        let other = Other::than(member, &request.get_ref().member_id)?;
        self.block(member, other).await?;
        Ok(Response::new(BlockMemberResponse {}))
    }

    async fn unblock_member(
        &self,
        request: Request<UnblockMemberRequest>,
    ) -> Result<Response<UnblockMemberResponse>, Status> {
        let member = Actor::member(&request)?;
        let Other(other) = Other::try_from(request.into_inner())?;
        self.unblock(member, other).await?;
        Ok(Response::new(UnblockMemberResponse {}))
    }

    async fn list_blocks(&self, request: Request<ListBlocksRequest>) -> Result<Response<ListBlocksResponse>, Status> {
        let member = Actor::member(&request)?;
        let browse = BrowseBlocks::try_from(request.into_inner())?;
        let page = blocks::list(&mut *self.reader().await?, member, &browse).await?;
        let (blocks, next_page_token) = page.into_wire();
        Ok(Response::new(ListBlocksResponse { blocks, next_page_token }))
    }

    async fn export_member(
        &self,
        request: Request<ExportMemberRequest>,
    ) -> Result<Response<Self::ExportMemberStream>, Status> {
        let member = Actor::member(&request)?;
        Ok(Response::new(export::stream(self.db.clone(), member)))
    }
}

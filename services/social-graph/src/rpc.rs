//! Every RPC: who asks, what is asked, the answer.

use chassis::{actor::Actor, clock::Clock};
use portia_proto::social_graph::{
    Connection, FindConnectionRequest, FindConnectionResponse, ListCommunitiesRequest, ListCommunitiesResponse,
    ListConnectionsRequest, ListConnectionsResponse, ListEventsRequest, ListEventsResponse, ListPendingRequestsRequest,
    ListPendingRequestsResponse, ListSuggestionsRequest, ListSuggestionsResponse, Suggestion,
    social_graph_service_server::SocialGraphService,
};
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tonic::{Request, Response, Status};

use crate::{
    communities, connections,
    convert::{BrowseCommunities, BrowseConnections, BrowseEvents, Other, Suggest},
    error::Error,
    events, suggestions,
};

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub clock: Clock,
}

impl Rpc {
    /// A connection to read with: one statement needs no transaction.
    async fn reader(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }
}

#[tonic::async_trait]
impl SocialGraphService for Rpc {
    async fn list_connections(
        &self,
        request: Request<ListConnectionsRequest>,
    ) -> Result<Response<ListConnectionsResponse>, Status> {
        let member = Actor::member(&request)?;
        let browse = BrowseConnections::try_from(request.into_inner())?;
        let page = connections::list(&mut *self.reader().await?, member, &browse).await?;
        let (connections, next_page_token) = page.into_wire();
        Ok(Response::new(ListConnectionsResponse { connections, next_page_token }))
    }

    async fn list_pending_requests(
        &self,
        request: Request<ListPendingRequestsRequest>,
    ) -> Result<Response<ListPendingRequestsResponse>, Status> {
        let member = Actor::member(&request)?;
        let browse = BrowseConnections::try_from(request.into_inner())?;
        let page = connections::pending(&mut *self.reader().await?, member, &browse).await?;
        let (connections, next_page_token) = page.into_wire();
        Ok(Response::new(ListPendingRequestsResponse { connections, next_page_token }))
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
}

//! Every RPC: who asks, what is asked, the answer.

use chassis::actor::Actor;
use portia_proto::messaging::{
    ExportMemberRequest, ListConversationsRequest, ListConversationsResponse,
    messaging_service_server::MessagingService,
};
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tonic::{Request, Response, Status};

use crate::{
    conversations,
    convert::MyConversations,
    error::Error,
    export::{Exports, Records},
};

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub exports: Exports,
}

impl Rpc {
    /// A connection to read with: one statement needs no transaction.
    async fn reader(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }
}

#[tonic::async_trait]
impl MessagingService for Rpc {
    async fn list_conversations(
        &self,
        request: Request<ListConversationsRequest>,
    ) -> Result<Response<ListConversationsResponse>, Status> {
        let member = Actor::member(&request)?;
        let mine = MyConversations::try_from(request.into_inner())?;
        let page = conversations::list(&mut *self.reader().await?, member, &mine).await?;
        let (conversations, next_page_token) = page.into_wire();
        Ok(Response::new(ListConversationsResponse { conversations, next_page_token }))
    }

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<ExportMemberRequest>) -> Result<Response<Records>, Status> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.of(member)))
    }
}

//! Every RPC, and which file answers it.

mod conversations;
mod notifications;

use outbox::Outbox;
use portia_proto::messaging::{self as wire, messaging_service_server::MessagingService};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tonic::{Request, Response, Status};

use crate::{
    error::Error,
    export::{Exports, Records},
    notifications::Bell,
    unread,
};

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub clock: Clock,
    pub ids: Ids,
    pub outbox: Outbox,
    pub bell: Bell,
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
impl MessagingService for Rpc {
    async fn list_conversations(
        &self,
        request: Request<wire::ListConversationsRequest>,
    ) -> Answer<wire::ListConversationsResponse> {
        conversations::list(self, request).await
    }

    async fn list_partners(&self, request: Request<wire::ListPartnersRequest>) -> Answer<wire::ListPartnersResponse> {
        conversations::partners(self, request).await
    }

    async fn get_conversation(
        &self,
        request: Request<wire::GetConversationRequest>,
    ) -> Answer<wire::GetConversationResponse> {
        conversations::find(self, request).await
    }

    async fn open_conversation(
        &self,
        request: Request<wire::OpenConversationRequest>,
    ) -> Answer<wire::OpenConversationResponse> {
        conversations::open(self, request).await
    }

    async fn accept_request(
        &self,
        request: Request<wire::AcceptRequestRequest>,
    ) -> Answer<wire::AcceptRequestResponse> {
        conversations::accept(self, request).await
    }

    async fn clear_conversation(
        &self,
        request: Request<wire::ClearConversationRequest>,
    ) -> Answer<wire::ClearConversationResponse> {
        conversations::clear(self, request).await
    }

    async fn list_messages(&self, request: Request<wire::ListMessagesRequest>) -> Answer<wire::ListMessagesResponse> {
        conversations::messages(self, request).await
    }

    async fn send_message(&self, request: Request<wire::SendMessageRequest>) -> Answer<wire::SendMessageResponse> {
        conversations::send(self, request).await
    }

    async fn mark_read(&self, request: Request<wire::MarkReadRequest>) -> Answer<wire::MarkReadResponse> {
        conversations::mark_read(self, request).await
    }

    async fn note_typing(&self, request: Request<wire::NoteTypingRequest>) -> Answer<wire::NoteTypingResponse> {
        conversations::note_typing(self, request).await
    }

    async fn get_unread(&self, request: Request<wire::GetUnreadRequest>) -> Answer<wire::GetUnreadResponse> {
        let member = Actor::member(&request)?;
        let unread = unread::of(&mut *self.reader().await?, member).await.map_err(Error::from)?;
        Ok(Response::new(unread.into()))
    }

    async fn list_notifications(
        &self,
        request: Request<wire::ListNotificationsRequest>,
    ) -> Answer<wire::ListNotificationsResponse> {
        notifications::list(self, request).await
    }

    async fn mark_notifications_read(
        &self,
        request: Request<wire::MarkNotificationsReadRequest>,
    ) -> Answer<wire::MarkNotificationsReadResponse> {
        notifications::mark_read(self, request).await
    }

    async fn list_notification_switches(
        &self,
        request: Request<wire::ListNotificationSwitchesRequest>,
    ) -> Answer<wire::ListNotificationSwitchesResponse> {
        notifications::switches(self, request).await
    }

    async fn set_notification_switches(
        &self,
        request: Request<wire::SetNotificationSwitchesRequest>,
    ) -> Answer<wire::SetNotificationSwitchesResponse> {
        notifications::set_switches(self, request).await
    }

    async fn get_message(&self, request: Request<wire::GetMessageRequest>) -> Answer<wire::GetMessageResponse> {
        conversations::message(self, request).await
    }

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<wire::ExportMemberRequest>) -> Answer<Records> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}

//! The RPCs of portia.messaging.v1.MessagingService. Each file in `rpc/` holds one feature with its transactions.

mod attachments;
mod conversations;
mod groups;
mod messages;
mod notifications;
mod push;
mod unread;

use idempotency::IdempotencyKeys;
use outbox::Outbox;
use picture_store::Encoder;
use portia_proto::messaging::{self as pb, messaging_service_server};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use tonic::{Request, Response, Status, Streaming};

use self::attachments::{AttachmentStream, ReportedAttachmentStream};
use crate::{
    conversations::effects::Effects,
    error::Error,
    export::{Exporter, RecordStream},
    notifications::Notifier,
    push::Push,
};

pub struct MessagingService {
    pub db: db::Pool,
    pub clock: Clock,
    pub ids: Ids,
    pub outbox: Outbox,
    pub notifier: Notifier,
    pub push: Push,
    /// Re-encodes pictures of messages.
    pub encoder: Encoder,
    /// The idempotency keys of uploads. Keys of messages are stored elsewhere and do not expire.
    pub keys: IdempotencyKeys,
    pub exports: Exporter,
    /// Multiplies the allowance of message requests.
    pub rate_limit_scale: u32,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl MessagingService {
    /// Acquires a connection for reads, which need no transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }

    async fn begin(&self) -> Result<db::Transaction, Error> {
        Ok(db::begin(&self.db).await?)
    }

    /// Applies the effects of a transition and commits.
    async fn commit_with(&self, mut tx: db::Transaction, effects: Effects) -> Result<(), Error> {
        effects.apply(&mut tx, &self.outbox, self.clock.now()).await?;
        commit(tx).await
    }
}

async fn commit(tx: db::Transaction) -> Result<(), Error> {
    Ok(tx.commit().await?)
}

#[tonic::async_trait]
impl messaging_service_server::MessagingService for MessagingService {
    type ExportMemberStream = RecordStream;
    type DownloadAttachmentStream = AttachmentStream;
    type DownloadReportedAttachmentStream = ReportedAttachmentStream;

    async fn list_conversations(
        &self,
        request: Request<pb::ListConversationsRequest>,
    ) -> RpcResult<pb::ListConversationsResponse> {
        conversations::list(self, request).await
    }

    async fn list_partners(&self, request: Request<pb::ListPartnersRequest>) -> RpcResult<pb::ListPartnersResponse> {
        conversations::list_partners(self, request).await
    }

    async fn get_conversation(
        &self,
        request: Request<pb::GetConversationRequest>,
    ) -> RpcResult<pb::GetConversationResponse> {
        conversations::get(self, request).await
    }

    async fn open_conversation(
        &self,
        request: Request<pb::OpenConversationRequest>,
    ) -> RpcResult<pb::OpenConversationResponse> {
        conversations::open(self, request).await
    }

    async fn accept_request(&self, request: Request<pb::AcceptRequestRequest>) -> RpcResult<pb::AcceptRequestResponse> {
        conversations::accept(self, request).await
    }

    async fn clear_conversation(
        &self,
        request: Request<pb::ClearConversationRequest>,
    ) -> RpcResult<pb::ClearConversationResponse> {
        conversations::clear(self, request).await
    }

    async fn mute_conversation(
        &self,
        request: Request<pb::MuteConversationRequest>,
    ) -> RpcResult<pb::MuteConversationResponse> {
        conversations::set_muted(self, request).await
    }

    async fn list_messages(&self, request: Request<pb::ListMessagesRequest>) -> RpcResult<pb::ListMessagesResponse> {
        messages::list(self, request).await
    }

    async fn search_messages(
        &self,
        request: Request<pb::SearchMessagesRequest>,
    ) -> RpcResult<pb::SearchMessagesResponse> {
        messages::search(self, request).await
    }

    async fn upload_picture(
        &self,
        request: Request<Streaming<pb::UploadPictureRequest>>,
    ) -> RpcResult<pb::UploadPictureResponse> {
        attachments::upload_picture(self, request).await
    }

    async fn upload_file(
        &self,
        request: Request<Streaming<pb::UploadFileRequest>>,
    ) -> RpcResult<pb::UploadFileResponse> {
        attachments::upload_file(self, request).await
    }

    async fn download_attachment(
        &self,
        request: Request<pb::DownloadAttachmentRequest>,
    ) -> RpcResult<AttachmentStream> {
        attachments::download(self, request).await
    }

    async fn preserve_message(
        &self,
        request: Request<pb::PreserveMessageRequest>,
    ) -> RpcResult<pb::PreserveMessageResponse> {
        messages::preserve(self, request).await
    }

    async fn list_reported_attachments(
        &self,
        request: Request<pb::ListReportedAttachmentsRequest>,
    ) -> RpcResult<pb::ListReportedAttachmentsResponse> {
        attachments::list_reported(self, request).await
    }

    async fn download_reported_attachment(
        &self,
        request: Request<pb::DownloadReportedAttachmentRequest>,
    ) -> RpcResult<ReportedAttachmentStream> {
        attachments::download_reported(self, request).await
    }

    async fn send_message(&self, request: Request<pb::SendMessageRequest>) -> RpcResult<pb::SendMessageResponse> {
        messages::send(self, request).await
    }

    async fn edit_message(&self, request: Request<pb::EditMessageRequest>) -> RpcResult<pb::EditMessageResponse> {
        messages::edit(self, request).await
    }

    async fn delete_message(&self, request: Request<pb::DeleteMessageRequest>) -> RpcResult<pb::DeleteMessageResponse> {
        messages::delete(self, request).await
    }

    async fn react_to_message(
        &self,
        request: Request<pb::ReactToMessageRequest>,
    ) -> RpcResult<pb::ReactToMessageResponse> {
        messages::react(self, request).await
    }

    async fn get_message(&self, request: Request<pb::GetMessageRequest>) -> RpcResult<pb::GetMessageResponse> {
        messages::get(self, request).await
    }

    async fn mark_read(&self, request: Request<pb::MarkReadRequest>) -> RpcResult<pb::MarkReadResponse> {
        messages::mark_read(self, request).await
    }

    async fn note_typing(&self, request: Request<pb::NoteTypingRequest>) -> RpcResult<pb::NoteTypingResponse> {
        messages::note_typing(self, request).await
    }

    async fn get_unread(&self, request: Request<pb::GetUnreadRequest>) -> RpcResult<pb::GetUnreadResponse> {
        unread::get(self, request).await
    }

    async fn list_notifications(
        &self,
        request: Request<pb::ListNotificationsRequest>,
    ) -> RpcResult<pb::ListNotificationsResponse> {
        notifications::list(self, request).await
    }

    async fn mark_notifications_read(
        &self,
        request: Request<pb::MarkNotificationsReadRequest>,
    ) -> RpcResult<pb::MarkNotificationsReadResponse> {
        notifications::mark_read(self, request).await
    }

    async fn list_notification_switches(
        &self,
        request: Request<pb::ListNotificationSwitchesRequest>,
    ) -> RpcResult<pb::ListNotificationSwitchesResponse> {
        notifications::list_switches(self, request).await
    }

    async fn set_notification_switches(
        &self,
        request: Request<pb::SetNotificationSwitchesRequest>,
    ) -> RpcResult<pb::SetNotificationSwitchesResponse> {
        notifications::set_switches(self, request).await
    }

    async fn create_group(&self, request: Request<pb::CreateGroupRequest>) -> RpcResult<pb::CreateGroupResponse> {
        groups::create(self, request).await
    }

    async fn update_group(&self, request: Request<pb::UpdateGroupRequest>) -> RpcResult<pb::UpdateGroupResponse> {
        groups::update(self, request).await
    }

    async fn add_group_members(
        &self,
        request: Request<pb::AddGroupMembersRequest>,
    ) -> RpcResult<pb::AddGroupMembersResponse> {
        groups::add_members(self, request).await
    }

    async fn remove_group_member(
        &self,
        request: Request<pb::RemoveGroupMemberRequest>,
    ) -> RpcResult<pb::RemoveGroupMemberResponse> {
        groups::remove_member(self, request).await
    }

    async fn list_group_members(
        &self,
        request: Request<pb::ListGroupMembersRequest>,
    ) -> RpcResult<pb::ListGroupMembersResponse> {
        groups::list_members(self, request).await
    }

    async fn get_push_settings(
        &self,
        request: Request<pb::GetPushSettingsRequest>,
    ) -> RpcResult<pb::GetPushSettingsResponse> {
        push::settings(self, request).await
    }

    async fn set_push_subscription(
        &self,
        request: Request<pb::SetPushSubscriptionRequest>,
    ) -> RpcResult<pb::SetPushSubscriptionResponse> {
        push::set(self, request).await
    }

    async fn delete_push_subscription(
        &self,
        request: Request<pb::DeletePushSubscriptionRequest>,
    ) -> RpcResult<pb::DeletePushSubscriptionResponse> {
        push::delete(self, request).await
    }

    async fn export_member(&self, request: Request<pb::ExportMemberRequest>) -> RpcResult<RecordStream> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}

//! Fake messaging: one conversation of Ana and Ben, and notifications for every member.

use portia_proto::messaging::{self, mark_notifications_read_request::Selection};
use primitives::error::ErrorKind;
use rpc::identity::Actor;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, signed_in};
use crate::actors::{self, ANA, BEN, CARL, CONVERSATION, GROUP, MESSAGE, NOTIFICATION, PUSH_SUBSCRIPTION};

/// Ana owns the group and Ben belongs to it; an error for other members.
fn group(conversation: &str, actor: Option<Uuid>) -> Result<messaging::Conversation, Status> {
    signed_in(actor)?;
    if conversation != GROUP.to_string() || ![Some(ANA), Some(BEN)].contains(&actor) {
        return Err(refuse(ErrorKind::NotFound, "CONVERSATION_NOT_FOUND", "Conversation not found"));
    }
    Ok(messaging::Conversation { id: GROUP.to_string(), ..actors::group() })
}

/// New members are named.
fn named(members: &[String]) -> Result<(), Status> {
    if members.is_empty() {
        return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "memberIds", "This must not be empty."));
    }
    Ok(())
}

/// Only Ana changes the group.
fn own_group(conversation: &str, actor: Option<Uuid>) -> Result<messaging::Conversation, Status> {
    let group = group(conversation, actor)?;
    if actor == Some(ANA) {
        return Ok(group);
    }
    Err(refuse(ErrorKind::Forbidden, "NOT_GROUP_OWNER", "Only the owner of the group can do this."))
}

/// The other participant; an error for members who are not participants.
fn other(conversation: &str, actor: Option<Uuid>) -> Result<Uuid, Status> {
    signed_in(actor)?;
    match actor {
        Some(ANA) if conversation == CONVERSATION.to_string() => Ok(BEN),
        Some(BEN) if conversation == CONVERSATION.to_string() => Ok(ANA),
        _ => Err(refuse(ErrorKind::NotFound, "CONVERSATION_NOT_FOUND", "Conversation not found")),
    }
}

fn known_message(id: &str) -> Result<(), Status> {
    if id == MESSAGE.to_string() {
        return Ok(());
    }
    if Uuid::try_parse(id).is_err() {
        return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "messageId", "This is not an id."));
    }
    Err(refuse(ErrorKind::NotFound, "MESSAGE_NOT_FOUND", "Message not found"))
}

/// Ben sent the message.
fn own_message(conversation: &str, message: &str, actor: Option<Uuid>) -> Result<(), Status> {
    other(conversation, actor)?;
    known_message(message)?;
    if actor == Some(BEN) {
        return Ok(());
    }
    Err(refuse(ErrorKind::Forbidden, "NOT_SENDER", "You can change only your own messages."))
}

/// A picture, or the file.
fn attachment(picture: Option<i32>) -> (messaging::DownloadedAttachment, Vec<u8>) {
    let (name, bytes): (&str, &[u8]) = match picture {
        Some(_) => ("", b"\xff\xd8\xff jpeg"),
        None => ("Brief \u{2014} \u{f1}.pdf", b"%PDF-1.7"),
    };
    (messaging::DownloadedAttachment { name: name.to_owned(), size: bytes.len() as i32 }, bytes.to_vec())
}

fake!(messaging::messaging_service_server::MessagingService [exports messaging as "messaging" with part] [also {
    async fn upload_picture(
        &self,
        request: Request<tonic::Streaming<messaging::UploadPictureRequest>>,
    ) -> Result<Response<messaging::UploadPictureResponse>, Status> {
        let (metadata, extensions, mut chunks) = request.into_parts();
        let mut all = messaging::UploadPictureRequest::default();
        while let Some(message) = chunks.message().await? {
            all.idempotency_key = all.idempotency_key.or(message.idempotency_key);
            all.chunk.extend(message.chunk);
        }
        let is_picture = all.chunk.starts_with(crate::pictures::PNG);
        // A summary, because the file may have megabytes.
        let chunk = format!("{} bytes", all.chunk.len()).into_bytes();
        let seen = Request::from_parts(metadata, extensions, messaging::UploadPictureRequest { chunk, ..all });
        self.0.enter("upload_picture", &seen).await?;
        signed_in(Actor::viewer(&seen)?)?;
        if !is_picture {
            let sentence = "Failed to process image file. Please try another image.";
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "picture", sentence));
        }
        let picture_id = actors::PICTURE_ID.to_string();
        Ok(Response::new(messaging::UploadPictureResponse { picture_id, width: 1600, height: 1200 }))
    }

    async fn upload_file(
        &self,
        request: Request<tonic::Streaming<messaging::UploadFileRequest>>,
    ) -> Result<Response<messaging::UploadFileResponse>, Status> {
        let (metadata, extensions, mut messages) = request.into_parts();
        let mut all = messages.message().await?.unwrap_or_default();
        while let Some(message) = messages.message().await? {
            all.chunk.extend(message.chunk);
        }
        let (is_pdf, name, size) = (all.chunk.starts_with(b"%PDF-"), all.name.clone(), all.chunk.len());
        let chunk = format!("{size} bytes").into_bytes();
        let seen = Request::from_parts(metadata, extensions, messaging::UploadFileRequest { chunk, ..all });
        self.0.enter("upload_file", &seen).await?;
        signed_in(Actor::viewer(&seen)?)?;
        if !is_pdf {
            let sentence = "This is not a PDF file. Please choose another one.";
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "file", sentence));
        }
        let (file_id, size) = (actors::PICTURE_ID.to_string(), i32::try_from(size).unwrap());
        Ok(Response::new(messaging::UploadFileResponse { file_id, name, size }))
    }

    type DownloadAttachmentStream = BoxStream<messaging::DownloadAttachmentResponse>;

    // The message of Ben has a picture and a file.
    async fn download_attachment(
        &self,
        request: Request<messaging::DownloadAttachmentRequest>,
    ) -> Result<Response<Self::DownloadAttachmentStream>, Status> {
        self.0.enter("download_attachment", &request).await?;
        let actor = Actor::viewer(&request)?;
        signed_in(actor)?;
        let asked = request.get_ref();
        let is_known = asked.message_id == MESSAGE.to_string() && asked.picture.is_none_or(|picture| picture == 1);
        if !is_known || other(&CONVERSATION.to_string(), actor).is_err() {
            return Err(refuse(ErrorKind::NotFound, "ATTACHMENT_NOT_FOUND", "Attachment not found"));
        }
        let (attachment, chunk) = attachment(asked.picture);
        let first = messaging::DownloadAttachmentResponse { attachment: Some(attachment), chunk: Vec::new() };
        let rest = messaging::DownloadAttachmentResponse { attachment: None, chunk };
        Ok(Response::new(Box::pin(tokio_stream::iter([Ok(first), Ok(rest)]))))
    }

    type DownloadReportedAttachmentStream = BoxStream<messaging::DownloadReportedAttachmentResponse>;

    async fn download_reported_attachment(
        &self,
        request: Request<messaging::DownloadReportedAttachmentRequest>,
    ) -> Result<Response<Self::DownloadReportedAttachmentStream>, Status> {
        self.0.enter("download_reported_attachment", &request).await?;
        Actor::moderator(&request)?;
        let asked = request.get_ref();
        if asked.message_id != MESSAGE.to_string() || asked.picture.is_some_and(|picture| picture != 1) {
            return Err(refuse(ErrorKind::NotFound, "ATTACHMENT_NOT_FOUND", "Attachment not found"));
        }
        let (attachment, chunk) = attachment(asked.picture);
        let first = messaging::DownloadReportedAttachmentResponse { attachment: Some(attachment), chunk: Vec::new() };
        let rest = messaging::DownloadReportedAttachmentResponse { attachment: None, chunk };
        Ok(Response::new(Box::pin(tokio_stream::iter([Ok(first), Ok(rest)]))))
    }
}] {
    list_conversations(messaging::ListConversationsRequest) -> messaging::ListConversationsResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let mut conversations = vec![actors::conversation(Some(BEN)), actors::conversation(None)];
            if request.folder() == messaging::Folder::Requests {
                conversations.iter_mut().for_each(|conversation| conversation.folder = request.folder);
            }
            if request.folder() == messaging::Folder::Inbox && request.search.contains("moot") {
                conversations.push(actors::group());
            }
            Ok(messaging::ListConversationsResponse { conversations, next_page_token: "more".to_owned() })
        }
    }
    list_partners(messaging::ListPartnersRequest) -> messaging::ListPartnersResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let inbox = request.folder() == messaging::Folder::Inbox;
            let members = if inbox { vec![BEN.to_string(), CARL.to_string()] } else { Vec::new() };
            Ok(messaging::ListPartnersResponse { member_ids: members })
        }
    }
    get_conversation(messaging::GetConversationRequest) -> messaging::GetConversationResponse {
        |_, request, actor| {
            let other = other(&request.conversation_id, actor)?;
            Ok(messaging::GetConversationResponse { conversation: Some(actors::conversation(Some(other))) })
        }
    }
    open_conversation(messaging::OpenConversationRequest) -> messaging::OpenConversationResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let member = Uuid::try_parse(&request.member_id).ok();
            if member == actor {
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "memberId", "This is yourself."));
            }
            // Only Ben is connected with Dina.
            if member == Some(actors::DINA) && actor == Some(ANA) {
                return Err(refuse(ErrorKind::Forbidden, "MESSAGES_CLOSED", "This member does not accept new messages."));
            }
            // Ana blocks Carl.
            if [member, actor].contains(&Some(CARL)) {
                return Err(refuse(ErrorKind::NotFound, "MEMBER_NOT_FOUND", "Member not found"));
            }
            let opened = messaging::Conversation { waiting: true, ..actors::conversation(member) };
            Ok(messaging::OpenConversationResponse { conversation: Some(opened), created: actor == Some(ANA) })
        }
    }
    accept_request(messaging::AcceptRequestRequest) -> messaging::AcceptRequestResponse {
        |_, request, actor| {
            let other = other(&request.conversation_id, actor)?;
            Ok(messaging::AcceptRequestResponse { conversation: Some(actors::conversation(Some(other))) })
        }
    }
    clear_conversation(messaging::ClearConversationRequest) -> messaging::ClearConversationResponse {
        |_, request, actor| other(&request.conversation_id, actor).map(|_| messaging::ClearConversationResponse {})
    }
    mute_conversation(messaging::MuteConversationRequest) -> messaging::MuteConversationResponse {
        |_, request, actor| {
            let other = other(&request.conversation_id, actor)?;
            Ok(messaging::MuteConversationResponse { conversation: Some(actors::conversation(Some(other))) })
        }
    }
    list_messages(messaging::ListMessagesRequest) -> messaging::ListMessagesResponse {
        |_, request, actor| {
            if let Ok(group) = group(&request.conversation_id, actor) {
                let (messages, next_page_token) = (actors::group_messages(), String::new());
                return Ok(messaging::ListMessagesResponse { messages, next_page_token, conversation: Some(group) });
            }
            let other = other(&request.conversation_id, actor)?;
            // Ben has read everything.
            let unread_count = i32::from(actor == Some(ANA));
            Ok(messaging::ListMessagesResponse {
                messages: actors::messages(),
                next_page_token: "older".to_owned(),
                conversation: Some(messaging::Conversation { unread_count, ..actors::conversation(Some(other)) }),
            })
        }
    }
    send_message(messaging::SendMessageRequest) -> messaging::SendMessageResponse {
        |_, request, actor| {
            other(&request.conversation_id, actor)?;
            let is_empty = request.pictures.is_empty() && request.file_id.is_none();
            if request.content.trim().is_empty() && is_empty {
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "content", "This must not be empty."));
            }
            let message = messaging::Message {
                sender_id: actor.map(|actor| actor.to_string()),
                content: request.content,
                ..actors::messages().remove(0)
            };
            Ok(messaging::SendMessageResponse { message: Some(message) })
        }
    }
    search_messages(messaging::SearchMessagesRequest) -> messaging::SearchMessagesResponse {
        |_, request, actor| {
            signed_in(actor)?;
            if request.query == "invalid" {
                return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "query", "This is invalid."));
            }
            let message = actors::messages().into_iter().next();
            let found = messaging::FoundMessage { message, other_member_id: Some(BEN.to_string()), group: None };
            Ok(messaging::SearchMessagesResponse { messages: vec![found], next_page_token: "more".to_owned() })
        }
    }
    edit_message(messaging::EditMessageRequest) -> messaging::EditMessageResponse {
        |_, request, actor| {
            own_message(&request.conversation_id, &request.message_id, actor)?;
            let message = actors::messages().into_iter().next();
            let message = message.map(|message| messaging::Message { content: request.content, ..message });
            Ok(messaging::EditMessageResponse { message })
        }
    }
    delete_message(messaging::DeleteMessageRequest) -> messaging::DeleteMessageResponse {
        |_, request, actor| {
            own_message(&request.conversation_id, &request.message_id, actor)?;
            Ok(messaging::DeleteMessageResponse {})
        }
    }
    react_to_message(messaging::ReactToMessageRequest) -> messaging::ReactToMessageResponse {
        |_, request, actor| {
            other(&request.conversation_id, actor)?;
            known_message(&request.message_id)?;
            Ok(messaging::ReactToMessageResponse { message: actors::messages().into_iter().next() })
        }
    }
    mark_read(messaging::MarkReadRequest) -> messaging::MarkReadResponse {
        |_, request, actor| {
            other(&request.conversation_id, actor)?;
            known_message(&request.message_id).map(|()| messaging::MarkReadResponse {})
        }
    }
    note_typing(messaging::NoteTypingRequest) -> messaging::NoteTypingResponse {
        |_, request, actor| {
            let other = other(&request.conversation_id, actor)?;
            Ok(messaging::NoteTypingResponse { recipient_id: Some(other.to_string()), recipient_ids: Vec::new() })
        }
    }
    create_group(messaging::CreateGroupRequest) -> messaging::CreateGroupResponse {
        |_, request, actor| {
            signed_in(actor)?;
            named(&request.member_ids)?;
            Ok(messaging::CreateGroupResponse { conversation: Some(actors::group()) })
        }
    }
    update_group(messaging::UpdateGroupRequest) -> messaging::UpdateGroupResponse {
        |_, request, actor| {
            let conversation = Some(own_group(&request.conversation_id, actor)?);
            Ok(messaging::UpdateGroupResponse { conversation })
        }
    }
    add_group_members(messaging::AddGroupMembersRequest) -> messaging::AddGroupMembersResponse {
        |_, request, actor| {
            let conversation = Some(own_group(&request.conversation_id, actor)?);
            named(&request.member_ids)?;
            Ok(messaging::AddGroupMembersResponse { conversation })
        }
    }
    remove_group_member(messaging::RemoveGroupMemberRequest) -> messaging::RemoveGroupMemberResponse {
        |_, request, actor| {
            if actor.is_some_and(|actor| actor.to_string() == request.member_id) {
                group(&request.conversation_id, actor)?;
            } else {
                own_group(&request.conversation_id, actor)?;
            }
            Ok(messaging::RemoveGroupMemberResponse {})
        }
    }
    list_group_members(messaging::ListGroupMembersRequest) -> messaging::ListGroupMembersResponse {
        |_, request, actor| {
            group(&request.conversation_id, actor)?;
            let member = |id: Uuid, role: messaging::GroupRole| messaging::GroupMember {
                member_id: id.to_string(),
                role: role.into(),
            };
            let (owner, other) = (messaging::GroupRole::Owner, messaging::GroupRole::Member);
            Ok(messaging::ListGroupMembersResponse { members: vec![member(ANA, owner), member(BEN, other)] })
        }
    }
    get_unread(messaging::GetUnreadRequest) -> messaging::GetUnreadResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(messaging::GetUnreadResponse { messages: 3, requests: 1, notifications: 2 })
        }
    }
    list_notifications(messaging::ListNotificationsRequest) -> messaging::ListNotificationsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let notifications = actors::notifications();
            Ok(messaging::ListNotificationsResponse { notifications, next_page_token: "more".to_owned() })
        }
    }
    mark_notifications_read(messaging::MarkNotificationsReadRequest) -> messaging::MarkNotificationsReadResponse {
        |_, request, actor| {
            signed_in(actor)?;
            match request.selection {
                Some(Selection::NotificationId(id)) if id != NOTIFICATION.to_string() => {
                    Err(refuse(ErrorKind::NotFound, "NOTIFICATION_NOT_FOUND", "Notification not found"))
                }
                Some(_) => Ok(messaging::MarkNotificationsReadResponse {}),
                None => Err(refuse(ErrorKind::Invalid, "INVALID", "Nothing is named.")),
            }
        }
    }
    list_notification_switches(
        messaging::ListNotificationSwitchesRequest
    ) -> messaging::ListNotificationSwitchesResponse {
        |_, _, actor| {
            signed_in(actor)?;
            Ok(messaging::ListNotificationSwitchesResponse { switches: actors::switches(&[]) })
        }
    }
    set_notification_switches(
        messaging::SetNotificationSwitchesRequest
    ) -> messaging::SetNotificationSwitchesResponse {
        |_, request, actor| {
            signed_in(actor)?;
            Ok(messaging::SetNotificationSwitchesResponse { switches: actors::switches(&request.switches) })
        }
    }
    get_push_settings(messaging::GetPushSettingsRequest) -> messaging::GetPushSettingsResponse {
        |_, _, actor| {
            signed_in(actor)?;
            let subscriptions = vec![actors::push_subscription()];
            Ok(messaging::GetPushSettingsResponse { public_key: vec![4; 65], subscriptions })
        }
    }
    set_push_subscription(messaging::SetPushSubscriptionRequest) -> messaging::SetPushSubscriptionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            let messaging::SetPushSubscriptionRequest { topics, browser, .. } = request;
            let subscription = messaging::PushSubscription { topics, browser, ..actors::push_subscription() };
            Ok(messaging::SetPushSubscriptionResponse { subscription: Some(subscription) })
        }
    }
    // The browser of Ana.
    delete_push_subscription(messaging::DeletePushSubscriptionRequest) -> messaging::DeletePushSubscriptionResponse {
        |_, request, actor| {
            signed_in(actor)?;
            if actor == Some(ANA) && request.subscription_id == PUSH_SUBSCRIPTION.to_string() {
                return Ok(messaging::DeletePushSubscriptionResponse {});
            }
            Err(refuse(ErrorKind::NotFound, "PUSH_SUBSCRIPTION_NOT_FOUND", "This device is not subscribed."))
        }
    }
    get_message(messaging::GetMessageRequest) -> messaging::GetMessageResponse {
        |_, request, actor| {
            known_message(&request.message_id)?;
            // Not found for members who are not participants.
            if other(&CONVERSATION.to_string(), actor).is_err() {
                return Err(refuse(ErrorKind::NotFound, "MESSAGE_NOT_FOUND", "Message not found"));
            }
            Ok(messaging::GetMessageResponse { message: actors::messages().into_iter().next() })
        }
    }
    preserve_message(messaging::PreserveMessageRequest) -> messaging::PreserveMessageResponse {
        |_, request, actor| {
            known_message(&request.message_id)?;
            // Not found for members who are not participants.
            if other(&CONVERSATION.to_string(), actor).is_err() {
                return Err(refuse(ErrorKind::NotFound, "MESSAGE_NOT_FOUND", "Message not found"));
            }
            Ok(messaging::PreserveMessageResponse { message: actors::messages().into_iter().next() })
        }
    }
    list_reported_attachments(messaging::ListReportedAttachmentsRequest) -> messaging::ListReportedAttachmentsResponse {
        |_, request, _| {
            known_message(&request.message_id)?;
            let pictures = actors::messages().remove(0).pictures;
            let file = Some(messaging::MessageFile { name: "Brief.pdf".to_owned(), size: 8 });
            Ok(messaging::ListReportedAttachmentsResponse { pictures, file })
        }
    }
});

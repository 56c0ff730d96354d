//! Fake messaging: one conversation of Ana and Ben, and notifications for every member.

use portia_proto::messaging::{self, mark_notifications_read_request::Selection};
use primitives::error::ErrorKind;
use tonic::Status;
use uuid::Uuid;

use super::{refuse, require_pdf, require_picture};
use crate::actors::{self, ANA, BEN, CARL, CONVERSATION, GROUP, MESSAGE, NOTIFICATION, PUSH_SUBSCRIPTION};
use crate::fakes::table::Table;

/// Ana owns the group and Ben belongs to it; an error for other members.
fn group(conversation: &str, actor: Option<Uuid>) -> Result<messaging::Conversation, Status> {
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

fn no_attachment() -> Status {
    refuse(ErrorKind::NotFound, "ATTACHMENT_NOT_FOUND", "Attachment not found")
}

/// The picture or the file of the message of Ben.
fn attachment(message: &str, picture: Option<i32>) -> Result<(messaging::DownloadedAttachment, Vec<u8>), Status> {
    let (name, bytes): (&str, &[u8]) = match picture {
        _ if message != MESSAGE.to_string() => return Err(no_attachment()),
        Some(1) => ("", b"\xff\xd8\xff jpeg"),
        Some(_) => return Err(no_attachment()),
        None => ("Brief \u{2014} \u{f1}.pdf", b"%PDF-1.7"),
    };
    let size = i32::try_from(bytes.len()).unwrap();
    Ok((messaging::DownloadedAttachment { name: name.to_owned(), size }, bytes.to_vec()))
}

pub fn add_to(table: &mut Table) {
    table.exports(["messaging.export_member", "export_member of messaging", "messaging"], |section, json| {
        messaging::ExportMemberResponse { section, json, part: None }
    });
    table.uploads(
        "messaging.upload_picture",
        |request: &mut messaging::UploadPictureRequest| &mut request.chunk,
        |_, file, _| {
            require_picture(file)?;
            let picture_id = actors::PICTURE_ID.to_string();
            Ok(messaging::UploadPictureResponse { picture_id, width: 1600, height: 1200 })
        },
    );
    table.uploads(
        "messaging.upload_file",
        |request: &mut messaging::UploadFileRequest| &mut request.chunk,
        |messaging::UploadFileRequest { name, .. }, file, _| {
            require_pdf(file)?;
            let (file_id, size) = (actors::PICTURE_ID.to_string(), i32::try_from(file.len()).unwrap());
            Ok(messaging::UploadFileResponse { file_id, name, size })
        },
    );
    // The message of Ben has a picture and a file.
    table.streams("messaging.download_attachment", |request: messaging::DownloadAttachmentRequest, actor| {
        other(&CONVERSATION.to_string(), actor).map_err(|_| no_attachment())?;
        let (first, chunk) = attachment(&request.message_id, request.picture)?;
        let first = messaging::DownloadAttachmentResponse { attachment: Some(first), chunk: Vec::new() };
        Ok(vec![first, messaging::DownloadAttachmentResponse { attachment: None, chunk }])
    });
    table.streams(
        "messaging.download_reported_attachment",
        |request: messaging::DownloadReportedAttachmentRequest, _| {
            let (first, chunk) = attachment(&request.message_id, request.picture)?;
            let first = messaging::DownloadReportedAttachmentResponse { attachment: Some(first), chunk: Vec::new() };
            Ok(vec![first, messaging::DownloadReportedAttachmentResponse { attachment: None, chunk }])
        },
    );
    table.answers("messaging.list_conversations", |_, request: messaging::ListConversationsRequest, _| {
        let mut conversations = vec![actors::conversation(Some(BEN)), actors::conversation(None)];
        if request.folder() == messaging::Folder::Requests {
            conversations.iter_mut().for_each(|conversation| conversation.folder = request.folder);
        }
        if request.folder() == messaging::Folder::Inbox && request.search.contains("moot") {
            conversations.push(actors::group());
        }
        Ok(messaging::ListConversationsResponse { conversations, next_page_token: "more".to_owned() })
    });
    table.answers("messaging.list_partners", |_, request: messaging::ListPartnersRequest, _| {
        let inbox = request.folder() == messaging::Folder::Inbox;
        let members = if inbox { vec![BEN.to_string(), CARL.to_string()] } else { Vec::new() };
        Ok(messaging::ListPartnersResponse { member_ids: members })
    });
    table.answers("messaging.get_conversation", |_, request: messaging::GetConversationRequest, actor| {
        let other = other(&request.conversation_id, actor)?;
        Ok(messaging::GetConversationResponse { conversation: Some(actors::conversation(Some(other))) })
    });
    table.answers("messaging.open_conversation", |_, request: messaging::OpenConversationRequest, actor| {
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
    });
    table.answers("messaging.accept_request", |_, request: messaging::AcceptRequestRequest, actor| {
        let other = other(&request.conversation_id, actor)?;
        Ok(messaging::AcceptRequestResponse { conversation: Some(actors::conversation(Some(other))) })
    });
    table.answers("messaging.clear_conversation", |_, request: messaging::ClearConversationRequest, actor| {
        other(&request.conversation_id, actor).map(|_| messaging::ClearConversationResponse {})
    });
    table.answers("messaging.mute_conversation", |_, request: messaging::MuteConversationRequest, actor| {
        let other = other(&request.conversation_id, actor)?;
        Ok(messaging::MuteConversationResponse { conversation: Some(actors::conversation(Some(other))) })
    });
    table.answers("messaging.list_messages", |_, request: messaging::ListMessagesRequest, actor| {
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
    });
    table.answers("messaging.send_message", |_, request: messaging::SendMessageRequest, actor| {
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
    });
    table.answers("messaging.search_messages", |_, request: messaging::SearchMessagesRequest, _| {
        if request.query == "invalid" {
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "query", "This is invalid."));
        }
        let message = actors::messages().into_iter().next();
        let found = messaging::FoundMessage { message, other_member_id: Some(BEN.to_string()), group: None };
        Ok(messaging::SearchMessagesResponse { messages: vec![found], next_page_token: "more".to_owned() })
    });
    table.answers("messaging.edit_message", |_, request: messaging::EditMessageRequest, actor| {
        own_message(&request.conversation_id, &request.message_id, actor)?;
        let message = actors::messages().into_iter().next();
        let message = message.map(|message| messaging::Message { content: request.content, ..message });
        Ok(messaging::EditMessageResponse { message })
    });
    table.answers("messaging.delete_message", |_, request: messaging::DeleteMessageRequest, actor| {
        own_message(&request.conversation_id, &request.message_id, actor)?;
        Ok(messaging::DeleteMessageResponse {})
    });
    table.answers("messaging.react_to_message", |_, request: messaging::ReactToMessageRequest, actor| {
        other(&request.conversation_id, actor)?;
        known_message(&request.message_id)?;
        Ok(messaging::ReactToMessageResponse { message: actors::messages().into_iter().next() })
    });
    table.answers("messaging.mark_read", |_, request: messaging::MarkReadRequest, actor| {
        other(&request.conversation_id, actor)?;
        known_message(&request.message_id).map(|()| messaging::MarkReadResponse {})
    });
    table.answers("messaging.note_typing", |_, request: messaging::NoteTypingRequest, actor| {
        let other = other(&request.conversation_id, actor)?;
        Ok(messaging::NoteTypingResponse { recipient_id: Some(other.to_string()), recipient_ids: Vec::new() })
    });
    table.answers("messaging.create_group", |_, request: messaging::CreateGroupRequest, _| {
        named(&request.member_ids)?;
        Ok(messaging::CreateGroupResponse { conversation: Some(actors::group()) })
    });
    table.answers("messaging.update_group", |_, request: messaging::UpdateGroupRequest, actor| {
        let conversation = Some(own_group(&request.conversation_id, actor)?);
        Ok(messaging::UpdateGroupResponse { conversation })
    });
    table.answers("messaging.add_group_members", |_, request: messaging::AddGroupMembersRequest, actor| {
        let conversation = Some(own_group(&request.conversation_id, actor)?);
        named(&request.member_ids)?;
        Ok(messaging::AddGroupMembersResponse { conversation })
    });
    table.answers("messaging.remove_group_member", |_, request: messaging::RemoveGroupMemberRequest, actor| {
        if actor.is_some_and(|actor| actor.to_string() == request.member_id) {
            group(&request.conversation_id, actor)?;
        } else {
            own_group(&request.conversation_id, actor)?;
        }
        Ok(messaging::RemoveGroupMemberResponse {})
    });
    table.answers("messaging.list_group_members", |_, request: messaging::ListGroupMembersRequest, actor| {
        group(&request.conversation_id, actor)?;
        let member = |id: Uuid, role: messaging::GroupRole| messaging::GroupMember {
            member_id: id.to_string(),
            role: role.into(),
        };
        let (owner, other) = (messaging::GroupRole::Owner, messaging::GroupRole::Member);
        Ok(messaging::ListGroupMembersResponse { members: vec![member(ANA, owner), member(BEN, other)] })
    });
    table.answers("messaging.get_unread", |_, _: messaging::GetUnreadRequest, _| {
        Ok(messaging::GetUnreadResponse { messages: 3, requests: 1, notifications: 2 })
    });
    table.answers("messaging.list_notifications", |_, _: messaging::ListNotificationsRequest, _| {
        let notifications = actors::notifications();
        Ok(messaging::ListNotificationsResponse { notifications, next_page_token: "more".to_owned() })
    });
    table.answers("messaging.mark_notifications_read", |_, request: messaging::MarkNotificationsReadRequest, _| {
        match request.selection {
            Some(Selection::NotificationId(id)) if id != NOTIFICATION.to_string() => {
                Err(refuse(ErrorKind::NotFound, "NOTIFICATION_NOT_FOUND", "Notification not found"))
            }
            Some(_) => Ok(messaging::MarkNotificationsReadResponse {}),
            None => Err(refuse(ErrorKind::Invalid, "INVALID", "Nothing is named.")),
        }
    });
    table.answers("messaging.list_notification_switches", |_, _: messaging::ListNotificationSwitchesRequest, _| {
        Ok(messaging::ListNotificationSwitchesResponse { switches: actors::switches(&[]) })
    });
    table.answers("messaging.set_notification_switches", |_, request: messaging::SetNotificationSwitchesRequest, _| {
        Ok(messaging::SetNotificationSwitchesResponse { switches: actors::switches(&request.switches) })
    });
    table.answers("messaging.get_push_settings", |_, _: messaging::GetPushSettingsRequest, _| {
        let subscriptions = vec![actors::push_subscription()];
        Ok(messaging::GetPushSettingsResponse { public_key: vec![4; 65], subscriptions })
    });
    table.answers("messaging.set_push_subscription", |_, request: messaging::SetPushSubscriptionRequest, _| {
        let messaging::SetPushSubscriptionRequest { topics, browser, .. } = request;
        let subscription = messaging::PushSubscription { topics, browser, ..actors::push_subscription() };
        Ok(messaging::SetPushSubscriptionResponse { subscription: Some(subscription) })
    });
    // The browser of Ana.
    table.answers(
        "messaging.delete_push_subscription",
        |_, request: messaging::DeletePushSubscriptionRequest, actor| {
            if actor == Some(ANA) && request.subscription_id == PUSH_SUBSCRIPTION.to_string() {
                return Ok(messaging::DeletePushSubscriptionResponse {});
            }
            Err(refuse(ErrorKind::NotFound, "PUSH_SUBSCRIPTION_NOT_FOUND", "This device is not subscribed."))
        },
    );
    table.answers("messaging.get_message", |_, request: messaging::GetMessageRequest, actor| {
        known_message(&request.message_id)?;
        // Not found for members who are not participants.
        if other(&CONVERSATION.to_string(), actor).is_err() {
            return Err(refuse(ErrorKind::NotFound, "MESSAGE_NOT_FOUND", "Message not found"));
        }
        Ok(messaging::GetMessageResponse { message: actors::messages().into_iter().next() })
    });
    table.answers("messaging.preserve_message", |_, request: messaging::PreserveMessageRequest, actor| {
        known_message(&request.message_id)?;
        // Not found for members who are not participants.
        if other(&CONVERSATION.to_string(), actor).is_err() {
            return Err(refuse(ErrorKind::NotFound, "MESSAGE_NOT_FOUND", "Message not found"));
        }
        Ok(messaging::PreserveMessageResponse { message: actors::messages().into_iter().next() })
    });
    table.answers("messaging.list_reported_attachments", |_, request: messaging::ListReportedAttachmentsRequest, _| {
        known_message(&request.message_id)?;
        let pictures = actors::messages().remove(0).pictures;
        let file = Some(messaging::MessageFile { name: "Brief.pdf".to_owned(), size: 8 });
        Ok(messaging::ListReportedAttachmentsResponse { pictures, file })
    });
}

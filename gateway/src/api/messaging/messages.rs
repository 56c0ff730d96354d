//! Messages: list, send, typing indicator.

use std::sync::Arc;

use axum::extract::State;
use futures::future::join_all;
use http::{StatusCode, Uri};
use portia_proto::messaging::{
    ListMessagesRequest, ListMessagesResponse, MarkReadRequest, NewMessagePicture, NoteTypingRequest,
    SendMessageRequest,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::ids::OfConversation;
use crate::api::rate_limits;
use crate::{
    api::{
        live::{
            channel::{self, ChannelMessage},
            views::LiveParticipant,
        },
        members::namesakes::ConnectionNames,
        messaging::{
            message_views::Message,
            views::{Conversation, ConversationThread, SendMessage},
        },
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, IdempotencyKey, Params, unless_empty},
        origin::MayWrite,
        problem::Problem,
    },
};

/// The query of `getConversation`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ThreadQuery {
    /// The cursor of the next, older page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of messages per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
    /// A message of the conversation: the page has it in its middle and marks nothing as read. Without `cursor` only.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(nullable = false, format = "id-or-empty")]
    around: Option<String>,
}

/// Returns a conversation with a page of its messages. The newest page is first; the messages of a page are oldest first.
/// Reading the newest page marks the conversation as read, except through a link of another site.
#[utoipa::path(get, path = "/api/conversations/{id}", operation_id = "getConversation", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation."), ThreadQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next, older page.", body = ConversationThread)))]
pub async fn thread(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConversation>,
    uri: Uri,
    MayWrite(may_write): MayWrite,
    Params(query): Params<ThreadQuery>,
) -> Result<ApiResponse<ConversationThread>, Problem> {
    let is_newest = query.cursor.is_empty() && query.around.is_none();
    let request = ListMessagesRequest {
        conversation_id: id.0.to_string(),
        page_size: query.limit,
        page_token: query.cursor,
        around_message_id: query.around,
    };
    let page = gateway.clients.messaging().list_messages(member.call.request(request)?).await?.into_inner();
    if is_newest && may_write {
        mark_read(&gateway, &member, &page).await;
    }
    let conversation = page.conversation.ok_or(Problem::internal())?;
    let people = Conversation::people(&conversation).chain(page.messages.iter().flat_map(Message::people));
    let requester = Conversation::requester(&conversation).into_iter().collect();
    let (people, names) = tokio::join!(
        gateway.members.cards(&member.call, people),
        ConnectionNames::of(&gateway.clients, &gateway.members, &member.call, requester),
    );
    let messages = page.messages.into_iter().rev().map(|message| Message::of(message, &people)).collect();
    let conversation = Conversation::of(conversation, &people).with_same_name(&names);
    let thread = ConversationThread { conversation, messages };
    let answer = ApiResponse::ok(thread).next_page(&uri, &page.next_page_token);
    Ok(answer.degraded(people.degraded().or(names.degraded())))
}

/// Marks the messages of a page as read. A failure does not fail the page: they are marked at the next visit.
async fn mark_read(gateway: &Gateway, member: &Member, page: &ListMessagesResponse) {
    let (Some(conversation), Some(newest)) = (&page.conversation, page.messages.first()) else { return };
    if conversation.unread_count == 0 {
        return;
    }
    let request = MarkReadRequest { conversation_id: conversation.id.clone(), message_id: newest.id.clone() };
    let marked = async { gateway.clients.messaging().mark_read(member.call.request(request)?).await };
    if let Err(status) = marked.await {
        tracing::warn!(code = ?status.code(), "the messages of a page could not be marked as read");
    }
}

/// Sends a message. Answering a request accepts it.
#[utoipa::path(post, path = "/api/conversations/{id}/messages", operation_id = "sendMessage", tag = "messaging",
    request_body = SendMessage,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and content returns the message of the first one. Keys of messages do not expire.")),
    responses((status = 201, description = "The message.", body = Message)))]
pub async fn send(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConversation>,
    key: IdempotencyKey,
    Body(body): Body<SendMessage>,
) -> Result<ApiResponse<Message>, Problem> {
    member.require_self(body.user_id.as_deref())?;
    if body.conversation_id.is_some_and(|sent| sent.parse() != Ok(id.0)) {
        return Err(Problem::field("conversationId", "This must be the conversation of the address."));
    }
    member.limit(&gateway.limits, rate_limits::MESSAGES).await?;
    let request = SendMessageRequest {
        conversation_id: id.0.to_string(),
        content: body.content,
        idempotency_key: key.0,
        reply_to_id: body.reply_to,
        pictures: body.pictures.into_iter().map(NewMessagePicture::from).collect(),
        file_id: body.file_id,
    };
    let answer = gateway.clients.messaging().send_message(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::created(Message::respond(&gateway, &member, answer.message).await?))
}

/// Sends a typing indicator to the live streams of the other participants. It is not stored.
#[utoipa::path(post, path = "/api/conversations/{id}/typing", operation_id = "noteTyping", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation.")),
    responses((status = 204, description = "The indicator is sent.")))]
pub async fn typing(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConversation>,
) -> Result<StatusCode, Problem> {
    member.limit(&gateway.limits, rate_limits::TYPING).await?;
    let request = NoteTypingRequest { conversation_id: id.0.to_string() };
    let noted = gateway.clients.messaging().note_typing(member.call.request(request)?).await?.into_inner();
    let typing = LiveParticipant { conversation_id: id.0.to_string(), user_id: member.id.to_string() };
    let typing = ChannelMessage::Typing(typing);
    let recipients = noted.recipient_id.into_iter().chain(noted.recipient_ids);
    let recipients = recipients.filter_map(|recipient| recipient.parse().ok());
    join_all(recipients.map(|recipient| channel::publish(&gateway.cache, recipient, &typing))).await;
    Ok(StatusCode::NO_CONTENT)
}

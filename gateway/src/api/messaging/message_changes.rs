//! One message: get, edit, react.

use std::sync::Arc;

use axum::extract::State;
use portia_proto::messaging::{EditMessageRequest, GetMessageRequest, MessageReactionKind, ReactToMessageRequest};

use crate::api::ids::{OfConversation, OfMessage};
use crate::api::rate_limits;
use crate::{
    api::{
        messaging::message_views::{EditMessage, Message, SetMessageReaction},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Ids, Noun as _},
        problem::Problem,
    },
};

/// Returns a message of a conversation of the signed-in member.
#[utoipa::path(get, path = "/api/conversations/{id}/messages/{messageId}", operation_id = "getMessage", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation."),
        ("messageId" = Uuid, Path, description = "The id of the message.")),
    responses((status = 200, description = "The message.", body = Message)))]
pub async fn get(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    ids: Ids<OfConversation, OfMessage>,
) -> Result<ApiResponse<Message>, Problem> {
    let request = GetMessageRequest { message_id: ids.1.to_string(), for_report: false };
    let message = gateway.clients.messaging().get_message(member.call.request(request)?).await?.into_inner().message;
    let message = message.filter(|message| message.conversation_id == ids.0.to_string());
    let message = message.ok_or(Problem::not_found(OfMessage::MISSING))?;
    Ok(ApiResponse::ok(Message::respond(&gateway, &member, Some(message)).await?))
}

/// Replaces the text of a message that the signed-in member sent, within 15 minutes after sending; 409 later.
#[utoipa::path(patch, path = "/api/conversations/{id}/messages/{messageId}", operation_id = "editMessage", tag = "messaging",
    request_body = EditMessage,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation."),
        ("messageId" = Uuid, Path, description = "The id of the message.")),
    responses((status = 200, description = "The message.", body = Message)))]
pub async fn edit(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    ids: Ids<OfConversation, OfMessage>,
    Body(body): Body<EditMessage>,
) -> Result<ApiResponse<Message>, Problem> {
    member.limit(&gateway.limits, rate_limits::MESSAGES).await?;
    let request =
        EditMessageRequest { conversation_id: ids.0.to_string(), message_id: ids.1.to_string(), content: body.content };
    let answer = gateway.clients.messaging().edit_message(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(Message::respond(&gateway, &member, answer.message).await?))
}

/// Sets or removes a reaction of the signed-in member to a message. Repeated requests have no effect.
#[utoipa::path(put, path = "/api/conversations/{id}/messages/{messageId}/reactions", operation_id = "setMessageReaction",
    tag = "messaging",
    request_body = SetMessageReaction,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation."),
        ("messageId" = Uuid, Path, description = "The id of the message.")),
    responses((status = 200, description = "The message.", body = Message)))]
pub async fn react(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    ids: Ids<OfConversation, OfMessage>,
    Body(body): Body<SetMessageReaction>,
) -> Result<ApiResponse<Message>, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    let request = ReactToMessageRequest {
        conversation_id: ids.0.to_string(),
        message_id: ids.1.to_string(),
        kind: MessageReactionKind::from(body.kind).into(),
        on: body.on,
    };
    let answer = gateway.clients.messaging().react_to_message(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(Message::respond(&gateway, &member, answer.message).await?))
}

//! Groups: create, rename, and add members.

use std::sync::Arc;

use axum::extract::State;
use portia_proto::messaging::{AddGroupMembersRequest, CreateGroupRequest, UpdateGroupRequest};
use primitives::ids;
use uuid::Uuid;

use crate::api::ids::OfConversation;
use crate::api::rate_limits;
use crate::{
    api::{
        messaging::{
            conversations::{conversation_response, refusal},
            group_views::{AddGroupMembers, CreateGroup, UpdateGroup},
            views::Conversation,
        },
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, IdempotencyKey},
        problem::Problem,
    },
};

/// The maximum number of members added at once, as in messaging.
const MAX_ADDED: usize = 49;

/// Creates a group of the signed-in member, who owns it. It is in the inbox of members with an accepted conversation with the
/// owner, and a request of the others. Members who do not accept messages of the owner are refused with 403.
#[utoipa::path(post, path = "/api/conversations/groups", operation_id = "createGroup", tag = "messaging",
    request_body = CreateGroup,
    security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and body returns the group of the first one, for 24 hours.")),
    responses((status = 201, description = "The group. `Location` contains its URL.", body = Conversation)))]
pub async fn create(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    key: IdempotencyKey,
    Body(body): Body<CreateGroup>,
) -> Result<ApiResponse<Conversation>, Problem> {
    member.limit(&gateway.limits, rate_limits::GROUPS).await?;
    ensure_exist(&gateway, &member, &body.member_ids).await?;
    let request = CreateGroupRequest { title: body.title, member_ids: body.member_ids, idempotency_key: key.0 };
    let answer = gateway.clients.messaging().create_group(member.call.request(request)?).await;
    let answer = answer.map_err(|status| refusal(status.into()))?.into_inner();
    let conversation = conversation_response(&gateway, &member, answer.conversation).await?;
    let path = format!("/api/conversations/{}", conversation.id);
    Ok(ApiResponse::created(conversation).at(&path))
}

/// messaging does not know all members.
async fn ensure_exist(gateway: &Gateway, member: &Member, raw: &[String]) -> Result<(), Problem> {
    if raw.is_empty() {
        return Err(Problem::field("memberIds", "These must be other members."));
    }
    let ids: Vec<Uuid> = raw.iter().take(MAX_ADDED).map(|id| ids::parse("memberIds", id)).collect::<Result<_, _>>()?;
    gateway.members.ensure_all_exist(&member.call, &ids).await
}

/// Sets or removes the title of a group. Only its owner.
#[utoipa::path(patch, path = "/api/conversations/{id}/group", operation_id = "updateGroup", tag = "messaging",
    request_body = UpdateGroup,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation.")),
    responses((status = 200, description = "The group.", body = Conversation)))]
pub async fn update(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConversation>,
    Body(body): Body<UpdateGroup>,
) -> Result<ApiResponse<Conversation>, Problem> {
    member.limit(&gateway.limits, rate_limits::GROUPS).await?;
    let request = UpdateGroupRequest { conversation_id: id.0.to_string(), title: body.title };
    let answer = gateway.clients.messaging().update_group(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(conversation_response(&gateway, &member, answer.conversation).await?))
}

/// Adds members to a group. Only its owner. They see the messages from now on. A group has at most 50 members (409).
#[utoipa::path(post, path = "/api/conversations/{id}/members", operation_id = "addGroupMembers", tag = "messaging",
    request_body = AddGroupMembers,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation.")),
    responses((status = 200, description = "The group.", body = Conversation)))]
pub async fn add_members(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConversation>,
    Body(body): Body<AddGroupMembers>,
) -> Result<ApiResponse<Conversation>, Problem> {
    member.limit(&gateway.limits, rate_limits::GROUPS).await?;
    ensure_exist(&gateway, &member, &body.member_ids).await?;
    let request = AddGroupMembersRequest { conversation_id: id.0.to_string(), member_ids: body.member_ids };
    let answer = gateway.clients.messaging().add_group_members(member.call.request(request)?).await;
    let answer = answer.map_err(|status| refusal(status.into()))?.into_inner();
    Ok(ApiResponse::ok(conversation_response(&gateway, &member, answer.conversation).await?))
}

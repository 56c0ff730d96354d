//! Conversations: list, search, open, accept and mute; the numbers of unread ones and notifications.

use std::{sync::Arc, time::Duration};

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::{
    messaging::{
        AcceptRequestRequest, Conversation as ConversationMessage, Folder, GetUnreadRequest, GetUnreadResponse,
        ListConversationsRequest, ListPartnersRequest, MuteConversationRequest, OpenConversationRequest,
    },
    profile::MatchNamesRequest,
};
use primitives::{ids, input::Line};
use serde::Deserialize;
use tokio::time::timeout;
use utoipa::IntoParams;

use crate::api::ids::OfConversation;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::MessagingClient;
use crate::{
    api::{
        members::namesakes::ConnectionNames,
        messaging::views::{Conversation, ConversationFolder, OpenConversation, Unread},
        state::Gateway,
    },
    edge::{
        answer::{ApiResponse, unless_unavailable},
        authentication::Member,
        extract::{Body, Id, Params, unless_empty},
        problem::Problem,
    },
};

/// The maximum length of a search, in characters.
const MAX_SEARCH: usize = 100;
/// The timeout for opening the conversation of an accepted connection, which the fact opens in any case.
const OPEN_TIMEOUT: Duration = Duration::from_secs(1);

/// The query of `listConversations`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListConversationsQuery {
    /// The folder; `inbox` by default.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    folder: Option<ConversationFolder>,
    /// Only conversations with members whose name contains words that start with these words, and groups with such members or
    /// with these words in their title. At most 100 characters.
    #[serde(default)]
    #[param(required = false, max_length = 100)]
    search: String,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of conversations per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Lists the conversations of the signed-in member, by newest message.
#[utoipa::path(get, path = "/api/conversations", operation_id = "listConversations", tag = "messaging",
    security(("session" = [])),
    params(ListConversationsQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Conversation])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(query): Params<ListConversationsQuery>,
) -> Result<ApiResponse<Vec<Conversation>>, Problem> {
    let search = Line::<MAX_SEARCH>::parse_optional_lenient("search", Some(query.search.as_str()))?;
    let folder = Folder::from(query.folder.unwrap_or_default());
    let search = search.map(|search| search.to_string());
    let other_member_ids = match &search {
        Some(name) => matching_partners(&gateway, &member, folder, name.clone()).await?,
        None => Vec::new(),
    };
    let request = ListConversationsRequest {
        page_size: query.limit,
        page_token: query.cursor,
        folder: folder.into(),
        other_member_ids,
        search: search.unwrap_or_default(),
    };
    let page = gateway.clients.messaging().list_conversations(member.call.request(request)?).await?.into_inner();
    let requesters = page.conversations.iter().filter_map(Conversation::requester).collect();
    let (people, names) = tokio::join!(
        gateway.members.cards(&member.call, page.conversations.iter().flat_map(Conversation::people)),
        ConnectionNames::of(&gateway.clients, &gateway.members, &member.call, requesters),
    );
    let conversations = page.conversations.into_iter().map(|c| Conversation::of(c, &people).with_same_name(&names));
    let answer = ApiResponse::ok(conversations.collect()).next_page(&uri, &page.next_page_token);
    Ok(answer.degraded(people.degraded().or(names.degraded())))
}

/// The participants in conversations of the member whose names match. messaging has the ids, profile the names.
async fn matching_partners(
    gateway: &Gateway,
    member: &Member,
    folder: Folder,
    query: String,
) -> Result<Vec<String>, Problem> {
    let request = ListPartnersRequest { folder: folder.into() };
    let partners = gateway.clients.messaging().list_partners(member.call.request(request)?).await?.into_inner();
    if partners.member_ids.is_empty() {
        return Ok(Vec::new());
    }
    let request = MatchNamesRequest { member_ids: partners.member_ids, query };
    let matched = gateway.clients.profile().match_names(member.call.request(request)?).await;
    let matched = matched.map_err(|status| Problem::from(status).renamed("query", "search"))?.into_inner();
    Ok(matched.member_ids)
}

/// Returns the conversation with a member, and creates it if there is none. Without a connection, a new conversation is a
/// request until the member answers or accepts it.
#[utoipa::path(post, path = "/api/conversations", operation_id = "openConversation", tag = "messaging",
    request_body = OpenConversation,
    security(("session" = [])),
    responses((status = 201, description = "The new conversation. `Location` contains its URL.", body = Conversation),
        (status = 200, description = "The existing conversation.", body = Conversation)))]
pub async fn open(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    Body(body): Body<OpenConversation>,
) -> Result<ApiResponse<Conversation>, Problem> {
    let other = ids::parse("userId", &body.user_id)?;
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    gateway.members.ensure_exists(&member.call, other).await?;
    let request = OpenConversationRequest { member_id: other.to_string() };
    let answer = gateway.clients.messaging().open_conversation(member.call.request(request)?).await;
    let answer = answer.map_err(|status| refusal(status.into()))?.into_inner();
    let conversation = conversation_response(&gateway, &member, answer.conversation).await?;
    let path = format!("/api/conversations/{}", conversation.id);
    Ok(if answer.created { ApiResponse::created(conversation).at(&path) } else { ApiResponse::ok(conversation) })
}

/// A member who blocks the caller gets the response of a member who does not exist.
pub fn refusal(problem: Problem) -> Problem {
    let missing = Problem::no_such_user();
    if problem.code == missing.code { missing } else { problem.renamed("memberId", "userId") }
}

/// The conversation in a response, with one call for its cards.
pub async fn conversation_response(
    gateway: &Gateway,
    member: &Member,
    message: Option<ConversationMessage>,
) -> Result<Conversation, Problem> {
    let message = message.ok_or(Problem::internal())?;
    let people = gateway.members.cards(&member.call, Conversation::people(&message)).await;
    Ok(Conversation::of(message, &people))
}

/// Opens the conversation of a new connection: now if messaging is available, else when it receives the fact.
pub async fn open_for_connection(gateway: &Gateway, member: &Member, other: &str) {
    let opened = async {
        let request = member.call.request(OpenConversationRequest { member_id: other.to_owned() })?;
        gateway.clients.messaging().open_conversation(request).await
    };
    match timeout(OPEN_TIMEOUT, opened).await {
        Ok(Ok(_)) => {}
        Ok(Err(status)) => tracing::warn!(code = ?status.code(), "an accepted connection waits for its conversation"),
        Err(_) => tracing::warn!("an accepted connection waits for its conversation: messaging is slow"),
    }
}

/// Accepts a request: the conversation moves to the inbox. Repeated requests have no effect.
#[utoipa::path(post, path = "/api/conversations/{id}/accept", operation_id = "acceptConversation", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation.")),
    responses((status = 200, description = "The current state.", body = Conversation)))]
pub async fn accept(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConversation>,
) -> Result<ApiResponse<Conversation>, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    let request = AcceptRequestRequest { conversation_id: id.0.to_string() };
    let answer = gateway.clients.messaging().accept_request(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(conversation_response(&gateway, &member, answer.conversation).await?))
}

/// Mutes a conversation for the signed-in member: its messages are not counted by `GET /api/unread`.
#[utoipa::path(put, path = "/api/conversations/{id}/mute", operation_id = "muteConversation", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation.")),
    responses((status = 204, description = "The conversation is muted for the caller.")))]
pub async fn mute(
    State(messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfConversation>,
) -> Result<StatusCode, Problem> {
    set_muted(messaging, &limits, &member, &id, true).await
}

/// Unmutes a conversation for the signed-in member.
#[utoipa::path(delete, path = "/api/conversations/{id}/mute", operation_id = "unmuteConversation", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the conversation.")),
    responses((status = 204, description = "The conversation is not muted for the caller.")))]
pub async fn unmute(
    State(messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfConversation>,
) -> Result<StatusCode, Problem> {
    set_muted(messaging, &limits, &member, &id, false).await
}

async fn set_muted(
    mut messaging: MessagingClient,
    limits: &Limits,
    member: &Member,
    id: &Id<OfConversation>,
    muted: bool,
) -> Result<StatusCode, Problem> {
    member.limit(limits, rate_limits::REACTIONS).await?;
    let request = MuteConversationRequest { conversation_id: id.0.to_string(), muted };
    messaging.mute_conversation(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the numbers of unread messages and notifications. Zero with `X-Degraded` while the service is unavailable.
#[utoipa::path(get, path = "/api/unread", operation_id = "getUnread", tag = "messaging",
    security(("session" = [])),
    responses((status = 200, description = "The numbers of unread messages and notifications.", body = Unread)))]
pub async fn unread(
    State(mut messaging): State<MessagingClient>,
    member: Member,
) -> Result<ApiResponse<Unread>, Problem> {
    let result = messaging.get_unread(member.call.request(GetUnreadRequest {})?).await;
    Ok(match unless_unavailable(result)? {
        Some(unread) => ApiResponse::ok(unread.into()),
        None => ApiResponse::ok(Unread::of(GetUnreadResponse::default())).degraded(Some("messaging")),
    })
}

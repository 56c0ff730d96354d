//! My conversations.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::messaging::ListConversationsRequest;

use crate::{
    Gateway, answer::Answer, extract::Params, identity::Member, problem::Problem, routes::Paging,
    views::messaging::Conversation,
};

/// My conversations, the one with the newest message first.
#[utoipa::path(get, path = "/api/conversations", operation_id = "listConversations", tag = "messaging",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "`Link` names the next page.", body = [Conversation])))]
pub async fn conversations(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<Answer<Vec<Conversation>>, Problem> {
    let request = ListConversationsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.services.messaging().list_conversations(member.call.request(request)?).await?.into_inner();
    let others = page.conversations.iter().filter_map(|conversation| conversation.other_member_id.as_deref());
    let people = gateway.people.people(&member.call, others).await;
    let conversations = page.conversations.into_iter().map(|c| Conversation::of(c, &people)).collect();
    Ok(Answer::ok(conversations).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

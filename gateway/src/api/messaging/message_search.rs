//! Search in the messages of the signed-in member.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::messaging::SearchMessagesRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::rate_limits;
use crate::{
    api::{messaging::message_views::FoundMessage, state::Gateway},
    edge::{answer::ApiResponse, authentication::Member, extract::Params, problem::Problem},
};

/// The query of `searchMessages`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchMessagesQuery {
    /// Words that must all occur, also as parts of words. At most 100 characters; nothing is found without a word.
    #[serde(default)]
    #[param(required = false, max_length = 100)]
    search: String,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of messages per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Searches the messages of the conversations of the signed-in member, newest first.
#[utoipa::path(get, path = "/api/messages", operation_id = "searchMessages", tag = "messaging",
    security(("session" = [])),
    params(SearchMessagesQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [FoundMessage])))]
pub async fn search(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(query): Params<SearchMessagesQuery>,
) -> Result<ApiResponse<Vec<FoundMessage>>, Problem> {
    member.limit(&gateway.limits, rate_limits::SEARCHES).await?;
    let request = SearchMessagesRequest { query: query.search, page_size: query.limit, page_token: query.cursor };
    let page = gateway.clients.messaging().search_messages(member.call.request(request)?).await;
    let page = page.map_err(|status| Problem::from(status).renamed("query", "search"))?.into_inner();
    let people = page.messages.iter().flat_map(FoundMessage::people);
    let people = gateway.members.cards(&member.call, people).await;
    let found = page.messages.into_iter().filter_map(|found| FoundMessage::of(found, &people)).collect();
    Ok(ApiResponse::ok(found).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

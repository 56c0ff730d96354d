//! Law school resources: list, get and suggest.

use axum::extract::State;
use http::Uri;
use portia_proto::news::{GetResourceRequest, ListResourcesRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::ids::OfResource;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::NewsClient;
use crate::{
    api::resources::views::{Resource, ResourceType, SuggestResource},
    edge::{
        answer::ApiResponse,
        authentication::{Caller, Member},
        extract::{Body, Id, Params, unless_empty},
        problem::Problem,
    },
};

/// The query of `listResources`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListResourcesQuery {
    /// Only resources of this type. All types when absent or empty.
    #[serde(default, rename = "type", deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    kind: Option<ResourceType>,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of resources per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Lists law school resources, newest first.
#[utoipa::path(get, path = "/api/resources", operation_id = "listResources", tag = "resources", params(ListResourcesQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Resource])))]
pub async fn list(
    State(mut news): State<NewsClient>,
    caller: Caller,
    uri: Uri,
    Params(query): Params<ListResourcesQuery>,
) -> Result<ApiResponse<Vec<Resource>>, Problem> {
    let kind = query.kind.map_or("", ResourceType::name).to_owned();
    let request = ListResourcesRequest { page_size: query.limit, page_token: query.cursor, r#type: kind };
    let page = news.list_resources(caller.call.request(request)?).await?.into_inner();
    let resources = page.resources.into_iter().map(Resource::from).collect();
    Ok(ApiResponse::ok(resources).next_page(&uri, &page.next_page_token))
}

/// Returns a resource.
#[utoipa::path(get, path = "/api/resources/{id}", operation_id = "getResource", tag = "resources",
    params(("id" = Uuid, Path, description = "The id of the resource.")),
    responses((status = 200, description = "The resource.", body = Resource)))]
pub async fn get(
    State(mut news): State<NewsClient>,
    caller: Caller,
    id: Id<OfResource>,
) -> Result<ApiResponse<Resource>, Problem> {
    let request = GetResourceRequest { resource_id: id.0.to_string() };
    let answer = news.get_resource(caller.call.request(request)?).await?.into_inner();
    answer.resource.map(|resource| ApiResponse::ok(resource.into())).ok_or(Problem::internal())
}

/// Suggests a resource. It is not visible until an operator approves it.
#[utoipa::path(post, path = "/api/resources", operation_id = "suggestResource", tag = "resources",
    request_body = SuggestResource,
    security(("session" = [])),
    responses((status = 202, description = "The suggestion, which waits for approval.", body = Resource)))]
pub async fn suggest(
    State(mut news): State<NewsClient>,
    State(limits): State<Limits>,
    member: Member,
    Body(body): Body<SuggestResource>,
) -> Result<ApiResponse<Resource>, Problem> {
    member.limit(&limits, rate_limits::SUGGESTIONS).await?;
    let answer = news.suggest_resource(member.call.request(body.into())?).await?.into_inner();
    answer.resource.map(|resource| ApiResponse::accepted(resource.into())).ok_or(Problem::internal())
}

//! RPCs of law school resources. Members suggest them; every visitor reads the approved ones.

use portia_proto::news as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{NewsService, RpcResult, commit};
use crate::{
    convert::{resource_id, resource_ids, resource_search},
    error::Error,
    resources::{self, ResourceQuery, Suggestion},
    search as index,
};

pub(super) async fn list(
    service: &NewsService,
    request: Request<pb::ListResourcesRequest>,
) -> RpcResult<pb::ListResourcesResponse> {
    let query = ResourceQuery::try_from(request.into_inner())?;
    let page = resources::list(&mut *service.connection().await?, &query).await?;
    let (resources, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListResourcesResponse { resources, next_page_token }))
}

pub(super) async fn get(
    service: &NewsService,
    request: Request<pb::GetResourceRequest>,
) -> RpcResult<pb::GetResourceResponse> {
    let id = resource_id(request.get_ref())?;
    let resource = resources::get(&mut *service.connection().await?, id).await?;
    Ok(Response::new(pb::GetResourceResponse { resource: Some(resource.into()) }))
}

pub(super) async fn batch_get(
    service: &NewsService,
    request: Request<pb::BatchGetResourcesRequest>,
) -> RpcResult<pb::BatchGetResourcesResponse> {
    let ids = resource_ids(request.get_ref())?;
    let resources = resources::batch_get(&mut *service.connection().await?, &ids).await.map_err(Error::from)?;
    let resources = resources.into_iter().map(pb::Resource::from).collect();
    Ok(Response::new(pb::BatchGetResourcesResponse { resources }))
}

pub(super) async fn search(
    service: &NewsService,
    request: Request<pb::SearchResourcesRequest>,
) -> RpcResult<pb::SearchResourcesResponse> {
    let query = resource_search(request.get_ref())?;
    let page = index::search_resources(&mut *service.connection().await?, query).await?;
    let (resources, next_page_token, terms) = page.into_wire();
    Ok(Response::new(pb::SearchResourcesResponse { resources, next_page_token, terms }))
}

pub(super) async fn suggest(
    service: &NewsService,
    request: Request<pb::SuggestResourceRequest>,
) -> RpcResult<pb::SuggestResourceResponse> {
    let member = Actor::member(&request)?;
    let suggestion = Suggestion::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let resource = resources::suggest(&mut service.work(&mut tx), member, &suggestion).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SuggestResourceResponse { resource: Some(resource.into()) }))
}

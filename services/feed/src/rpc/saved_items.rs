//! Save, unsave and list items.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, commit, pb};
use crate::{
    convert::{PageRequest, SavedItemsQuery},
    error::Error,
    saved_items::{SavedItemRef, changes, list},
};

pub(super) async fn save(
    service: &FeedService,
    request: Request<pb::SaveItemRequest>,
) -> RpcResult<pb::SaveItemResponse> {
    let member = Actor::member(&request)?;
    let item: SavedItemRef = request.into_inner().try_into().map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let item = changes::save(&mut service.work(&mut tx), member, &item).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SaveItemResponse { item: Some(item.into()) }))
}

pub(super) async fn unsave(
    service: &FeedService,
    request: Request<pb::UnsaveItemRequest>,
) -> RpcResult<pb::UnsaveItemResponse> {
    let member = Actor::member(&request)?;
    let item: SavedItemRef = request.into_inner().try_into().map_err(Error::from)?;
    let mut tx = service.begin().await?;
    changes::unsave(&mut tx, member, &item).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UnsaveItemResponse {}))
}

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListSavedItemsRequest>,
) -> RpcResult<pb::ListSavedItemsResponse> {
    let member = Actor::member(&request)?;
    let PageRequest { query, size }: PageRequest<SavedItemsQuery> =
        request.into_inner().try_into().map_err(Error::from)?;
    let page = list::list(&mut *service.connection().await?, member, query.kind, size, &query.after).await?;
    let (items, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListSavedItemsResponse { items, next_page_token }))
}

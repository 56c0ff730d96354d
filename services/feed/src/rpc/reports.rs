//! Report an item.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, commit, pb};
use crate::{error::Error, reports::create};

pub(super) async fn create(
    service: &FeedService,
    request: Request<pb::ReportItemRequest>,
) -> RpcResult<pb::ReportItemResponse> {
    let member = Actor::member(&request)?;
    let report = request.into_inner().try_into().map_err(Error::from)?;
    let mut tx = service.begin().await?;
    create::create(&mut service.work(&mut tx), member, report).await?;
    commit(tx).await?;
    Ok(Response::new(pb::ReportItemResponse {}))
}

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
    let (id, now) = (service.ids.owned_by(member), service.clock.now());
    create::create(&mut tx, &service.facts, id, member, report, now).await?;
    commit(tx).await?;
    Ok(Response::new(pb::ReportItemResponse {}))
}

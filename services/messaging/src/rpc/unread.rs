//! Get the unread totals.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{MessagingService, RpcResult, pb};
use crate::unread;

pub(super) async fn get(
    service: &MessagingService,
    request: Request<pb::GetUnreadRequest>,
) -> RpcResult<pb::GetUnreadResponse> {
    let member = Actor::member(&request)?;
    let totals = unread::get(&mut *service.connection().await?, member).await?;
    Ok(Response::new(totals.into()))
}

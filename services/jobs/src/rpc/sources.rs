//! RPCs of sources: their status, and the refresh. Both are open to visitors.

use std::time::Duration;

use portia_proto::jobs as pb;
use rpc::Deadline;
use tokio::time::Instant;
use tonic::{Request, Response};

use super::{JobsService, RpcResult};
use crate::{error::Error, sources};

/// Time reserved for the response before the caller's deadline.
const RESPONSE_TIME: Duration = Duration::from_millis(500);
/// How long a refresh waits for its crawls when the caller sets no deadline.
const MAX_REFRESH_WAIT: Duration = Duration::from_secs(20);

pub(super) async fn refresh(
    service: &JobsService,
    request: Request<pb::RefreshJobsRequest>,
) -> RpcResult<pb::RefreshJobsResponse> {
    let deadline = request.extensions().get::<Deadline>();
    let deadline = deadline.map_or_else(|| Instant::now() + MAX_REFRESH_WAIT, |Deadline(at)| *at);
    let until = deadline.checked_sub(RESPONSE_TIME).unwrap_or_else(Instant::now);
    let new_jobs = service.schedule.refresh(until).await.map_err(Error::from)?;
    Ok(Response::new(pb::RefreshJobsResponse { new_jobs }))
}

pub(super) async fn list(
    service: &JobsService,
    _: Request<pb::ListSourcesRequest>,
) -> RpcResult<pb::ListSourcesResponse> {
    let sources = sources::list(&mut *service.connection().await?).await?;
    let sources = sources.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::ListSourcesResponse { sources }))
}

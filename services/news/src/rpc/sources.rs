//! RPCs of sources: the filter list, the crawl status, and the refresh. All are open to visitors.

use std::time::Duration;

use portia_proto::news as pb;
use rpc::Deadline;
use tokio::time::Instant;
use tonic::{Request, Response};

use super::{NewsService, RpcResult};
use crate::{error::Error, sources};

/// Time reserved for the response before the caller's deadline.
const RESPONSE_TIME: Duration = Duration::from_millis(500);
/// How long a refresh waits for its crawls when the caller sets no deadline.
const MAX_REFRESH_WAIT: Duration = Duration::from_secs(10);

pub(super) async fn refresh(
    service: &NewsService,
    request: Request<pb::RefreshNewsRequest>,
) -> RpcResult<pb::RefreshNewsResponse> {
    let now = Instant::now();
    let deadline = request.extensions().get::<Deadline>().map_or(now + MAX_REFRESH_WAIT, |deadline| deadline.0);
    let until = deadline.checked_sub(RESPONSE_TIME).unwrap_or(now);
    let new_articles = service.schedule.refresh(until).await.map_err(Error::from)?;
    Ok(Response::new(pb::RefreshNewsResponse { new_articles }))
}

pub(super) async fn list(
    service: &NewsService,
    _: Request<pb::ListSourcesRequest>,
) -> RpcResult<pb::ListSourcesResponse> {
    let sources = sources::list(&mut *service.connection().await?).await?;
    let sources = sources.into_iter().map(pb::Source::from).collect();
    Ok(Response::new(pb::ListSourcesResponse { sources }))
}

pub(super) async fn list_crawled(
    service: &NewsService,
    _: Request<pb::ListCrawledSourcesRequest>,
) -> RpcResult<pb::ListCrawledSourcesResponse> {
    let sources = sources::list_crawled(&mut *service.connection().await?).await?;
    let sources = sources.into_iter().map(pb::CrawledSource::from).collect();
    Ok(Response::new(pb::ListCrawledSourcesResponse { sources }))
}

//! The status of the sources of jobs and news.

use axum::extract::State;
use portia_proto::{jobs, news};

use crate::edge::upstreams::{JobsClient, NewsClient};
use crate::{
    api::source_status::views::{SourceStatus, Status},
    edge::{
        answer::{ApiResponse, unless_unavailable},
        authentication::Caller,
        problem::Problem,
    },
};

/// Returns the status of all crawled sources. The list of an unavailable service is null, and `X-Degraded` names the
/// service.
#[utoipa::path(get, path = "/api/status", operation_id = "getStatus", tag = "status",
    responses((status = 200, description = "The sources by name.", body = Status)))]
pub async fn sources(
    State(jobs): State<JobsClient>,
    State(news): State<NewsClient>,
    caller: Caller,
) -> Result<ApiResponse<Status>, Problem> {
    let of_jobs = caller.call.request(jobs::ListSourcesRequest {})?;
    let of_news = caller.call.request(news::ListCrawledSourcesRequest {})?;
    let (mut jobs, mut news) = (jobs, news);
    let (jobs, news) = tokio::join!(jobs.list_sources(of_jobs), news.list_crawled_sources(of_news));
    let jobs = unless_unavailable(jobs)?
        .map(|response| response.sources.into_iter().map(SourceStatus::from).collect::<Vec<_>>());
    let news = unless_unavailable(news)?
        .map(|response| response.sources.into_iter().map(SourceStatus::from).collect::<Vec<_>>());
    let missing = [jobs.is_none().then_some("jobs"), news.is_none().then_some("news")];
    let answer = ApiResponse::ok(Status { jobs, news });
    Ok(missing.into_iter().fold(answer, ApiResponse::degraded))
}

//! The status of the crawled sources.

use axum::extract::State;
use chrono::{DateTime, Utc};
use portia_proto::{jobs, news};
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::{
    answer::{ApiResponse, unless_unavailable},
    authentication::Caller,
    problem::Problem,
    timestamps::moment,
    upstreams::{JobsClient, NewsClient},
};

/// The state of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceState {
    /// No crawl is complete yet.
    Waiting,
    /// The last crawl succeeded.
    Healthy,
    /// The last crawl failed. Earlier results remain.
    Failing,
}

/// The status of a source.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceStatus {
    /// The name.
    pub name: String,
    /// The connector: greenhouse, lever, ashby, usajobs, rss or demo.
    pub connector: String,
    /// The state.
    pub state: SourceState,
    /// The end of the last crawl.
    #[schema(required)]
    pub last_run_at: Option<DateTime<Utc>>,
    /// The end of the last successful crawl.
    #[schema(required)]
    pub last_success_at: Option<DateTime<Utc>>,
    /// The number of new items of the last crawl.
    pub new_items: i32,
    /// The reason why the last crawl failed.
    #[schema(required)]
    pub failure: Option<String>,
    /// The time of the next crawl.
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
}

/// Conversions from the messages of a service. jobs and news have equal messages.
macro_rules! from_messages {
    ($proto:ident :: $source:ident) => {
        impl From<$proto::SourceState> for SourceState {
            fn from(state: $proto::SourceState) -> Self {
                match state {
                    $proto::SourceState::Waiting | $proto::SourceState::Unspecified => Self::Waiting,
                    $proto::SourceState::Healthy => Self::Healthy,
                    $proto::SourceState::Failing => Self::Failing,
                }
            }
        }

        impl From<$proto::$source> for SourceStatus {
            fn from(source: $proto::$source) -> Self {
                Self {
                    state: source.state().into(),
                    name: source.name,
                    connector: source.connector,
                    last_run_at: moment(source.last_run_at),
                    last_success_at: moment(source.last_success_at),
                    new_items: source.new_items,
                    failure: source.failure,
                    due_at: moment(source.due_at),
                }
            }
        }
    };
}

from_messages!(jobs::Source);
from_messages!(news::CrawledSource);

/// The status of all sources.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Status {
    /// The sources of jobs; null while jobs is unavailable.
    #[schema(required)]
    pub jobs: Option<Vec<SourceStatus>>,
    /// The sources of news; null while news is unavailable.
    #[schema(required)]
    pub news: Option<Vec<SourceStatus>>,
}

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

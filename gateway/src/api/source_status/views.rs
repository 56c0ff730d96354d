//! How the sources do that jobs and news come from.

use chrono::{DateTime, Utc};
use portia_proto::{jobs, news};
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::timestamps::moment;

/// How a source does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceState {
    /// No crawl has ended yet.
    Waiting,
    /// The last crawl went well.
    Healthy,
    /// The last crawl failed; what earlier ones found stays.
    Failing,
}

/// A source and its last crawls.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceStatus {
    /// As people know it.
    pub name: String,
    /// What speaks to it: greenhouse, lever, ashby, usajobs, rss or demo.
    pub connector: String,
    /// How it does.
    pub state: SourceState,
    /// When the last crawl ended.
    #[schema(required)]
    pub last_run_at: Option<DateTime<Utc>>,
    /// When the last one ended that went well.
    #[schema(required)]
    pub last_success_at: Option<DateTime<Utc>>,
    /// What the last crawl found that was new.
    pub new_items: i32,
    /// Why the last crawl failed, in a sentence.
    #[schema(required)]
    pub failure: Option<String>,
    /// When it is crawled next.
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
}

/// Both contracts say it in the same words.
macro_rules! told_by {
    ($contract:ident :: $source:ident) => {
        impl From<$contract::SourceState> for SourceState {
            fn from(state: $contract::SourceState) -> Self {
                match state {
                    $contract::SourceState::Waiting | $contract::SourceState::Unspecified => Self::Waiting,
                    $contract::SourceState::Healthy => Self::Healthy,
                    $contract::SourceState::Failing => Self::Failing,
                }
            }
        }

        impl From<$contract::$source> for SourceStatus {
            fn from(source: $contract::$source) -> Self {
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

told_by!(jobs::Source);
told_by!(news::CrawledSource);

/// Every source there is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Status {
    /// Where postings come from; null while nobody can say.
    #[schema(required)]
    pub jobs: Option<Vec<SourceStatus>>,
    /// Where articles come from; null while nobody can say.
    #[schema(required)]
    pub news: Option<Vec<SourceStatus>>,
}

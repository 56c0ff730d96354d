//! Topics.

use portia_proto::feed as pb;
use serde::Serialize;
use utoipa::ToSchema;

/// Topics: in lower case, without `#`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Topics {
    /// The topics that the caller follows, in alphabetical order. Empty for a visitor.
    pub followed: Vec<String>,
    /// At most ten topics of public posts of the last seven days, the most used first.
    pub trending: Vec<TrendingTopic>,
}

/// A topic of the last seven days.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrendingTopic {
    /// The topic.
    pub topic: String,
    /// The number of members who used it.
    pub member_count: i64,
}

impl From<pb::ListTopicsResponse> for Topics {
    fn from(topics: pb::ListTopicsResponse) -> Self {
        let trending = topics.trending.into_iter();
        let trending = trending.map(|topic| TrendingTopic { topic: topic.topic, member_count: topic.member_count });
        Self { followed: topics.followed, trending: trending.collect() }
    }
}

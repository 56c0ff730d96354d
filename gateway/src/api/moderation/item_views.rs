//! The reported post or comment in a report.

use chrono::{DateTime, Utc};
use portia_proto::feed as pb;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::timestamps::{moment, required_moment};

/// A post or comment as it is now.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportedItem {
    /// The text.
    pub content: String,
    /// The title of an article.
    #[schema(required)]
    pub title: Option<String>,
    /// The time of its creation.
    pub created_at: DateTime<Utc>,
    /// The time of its last change.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
    /// The post, or that of the comment.
    #[schema(format = Uuid)]
    pub post_id: String,
    /// The beginning of the post of a comment.
    #[schema(required)]
    pub post_excerpt: Option<String>,
    /// The community of the post.
    #[schema(required, format = Uuid)]
    pub community_id: Option<String>,
    /// The name of the community.
    #[schema(required)]
    pub community_name: Option<String>,
}

impl From<pb::ReportedItem> for ReportedItem {
    fn from(item: pb::ReportedItem) -> Self {
        Self {
            content: item.content,
            title: item.title,
            created_at: required_moment(item.created_at),
            edited_at: moment(item.edited_at),
            post_id: item.post_id,
            post_excerpt: item.post_excerpt,
            community_id: item.community_id,
            community_name: item.community_name,
        }
    }
}

//! Saved items.

use chrono::{DateTime, Utc};
use portia_proto::feed as pb;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{events::views::Event, jobs::Job, news::views::NewsArticle, posts::views::Post, resources::Resource};

pub use crate::api::contract::feed::SavedKind;

/// The identity of a saved item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SavedId {
    /// The kind of item.
    pub kind: SavedKind,
    /// UUIDv7; `builtin-<name>` for a resource that is part of the client.
    pub id: String,
}

impl SavedId {
    /// The identity of an item of feed; `None` for a kind that this version does not know.
    pub fn of(item: &pb::SavedItem) -> Option<Self> {
        let kind = match item.kind() {
            pb::SavedKind::Post => SavedKind::Post,
            pb::SavedKind::Job => SavedKind::Job,
            pb::SavedKind::Article => SavedKind::Article,
            pb::SavedKind::Resource => SavedKind::Resource,
            pb::SavedKind::Event => SavedKind::Event,
            pb::SavedKind::Unspecified => return None,
        };
        Some(Self { kind, id: item.id.clone() })
    }
}

/// A saved item. One of the five entities is set. All are null when the entity is deleted, no longer visible to the caller,
/// or part of the client.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedItem {
    /// The identity.
    #[serde(flatten)]
    pub item: SavedId,
    /// The time of saving.
    pub saved_at: DateTime<Utc>,
    /// A post.
    #[schema(required)]
    pub post: Option<Post>,
    /// A job posting, open or closed.
    #[schema(required)]
    pub job: Option<Job>,
    /// A news article.
    #[schema(required)]
    pub article: Option<NewsArticle>,
    /// A law school resource.
    #[schema(required)]
    pub resource: Option<Resource>,
    /// An event, also a past one.
    #[schema(required)]
    pub event: Option<Event>,
}

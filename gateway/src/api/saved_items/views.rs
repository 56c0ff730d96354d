//! What a member keeps for later.

use chrono::{DateTime, Utc};
use portia_proto::feed as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{
    events::views::Event, jobs::views::Job, news::views::NewsArticle, posts::views::Post, resources::views::Resource,
};

/// What may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SavedKind {
    /// A post.
    Post,
    /// A posting.
    Job,
    /// A story.
    Article,
    /// A law school resource.
    Resource,
    /// An event.
    Event,
}

impl From<SavedKind> for wire::SavedKind {
    fn from(kind: SavedKind) -> Self {
        match kind {
            SavedKind::Post => Self::Post,
            SavedKind::Job => Self::Job,
            SavedKind::Article => Self::Article,
            SavedKind::Resource => Self::Resource,
            SavedKind::Event => Self::Event,
        }
    }
}

/// Which thing is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SavedId {
    /// What it is.
    pub kind: SavedKind,
    /// UUIDv7; of a resource that the client brings itself `builtin-` and its name.
    pub id: String,
}

impl SavedId {
    /// What feed tells of; nothing where it tells of a kind this gateway does not know yet.
    pub fn of(item: &wire::SavedItem) -> Option<Self> {
        let kind = match item.kind() {
            wire::SavedKind::Post => SavedKind::Post,
            wire::SavedKind::Job => SavedKind::Job,
            wire::SavedKind::Article => SavedKind::Article,
            wire::SavedKind::Resource => SavedKind::Resource,
            wire::SavedKind::Event => SavedKind::Event,
            wire::SavedKind::Unspecified => return None,
        };
        Some(Self { kind, id: item.id.clone() })
    }
}

/// Something kept, as its own list carries it: one of the five is set, and none when the thing is gone, is not for the
/// member any more, or is one that the client brings itself.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedItem {
    /// Which.
    #[serde(flatten)]
    pub what: SavedId,
    /// Since when.
    pub saved_at: DateTime<Utc>,
    /// A post.
    #[schema(required)]
    pub post: Option<Post>,
    /// A posting, open or closed.
    #[schema(required)]
    pub job: Option<Job>,
    /// A story.
    #[schema(required)]
    pub article: Option<NewsArticle>,
    /// A law school resource.
    #[schema(required)]
    pub resource: Option<Resource>,
    /// An event, also when it is over.
    #[schema(required)]
    pub event: Option<Event>,
}

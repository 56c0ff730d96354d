//! What a search finds.

use portia_proto::profile as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{
    communities::views::Community, connections::views::Connection, jobs::views::Job, news::views::NewsArticle,
    posts::views::Post, resources::views::Resource,
};

/// What may be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = SearchType)]
pub enum Kind {
    /// Members.
    People,
    /// Posts and articles of members.
    Posts,
    /// Communities.
    Communities,
    /// Law school resources.
    Resources,
    /// Open postings.
    Jobs,
    /// Legal news.
    News,
}

/// What was found. A list is null when it was not asked for, or its service is away.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults {
    /// Members, by their names first.
    #[schema(required)]
    pub people: Option<Vec<Person>>,
    /// As the feed carries them.
    #[schema(required)]
    pub posts: Option<Vec<Post>>,
    /// As their list carries them.
    #[schema(required)]
    pub communities: Option<Vec<Community>>,
    /// As their list carries them.
    #[schema(required)]
    pub resources: Option<Vec<Resource>>,
    /// As their list carries them.
    #[schema(required)]
    pub jobs: Option<Vec<Job>>,
    /// As their list carries them.
    #[schema(required)]
    pub news: Option<Vec<NewsArticle>>,
    /// Beginnings of words to mark, in small letters without accents.
    pub terms: Vec<String>,
}

/// A member as a search shows them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// As typed at registration.
    pub username: String,
    /// 2 to 100 characters.
    pub full_name: String,
    /// What they say they are, in a line.
    #[schema(required)]
    pub headline: Option<String>,
    /// Where they are.
    #[schema(required)]
    pub location: Option<String>,
    /// Where they study or studied.
    #[schema(required)]
    pub school: Option<String>,
    /// The picture's address.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// Where the caller stands with them; null for nowhere. Left out where it was not looked up: for visitors, among all
    /// kinds, and while its service is away.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Connection>)]
    pub connection: Option<Option<Connection>>,
}

impl From<wire::FoundMember> for Person {
    fn from(found: wire::FoundMember) -> Self {
        let card = found.card.unwrap_or_default();
        Self {
            id: card.id,
            username: found.username,
            full_name: card.full_name,
            headline: card.headline,
            location: found.location,
            school: found.school,
            avatar_url: card.avatar_url,
            connection: None,
        }
    }
}

//! Search results.

use portia_proto::profile as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::{
    communities::views::Community, connections::views::Connection, jobs::Job, news::views::NewsArticle,
    posts::views::Post, resources::Resource,
};

/// A type of search result.
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

/// Search results. A list is null when its type was not searched or its service is unavailable.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults {
    /// Members; matches of names first, and among equal matches those with more ties to the caller.
    #[schema(required)]
    pub people: Option<Vec<Person>>,
    /// Posts.
    #[schema(required)]
    pub posts: Option<Vec<Post>>,
    /// Communities.
    #[schema(required)]
    pub communities: Option<Vec<Community>>,
    /// Law school resources.
    #[schema(required)]
    pub resources: Option<Vec<Resource>>,
    /// Open postings.
    #[schema(required)]
    pub jobs: Option<Vec<Job>>,
    /// Legal news.
    #[schema(required)]
    pub news: Option<Vec<NewsArticle>>,
    /// The prefixes of words to highlight, in lower case without accents.
    pub terms: Vec<String>,
}

/// A member in search results.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The username, as entered at registration.
    pub username: String,
    /// The full name, 2 to 100 characters.
    pub full_name: String,
    /// The headline, in one line.
    #[schema(required)]
    pub headline: Option<String>,
    /// The location.
    #[schema(required)]
    pub location: Option<String>,
    /// The law school.
    #[schema(required)]
    pub school: Option<String>,
    /// The URL of the picture.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// True for a member that Portia or the school has verified; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub verified: bool,
    /// The school that verified the member; absent when Portia did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verified_school: Option<String>,
    /// The connection with the caller; null when there is none. Absent when it was not looked up: for visitors, in a search
    /// of all types, and while the service is unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Connection>)]
    pub connection: Option<Option<Connection>>,
}

impl From<pb::FoundMember> for Person {
    fn from(found: pb::FoundMember) -> Self {
        let card = found.card.unwrap_or_default();
        Self {
            id: card.id,
            username: found.username,
            full_name: card.full_name,
            headline: card.headline,
            location: found.location,
            school: found.school,
            avatar_url: card.avatar_url,
            verified: card.verification.is_some(),
            verified_school: card.verification.and_then(|verification| verification.school),
            connection: None,
        }
    }
}

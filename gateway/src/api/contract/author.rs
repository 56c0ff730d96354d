//! The card of a member, as lists contain it.

use portia_proto::profile as pb;
use serde::Serialize;
use utoipa::ToSchema;

/// The name of a member whose card is unavailable or whose account is closed.
pub const NAMELESS: &str = "Portia member";

/// The card of a member, as in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The full name; 'Portia member' when it is unknown.
    pub full_name: String,
    /// The headline, in one line.
    #[schema(required)]
    pub headline: Option<String>,
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
}

impl Author {
    /// The card of a member whose data is unavailable.
    pub fn nameless(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            full_name: NAMELESS.to_owned(),
            headline: None,
            avatar_url: None,
            verified: false,
            verified_school: None,
        }
    }
}

impl From<pb::MemberCard> for Author {
    fn from(card: pb::MemberCard) -> Self {
        Self {
            id: card.id,
            full_name: card.full_name,
            headline: card.headline,
            avatar_url: card.avatar_url,
            verified: card.verification.is_some(),
            verified_school: card.verification.and_then(|verification| verification.school),
        }
    }
}

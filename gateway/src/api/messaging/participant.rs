//! The other participant of a conversation.

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::{cache::MemberCards, views::Author};

/// The other participant.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherUser {
    /// The id; null when the account is erased.
    #[schema(required, format = Uuid)]
    pub id: Option<String>,
    /// The full name; 'Former member' when the account is erased.
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

impl OtherUser {
    /// The card of the participant.
    pub fn of(id: Option<&str>, people: &MemberCards) -> Self {
        let Some(id) = id else {
            return Self {
                id: None,
                full_name: "Former member".to_owned(),
                headline: None,
                avatar_url: None,
                verified: false,
                verified_school: None,
            };
        };
        let Author { id, full_name, headline, avatar_url, verified, verified_school } = people.author(id);
        Self { id: Some(id), full_name, headline, avatar_url, verified, verified_school }
    }
}

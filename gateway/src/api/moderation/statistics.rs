//! The statistics and the log of moderation.

use chrono::{DateTime, Utc};
use portia_proto::auth;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::timestamps::required_moment;

pub use crate::api::contract::feed::{DecisionsOfDay, DecisionsOfReason, ModerationStats};

/// An action of an operator or a moderator.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModerationLogEntry {
    /// The id of the row.
    #[schema(format = Uuid)]
    pub id: String,
    /// The time of the action.
    pub at: DateTime<Utc>,
    /// `suspended`, `restored`, `removed`, `report-dismissed`, `appeal-upheld`, `appeal-overturned`, `moderator-granted` or
    /// `moderator-revoked`.
    pub event: String,
    /// The username of the moderator; null for an operator and an erased account.
    #[schema(required)]
    pub moderator: Option<String>,
    /// Whether an operator acted at the command line.
    pub by_operator: bool,
    /// The member concerned.
    #[schema(required, format = Uuid)]
    pub user_id: Option<String>,
    /// The username of that member; null for an erased account.
    #[schema(required)]
    pub username: Option<String>,
    /// The kind and id of the content concerned.
    #[schema(required)]
    pub about: Option<String>,
    /// The stated reason, in kebab case.
    #[schema(required)]
    pub reason: Option<String>,
    /// The remark.
    #[schema(required)]
    pub note: Option<String>,
}

impl From<auth::ModerationLogEntry> for ModerationLogEntry {
    fn from(entry: auth::ModerationLogEntry) -> Self {
        Self {
            id: entry.id,
            at: required_moment(entry.at),
            event: entry.event.replace(' ', "-"),
            by_operator: entry.moderator_id.is_none(),
            moderator: entry.moderator,
            user_id: entry.member_id,
            username: entry.username,
            about: entry.about,
            reason: entry.reason,
            note: entry.note,
        }
    }
}

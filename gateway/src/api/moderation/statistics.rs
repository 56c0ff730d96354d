//! The statistics and the log of moderation.

use std::sync::Arc;

use axum::extract::State;
use chrono::{DateTime, Utc};
use http::Uri;
use portia_proto::{auth, feed as pb};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    api::state::Gateway,
    edge::{
        answer::ApiResponse,
        authentication::Moderator,
        extract::{Paging, Params},
        problem::Problem,
        timestamps::required_moment,
    },
};

pub use crate::api::contract::feed::{DecisionsOfDay, DecisionsOfReason, ModerationStats};

/// Returns the numbers of moderation, for moderators.
#[utoipa::path(get, path = "/api/moderation/statistics", operation_id = "getModerationStats", tag = "moderation",
    security(("session" = [])),
    responses((status = 200, description = "The numbers.", body = ModerationStats)))]
pub async fn get(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
) -> Result<ApiResponse<ModerationStats>, Problem> {
    let request = member.call.request(pb::GetModerationStatsRequest {})?;
    let stats = gateway.clients.feed().get_moderation_stats(request).await?.into_inner();
    Ok(ApiResponse::ok(stats.into()))
}

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

/// Lists the actions of operators and moderators, for moderators, newest first.
#[utoipa::path(get, path = "/api/moderation/log", operation_id = "listModerationLog", tag = "moderation",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [ModerationLogEntry])))]
pub async fn log(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<ModerationLogEntry>>, Problem> {
    let request = auth::ListModerationLogRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.clients.auth().list_moderation_log(member.call.request(request)?).await?.into_inner();
    let entries = page.entries.into_iter().map(Into::into).collect();
    Ok(ApiResponse::ok(entries).next_page(&uri, &page.next_page_token))
}

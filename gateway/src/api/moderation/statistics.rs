//! The statistics and the log of moderation.

use std::sync::Arc;

use axum::extract::State;
use chrono::{DateTime, Utc};
use http::Uri;
use portia_proto::{auth, feed as pb};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    api::{reports::views::ReportReason, state::Gateway},
    edge::{
        answer::ApiResponse,
        authentication::Moderator,
        extract::{Paging, Params},
        problem::Problem,
        timestamps::{moment, required_moment},
    },
};

/// The numbers of moderation. They count content, not reports; decisions are those of the last 30 days.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModerationStats {
    /// Content with open reports.
    pub open: i64,
    /// The time of the oldest open report; null without one.
    #[schema(required)]
    pub oldest_open_at: Option<DateTime<Utc>>,
    /// The decisions of 30 days (UTC), oldest first.
    pub days: Vec<DecisionsOfDay>,
    /// The median time from the first report to the decision; null without decisions.
    #[schema(required)]
    pub median_seconds: Option<f64>,
    /// The decisions by the reason of the report, most frequent first.
    pub reasons: Vec<DecisionsOfReason>,
    /// Appeals without a decision.
    pub open_appeals: i64,
    /// Appeals after which the content stays removed.
    pub appeals_upheld: i64,
    /// Appeals after which a removal was reversed.
    pub appeals_overturned: i64,
}

/// The decisions of a day.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionsOfDay {
    /// The day, as `2026-11-24`.
    pub day: String,
    /// Content that was removed.
    pub removed: i64,
    /// Content that stays.
    pub dismissed: i64,
}

/// The decisions about reports of one reason.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionsOfReason {
    /// The reason of the reports.
    pub reason: ReportReason,
    /// Content that was removed.
    pub removed: i64,
    /// Content that stays.
    pub dismissed: i64,
}

impl From<pb::GetModerationStatsResponse> for ModerationStats {
    fn from(stats: pb::GetModerationStatsResponse) -> Self {
        let day = |of: pb::DecisionsOfDay| DecisionsOfDay { day: of.day, removed: of.removed, dismissed: of.dismissed };
        let reason = |of: pb::DecisionsOfReason| DecisionsOfReason {
            reason: of.reason().into(),
            removed: of.removed,
            dismissed: of.dismissed,
        };
        Self {
            open: stats.open,
            oldest_open_at: moment(stats.oldest_open_at),
            days: stats.days.into_iter().map(day).collect(),
            median_seconds: stats.median_seconds,
            reasons: stats.reasons.into_iter().map(reason).collect(),
            open_appeals: stats.open_appeals,
            appeals_upheld: stats.appeals_upheld,
            appeals_overturned: stats.appeals_overturned,
        }
    }
}

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

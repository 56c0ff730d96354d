//! Reports as moderators see them, and their decisions.

use portia_proto::{auth, feed as pb};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::{
        contract::DecisionReason,
        contract::feed::ReportedItem,
        members::cache::MemberCards,
        messaging::attachment_views::{MessageFile, MessagePicture},
        moderation::attachments::ReportedAttachments,
        reports::views::{ReportReason, ReportedKind},
    },
    edge::extract::unless_empty,
};

pub use crate::api::contract::auth::MemberStanding;

pub use crate::api::contract::feed::{ModeratedReport, ReporterStatement};

/// The decisions to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaseState {
    /// Without a decision, oldest first.
    #[default]
    Open,
    /// With a decision, newest first.
    Decided,
}

/// The filters of the list of reports.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListReportsQuery {
    /// `open` by default.
    #[serde(default)]
    #[param(inline, required = false)]
    pub state: CaseState,
    /// Only items of this kind.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline, nullable = false)]
    pub kind: Option<ReportedKind>,
    /// Only items with a report of this reason.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline, nullable = false)]
    pub reason: Option<ReportReason>,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    pub cursor: String,
    /// The maximum of entries per page: 1 to 100, 20 by default.
    #[serde(default)]
    #[param(required = false)]
    pub limit: i32,
}

impl ListReportsQuery {
    /// The request to feed.
    pub fn of(self) -> pb::ListReportsRequest {
        pb::ListReportsRequest {
            decided: self.state == CaseState::Decided,
            kind: ReportedKind::requested(self.kind),
            reason: ReportReason::requested(self.reason),
            page_size: self.limit,
            page_token: self.cursor,
        }
    }
}

/// The filter of the list of appeals.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListAppealsQuery {
    /// `open` by default.
    #[serde(default)]
    #[param(inline, required = false)]
    pub state: CaseState,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    pub cursor: String,
    /// The maximum of entries per page: 1 to 100, 20 by default.
    #[serde(default)]
    #[param(required = false)]
    pub limit: i32,
}

impl ListAppealsQuery {
    /// The request to feed.
    pub fn of(self) -> pb::ListAppealsRequest {
        let decided = self.state == CaseState::Decided;
        pb::ListAppealsRequest { decided, page_size: self.limit, page_token: self.cursor }
    }
}

/// A report with its context.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportDetails {
    /// The reported item.
    pub report: ModeratedReport,
    /// The reports that belong to it, oldest first, at most 50.
    pub statements: Vec<ReporterStatement>,
    /// The present post or comment; null when it does not exist, and for other kinds.
    #[schema(required)]
    pub current: Option<ReportedItem>,
    /// The pictures of a message when it was reported.
    pub pictures: Vec<MessagePicture>,
    /// The file of a message when it was reported.
    #[schema(required)]
    pub file: Option<MessageFile>,
    /// The account of the owner; null without one.
    #[schema(required)]
    pub standing: Option<MemberStanding>,
    /// Other content of the owner that was removed after reports.
    pub subject_removed: i64,
    /// Other content of the owner about which reports were dismissed. A removal that an appeal overturned counts as dismissed.
    pub subject_dismissed: i64,
}

impl ReportDetails {
    /// The members of a response.
    pub fn members(found: &pb::GetReportResponse) -> impl Iterator<Item = &str> {
        let of_report = found.report.iter().flat_map(ModeratedReport::members);
        of_report.chain(found.statements.iter().flat_map(ReporterStatement::members))
    }

    /// A report with its context; `None` for a response without a report.
    pub fn of(
        found: pb::GetReportResponse,
        standing: Option<auth::MemberStanding>,
        attached: ReportedAttachments,
        people: &MemberCards,
    ) -> Option<Self> {
        Some(Self {
            report: ModeratedReport::of(found.report?, people),
            statements: found.statements.into_iter().map(|each| ReporterStatement::of(each, people)).collect(),
            current: found.current.map(Into::into),
            pictures: attached.pictures,
            file: attached.file,
            standing: standing.map(Into::into),
            subject_removed: found.subject_removed,
            subject_dismissed: found.subject_dismissed,
        })
    }
}

/// What a moderator decides about reports.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportDecision {
    /// Remove the post or comment, or close the job. Members and messages cannot be removed.
    Remove,
    /// Keep the content.
    Dismiss,
}

/// A decision on the reports of an item.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecideReport {
    /// The decision.
    pub decision: ReportDecision,
    /// The reason, which the author learns after a removal.
    pub reason: DecisionReason,
    /// A remark for operators and moderators.
    #[schema(format = "text", max_length = 1000)]
    pub note: Option<String>,
}

impl DecideReport {
    /// The request to feed.
    pub fn of(self, report_id: String) -> pb::DecideReportRequest {
        let outcome = match self.decision {
            ReportDecision::Remove => pb::ReportOutcome::Removed,
            ReportDecision::Dismiss => pb::ReportOutcome::Dismissed,
        };
        let reason = pb::DecisionReason::from(self.reason).into();
        pb::DecideReportRequest { report_id, outcome: outcome.into(), reason, note: self.note }
    }
}

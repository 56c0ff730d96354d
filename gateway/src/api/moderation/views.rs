//! Reports as moderators see them, and their decisions.

use chrono::{DateTime, Utc};
use portia_proto::{auth, feed as pb};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::contract::Cards;
use crate::{
    api::{
        contract::feed::ReportedItem,
        members::{cache::MemberCards, views::Author},
        messaging::attachment_views::{MessageFile, MessagePicture},
        moderation::{attachments::ReportedAttachments, reasons::DecisionReason},
        reports::views::{ReportReason, ReportedKind},
    },
    edge::{
        extract::unless_empty,
        timestamps::{moment, required_moment},
    },
};

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
}

/// The filter of the list of appeals.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListAppealsQuery {
    /// `open` by default.
    #[serde(default)]
    #[param(inline, required = false)]
    pub state: CaseState,
}

/// The decision on reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportOutcome {
    /// The content was removed.
    Removed,
    /// The content stays.
    Dismissed,
}

/// A reported item with the first of its reports.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModeratedReport {
    /// UUIDv7 of the first report.
    #[schema(format = Uuid)]
    pub id: String,
    /// The kind of content.
    pub kind: ReportedKind,
    /// The id of the content.
    #[schema(format = Uuid)]
    pub item_id: String,
    /// The owner of the content; null for a job posting and an erased account.
    #[schema(required)]
    pub subject: Option<Author>,
    /// The text at the time of the report; in lists its beginning.
    pub excerpt: String,
    /// The reason of the first report.
    pub reason: ReportReason,
    /// The time of the first report.
    pub created_at: DateTime<Utc>,
    /// The number of reports of the content that are open, or were decided together.
    pub report_count: i64,
    /// The decision; null for an open report.
    #[schema(required)]
    pub outcome: Option<ReportOutcome>,
    /// The time of the decision.
    #[schema(required)]
    pub decided_at: Option<DateTime<Utc>>,
    /// The stated reason of the decision; null for a decision at the command line.
    #[schema(required)]
    pub decision_reason: Option<DecisionReason>,
    /// The moderator who decided; null for an operator.
    #[schema(required)]
    pub decided_by: Option<Author>,
    /// The remark on the decision.
    #[schema(required)]
    pub note: Option<String>,
    /// Whether the caller may decide: it is open, and neither the content nor a report is the caller's.
    pub decidable: bool,
}

impl ModeratedReport {
    /// The members that it names.
    pub fn members(report: &pb::ModeratedReport) -> impl Iterator<Item = &str> {
        [report.subject_member_id.as_deref(), report.decided_by.as_deref()].into_iter().flatten()
    }

    /// A report with the cards of its members.
    pub fn of(report: pb::ModeratedReport, people: &MemberCards) -> Self {
        let author = |id: &Option<String>| id.as_deref().map(|id| people.author(id));
        Self {
            kind: report.kind().into(),
            subject: author(&report.subject_member_id),
            reason: report.reason().into(),
            created_at: required_moment(report.created_at),
            report_count: report.report_count,
            outcome: match report.outcome() {
                pb::ReportOutcome::Unspecified => None,
                pb::ReportOutcome::Removed => Some(ReportOutcome::Removed),
                pb::ReportOutcome::Dismissed => Some(ReportOutcome::Dismissed),
            },
            decided_at: moment(report.decided_at),
            decision_reason: DecisionReason::of(report.decision_reason()),
            decided_by: author(&report.decided_by),
            decidable: report.decidable,
            id: report.id,
            item_id: report.item_id,
            excerpt: report.excerpt,
            note: report.note,
        }
    }
}

/// What one member reported.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReporterStatement {
    /// The reporter; null after the account was erased. Confidential.
    #[schema(required)]
    pub reporter: Option<Author>,
    /// The reason.
    pub reason: ReportReason,
    /// The explanation.
    #[schema(required)]
    pub words: Option<String>,
    /// The time of the report.
    pub created_at: DateTime<Utc>,
    /// Earlier reports of this member after which content was removed.
    pub removed: i64,
    /// Earlier reports of this member that were dismissed. A removal that an appeal overturned counts as dismissed.
    pub dismissed: i64,
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
        of_report.chain(found.statements.iter().filter_map(|statement| statement.reporter_id.as_deref()))
    }

    /// A report with its context; `None` for a response without a report.
    pub fn of(
        found: pb::GetReportResponse,
        standing: Option<auth::MemberStanding>,
        attached: ReportedAttachments,
        people: &MemberCards,
    ) -> Option<Self> {
        let statement = |statement: pb::ReporterStatement| ReporterStatement {
            reporter: statement.reporter_id.as_deref().map(|id| people.author(id)),
            reason: statement.reason().into(),
            created_at: required_moment(statement.created_at),
            removed: statement.reporter_removed,
            dismissed: statement.reporter_dismissed,
            words: statement.words,
        };
        Some(Self {
            report: ModeratedReport::of(found.report?, people),
            statements: found.statements.into_iter().map(statement).collect(),
            current: found.current.map(Into::into),
            pictures: attached.pictures,
            file: attached.file,
            standing: standing.map(Into::into),
            subject_removed: found.subject_removed,
            subject_dismissed: found.subject_dismissed,
        })
    }
}

/// What moderators see of an account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberStanding {
    /// The member.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// The username.
    pub username: String,
    /// The time of the suspension; null when the member is not suspended.
    #[schema(required)]
    pub suspended_at: Option<DateTime<Utc>>,
    /// Whether the member is a moderator: only an operator can suspend one.
    pub moderator: bool,
    /// Whether the caller may suspend or restore the member, who is no moderator and has no case with the caller: neither reported
    /// the other, and the caller did not decide on the member before.
    pub decidable: bool,
}

impl From<auth::MemberStanding> for MemberStanding {
    fn from(standing: auth::MemberStanding) -> Self {
        Self {
            user_id: standing.member_id,
            username: standing.username,
            suspended_at: moment(standing.suspended_at),
            moderator: standing.moderator,
            decidable: standing.decidable,
        }
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

/// The reason of a suspension or restoration.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecideMember {
    /// The reason.
    pub reason: DecisionReason,
    /// A remark for operators and moderators.
    #[schema(format = "text", max_length = 1000)]
    pub note: Option<String>,
}

//! Requests and responses of moderators and of the authors of removed content.

use portia_proto::feed as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor, Form, InvalidRequest, PageSize, Text},
};
use uuid::Uuid;

use super::reports::{kind, reason};
use crate::{
    cases::{AppealOutcome, DecisionReason, Outcome, Reason, ReportedKind},
    moderation::{
        AppealDecision, ReportDecision,
        appeals::Removal,
        reports::{CurrentItem, ModeratedReport, ReportFilter, Statement},
        statistics::{Day, DecisionsOfReason, Statistics},
    },
};

/// The text of an appeal.
pub type AppealText = Text<1_000>;

const UNFIT: &str = "This reason does not fit the decision.";

impl TryFrom<&pb::ListReportsRequest> for ReportFilter {
    type Error = InvalidRequest;

    fn try_from(request: &pb::ListReportsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let kind = form.take(if request.kind == 0 { Ok(None) } else { kind(request.kind()).map(Some) });
        let reason = form.take(if request.reason == 0 { Ok(None) } else { reason(request.reason()).map(Some) });
        let (kind, reason) = form.finish(kind.zip(reason))?;
        Ok(Self { kind, reason })
    }
}

/// Parses `page_size` and `page_token`.
pub fn parse_page<C: Cursor>(size: i32, token: &str) -> Result<(PageSize, Option<C>), InvalidRequest> {
    let mut form = Form::default();
    let size = form.take(PageSize::parse(size));
    let after = form.take(C::from_token(token));
    form.finish(size.zip(after))
}

/// Parses the id of a report or a removal.
pub fn parse_case_id(raw: &str) -> Result<Uuid, InvalidRequest> {
    Ok(ids::parse("id", raw)?)
}

impl TryFrom<pb::DecideReportRequest> for ReportDecision {
    type Error = InvalidRequest;

    fn try_from(request: pb::DecideReportRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let outcome = match request.outcome() {
            pb::ReportOutcome::Removed => Ok(Outcome::Removed),
            pb::ReportOutcome::Dismissed => Ok(Outcome::Dismissed),
            pb::ReportOutcome::Unspecified => Err(Violation::new("decision", "Decide: remove or dismiss.")),
        };
        let is_release = matches!(outcome, Ok(Outcome::Dismissed));
        let report_id = form.take(ids::parse("id", &request.report_id));
        let outcome = form.take(outcome);
        let reason = form.take(decision_reason(request.reason(), is_release));
        let note = form.take(Text::parse_optional("note", request.note.as_deref()));
        let (((report_id, outcome), reason), note) = form.finish(report_id.zip(outcome).zip(reason).zip(note))?;
        Ok(Self { report_id, outcome, reason, note })
    }
}

impl TryFrom<pb::DecideAppealRequest> for AppealDecision {
    type Error = InvalidRequest;

    fn try_from(request: pb::DecideAppealRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let outcome = match request.outcome() {
            pb::AppealOutcome::Upheld => Ok(AppealOutcome::Upheld),
            pb::AppealOutcome::Overturned => Ok(AppealOutcome::Overturned),
            pb::AppealOutcome::Unspecified => Err(Violation::new("decision", "Decide: uphold or overturn.")),
        };
        let is_release = matches!(outcome, Ok(AppealOutcome::Overturned));
        let removal_id = form.take(ids::parse("id", &request.removal_id));
        let outcome = form.take(outcome);
        let reason = form.take(decision_reason(request.reason(), is_release));
        let note = form.take(Text::parse_optional("note", request.note.as_deref()));
        let (((removal_id, outcome), reason), note) = form.finish(removal_id.zip(outcome).zip(reason).zip(note))?;
        Ok(Self { removal_id, outcome, reason, note })
    }
}

/// Parses the reason of a decision. A removal states a violation, a release (dismissal or overturned removal) states
/// none. `other` fits both.
fn decision_reason(reason: pb::DecisionReason, is_release: bool) -> Result<DecisionReason, Violation> {
    let reason = match reason {
        pb::DecisionReason::Unspecified => return Err(Violation::new("reason", "State a reason.")),
        pb::DecisionReason::Spam => DecisionReason::Spam,
        pb::DecisionReason::Harassment => DecisionReason::Harassment,
        pb::DecisionReason::FalseInformation => DecisionReason::FalseInformation,
        pb::DecisionReason::Illegal => DecisionReason::Illegal,
        pb::DecisionReason::Other => return Ok(DecisionReason::Other),
        pb::DecisionReason::Impersonation => DecisionReason::Impersonation,
        pb::DecisionReason::PrivilegedInformation => DecisionReason::PrivilegedInformation,
        pb::DecisionReason::NoViolation => DecisionReason::NoViolation,
        pb::DecisionReason::Resolved => DecisionReason::Resolved,
    };
    if reason.is_violation() == is_release { Err(Violation::new("reason", UNFIT)) } else { Ok(reason) }
}

/// Parses the id of a removal and the text of an appeal.
pub fn parse_appeal(request: &pb::AppealRemovalRequest) -> Result<(Uuid, AppealText), InvalidRequest> {
    let mut form = Form::default();
    let id = form.take(ids::parse("id", &request.removal_id));
    let text = form.take(Text::parse_or("text", &request.text, "Say why this should be visible again."));
    form.finish(id.zip(text))
}

impl From<ModeratedReport> for pb::ModeratedReport {
    fn from(report: ModeratedReport) -> Self {
        let outcome = report.outcome.map_or(pb::ReportOutcome::Unspecified, |outcome| match outcome {
            Outcome::Removed => pb::ReportOutcome::Removed,
            Outcome::Dismissed => pb::ReportOutcome::Dismissed,
        });
        let decision_reason = report.decision_reason.map_or(pb::DecisionReason::Unspecified, Into::into);
        Self {
            id: report.id.to_string(),
            kind: pb::ReportedKind::from(report.kind).into(),
            item_id: report.item_id.to_string(),
            subject_member_id: report.subject_id.map(|id| id.to_string()),
            excerpt: report.excerpt,
            reason: pb::ReportReason::from(report.reason).into(),
            created_at: Some(timestamp(report.created_at)),
            report_count: report.report_count,
            outcome: outcome.into(),
            decided_at: report.resolved_at.map(timestamp),
            decision_reason: decision_reason.into(),
            decided_by: report.decided_by.map(|id| id.to_string()),
            note: report.note,
            decidable: report.is_decidable,
        }
    }
}

impl From<Statement> for pb::ReporterStatement {
    fn from(statement: Statement) -> Self {
        Self {
            reporter_id: statement.reporter_id.map(|id| id.to_string()),
            reason: pb::ReportReason::from(statement.reason).into(),
            words: statement.words,
            created_at: Some(timestamp(statement.created_at)),
            reporter_removed: statement.reporter_removed,
            reporter_dismissed: statement.reporter_dismissed,
        }
    }
}

impl From<CurrentItem> for pb::ReportedItem {
    fn from(item: CurrentItem) -> Self {
        Self {
            content: item.content,
            title: item.title,
            created_at: Some(timestamp(item.created_at)),
            edited_at: item.edited_at.map(timestamp),
            post_id: item.post_id.to_string(),
            post_excerpt: item.post_excerpt,
            community_id: item.community_id.map(|id| id.to_string()),
            community_name: item.community_name,
        }
    }
}

impl From<Removal> for pb::Removal {
    fn from(removal: Removal) -> Self {
        let outcome = removal.appeal_outcome.map_or(pb::AppealOutcome::Unspecified, |outcome| match outcome {
            AppealOutcome::Upheld => pb::AppealOutcome::Upheld,
            AppealOutcome::Overturned => pb::AppealOutcome::Overturned,
        });
        let appeal_reason = removal.appeal_reason.map_or(pb::DecisionReason::Unspecified, Into::into);
        Self {
            appeal_until: Some(timestamp(removal.appeal_until())),
            id: removal.id.to_string(),
            kind: pb::ReportedKind::from(removal.kind).into(),
            item_id: removal.item_id.to_string(),
            author_id: removal.author_id.to_string(),
            excerpt: removal.excerpt,
            reason: pb::DecisionReason::from(removal.reason).into(),
            removed_at: Some(timestamp(removal.removed_at)),
            removed_by: removal.removed_by.map(|id| id.to_string()),
            appeal: removal.appeal,
            appealed_at: removal.appealed_at.map(timestamp),
            appeal_outcome: outcome.into(),
            appeal_reason: appeal_reason.into(),
            appeal_decided_at: removal.appeal_decided_at.map(timestamp),
            appeal_decided_by: removal.appeal_decided_by.map(|id| id.to_string()),
            appeal_note: removal.appeal_note,
            restored: removal.is_restored,
            restorable: removal.is_kept,
            decidable: removal.is_decidable,
        }
    }
}

impl From<Statistics> for pb::GetModerationStatsResponse {
    fn from(Statistics { totals, days, reasons }: Statistics) -> Self {
        Self {
            open: totals.open,
            oldest_open_at: totals.oldest_open_at.map(timestamp),
            days: days.into_iter().map(Into::into).collect(),
            median_seconds: totals.median_seconds,
            reasons: reasons.into_iter().map(Into::into).collect(),
            open_appeals: totals.open_appeals,
            appeals_upheld: totals.appeals_upheld,
            appeals_overturned: totals.appeals_overturned,
        }
    }
}

impl From<Day> for pb::DecisionsOfDay {
    fn from(day: Day) -> Self {
        Self { day: day.day.to_string(), removed: day.removed, dismissed: day.dismissed }
    }
}

impl From<DecisionsOfReason> for pb::DecisionsOfReason {
    fn from(of: DecisionsOfReason) -> Self {
        Self { reason: pb::ReportReason::from(of.reason).into(), removed: of.removed, dismissed: of.dismissed }
    }
}

impl From<ReportedKind> for pb::ReportedKind {
    fn from(kind: ReportedKind) -> Self {
        match kind {
            ReportedKind::Post => Self::Post,
            ReportedKind::Comment => Self::Comment,
            ReportedKind::Member => Self::Member,
            ReportedKind::Message => Self::Message,
            ReportedKind::Job => Self::Job,
        }
    }
}

impl From<Reason> for pb::ReportReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Spam => Self::Spam,
            Reason::Harassment => Self::Harassment,
            Reason::FalseInformation => Self::FalseInformation,
            Reason::Impersonation => Self::Impersonation,
            Reason::PrivilegedInformation => Self::PrivilegedInformation,
            Reason::Illegal => Self::Illegal,
            Reason::Other => Self::Other,
        }
    }
}

impl From<DecisionReason> for pb::DecisionReason {
    fn from(reason: DecisionReason) -> Self {
        match reason {
            DecisionReason::Spam => Self::Spam,
            DecisionReason::Harassment => Self::Harassment,
            DecisionReason::FalseInformation => Self::FalseInformation,
            DecisionReason::Impersonation => Self::Impersonation,
            DecisionReason::PrivilegedInformation => Self::PrivilegedInformation,
            DecisionReason::Illegal => Self::Illegal,
            DecisionReason::Other => Self::Other,
            DecisionReason::NoViolation => Self::NoViolation,
            DecisionReason::Resolved => Self::Resolved,
        }
    }
}

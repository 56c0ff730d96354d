//! The facts of reports, of the decisions on them, and of appeals.

use outbox::UnitOfWork;
use portia_proto::feed::{AppealCreated, AppealDecided, ReportCreated, ReportDecided};
use uuid::Uuid;

use super::Published;
use crate::cases::{AppealOutcome, DecisionReason, Outcome, Removed, Report, ReportedKind};

/// A report of one member about an item of another.
pub struct CreatedReport {
    pub id: Uuid,
    pub kind: ReportedKind,
    pub item_id: Uuid,
    pub reporter_id: Uuid,
    /// The owner of the item.
    pub subject_id: Uuid,
    pub is_decided: bool,
}

/// A removal against which its author appealed.
pub struct Appealed {
    pub id: Uuid,
    pub kind: ReportedKind,
    pub item_id: Uuid,
    pub author_id: Uuid,
    /// `None` for an operator.
    pub removed_by: Option<Uuid>,
}

/// A decision on a report.
pub struct Decided<'a> {
    pub report: &'a Report,
    pub outcome: Outcome,
    /// `None` for an operator.
    pub moderator: Option<Uuid>,
    pub reason: Option<DecisionReason>,
    pub note: Option<&'a str>,
    /// The removal against which the author may appeal.
    pub removal: Option<Uuid>,
}

/// A decision on an appeal.
pub struct DecidedAppeal<'a> {
    /// The id of the decision.
    pub id: Uuid,
    pub removed: &'a Removed,
    pub moderator: Uuid,
    pub outcome: AppealOutcome,
    pub reason: DecisionReason,
    pub note: Option<&'a str>,
}

pub async fn publish_report_created(work: &mut UnitOfWork<'_>, report: &CreatedReport) -> Published {
    // Not the item, which may be a member: the key outlives an erasure.
    work.publish(report.id, &report_created(report)).await
}

pub async fn publish_appeal_created(work: &mut UnitOfWork<'_>, appealed: &Appealed) -> Published {
    work.publish(appealed.item_id, &appeal_created(appealed)).await
}

pub async fn publish_report_decided(work: &mut UnitOfWork<'_>, decided: &Decided<'_>) -> Published {
    let Decided { report, .. } = decided;
    let fact = ReportDecided {
        report_id: report.id.to_string(),
        kind: report.kind.text().to_owned(),
        item_id: report.item_id.to_string(),
        subject_member_id: report.subject_id.map(|id| id.to_string()),
        removed: decided.outcome == Outcome::Removed,
        moderator_id: decided.moderator.map(|id| id.to_string()),
        reason: decided.reason.map(|reason| reason.text().to_owned()),
        note: decided.note.map(str::to_owned),
        removal_id: decided.removal.map(|id| id.to_string()),
    };
    work.publish(report.item_id, &fact).await
}

pub async fn publish_appeal_decided(work: &mut UnitOfWork<'_>, decided: &DecidedAppeal<'_>) -> Published {
    let DecidedAppeal { removed, .. } = decided;
    let fact = AppealDecided {
        removal_id: removed.id.to_string(),
        decision_id: decided.id.to_string(),
        kind: removed.kind.text().to_owned(),
        item_id: removed.item_id.to_string(),
        author_id: removed.author_id.to_string(),
        overturned: decided.outcome == AppealOutcome::Overturned,
        moderator_id: decided.moderator.to_string(),
        reason: decided.reason.text().to_owned(),
        note: decided.note.map(str::to_owned),
    };
    work.publish(removed.item_id, &fact).await
}

pub fn report_created(report: &CreatedReport) -> ReportCreated {
    ReportCreated {
        report_id: report.id.to_string(),
        kind: report.kind.text().to_owned(),
        item_id: report.item_id.to_string(),
        reporter_id: report.reporter_id.to_string(),
        subject_member_id: report.subject_id.to_string(),
        decided: report.is_decided,
    }
}

pub fn appeal_created(appealed: &Appealed) -> AppealCreated {
    AppealCreated {
        removal_id: appealed.id.to_string(),
        kind: appealed.kind.text().to_owned(),
        item_id: appealed.item_id.to_string(),
        author_id: appealed.author_id.to_string(),
        removed_by: appealed.removed_by.map(|id| id.to_string()),
    }
}

//! The decisions of moderators in feed, as rows of the audit. The id makes a repeated fact change nothing.

use chrono::{DateTime, Utc};
use portia_proto::feed::{AppealDecided, ReportDecided};
use primitives::{
    error::Violation,
    ids,
    input::{InvalidRequest, Text},
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{ActionBy, AdminAction, AuditEvent, Reason, insert_action};
use crate::error::Error;

/// Records a decision on reports. The command line records decisions of operators.
pub async fn record_report_decided(
    db: &mut PgConnection,
    fact: &ReportDecided,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let Some(moderator) = fact.moderator_id.as_deref() else { return Ok(()) };
    let event = if fact.removed { AuditEvent::Removed } else { AuditEvent::ReportDismissed };
    let note = Text::parse_optional("note", fact.note.as_deref())?;
    let about = format!("{} {}", fact.kind, fact.item_id);
    let action = AdminAction {
        event,
        by: ActionBy::Moderator(id(moderator)?),
        member: fact.subject_member_id.as_deref().map(id).transpose()?,
        about: Some(&about),
        reason: fact.reason.as_deref().map(reason).transpose()?,
        note: note.as_ref(),
    };
    insert_action(db, id(&fact.report_id)?, &action, now).await
}

/// Records a decision on an appeal.
pub async fn record_appeal_decided(
    db: &mut PgConnection,
    fact: &AppealDecided,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let event = if fact.overturned { AuditEvent::AppealOverturned } else { AuditEvent::AppealUpheld };
    let note = Text::parse_optional("note", fact.note.as_deref())?;
    let about = format!("{} {}", fact.kind, fact.item_id);
    let action = AdminAction {
        event,
        by: ActionBy::Moderator(id(&fact.moderator_id)?),
        member: Some(id(&fact.author_id)?),
        about: Some(&about),
        reason: Some(reason(&fact.reason)?),
        note: note.as_ref(),
    };
    insert_action(db, id(&fact.decision_id)?, &action, now).await
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("id", raw).map_err(InvalidRequest::from)?)
}

fn reason(raw: &str) -> Result<Reason, Error> {
    Ok(match raw {
        "spam" => Reason::Spam,
        "harassment" => Reason::Harassment,
        "false-information" => Reason::FalseInformation,
        "impersonation" => Reason::Impersonation,
        "privileged-information" => Reason::PrivilegedInformation,
        "illegal" => Reason::Illegal,
        "other" => Reason::Other,
        "no-violation" => Reason::NoViolation,
        "resolved" => Reason::Resolved,
        _ => return Err(Violation::new("reason", "This reason is unknown.").into()),
    })
}

//! Decides reports.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    ReportDecision,
    removal::{self, NewRemoval},
};
use crate::{
    cases::{DecisionReason, Outcome, Report, ReportedKind},
    error::Error,
    publishing::moderation::{Decided, publish_report_decided},
    reports::{self, lock_item},
};

/// Decides all open reports of an item. The same moderator can repeat a decision without effect. The parties of the
/// case cannot decide: the owner of the item, a reporter, and a moderator who decided on the item before.
///
/// # Errors
/// [`Error::ReportNotFound`]; [`Error::OwnCase`]; [`Error::ReportDecided`]; [`Error::NotRemovable`].
pub async fn decide(work: &mut UnitOfWork<'_>, moderator: Uuid, decision: &ReportDecision) -> Result<(), Error> {
    lock_item(work.db, decision.report_id).await?;
    let report = reports::get(work.db, decision.report_id).await?;
    if decision.outcome == Outcome::Removed && matches!(report.kind, ReportedKind::Member | ReportedKind::Message) {
        return Err(Error::NotRemovable);
    }
    let decided = sqlx::query!(
        "update feed.reports r
        set
            outcome = $3,
            resolved_at = $4,
            decided_by = $1,
            decision_reason = $5,
            note = $6,
            decision_id = $2
        where r.kind = $7
            and r.item_id = $8
            and r.resolved_at is null
            and exists (select from feed.reports head where head.id = $2 and head.resolved_at is null)
            and not exists (
                select
                from feed.case_parties party
                where party.kind = $7
                    and party.item_id = $8
                    and party.member_id = $1
            )",
        moderator,
        decision.report_id,
        decision.outcome as Outcome,
        work.now,
        decision.reason as DecisionReason,
        decision.note.as_deref(),
        report.kind as ReportedKind,
        report.item_id,
    );
    if decided.execute(&mut *work.db).await?.rows_affected() == 0 {
        return refuse(work.db, moderator, decision, &report).await;
    }
    let removal = NewRemoval { by: Some(moderator), reason: decision.reason };
    let removal_id = match decision.outcome {
        Outcome::Removed => removal::remove(work, &report, &removal).await?,
        Outcome::Dismissed => None,
    };
    let fact = Decided {
        report: &report,
        outcome: decision.outcome,
        moderator: Some(moderator),
        reason: Some(decision.reason),
        note: decision.note.as_deref(),
        removal: removal_id,
    };
    publish_report_decided(work, &fact).await?;
    Ok(())
}

/// Returns the error of a decision that changed no row, or `Ok` for a repetition.
async fn refuse(
    db: &mut PgConnection,
    moderator: Uuid,
    decision: &ReportDecision,
    report: &Report,
) -> Result<(), Error> {
    if report.outcome.is_none() {
        return Err(Error::OwnCase);
    }
    let decided_by = sqlx::query_scalar!("select decided_by from feed.reports where id = $1", report.id);
    let is_repeated = decided_by.fetch_one(db).await? == Some(moderator) && report.outcome == Some(decision.outcome);
    if is_repeated { Ok(()) } else { Err(Error::ReportDecided) }
}

//! Commands of the operators on reports, called by `portia admin`.

use outbox::{Outbox, UnitOfWork};
use primitives::{clock::Clock, ids::Ids};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::removal::{self, NewRemoval};
use crate::{
    cases::DecisionReason,
    error::Error,
    publishing::moderation::{Decided, publish_report_decided},
    reports::lock_item,
};

pub use crate::{
    cases::{Outcome, Reason, Report, ReportedKind},
    reports::get,
};

/// The maximum number of listed reports.
const MAX_REPORTS: i64 = 100;

/// Lists the 100 oldest open reports, or with `all` the 100 newest of all reports, newest last.
///
/// # Errors
/// When the database is unavailable.
pub async fn list(db: &mut PgConnection, all: bool) -> Result<Vec<Report>, Error> {
    let reports = sqlx::query_as!(
        Report,
        r#"
        select
            id, reporter_id, kind as "kind: ReportedKind", item_id, subject_id, excerpt, reason as "reason: Reason", words,
            created_at, resolved_at, outcome as "outcome: Outcome"
        from feed.reports
        where id in (
            (
                select id
                from feed.reports
                where resolved_at is null
                    and not $1
                order by created_at, id
                limit $2
            )
            union all
            (
                select id
                from feed.reports
                where $1
                order by created_at desc, id desc
                limit $2
            )
        )
        order by created_at, id
        "#,
        all,
        MAX_REPORTS
    );
    Ok(reports.fetch_all(db).await?)
}

/// Decides a report. [`Outcome::Removed`] removes a post or comment and decides every open report of it; the operator
/// removes an item of another service there first. A repeated decision changes nothing, so an interrupted command can
/// be repeated.
///
/// # Errors
/// [`Error::ReportNotFound`]; [`Error::ReportDecided`].
pub async fn resolve(db: &mut PgConnection, id: Uuid, outcome: Outcome, clock: &Clock) -> Result<Report, Error> {
    let (outbox, ids) = (Outbox::new("feed"), Ids::random(clock.clone()));
    let mut tx = db.begin().await?;
    let work = &mut UnitOfWork::new(&mut tx, &outbox, &ids, clock);
    lock_item(work.db, id).await?;
    let earlier = get(work.db, id).await?;
    if earlier.outcome.is_some_and(|earlier| earlier != outcome) {
        return Err(Error::ReportDecided);
    }
    sqlx::query!(
        "update feed.reports
        set outcome = $2, resolved_at = coalesce(resolved_at, $3)
        where id = $1",
        id,
        outcome as Outcome,
        work.now
    )
    .execute(&mut *work.db)
    .await?;
    let report = get(work.db, id).await?;
    if earlier.outcome.is_none() {
        apply(work, &report, outcome).await?;
    }
    tx.commit().await?;
    Ok(report)
}

/// Applies the effects of a first decision.
async fn apply(work: &mut UnitOfWork<'_>, report: &Report, outcome: Outcome) -> Result<(), Error> {
    // A removal states the reason of the reporter, because the command has none.
    let reason = DecisionReason::from(report.reason);
    let mut decided = Decided { report, outcome, moderator: None, reason: None, note: None, removal: None };
    if outcome == Outcome::Removed {
        resolve_others(work, report).await?;
        decided.reason = Some(reason);
        decided.removal = removal::remove(work, report, &NewRemoval { by: None, reason }).await?;
    }
    publish_report_decided(work, &decided).await?;
    Ok(())
}

/// Decides the other open reports of a removed item.
async fn resolve_others(work: &mut UnitOfWork<'_>, report: &Report) -> Result<(), Error> {
    sqlx::query!(
        "update feed.reports
        set outcome = 'removed', resolved_at = $3, decision_id = $4
        where kind = $1
            and item_id = $2
            and (resolved_at is null or id = $4)",
        report.kind as ReportedKind,
        report.item_id,
        work.now,
        report.id
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

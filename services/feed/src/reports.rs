//! Reports of members to the operators, with the content at the time of the report.
//!
//! A member may report items that they may see or that only a block hides: otherwise an author could block members
//! before they report. This service checks posts and comments; for other items the gateway asks the owner first.

pub mod create;

use primitives::input::Text;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cases::{Outcome, Reason, Report, ReportedKind},
    error::Error,
};

/// The maximum length of stored content, in characters.
pub const MAX_EXCERPT: usize = 4_000;

/// A report that a member makes.
pub struct NewReport {
    pub kind: ReportedKind,
    pub item_id: Uuid,
    pub reason: Reason,
    /// The explanation of the reporter.
    pub explanation: Option<Text<1_000>>,
    /// The content of an item that another service owns, as read by the gateway.
    pub external: ReportedContent,
}

/// The content of an item at the time of its report.
#[derive(Default)]
pub struct ReportedContent {
    /// The member who owns the item.
    pub subject_id: Option<Uuid>,
    pub excerpt: String,
}

/// Returns a report, open or decided.
///
/// # Errors
/// [`Error::ReportNotFound`].
pub async fn get(db: &mut PgConnection, id: Uuid) -> Result<Report, Error> {
    let report = sqlx::query_as!(
        Report,
        r#"
        select
            id, reporter_id, kind as "kind: ReportedKind", item_id, subject_id, excerpt, reason as "reason: Reason", words,
            created_at, resolved_at, outcome as "outcome: Outcome"
        from feed.reports
        where id = $1
        "#,
        id
    );
    report.fetch_optional(db).await?.ok_or(Error::ReportNotFound)
}

/// Locks the open reports of the item of a report, in the order of their ids: two decisions exclude each other and cannot
/// deadlock.
pub async fn lock_item(db: &mut PgConnection, report_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(
        "select r.id
        from feed.reports head
        join feed.reports r on r.kind = head.kind and r.item_id = head.item_id
        where head.id = $1
            and (r.resolved_at is null or r.id = $1)
        order by r.id
        for no key update of r",
        report_id
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

/// Removes an erased member from a batch of their reports, and deletes a batch of the reports about them. Returns the number
/// of rows.
pub async fn erase_batch(db: &mut PgConnection, member_id: Uuid, batch: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with anonymised as (
            update feed.reports
            set reporter_id = null, words = null
            where id in (select id from feed.reports where reporter_id = $1 limit $2)
            returning id
        ),
        deleted as (
            delete from feed.reports
            where id in (select id from feed.reports where subject_id = $1 limit $2)
            returning id
        )
        select (select count(*) from anonymised) + (select count(*) from deleted) as "n!"
        "#,
        member_id,
        batch
    )
    .fetch_one(db)
    .await
}

//! What the people who run Portia do about reports, from the machine it runs on: `portia admin ..` calls these.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::{error::Error, facts::Facts, removal};

pub use crate::reports::{Kind, Reason};

/// Reports told at once: who decides reads each.
const AT_ONCE: i64 = 100;

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Outcome {
    /// What was reported is there no more.
    Removed,
    /// Nothing is done about it, or somewhere else.
    Dismissed,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What it is decided by.
    pub id: Uuid,
    /// Who made it; nobody any more when their account is gone.
    pub reporter_id: Option<Uuid>,
    /// Of what sort of thing.
    pub kind: Kind,
    /// Of which: its owner's id.
    pub item_id: Uuid,
    /// Whose it is.
    pub subject_id: Option<Uuid>,
    /// What it said then, cut at 4,000 characters.
    pub excerpt: String,
    /// Why.
    pub reason: Reason,
    /// In the reporter's own words.
    pub words: Option<String>,
    /// When.
    pub created_at: DateTime<Utc>,
    /// When it was decided.
    pub resolved_at: Option<DateTime<Utc>>,
    /// And how.
    pub outcome: Option<Outcome>,
}

/// The reports that have waited longest, at most a hundred; or of all of them the hundred newest, those that are decided
/// with them, the newest last.
///
/// # Errors
/// When the database is away.
pub async fn reports(conn: &mut PgConnection, all: bool) -> Result<Vec<Report>, Error> {
    let told = sqlx::query_as!(
        Report,
        r#"
        select
            id, reporter_id, kind as "kind: Kind", item_id, subject_id, excerpt, reason as "reason: Reason", words,
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
        AT_ONCE
    );
    Ok(told.fetch_all(conn).await?)
}

/// One of them, decided or not.
///
/// # Errors
/// [`Error::ReportNotFound`].
pub async fn report(conn: &mut PgConnection, id: Uuid) -> Result<Report, Error> {
    let told = sqlx::query_as!(
        Report,
        r#"
        select
            id, reporter_id, kind as "kind: Kind", item_id, subject_id, excerpt, reason as "reason: Reason", words,
            created_at, resolved_at, outcome as "outcome: Outcome"
        from feed.reports
        where id = $1
        "#,
        id
    );
    told.fetch_optional(conn).await?.ok_or(Error::ReportNotFound)
}

/// Decides a report. Removing takes a post or comment away as its author would, if it is still there, and decides every
/// report of it; whatever feed does not own is its owner's to remove before. Decided the same way again, it stays as it
/// is: who could not note what they did may do it again.
///
/// # Errors
/// [`Error::ReportNotFound`]; [`Error::ReportDecided`].
pub async fn resolve(conn: &mut PgConnection, id: Uuid, outcome: Outcome, now: DateTime<Utc>) -> Result<Report, Error> {
    let mut tx = conn.begin().await?;
    let decided = sqlx::query!(
        "update feed.reports
        set outcome = $2, resolved_at = coalesce(resolved_at, $3)
        where id = $1
            and coalesce(outcome, $2) = $2",
        id,
        outcome as Outcome,
        now
    );
    let decided = decided.execute(&mut *tx).await?.rows_affected() == 1;
    let report = report(&mut tx, id).await?;
    if !decided {
        return Err(Error::ReportDecided);
    }
    if outcome == Outcome::Removed {
        remove(&mut tx, &report, now).await?;
    }
    tx.commit().await?;
    Ok(report)
}

async fn remove(conn: &mut PgConnection, report: &Report, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "update feed.reports
        set outcome = 'removed', resolved_at = $3
        where kind = $1
            and item_id = $2
            and resolved_at is null",
        report.kind as Kind,
        report.item_id,
        now
    )
    .execute(&mut *conn)
    .await?;
    // Without an author it went with them.
    let Some(author) = report.subject_id else { return Ok(()) };
    let facts = Facts::new(Outbox::new("feed"));
    let removed = match report.kind {
        Kind::Post => removal::withdraw(conn, &facts, author, report.item_id, now).await,
        Kind::Comment => removal::unsay(conn, &facts, author, report.item_id, now).await.map(drop),
        Kind::Member | Kind::Message | Kind::Job => Ok(()),
    };
    match removed {
        // Its author was quicker.
        Err(Error::PostNotFound | Error::CommentNotFound) => Ok(()),
        other => other,
    }
}

//! Reminds members of applications that they have not sent to the employer, three days and one day before the deadline.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::TimeDelta;
use db::begin;
use outbox::Changes;
use sqlx::PgPool;

use crate::{
    error::Error,
    publishing::{self, DueApplication},
};

/// How often deadlines are checked.
const INTERVAL: Duration = Duration::from_secs(60);
/// Reminders that one transaction publishes.
const BATCH: usize = 100;
/// The time before the deadline of the first reminder, and of the last one. For a date, from its midnight in UTC: the last
/// reminder comes before the date begins, almost everywhere.
const FIRST: TimeDelta = TimeDelta::days(3);
const LAST: TimeDelta = TimeDelta::days(1);
/// From the midnight in UTC of a date to its end everywhere.
const DATE: TimeDelta = TimeDelta::hours(36);
/// The least time between the answer of the member and a reminder: an application of the last day is not reminded of at
/// once.
const PAUSE: TimeDelta = TimeDelta::hours(1);

/// Publishes reminders every minute until the process stops.
pub fn spawn(context: &ServiceContext, pool: &PgPool, changes: &Changes) {
    let (pool, changes) = (pool.clone(), changes.clone());
    context.tasks.spawn("reminding", move |stopped| {
        let (pool, changes) = (pool.clone(), changes.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(INTERVAL) => remind(&pool, &changes).await?,
                };
            }
        }
    });
}

/// Publishes the reminders that are due, a bounded number per transaction, and returns their number. Each application has
/// at most one reminder of each kind; a first one that is late is left out.
///
/// # Errors
/// When a statement fails.
pub async fn remind(pool: &PgPool, changes: &Changes) -> Result<usize, Error> {
    let mut all = 0;
    loop {
        let mut tx = begin(pool).await?;
        let work = &mut changes.work(&mut tx);
        let now = work.now;
        // A posting that is being closed and an application that is being changed are left for the next minute, and so are
        // the applications of another replica.
        let due = sqlx::query_as!(
            DueApplication,
            r#"with due as (
                select a.id, p.application_deadline, p.application_deadline_date, d.days
                from jobs.postings p
                join jobs.applications a on a.posting_id = p.id
                cross join lateral (
                    select coalesce(p.application_deadline_date::timestamp at time zone 'UTC', p.application_deadline) as due
                ) as b
                cross join lateral (
                    select case when b.due <= $2 then 1::smallint else 3::smallint end as days
                ) as d
                where p.closed_at is null
                    and p.application_deadline > $1
                    -- A range of the index.
                    and p.application_deadline <= $6
                    and b.due <= $3
                    and a.sent_to_employer = 'not-yet'
                    and a.status = 'applied'
                    and a.sent_to_employer_at <= $4
                    and (a.reminded_days is null or a.reminded_days > d.days)
                order by p.application_deadline, a.id
                limit $5
                for no key update of a skip locked
                for share of p skip locked
            )
            update jobs.applications a
            set reminded_days = due.days
            from due
            where a.id = due.id
            returning
                a.id, a.member_id, a.posting_id, a.job ->> 'title' as "title!",
                due.application_deadline as "deadline!", due.application_deadline_date as deadline_date"#,
            now,
            now + LAST,
            now + FIRST,
            now - PAUSE,
            i64::try_from(BATCH).unwrap_or(i64::MAX),
            now + FIRST + DATE,
        );
        let due = due.fetch_all(&mut *work.db).await?;
        publishing::publish_applications_due(work, &due).await?;
        tx.commit().await.map_err(Error::from)?;
        all += due.len();
        if due.len() < BATCH {
            return Ok(all);
        }
    }
}

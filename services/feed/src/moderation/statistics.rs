//! The numbers of moderation. They count items, not reports.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::{cases::Reason, error::Error};

/// The number of days that decisions are counted for: 30 days in UTC, including today.
const DAYS: i64 = 30;

/// The numbers.
pub struct Statistics {
    pub totals: Totals,
    /// Every day, oldest first.
    pub days: Vec<Day>,
    /// The reasons with decisions.
    pub reasons: Vec<DecisionsOfReason>,
}

/// The numbers of open and decided items.
pub struct Totals {
    pub open: i64,
    pub oldest_open_at: Option<DateTime<Utc>>,
    /// From the first report to the decision, in seconds.
    pub median_seconds: Option<f64>,
    pub open_appeals: i64,
    pub appeals_upheld: i64,
    pub appeals_overturned: i64,
}

/// The decisions of a day.
pub struct Day {
    pub day: NaiveDate,
    pub removed: i64,
    pub dismissed: i64,
}

/// The decisions about reports of one reason.
pub struct DecisionsOfReason {
    pub reason: Reason,
    pub removed: i64,
    pub dismissed: i64,
}

/// Computes the numbers: three statements over the open reports and the decisions of 30 days.
pub async fn get(db: &mut PgConnection, now: DateTime<Utc>) -> Result<Statistics, Error> {
    let first = now.date_naive() - TimeDelta::days(DAYS - 1);
    let since = first.and_time(chrono::NaiveTime::MIN).and_utc();
    let totals = sqlx::query_as!(
        Totals,
        r#"
        select
            (
                select count(distinct (kind, item_id))
                from feed.reports
                where resolved_at is null
            ) as "open!",
            (select min(created_at) from feed.reports where resolved_at is null) as oldest_open_at,
            (
                select percentile_cont(0.5) within group (order by extract(epoch from resolved_at - created_at))
                from feed.reports
                where resolved_at >= $1
                    and (decision_id is null or decision_id = id)
            ) as median_seconds,
            (
                select count(*)
                from feed.removals
                where appealed_at is not null
                    and appeal_outcome is null
            ) as "open_appeals!",
            (
                select count(*)
                from feed.removals
                where appeal_decided_at >= $1
                    and appeal_outcome = 'upheld'
            ) as "appeals_upheld!",
            (
                select count(*)
                from feed.removals
                where appeal_decided_at >= $1
                    and appeal_outcome = 'overturned'
            ) as "appeals_overturned!"
        "#,
        since
    );
    let totals = totals.fetch_one(&mut *db).await?;
    let days = sqlx::query_as!(
        Day,
        r#"
        select
            d.day::date as "day!",
            count(r.id) filter (where r.outcome = 'removed') as "removed!",
            count(r.id) filter (where r.outcome = 'dismissed') as "dismissed!"
        from generate_series(0, $2) as n (n)
        cross join lateral (select $1::timestamptz + n.n * interval '24 hours' as begins) as b
        cross join lateral (select (b.begins at time zone 'UTC')::date as day) as d
        left join feed.reports r
            on r.resolved_at >= b.begins
            and r.resolved_at < b.begins + interval '24 hours'
            and (r.decision_id is null or r.decision_id = r.id)
        group by d.day
        order by d.day
        "#,
        since,
        i32::try_from(DAYS - 1).unwrap_or(0)
    );
    let days = days.fetch_all(&mut *db).await?;
    let reasons = sqlx::query_as!(
        DecisionsOfReason,
        r#"
        select
            reason as "reason: Reason",
            count(*) filter (where outcome = 'removed') as "removed!",
            count(*) filter (where outcome = 'dismissed') as "dismissed!"
        from feed.reports
        where resolved_at >= $1
            and (decision_id is null or decision_id = id)
        group by reason
        order by count(*) desc, reason
        "#,
        since
    );
    let reasons = reasons.fetch_all(db).await?;
    Ok(Statistics { totals, days, reasons })
}

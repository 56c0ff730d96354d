//! The rows of a batch as column arrays for one statement.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Rows;
use crate::{dates::DateOrTime, derive::ParsedPosting};

/// A statement about the rows, which it reads as `found`. $18 is their source, $19 whether it is the demo.
macro_rules! with_rows {
    ($rows:expr, $source:expr, $is_demo:expr, $statement:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query!(
            "with found as (
                select *
                from unnest(
                    $1::uuid[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[],
                    $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::text[],
                    $15::timestamptz[], $16::date[], $17::date[]
                ) as f (
                    id, url, fingerprint, title, company, location, remote, description, employment_type,
                    experience_level, practice_area, salary, application_deadline, external_url, posted_at,
                    application_deadline_date, posted_date
                )
            ) " + $statement,
            &$rows.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
            &column($rows, |found| found.url.as_str()) as &[&str],
            &column($rows, |found| found.fingerprint.to_vec()),
            &column($rows, |found| found.title.as_str()) as &[&str],
            &column($rows, |found| found.company.as_str()) as &[&str],
            &column($rows, |found| found.location.as_deref()) as &[Option<&str>],
            &column($rows, |found| found.remote),
            &column($rows, |found| found.description.as_str()) as &[&str],
            &column($rows, |found| found.employment_type) as &[Option<&str>],
            &column($rows, |found| found.experience_level) as &[Option<&str>],
            &column($rows, |found| found.practice_area) as &[Option<&str>],
            &column($rows, |found| found.salary.as_deref()) as &[Option<&str>],
            &column($rows, |found| found.application_deadline.map(DateOrTime::end)) as &[Option<DateTime<Utc>>],
            &column($rows, |found| found.external_url.as_deref()) as &[Option<&str>],
            &column($rows, |found| found.posted_at.map(DateOrTime::start)) as &[Option<DateTime<Utc>>],
            &column($rows, |found| found.application_deadline?.date()) as &[Option<NaiveDate>],
            &column($rows, |found| found.posted_at?.date()) as &[Option<NaiveDate>],
            $source,
            $is_demo
            $(, $argument)*
        )
    };
}

fn column<'a, T>(rows: &'a Rows, of: impl Fn(&'a ParsedPosting) -> T) -> Vec<T> {
    rows.iter().map(|(_, found)| of(found)).collect()
}

/// The postings that differ from their rows, and whether each was closed.
pub async fn find_changed(
    db: &mut PgConnection,
    rows: &Rows,
    source: Uuid,
    is_demo: bool,
) -> Result<HashMap<Uuid, bool>, sqlx::Error> {
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let changed = with_rows!(
        rows,
        source,
        is_demo,
        r#"select p.id, p.closed_at is not null as "was_closed!"
        from found f
        join jobs.postings p on p.id = f.id
        where p.closed_at is not null
            or ($19 and p.posted_at is distinct from f.posted_at)
            or (
                p.source_id, p.url, p.fingerprint, p.title, p.company, p.location, p.remote, p.description,
                p.employment_type, p.experience_level, p.practice_area, p.salary, p.application_deadline, p.external_url,
                p.application_deadline_date
            ) is distinct from (
                $18::uuid, f.url, f.fingerprint, f.title, f.company, f.location, f.remote, f.description,
                f.employment_type, f.experience_level, f.practice_area, f.salary, f.application_deadline, f.external_url,
                f.application_deadline_date
            )"#,
    );
    Ok(changed.fetch_all(db).await?.into_iter().map(|row| (row.id, row.was_closed)).collect())
}

/// Inserts and updates postings. A closed one is reopened with the date of the source. Dates of the demo move daily; the date
/// of an open real posting stays.
pub async fn upsert(
    db: &mut PgConnection,
    rows: &Rows,
    source: Uuid,
    is_demo: bool,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let upserted = with_rows!(
        rows,
        source,
        is_demo,
        "insert into jobs.postings as p (
            id, source_id, url, fingerprint, title, company, location, remote, description, employment_type,
            experience_level, practice_area, salary, application_deadline, external_url, posted_at,
            application_deadline_date, posted_date
        )
        select
            id, $18, url, fingerprint, title, company, location, remote, description, employment_type,
            experience_level, practice_area, salary, application_deadline, external_url,
            -- A date that has begun in the east of UTC only is not in the future.
            least(coalesce(posted_at, $20), $20), application_deadline_date, posted_date
        from found
        on conflict (id) do update
        set
            source_id = excluded.source_id,
            url = excluded.url,
            fingerprint = excluded.fingerprint,
            title = excluded.title,
            company = excluded.company,
            location = excluded.location,
            remote = excluded.remote,
            description = excluded.description,
            employment_type = excluded.employment_type,
            experience_level = excluded.experience_level,
            practice_area = excluded.practice_area,
            salary = excluded.salary,
            application_deadline = excluded.application_deadline,
            external_url = excluded.external_url,
            application_deadline_date = excluded.application_deadline_date,
            posted_at = case when p.closed_at is not null or $19 then excluded.posted_at else p.posted_at end,
            posted_date = case when p.closed_at is not null or $19 then excluded.posted_date else p.posted_date end,
            closed_at = null,
            misses = 0",
        now,
    );
    upserted.execute(db).await?;
    Ok(())
}

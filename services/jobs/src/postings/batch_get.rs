//! Reads postings by their ids.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Posting;

/// Returns the existing postings among `ids`, open or closed, with their summaries, in any order.
pub async fn batch_get(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    ids: &[Uuid],
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    let postings = sqlx::query_as!(
        Posting,
        r#"select
            p.id, p.title, p.company, p.location, p.summary as description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.application_deadline_date,
            p.external_url, p.posted_at, p.posted_date,
            -- Closed at its deadline, before the row is updated.
            coalesce(p.closed_at, case when p.application_deadline <= $3 then p.application_deadline end) as closed_at,
            s.connector = 'demo' as "is_demo!",
            exists (
                select
                from jobs.applications a
                where a.member_id = $2
                    and a.posting_id = p.id
            ) as "is_applied!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.id = any((select $1::uuid[])::uuid[])"#,
        ids,
        viewer,
        now,
    );
    postings.fetch_all(db).await
}

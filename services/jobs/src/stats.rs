//! The numbers of open postings, written in the transaction that opens or closes them.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, search};

/// The numbers of the four statistics cards.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// Open postings.
    pub total: i64,
    /// Open internships.
    pub internships: i64,
    /// Open entry-level postings.
    pub entry_level: i64,
    /// Open full-time postings.
    pub full_time: i64,
}

/// Returns the sums over all sources: one row per source, whatever the number of postings.
pub async fn get(db: &mut PgConnection) -> Result<Stats, Error> {
    let stats = sqlx::query_as!(
        Stats,
        r#"select
            coalesce(sum(total), 0)::bigint as "total!",
            coalesce(sum(internships), 0)::bigint as "internships!",
            coalesce(sum(entry_level), 0)::bigint as "entry_level!",
            coalesce(sum(full_time), 0)::bigint as "full_time!"
        from jobs.stats"#,
    )
    .fetch_one(db)
    .await?;
    Ok(stats)
}

/// Adds or subtracts postings in their present state. Callers subtract before a change and add after it, which covers
/// every kind of change, also of the source. The caller has locked the openings. Schedules the postings for indexing.
pub async fn adjust(db: &mut PgConnection, postings: &[Uuid], sign: Sign) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with counted as (
            select
                source_id,
                count(*) as total,
                count(*) filter (where employment_type = 'internship') as internships,
                count(*) filter (where experience_level = 'entry-level') as entry_level,
                count(*) filter (where employment_type = 'full-time') as full_time
            from jobs.postings
            where id = any($1)
                and closed_at is null
            group by source_id
        )
        update jobs.stats s
        set
            total = s.total + $2 * c.total,
            internships = s.internships + $2 * c.internships,
            entry_level = s.entry_level + $2 * c.entry_level,
            full_time = s.full_time + $2 * c.full_time
        from counted c
        where s.source_id = c.source_id",
        postings,
        sign as i64,
    )
    .execute(&mut *db)
    .await?;
    search::JOBS.mark_stale(db, postings).await
}

/// The direction of an adjustment.
#[derive(Clone, Copy, Debug)]
pub enum Sign {
    Added = 1,
    Removed = -1,
}

/// Whether a source other than the demo has an open posting.
pub async fn has_real_postings(db: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select
            from jobs.stats t
            join jobs.sources s on s.id = t.source_id
            where s.connector <> 'demo'
                and t.total > 0
        ) as "exists!""#,
    )
    .fetch_one(db)
    .await
}

//! How many postings are open, kept in the transaction that opens or closes them.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, search};

/// The four cards.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// Open postings.
    pub total: i64,
    /// Of them, internships.
    pub internships: i64,
    /// Of them, those for beginners.
    pub entry_level: i64,
    /// Of them, full-time positions.
    pub full_time: i64,
}

/// The kept numbers of every source together: as many rows as sources, however many postings.
///
/// # Errors
/// As any statement.
pub async fn overview(db: &mut PgConnection) -> Result<Stats, Error> {
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

/// What some postings count for now. To be taken away before they change, and added after: so the numbers follow every
/// kind of change alike, a posting that moves from one source to another included. The openings must be held. What the
/// postings are found by follows a moment later.
///
/// # Errors
/// As any statement.
pub async fn count(db: &mut PgConnection, postings: &[Uuid], sign: Sign) -> Result<(), sqlx::Error> {
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

/// Whether postings are counted, or not any more.
#[derive(Clone, Copy, Debug)]
pub enum Sign {
    /// They are.
    Added = 1,
    /// They are not any more.
    Taken = -1,
}

/// Whether a real source has an open posting.
///
/// # Errors
/// As any statement.
pub async fn anything_real(db: &mut PgConnection) -> Result<bool, sqlx::Error> {
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

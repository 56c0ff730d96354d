//! The status of sources, for the status page and operators.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::error::Error;

/// A configured source and its last crawl.
#[derive(Clone, Debug)]
pub struct Source {
    /// The displayed name.
    pub name: String,
    /// Its connector.
    pub connector: String,
    /// The end of the last crawl; `None` before the first.
    pub last_run_at: Option<DateTime<Utc>>,
    /// The end of the last successful crawl.
    pub last_success_at: Option<DateTime<Utc>>,
    /// New postings of the last crawl.
    pub new_items: i32,
    /// Open postings.
    pub open_items: i64,
    /// Why the last crawl failed; `None` when it succeeded.
    pub failure: Option<String>,
    /// When the next crawl is due.
    pub due_at: DateTime<Utc>,
}

/// Lists the configured sources, by name.
///
/// # Errors
/// When the statement fails.
pub async fn list(db: &mut PgConnection) -> Result<Vec<Source>, Error> {
    let sources = sqlx::query_as!(
        Source,
        r#"select
            s.name, s.connector, s.last_run_at, s.last_success_at, s.new_items, s.failure, s.due_at,
            coalesce(t.total, 0) as "open_items!"
        from jobs.sources s
        left join jobs.stats t on t.source_id = s.id
        where s.is_on
        order by s.name, s.id"#,
    );
    Ok(sources.fetch_all(db).await?)
}

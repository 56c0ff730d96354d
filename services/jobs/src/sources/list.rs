//! Every source and how it does, for the status page and the people who run Portia.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::error::Error;

/// A source, and how its last crawls went.
#[derive(Clone, Debug)]
pub struct Source {
    /// What people read under a posting.
    pub name: String,
    /// What speaks to it.
    pub connector: String,
    /// When the last crawl ended; `None` before the first.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When the last one ended that went well.
    pub last_success_at: Option<DateTime<Utc>>,
    /// What the last crawl found that was new.
    pub new_items: i32,
    /// Postings of it that are open.
    pub open_items: i64,
    /// Why the last crawl failed; `None` when it did not.
    pub failure: Option<String>,
    /// When it is crawled next.
    pub due_at: DateTime<Utc>,
}

/// Every source that is on, by name.
///
/// # Errors
/// As any statement.
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

//! Where articles come from, as readers filter by it and as operators watch it.

use chrono::{DateTime, Utc};
use primitives::error::Violation;
use sqlx::PgConnection;

use crate::error::Error;

/// A source as clients filter by it.
pub struct Source {
    pub id: String,
    pub name: String,
}

/// Every source, by name, whether or not it has articles yet; the demo only while its stories are shown. An operator
/// names them: there are few.
pub async fn list(db: &mut PgConnection) -> Result<Vec<Source>, Error> {
    let sources = sqlx::query_as!(
        Source,
        "select s.id, s.name
        from news.sources s
        where s.connector <> 'demo'
            or exists (select from news.articles a where a.source_id = s.id)
        order by s.name",
    )
    .fetch_all(db)
    .await?;
    Ok(sources)
}

/// A source as operators and the status page see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crawled {
    /// What clients filter by.
    pub id: String,
    /// What people read.
    pub name: String,
    /// How it is read: `rss` or `demo`.
    pub connector: String,
    /// Crawls in a row that failed.
    pub failures: i32,
    /// When the last crawl ended, whatever came of it.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When the last one ended that went well.
    pub last_success_at: Option<DateTime<Utc>>,
    /// Articles the last one found that were new.
    pub new_items: i32,
    /// Why the last one failed: a sentence without addresses.
    pub failure: Option<String>,
    /// When the next one begins.
    pub due_at: Option<DateTime<Utc>>,
}

/// Every source that is read, by name.
///
/// # Errors
/// When the database is away.
pub async fn crawled(db: &mut PgConnection) -> Result<Vec<Crawled>, Error> {
    let sources = sqlx::query_as!(
        Crawled,
        "select id, name, connector, failures, last_run_at, last_success_at, new_items, failure, due_at
        from news.sources
        where is_on
        order by name",
    )
    .fetch_all(db)
    .await?;
    Ok(sources)
}

/// Refuses a source nobody configured.
pub async fn require(db: &mut PgConnection, id: &str) -> Result<(), Error> {
    let known = sqlx::query_scalar!(
        r#"select exists (
            select
            from news.sources
            where id = $1
        ) as "known!""#,
        id,
    )
    .fetch_one(db)
    .await?;
    if known { Ok(()) } else { Err(Violation::new("source", "This news source is not known.").into()) }
}

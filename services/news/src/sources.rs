//! Sources of articles: the filter list, and the crawl status for operators and the status page.

use chrono::{DateTime, Utc};
use crawler::schedule::Tables;
use primitives::error::Violation;
use sqlx::PgConnection;

use crate::error::Error;

/// The tables of the crawl schedule. The demo is claimed first, so that a new installation soon shows articles.
pub const TABLES: Tables = Tables {
    schema: "news",
    held_until: "rests_until",
    refreshable: "connector <> 'demo'",
    claim_order: "connector <> 'demo', due_at, id",
    interrupted: "It was interrupted.",
};

/// An entry of the filter list.
pub struct Source {
    pub id: String,
    pub name: String,
}

/// Lists all sources by name, including sources without articles, but the demo only while it has articles. The
/// configuration bounds their number.
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

/// A configured source and its last crawl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceStatus {
    /// The value of the filter in the API.
    pub id: String,
    /// The displayed name.
    pub name: String,
    /// `rss` or `demo`.
    pub connector: String,
    /// Consecutive failed crawls.
    pub failures: i32,
    /// The end of the last crawl, failed or not.
    pub last_run_at: Option<DateTime<Utc>>,
    /// The end of the last successful crawl.
    pub last_success_at: Option<DateTime<Utc>>,
    /// New articles of the last crawl.
    pub new_items: i32,
    /// Why the last crawl failed: a sentence without addresses.
    pub failure: Option<String>,
    /// When the next crawl is due.
    pub due_at: Option<DateTime<Utc>>,
}

/// Lists the configured sources, by name.
pub async fn list_crawled(db: &mut PgConnection) -> Result<Vec<SourceStatus>, Error> {
    let sources = sqlx::query_as!(
        SourceStatus,
        "select id, name, connector, failures, last_run_at, last_success_at, new_items, failure, due_at
        from news.sources
        where is_on
        order by name",
    )
    .fetch_all(db)
    .await?;
    Ok(sources)
}

/// Fails for an unknown source.
pub async fn ensure_exists(db: &mut PgConnection, id: &str) -> Result<(), Error> {
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

/// Adds new articles to the total of a source, in the transaction that stores them.
pub async fn add_total(db: &mut PgConnection, id: &str, new: i32) -> Result<(), sqlx::Error> {
    sqlx::query!("update news.sources set new_ever = new_ever + $2 where id = $1", id, i64::from(new))
        .execute(db)
        .await?;
    Ok(())
}

//! Articles, newest first, in numbered pages: the only list without a cursor, bounded by its last page.

mod rows;
mod search;

use chrono::{DateTime, NaiveDate, Utc};
use primitives::input::{LikePatterns, Line};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, sources};

/// Articles per page. The statements read one more, which shows whether another page follows. They contain `limit 13` as a
/// literal: for a bound limit the planner assumes a tenth of the table.
const PAGE_SIZE: usize = 12;

/// An article as lists show it.
pub struct Article {
    pub id: Uuid,
    pub title: String,
    pub description: Option<String>,
    pub author: Option<String>,
    pub url: String,
    pub source: String,
    pub source_name: String,
    pub published_at: Option<DateTime<Utc>>,
    /// Its date when the source gives no time of day.
    pub published_date: Option<NaiveDate>,
    /// Whether it is a fictitious article of the demo.
    pub is_demo: bool,
    /// The copies in its cluster, the earliest first; at most ten.
    pub copies: Vec<ArticleCopy>,
}

/// The article of one source in a cluster.
pub struct ArticleCopy {
    pub source: String,
    pub source_name: String,
    pub url: String,
}

/// A numbered page of articles.
pub struct ArticleQuery {
    pub page: PageNumber,
    /// The id of a source, not checked against the table.
    pub source: Option<Line<64>>,
    pub words: Option<LikePatterns>,
}

/// The number of a page: 1 to 1000, which bounds the cost of a page.
#[derive(Clone, Copy)]
pub struct PageNumber(i32);

impl PageNumber {
    /// The last page that can be requested.
    pub const LAST: i32 = 1000;

    /// `None` outside the range.
    pub fn new(number: i32) -> Option<Self> {
        (1..=Self::LAST).contains(&number).then_some(Self(number))
    }

    /// Whether this is the last page that can be requested.
    pub fn is_last(self) -> bool {
        self.0 == Self::LAST
    }

    /// The number of pages before this one.
    pub fn pages_before(self) -> i64 {
        i64::from(self.0) - 1
    }
}

/// A page of articles.
pub struct ArticlePage {
    pub articles: Vec<Article>,
    pub has_more: bool,
}

/// Returns any article, not only the leader of a cluster.
pub async fn get(db: &mut PgConnection, id: Uuid) -> Result<Article, Error> {
    let row = rows::by_id(id).fetch_optional(db).await?;
    row.map(Article::from).ok_or(Error::ArticleNotFound)
}

/// Returns the leaders of clusters among `ids`, in any order.
pub async fn batch_get_leaders(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Article>, sqlx::Error> {
    Ok(rows::leaders_by_ids(ids).fetch_all(db).await?.into_iter().map(Article::from).collect())
}

/// Returns the existing articles among `ids`, in any order.
pub async fn batch_get(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Article>, sqlx::Error> {
    Ok(rows::by_ids(ids).fetch_all(db).await?.into_iter().map(Article::from).collect())
}

/// Lists a page of articles: without a source the leader of each cluster, with a source all its articles.
pub async fn list(db: &mut PgConnection, query: &ArticleQuery, now: DateTime<Utc>) -> Result<ArticlePage, Error> {
    let offset = offset_of(query.page);
    let source = query.source.as_deref();
    let rows = match (source, &query.words) {
        (None, None) => rows::leaders(offset).fetch_all(&mut *db).await?,
        (Some(source), None) => rows::of_source(offset, source).fetch_all(&mut *db).await?,
        (_, Some(words)) => search::search(db, source, words, offset, now).await?,
    };
    // A known source may have no articles yet; an unknown one is an error.
    if rows.is_empty()
        && let Some(source) = source
    {
        sources::ensure_exists(db, source).await?;
    }
    let has_more = rows.len() > PAGE_SIZE && !query.page.is_last();
    Ok(ArticlePage { articles: rows.into_iter().take(PAGE_SIZE).map(Article::from).collect(), has_more })
}

/// Articles on the pages before `page`.
fn offset_of(page: PageNumber) -> i64 {
    page.pages_before() * PAGE_SIZE as i64
}

impl From<rows::Row> for Article {
    fn from(row: rows::Row) -> Self {
        let copies = row.copy_sources.into_iter().zip(row.copy_names).zip(row.copy_urls);
        Self {
            id: row.id,
            title: row.title,
            description: row.description,
            author: row.author,
            url: row.url,
            source: row.source,
            source_name: row.source_name,
            published_at: row.published_at,
            published_date: row.published_date,
            is_demo: row.is_demo,
            copies: copies.map(|((source, source_name), url)| ArticleCopy { source, source_name, url }).collect(),
        }
    }
}

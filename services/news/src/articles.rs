//! Articles, newest first, in numbered pages: the one list that is not walked by a cursor, and bounded instead.

mod cards;
mod search;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    convert::{Browse, PageNumber},
    error::Error,
    sources,
};

/// Articles of a page. The statements read one more, which tells whether another page follows: `limit 13` stands in them
/// as a number, since of a bound one the planner reckons with a tenth of the table.
const PAGE: usize = 12;

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
    /// Whether it is made up.
    pub is_demo: bool,
    /// Who tells the story, the earliest first; at most ten.
    pub copies: Vec<Copy>,
}

/// A story as one source has it.
pub struct Copy {
    pub source: String,
    pub source_name: String,
    pub url: String,
}

/// A page of articles.
pub struct Numbered {
    pub articles: Vec<Article>,
    pub has_more: bool,
}

/// One article, whether or not it stands for its story.
pub async fn find(db: &mut PgConnection, id: Uuid) -> Result<Article, Error> {
    let row = cards::one(id).fetch_optional(db).await?;
    row.map(Article::from).ok_or(Error::ArticleNotFound)
}

/// Those of some that stand for their stories, in any order.
pub async fn among(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Article>, sqlx::Error> {
    Ok(cards::among(ids).fetch_all(db).await?.into_iter().map(Article::from).collect())
}

/// Those there are of some, whether or not they stand for their stories, in any order.
pub async fn several(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Article>, sqlx::Error> {
    Ok(cards::several(ids).fetch_all(db).await?.into_iter().map(Article::from).collect())
}

/// The page asked for. Without a source a story stands there once, as its earliest copy; with one, as that source's.
pub async fn list(db: &mut PgConnection, browse: &Browse, now: DateTime<Utc>) -> Result<Numbered, Error> {
    let offset = before(browse.page);
    let source = browse.source.as_deref();
    let rows = match (source, &browse.words) {
        (None, None) => cards::stories(offset).fetch_all(&mut *db).await?,
        (Some(source), None) => cards::of_source(offset, source).fetch_all(&mut *db).await?,
        (_, Some(words)) => search::search(db, source, words, offset, now).await?,
    };
    // A known source may have no articles yet, an unknown one never has any.
    if rows.is_empty()
        && let Some(source) = source
    {
        sources::require(db, source).await?;
    }
    let has_more = rows.len() > PAGE && !browse.page.is_last();
    Ok(Numbered { articles: rows.into_iter().take(PAGE).map(Article::from).collect(), has_more })
}

/// Articles to pass over.
fn before(page: PageNumber) -> i64 {
    page.before() * PAGE as i64
}

impl From<cards::Row> for Article {
    fn from(row: cards::Row) -> Self {
        let places = row.copy_sources.into_iter().zip(row.copy_names).zip(row.copy_urls);
        Self {
            id: row.id,
            title: row.title,
            description: row.description,
            author: row.author,
            url: row.url,
            source: row.source,
            source_name: row.source_name,
            published_at: row.published_at,
            is_demo: row.is_demo,
            copies: places.map(|((source, source_name), url)| Copy { source, source_name, url }).collect(),
        }
    }
}

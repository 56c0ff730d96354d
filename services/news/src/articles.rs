//! Articles, newest first, in numbered pages: the one list that is not walked by a cursor, and bounded instead.

use chassis::input::Words;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    convert::{Browse, PageNumber},
    error::Error,
    sources,
};

/// Articles of a page.
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
}

/// A page of articles.
pub struct Numbered {
    pub articles: Vec<Article>,
    pub has_more: bool,
}

/// The page asked for. Without a source a story stands there once, as its earliest copy; with one, as that source's.
pub async fn list(db: &mut PgConnection, browse: &Browse) -> Result<Numbered, Error> {
    let window = Window::of(browse.page);
    let mut articles = match (&browse.source, &browse.words) {
        (None, None) => stories(db, window).await?,
        (Some(source), None) => of_source(db, source, window).await?,
        (source, Some(words)) => search(db, source.as_deref(), words, window).await?,
    };
    // A known source may have no articles yet, an unknown one never has any.
    if articles.is_empty()
        && let Some(source) = &browse.source
    {
        sources::require(db, source).await?;
    }
    let has_more = articles.len() > PAGE && !browse.page.is_last();
    articles.truncate(PAGE);
    Ok(Numbered { articles, has_more })
}

/// Rows to pass over and rows to read: one more than the page, which tells whether another follows.
#[derive(Clone, Copy)]
struct Window {
    offset: i64,
    limit: i64,
}

impl Window {
    fn of(page: PageNumber) -> Self {
        let size = PAGE as i64;
        Self { offset: page.before() * size, limit: size + 1 }
    }
}

async fn stories(db: &mut PgConnection, window: Window) -> Result<Vec<Article>, sqlx::Error> {
    sqlx::query_as!(
        Article,
        "select
            a.id, a.title, a.description, a.author, a.url, a.source_id as source, s.name as source_name,
            a.published_at
        from (
            select id, title, description, author, url, source_id, published_at, listed_at
            from news.articles
            where leads
            order by listed_at desc, id desc
            offset $1
            limit $2
        ) a
        join news.sources s on s.id = a.source_id
        order by a.listed_at desc, a.id desc",
        window.offset,
        window.limit,
    )
    .fetch_all(db)
    .await
}

async fn of_source(db: &mut PgConnection, source: &str, window: Window) -> Result<Vec<Article>, sqlx::Error> {
    sqlx::query_as!(
        Article,
        "select
            a.id, a.title, a.description, a.author, a.url, a.source_id as source, s.name as source_name,
            a.published_at
        from news.articles a
        join news.sources s on s.id = a.source_id
        where a.source_id = $1
        order by a.listed_at desc, a.id desc
        offset $2
        limit $3",
        source,
        window.offset,
        window.limit,
    )
    .fetch_all(db)
    .await
}

async fn search(
    db: &mut PgConnection,
    source: Option<&str>,
    words: &Words,
    window: Window,
) -> Result<Vec<Article>, sqlx::Error> {
    sqlx::query_as!(
        Article,
        "select
            a.id, a.title, a.description, a.author, a.url, a.source_id as source, s.name as source_name,
            a.published_at
        from news.articles a
        join news.sources s on s.id = a.source_id
        -- No index serves `all`, so the longest word goes ahead by itself.
        where a.searched ilike $1
            and a.searched ilike all ($2)
            and (a.source_id = $3 or ($3 is null and a.leads))
        order by a.listed_at desc, a.id desc
        offset $4
        limit $5",
        words.rarest,
        &words.all,
        source,
        window.offset,
        window.limit,
    )
    .fetch_all(db)
    .await
}

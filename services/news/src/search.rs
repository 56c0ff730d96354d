//! Full-text search for articles and resources: two audiences of one index.

#[cfg(test)]
mod query_cost;

use std::sync::LazyLock;

use ::search::{Document, DocumentsFuture, Order, PUBLIC, Search, SearchPage, SearchQuery};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    articles::{self, Article},
    error::Error,
    resources::{self, Resource},
};

/// The index of articles and resources.
pub static NEWS: LazyLock<Search> = LazyLock::new(|| Search::of("news", Order::Exact));

/// Articles and resources are public; separate audiences keep the results apart.
const ARTICLES: i32 = PUBLIC;
const RESOURCES: i32 = 1;

/// Schedules the clusters of `articles` for indexing: another copy may lead them now.
pub async fn mark_clusters_stale(db: &mut PgConnection, articles: &[Uuid]) -> Result<(), sqlx::Error> {
    if articles.is_empty() {
        return Ok(());
    }
    let copies = sqlx::query_scalar!(
        "select id
        from news.articles
        where story_id in (select story_id from news.articles where id = any($1))",
        articles,
    );
    let copies = copies.fetch_all(&mut *db).await?;
    NEWS.mark_stale(db, &copies).await
}

/// Reads the documents of `ids`: the leaders of clusters, and approved resources.
pub fn read_documents(db: &mut PgConnection, ids: Vec<Uuid>) -> DocumentsFuture<'_> {
    Box::pin(async move {
        let articles = sqlx::query!(
            r#"select a.id, a.title, a.description, a.author, a.listed_at as "listed_at!", s.name as source_name
            from news.articles a
            join news.sources s on s.id = a.source_id
            where a.id = any($1)
                and a.leads"#,
            &ids,
        );
        let articles = articles.fetch_all(&mut *db).await?;
        let resources = sqlx::query!(
            r#"select id, title, description, approved_at as "approved_at!"
            from news.resources
            where id = any($1)
                and approved_at is not null"#,
            &ids,
        );
        let resources = resources.fetch_all(db).await?;
        let articles = articles.iter().map(|article| {
            let body = article.description.iter().chain(&article.author).chain([&article.source_name]);
            let document =
                Document::new(article.id, article.listed_at, [article.title.as_str()], body.map(String::as_str));
            document.for_audience(ARTICLES)
        });
        let resources = resources.iter().map(|resource| {
            let (title, body) = ([resource.title.as_str()], resource.description.as_deref());
            Document::new(resource.id, resource.approved_at, title, body).for_audience(RESOURCES)
        });
        Ok(articles.chain(resources).collect())
    })
}

/// Searches the leaders of clusters.
pub async fn search_articles(db: &mut PgConnection, query: SearchQuery) -> Result<SearchPage<Article>, Error> {
    let mut executor = NEWS.execute(query, vec![ARTICLES]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(articles::batch_get_leaders(db, &ids).await?, |article: &Article| article.id);
    }
    Ok(executor.page())
}

/// Searches approved resources.
pub async fn search_resources(db: &mut PgConnection, query: SearchQuery) -> Result<SearchPage<Resource>, Error> {
    let mut executor = NEWS.execute(query, vec![RESOURCES]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(resources::batch_get(db, &ids).await?, |resource: &Resource| resource.id);
    }
    Ok(executor.page())
}

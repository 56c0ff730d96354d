//! Stories and resources found by their words: two audiences of one search.

#[cfg(test)]
mod cost;

use std::{pin::Pin, sync::LazyLock};

use ::search::{Document, Order, PUBLIC, Search, SearchPage, SearchQuery};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    articles::{self, Article},
    error::Error,
    resources::{self, Resource},
};

/// What both are found by.
pub static NEWS: LazyLock<Search> = LazyLock::new(|| Search::of("news", Order::Exact));

/// Whom stories are for, and resources: everybody, but whoever looks for the ones does not meet the others.
const STORIES: i32 = PUBLIC;
const RESOURCES: i32 = 1;

/// Has the stories of some articles read anew, soon: another copy may stand for them by now.
pub async fn stories_of(db: &mut PgConnection, articles: &[Uuid]) -> Result<(), sqlx::Error> {
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

/// What they are found by: of a story what the copy that stands for it says, of resources those that everybody sees.
pub fn read(
    db: &mut PgConnection,
    ids: Vec<Uuid>,
) -> Pin<Box<dyn Future<Output = Result<Vec<Document>, sqlx::Error>> + Send + '_>> {
    Box::pin(async move {
        let stories = sqlx::query!(
            r#"select a.id, a.title, a.description, a.author, a.listed_at as "listed_at!", s.name as source_name
            from news.articles a
            join news.sources s on s.id = a.source_id
            where a.id = any($1)
                and a.leads"#,
            &ids,
        );
        let stories = stories.fetch_all(&mut *db).await?;
        let resources = sqlx::query!(
            r#"select id, title, description, approved_at as "approved_at!"
            from news.resources
            where id = any($1)
                and approved_at is not null"#,
            &ids,
        );
        let resources = resources.fetch_all(db).await?;
        let stories = stories.iter().map(|story| {
            let said = story.description.iter().chain(&story.author).chain([&story.source_name]);
            let document = Document::new(story.id, story.listed_at, [story.title.as_str()], said.map(String::as_str));
            document.for_audience(STORIES)
        });
        let resources = resources.iter().map(|resource| {
            let (title, said) = ([resource.title.as_str()], resource.description.as_deref());
            Document::new(resource.id, resource.approved_at, title, said).for_audience(RESOURCES)
        });
        Ok(stories.chain(resources).collect())
    })
}

/// Stories that are found, each as the copy that stands for it.
pub async fn articles(db: &mut PgConnection, asked: SearchQuery) -> Result<SearchPage<Article>, Error> {
    let mut executor = NEWS.execute(asked, vec![STORIES]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(articles::among(db, &ids).await?, |article: &Article| article.id);
    }
    Ok(executor.page())
}

/// Resources that are found.
pub async fn resources(db: &mut PgConnection, asked: SearchQuery) -> Result<SearchPage<Resource>, Error> {
    let mut executor = NEWS.execute(asked, vec![RESOURCES]);
    while let Some(ids) = executor.next(db).await? {
        executor.accept(resources::among(db, &ids).await?, |resource: &Resource| resource.id);
    }
    Ok(executor.page())
}

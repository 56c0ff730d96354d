//! Writing down what sources tell: an article is known again by its address or by what its feed calls it, and changes
//! with it; a new one joins the story other sources tell already.

mod expiry;
mod keys;
mod stories;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use primitives::ids::Ids;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    connectors::{Connector, Item},
    search,
};

pub use expiry::{expire, worth_keeping};

/// Waits for the pen, and holds it to the end of the transaction: only who does writes articles. Batches are short, but
/// as many sources as are read at once may be in the queue, so this one may wait longer than a request's statements.
///
/// # Errors
/// As any statement.
pub async fn take_pen(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("set local statement_timeout = '20s'").execute(&mut *db).await?;
    sqlx::query_scalar!("select id from news.pen where id = 1 for update").fetch_one(db).await?;
    Ok(())
}

/// Takes the demo's stories down.
///
/// # Errors
/// As any statement.
pub async fn hide_demo(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    let hidden = sqlx::query_scalar!(
        "delete from news.articles a
        using news.sources s
        where s.id = a.source_id
            and s.connector = 'demo'
        returning a.id",
    )
    .fetch_all(&mut *db)
    .await?;
    if hidden.is_empty() { Ok(()) } else { search::NEWS.remove(db, &hidden).await }
}

/// Writes a batch of one source's stories, each of them once in it, and answers how many were new. The caller holds the
/// pen.
///
/// # Errors
/// As any statement.
pub async fn write(
    db: &mut PgConnection,
    source: &str,
    connector: Connector,
    items: &[Item],
    ids: &Ids,
    now: DateTime<Utc>,
) -> Result<i32, sqlx::Error> {
    match connector {
        Connector::Demo if has_real_ones(db).await? => {
            hide_demo(db).await?;
            return Ok(0);
        }
        Connector::Rss if !items.is_empty() => hide_demo(db).await?,
        Connector::Demo | Connector::Rss => {}
    }
    let known = Known::among(db, source, items).await?;
    let mut new = 0;
    let mut written = Vec::new();
    for item in items {
        match known.meet(source, item) {
            Met::Same => {}
            Met::Changed(article) => {
                change(db, connector, article, item).await?;
                written.push(article.id);
            }
            Met::New => {
                let id = ids.new_owner();
                insert(db, source, connector, id, item, now).await?;
                written.push(id);
                new += 1;
            }
        }
    }
    search::stories_of(db, &written).await?;
    Ok(new)
}

async fn has_real_ones(db: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select
            from news.articles a
            join news.sources s on s.id = a.source_id
            where s.connector <> 'demo'
        ) as "exists!""#,
    )
    .fetch_one(db)
    .await
}

/// An article that is there already.
struct Article {
    id: Uuid,
    story_id: Uuid,
    source_id: String,
    url: String,
    canonical_url: String,
    guid: Option<String>,
    title: String,
    description: Option<String>,
    author: Option<String>,
    published_at: Option<DateTime<Utc>>,
    found_at: DateTime<Utc>,
}

/// The articles a batch may mean.
struct Known {
    articles: Vec<Article>,
    by_url: HashMap<String, usize>,
    by_guid: HashMap<String, usize>,
}

/// What an item turned out to be.
enum Met<'a> {
    Same,
    Changed(&'a Article),
    New,
}

impl Known {
    async fn among(db: &mut PgConnection, source: &str, items: &[Item]) -> Result<Self, sqlx::Error> {
        let urls: Vec<String> = items.iter().map(|item| item.canonical_url.clone()).collect();
        let guids: Vec<String> = items.iter().filter_map(|item| item.guid.clone()).collect();
        let articles = sqlx::query_as!(
            Article,
            "select
                id, story_id, source_id, url, canonical_url, guid, title, description, author, published_at, found_at
            from news.articles
            where canonical_url = any ($1)
                or (source_id = $2 and guid = any ($3))",
            &urls,
            source,
            &guids,
        )
        .fetch_all(db)
        .await?;
        let places = || articles.iter().enumerate();
        let by_url = places().map(|(place, article)| (article.canonical_url.clone(), place)).collect();
        let own = places().filter(|(_, article)| article.source_id == source);
        let by_guid = own.filter_map(|(place, article)| Some((article.guid.clone()?, place))).collect();
        Ok(Self { articles, by_url, by_guid })
    }

    /// What `item` is. The address decides before the name: two articles may not have one address.
    fn meet(&self, source: &str, item: &Item) -> Met<'_> {
        let by_url = self.by_url.get(&item.canonical_url);
        let place = by_url.or_else(|| self.by_guid.get(item.guid.as_ref()?));
        match place.and_then(|place| self.articles.get(*place)) {
            None => Met::New,
            // Whoever told of the address first keeps it.
            Some(article) if article.source_id != source || article.says(item) => Met::Same,
            Some(article) => Met::Changed(article),
        }
    }
}

impl Article {
    /// Whether it is what the source tells now, as far as that is taken over.
    fn says(&self, item: &Item) -> bool {
        self.url == item.url
            && self.title == item.title
            && self.description == item.description
            && self.author == item.author
            && (self.published_at == item.published_at || (self.published_at.is_some() && !is_demo(&self.source_id)))
    }
}

fn is_demo(source: &str) -> bool {
    source == crate::config::DEMO
}

/// Takes over what a source tells otherwise now. A date stands once it is known: a story that is corrected is no newer
/// for it. The demo's move with the days.
async fn change(db: &mut PgConnection, connector: Connector, known: &Article, item: &Item) -> Result<(), sqlx::Error> {
    let published_at = match connector {
        Connector::Demo => item.published_at,
        Connector::Rss => known.published_at.or(item.published_at),
    };
    let keys = keys_of(connector, item, published_at.unwrap_or(known.found_at));
    sqlx::query!(
        "update news.articles
        set
            url = $2,
            canonical_url = $3,
            title = $4,
            description = $5,
            author = $6,
            published_at = $7,
            keys = $8
        where id = $1",
        known.id,
        item.url,
        item.canonical_url,
        item.title,
        item.description,
        item.author,
        published_at,
        &keys,
    )
    .execute(&mut *db)
    .await?;
    if published_at != known.published_at {
        stories::elect(db, known.story_id).await?;
    }
    Ok(())
}

async fn insert(
    db: &mut PgConnection,
    source: &str,
    connector: Connector,
    id: Uuid,
    item: &Item,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let listed_at = item.published_at.unwrap_or(now);
    let story = match connector {
        Connector::Demo => None,
        Connector::Rss => stories::told_elsewhere(db, source, item, listed_at).await?,
    };
    sqlx::query!(
        "insert into news.articles
            (id, story_id, source_id, url, canonical_url, guid, title, description, author, published_at, found_at, keys)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        id,
        story.unwrap_or(id),
        source,
        item.url,
        item.canonical_url,
        item.guid,
        item.title,
        item.description,
        item.author,
        item.published_at,
        now,
        &keys_of(connector, item, listed_at),
    )
    .execute(&mut *db)
    .await?;
    if let Some(story) = story {
        stories::elect(db, story).await?;
    }
    Ok(())
}

/// What other sources' copies find it by; nobody looks for the demo's.
fn keys_of(connector: Connector, item: &Item, listed_at: DateTime<Utc>) -> Vec<String> {
    match connector {
        Connector::Demo => Vec::new(),
        Connector::Rss => keys::of(&item.title, item.description.as_deref()).on(listed_at),
    }
}

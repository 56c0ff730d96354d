//! Storing items: an item updates its article; a new article joins the cluster of other sources' articles on the same story.

mod clusters;
mod expiry;
mod keys;
mod recognition;
mod undated;

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    connectors::{Connector, Item},
    search,
};

use keys::Keys;
use recognition::{Article, KnownArticles};

pub use expiry::{delete_expired, retain_recent};
pub use recognition::Recognition;

/// Locks the writing of articles until the transaction ends: two copies of one story, written concurrently, would
/// become two clusters. Several crawls may wait, so the timeout is longer than a request's timeout.
pub async fn lock_articles(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("set local statement_timeout = '20s'").execute(&mut *db).await?;
    sqlx::query_scalar!("select id from news.pen where id = 1 for update").fetch_one(db).await?;
    Ok(())
}

/// Deletes the articles of the demo.
pub async fn delete_demo(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    let deleted = sqlx::query_scalar!(
        "delete from news.articles a
        using news.sources s
        where s.id = a.source_id
            and s.connector = 'demo'
        returning a.id",
    )
    .fetch_all(&mut *db)
    .await?;
    if deleted.is_empty() { Ok(()) } else { search::NEWS.remove(db, &deleted).await }
}

/// Sets the assumed times of items without a date.
pub async fn assume_times(
    db: &mut PgConnection,
    source: &str,
    items: &mut [Item],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    if items.iter().all(|item| item.published_at.is_some()) {
        return Ok(());
    }
    let known = KnownArticles::read(db, source, items).await?;
    let mut recognition = Recognition::new(source, items);
    let is_known: Vec<bool> = items.iter().map(|item| recognition.recognise(&known, item).is_some()).collect();
    undated::assume_times(items, &is_known, now);
    Ok(())
}

/// Writes a batch of the items of one document and returns the number of new articles. The caller holds [`lock_articles`].
pub async fn write_batch(
    work: &mut UnitOfWork<'_>,
    source: &str,
    connector: Connector,
    items: &[Item],
    recognition: &mut Recognition,
) -> Result<i32, sqlx::Error> {
    match connector {
        Connector::Demo if has_real_articles(work.db).await? => {
            delete_demo(work.db).await?;
            return Ok(0);
        }
        Connector::Rss if !items.is_empty() => delete_demo(work.db).await?,
        Connector::Demo | Connector::Rss => {}
    }
    let known = KnownArticles::read(work.db, source, items).await?;
    let mut new = 0;
    let mut written = Vec::new();
    for item in items {
        let article = recognition.recognise(&known, item);
        let guid = known.guid_after(article, item);
        match article {
            // An address belongs to the source that published it first.
            Some(article) if article.source_id != source || article.equals(item, guid.as_ref()) => {}
            Some(article) => {
                update(work.db, connector, article, item, guid).await?;
                written.push(article.id);
            }
            None => {
                written.push(insert(work, source, connector, item, guid).await?);
                new += 1;
            }
        }
    }
    search::mark_clusters_stale(work.db, &written).await?;
    Ok(new)
}

async fn has_real_articles(db: &mut PgConnection) -> Result<bool, sqlx::Error> {
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

impl Article {
    /// Whether an update with the item would change nothing.
    fn equals(&self, item: &Item, guid: Option<&String>) -> bool {
        self.url == item.url
            && self.guid.as_ref() == guid
            && self.title == item.title
            && self.description == item.description
            && self.author == item.author
            && (self.published_at == item.published_at || (self.published_at.is_some() && !is_demo(&self.source_id)))
    }
}

fn is_demo(source: &str) -> bool {
    source == crate::config::DEMO
}

/// Updates an article. A known date stays, because a correction does not make an article newer; dates of the demo move daily.
async fn update(
    db: &mut PgConnection,
    connector: Connector,
    known: &Article,
    item: &Item,
    guid: Option<String>,
) -> Result<(), sqlx::Error> {
    let (published_at, published_date) = match (connector, known.published_at) {
        (Connector::Rss, Some(at)) => (Some(at), known.published_date),
        _ => (item.published_at, item.published_date),
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
            keys = $8,
            guid = $9,
            published_date = $10
        where id = $1",
        known.id,
        item.url,
        item.canonical_url,
        item.title,
        item.description,
        item.author,
        published_at,
        &keys,
        guid,
        published_date,
    )
    .execute(&mut *db)
    .await?;
    if published_at != known.published_at {
        clusters::elect_leader(db, known.story_id).await?;
    }
    Ok(())
}

/// Inserts an article and returns its id.
async fn insert(
    work: &mut UnitOfWork<'_>,
    source: &str,
    connector: Connector,
    item: &Item,
    guid: Option<String>,
) -> Result<Uuid, sqlx::Error> {
    let id = work.ids.new_owner();
    // Copies of a story are looked for at the time of discovery, not at an assumed one.
    let compared_at = item.published_at.unwrap_or(work.now);
    let cluster = match connector {
        Connector::Demo => None,
        Connector::Rss => clusters::find(work.db, source, item, compared_at).await?,
    };
    sqlx::query!(
        "insert into news.articles
            (
                id, story_id, source_id, url, canonical_url, guid, title, description, author, published_at, found_at, keys,
                published_date
            )
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        id,
        cluster.unwrap_or(id),
        source,
        item.url,
        item.canonical_url,
        guid,
        item.title,
        item.description,
        item.author,
        item.published_at,
        item.found_at,
        &keys_of(connector, item, compared_at),
        item.published_date,
    )
    .execute(&mut *work.db)
    .await?;
    if let Some(cluster) = cluster {
        clusters::elect_leader(work.db, cluster).await?;
    }
    Ok(id)
}

/// The keys by which copies of other sources find the article; none for the demo.
fn keys_of(connector: Connector, item: &Item, listed_at: DateTime<Utc>) -> Vec<String> {
    match connector {
        Connector::Demo => Vec::new(),
        Connector::Rss => Keys::of(&item.title, item.description.as_deref()).on(listed_at),
    }
}

//! Expiry: articles older than two years, and all but the newest 20,000 of a source.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::{connectors::Item, search};

/// How long an article is kept.
pub const RETENTION: TimeDelta = TimeDelta::days(730);
/// The most articles of a source.
const MAX_PER_SOURCE: i64 = 20_000;
/// Articles deleted in one transaction.
const BATCH: i64 = 500;

/// Removes items that would expire at once.
pub fn retain_recent(mut items: Vec<Item>, now: DateTime<Utc>) -> Vec<Item> {
    items.retain(|item| item.published_at.is_none_or(|at| at >= now - RETENTION));
    items
}

/// Deletes a batch of expired articles and returns their number. The earliest remaining copy leads a cluster.
pub async fn delete_expired(db: &mut PgConnection, now: DateTime<Utc>) -> Result<u64, sqlx::Error> {
    super::lock_articles(db).await?;
    let expired = sqlx::query_scalar!(
        r#"select expired.id as "id!"
        from news.sources s
        cross join lateral (
            (
                select id
                from news.articles
                where source_id = s.id
                    and listed_at < $1
                order by listed_at, id
                limit $3
            )
            union
            (
                select id
                from news.articles
                where source_id = s.id
                order by listed_at desc, id desc
                offset $2
                limit $3
            )
        ) expired
        limit $3"#,
        now - RETENTION,
        MAX_PER_SOURCE,
        BATCH,
    )
    .fetch_all(&mut *db)
    .await?;
    if expired.is_empty() {
        return Ok(0);
    }
    let new_leaders = sqlx::query_scalar!(
        "update news.articles a
        set story_id = leader.id
        from (
            select distinct on (story_id) story_id, id
            from news.articles
            where story_id = any ($1)
                and id <> all ($1)
            order by story_id, listed_at, id
        ) leader
        where a.story_id = leader.story_id
            and a.id <> all ($1)
        returning a.story_id",
        &expired,
    )
    .fetch_all(&mut *db)
    .await?;
    let deleted = sqlx::query!("delete from news.articles where id = any ($1)", &expired).execute(&mut *db).await?;
    search::NEWS.remove(db, &expired).await?;
    search::mark_clusters_stale(db, &new_leaders).await?;
    Ok(deleted.rows_affected())
}

//! What goes: articles beyond two years, and beyond twenty thousand of a source.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::{connectors::Item, search};

/// How long an article stays.
pub const KEPT: TimeDelta = TimeDelta::days(730);
/// Articles of a source that stay.
const OF_A_SOURCE: i64 = 20_000;
/// Articles that go in one transaction.
const AT_ONCE: i64 = 500;

/// Without what would go at once.
pub fn worth_keeping(mut items: Vec<Item>, now: DateTime<Utc>) -> Vec<Item> {
    items.retain(|item| item.published_at.is_none_or(|at| at >= now - KEPT));
    items
}

/// Lets some of what is too old or too much go, whichever source told it, and answers how many went. A story one of whose
/// copies stays is led by the earliest of those.
///
/// # Errors
/// As any statement.
pub async fn expire(db: &mut PgConnection, now: DateTime<Utc>) -> Result<u64, sqlx::Error> {
    super::take_pen(db).await?;
    let old = sqlx::query_scalar!(
        r#"select old.id as "id!"
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
        ) old
        limit $3"#,
        now - KEPT,
        OF_A_SOURCE,
        AT_ONCE,
    )
    .fetch_all(&mut *db)
    .await?;
    if old.is_empty() {
        return Ok(0);
    }
    let heirs = sqlx::query_scalar!(
        "update news.articles a
        set story_id = heir.id
        from (
            select distinct on (story_id) story_id, id
            from news.articles
            where story_id = any ($1)
                and id <> all ($1)
            order by story_id, listed_at, id
        ) heir
        where a.story_id = heir.story_id
            and a.id <> all ($1)
        returning a.story_id",
        &old,
    )
    .fetch_all(&mut *db)
    .await?;
    let gone = sqlx::query!("delete from news.articles where id = any ($1)", &old).execute(&mut *db).await?;
    search::NEWS.remove(db, &old).await?;
    search::stories_of(db, &heirs).await?;
    Ok(gone.rows_affected())
}

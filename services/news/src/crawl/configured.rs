//! Applies the configured sources to the rows at each start.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::{
    config::{BUILT_IN_SOURCES, Feed},
    connectors::Connector,
    ingest,
};

/// Inserts and updates the configured sources. A source that is not configured is turned off and keeps its articles until
/// they expire; without articles it is deleted, unless the specification names it. Without the demo its articles are deleted.
pub async fn configure(
    db: &mut PgConnection,
    feeds: &[Feed],
    every: Duration,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    ingest::lock_articles(db).await?;
    let column = |of: fn(&Feed) -> &str| feeds.iter().map(|feed| of(feed).to_owned()).collect::<Vec<_>>();
    let ids = column(|feed| &feed.id);
    sqlx::query!(
        "insert into news.sources as s (id, name, connector, address, is_on, due_at)
        select configured.id, configured.name, configured.connector, configured.address, true, $5
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as configured (id, name, connector, address)
        order by configured.id
        on conflict (id) do update
        set
            name = excluded.name,
            connector = excluded.connector,
            address = excluded.address,
            is_on = true,
            -- A source with the same address keeps its due time, unless the interval is shorter now.
            due_at = case
                when s.address = excluded.address and s.due_at is not null then least(s.due_at, $6)
                else excluded.due_at
            end,
            -- The validators of one server mean nothing to another.
            etag = case when s.address = excluded.address then s.etag end,
            last_modified = case when s.address = excluded.address then s.last_modified end,
            rests_until = case when s.address = excluded.address then s.rests_until end",
        &ids,
        &column(|feed| &feed.name),
        &column(|feed| feed.connector.name()),
        &column(|feed| &feed.address),
        now,
        now + TimeDelta::from_std(every).unwrap_or(TimeDelta::MAX),
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update news.sources
        set is_on = false
        where id <> all ($1)
            and is_on",
        &ids,
    )
    .execute(&mut *db)
    .await?;
    if feeds.iter().all(|feed| feed.connector != Connector::Demo) {
        ingest::delete_demo(db).await?;
    }
    sqlx::query!(
        "delete from news.sources s
        where not s.is_on
            and s.id <> all ($1)
            and not exists (select from news.articles a where a.source_id = s.id)",
        &BUILT_IN_SOURCES.map(str::to_owned),
    )
    .execute(db)
    .await?;
    Ok(())
}

//! What is crawled is configuration; the rows follow it at each start.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::{
    config::{Feed, STANDING},
    connectors::Connector,
    ingest,
};

/// Brings the rows in line with the configuration. A source that is no longer configured is turned off and keeps its
/// articles until their time; one that has none and is not the specification's goes, and so do the demo's stories with it.
///
/// # Errors
/// As any statement.
pub async fn configure(
    db: &mut PgConnection,
    feeds: &[Feed],
    every: Duration,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    ingest::take_pen(db).await?;
    // All of them, in the order in which a refresh takes them: nobody waits for one while another holds it.
    sqlx::query_scalar!("select id from news.sources order by id for no key update").fetch_all(&mut *db).await?;
    let column = |of: fn(&Feed) -> &str| feeds.iter().map(|feed| of(feed).to_owned()).collect::<Vec<_>>();
    let ids = column(|feed| &feed.id);
    sqlx::query!(
        "insert into news.sources as s (id, name, connector, address, is_on, due_at)
        select wanted.id, wanted.name, wanted.connector, wanted.address, true, $5
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as wanted (id, name, connector, address)
        order by wanted.id
        on conflict (id) do update
        set
            name = excluded.name,
            connector = excluded.connector,
            address = excluded.address,
            is_on = true,
            -- One that keeps its address keeps its turn, unless it is to come more often now.
            due_at = case
                when s.address = excluded.address and s.due_at is not null then least(s.due_at, $6)
                else excluded.due_at
            end,
            -- Another server knows nothing of what this one said.
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
        ingest::hide_demo(db).await?;
    }
    sqlx::query!(
        "delete from news.sources s
        where not s.is_on
            and s.id <> all ($1)
            and not exists (select from news.articles a where a.source_id = s.id)",
        &STANDING.map(str::to_owned),
    )
    .execute(db)
    .await?;
    Ok(())
}

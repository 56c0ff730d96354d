//! Sources as the configuration names them.

use chrono::{DateTime, Utc};
use primitives::ids::Ids;
use sqlx::PgConnection;

use super::Done;
use crate::connectors::Connector;

/// A source as the configuration names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configured {
    /// What speaks to it.
    pub connector: Connector,
    /// What it is asked.
    pub address: String,
    /// What people read under a posting.
    pub name: String,
}

/// Brings the table in line with the configuration: what is named is on, what is not is off and keeps its postings.
///
/// # Errors
/// As any statement.
pub async fn configure(db: &mut PgConnection, ids: &Ids, sources: &[Configured], now: DateTime<Utc>) -> Done {
    let connectors: Vec<String> = sources.iter().map(|source| source.connector.name().to_owned()).collect();
    let addresses: Vec<String> = sources.iter().map(|source| source.address.clone()).collect();
    sqlx::query!(
        "update jobs.sources s
        set is_on = false
        where is_on
            and not exists (
                select
                from unnest($1::text[], $2::text[]) as named (connector, address)
                where named.connector = s.connector
                    and named.address = s.address
            )",
        &connectors,
        &addresses,
    )
    .execute(&mut *db)
    .await?;
    for source in sources {
        // One that is new or was off is asked at once, and one that is called differently is read anew: its name may be
        // the employer's.
        let id = sqlx::query_scalar!(
            "insert into jobs.sources as known (id, connector, address, name, is_on, due_at)
            values ($1, $2, $3, $4, true, $5)
            on conflict (connector, address) do update
            set
                name = excluded.name,
                is_on = true,
                due_at = case when known.is_on and known.name = excluded.name then known.due_at else excluded.due_at end,
                etag = case when known.is_on and known.name = excluded.name then known.etag end,
                last_modified = case when known.is_on and known.name = excluded.name then known.last_modified end
            returning id",
            ids.new_owner(),
            source.connector.name(),
            source.address,
            source.name,
            now,
        )
        .fetch_one(&mut *db)
        .await?;
        sqlx::query!("insert into jobs.stats (source_id) values ($1) on conflict (source_id) do nothing", id)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

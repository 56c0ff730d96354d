//! Applies the configured sources to the rows at each start.

use chrono::{DateTime, Utc};
use primitives::ids::Ids;
use sqlx::PgConnection;

use crate::connectors::Connector;

/// A configured source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredSource {
    /// Its kind.
    pub connector: Connector,
    /// The token of a board, or the address of a feed.
    pub address: String,
    /// The displayed name.
    pub name: String,
}

/// Inserts and updates the configured sources; others are turned off and keep their postings.
///
/// # Errors
/// When a statement fails.
pub async fn configure(
    db: &mut PgConnection,
    ids: &Ids,
    sources: &[ConfiguredSource],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
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
        // A new source and one that was off are due at once. A renamed one is read again without validators: its name may be
        // the employer of its postings.
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

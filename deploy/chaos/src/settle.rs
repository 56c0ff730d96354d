//! Waits until every fact is numbered and consumed.

use portia::SERVICES;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::{
    installation::{Installation, schema},
    wait::eventually,
};

/// Waits until every consumer exists: facts before that are part of its first snapshot, which notifies no member.
///
/// # Errors
/// When a consumer does not begin.
pub async fn wait_until_subscribed(installation: &Installation) -> anyhow::Result<()> {
    wait_until_none(installation, "every consumer has a position", |consumer, source| {
        format!(
            "select 'consumes not: {consumer} <- {source}'
            where not exists (
                select from {}.cursors where source = '{source}' and history is not null
            )
            or exists (select from {}.snapshots where source = '{source}')",
            schema(consumer),
            schema(consumer)
        )
    })
    .await
}

/// Waits until every consumer has reached the position of its source.
///
/// # Errors
/// When a consumer does not get there.
pub async fn wait_until_consumed(installation: &Installation) -> anyhow::Result<()> {
    wait_until_none(installation, "every fact is consumed", |consumer, source| {
        format!(
            "select format('{consumer} is at %s of %s in {source}, and %s facts have no number', c.seq, s.n, p.n)
            from {source_schema}.outbox_sequence s
            cross join (select count(*) as n from {source_schema}.outbox where seq is null) p
            left join {consumer_schema}.cursors c on c.source = '{source}'
            where p.n > 0 or c.seq is distinct from s.n",
            source_schema = schema(source),
            consumer_schema = schema(consumer)
        )
    })
    .await
}

/// Waits until the statement of each consumer and source returns no line.
async fn wait_until_none(
    installation: &Installation,
    what: &str,
    statement: impl Fn(&str, &str) -> String,
) -> anyhow::Result<()> {
    let pairs = SERVICES.iter().flat_map(|consumer| SERVICES.iter().map(move |source| (*consumer, *source)));
    let pairs = pairs.filter(|(consumer, source)| access::may_consume(consumer, source));
    let statements: Vec<String> = pairs.map(|(consumer, source)| statement(consumer, source)).collect();
    let all = statements.join("\nunion all\n");
    let mut db = installation.superuser().await?;
    let mut left = Vec::new();
    let waited = eventually(what, async || match lines(&mut db, &all).await {
        Ok(found) => {
            left = found;
            left.is_empty()
        }
        Err(error) => {
            left = vec![format!("{error:#}")];
            false
        }
    });
    waited.await.map_err(|error| error.context(left.join("; ")))
}

/// The lines that a statement returns, one text each.
///
/// # Errors
/// When the statement fails.
pub async fn lines(db: &mut PgConnection, statement: &str) -> anyhow::Result<Vec<String>> {
    Ok(sqlx::query_scalar::<_, String>(AssertSqlSafe(statement.to_owned())).fetch_all(db).await?)
}

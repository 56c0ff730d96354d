//! Where articles come from.

use chassis::error::Violation;
use sqlx::PgConnection;

use crate::error::Error;

/// A source as clients filter by it.
pub struct Source {
    pub id: String,
    pub name: String,
}

/// Every source, by name, whether or not it has articles yet. An operator names them: there are few.
pub async fn list(db: &mut PgConnection) -> Result<Vec<Source>, Error> {
    let sources = sqlx::query_as!(
        Source,
        "select id, name
        from news.sources
        order by name",
    )
    .fetch_all(db)
    .await?;
    Ok(sources)
}

/// Refuses a source nobody configured.
pub async fn require(db: &mut PgConnection, id: &str) -> Result<(), Error> {
    let known = sqlx::query_scalar!(
        r#"select exists (
            select
            from news.sources
            where id = $1
        ) as "known!""#,
        id,
    )
    .fetch_one(db)
    .await?;
    if known { Ok(()) } else { Err(Violation::new("source", "This news source is not known.").into()) }
}

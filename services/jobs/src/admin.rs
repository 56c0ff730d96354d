//! What the people who run Portia look at, from the machine it runs on: `portia admin ..` calls these.

use sqlx::PgConnection;

use crate::error::Error;
pub use crate::sources::Source;

/// Every source that is crawled, by name, and how its last crawls went.
///
/// # Errors
/// When the database is away.
pub async fn sources(db: &mut PgConnection) -> Result<Vec<Source>, Error> {
    crate::sources::list(db).await
}

//! What the people who run Portia look at and do, from the machine it runs on: `portia admin ..` calls these.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

pub use crate::sources::Source;
use crate::{closing, error::Error};

/// Every source that is crawled, by name, and how its last crawls went.
///
/// # Errors
/// When the database is away.
pub async fn sources(db: &mut PgConnection) -> Result<Vec<Source>, Error> {
    crate::sources::list(db).await
}

/// Closes a posting for good: it leaves every list, whoever applied is told, and no crawl opens it again. Answers with its
/// title. Again it changes nothing.
///
/// # Errors
/// [`Error::JobNotFound`].
pub async fn remove(db: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> Result<String, Error> {
    let mut tx = db.begin().await?;
    closing::hold(&mut tx).await?;
    let title = closing::remove(&mut tx, &Outbox::new("jobs"), id, now).await?;
    tx.commit().await?;
    Ok(title)
}

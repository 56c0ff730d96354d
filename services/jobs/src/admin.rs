//! Operator actions on postings and sources, called by `portia admin`.

use outbox::{Outbox, UnitOfWork};
use primitives::{clock::Clock, ids::Ids};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

pub use crate::sources::Source;
use crate::{error::Error, expiry, sources};

/// Lists the configured sources with their last crawl, by name.
///
/// # Errors
/// When the database is unavailable.
pub async fn list_sources(db: &mut PgConnection) -> Result<Vec<Source>, Error> {
    sources::list(db).await
}

/// Removes a posting and returns its title: it is closed, applicants are notified, and no crawl opens it again. Idempotent.
///
/// # Errors
/// [`Error::JobNotFound`].
pub async fn remove_posting(db: &mut PgConnection, id: Uuid, ids: &Ids, clock: &Clock) -> Result<String, Error> {
    let mut tx = db.begin().await?;
    let title = remove(&mut UnitOfWork::new(&mut tx, &Outbox::new("jobs"), ids, clock), id).await?;
    tx.commit().await?;
    Ok(title)
}

/// The same in a transaction of the caller.
pub(crate) async fn remove(work: &mut UnitOfWork<'_>, id: Uuid) -> Result<String, Error> {
    expiry::lock_openings(work.db).await?;
    expiry::remove(work, id).await
}

//! Background tasks: the erasure of members and of groups without members, the withdrawal of notifications caused by closed
//! accounts, the deletion of unused uploads, and the expiry of idempotency keys.

use std::time::Duration;

use chassis::ServiceContext;
use idempotency::IdempotencyKeys;
use outbox::Changes;
use sqlx::PgPool;

use crate::{attachments::cleanup, deactivation, error::Error, groups, messages};

/// How often the task looks for requests.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Starts the tasks. They run until the process stops, possibly between any two statements.
pub fn start(context: &ServiceContext, db: &PgPool, keys: &IdempotencyKeys, changes: &Changes) {
    keys.spawn_purge(context, db);
    cleanup::spawn(context, db);
    let (db, changes, activity) = (db.clone(), changes.clone(), context.activity.clone());
    context.tasks.spawn("erasures", move |stopped| {
        let (db, changes, activity) = (db.clone(), changes.clone(), activity.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = activity.pause(POLL_INTERVAL) => {}
                }
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    done = poll(&db, &changes) => done?,
                }
            }
        }
    });
}

async fn poll(db: &PgPool, changes: &Changes) -> Result<(), Error> {
    deactivation::run_requested(db, changes).await?;
    while delete_empty_groups(db).await? {}
    Ok(())
}

async fn delete_empty_groups(db: &PgPool) -> Result<bool, Error> {
    let mut tx = db::begin(db).await?;
    let more = messages::attachments::erase::delete_of_empty_groups(&mut tx).await?
        || groups::erase::delete_empty_batch(&mut tx).await?;
    tx.commit().await?;
    Ok(more)
}

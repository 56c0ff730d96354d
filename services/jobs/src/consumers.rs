//! The handlers of the facts consumed: source -> handlers.

use chassis::{ServiceContext, config};
use outbox::{Changes, Handlers};
use portia_proto::{auth::AccountErased, feed::ReportDecided};
use primitives::ids;
use sqlx::{PgConnection, PgPool};

use crate::{admin, deactivation, error::Error};

/// Starts the consumer.
pub fn subscribe(changes: &Changes, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let outbox = &changes.outbox;
    outbox.subscribe(context, db, "auth", Handlers::new().on(&(), account_erased))?;
    outbox.subscribe(context, db, "feed", Handlers::new().on_live(changes, report_decided))
}

async fn account_erased(db: &mut PgConnection, _: &(), fact: AccountErased) -> Result<(), Error> {
    Ok(deactivation::erase(db, ids::parse("memberId", &fact.member_id)?).await?)
}

/// A moderator's decision removes a reported posting. The command of an operator has removed it before.
async fn report_decided(db: &mut PgConnection, changes: &Changes, fact: ReportDecided) -> Result<(), Error> {
    if !fact.removed || fact.kind != "job" {
        return Ok(());
    }
    let posting = ids::parse("itemId", &fact.item_id)?;
    match admin::remove(&mut changes.work(db), posting).await {
        // A posting that is closed already needs no action.
        Ok(_) | Err(Error::JobNotFound) => Ok(()),
        Err(error) => Err(error),
    }
}

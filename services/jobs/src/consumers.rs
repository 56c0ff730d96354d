//! The handlers of the facts consumed: source -> handlers.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::{auth::AccountErased, feed::ReportDecided};
use primitives::ids;
use sqlx::PgPool;

use crate::{admin, deactivation, error::Error};

/// Starts the consumer.
pub fn subscribe(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let auth = Handlers::new().on(|db, fact: AccountErased| {
        Box::pin(async move {
            let member = ids::parse("memberId", &fact.member_id)?;
            deactivation::erase(db, member).await.map_err(Error::from)
        })
    });
    outbox.subscribe(context, db, "auth", auth)?;
    outbox.subscribe(context, db, "feed", feed_handlers(context, outbox))
}

/// A moderator's decision removes a reported posting. The command of an operator has removed it before.
fn feed_handlers(context: &ServiceContext, outbox: &Outbox) -> Handlers {
    let (clock, outbox) = (context.clock.clone(), outbox.clone());
    Handlers::new().on_live(move |db, fact: ReportDecided| {
        let (now, outbox) = (clock.now(), outbox.clone());
        Box::pin(async move {
            if !fact.removed || fact.kind != "job" {
                return Ok(());
            }
            let posting = ids::parse("itemId", &fact.item_id)?;
            match admin::remove(db, &outbox, posting, now).await {
                // A posting that is closed already needs no action.
                Ok(_) | Err(Error::JobNotFound) => Ok(()),
                Err(error) => Err(error),
            }
        })
    })
}

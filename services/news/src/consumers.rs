//! The handlers of the facts consumed: source -> handlers. The service publishes none.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::auth::AccountErased;
use primitives::ids;
use sqlx::PgPool;

use crate::{deactivation, error::Error};

/// Starts the consumer.
pub fn subscribe(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let auth = Handlers::new().on(|db, fact: AccountErased| {
        Box::pin(async move {
            let member = ids::parse("memberId", &fact.member_id)?;
            deactivation::erase(db, member).await.map_err(Error::from)
        })
    });
    outbox.subscribe(context, db, "auth", auth)
}

//! The handlers of the facts consumed: source -> handlers. The service publishes none.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::auth::AccountErased;
use primitives::ids;
use sqlx::{PgConnection, PgPool};

use crate::{deactivation, error::Error};

/// Starts the consumer.
pub fn subscribe(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    outbox.subscribe(context, db, "auth", Handlers::new().on(&(), account_erased))
}

async fn account_erased(db: &mut PgConnection, _: &(), fact: AccountErased) -> Result<(), Error> {
    Ok(deactivation::erase(db, ids::parse("memberId", &fact.member_id)?).await?)
}

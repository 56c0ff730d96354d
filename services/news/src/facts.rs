//! What news hears from other services: source -> what is done about it. It tells nothing yet.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::auth::AccountErased;
use primitives::ids;
use sqlx::PgPool;

use crate::{erase, error::Error};

/// Hears every source from now on.
pub fn hear(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let auth = Handlers::new().on(|db, fact: AccountErased| {
        Box::pin(async move {
            let member = ids::parse("memberId", &fact.member_id)?;
            erase::member(db, member).await.map_err(Error::from)
        })
    });
    outbox.subscribe(context, db, "auth", auth)
}

//! What messaging hears from other services: source -> what is done about it. It tells nothing yet.

use chassis::{
    Frame, config, ids,
    outbox::{Handlers, Outbox},
};
use portia_proto::auth::AccountErased;
use sqlx::PgPool;

use crate::{erase, error::Error};

/// Hears every source from now on.
pub fn hear(outbox: &Outbox, frame: &Frame, db: &PgPool) -> Result<(), config::Error> {
    let auth = Handlers::new().on(|db, fact: AccountErased| {
        Box::pin(async move {
            let member = ids::parse("memberId", &fact.member_id)?;
            erase::member(db, member).await.map_err(Error::from)
        })
    });
    outbox.hear(frame, db, "auth", auth)
}

//! What profile tells the other services, and what it does about what auth tells.

use chassis::{
    clock::Clock,
    ids,
    input::Invalid,
    outbox::{Handlers, Interrupted, Outbox, State, Teller},
};
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use portia_proto::{
    auth::{AccountErased, MemberRegistered},
    profile::MemberChanged,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::NewMember, erase, error::Error, members};

/// Tells that a member is not what they were: caches of cards drop theirs.
///
/// # Errors
/// When the database is away.
pub async fn changed(outbox: &Outbox, conn: &mut PgConnection, id: Uuid, at: DateTime<Utc>) -> Result<(), Error> {
    Ok(outbox.publish(conn, id, &MemberChanged { member_id: id.to_string(), ..MemberChanged::default() }, at).await?)
}

/// Makes sure of a member's profile, and tells of it when it is new.
///
/// # Errors
/// When the database is away.
pub async fn ensure(
    outbox: &Outbox,
    conn: &mut PgConnection,
    new: &NewMember,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    if members::ensure(conn, new, now).await? {
        changed(outbox, conn, new.id, now).await?;
    }
    Ok(())
}

/// auth's facts: a registration makes a profile, should the gateway not have come to it; an erased account takes it away.
#[must_use]
pub fn of_auth(outbox: &Outbox, clock: &Clock) -> Handlers {
    let (registered, erased) = ((outbox.clone(), clock.clone()), (outbox.clone(), clock.clone()));
    Handlers::new()
        .on(move |conn, fact: MemberRegistered| {
            let (outbox, clock) = registered.clone();
            Box::pin(async move { ensure(&outbox, conn, &NewMember::try_from(fact)?, clock.now()).await })
        })
        .on(move |conn, fact: AccountErased| {
            let (outbox, clock) = erased.clone();
            Box::pin(async move {
                let id = ids::parse("memberId", &fact.member_id).map_err(Invalid::from)?;
                if erase::member(conn, id).await? {
                    changed(&outbox, conn, id, clock.now()).await?;
                }
                Ok::<(), Error>(())
            })
        })
}

/// What a new consumer is told: every member there is.
#[derive(Clone, Copy, Debug)]
pub struct Members;

impl State for Members {
    async fn tell(&self, conn: &mut PgConnection, to: &Teller) -> Result<(), Interrupted> {
        if !to.wants::<MemberChanged>() {
            return Ok(());
        }
        let mut ids = sqlx::query_scalar!(
            "select id
            from profile.members
            order by id",
        )
        .fetch(conn);
        while let Some(id) = ids.try_next().await? {
            to.tell(id, &MemberChanged { member_id: id.to_string(), ..MemberChanged::default() }).await?;
        }
        Ok(())
    }
}

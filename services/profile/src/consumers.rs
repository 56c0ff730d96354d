//! The handlers of the facts of auth and social-graph.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered},
    social_graph::{ConnectionAccepted, ConnectionRemoved, MemberBlocked, MemberErased, MemberUnblocked},
};
use primitives::{
    clock::Clock,
    ids::{self, Ids},
    input::InvalidRequest,
};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    deactivation,
    error::Error,
    members::{self, NewMember},
    publishing,
    read_model::{blocks, connections},
};

/// Subscribes to the facts of each source.
///
/// # Errors
/// When the address of a source is not configured.
pub fn subscribe(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    outbox.subscribe(context, db, "auth", auth_handlers(outbox, &context.clock, &context.ids))?;
    outbox.subscribe(context, db, "social-graph", social_graph_handlers())
}

/// MemberRegistered creates the member if the gateway's own call did not.
fn auth_handlers(outbox: &Outbox, clock: &Clock, ids: &Ids) -> Handlers {
    let shared = (outbox.clone(), clock.clone(), ids.clone());
    let [registered, closed, reopened, erased] = [shared.clone(), shared.clone(), shared.clone(), shared];
    Handlers::new()
        .on(move |db, fact: MemberRegistered| {
            let (outbox, clock, _) = registered.clone();
            Box::pin(async move { members::ensure(db, &outbox, &NewMember::try_from(fact)?, clock.now()).await })
        })
        .on(move |db, fact: AccountClosed| {
            let (outbox, clock, ids) = closed.clone();
            Box::pin(async move {
                let (id, now) = (parse_id(&fact.member_id)?, clock.now());
                if deactivation::deactivate(db, &outbox, id, ids.owned_by(id), now).await? {
                    publishing::publish_member_changed(&outbox, db, id, now).await?;
                }
                Ok::<(), Error>(())
            })
        })
        .on(move |db, fact: AccountReopened| {
            let (outbox, clock, _) = reopened.clone();
            Box::pin(async move {
                let id = parse_id(&fact.member_id)?;
                if deactivation::reactivate(db, id).await? {
                    publishing::publish_member_changed(&outbox, db, id, clock.now()).await?;
                }
                Ok::<(), Error>(())
            })
        })
        .on(move |db, fact: AccountErased| {
            let (outbox, clock, ids) = erased.clone();
            Box::pin(async move {
                let (id, now) = (parse_id(&fact.member_id)?, clock.now());
                if deactivation::erase(db, &outbox, id, ids.owned_by(id), now).await? {
                    publishing::publish_privacy_changed(&outbox, db, id, None, now).await?;
                    publishing::publish_member_changed(&outbox, db, id, now).await?;
                }
                Ok::<(), Error>(())
            })
        })
}

/// Connections and blocks are copies, so a snapshot replaces them.
fn social_graph_handlers() -> Handlers {
    Handlers::new()
        .before_snapshot(|db| {
            Box::pin(async move {
                blocks::delete_all(db).await?;
                connections::delete_all(db).await
            })
        })
        .on_batch(|db, facts: Vec<ConnectionAccepted>| {
            Box::pin(async move {
                let members = |of: fn(&ConnectionAccepted) -> &str| {
                    facts.iter().map(|fact| parse_id(of(fact))).collect::<Result<Vec<_>, _>>()
                };
                let (requesters, recipients) =
                    (members(|fact| &fact.requester_id)?, members(|fact| &fact.recipient_id)?);
                connections::insert_all(db, &requesters, &recipients).await
            })
        })
        .on(|db, fact: ConnectionRemoved| {
            Box::pin(async move {
                connections::delete(db, parse_id(&fact.requester_id)?, parse_id(&fact.recipient_id)?).await
            })
        })
        .on(|db, fact: MemberBlocked| {
            Box::pin(async move { blocks::insert(db, parse_id(&fact.blocker_id)?, parse_id(&fact.blocked_id)?).await })
        })
        .on(|db, fact: MemberErased| {
            // Rows of a snapshot may have arrived after auth's fact.
            Box::pin(async move {
                let member = parse_id(&fact.member_id)?;
                blocks::delete_of(db, member).await?;
                connections::delete_of(db, member).await
            })
        })
        .on(|db, fact: MemberUnblocked| {
            Box::pin(async move { blocks::delete(db, parse_id(&fact.blocker_id)?, parse_id(&fact.blocked_id)?).await })
        })
}

fn parse_id(id: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("memberId", id).map_err(InvalidRequest::from)?)
}

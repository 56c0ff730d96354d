//! The handlers of the facts of auth and social-graph.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered},
    social_graph::{ConnectionAccepted, ConnectionRemoved, MemberBlocked, MemberErased, MemberUnblocked},
};
use primitives::{clock::Clock, ids::Ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    convert::parse_member_id,
    deactivation,
    error::Error,
    members::{self, NewMember},
    publishing,
    read_model::{blocks, connections},
};

/// Follows the accounts of auth, and publishes the members that change with them.
#[derive(Clone)]
struct Accounts {
    outbox: Outbox,
    clock: Clock,
    ids: Ids,
}

/// Subscribes to the facts of each source.
///
/// # Errors
/// When the address of a source is not configured.
pub fn subscribe(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let accounts = Accounts { outbox: outbox.clone(), clock: context.clock.clone(), ids: context.ids.clone() };
    outbox.subscribe(context, db, "auth", auth_handlers(&accounts))?;
    outbox.subscribe(context, db, "social-graph", social_graph_handlers())
}

fn auth_handlers(accounts: &Accounts) -> Handlers {
    Handlers::new()
        .on(accounts, member_registered)
        .on(accounts, account_closed)
        .on(accounts, account_reopened)
        .on(accounts, account_erased)
}

/// Creates the member if the gateway's own call did not.
async fn member_registered(db: &mut PgConnection, accounts: &Accounts, fact: MemberRegistered) -> Result<(), Error> {
    members::ensure(db, &accounts.outbox, &NewMember::try_from(fact)?, accounts.clock.now()).await
}

async fn account_closed(db: &mut PgConnection, accounts: &Accounts, fact: AccountClosed) -> Result<(), Error> {
    let (id, now) = (parse_member_id(&fact.member_id)?, accounts.clock.now());
    if deactivation::deactivate(db, &accounts.outbox, id, accounts.ids.owned_by(id), now).await? {
        publishing::publish_member_changed(&accounts.outbox, db, id, now).await?;
    }
    Ok(())
}

async fn account_reopened(db: &mut PgConnection, accounts: &Accounts, fact: AccountReopened) -> Result<(), Error> {
    let id = parse_member_id(&fact.member_id)?;
    if deactivation::reactivate(db, id).await? {
        publishing::publish_member_changed(&accounts.outbox, db, id, accounts.clock.now()).await?;
    }
    Ok(())
}

async fn account_erased(db: &mut PgConnection, accounts: &Accounts, fact: AccountErased) -> Result<(), Error> {
    let (id, now) = (parse_member_id(&fact.member_id)?, accounts.clock.now());
    if deactivation::erase(db, &accounts.outbox, id, accounts.ids.owned_by(id), now).await? {
        publishing::publish_privacy_changed(&accounts.outbox, db, id, None, now).await?;
        publishing::publish_member_changed(&accounts.outbox, db, id, now).await?;
    }
    Ok(())
}

/// Connections and blocks are copies, so a snapshot replaces them.
fn social_graph_handlers() -> Handlers {
    Handlers::new()
        .before_snapshot(blocks::delete_all)
        .before_snapshot(connections::delete_all)
        .on_batch(&(), connections_accepted)
        .on(&(), connection_removed)
        .on(&(), member_blocked)
        .on(&(), member_erased)
        .on(&(), member_unblocked)
}

async fn connections_accepted(db: &mut PgConnection, _: &(), facts: Vec<ConnectionAccepted>) -> Result<(), Error> {
    let pairs = facts.iter().map(|fact| pair(&fact.requester_id, &fact.recipient_id));
    let (requesters, recipients): (Vec<_>, Vec<_>) = pairs.collect::<Result<_, InvalidRequest>>()?;
    connections::insert_all(db, &requesters, &recipients).await
}

async fn connection_removed(db: &mut PgConnection, _: &(), fact: ConnectionRemoved) -> Result<(), Error> {
    let (requester, recipient) = pair(&fact.requester_id, &fact.recipient_id)?;
    connections::delete(db, requester, recipient).await
}

async fn member_blocked(db: &mut PgConnection, _: &(), fact: MemberBlocked) -> Result<(), Error> {
    let (blocker, blocked) = pair(&fact.blocker_id, &fact.blocked_id)?;
    blocks::insert(db, blocker, blocked).await
}

// Rows of a snapshot may have arrived after auth's fact.
async fn member_erased(db: &mut PgConnection, _: &(), fact: MemberErased) -> Result<(), Error> {
    let member = parse_member_id(&fact.member_id)?;
    blocks::delete_of(db, member).await?;
    connections::delete_of(db, member).await
}

async fn member_unblocked(db: &mut PgConnection, _: &(), fact: MemberUnblocked) -> Result<(), Error> {
    let (blocker, blocked) = pair(&fact.blocker_id, &fact.blocked_id)?;
    blocks::delete(db, blocker, blocked).await
}

fn pair(one: &str, other: &str) -> Result<(Uuid, Uuid), InvalidRequest> {
    Ok((parse_member_id(one)?, parse_member_id(other)?))
}

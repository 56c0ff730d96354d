//! The handlers of the facts of auth and social-graph.

use chassis::{ServiceContext, config};
use outbox::{Changes, Handlers};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered},
    social_graph::{ConnectionAccepted, ConnectionRemoved, MemberBlocked, MemberErased, MemberUnblocked},
};
use primitives::input::InvalidRequest;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    convert::parse_member_id,
    deactivation,
    error::Error,
    members::{self, NewMember},
    read_model::{blocks, connections},
};

/// Subscribes to the facts of each source.
///
/// # Errors
/// When the address of a source is not configured.
pub fn subscribe(changes: &Changes, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    changes.outbox.subscribe(context, db, "auth", auth_handlers(changes))?;
    changes.outbox.subscribe(context, db, "social-graph", social_graph_handlers())
}

fn auth_handlers(changes: &Changes) -> Handlers {
    Handlers::new()
        .on(changes, member_registered)
        .on(changes, account_closed)
        .on(changes, account_reopened)
        .on(changes, account_erased)
}

/// Creates the member if the gateway's own call did not.
async fn member_registered(db: &mut PgConnection, changes: &Changes, fact: MemberRegistered) -> Result<(), Error> {
    members::ensure(&mut changes.work(db), &NewMember::try_from(fact)?).await
}

async fn account_closed(db: &mut PgConnection, changes: &Changes, fact: AccountClosed) -> Result<(), Error> {
    deactivation::deactivate(&mut changes.work(db), parse_member_id(&fact.member_id)?).await
}

async fn account_reopened(db: &mut PgConnection, changes: &Changes, fact: AccountReopened) -> Result<(), Error> {
    deactivation::reactivate(&mut changes.work(db), parse_member_id(&fact.member_id)?).await
}

async fn account_erased(db: &mut PgConnection, changes: &Changes, fact: AccountErased) -> Result<(), Error> {
    deactivation::erase(&mut changes.work(db), parse_member_id(&fact.member_id)?).await
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

//! What social-graph tells the other services, and what it hears from them: source -> what is done about it.

pub mod events;
mod snapshot;

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered},
    profile::MemberChanged,
    social_graph::{
        CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
        ConnectionRequested, MemberBlocked, MemberUnblocked,
    },
};
use primitives::{clock::Clock, ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    closing,
    communities::Role,
    connections::steps::{Step, Turn},
    erase,
    error::Error,
    members::{self, Key},
};

pub use snapshot::Graph;

/// Tells of a step two members took, if it changed anything.
pub async fn stepped(outbox: &Outbox, db: &mut PgConnection, step: &Step, at: DateTime<Utc>) -> Result<(), Error> {
    let (key, requester, recipient) = (step.connection.id, step.connection.requester_id, step.connection.recipient_id);
    match step.turn {
        Some(Turn::Requested) => outbox.publish(db, key, &requested(key, requester, recipient), at).await?,
        Some(Turn::Accepted) => outbox.publish(db, key, &accepted(key, requester, recipient), at).await?,
        Some(Turn::Removed) => outbox.publish(db, key, &removed(key, requester, recipient), at).await?,
        None => {}
    }
    Ok(())
}

/// Tells of a connection, or of a request that waits, which nobody saw come about.
pub async fn stood(
    outbox: &Outbox,
    db: &mut PgConnection,
    id: Uuid,
    requester: Uuid,
    recipient: Uuid,
    connected: bool,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    if connected {
        outbox.publish(db, id, &accepted(id, requester, recipient), at).await
    } else {
        outbox.publish(db, id, &requested(id, requester, recipient), at).await
    }
}

/// Tells that a member blocks another.
pub async fn blocked(
    outbox: &Outbox,
    db: &mut PgConnection,
    blocker: Uuid,
    blocked: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, blocker, &member_blocked(blocker, blocked), at).await?)
}

/// Tells that a member lifted a block.
pub async fn unblocked(
    outbox: &Outbox,
    db: &mut PgConnection,
    blocker: Uuid,
    blocked: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = MemberUnblocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() };
    Ok(outbox.publish(db, blocker, &fact, at).await?)
}

/// Tells what a community is called from now on.
pub async fn community_called(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    name: &str,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    outbox.publish(db, community, &called(community, name), at).await
}

/// Tells that a community is gone.
pub async fn community_removed(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    outbox.publish(db, community, &CommunityRemoved { community_id: community.to_string() }, at).await
}

/// Tells that a member belongs to a community, and what they are there. Closing an account ends no membership, and tells
/// nobody of it: who keeps copies hears of closed accounts from auth, and finds the memberships as they were when the
/// account opens again. So a membership whose member is away is told like every other.
pub async fn joined(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    role: Role,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    outbox.publish(db, community, &community_joined(community, member, role), at).await
}

/// Tells that a member does not belong to it any more.
pub async fn left(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let fact = CommunityLeft { community_id: community.to_string(), member_id: member.to_string() };
    outbox.publish(db, community, &fact, at).await
}

/// Hears every source from now on.
pub fn hear(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    outbox.subscribe(context, db, "auth", of_auth(outbox, &context.clock))?;
    outbox.subscribe(context, db, "profile", of_profile())
}

fn of_auth(outbox: &Outbox, clock: &Clock) -> Handlers {
    let (outbox, clock) = (outbox.clone(), clock.clone());
    Handlers::new()
        .on(|db, fact: MemberRegistered| {
            Box::pin(async move {
                let (member, form) = (member(&fact.member_id)?, fact.form.unwrap_or_default());
                let (school, location) = (Key::of(form.school.as_deref()), Key::of(form.location.as_deref()));
                members::joined(db, member, made_at(member), &school, &location).await.map_err(Error::from)
            })
        })
        .on(|db, fact: AccountClosed| {
            Box::pin(async move { closing::hide(db, member(&fact.member_id)?, true).await.map_err(Error::from) })
        })
        .on(|db, fact: AccountReopened| {
            Box::pin(async move { closing::hide(db, member(&fact.member_id)?, false).await.map_err(Error::from) })
        })
        .on(move |db, fact: AccountErased| {
            let (outbox, now) = (outbox.clone(), clock.now());
            Box::pin(
                async move { erase::member(db, &outbox, member(&fact.member_id)?, now).await.map_err(Error::from) },
            )
        })
        .before_snapshot(|db| Box::pin(async move { closing::show_all(db).await.map_err(Error::from) }))
}

fn of_profile() -> Handlers {
    Handlers::new().on(|db, fact: MemberChanged| {
        Box::pin(async move {
            let member = member(&fact.member_id)?;
            if fact.school.is_none() && fact.location.is_none() {
                return members::undescribed(db, member).await.map_err(Error::from);
            }
            let (school, location) = (Key::of(fact.school.as_deref()), Key::of(fact.location.as_deref()));
            members::described(db, member, made_at(member), &school, &location).await.map_err(Error::from)
        })
    })
}

fn member(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("memberId", raw).map_err(InvalidRequest::from)?)
}

/// When an id was made, which it tells itself: a fact may be heard long after.
fn made_at(id: Uuid) -> DateTime<Utc> {
    let made = id.get_timestamp().map(|at| at.to_unix());
    made.and_then(|(seconds, nanos)| DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)).unwrap_or_default()
}

fn requested(id: Uuid, requester: Uuid, recipient: Uuid) -> ConnectionRequested {
    ConnectionRequested {
        connection_id: id.to_string(),
        requester_id: requester.to_string(),
        recipient_id: recipient.to_string(),
    }
}

fn accepted(id: Uuid, requester: Uuid, recipient: Uuid) -> ConnectionAccepted {
    ConnectionAccepted {
        connection_id: id.to_string(),
        requester_id: requester.to_string(),
        recipient_id: recipient.to_string(),
    }
}

fn removed(id: Uuid, requester: Uuid, recipient: Uuid) -> ConnectionRemoved {
    ConnectionRemoved {
        connection_id: id.to_string(),
        requester_id: requester.to_string(),
        recipient_id: recipient.to_string(),
    }
}

fn member_blocked(blocker: Uuid, blocked: Uuid) -> MemberBlocked {
    MemberBlocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() }
}

fn called(community: Uuid, name: &str) -> CommunityChanged {
    CommunityChanged { community_id: community.to_string(), name: name.to_owned() }
}

fn community_joined(community: Uuid, member: Uuid, role: Role) -> CommunityJoined {
    CommunityJoined {
        community_id: community.to_string(),
        member_id: member.to_string(),
        is_owner: role == Role::Owner,
    }
}

//! What profile tells the other services, and what it does about what auth and social-graph tell.

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use outbox::{Handlers, Outbox, SnapshotError, SnapshotSource, Snapshotter};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered},
    profile::{MemberChanged, SkillEndorsed, SkillEndorsementRemoved},
    social_graph::{ConnectionAccepted, ConnectionRemoved, MemberBlocked, MemberUnblocked},
};
use primitives::{clock::Clock, ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{blocks, closing, connections, convert::NewMember, endorsements::Skill, erase, error::Error, members};

/// Tells that a member is not what they were: caches of cards drop theirs. Call it last, it tells how they are now.
///
/// # Errors
/// When the database is away.
pub async fn changed(outbox: &Outbox, conn: &mut PgConnection, id: Uuid, at: DateTime<Utc>) -> Result<(), Error> {
    let shown = sqlx::query!(
        "select school, location
        from profile.members
        where id = $1
            and not hidden",
        id,
    )
    .fetch_optional(&mut *conn)
    .await?;
    let fact = match shown {
        Some(shown) => of_shown(id, shown.school, shown.location),
        None => MemberChanged { member_id: id.to_string(), ..MemberChanged::default() },
    };
    Ok(outbox.publish(conn, id, &fact, at).await?)
}

fn of_shown(id: Uuid, school: Option<String>, location: Option<String>) -> MemberChanged {
    MemberChanged {
        member_id: id.to_string(),
        school: Some(school.unwrap_or_default()),
        location: Some(location.unwrap_or_default()),
    }
}

/// Tells of an endorsement others see from now on.
///
/// # Errors
/// When the database is away.
pub async fn endorsed(
    outbox: &Outbox,
    conn: &mut PgConnection,
    skill: &Skill,
    endorser: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let Skill { member_id, name } = skill;
    let fact =
        SkillEndorsed { member_id: member_id.to_string(), skill: name.clone(), endorser_id: endorser.to_string() };
    Ok(outbox.publish(conn, member_id, &fact, at).await?)
}

/// Tells of one they see no more.
///
/// # Errors
/// When the database is away.
pub async fn endorsement_removed(
    outbox: &Outbox,
    conn: &mut PgConnection,
    skill: &Skill,
    endorser: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let Skill { member_id, name } = skill;
    let fact = SkillEndorsementRemoved {
        member_id: member_id.to_string(),
        skill: name.clone(),
        endorser_id: endorser.to_string(),
    };
    Ok(outbox.publish(conn, member_id, &fact, at).await?)
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

/// What is heard: source -> what is done about it.
///
/// # Errors
/// When a source's address is not configured.
pub fn hear(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    outbox.subscribe(context, db, "auth", of_auth(outbox, &context.clock))?;
    outbox.subscribe(context, db, "social-graph", of_social_graph())
}

/// A registration makes a profile, should the gateway not have come to it; a closed account hides it, an erased one takes
/// it away.
fn of_auth(outbox: &Outbox, clock: &Clock) -> Handlers {
    let told = (outbox.clone(), clock.clone());
    let [registered, closed, reopened, erased] = [told.clone(), told.clone(), told.clone(), told];
    Handlers::new()
        .on(move |conn, fact: MemberRegistered| {
            let (outbox, clock) = registered.clone();
            Box::pin(async move { ensure(&outbox, conn, &NewMember::try_from(fact)?, clock.now()).await })
        })
        .on(move |conn, fact: AccountClosed| {
            let (outbox, clock) = closed.clone();
            Box::pin(async move {
                let id = member(&fact.member_id)?;
                if closing::close(conn, id).await? {
                    changed(&outbox, conn, id, clock.now()).await?;
                }
                Ok::<(), Error>(())
            })
        })
        .on(move |conn, fact: AccountReopened| {
            let (outbox, clock) = reopened.clone();
            Box::pin(async move {
                let id = member(&fact.member_id)?;
                if closing::reopen(conn, id).await? {
                    changed(&outbox, conn, id, clock.now()).await?;
                }
                Ok::<(), Error>(())
            })
        })
        .on(move |conn, fact: AccountErased| {
            let (outbox, clock) = erased.clone();
            Box::pin(async move {
                let id = member(&fact.member_id)?;
                if erase::member(conn, id).await? {
                    changed(&outbox, conn, id, clock.now()).await?;
                }
                Ok::<(), Error>(())
            })
        })
}

/// Connections and blocks are copied: whoever starts late is told of all there are.
fn of_social_graph() -> Handlers {
    Handlers::new()
        .before_snapshot(|conn| {
            Box::pin(async move {
                blocks::clear(conn).await?;
                connections::clear(conn).await
            })
        })
        .on(|conn, fact: ConnectionAccepted| {
            Box::pin(
                async move { connections::made(conn, member(&fact.requester_id)?, member(&fact.recipient_id)?).await },
            )
        })
        .on(|conn, fact: ConnectionRemoved| {
            Box::pin(
                async move { connections::ended(conn, member(&fact.requester_id)?, member(&fact.recipient_id)?).await },
            )
        })
        .on(|conn, fact: MemberBlocked| {
            Box::pin(async move { blocks::made(conn, member(&fact.blocker_id)?, member(&fact.blocked_id)?).await })
        })
        .on(|conn, fact: MemberUnblocked| {
            Box::pin(async move { blocks::lifted(conn, member(&fact.blocker_id)?, member(&fact.blocked_id)?).await })
        })
}

fn member(id: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("memberId", id).map_err(InvalidRequest::from)?)
}

/// What a new consumer is told: every member there is, and every endorsement others see.
#[derive(Clone, Copy, Debug)]
pub struct Members;

impl SnapshotSource for Members {
    async fn publish(&self, conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
        if to.wants::<MemberChanged>() {
            tell_members(conn, to).await?;
        }
        if to.wants::<SkillEndorsed>() {
            tell_endorsements(conn, to).await?;
        }
        Ok(())
    }
}

async fn tell_members(conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
    let mut members = sqlx::query!(
        "select id, school, location, hidden
        from profile.members
        order by id",
    )
    .fetch(conn);
    while let Some(row) = members.try_next().await? {
        let fact = if row.hidden {
            MemberChanged { member_id: row.id.to_string(), ..MemberChanged::default() }
        } else {
            of_shown(row.id, row.school, row.location)
        };
        to.publish(row.id, &fact).await?;
    }
    Ok(())
}

async fn tell_endorsements(conn: &mut PgConnection, to: &Snapshotter) -> Result<(), SnapshotError> {
    let mut endorsements = sqlx::query!(
        "select member_id, skill, endorser_id
        from profile.endorsements
        where not hidden
        order by member_id, created_at",
    )
    .fetch(conn);
    while let Some(row) = endorsements.try_next().await? {
        let fact = SkillEndorsed {
            member_id: row.member_id.to_string(),
            skill: row.skill,
            endorser_id: row.endorser_id.to_string(),
        };
        to.publish(row.member_id, &fact).await?;
    }
    Ok(())
}

//! The facts that profile publishes, and the handlers of the facts of auth and social-graph.

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use outbox::{After, Handlers, Outbox, SnapshotError, SnapshotSource, Snapshotter};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered},
    profile::{
        MemberChanged, PrivacyChanged, SkillEndorsed, SkillEndorsementRemoved, VerificationCause, VerificationChanged,
    },
    social_graph::{ConnectionAccepted, ConnectionRemoved, MemberBlocked, MemberErased, MemberUnblocked},
};
use primitives::{
    clock::Clock,
    ids::{self, Ids},
    input::InvalidRequest,
};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    convert::NewMember,
    deactivation,
    endorsements::Skill,
    error::Error,
    members,
    privacy::{MessageAudience, PrivacySettings, ProfileAudience},
    read_model::{blocks, connections},
    verifications::Decision,
};

/// Publishes MemberChanged with the current row, so call it after the change. Caches of cards drop theirs.
pub async fn publish_member_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let member = sqlx::query!(
        "select school, location
        from profile.members
        where id = $1
            and not hidden",
        id,
    )
    .fetch_optional(&mut *db)
    .await?;
    let fact = match member {
        Some(member) => member_changed(id, member.school, member.location),
        None => MemberChanged { member_id: id.to_string(), ..MemberChanged::default() },
    };
    Ok(outbox.publish(db, id, &fact, at).await?)
}

fn member_changed(id: Uuid, school: Option<String>, location: Option<String>) -> MemberChanged {
    MemberChanged {
        member_id: id.to_string(),
        school: Some(school.unwrap_or_default()),
        location: Some(location.unwrap_or_default()),
    }
}

/// Publishes the settings, or their deletion with the account: before MemberChanged, the last fact about a member.
pub async fn publish_privacy_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    id: Uuid,
    settings: Option<PrivacySettings>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = PrivacyChanged { member_id: id.to_string(), settings: settings.map(Into::into) };
    Ok(outbox.publish(db, id, &fact, at).await?)
}

pub async fn publish_endorsed(
    outbox: &Outbox,
    db: &mut PgConnection,
    skill: &Skill,
    endorser: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let Skill { member_id, name } = skill;
    let fact =
        SkillEndorsed { member_id: member_id.to_string(), skill: name.clone(), endorser_id: endorser.to_string() };
    Ok(outbox.publish(db, member_id, &fact, at).await?)
}

pub async fn publish_endorsement_removed(
    outbox: &Outbox,
    db: &mut PgConnection,
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
    Ok(outbox.publish(db, member_id, &fact, at).await?)
}

/// The card changes too, so callers also publish MemberChanged.
pub async fn publish_verification_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    decision: &Decision<'_>,
    verified: bool,
) -> Result<(), Error> {
    let fact = VerificationChanged {
        decision_id: decision.id.to_string(),
        member_id: decision.member.to_string(),
        verified,
        school: decision.school.unwrap_or_default().to_owned(),
        cause: VerificationCause::from(decision.cause).into(),
    };
    Ok(outbox.publish(db, decision.member, &fact, decision.at).await?)
}

/// Creates the member unless it exists, with its fact.
pub async fn ensure_member(
    outbox: &Outbox,
    db: &mut PgConnection,
    new: &NewMember,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    if members::ensure(db, new, now).await? {
        publish_member_changed(outbox, db, new.id, now).await?;
    }
    Ok(())
}

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
            Box::pin(async move { ensure_member(&outbox, db, &NewMember::try_from(fact)?, clock.now()).await })
        })
        .on(move |db, fact: AccountClosed| {
            let (outbox, clock, ids) = closed.clone();
            Box::pin(async move {
                let (id, now) = (parse_id(&fact.member_id)?, clock.now());
                if deactivation::deactivate(db, &outbox, id, ids.owned_by(id), now).await? {
                    publish_member_changed(&outbox, db, id, now).await?;
                }
                Ok::<(), Error>(())
            })
        })
        .on(move |db, fact: AccountReopened| {
            let (outbox, clock, _) = reopened.clone();
            Box::pin(async move {
                let id = parse_id(&fact.member_id)?;
                if deactivation::reactivate(db, id).await? {
                    publish_member_changed(&outbox, db, id, clock.now()).await?;
                }
                Ok::<(), Error>(())
            })
        })
        .on(move |db, fact: AccountErased| {
            let (outbox, clock, ids) = erased.clone();
            Box::pin(async move {
                let (id, now) = (parse_id(&fact.member_id)?, clock.now());
                if deactivation::erase(db, &outbox, id, ids.owned_by(id), now).await? {
                    publish_privacy_changed(&outbox, db, id, None, now).await?;
                    publish_member_changed(&outbox, db, id, now).await?;
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

/// The snapshot for a new consumer: all members, privacy settings that differ from the defaults, and all visible
/// endorsements.
#[derive(Clone, Copy, Debug)]
pub struct MemberSnapshot;

impl SnapshotSource for MemberSnapshot {
    async fn publish(&self, db: &mut PgConnection, to: &mut Snapshotter) -> Result<(), SnapshotError> {
        if let Some(after) = to.start::<MemberChanged>() {
            publish_members(db, to, &after).await?;
        }
        if let Some(after) = to.start::<PrivacyChanged>() {
            publish_privacy_settings(db, to, &after).await?;
        }
        if let Some(after) = to.start::<SkillEndorsed>() {
            publish_endorsements(db, to, &after).await?;
        }
        Ok(())
    }
}

async fn publish_members(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut members = sqlx::query!(
        "select id, school, location, hidden
        from profile.members
        where id > $1
        order by id",
        after.id(0),
    )
    .fetch(db);
    while let Some(row) = members.try_next().await? {
        let fact = if row.hidden {
            MemberChanged { member_id: row.id.to_string(), ..MemberChanged::default() }
        } else {
            member_changed(row.id, row.school, row.location)
        };
        to.publish(&[&row.id], row.id, &fact).await?;
    }
    Ok(())
}

async fn publish_privacy_settings(
    db: &mut PgConnection,
    to: &mut Snapshotter,
    after: &After,
) -> Result<(), SnapshotError> {
    let mut settings = sqlx::query!(
        r#"select id, profile_audience as "profile_audience: ProfileAudience",
            message_audience as "message_audience: MessageAudience", search_engines, activity_shown, read_receipts
        from profile.members
        where id > $1
            and (
                profile_audience <> 'public'
                or message_audience <> 'everyone'
                or not search_engines
                or not activity_shown
                or not read_receipts
            )
        order by id"#,
        after.id(0),
    )
    .fetch(db);
    while let Some(row) = settings.try_next().await? {
        let settings = PrivacySettings {
            profile_audience: row.profile_audience,
            message_audience: row.message_audience,
            search_engines: row.search_engines,
            activity_shown: row.activity_shown,
            read_receipts: row.read_receipts,
        };
        let fact = PrivacyChanged { member_id: row.id.to_string(), settings: Some(settings.into()) };
        to.publish(&[&row.id], row.id, &fact).await?;
    }
    Ok(())
}

async fn publish_endorsements(db: &mut PgConnection, to: &mut Snapshotter, after: &After) -> Result<(), SnapshotError> {
    let mut endorsements = sqlx::query!(
        "select member_id, skill, endorser_id
        from profile.endorsements
        where not hidden
            and (member_id, skill, endorser_id) > ($1, $2, $3)
        order by member_id, skill, endorser_id",
        after.id(0),
        after.text(1),
        after.id(2),
    )
    .fetch(db);
    while let Some(row) = endorsements.try_next().await? {
        let fact = SkillEndorsed {
            member_id: row.member_id.to_string(),
            skill: row.skill.clone(),
            endorser_id: row.endorser_id.to_string(),
        };
        to.publish(&[&row.member_id, &row.skill, &row.endorser_id], row.member_id, &fact).await?;
    }
    Ok(())
}

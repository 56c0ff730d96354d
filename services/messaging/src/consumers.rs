//! The handlers of the facts of other services: source -> handlers.

mod admissions;
mod auth;
mod feed;
mod social_graph;

use chassis::{ServiceContext, config};
use outbox::{Changes, Handlers};
use portia_proto::{
    jobs::{ApplicationDue, AppliedPostingClosed},
    profile::{PrivacyChanged, SkillEndorsed, SkillEndorsementRemoved, VerificationCause, VerificationChanged},
};
use primitives::{ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    convert::parse_time,
    error::Error,
    notifications::{Deadline, Kind, NotificationTrigger, notifier},
    read_model::privacy,
};

/// Starts the consumers of all sources. Notifications come from new facts (`on_live`), copies also from snapshots (`on`).
pub fn subscribe(context: &ServiceContext, db: &PgPool, changes: &Changes) -> Result<(), config::Error> {
    let outbox = &changes.outbox;
    outbox.subscribe(context, db, "auth", auth::handlers(changes))?;
    outbox.subscribe(context, db, "social-graph", social_graph::handlers(changes))?;
    outbox.subscribe(context, db, "feed", feed::handlers(changes))?;
    outbox.subscribe(context, db, "profile", profile_handlers(changes))?;
    outbox.subscribe(context, db, "jobs", jobs_handlers(changes))
}

fn profile_handlers(changes: &Changes) -> Handlers {
    Handlers::new()
        .before_snapshot(privacy::clear)
        .on(&(), privacy_changed)
        .on_live(changes, skill_endorsed)
        .on(changes, skill_endorsement_removed)
        .on_live(changes, verification_changed)
}

async fn privacy_changed(db: &mut PgConnection, _: &(), fact: PrivacyChanged) -> Result<(), Error> {
    privacy::set(db, id(&fact.member_id)?, fact.settings).await
}

async fn skill_endorsed(db: &mut PgConnection, changes: &Changes, fact: SkillEndorsed) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::SkillEndorsed, &fact.member_id, &fact.endorser_id)?;
    notifier::notify(&mut changes.work(db), &NotificationTrigger { detail: &fact.skill, ..trigger }, &[trigger.subject])
        .await
}

async fn skill_endorsement_removed(
    db: &mut PgConnection,
    changes: &Changes,
    fact: SkillEndorsementRemoved,
) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::SkillEndorsed, &fact.member_id, &fact.endorser_id)?;
    notifier::withdraw(&mut changes.work(db), &NotificationTrigger { detail: &fact.skill, ..trigger }).await
}

async fn verification_changed(
    db: &mut PgConnection,
    changes: &Changes,
    fact: VerificationChanged,
) -> Result<(), Error> {
    let (kind, detail) = match (fact.verified, fact.cause()) {
        (true, _) => (Kind::Verified, fact.school.as_str()),
        (false, VerificationCause::Steward) => (Kind::VerificationEnded, "steward"),
        (false, VerificationCause::NameChanged) => (Kind::VerificationEnded, "name_changed"),
        (false, VerificationCause::SchoolChanged) => (Kind::VerificationEnded, "school_changed"),
        (false, _) => (Kind::VerificationEnded, "operator"),
    };
    notifier::announce(&mut changes.work(db), kind, id(&fact.decision_id)?, detail, id(&fact.member_id)?).await
}

fn jobs_handlers(changes: &Changes) -> Handlers {
    Handlers::new().on_live(changes, applied_posting_closed).on_live(changes, application_due)
}

async fn applied_posting_closed(
    db: &mut PgConnection,
    changes: &Changes,
    fact: AppliedPostingClosed,
) -> Result<(), Error> {
    let (application, member) = (id(&fact.application_id)?, id(&fact.member_id)?);
    notifier::announce(&mut changes.work(db), Kind::PostingClosed, application, &fact.title, member).await
}

async fn application_due(db: &mut PgConnection, changes: &Changes, fact: ApplicationDue) -> Result<(), Error> {
    let (application, member) = (id(&fact.application_id)?, id(&fact.member_id)?);
    let at = parse_time("deadline", &fact.deadline.unwrap_or_default()).map_err(InvalidRequest::from)?;
    // If the date cannot be parsed, the notification shows the time.
    let deadline = Deadline { at, date: fact.deadline_date.and_then(|date| date.parse().ok()) };
    notifier::remind(&mut changes.work(db), Kind::ApplicationDue, application, &fact.title, deadline, member).await
}

fn parse_trigger(kind: Kind, subject: &str, actor: &str) -> Result<NotificationTrigger<'static>, Error> {
    Ok(NotificationTrigger::new(kind, id(subject)?, id(actor)?))
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("id", raw).map_err(InvalidRequest::from)?)
}

fn optional_id(raw: &Option<String>) -> Result<Option<Uuid>, Error> {
    raw.as_deref().map(id).transpose()
}

fn all_ids(raw: &[String]) -> Result<Vec<Uuid>, Error> {
    raw.iter().map(|raw| id(raw)).collect()
}

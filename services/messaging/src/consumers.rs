//! The handlers of the facts of other services: source -> handlers.

mod admissions;
mod auth;
mod feed;
mod social_graph;

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::{
    jobs::{ApplicationDue, AppliedPostingClosed},
    profile::{PrivacyChanged, SkillEndorsed, SkillEndorsementRemoved, VerificationCause, VerificationChanged},
};
use primitives::{ids, input::InvalidRequest};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    convert::parse_time,
    error::Error,
    notifications::{Deadline, Kind, NotificationTrigger, Notifier},
    read_model::privacy,
};

/// Starts the consumers of all sources. Notifications come from new facts (`on_live`), copies also from snapshots (`on`).
pub fn subscribe(
    context: &ServiceContext,
    db: &PgPool,
    outbox: &Outbox,
    notifier: &Notifier,
) -> Result<(), config::Error> {
    let social_graph = social_graph::handlers(outbox, notifier, &context.clock, &context.ids);
    outbox.subscribe(context, db, "auth", auth::handlers(notifier, &context.clock))?;
    outbox.subscribe(context, db, "social-graph", social_graph)?;
    outbox.subscribe(context, db, "feed", feed::handlers(notifier, &context.clock))?;
    outbox.subscribe(context, db, "profile", profile_handlers(notifier))?;
    outbox.subscribe(context, db, "jobs", jobs_handlers(notifier))
}

fn profile_handlers(notifier: &Notifier) -> Handlers {
    let [endorsed, removed, verified] = std::array::from_fn(|_| notifier.clone());
    Handlers::new()
        .before_snapshot(|db| Box::pin(privacy::clear(db)))
        .on(|db, fact: PrivacyChanged| {
            Box::pin(async move { privacy::set(db, id(&fact.member_id)?, fact.settings).await })
        })
        .on_live(move |db, fact: SkillEndorsed| {
            let notifier = endorsed.clone();
            Box::pin(async move {
                let member = id(&fact.member_id)?;
                let trigger = NotificationTrigger::new(Kind::SkillEndorsed, member, id(&fact.endorser_id)?);
                notifier.notify(db, &NotificationTrigger { detail: &fact.skill, ..trigger }, &[member]).await
            })
        })
        .on(move |db, fact: SkillEndorsementRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let member = id(&fact.member_id)?;
                let trigger = NotificationTrigger::new(Kind::SkillEndorsed, member, id(&fact.endorser_id)?);
                notifier.withdraw(db, &NotificationTrigger { detail: &fact.skill, ..trigger }).await
            })
        })
        .on_live(move |db, fact: VerificationChanged| {
            let notifier = verified.clone();
            Box::pin(async move {
                let (decision, member) = (id(&fact.decision_id)?, id(&fact.member_id)?);
                let (kind, detail) = match (fact.verified, fact.cause()) {
                    (true, _) => (Kind::Verified, fact.school.as_str()),
                    (false, VerificationCause::Steward) => (Kind::VerificationEnded, "steward"),
                    (false, VerificationCause::NameChanged) => (Kind::VerificationEnded, "name_changed"),
                    (false, VerificationCause::SchoolChanged) => (Kind::VerificationEnded, "school_changed"),
                    (false, _) => (Kind::VerificationEnded, "operator"),
                };
                notifier.announce(db, kind, decision, detail, member).await
            })
        })
}

fn jobs_handlers(notifier: &Notifier) -> Handlers {
    let [closed, due] = std::array::from_fn(|_| notifier.clone());
    Handlers::new()
        .on_live(move |db, fact: AppliedPostingClosed| {
            let notifier = closed.clone();
            Box::pin(async move {
                let (application, member) = (id(&fact.application_id)?, id(&fact.member_id)?);
                notifier.announce(db, Kind::PostingClosed, application, &fact.title, member).await
            })
        })
        .on_live(move |db, fact: ApplicationDue| {
            let notifier = due.clone();
            Box::pin(async move {
                let (application, member) = (id(&fact.application_id)?, id(&fact.member_id)?);
                let deadline = fact.deadline.unwrap_or_default();
                let at = parse_time("deadline", &deadline).map_err(InvalidRequest::from)?;
                // If the date cannot be parsed, the notification shows the time.
                let deadline = Deadline { at, date: fact.deadline_date.and_then(|date| date.parse().ok()) };
                notifier.remind(db, Kind::ApplicationDue, application, &fact.title, deadline, member).await
            })
        })
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("id", raw).map_err(InvalidRequest::from)?)
}

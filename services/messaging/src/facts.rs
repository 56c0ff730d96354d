//! Facts published to the gateways, and the handlers of the facts consumed: source -> handlers.

mod admissions;
mod auth;
mod feed;
mod social_graph;

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::{
    jobs::{ApplicationDue, AppliedPostingClosed},
    messaging::{ConversationChanged, ConversationRead, MessageChanged, MessageSent},
    profile::{PrivacyChanged, SkillEndorsed, SkillEndorsementRemoved, VerificationCause, VerificationChanged},
};
use primitives::{ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    convert::parse_time,
    error::Error,
    notifications::{Deadline, Kind, NotificationTrigger, Notifier},
    read_model::privacy,
};

/// A fact about a conversation. Notifications are published by the [`Notifier`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversationFact {
    MessageSent {
        conversation: Uuid,
        message: Uuid,
        sender: Uuid,
        recipients: Vec<Uuid>,
    },
    /// A message was edited or deleted, or its reactions changed.
    MessageChanged {
        conversation: Uuid,
        message: Uuid,
        /// The member who changed it.
        by: Uuid,
        others: Vec<Uuid>,
    },
    /// The read mark of a participant moved.
    Read {
        conversation: Uuid,
        reader: Uuid,
        others: Vec<Uuid>,
    },
    /// The conversation appeared in a member's list, left it, moved to another folder, was muted or unmuted, or an unread message of it
    /// was deleted.
    Changed {
        conversation: Uuid,
        member: Uuid,
    },
    /// The members or the title of a group changed, or a message was deleted that these members had not read.
    GroupChanged {
        conversation: Uuid,
        members: Vec<Uuid>,
    },
}

/// Publishes a fact in the transaction of the change.
pub async fn publish(
    outbox: &Outbox,
    db: &mut PgConnection,
    fact: &ConversationFact,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    match fact {
        ConversationFact::MessageSent { conversation, message, sender, recipients } => {
            let (recipient_id, recipient_ids) = one_or_all(recipients);
            let fact = MessageSent {
                conversation_id: conversation.to_string(),
                message_id: message.to_string(),
                sender_id: sender.to_string(),
                recipient_id,
                recipient_ids,
            };
            outbox.publish(db, *conversation, &fact, at).await?;
        }
        ConversationFact::MessageChanged { conversation, message, by, others } => {
            let fact = MessageChanged {
                conversation_id: conversation.to_string(),
                message_id: message.to_string(),
                member_ids: [by].into_iter().chain(others).map(Uuid::to_string).collect(),
            };
            outbox.publish(db, *conversation, &fact, at).await?;
        }
        ConversationFact::Read { conversation, reader, others } => {
            let (other_member_id, other_member_ids) = one_or_all(others);
            let fact = ConversationRead {
                conversation_id: conversation.to_string(),
                reader_id: reader.to_string(),
                other_member_id,
                other_member_ids,
            };
            outbox.publish(db, *conversation, &fact, at).await?;
        }
        ConversationFact::Changed { conversation, member } => {
            outbox.publish(db, *conversation, &changed(*conversation, *member), at).await?;
        }
        ConversationFact::GroupChanged { conversation, members } => {
            let member_ids = members.iter().map(Uuid::to_string).collect();
            let (conversation_id, member_id) = (conversation.to_string(), String::new());
            let fact = ConversationChanged { conversation_id, member_id, member_ids };
            outbox.publish(db, *conversation, &fact, at).await?;
        }
    }
    Ok(())
}

/// Publishes facts in their order, those that follow one another about members' lists together.
pub async fn publish_all(
    outbox: &Outbox,
    db: &mut PgConnection,
    facts: &[ConversationFact],
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let listed = |fact: &ConversationFact| match fact {
        ConversationFact::Changed { conversation, member } => Some((*conversation, changed(*conversation, *member))),
        _ => None,
    };
    for facts in facts.chunk_by(|one, next| listed(one).is_some() && listed(next).is_some()) {
        if let [fact] = facts {
            publish(outbox, db, fact, at).await?;
        } else {
            let facts: Vec<_> = facts.iter().filter_map(listed).collect();
            outbox.publish_all(db, &facts, at).await?;
        }
    }
    Ok(())
}

fn changed(conversation: Uuid, member: Uuid) -> ConversationChanged {
    let (conversation_id, member_id) = (conversation.to_string(), member.to_string());
    ConversationChanged { conversation_id, member_id, member_ids: Vec::new() }
}

/// The only member, or several ones.
fn one_or_all(members: &[Uuid]) -> (Option<String>, Vec<String>) {
    match members {
        [one] => (Some(one.to_string()), Vec::new()),
        all => (None, all.iter().map(Uuid::to_string).collect()),
    }
}

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
                // A date that cannot be read is shown as the time.
                let deadline = Deadline { at, date: fact.deadline_date.and_then(|date| date.parse().ok()) };
                notifier.remind(db, Kind::ApplicationDue, application, &fact.title, deadline, member).await
            })
        })
}

fn id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("id", raw).map_err(InvalidRequest::from)?)
}

//! What messaging tells the gateways, and what it hears from other services: source -> what is done about it.

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened},
    messaging::{ConversationChanged, ConversationRead, MessageSent},
    social_graph::{ConnectionAccepted, MemberBlocked, MemberUnblocked},
};
use primitives::{
    clock::Clock,
    error::Violation,
    ids::{self, Ids},
};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    blocks, closing,
    conversations::steps,
    erase,
    error::Error,
    notifications::{self, Bell},
};

/// What a step in a conversation makes known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Something was said.
    Sent { conversation: Uuid, message: Uuid, sender: Uuid, recipient: Uuid },
    /// A participant has read further than before.
    Read { conversation: Uuid, reader: Uuid, other: Option<Uuid> },
    /// It appeared in a member's list, left it, or moved.
    Changed { conversation: Uuid, member: Uuid },
}

/// Tells it, in the transaction of the step.
pub async fn tell(outbox: &Outbox, db: &mut PgConnection, news: &News, at: DateTime<Utc>) -> Result<(), sqlx::Error> {
    match *news {
        News::Sent { conversation, message, sender, recipient } => {
            let fact = MessageSent {
                conversation_id: conversation.to_string(),
                message_id: message.to_string(),
                sender_id: sender.to_string(),
                recipient_id: Some(recipient.to_string()),
            };
            outbox.publish(db, conversation, &fact, at).await
        }
        News::Read { conversation, reader, other } => {
            let fact = ConversationRead {
                conversation_id: conversation.to_string(),
                reader_id: reader.to_string(),
                other_member_id: other.map(|other| other.to_string()),
            };
            outbox.publish(db, conversation, &fact, at).await
        }
        News::Changed { conversation, member } => {
            let fact = ConversationChanged { conversation_id: conversation.to_string(), member_id: member.to_string() };
            outbox.publish(db, conversation, &fact, at).await
        }
    }
}

/// Hears every source from now on.
pub fn hear(outbox: &Outbox, context: &ServiceContext, db: &PgPool, bell: &Bell) -> Result<(), config::Error> {
    outbox.subscribe(context, db, "auth", of_auth(&context.clock))?;
    let social_graph = notifications::facts::before_conversations(Handlers::new(), bell);
    let social_graph = of_social_graph(social_graph, outbox, &context.clock, &context.ids);
    let social_graph = notifications::facts::of_social_graph(social_graph, bell);
    outbox.subscribe(context, db, "social-graph", social_graph)?;
    outbox.subscribe(context, db, "feed", notifications::facts::of_feed(bell))?;
    outbox.subscribe(context, db, "profile", notifications::facts::of_profile(bell))?;
    outbox.subscribe(context, db, "jobs", notifications::facts::of_jobs(bell))
}

/// What is to go of whose account is closed or gone, goes later and in bites: see `erase`.
fn of_auth(clock: &Clock) -> Handlers {
    let clock = clock.clone();
    Handlers::new()
        .before_snapshot(|db| Box::pin(closing::clear(db)))
        .on(|db, fact: AccountClosed| {
            Box::pin(async move { closing::close(db, member(&fact.member_id)?).await.map_err(Error::from) })
        })
        .on(|db, fact: AccountReopened| {
            Box::pin(async move { closing::forget(db, member(&fact.member_id)?).await.map_err(Error::from) })
        })
        .on(move |db, fact: AccountErased| {
            let now = clock.now();
            Box::pin(async move { erase::request(db, member(&fact.member_id)?, now).await.map_err(Error::from) })
        })
}

/// Who is connected has a conversation, and of whom one blocks the other have none.
fn of_social_graph(handlers: Handlers, outbox: &Outbox, clock: &Clock, ids: &Ids) -> Handlers {
    let [opened, blocked, lifted] = std::array::from_fn(|_| (outbox.clone(), clock.clone()));
    let (clock, ids) = (clock.clone(), ids.clone());
    handlers
        .before_snapshot(|db| Box::pin(blocks::clear(db)))
        .on(move |db, fact: ConnectionAccepted| {
            let (id, now) = (ids.new_owner(), clock.now());
            Box::pin(async move {
                let (one, other) = (member(&fact.requester_id)?, member(&fact.recipient_id)?);
                // It stands in the lists where the two met: a snapshot tells of connections years old.
                let met = made_at(&fact.connection_id)?.min(now);
                let unread = steps::connected(db, id, one, other, met).await?;
                unread.keep(db).await.map_err(Error::from)
            })
        })
        .on_live(move |db, fact: ConnectionAccepted| {
            let (outbox, now) = (opened.0.clone(), opened.1.now());
            Box::pin(async move {
                let (one, other) = (member(&fact.requester_id)?, member(&fact.recipient_id)?);
                let effects = steps::appeared(db, one, other).await?;
                effects.settle(db, &outbox, now).await.map_err(Error::from)
            })
        })
        .on(move |db, fact: MemberBlocked| {
            let (outbox, now) = (blocked.0.clone(), blocked.1.now());
            Box::pin(async move {
                let effects = blocks::put(db, member(&fact.blocker_id)?, member(&fact.blocked_id)?).await?;
                effects.settle(db, &outbox, now).await.map_err(Error::from)
            })
        })
        .on(move |db, fact: MemberUnblocked| {
            let (outbox, now) = (lifted.0.clone(), lifted.1.now());
            Box::pin(async move {
                let effects = blocks::lift(db, member(&fact.blocker_id)?, member(&fact.blocked_id)?).await?;
                effects.settle(db, &outbox, now).await.map_err(Error::from)
            })
        })
}

fn member(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("memberId", raw)
}

/// When an id was made, which it tells itself.
fn made_at(raw: &str) -> Result<DateTime<Utc>, Violation> {
    let made = ids::parse("connectionId", raw)?.get_timestamp().map(|at| at.to_unix());
    Ok(made
        .and_then(|(seconds, nanos)| DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos))
        .unwrap_or_default())
}

//! The handlers of the facts of social-graph: conversations, blocks, the read model, and notifications.
//!
//! A notification is created before the copy changes: the copy says whether a member is new, and which revision an
//! event had.

use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::social_graph::{
    CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
    ConnectionRequested, EventAttended, EventChanged, EventRemoved, EventUnattended, MemberBlocked, MemberErased,
    MemberUnblocked,
};
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{admissions, id};
use crate::{
    conversations::{blocks, transitions},
    deactivation::erase,
    error::Error,
    notifications::{Kind, NotificationTrigger, Notifier},
    read_model::{
        self, communities,
        events::{self, Event},
    },
};

pub fn handlers(outbox: &Outbox, notifier: &Notifier, clock: &Clock, ids: &Ids) -> Handlers {
    let erased_at = clock.clone();
    let handlers = Handlers::new().before_snapshot(|db| Box::pin(read_model::clear(db)));
    let handlers = connections(handlers, outbox, notifier, clock, ids);
    let handlers = member_blocks(handlers, outbox, notifier, clock);
    let handlers = admissions::handlers(community_members(handlers, notifier), notifier);
    event_attendances(event_changes(handlers, notifier), notifier).on(move |db, fact: MemberErased| {
        let now = erased_at.now();
        // Rows of a snapshot may have arrived after the erasure that auth's fact requested.
        Box::pin(async move { erase::request_erasure(db, id(&fact.member_id)?, now).await })
    })
}

/// Two connected members have a conversation.
fn connections(handlers: Handlers, outbox: &Outbox, notifier: &Notifier, clock: &Clock, ids: &Ids) -> Handlers {
    let [requested, locked, accepted, removed] = std::array::from_fn(|_| notifier.clone());
    let (outbox, ids, opened_at, accepted_at) = (outbox.clone(), ids.clone(), clock.clone(), clock.clone());
    handlers
        .on_live_batch(move |db, facts: Vec<ConnectionRequested>| {
            let notifier = requested.clone();
            Box::pin(async move {
                let trigger = |fact: &ConnectionRequested| {
                    let (connection, requester) = (id(&fact.connection_id)?, id(&fact.requester_id)?);
                    let trigger = NotificationTrigger::new(Kind::ConnectionRequested, connection, requester);
                    Ok::<_, Error>((trigger, id(&fact.recipient_id)?))
                };
                let triggers = facts.iter().map(trigger).collect::<Result<_, _>>()?;
                notifier.notify_each(db, triggers).await.map(drop)
            })
        })
        // Notifications are locked before conversations.
        .on_live(move |db, fact: ConnectionAccepted| {
            let notifier = locked.clone();
            Box::pin(async move { notifier.lock(db, &[id(&fact.requester_id)?, id(&fact.recipient_id)?]).await })
        })
        .on(move |db, fact: ConnectionAccepted| {
            let (conversation, now) = (ids.new_owner(), opened_at.now());
            Box::pin(async move {
                let (requester, recipient) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                // A snapshot contains connections of any age. The list orders the conversation by the age of the
                // connection.
                let at = created_at_of(id(&fact.connection_id)?).min(now);
                transitions::connect(db, conversation, requester, recipient, at).await?.apply(db).await
            })
        })
        .on_live(move |db, fact: ConnectionAccepted| {
            let (notifier, outbox, now) = (accepted.clone(), outbox.clone(), accepted_at.now());
            Box::pin(async move {
                let (requester, recipient) = (id(&fact.requester_id)?, id(&fact.recipient_id)?);
                let effects = transitions::connected_effects(db, requester, recipient).await?;
                effects.apply(db, &outbox, now).await?;
                let connection = id(&fact.connection_id)?;
                notifier.delete_by_subject(db, &[Kind::ConnectionRequested], connection).await?;
                let trigger = NotificationTrigger::new(Kind::ConnectionAccepted, connection, recipient);
                notifier.notify(db, &trigger, &[requester]).await
            })
        })
        .on(move |db, fact: ConnectionRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let kinds = [Kind::ConnectionRequested, Kind::ConnectionAccepted];
                notifier.delete_by_subject(db, &kinds, id(&fact.connection_id)?).await
            })
        })
}

fn member_blocks(handlers: Handlers, outbox: &Outbox, notifier: &Notifier, clock: &Clock) -> Handlers {
    let [blocked, unblocked] = std::array::from_fn(|_| (outbox.clone(), clock.clone()));
    let notifier = notifier.clone();
    handlers
        .on(move |db, fact: MemberBlocked| {
            let (notifier, outbox, now) = (notifier.clone(), blocked.0.clone(), blocked.1.now());
            Box::pin(async move {
                let (blocker, blocked) = (id(&fact.blocker_id)?, id(&fact.blocked_id)?);
                // Notifications are locked before conversations.
                notifier.lock(db, &[blocker, blocked]).await?;
                blocks::block(db, blocker, blocked).await?.apply(db, &outbox, now).await?;
                notifier.delete_between(db, blocker, blocked).await
            })
        })
        .on(move |db, fact: MemberUnblocked| {
            let (outbox, now) = (unblocked.0.clone(), unblocked.1.now());
            Box::pin(async move {
                let (blocker, blocked) = (id(&fact.blocker_id)?, id(&fact.blocked_id)?);
                blocks::unblock(db, blocker, blocked).await?.apply(db, &outbox, now).await
            })
        })
}

fn community_members(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [joined, left, removed] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on(|db, fact: CommunityChanged| {
            Box::pin(async move { communities::set_name(db, id(&fact.community_id)?, &fact.name).await })
        })
        .on(move |db, fact: CommunityRemoved| {
            let notifier = removed.clone();
            Box::pin(async move {
                let community = id(&fact.community_id)?;
                let kinds = [
                    Kind::CommunityJoined,
                    Kind::CommunityPosted,
                    Kind::CommunityInvited,
                    Kind::CommunityJoinRequested,
                    Kind::CommunityJoinApproved,
                ];
                notifier.delete_by_subject(db, &kinds, community).await?;
                communities::delete(db, community).await
            })
        })
        .on_live(move |db, fact: CommunityJoined| {
            let notifier = joined.clone();
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                let owners = communities::list_owners_if_new(db, community, member).await?;
                if let Some(moderator) = &fact.approved_by_id {
                    notifier.lock(db, &[owners.as_slice(), &[member]].concat()).await?;
                    let trigger = NotificationTrigger::new(Kind::CommunityJoinApproved, community, id(moderator)?);
                    notifier.notify(db, &trigger, &[member]).await?;
                }
                let trigger = NotificationTrigger::new(Kind::CommunityJoined, community, member);
                notifier.notify(db, &trigger, &owners).await
            })
        })
        .on(|db, fact: CommunityJoined| {
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                communities::set_membership(db, community, member, fact.is_owner).await
            })
        })
        .on(move |db, fact: CommunityLeft| {
            let notifier = left.clone();
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                notifier.withdraw(db, &NotificationTrigger::new(Kind::CommunityJoined, community, member)).await?;
                communities::delete_membership(db, community, member).await
            })
        })
}

fn event_changes(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [changed, removed] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: EventChanged| {
            let notifier = changed.clone();
            Box::pin(async move { notify_event_changed(&notifier, db, &fact).await })
        })
        .on(|db, fact: EventChanged| {
            Box::pin(async move {
                let organiser = fact.organiser_id.as_deref().map(id).transpose()?;
                events::set(db, id(&fact.event_id)?, organiser, &fact.title, fact.revision).await
            })
        })
        .on_live(move |db, fact: EventRemoved| {
            let notifier = removed.clone();
            Box::pin(async move { notify_event_cancelled(&notifier, db, id(&fact.event_id)?).await })
        })
        .on(|db, fact: EventRemoved| Box::pin(async move { events::delete(db, id(&fact.event_id)?).await }))
}

fn event_attendances(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [attended, unattended] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: EventAttended| {
            let notifier = attended.clone();
            Box::pin(async move {
                let (event, member) = (id(&fact.event_id)?, id(&fact.member_id)?);
                let organiser = events::get(db, event).await?.and_then(|event| event.organiser_id);
                let trigger = NotificationTrigger::new(Kind::EventAttended, event, member);
                notifier.notify(db, &trigger, organiser.as_slice()).await
            })
        })
        .on(|db, fact: EventAttended| {
            Box::pin(async move { events::insert_attendance(db, id(&fact.event_id)?, id(&fact.member_id)?).await })
        })
        .on(move |db, fact: EventUnattended| {
            let notifier = unattended.clone();
            Box::pin(async move {
                let (event, member) = (id(&fact.event_id)?, id(&fact.member_id)?);
                notifier.withdraw(db, &NotificationTrigger::new(Kind::EventAttended, event, member)).await?;
                events::delete_attendance(db, event, member).await
            })
        })
}

/// Notifies the attendees when the place or the time of the event changed. Each revision is a separate cause.
async fn notify_event_changed(notifier: &Notifier, db: &mut PgConnection, fact: &EventChanged) -> Result<(), Error> {
    let event = id(&fact.event_id)?;
    let stored = events::get(db, event).await?;
    let (Some(organiser), Some(Event { revision, .. })) = (&fact.organiser_id, stored) else { return Ok(()) };
    if !fact.moved || fact.revision <= revision {
        return Ok(());
    }
    let trigger = NotificationTrigger::new(Kind::EventChanged, event, id(organiser)?);
    let attendees = events::list_attendees(db, event).await?;
    notifier.notify(db, &NotificationTrigger { cause: &fact.revision.to_string(), ..trigger }, &attendees).await
}

/// Notifies the attendees, and deletes the earlier notifications about the event.
async fn notify_event_cancelled(notifier: &Notifier, db: &mut PgConnection, event: Uuid) -> Result<(), Error> {
    let attendees = events::list_attendees(db, event).await?;
    let Some(Event { organiser_id: Some(organiser), title, .. }) = events::get(db, event).await? else {
        return Ok(());
    };
    let mut concerned = attendees.clone();
    concerned.push(organiser);
    notifier.lock(db, &concerned).await?;
    notifier.delete_by_subject(db, &[Kind::EventAttended, Kind::EventChanged], event).await?;
    let trigger = NotificationTrigger::new(Kind::EventCancelled, event, organiser);
    notifier.notify(db, &NotificationTrigger { detail: &title, ..trigger }, &attendees).await
}

/// The creation time inside a UUIDv7.
fn created_at_of(id: Uuid) -> DateTime<Utc> {
    let created = id.get_timestamp().map(|at| at.to_unix());
    created
        .and_then(|(seconds, nanos)| DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos))
        .unwrap_or_default()
}

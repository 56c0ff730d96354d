//! The handlers of the facts of social-graph: conversations, blocks, the read model, and notifications.
//!
//! A notification is created before the copy changes, because the copy shows whether a member is new and which revision
//! an event had.

mod connections;

use outbox::{Handlers, Outbox};
use portia_proto::social_graph::{
    CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, EventAttended, EventChanged, EventRemoved,
    EventUnattended, MemberBlocked, MemberErased, MemberUnblocked,
};
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{admissions, id};
use crate::{
    conversations::blocks,
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
    let handlers = connections::handlers(handlers, outbox, notifier, clock, ids);
    let handlers = member_blocks(handlers, outbox, notifier, clock);
    let handlers = admissions::handlers(community_members(handlers, notifier), notifier);
    event_attendances(event_changes(handlers, notifier), notifier).on(move |db, fact: MemberErased| {
        let now = erased_at.now();
        // Rows of a snapshot may have arrived after the erasure that auth's fact requested.
        Box::pin(async move { erase::request_erasure(db, id(&fact.member_id)?, now).await })
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

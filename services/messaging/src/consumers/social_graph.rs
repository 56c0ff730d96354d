//! The handlers of the facts of social-graph: conversations, blocks, the read model, and notifications.
//!
//! A notification is created before the copy changes, because the copy shows whether a member is new and which revision
//! an event had.

mod connections;

use outbox::Handlers;
use portia_proto::social_graph::{
    CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, EventAttended, EventChanged, EventRemoved,
    EventUnattended, MemberBlocked, MemberErased, MemberUnblocked,
};
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;

use super::{admissions, id, optional_id, parse_trigger};
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

pub fn handlers(notifier: &Notifier, clock: &Clock, ids: &Ids) -> Handlers {
    let service = connections::Service { notifier: notifier.clone(), clock: clock.clone(), ids: ids.clone() };
    Handlers::new()
        .before_snapshot(read_model::clear)
        .on_snapshot_batch(&service, connections::copy)
        .on_live_any(&service, connections::apply)
        .on(notifier, member_blocked)
        .on(notifier, member_unblocked)
        .on(&(), community_changed)
        .on(notifier, community_removed)
        .on_live(notifier, notify_of_joiner)
        .on(&(), set_membership)
        .on(notifier, community_left)
        .on_live(notifier, admissions::join_requested)
        .on_live(notifier, admissions::join_request_removed)
        .on_live(notifier, admissions::invited)
        .on_live(notifier, admissions::invitation_removed)
        .on_live(notifier, notify_of_changed_event)
        .on(&(), set_event)
        .on_live(notifier, notify_of_cancelled_event)
        .on(&(), delete_event)
        .on_live(notifier, notify_organiser)
        .on(&(), insert_attendance)
        .on(notifier, event_unattended)
        .on(clock, member_erased)
}

async fn member_blocked(db: &mut PgConnection, notifier: &Notifier, fact: MemberBlocked) -> Result<(), Error> {
    let (blocker, blocked) = (id(&fact.blocker_id)?, id(&fact.blocked_id)?);
    // Notifications are locked before conversations.
    notifier.lock(db, &[blocker, blocked]).await?;
    let effects = blocks::block(db, blocker, blocked).await?;
    notifier.apply(db, effects).await?;
    notifier.delete_between(db, blocker, blocked).await
}

async fn member_unblocked(db: &mut PgConnection, notifier: &Notifier, fact: MemberUnblocked) -> Result<(), Error> {
    let effects = blocks::unblock(db, id(&fact.blocker_id)?, id(&fact.blocked_id)?).await?;
    notifier.apply(db, effects).await
}

async fn community_changed(db: &mut PgConnection, _: &(), fact: CommunityChanged) -> Result<(), Error> {
    communities::set_name(db, id(&fact.community_id)?, &fact.name).await
}

async fn community_removed(db: &mut PgConnection, notifier: &Notifier, fact: CommunityRemoved) -> Result<(), Error> {
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
}

/// Notifies the owners, and the joiner whose request was approved.
async fn notify_of_joiner(db: &mut PgConnection, notifier: &Notifier, fact: CommunityJoined) -> Result<(), Error> {
    let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
    let owners = communities::list_owners_if_new(db, community, member).await?;
    if let Some(moderator) = &fact.approved_by_id {
        notifier.lock(db, &[owners.as_slice(), &[member]].concat()).await?;
        let trigger = NotificationTrigger::new(Kind::CommunityJoinApproved, community, id(moderator)?);
        notifier.notify(db, &trigger, &[member]).await?;
    }
    notifier.notify(db, &NotificationTrigger::new(Kind::CommunityJoined, community, member), &owners).await
}

async fn set_membership(db: &mut PgConnection, _: &(), fact: CommunityJoined) -> Result<(), Error> {
    communities::set_membership(db, id(&fact.community_id)?, id(&fact.member_id)?, fact.is_owner).await
}

async fn community_left(db: &mut PgConnection, notifier: &Notifier, fact: CommunityLeft) -> Result<(), Error> {
    let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
    notifier.withdraw(db, &NotificationTrigger::new(Kind::CommunityJoined, community, member)).await?;
    communities::delete_membership(db, community, member).await
}

/// Notifies the attendees when the place or the time of the event changed. Each revision is a separate cause.
async fn notify_of_changed_event(db: &mut PgConnection, notifier: &Notifier, fact: EventChanged) -> Result<(), Error> {
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

async fn set_event(db: &mut PgConnection, _: &(), fact: EventChanged) -> Result<(), Error> {
    events::set(db, id(&fact.event_id)?, optional_id(&fact.organiser_id)?, &fact.title, fact.revision).await
}

/// Notifies the attendees, and deletes the earlier notifications about the event.
async fn notify_of_cancelled_event(
    db: &mut PgConnection,
    notifier: &Notifier,
    fact: EventRemoved,
) -> Result<(), Error> {
    let event = id(&fact.event_id)?;
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

async fn delete_event(db: &mut PgConnection, _: &(), fact: EventRemoved) -> Result<(), Error> {
    events::delete(db, id(&fact.event_id)?).await
}

async fn notify_organiser(db: &mut PgConnection, notifier: &Notifier, fact: EventAttended) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::EventAttended, &fact.event_id, &fact.member_id)?;
    let organiser = events::get(db, trigger.subject).await?.and_then(|event| event.organiser_id);
    notifier.notify(db, &trigger, organiser.as_slice()).await
}

async fn insert_attendance(db: &mut PgConnection, _: &(), fact: EventAttended) -> Result<(), Error> {
    events::insert_attendance(db, id(&fact.event_id)?, id(&fact.member_id)?).await
}

async fn event_unattended(db: &mut PgConnection, notifier: &Notifier, fact: EventUnattended) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::EventAttended, &fact.event_id, &fact.member_id)?;
    notifier.withdraw(db, &trigger).await?;
    events::delete_attendance(db, trigger.subject, trigger.actor).await
}

async fn member_erased(db: &mut PgConnection, clock: &Clock, fact: MemberErased) -> Result<(), Error> {
    // Rows of a snapshot may have arrived after the erasure that auth's fact requested.
    erase::request_erasure(db, id(&fact.member_id)?, clock.now()).await
}

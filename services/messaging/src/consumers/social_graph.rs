//! The handlers of the facts of social-graph: conversations, blocks, the read model, and notifications.
//!
//! A notification is created before the copy changes, because the copy shows whether a member is new and which revision
//! an event had.

mod connections;

use outbox::{Changes, Handlers};
use portia_proto::social_graph::{
    CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, EventAttended, EventChanged, EventRemoved,
    EventUnattended, MemberBlocked, MemberErased, MemberUnblocked,
};
use sqlx::PgConnection;

use super::{admissions, id, optional_id, parse_trigger};
use crate::{
    conversations::blocks,
    deactivation::erase,
    error::Error,
    notifications::{Kind, NotificationTrigger, notifier},
    read_model::{
        self, communities,
        events::{self, Event},
    },
};

pub fn handlers(changes: &Changes) -> Handlers {
    Handlers::new()
        .before_snapshot(read_model::clear)
        .on_snapshot_batch(changes, connections::copy)
        .on_live_any(changes, connections::apply)
        .on(changes, member_blocked)
        .on(changes, member_unblocked)
        .on(&(), community_changed)
        .on(changes, community_removed)
        .on_live(changes, notify_of_joiner)
        .on(&(), set_membership)
        .on(changes, community_left)
        .on_live(changes, admissions::join_requested)
        .on_live(changes, admissions::join_request_removed)
        .on_live(changes, admissions::invited)
        .on_live(changes, admissions::invitation_removed)
        .on_live(changes, notify_of_changed_event)
        .on(&(), set_event)
        .on_live(changes, notify_of_cancelled_event)
        .on(&(), delete_event)
        .on_live(changes, notify_organiser)
        .on(&(), insert_attendance)
        .on(changes, event_unattended)
        .on(changes, member_erased)
}

async fn member_blocked(db: &mut PgConnection, changes: &Changes, fact: MemberBlocked) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let (blocker, blocked) = (id(&fact.blocker_id)?, id(&fact.blocked_id)?);
    // Notifications are locked before conversations.
    notifier::lock(work.db, &[blocker, blocked]).await?;
    blocks::block(work, blocker, blocked).await?;
    notifier::delete_between(work, blocker, blocked).await
}

async fn member_unblocked(db: &mut PgConnection, changes: &Changes, fact: MemberUnblocked) -> Result<(), Error> {
    blocks::unblock(&mut changes.work(db), id(&fact.blocker_id)?, id(&fact.blocked_id)?).await
}

async fn community_changed(db: &mut PgConnection, _: &(), fact: CommunityChanged) -> Result<(), Error> {
    communities::set_name(db, id(&fact.community_id)?, &fact.name).await
}

async fn community_removed(db: &mut PgConnection, changes: &Changes, fact: CommunityRemoved) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let community = id(&fact.community_id)?;
    let kinds = [
        Kind::CommunityJoined,
        Kind::CommunityPosted,
        Kind::CommunityInvited,
        Kind::CommunityJoinRequested,
        Kind::CommunityJoinApproved,
    ];
    notifier::delete_by_subject(work, &kinds, community).await?;
    communities::delete(work.db, community).await
}

/// Notifies the owners, and the joiner whose request was approved.
async fn notify_of_joiner(db: &mut PgConnection, changes: &Changes, fact: CommunityJoined) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
    let owners = communities::list_owners_if_new(work.db, community, member).await?;
    if let Some(moderator) = &fact.approved_by_id {
        notifier::lock(work.db, &[owners.as_slice(), &[member]].concat()).await?;
        let trigger = NotificationTrigger::new(Kind::CommunityJoinApproved, community, id(moderator)?);
        notifier::notify(work, &trigger, &[member]).await?;
    }
    notifier::notify(work, &NotificationTrigger::new(Kind::CommunityJoined, community, member), &owners).await
}

async fn set_membership(db: &mut PgConnection, _: &(), fact: CommunityJoined) -> Result<(), Error> {
    communities::set_membership(db, id(&fact.community_id)?, id(&fact.member_id)?, fact.is_owner).await
}

async fn community_left(db: &mut PgConnection, changes: &Changes, fact: CommunityLeft) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
    notifier::withdraw(work, &NotificationTrigger::new(Kind::CommunityJoined, community, member)).await?;
    communities::delete_membership(work.db, community, member).await
}

/// Notifies the attendees when the place or the time of the event changed. Each revision is a separate cause.
async fn notify_of_changed_event(db: &mut PgConnection, changes: &Changes, fact: EventChanged) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let event = id(&fact.event_id)?;
    let stored = events::get(work.db, event).await?;
    let (Some(organiser), Some(Event { revision, .. })) = (&fact.organiser_id, stored) else { return Ok(()) };
    if !fact.moved || fact.revision <= revision {
        return Ok(());
    }
    let trigger = NotificationTrigger::new(Kind::EventChanged, event, id(organiser)?);
    let attendees = events::list_attendees(work.db, event).await?;
    notifier::notify(work, &NotificationTrigger { cause: &fact.revision.to_string(), ..trigger }, &attendees).await
}

async fn set_event(db: &mut PgConnection, _: &(), fact: EventChanged) -> Result<(), Error> {
    events::set(db, id(&fact.event_id)?, optional_id(&fact.organiser_id)?, &fact.title, fact.revision).await
}

/// Notifies the attendees, and deletes the earlier notifications about the event.
async fn notify_of_cancelled_event(db: &mut PgConnection, changes: &Changes, fact: EventRemoved) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let event = id(&fact.event_id)?;
    let attendees = events::list_attendees(work.db, event).await?;
    let Some(Event { organiser_id: Some(organiser), title, .. }) = events::get(work.db, event).await? else {
        return Ok(());
    };
    let mut concerned = attendees.clone();
    concerned.push(organiser);
    notifier::lock(work.db, &concerned).await?;
    notifier::delete_by_subject(work, &[Kind::EventAttended, Kind::EventChanged], event).await?;
    let trigger = NotificationTrigger::new(Kind::EventCancelled, event, organiser);
    notifier::notify(work, &NotificationTrigger { detail: &title, ..trigger }, &attendees).await
}

async fn delete_event(db: &mut PgConnection, _: &(), fact: EventRemoved) -> Result<(), Error> {
    events::delete(db, id(&fact.event_id)?).await
}

async fn notify_organiser(db: &mut PgConnection, changes: &Changes, fact: EventAttended) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let trigger = parse_trigger(Kind::EventAttended, &fact.event_id, &fact.member_id)?;
    let organiser = events::get(work.db, trigger.subject).await?.and_then(|event| event.organiser_id);
    notifier::notify(work, &trigger, organiser.as_slice()).await
}

async fn insert_attendance(db: &mut PgConnection, _: &(), fact: EventAttended) -> Result<(), Error> {
    events::insert_attendance(db, id(&fact.event_id)?, id(&fact.member_id)?).await
}

async fn event_unattended(db: &mut PgConnection, changes: &Changes, fact: EventUnattended) -> Result<(), Error> {
    let work = &mut changes.work(db);
    let trigger = parse_trigger(Kind::EventAttended, &fact.event_id, &fact.member_id)?;
    notifier::withdraw(work, &trigger).await?;
    events::delete_attendance(work.db, trigger.subject, trigger.actor).await
}

async fn member_erased(db: &mut PgConnection, changes: &Changes, fact: MemberErased) -> Result<(), Error> {
    // Rows of a snapshot may have arrived after the erasure that auth's fact requested.
    erase::request_erasure(&mut changes.work(db), id(&fact.member_id)?).await
}

//! The handlers of social-graph's facts about requests to join a community, and about invitations. They only notify, so
//! snapshots do not contain these facts.

use outbox::Handlers;
use portia_proto::social_graph::{
    CommunityInvitationRemoved, CommunityInvited, CommunityJoinRequestRemoved, CommunityJoinRequested,
};
use uuid::Uuid;

use super::id;
use crate::{
    error::Error,
    notifications::{Kind, NotificationTrigger, Notifier},
};

pub fn handlers(handlers: Handlers, notifier: &Notifier) -> Handlers {
    let [requested, answered, invited, withdrawn] = std::array::from_fn(|_| notifier.clone());
    handlers
        .on_live(move |db, fact: CommunityJoinRequested| {
            let notifier = requested.clone();
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                let moderators = fact.moderator_ids.iter().map(|raw| id(raw)).collect::<Result<Vec<Uuid>, Error>>()?;
                let trigger = NotificationTrigger::new(Kind::CommunityJoinRequested, community, member);
                notifier.notify(db, &trigger, &moderators).await
            })
        })
        .on_live(move |db, fact: CommunityJoinRequestRemoved| {
            let notifier = answered.clone();
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                notifier.withdraw(db, &NotificationTrigger::new(Kind::CommunityJoinRequested, community, member)).await
            })
        })
        .on_live(move |db, fact: CommunityInvited| {
            let notifier = invited.clone();
            Box::pin(async move {
                let (community, member) = (id(&fact.community_id)?, id(&fact.member_id)?);
                let trigger = NotificationTrigger::new(Kind::CommunityInvited, community, id(&fact.invited_by_id)?);
                // The member is the cause: withdrawing one invitation must not withdraw the others of its author.
                notifier.notify(db, &NotificationTrigger { cause: &fact.member_id, ..trigger }, &[member]).await
            })
        })
        .on_live(move |db, fact: CommunityInvitationRemoved| {
            let notifier = withdrawn.clone();
            Box::pin(async move {
                let Some(author) = &fact.invited_by_id else { return Ok(()) };
                let community = id(&fact.community_id)?;
                let trigger = NotificationTrigger::new(Kind::CommunityInvited, community, id(author)?);
                notifier.withdraw(db, &NotificationTrigger { cause: &fact.member_id, ..trigger }).await
            })
        })
}

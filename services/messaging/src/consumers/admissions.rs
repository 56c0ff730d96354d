//! The handlers of social-graph's facts about requests to join a community, and about invitations. They only notify, so
//! snapshots do not contain these facts.

use outbox::Changes;
use portia_proto::social_graph::{
    CommunityInvitationRemoved, CommunityInvited, CommunityJoinRequestRemoved, CommunityJoinRequested,
};
use sqlx::PgConnection;

use super::{all_ids, id, parse_trigger};
use crate::{
    error::Error,
    notifications::{Kind, NotificationTrigger, notifier},
};

pub async fn join_requested(
    db: &mut PgConnection,
    changes: &Changes,
    fact: CommunityJoinRequested,
) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::CommunityJoinRequested, &fact.community_id, &fact.member_id)?;
    notifier::notify(&mut changes.work(db), &trigger, &all_ids(&fact.moderator_ids)?).await
}

pub async fn join_request_removed(
    db: &mut PgConnection,
    changes: &Changes,
    fact: CommunityJoinRequestRemoved,
) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::CommunityJoinRequested, &fact.community_id, &fact.member_id)?;
    notifier::withdraw(&mut changes.work(db), &trigger).await
}

pub async fn invited(db: &mut PgConnection, changes: &Changes, fact: CommunityInvited) -> Result<(), Error> {
    let trigger = parse_trigger(Kind::CommunityInvited, &fact.community_id, &fact.invited_by_id)?;
    // The member is the cause: withdrawing one invitation must not withdraw the others of its author.
    let trigger = NotificationTrigger { cause: &fact.member_id, ..trigger };
    notifier::notify(&mut changes.work(db), &trigger, &[id(&fact.member_id)?]).await
}

pub async fn invitation_removed(
    db: &mut PgConnection,
    changes: &Changes,
    fact: CommunityInvitationRemoved,
) -> Result<(), Error> {
    let Some(author) = &fact.invited_by_id else { return Ok(()) };
    let trigger = parse_trigger(Kind::CommunityInvited, &fact.community_id, author)?;
    notifier::withdraw(&mut changes.work(db), &NotificationTrigger { cause: &fact.member_id, ..trigger }).await
}

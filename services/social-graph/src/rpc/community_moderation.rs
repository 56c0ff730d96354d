//! RPCs of owners and moderators of a community.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    communities::{
        self, CommunityMemberRef, CommunityPage, Role,
        log::{self, Action, NewEntry},
        moderation::{self, Removal, RemoveMember},
        ownership,
    },
    convert::community_id,
    publishing::{self, admissions},
};

impl SocialGraphService {
    /// A log entry without a role and a reason.
    pub(super) fn log_entry(&self, community: Uuid, action: Action, actor: Uuid, member: Uuid) -> NewEntry {
        NewEntry {
            id: self.ids.owned_by(community),
            community,
            action,
            actor: Some(actor),
            member: Some(member),
            role: None,
            reason: None,
        }
    }

    async fn publish_role(
        &self,
        db: &mut sqlx::PgConnection,
        community: Uuid,
        member: Uuid,
        role: Role,
        now: DateTime<Utc>,
    ) -> Result<(), crate::error::Error> {
        publishing::publish_community_joined(&self.outbox, db, community, member, role, now).await
    }
}

pub(super) async fn transfer(
    service: &SocialGraphService,
    request: Request<pb::TransferCommunityRequest>,
) -> RpcResult<pb::TransferCommunityResponse> {
    let member = Actor::member(&request)?;
    let CommunityMemberRef { community: id, member: other } = CommunityMemberRef::try_from(request.into_inner())?;
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    ownership::transfer(&mut tx, id, member, other).await?;
    service.publish_role(&mut tx, id, other, Role::Owner, now).await?;
    service.publish_role(&mut tx, id, member, Role::Moderator, now).await?;
    log::insert(&mut tx, &service.log_entry(id, Action::Transferred, member, other), now).await?;
    let community = communities::get(&mut tx, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::TransferCommunityResponse { community: Some(community.into()) }))
}

pub(super) async fn dissolve(
    service: &SocialGraphService,
    request: Request<pb::DissolveCommunityRequest>,
) -> RpcResult<pb::DissolveCommunityResponse> {
    let member = Actor::member(&request)?;
    let id = community_id(&request.get_ref().community_id)?;
    let mut tx = service.begin().await?;
    ownership::dissolve(&mut tx, id, member).await?;
    publishing::publish_community_removed(&service.outbox, &mut tx, id, service.clock.now()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DissolveCommunityResponse {}))
}

pub(super) async fn remove_member(
    service: &SocialGraphService,
    request: Request<pb::RemoveMemberRequest>,
) -> RpcResult<pb::RemoveMemberResponse> {
    let member = Actor::member(&request)?;
    let removal = RemoveMember::try_from(request.into_inner())?;
    let (id, other, now) = (removal.community, removal.member, service.clock.now());
    let mut tx = service.begin().await?;
    let effects = moderation::remove(&mut tx, member, &removal, now).await?;
    let Removal { left, banned, ended_request, ended_invitation } = effects;
    if left {
        publishing::publish_community_left(&service.outbox, &mut tx, id, other, now).await?;
        service.end_invitations_of(&mut tx, id, other).await?;
    }
    if ended_request {
        admissions::publish_join_request_removed(&service.outbox, &mut tx, id, other, now).await?;
    }
    if let Some(invited_by) = ended_invitation {
        admissions::publish_invitation_removed(&service.outbox, &mut tx, id, other, invited_by, now).await?;
    }
    if left || banned {
        let action = if removal.ban { Action::MemberBanned } else { Action::MemberRemoved };
        let entry = service.log_entry(id, action, member, other);
        log::insert(&mut tx, &NewEntry { reason: removal.reason, ..entry }, now).await?;
    }
    commit(tx).await?;
    Ok(Response::new(pb::RemoveMemberResponse {}))
}

pub(super) async fn unban_member(
    service: &SocialGraphService,
    request: Request<pb::UnbanMemberRequest>,
) -> RpcResult<pb::UnbanMemberResponse> {
    let member = Actor::member(&request)?;
    let CommunityMemberRef { community: id, member: other } = CommunityMemberRef::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    if moderation::unban(&mut tx, id, member, other).await? {
        let entry = service.log_entry(id, Action::MemberUnbanned, member, other);
        log::insert(&mut tx, &entry, service.clock.now()).await?;
    }
    commit(tx).await?;
    Ok(Response::new(pb::UnbanMemberResponse {}))
}

pub(super) async fn list_bans(
    service: &SocialGraphService,
    request: Request<pb::ListBansRequest>,
) -> RpcResult<pb::ListBansResponse> {
    let member = Actor::member(&request)?;
    let query = CommunityPage::try_from(request.into_inner())?;
    let page = moderation::list_bans(&mut *service.connection().await?, member, &query).await?;
    let (bans, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListBansResponse { bans, next_page_token }))
}

pub(super) async fn list_log(
    service: &SocialGraphService,
    request: Request<pb::ListCommunityLogRequest>,
) -> RpcResult<pb::ListCommunityLogResponse> {
    let member = Actor::member(&request)?;
    let query = CommunityPage::try_from(request.into_inner())?;
    let page = log::list(&mut *service.connection().await?, member, &query).await?;
    let (entries, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListCommunityLogResponse { entries, next_page_token }))
}

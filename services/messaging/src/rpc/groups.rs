//! Create, update and leave groups; their members.

use idempotency::Claim;
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{MessagingService, RpcResult, commit, pb};
use crate::{
    conversations,
    convert::{AddMembers, GroupMemberRef, IdempotentGroup, parse_conversation_id},
    error::Error,
    groups::{
        self, create, invite, leave,
        update::{self, UpdatedGroup},
    },
};

pub(super) async fn create(
    service: &MessagingService,
    request: Request<pb::CreateGroupRequest>,
) -> RpcResult<pb::CreateGroupResponse> {
    let member = Actor::member(&request)?;
    let IdempotentGroup { new, key } = IdempotentGroup::parse(member, request.into_inner())?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let id = work.ids.new_owner();
    let claim = Claim { member, route: "CreateGroup", key: key.as_ref(), resource: id };
    if let Some(earlier) = service.keys.claim(work.db, &claim, work.now).await.map_err(Error::from)? {
        let conversation = conversations::get(work.db, member, earlier).await?.into();
        return Ok(Response::new(pb::CreateGroupResponse { conversation: Some(conversation) }));
    }
    create::create(work, service.rate_limit_scale, id, member, &new).await?;
    commit(tx).await?;
    let conversation = read(service, member, id).await?;
    Ok(Response::new(pb::CreateGroupResponse { conversation: Some(conversation) }))
}

pub(super) async fn update(
    service: &MessagingService,
    request: Request<pb::UpdateGroupRequest>,
) -> RpcResult<pb::UpdateGroupResponse> {
    let member = Actor::member(&request)?;
    let updated = UpdatedGroup::try_from(request.into_inner())?;
    let id = updated.conversation;
    let mut tx = service.begin().await?;
    update::update(&mut service.work(&mut tx), member, &updated).await?;
    commit(tx).await?;
    let conversation = read(service, member, id).await?;
    Ok(Response::new(pb::UpdateGroupResponse { conversation: Some(conversation) }))
}

pub(super) async fn add_members(
    service: &MessagingService,
    request: Request<pb::AddGroupMembersRequest>,
) -> RpcResult<pb::AddGroupMembersResponse> {
    let member = Actor::member(&request)?;
    let AddMembers { conversation: id, members } = AddMembers::parse(member, request.get_ref())?;
    let mut tx = service.begin().await?;
    invite::add(&mut service.work(&mut tx), service.rate_limit_scale, member, id, &members).await?;
    commit(tx).await?;
    let conversation = read(service, member, id).await?;
    Ok(Response::new(pb::AddGroupMembersResponse { conversation: Some(conversation) }))
}

pub(super) async fn remove_member(
    service: &MessagingService,
    request: Request<pb::RemoveGroupMemberRequest>,
) -> RpcResult<pb::RemoveGroupMemberResponse> {
    let actor = Actor::member(&request)?;
    let GroupMemberRef { conversation: id, member } = GroupMemberRef::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    leave::remove(&mut service.work(&mut tx), actor, id, member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::RemoveGroupMemberResponse {}))
}

pub(super) async fn list_members(
    service: &MessagingService,
    request: Request<pb::ListGroupMembersRequest>,
) -> RpcResult<pb::ListGroupMembersResponse> {
    let member = Actor::member(&request)?;
    let id = parse_conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    let members = groups::list_members(&mut *service.connection().await?, id, member).await?;
    Ok(Response::new(pb::ListGroupMembersResponse { members: members.into_iter().map(Into::into).collect() }))
}

async fn read(service: &MessagingService, member: Uuid, id: Uuid) -> Result<pb::Conversation, Error> {
    Ok(conversations::get(&mut *service.connection().await?, member, id).await?.into())
}

//! List, get, open, accept, clear and mute conversations.

use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{MessagingService, RpcResult, commit, pb};
use crate::{
    conversations::{
        self,
        list::{self, ListConversations},
        mute,
        transitions::{self, OpenOutcome},
    },
    convert::{MuteConversation, parse_conversation_id, parse_folder, parse_other_member},
    error::Error,
};

pub(super) async fn list(
    service: &MessagingService,
    request: Request<pb::ListConversationsRequest>,
) -> RpcResult<pb::ListConversationsResponse> {
    let member = Actor::member(&request)?;
    let query = ListConversations::try_from(request.into_inner())?;
    let page = list::list(&mut *service.connection().await?, member, &query).await?;
    let (conversations, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListConversationsResponse { conversations, next_page_token }))
}

pub(super) async fn list_partners(
    service: &MessagingService,
    request: Request<pb::ListPartnersRequest>,
) -> RpcResult<pb::ListPartnersResponse> {
    let member = Actor::member(&request)?;
    let folder = parse_folder(request.get_ref().folder).map_err(Error::from)?;
    let partners = list::list_partners(&mut *service.connection().await?, member, folder).await?;
    let member_ids = partners.iter().map(Uuid::to_string).collect();
    Ok(Response::new(pb::ListPartnersResponse { member_ids }))
}

pub(super) async fn get(
    service: &MessagingService,
    request: Request<pb::GetConversationRequest>,
) -> RpcResult<pb::GetConversationResponse> {
    let member = Actor::member(&request)?;
    let id = parse_conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    let conversation = conversations::get(&mut *service.connection().await?, member, id).await?;
    Ok(Response::new(pb::GetConversationResponse { conversation: Some(conversation.into()) }))
}

pub(super) async fn open(
    service: &MessagingService,
    request: Request<pb::OpenConversationRequest>,
) -> RpcResult<pb::OpenConversationResponse> {
    let member = Actor::member(&request)?;
    let other = parse_other_member(member, &request.get_ref().member_id).map_err(Error::from)?;
    let (id, created) = open_conversation(service, member, other).await?;
    let conversation = conversations::get(&mut *service.connection().await?, member, id).await?;
    Ok(Response::new(pb::OpenConversationResponse { conversation: Some(conversation.into()), created }))
}

/// Opens a conversation. Mostly the member already has it in the list, which needs no lock.
async fn open_conversation(service: &MessagingService, member: Uuid, other: Uuid) -> Result<(Uuid, bool), Error> {
    if let Some(id) = conversations::find_listed(&mut *service.connection().await?, member, other).await? {
        return Ok((id, false));
    }
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let id = work.ids.new_owner();
    let OpenOutcome { id, created } = transitions::open(work, id, member, other).await?;
    commit(tx).await?;
    Ok((id, created))
}

pub(super) async fn accept(
    service: &MessagingService,
    request: Request<pb::AcceptRequestRequest>,
) -> RpcResult<pb::AcceptRequestResponse> {
    let member = Actor::member(&request)?;
    let id = parse_conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    transitions::accept(&mut service.work(&mut tx), id, member).await?;
    commit(tx).await?;
    let conversation = conversations::get(&mut *service.connection().await?, member, id).await?;
    Ok(Response::new(pb::AcceptRequestResponse { conversation: Some(conversation.into()) }))
}

pub(super) async fn clear(
    service: &MessagingService,
    request: Request<pb::ClearConversationRequest>,
) -> RpcResult<pb::ClearConversationResponse> {
    let member = Actor::member(&request)?;
    let id = parse_conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    transitions::clear(&mut service.work(&mut tx), id, member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::ClearConversationResponse {}))
}

pub(super) async fn set_muted(
    service: &MessagingService,
    request: Request<pb::MuteConversationRequest>,
) -> RpcResult<pb::MuteConversationResponse> {
    let member = Actor::member(&request)?;
    let MuteConversation { conversation: id, muted } = MuteConversation::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    mute::set(&mut service.work(&mut tx), id, member, muted).await?;
    commit(tx).await?;
    let conversation = conversations::get(&mut *service.connection().await?, member, id).await?;
    Ok(Response::new(pb::MuteConversationResponse { conversation: Some(conversation.into()) }))
}

//! RPCs of connections and of requests to connect.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    connections::{
        self, ListConnections, counts,
        transitions::{self, AnswerConnection},
    },
    convert::{OtherMember, connection_id, member_ids},
};

pub(super) async fn list(
    service: &SocialGraphService,
    request: Request<pb::ListConnectionsRequest>,
) -> RpcResult<pb::ListConnectionsResponse> {
    let member = Actor::member(&request)?;
    let query = ListConnections::try_from(request.into_inner())?;
    let mut db = service.connection().await?;
    let page = connections::list(&mut db, member, &query).await?;
    let total = counts::get(&mut db, member).await?.connections;
    let (connections, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListConnectionsResponse { connections, next_page_token, total }))
}

pub(super) async fn list_pending(
    service: &SocialGraphService,
    request: Request<pb::ListPendingRequestsRequest>,
) -> RpcResult<pb::ListPendingRequestsResponse> {
    let member = Actor::member(&request)?;
    let query = ListConnections::try_from(request.into_inner())?;
    let mut db = service.connection().await?;
    let page = connections::list_pending(&mut db, member, &query).await?;
    let total = counts::get(&mut db, member).await?.requests;
    let (connections, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListPendingRequestsResponse { connections, next_page_token, total }))
}

pub(super) async fn find(
    service: &SocialGraphService,
    request: Request<pb::FindConnectionRequest>,
) -> RpcResult<pb::FindConnectionResponse> {
    let member = Actor::member(&request)?;
    let OtherMember(other) = OtherMember::try_from(request.into_inner())?;
    let connection = connections::batch_find(&mut *service.connection().await?, member, &[other]).await?.pop();
    Ok(Response::new(pb::FindConnectionResponse { connection: connection.map(Into::into) }))
}

pub(super) async fn batch_find(
    service: &SocialGraphService,
    request: Request<pb::BatchFindConnectionsRequest>,
) -> RpcResult<pb::BatchFindConnectionsResponse> {
    let member = Actor::member(&request)?;
    let others = member_ids(request.get_ref())?;
    let connections = connections::batch_find(&mut *service.connection().await?, member, &others).await?;
    let connections = connections.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::BatchFindConnectionsResponse { connections }))
}

pub(super) async fn request(
    service: &SocialGraphService,
    request: Request<pb::RequestConnectionRequest>,
) -> RpcResult<pb::RequestConnectionResponse> {
    let member = Actor::member(&request)?;
    let other = OtherMember::than(member, &request.get_ref().member_id)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let (connection, changed) = transitions::request(work, member, other, service.rate_limit_scale).await?;
    commit(tx).await?;
    Ok(Response::new(pb::RequestConnectionResponse { connection: Some(connection.into()), changed }))
}

pub(super) async fn answer(
    service: &SocialGraphService,
    request: Request<pb::AnswerConnectionRequest>,
) -> RpcResult<pb::AnswerConnectionResponse> {
    let member = Actor::member(&request)?;
    let AnswerConnection { connection, answer } = AnswerConnection::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let answered = transitions::answer(&mut service.work(&mut tx), connection, member, answer).await?;
    commit(tx).await?;
    Ok(Response::new(pb::AnswerConnectionResponse { connection: Some(answered.into()) }))
}

pub(super) async fn remove(
    service: &SocialGraphService,
    request: Request<pb::RemoveConnectionRequest>,
) -> RpcResult<pb::RemoveConnectionResponse> {
    let member = Actor::member(&request)?;
    let id = connection_id(&request.get_ref().connection_id)?;
    let mut tx = service.begin().await?;
    transitions::remove(&mut service.work(&mut tx), id, member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::RemoveConnectionResponse {}))
}

//! RPCs of the caller's applications.

use portia_proto::jobs as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{JobsService, RpcResult, commit};
use crate::{
    applications::{
        self, ApplicationQuery, ApplicationUpdate,
        apply::{self, IdempotentRequest},
    },
    convert::application_id,
    error::Error,
};

pub(super) async fn list(
    service: &JobsService,
    request: Request<pb::ListMyApplicationsRequest>,
) -> RpcResult<pb::ListMyApplicationsResponse> {
    let member = Actor::member(&request)?;
    let query = ApplicationQuery::try_from(request.into_inner())?;
    let page = applications::list(&mut *service.connection().await?, member, &query, service.clock.now()).await?;
    let (applications, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListMyApplicationsResponse { applications, next_page_token }))
}

pub(super) async fn get(
    service: &JobsService,
    request: Request<pb::GetApplicationRequest>,
) -> RpcResult<pb::GetApplicationResponse> {
    let member = Actor::member(&request)?;
    let id = application_id(&request.get_ref().application_id)?;
    let mut db = service.connection().await?;
    let application = applications::get(&mut db, member, id, service.clock.now()).await?;
    let history = applications::list_history(&mut db, id).await?;
    let history = history.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::GetApplicationResponse { application: Some(application.into()), history }))
}

pub(super) async fn apply(service: &JobsService, request: Request<pb::ApplyRequest>) -> RpcResult<pb::ApplyResponse> {
    let member = Actor::member(&request)?;
    let request = IdempotentRequest::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let id = work.ids.owned_by(member);
    let claim = apply::claim(member, &request, id);
    if let Some(earlier) = service.keys.claim(work.db, &claim, work.now).await.map_err(Error::from)? {
        let application = applications::get(work.db, member, earlier, work.now).await?;
        return Ok(Response::new(pb::ApplyResponse { application: Some(application.into()) }));
    }
    apply::apply(work, id, member, &request.body).await?;
    let application = applications::get(work.db, member, id, work.now).await?;
    commit(tx).await?;
    Ok(Response::new(pb::ApplyResponse { application: Some(application.into()) }))
}

pub(super) async fn update(
    service: &JobsService,
    request: Request<pb::UpdateApplicationRequest>,
) -> RpcResult<pb::UpdateApplicationResponse> {
    let member = Actor::member(&request)?;
    let update = ApplicationUpdate::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    applications::update(work, member, &update).await?;
    let application = applications::get(work.db, member, update.application, work.now).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdateApplicationResponse { application: Some(application.into()) }))
}

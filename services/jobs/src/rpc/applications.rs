//! RPCs of the caller's applications.

use db::begin;
use portia_proto::jobs as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{JobsService, RpcResult};
use crate::{
    applications::{
        self, Application, ApplicationQuery, ApplicationUpdate,
        apply::{self, IdempotentRequest, NewApplication},
    },
    convert::application_id,
    error::Error,
    publishing,
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
    let application = create(service, member, &request).await?;
    Ok(Response::new(pb::ApplyResponse { application: Some(application.into()) }))
}

async fn create(
    service: &JobsService,
    member: Uuid,
    request: &IdempotentRequest<NewApplication>,
) -> Result<Application, Error> {
    let (id, now) = (service.ids.owned_by(member), service.clock.now());
    let mut tx = begin(&service.db).await?;
    let claim = apply::claim(member, request, id);
    if let Some(earlier) = service.keys.claim(&mut tx, &claim, now).await? {
        return applications::get(&mut tx, member, earlier, now).await;
    }
    apply::apply(&mut tx, &service.ids, id, member, &request.body, now).await?;
    publishing::publish_application_changed(&mut tx, &service.outbox, id, member, now).await?;
    let application = applications::get(&mut tx, member, id, now).await?;
    tx.commit().await?;
    Ok(application)
}

pub(super) async fn update(
    service: &JobsService,
    request: Request<pb::UpdateApplicationRequest>,
) -> RpcResult<pb::UpdateApplicationResponse> {
    let member = Actor::member(&request)?;
    let update = ApplicationUpdate::try_from(request.into_inner())?;
    let now = service.clock.now();
    let mut tx = begin(&service.db).await.map_err(Error::from)?;
    applications::update(&mut tx, &service.ids, member, &update, now).await?;
    let changed =
        publishing::publish_application_changed(&mut tx, &service.outbox, update.application, member, now).await;
    changed.map_err(Error::from)?;
    let application = applications::get(&mut tx, member, update.application, now).await?;
    tx.commit().await.map_err(Error::from)?;
    Ok(Response::new(pb::UpdateApplicationResponse { application: Some(application.into()) }))
}

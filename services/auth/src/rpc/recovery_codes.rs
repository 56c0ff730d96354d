//! Recovery codes: count and renewal.

use portia_proto::auth::SecurityNoticeCause;
use tonic::{Request, Response};

use super::{AuthService, RpcResult, caller, pb};
use crate::{
    accounts,
    audit::AuditEvent,
    convert::timestamp,
    error::Error,
    recovery::codes::{self, RecoveryCode},
    sessions::{Browser, Session},
};

pub(super) async fn get(
    service: &AuthService,
    request: Request<pb::GetRecoveryCodesRequest>,
) -> RpcResult<pb::GetRecoveryCodesResponse> {
    let status = codes::get_status(&service.db, caller(&request)?, service.clock.now()).await?;
    Ok(Response::new(pb::GetRecoveryCodesResponse {
        remaining: i32::try_from(status.remaining).unwrap_or(i32::MAX),
        made_at: status.made_at.map(timestamp),
    }))
}

pub(super) async fn renew(
    service: &AuthService,
    request: Request<pb::RenewRecoveryCodesRequest>,
) -> RpcResult<pb::RenewRecoveryCodesResponse> {
    let caller = caller(&request)?;
    let codes = replace(service, caller, &request.into_inner().browser.into()).await?;
    Ok(Response::new(pb::RenewRecoveryCodesResponse { codes: codes.iter().map(RecoveryCode::format).collect() }))
}

async fn replace(service: &AuthService, caller: Session, browser: &Browser) -> Result<Vec<RecoveryCode>, Error> {
    let (codes, now) = (codes::generate_set()?, service.clock.now());
    let mut tx = db::begin(&service.db).await?;
    accounts::lock_with_proof(&mut tx, caller, now).await?;
    codes::replace(&mut tx, caller.member, &codes, now).await?;
    service.record(&mut tx, caller.member, AuditEvent::CodesMade, Some(browser)).await?;
    let cause = SecurityNoticeCause::RecoveryCodesRenewed;
    service.notice(&mut tx, caller.member, cause, browser, Some(caller.id)).await?;
    tx.commit().await?;
    Ok(codes)
}

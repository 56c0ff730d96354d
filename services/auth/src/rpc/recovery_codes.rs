//! Recovery codes: count and renewal.

use tonic::{Request, Response};

use super::{AuthService, RpcResult, caller, commit, pb};
use crate::{
    accounts,
    convert::timestamp,
    recovery::codes::{self, RecoveryCode},
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
    let codes = codes::generate_set()?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_proof(work, caller).await?;
    codes::replace(work, caller, &codes, &request.into_inner().browser.into()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::RenewRecoveryCodesResponse { codes: codes.iter().map(RecoveryCode::format).collect() }))
}

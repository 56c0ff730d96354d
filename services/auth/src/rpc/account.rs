//! The caller's account: close and export.

use chrono::{DateTime, Utc};
use primitives::error::Violation;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{AuthService, RpcResult, caller, commit, pb, to_strings};
use crate::{
    accounts,
    audit::{self, AuditEvent},
    convert::timestamp,
    deactivation,
    error::Error,
    export::RecordStream,
    sessions::{self, Browser, Session},
};

pub(super) async fn close(
    service: &AuthService,
    request: Request<pb::CloseAccountRequest>,
) -> RpcResult<pb::CloseAccountResponse> {
    let caller = caller(&request)?;
    let request = request.into_inner();
    let (ended, erased_at) = deactivate(service, caller, &request.confirmation, &request.browser.into()).await?;
    Ok(Response::new(pb::CloseAccountResponse {
        ended_session_ids: to_strings(&ended),
        erased_at: Some(timestamp(erased_at)),
    }))
}

pub(super) async fn export(
    service: &AuthService,
    request: Request<pb::ExportMemberRequest>,
) -> RpcResult<RecordStream> {
    let (caller, now) = (caller(&request)?, service.clock.now());
    let (_, proofs) = accounts::get_by_session(&service.db, caller, now).await?;
    proofs.ensure_recent(now)?;
    let mut db = service.connection().await?;
    audit::record(&mut service.work(&mut db), caller.member, AuditEvent::Exported, None).await?;
    Ok(Response::new(service.exports.stream(caller.member)))
}

/// Returns the ended sessions and the time of the erasure.
async fn deactivate(
    service: &AuthService,
    caller: Session,
    confirmation: &str,
    browser: &Browser,
) -> Result<(Vec<Uuid>, DateTime<Utc>), Error> {
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let account = accounts::lock_with_session(work, caller).await?;
    if !account.username.eq_ignore_ascii_case(confirmation.trim()) {
        return Err(Violation::new("confirmation", "Type your username to confirm.").into());
    }
    // After the confirmation: a mistyped one must not ask for a proof first.
    accounts::lock_with_proof(work, caller).await?;
    let ended = deactivation::deactivate(work, caller, browser).await?;
    let erased_at = work.now + sessions::REACTIVATION_PERIOD;
    commit(tx).await?;
    Ok((ended, erased_at))
}

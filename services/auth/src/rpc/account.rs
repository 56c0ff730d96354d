//! The caller's account: close and export.

use chrono::{DateTime, Utc};
use primitives::error::Violation;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{AuthService, RpcResult, caller, pb, to_strings};
use crate::{
    accounts,
    audit::{self, AuditEvent},
    convert::timestamp,
    deactivation,
    error::Error,
    export::RecordStream,
    publishing,
    recovery::{links, trusted_browsers},
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
    let audit_id = service.ids.owned_by(caller.member);
    audit::record(&mut *service.connection().await?, audit_id, caller.member, AuditEvent::Exported, None, now).await?;
    Ok(Response::new(service.exports.stream(caller.member)))
}

/// Returns the ended sessions and the time of the erasure.
async fn deactivate(
    service: &AuthService,
    caller: Session,
    confirmation: &str,
    browser: &Browser,
) -> Result<(Vec<Uuid>, DateTime<Utc>), Error> {
    let (member, now) = (caller.member, service.clock.now());
    let mut tx = db::begin(&service.db).await?;
    let account = accounts::lock_with_session(&mut tx, caller, now).await?;
    if !account.username.eq_ignore_ascii_case(confirmation.trim()) {
        return Err(Violation::new("confirmation", "Type your username to confirm.").into());
    }
    // After the confirmation: a mistyped one must not ask for a proof first.
    accounts::lock_with_proof(&mut tx, caller, now).await?;
    if !deactivation::deactivate(&mut tx, member, now).await? {
        return Err(Error::SessionEnded);
    }
    let ended = sessions::end_all(&mut tx, member, None).await?;
    links::delete(&mut tx, member).await?;
    trusted_browsers::delete_of_other_sessions(&mut tx, caller).await?;
    service.record(&mut tx, member, AuditEvent::Closed, Some(browser)).await?;
    publishing::publish_sessions_ended(&service.outbox, &mut tx, member, &ended, now).await?;
    publishing::publish_account_closed(&service.outbox, &mut tx, member, now).await?;
    tx.commit().await?;
    Ok((ended, now + sessions::REACTIVATION_PERIOD))
}

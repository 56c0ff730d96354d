//! The ends of sessions by their member.

use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;
use uuid::Uuid;

use crate::{
    accounts,
    audit::{self, AuditEvent},
    credentials::token::Token,
    error::Error,
    publishing::{self, Notice},
    recovery::trusted_browsers,
    sessions::{self, Browser, Session},
};

/// Ends the session of a token and returns its id; `None` when it does not exist.
pub async fn by_token(work: &mut UnitOfWork<'_>, token: &Token) -> Result<Option<Uuid>, Error> {
    let Some(session) = sessions::end_by_token(work, token).await? else { return Ok(None) };
    trusted_browsers::note_last_seen(work.db, session, work.now).await?;
    audit::record(work, session.member, AuditEvent::SignedOut(session.id), None).await?;
    Ok(Some(session.id))
}

/// Ends a session of the caller, or all of them, and returns their ids.
///
/// # Errors
/// [`Error::SessionEnded`]; [`Error::StepUpRequired`] for other sessions than the caller's own; [`Error::SessionNotFound`].
pub async fn by_owner(
    work: &mut UnitOfWork<'_>,
    caller: Session,
    id: Option<Uuid>,
    browser: &Browser,
) -> Result<Vec<Uuid>, Error> {
    let member = caller.member;
    if id == Some(caller.id) {
        accounts::lock_with_session(work, caller).await?;
    } else {
        accounts::lock_with_proof(work, caller).await?;
    }
    let (ended, event, notice) = match id {
        Some(id) if sessions::end_by_id(work, Session { id, member }).await? => {
            let is_other = id != caller.id;
            if is_other {
                trusted_browsers::delete_of_session(work.db, Session { id, member }).await?;
            } else {
                trusted_browsers::note_last_seen(work.db, caller, work.now).await?;
            }
            (vec![id], AuditEvent::SessionEnded(id), is_other.then_some(SecurityNoticeCause::SessionEnded))
        }
        Some(_) => return Err(Error::SessionNotFound),
        None => {
            trusted_browsers::delete_all(work.db, member).await?;
            let ended = sessions::end_all(work, member, None).await?;
            (ended, AuditEvent::SignedOutEverywhere, Some(SecurityNoticeCause::SignedOutEverywhere))
        }
    };
    audit::record(work, member, event, Some(browser)).await?;
    if let Some(cause) = notice {
        publishing::publish_notice(work, member, Notice::of(cause, browser, Some(caller.id))).await?;
    }
    Ok(ended)
}

//! The effects of a new password: sessions, trust in browsers and the link of an operator end, because another person may have them,
//! and the owner learns of it.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    credentials::token::Token,
    error::Error,
    notices,
    passkeys::credentials,
    publishing::{self, Notice},
    recovery::{links, trusted_browsers},
    reset_proofs::Proof,
    sessions::{self, Browser, Session},
};

/// Completes a reset, whose proof was consumed. Returns the ended sessions.
pub async fn complete_reset(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    proof: &Proof,
    browser: &Browser,
) -> Result<Vec<Uuid>, Error> {
    let ended = sessions::end_all(work, member, None).await?;
    audit::record(work, member, proof.audit_event(), Some(browser)).await?;
    // A reset keeps passkeys. The owner must learn which ones, because another person may have added one.
    let passkeys = credentials::list_names(work.db, member).await?;
    let notice = Notice { passkeys, ..Notice::of(SecurityNoticeCause::PasswordReset, browser, None) };
    publishing::publish_notice(work, member, notice).await?;
    Ok(ended)
}

/// The result of a password change.
pub struct ChangedPassword {
    /// The ended sessions: all but the caller's.
    pub ended: Vec<Uuid>,
    /// The new token of the caller's session. The person that the change keeps out may know the previous one.
    pub token: Token,
    pub ends_at: DateTime<Utc>,
    pub was_trusted: bool,
}

/// Completes a change by a signed-in member, whose session stays.
pub async fn complete_change(
    work: &mut UnitOfWork<'_>,
    caller: Session,
    browser: &Browser,
) -> Result<ChangedPassword, Error> {
    let (member, token) = (caller.member, Token::generate()?);
    let ended = sessions::end_all(work, member, Some(caller.id)).await?;
    let ends_at = sessions::replace_token(work.db, caller, &token, work.now).await?;
    let was_trusted = trusted_browsers::delete_of_session(work.db, caller).await?;
    trusted_browsers::delete_all(work.db, member).await?;
    links::delete(work.db, member).await?;
    let change = (AuditEvent::PasswordChanged, SecurityNoticeCause::PasswordChanged);
    notices::record_change(work, caller, change, browser).await?;
    Ok(ChangedPassword { ended, token, ends_at, was_trusted })
}

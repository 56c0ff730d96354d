//! The effects of a sign-in whose credentials were accepted.

use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;

use crate::{
    deactivation,
    error::Error,
    known_browsers,
    publishing::{self, Notice},
    recovery::trusted_browsers::{self, NewTrustedBrowser},
    sessions::{self, Browser, Session},
    step_up::{self, ProofKind},
};

/// A sign-in with its new session.
pub struct SignedIn<'a> {
    pub session: Session,
    pub browser: &'a Browser,
    /// The second factor was verified.
    pub has_second_factor: bool,
    /// The account was closed before.
    pub was_closed: bool,
    /// `None` on a shared computer.
    pub trusted_browser: Option<&'a NewTrustedBrowser>,
    /// The token of the browser on a shared computer.
    pub shared_browser: Option<&'a [u8]>,
    /// The owner must learn of the browser.
    pub needs_notice: bool,
}

/// Completes a sign-in: ends the sessions above the maximum, reactivates a closed account, and trusts or forgets the browser. True when
/// the account was reactivated.
pub async fn complete(work: &mut UnitOfWork<'_>, sign_in: &SignedIn<'_>) -> Result<bool, Error> {
    let &SignedIn { session, browser, .. } = sign_in;
    let member = session.member;
    if sign_in.has_second_factor {
        step_up::record_proof(work.db, session, ProofKind::SecondFactor, work.now).await?;
    }
    sessions::delete_excess(work, session, browser).await?;
    let reopened = sign_in.was_closed && deactivation::reactivate(work, member, browser).await?;
    if let Some(trusted_browser) = sign_in.trusted_browser {
        trusted_browsers::rotate(work.db, trusted_browser, session, browser, work.now).await?;
    }
    if let Some(token) = sign_in.shared_browser {
        trusted_browsers::delete_of_browser(work.db, token).await?;
        known_browsers::delete(work.db, token, member).await?;
    }
    if sign_in.needs_notice {
        let notice = Notice::of(SecurityNoticeCause::NewBrowser, browser, Some(session.id));
        publishing::publish_notice(work, member, notice).await?;
    }
    Ok(reopened)
}

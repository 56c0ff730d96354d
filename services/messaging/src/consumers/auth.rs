//! The handlers of the facts of auth: accounts, sessions and security notices.

use outbox::Handlers;
use portia_proto::auth::{
    AccountClosed, AccountErased, AccountReopened, SecurityNoticeCause, SecurityNoticeCreated, SessionEnded,
};
use primitives::{clock::Clock, input::InvalidRequest};

use super::id;
use crate::{
    convert::parse_time,
    deactivation::{self, erase},
    error::Error,
    notifications::{Notifier, SecurityNotice},
    push::subscriptions,
};

/// Handles the facts. Background tasks withdraw and delete the rows of closed and erased accounts.
pub fn handlers(notifier: &Notifier, clock: &Clock) -> Handlers {
    let (notifier, clock, ended_clock) = (notifier.clone(), clock.clone(), clock.clone());
    Handlers::new()
        .before_snapshot(|db| Box::pin(deactivation::reactivate_all(db)))
        .on(|db, fact: AccountClosed| Box::pin(async move { deactivation::deactivate(db, id(&fact.member_id)?).await }))
        .on(|db, fact: AccountReopened| {
            Box::pin(async move { deactivation::reactivate(db, id(&fact.member_id)?).await })
        })
        .on(move |db, fact: SessionEnded| {
            let now = ended_clock.now();
            Box::pin(async move { subscriptions::end_session(db, id(&fact.session_id)?, now).await })
        })
        .on(move |db, fact: AccountErased| {
            let now = clock.now();
            Box::pin(async move { erase::request_erasure(db, id(&fact.member_id)?, now).await })
        })
        .on_live(move |db, fact: SecurityNoticeCreated| {
            let notifier = notifier.clone();
            Box::pin(async move {
                let Some(notice) = parse_notice(fact)? else { return Ok(()) };
                notifier.warn(db, &notice).await
            })
        })
}

/// Parses a notice. Returns `None` for a cause that this version does not know.
fn parse_notice(fact: SecurityNoticeCreated) -> Result<Option<SecurityNotice>, Error> {
    let cause = match fact.cause() {
        SecurityNoticeCause::Unspecified => return Ok(None),
        SecurityNoticeCause::PasswordChanged => "password_changed",
        SecurityNoticeCause::PasswordReset => "password_reset",
        SecurityNoticeCause::NewBrowser => "new_browser",
        SecurityNoticeCause::SessionEnded => "session_ended",
        SecurityNoticeCause::SignedOutEverywhere => "signed_out_everywhere",
        SecurityNoticeCause::RecoveryCodesRenewed => "recovery_codes_renewed",
        SecurityNoticeCause::PasskeyCreated => "passkey_created",
        SecurityNoticeCause::PasskeyRemoved => "passkey_removed",
        SecurityNoticeCause::TotpAdded => "totp_added",
        SecurityNoticeCause::TotpRemoved => "totp_removed",
        SecurityNoticeCause::TotpRemovedByOperator => "totp_removed_by_operator",
        SecurityNoticeCause::SessionsRevokedByOperator => "sessions_revoked_by_operator",
        SecurityNoticeCause::SuspensionOverturned => "suspension_overturned",
        SecurityNoticeCause::PasskeysRemovedByOperator => "passkeys_removed_by_operator",
    };
    let (browser, at) = (fact.browser.unwrap_or_default(), fact.at.unwrap_or_default());
    let present = |text: String| Some(text).filter(|text| !text.is_empty());
    Ok(Some(SecurityNotice {
        id: id(&fact.notice_id)?,
        member: id(&fact.member_id)?,
        cause,
        at: parse_time("at", &at).map_err(InvalidRequest::from)?,
        user_agent: present(browser.user_agent),
        address: present(browser.address),
        session: fact.session_id.as_deref().map(id).transpose()?,
        passkeys: fact.passkeys,
    }))
}

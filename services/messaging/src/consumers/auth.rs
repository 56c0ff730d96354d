//! The handlers of the facts of auth: accounts, sessions and security notices.

use outbox::{Changes, Handlers};
use portia_proto::auth::{
    AccountClosed, AccountErased, AccountReopened, SecurityNoticeCause, SecurityNoticeCreated, SessionEnded,
};
use primitives::input::InvalidRequest;
use sqlx::PgConnection;

use super::{id, optional_id};
use crate::{
    convert::parse_time,
    deactivation::{self, erase},
    error::Error,
    notifications::{SecurityNotice, notifier},
    push::subscriptions,
};

/// Handles the facts. Background tasks withdraw and delete the rows of closed and erased accounts.
pub fn handlers(changes: &Changes) -> Handlers {
    Handlers::new()
        .before_snapshot(deactivation::reactivate_all)
        .on(&(), account_closed)
        .on(&(), account_reopened)
        .on(changes, session_ended)
        .on(changes, account_erased)
        .on_live(changes, security_notice_created)
}

async fn account_closed(db: &mut PgConnection, _: &(), fact: AccountClosed) -> Result<(), Error> {
    deactivation::deactivate(db, id(&fact.member_id)?).await
}

async fn account_reopened(db: &mut PgConnection, _: &(), fact: AccountReopened) -> Result<(), Error> {
    deactivation::reactivate(db, id(&fact.member_id)?).await
}

async fn session_ended(db: &mut PgConnection, changes: &Changes, fact: SessionEnded) -> Result<(), Error> {
    subscriptions::end_session(&mut changes.work(db), id(&fact.session_id)?).await
}

async fn account_erased(db: &mut PgConnection, changes: &Changes, fact: AccountErased) -> Result<(), Error> {
    erase::request_erasure(&mut changes.work(db), id(&fact.member_id)?).await
}

async fn security_notice_created(
    db: &mut PgConnection,
    changes: &Changes,
    fact: SecurityNoticeCreated,
) -> Result<(), Error> {
    let Some(notice) = parse_notice(fact)? else { return Ok(()) };
    notifier::warn(&mut changes.work(db), &notice).await
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
        session: optional_id(&fact.session_id)?,
        passkeys: fact.passkeys,
    }))
}

//! Changes of an account by its owner, who must learn of them: another person may have made them.

use outbox::UnitOfWork;
use portia_proto::auth::SecurityNoticeCause;

use crate::{
    audit::{self, AuditEvent},
    error::Error,
    publishing::{self, Notice},
    sessions::{Browser, Session},
};

/// Writes the audit row of a change, and publishes its notice.
pub async fn record_change(
    work: &mut UnitOfWork<'_>,
    caller: Session,
    (event, cause): (AuditEvent, SecurityNoticeCause),
    browser: &Browser,
) -> Result<(), Error> {
    audit::record(work, caller.member, event, Some(browser)).await?;
    publishing::publish_notice(work, caller.member, Notice::of(cause, browser, Some(caller.id))).await
}

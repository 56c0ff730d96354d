//! The accounts of auth: registrations, and the closing, reopening and erasure of accounts.

use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered};
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{created_at_of, member};
use crate::{
    deactivation,
    error::Error,
    members::{self, ComparisonKey},
    publishing,
};

/// What it takes to publish that accounts were closed, reopened and erased.
#[derive(Clone)]
struct Publisher {
    outbox: Outbox,
    clock: Clock,
    ids: Ids,
}

pub(super) fn handlers(outbox: &Outbox, clock: &Clock, ids: &Ids) -> Handlers {
    let publisher = Publisher { outbox: outbox.clone(), clock: clock.clone(), ids: ids.clone() };
    Handlers::new()
        .on(&(), member_registered)
        .on(&publisher, account_closed)
        .on(&publisher, account_reopened)
        .on(&publisher, account_erased)
        .before_snapshot_with(&publisher, reopen_all)
}

async fn member_registered(db: &mut PgConnection, _: &(), fact: MemberRegistered) -> Result<(), Error> {
    let (member, form) = (member(&fact.member_id)?, fact.form.unwrap_or_default());
    let school = ComparisonKey::from_text(form.school.as_deref());
    let location = ComparisonKey::from_text(form.location.as_deref());
    members::apply_registration(db, member, created_at_of(member), &school, &location).await
}

async fn account_closed(db: &mut PgConnection, publisher: &Publisher, fact: AccountClosed) -> Result<(), Error> {
    close(&publisher.outbox, db, member(&fact.member_id)?, publisher.clock.now()).await
}

async fn account_reopened(db: &mut PgConnection, publisher: &Publisher, fact: AccountReopened) -> Result<(), Error> {
    reopen(&publisher.outbox, db, member(&fact.member_id)?, publisher.clock.now()).await
}

async fn account_erased(db: &mut PgConnection, publisher: &Publisher, fact: AccountErased) -> Result<(), Error> {
    let Publisher { outbox, clock, ids } = publisher;
    deactivation::erase(db, outbox, ids, member(&fact.member_id)?, clock.now()).await
}

async fn reopen_all(db: &mut PgConnection, publisher: &Publisher, (): ()) -> Result<(), Error> {
    let shown = deactivation::reactivate_all(db).await?;
    publishing::publish_visibility(&publisher.outbox, db, &shown, false, publisher.clock.now()).await
}

/// Hides the rows of a member whose account was closed.
pub async fn close(outbox: &Outbox, db: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    deactivation::deactivate(db, member).await?;
    publishing::publish_visibility(outbox, db, &[member], true, now).await
}

/// Shows the rows of a member whose account was reopened.
pub async fn reopen(outbox: &Outbox, db: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    deactivation::reactivate(db, member).await?;
    publishing::publish_visibility(outbox, db, &[member], false, now).await
}

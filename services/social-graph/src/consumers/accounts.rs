//! The accounts of auth: registrations, and the closing, reopening and erasure of accounts.

use outbox::{Changes, Handlers};
use portia_proto::auth::{AccountClosed, AccountErased, AccountReopened, MemberRegistered};
use sqlx::PgConnection;

use super::{created_at_of, member};
use crate::{
    deactivation,
    error::Error,
    members::{self, ComparisonKey},
};

pub(super) fn handlers(changes: &Changes) -> Handlers {
    Handlers::new()
        .on(&(), member_registered)
        .on(changes, account_closed)
        .on(changes, account_reopened)
        .on(changes, account_erased)
        .before_snapshot_with(changes, reopen_all)
}

async fn member_registered(db: &mut PgConnection, _: &(), fact: MemberRegistered) -> Result<(), Error> {
    let (member, form) = (member(&fact.member_id)?, fact.form.unwrap_or_default());
    let school = ComparisonKey::from_text(form.school.as_deref());
    let location = ComparisonKey::from_text(form.location.as_deref());
    members::apply_registration(db, member, created_at_of(member), &school, &location).await
}

async fn account_closed(db: &mut PgConnection, changes: &Changes, fact: AccountClosed) -> Result<(), Error> {
    deactivation::deactivate(&mut changes.work(db), member(&fact.member_id)?).await
}

async fn account_reopened(db: &mut PgConnection, changes: &Changes, fact: AccountReopened) -> Result<(), Error> {
    deactivation::reactivate(&mut changes.work(db), member(&fact.member_id)?).await
}

async fn account_erased(db: &mut PgConnection, changes: &Changes, fact: AccountErased) -> Result<(), Error> {
    deactivation::erase(&mut changes.work(db), member(&fact.member_id)?).await
}

async fn reopen_all(db: &mut PgConnection, changes: &Changes, (): ()) -> Result<(), Error> {
    deactivation::reactivate_all(&mut changes.work(db)).await
}

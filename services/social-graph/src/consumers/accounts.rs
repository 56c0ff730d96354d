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

pub(super) fn handlers(outbox: &Outbox, clock: &Clock, ids: &Ids) -> Handlers {
    let (outbox, clock, ids) = (outbox.clone(), clock.clone(), ids.clone());
    Handlers::new()
        .on(|db, fact: MemberRegistered| {
            Box::pin(async move {
                let (member, form) = (member(&fact.member_id)?, fact.form.unwrap_or_default());
                let (school, location) = (
                    ComparisonKey::from_text(form.school.as_deref()),
                    ComparisonKey::from_text(form.location.as_deref()),
                );
                members::apply_registration(db, member, created_at_of(member), &school, &location).await
            })
        })
        .on({
            let (outbox, clock) = (outbox.clone(), clock.clone());
            move |db, fact: AccountClosed| {
                let (outbox, now) = (outbox.clone(), clock.now());
                Box::pin(async move { close(&outbox, db, member(&fact.member_id)?, now).await })
            }
        })
        .on({
            let (outbox, clock) = (outbox.clone(), clock.clone());
            move |db, fact: AccountReopened| {
                let (outbox, now) = (outbox.clone(), clock.now());
                Box::pin(async move { reopen(&outbox, db, member(&fact.member_id)?, now).await })
            }
        })
        .on({
            let (outbox, ids, clock) = (outbox.clone(), ids.clone(), clock.clone());
            move |db, fact: AccountErased| {
                let (outbox, ids, now) = (outbox.clone(), ids.clone(), clock.now());
                Box::pin(async move { deactivation::erase(db, &outbox, &ids, member(&fact.member_id)?, now).await })
            }
        })
        .before_snapshot(move |db| {
            let (outbox, now) = (outbox.clone(), clock.now());
            Box::pin(async move {
                let shown = deactivation::reactivate_all(db).await?;
                publishing::publish_visibility(&outbox, db, &shown, false, now).await
            })
        })
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

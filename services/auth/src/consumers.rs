//! The handlers of the facts of feed: disputes, and decisions of moderators for the audit.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::feed::{AppealCreated, AppealDecided, ReportCreated, ReportDecided};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};

use crate::{audit, disputes, error::Error};

/// Consumes reports and appeals in feed, which bar their parties from decisions on members, and the decisions of
/// moderators. The command line records decisions of operators itself.
pub fn subscribe(context: &ServiceContext, db: &PgPool, outbox: &Outbox) -> Result<(), config::Error> {
    let handlers = Handlers::new()
        .before_snapshot(disputes::clear)
        .on(&(), report_created)
        .on(&(), appeal_created)
        .on_live(&context.clock, report_decided)
        .on_live(&context.clock, appeal_decided);
    outbox.subscribe(context, db, "feed", handlers)
}

async fn report_created(db: &mut PgConnection, _: &(), fact: ReportCreated) -> Result<(), Error> {
    disputes::insert_report(db, &fact).await
}

async fn appeal_created(db: &mut PgConnection, _: &(), fact: AppealCreated) -> Result<(), Error> {
    disputes::insert_appeal(db, &fact).await
}

async fn report_decided(db: &mut PgConnection, clock: &Clock, fact: ReportDecided) -> Result<(), Error> {
    disputes::close(db, &fact).await?;
    audit::record_report_decided(db, &fact, clock.now()).await
}

async fn appeal_decided(db: &mut PgConnection, clock: &Clock, fact: AppealDecided) -> Result<(), Error> {
    audit::record_appeal_decided(db, &fact, clock.now()).await
}

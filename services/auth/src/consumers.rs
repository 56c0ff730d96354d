//! The handlers of the facts of feed: disputes, and decisions of moderators for the audit.

use chassis::{ServiceContext, config};
use outbox::{Handlers, Outbox};
use portia_proto::feed::{AppealCreated, AppealDecided, ReportCreated, ReportDecided};
use sqlx::PgPool;

use crate::{audit, disputes};

/// Consumes reports and appeals in feed, which bar their parties from decisions on members, and the decisions of
/// moderators. The command line records decisions of operators itself.
pub fn subscribe(context: &ServiceContext, db: &PgPool, outbox: &Outbox) -> Result<(), config::Error> {
    let (reports, appeals) = (context.clock.clone(), context.clock.clone());
    let handlers = Handlers::new()
        .before_snapshot(|db| Box::pin(disputes::clear(db)))
        .on(|db, fact: ReportCreated| Box::pin(async move { disputes::insert_report(db, &fact).await }))
        .on(|db, fact: AppealCreated| Box::pin(async move { disputes::insert_appeal(db, &fact).await }))
        .on_live(move |db, fact: ReportDecided| {
            let now = reports.now();
            Box::pin(async move {
                disputes::close(db, &fact).await?;
                audit::record_report_decided(db, &fact, now).await
            })
        })
        .on_live(move |db, fact: AppealDecided| {
            let now = appeals.now();
            Box::pin(async move { audit::record_appeal_decided(db, &fact, now).await })
        });
    outbox.subscribe(context, db, "feed", handlers)
}

//! The facts published, and the handlers of the facts consumed: source -> handlers.

use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use outbox::{Handlers, Outbox};
use portia_proto::{
    auth::AccountErased,
    feed::ReportDecided,
    jobs::{ApplicationChanged, ApplicationDue, AppliedPostingClosed},
};
use primitives::{clock::timestamp, ids};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{applications::reminders::DueApplication, deactivation, error::Error, postings};

/// Starts the consumer.
pub fn subscribe(outbox: &Outbox, context: &ServiceContext, db: &PgPool) -> Result<(), config::Error> {
    let auth = Handlers::new().on(|db, fact: AccountErased| {
        Box::pin(async move {
            let member = ids::parse("memberId", &fact.member_id)?;
            deactivation::erase(db, member).await.map_err(Error::from)
        })
    });
    outbox.subscribe(context, db, "auth", auth)?;
    outbox.subscribe(context, db, "feed", feed_handlers(context, outbox))
}

/// A moderator's decision removes a reported posting. The command of an operator has removed it before.
fn feed_handlers(context: &ServiceContext, outbox: &Outbox) -> Handlers {
    let (clock, outbox) = (context.clock.clone(), outbox.clone());
    Handlers::new().on_live(move |db, fact: ReportDecided| {
        let (now, outbox) = (clock.now(), outbox.clone());
        Box::pin(async move {
            if !fact.removed || fact.kind != "job" {
                return Ok(());
            }
            let posting = ids::parse("itemId", &fact.item_id)?;
            match postings::admin::remove(db, &outbox, posting, now).await {
                // A posting that is closed already needs no action.
                Ok(_) | Err(Error::JobNotFound) => Ok(()),
                Err(error) => Err(error),
            }
        })
    })
}

/// Publishes a new or changed application.
pub async fn publish_application_changed(
    db: &mut PgConnection,
    outbox: &Outbox,
    application: Uuid,
    member: Uuid,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let fact = ApplicationChanged { application_id: application.to_string(), member_id: member.to_string() };
    outbox.publish(db, application, &fact, now).await
}

/// An application without a result.
struct OpenApplication {
    id: Uuid,
    member_id: Uuid,
    posting_id: Uuid,
    title: String,
}

/// Publishes the closing of postings, one fact for each application without a result.
pub async fn publish_applied_postings_closed(
    db: &mut PgConnection,
    outbox: &Outbox,
    postings: &[Uuid],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let applications = sqlx::query_as!(
        OpenApplication,
        r#"select id, member_id, posting_id, job ->> 'title' as "title!"
        from jobs.applications
        where posting_id = any($1)
            and status in ('applied', 'interviewed')
        order by id"#,
        postings,
    );
    let fact_of = |application: OpenApplication| {
        let fact = AppliedPostingClosed {
            application_id: application.id.to_string(),
            member_id: application.member_id.to_string(),
            job_id: application.posting_id.to_string(),
            title: application.title,
        };
        (application.id, fact)
    };
    let facts: Vec<_> = applications.fetch_all(&mut *db).await?.into_iter().map(fact_of).collect();
    if facts.is_empty() { Ok(()) } else { outbox.publish_all(db, &facts, now).await }
}

/// Publishes the reminders of these applications.
pub async fn publish_applications_due(
    db: &mut PgConnection,
    outbox: &Outbox,
    due: &[DueApplication],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let fact_of = |application: &DueApplication| {
        let fact = ApplicationDue {
            application_id: application.id.to_string(),
            member_id: application.member_id.to_string(),
            job_id: application.posting_id.to_string(),
            title: application.title.clone(),
            deadline: Some(timestamp(application.deadline)),
            deadline_date: application.deadline_date.map(|date| date.to_string()),
        };
        (application.id, fact)
    };
    let facts: Vec<_> = due.iter().map(fact_of).collect();
    if facts.is_empty() { Ok(()) } else { outbox.publish_all(db, &facts, now).await }
}

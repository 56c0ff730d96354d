//! The facts that the service publishes.

use chrono::{DateTime, NaiveDate, Utc};
use outbox::UnitOfWork;
use portia_proto::jobs::{ApplicationChanged, ApplicationDue, AppliedPostingClosed};
use primitives::clock::timestamp;
use uuid::Uuid;

/// Publishes a new or changed application.
pub async fn publish_application_changed(
    work: &mut UnitOfWork<'_>,
    application: Uuid,
    member: Uuid,
) -> Result<(), sqlx::Error> {
    let fact = ApplicationChanged { application_id: application.to_string(), member_id: member.to_string() };
    work.publish(application, &fact).await
}

/// An application without a result.
struct OpenApplication {
    id: Uuid,
    member_id: Uuid,
    posting_id: Uuid,
    title: String,
}

/// Publishes the closing of postings, one fact for each application without a result.
pub async fn publish_applied_postings_closed(work: &mut UnitOfWork<'_>, postings: &[Uuid]) -> Result<(), sqlx::Error> {
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
    let facts: Vec<_> = applications.fetch_all(&mut *work.db).await?.into_iter().map(fact_of).collect();
    if facts.is_empty() { Ok(()) } else { work.publish_all(&facts).await }
}

/// An application to remind of.
pub struct DueApplication {
    /// The application.
    pub id: Uuid,
    /// The applicant.
    pub member_id: Uuid,
    /// The posting.
    pub posting_id: Uuid,
    /// The title of the posting at the time of the application.
    pub title: String,
    /// When applications end at present.
    pub deadline: DateTime<Utc>,
    /// The deadline, when it is a date.
    pub deadline_date: Option<NaiveDate>,
}

/// Publishes the reminders of these applications.
pub async fn publish_applications_due(work: &mut UnitOfWork<'_>, due: &[DueApplication]) -> Result<(), sqlx::Error> {
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
    if facts.is_empty() { Ok(()) } else { work.publish_all(&facts).await }
}

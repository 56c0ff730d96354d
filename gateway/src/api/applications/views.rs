//! Applications, and the requests to create and update them.

use chrono::{DateTime, Utc};
use portia_proto::jobs as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::jobs::Job,
    edge::timestamps::{moment, present_text, required_moment},
};

pub use crate::api::contract::jobs::{ApplicationFileKind, ApplicationStatus, ApplicationStep, SentToEmployer};

/// A PDF file of an application.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationFile {
    /// The name on the computer of the member, with the ending `.pdf`.
    pub name: String,
    /// The size in bytes.
    pub size: i32,
    /// The time of the upload.
    pub uploaded_at: DateTime<Utc>,
    /// The URL of the file, for its member only.
    pub url: String,
}

impl ApplicationFile {
    fn of(file: pb::ApplicationFile, application: &str, kind: &str) -> Self {
        Self {
            name: file.name,
            size: file.size,
            uploaded_at: required_moment(file.uploaded_at),
            url: format!("/api/jobs/applications/{application}/files/{kind}"),
        }
    }
}

/// A member's application with its posting.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobApplication {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The id of the posting.
    #[schema(format = Uuid)]
    pub job_id: String,
    /// The posting at the time of the application, with its current `closedAt`.
    #[schema(required)]
    pub job: Option<Job>,
    /// The time of the application.
    pub application_date: DateTime<Utc>,
    /// Private notes of the member.
    #[schema(required)]
    pub notes: Option<String>,
    /// The current status.
    pub status: ApplicationStatus,
    /// Whether it was sent on the employer's own site; null when the member has not said.
    #[schema(required)]
    pub sent_to_employer: Option<SentToEmployer>,
    /// When the member said so.
    #[schema(required)]
    pub sent_to_employer_at: Option<DateTime<Utc>>,
    /// The résumé that the member keeps with it.
    #[schema(required)]
    pub resume: Option<ApplicationFile>,
    /// The cover letter that the member keeps with it.
    #[schema(required)]
    pub cover_letter: Option<ApplicationFile>,
}

impl From<pb::JobApplication> for JobApplication {
    fn from(application: pb::JobApplication) -> Self {
        Self {
            status: application.status().into(),
            sent_to_employer: SentToEmployer::of(application.sent_to_employer()),
            sent_to_employer_at: moment(application.sent_to_employer_at),
            resume: application.resume.map(|file| ApplicationFile::of(file, &application.id, "resume")),
            cover_letter: application
                .cover_letter
                .map(|file| ApplicationFile::of(file, &application.id, "cover-letter")),
            id: application.id,
            job_id: application.job_id,
            job: application.job.map(Job::from),
            application_date: required_moment(application.application_date),
            notes: application.notes,
        }
    }
}

/// An application with its history.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobApplicationDetails {
    /// The application, with the complete description of the posting.
    #[serde(flatten)]
    pub application: JobApplication,
    /// The status changes, oldest first.
    pub history: Vec<ApplicationStep>,
}

impl JobApplicationDetails {
    /// An application with its history.
    pub fn of(application: pb::JobApplication, history: Vec<pb::ApplicationStep>) -> Self {
        Self { application: application.into(), history: history.into_iter().map(ApplicationStep::from).collect() }
    }
}

/// An application for a posting.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplyForJob {
    /// Private notes, at most 4,000 characters. Blank means none.
    #[schema(format = "text", max_length = 4000)]
    pub notes: Option<String>,
    /// Whether it was sent on the employer's own site. With `not-yet`, the member is reminded three days and one day before
    /// the deadline.
    pub sent_to_employer: Option<SentToEmployer>,
}

impl ApplyForJob {
    /// The request to jobs.
    pub fn of(self, job_id: String, idempotency_key: Option<String>) -> pb::ApplyRequest {
        let sent_to_employer = SentToEmployer::requested(self.sent_to_employer);
        pb::ApplyRequest { job_id, notes: self.notes.unwrap_or_default(), idempotency_key, sent_to_employer }
    }
}

/// Changes of an application. At least one field is required.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateApplication {
    /// The new status. Every transition is allowed.
    pub status: Option<ApplicationStatus>,
    /// Private notes, at most 4,000 characters. Null or an empty text clears them.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "text", max_length = 4000)]
    pub notes: Option<String>,
    /// Whether it was sent on the employer's own site.
    pub sent_to_employer: Option<SentToEmployer>,
}

impl UpdateApplication {
    /// The request to jobs.
    pub fn of(self, application_id: String) -> pb::UpdateApplicationRequest {
        let status = ApplicationStatus::requested(self.status);
        let sent_to_employer = SentToEmployer::requested(self.sent_to_employer);
        pb::UpdateApplicationRequest { application_id, status, notes: self.notes, sent_to_employer }
    }
}

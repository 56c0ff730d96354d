//! What a member did about a posting, and what is sent to apply and to move an application along.

use chrono::{DateTime, Utc};
use portia_proto::jobs as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::jobs::views::{Job, spelt},
    edge::timestamps::{named, required_moment},
};

spelt! {
    /// Where an application stands, as far as the member knows.
    ApplicationStatus {
        /// Sent, not answered.
        Applied,
        /// They talked.
        Interviewed,
        /// The employer wants the member.
        Offered,
        /// The member took it.
        Accepted,
        /// The employer wants somebody else.
        Rejected,
        /// The member no longer wants it.
        Withdrawn,
    }
}

impl ApplicationStatus {
    /// One this version knows nothing of is told as where each begins.
    fn from_message(status: wire::ApplicationStatus) -> Self {
        Self::of(status).unwrap_or(Self::Applied)
    }
}

/// A member's application with its posting.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobApplication {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The posting's.
    #[schema(format = Uuid)]
    pub job_id: String,
    /// As it was when the member applied; `closedAt` is as it is now.
    #[schema(required)]
    pub job: Option<Job>,
    /// When the member applied.
    pub application_date: DateTime<Utc>,
    /// What the member wants to remember.
    #[schema(required)]
    pub notes: Option<String>,
    /// Where it stands.
    pub status: ApplicationStatus,
}

impl From<wire::JobApplication> for JobApplication {
    fn from(application: wire::JobApplication) -> Self {
        Self {
            status: ApplicationStatus::from_message(application.status()),
            id: application.id,
            job_id: application.job_id,
            job: application.job.map(Job::from),
            application_date: required_moment(application.application_date),
            notes: application.notes,
        }
    }
}

/// A status an application came to have.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ApplicationStep {
    /// Which.
    pub status: ApplicationStatus,
    /// When.
    pub at: DateTime<Utc>,
}

/// A member's application with all it has been through.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobApplicationDetails {
    /// As lists carry it, with the posting's whole description.
    #[serde(flatten)]
    pub application: JobApplication,
    /// From the first status to the present one.
    pub history: Vec<ApplicationStep>,
}

impl JobApplicationDetails {
    /// With its history.
    pub fn of(application: wire::JobApplication, history: Vec<wire::ApplicationStep>) -> Self {
        let step = |step: wire::ApplicationStep| ApplicationStep {
            status: ApplicationStatus::from_message(step.status()),
            at: required_moment(step.at),
        };
        Self { application: application.into(), history: history.into_iter().map(step).collect() }
    }
}

/// What the member wants to remember when applying.
#[derive(Deserialize, ToSchema)]
pub struct ApplyForJob {
    /// At most 4,000 characters; blank means none.
    pub notes: Option<String>,
}

/// What changes about an application: at least one of them.
#[derive(Deserialize, ToSchema)]
pub struct UpdateApplication {
    /// Any may follow any other.
    #[schema(nullable = false)]
    pub status: Option<ApplicationStatus>,
    /// At most 4,000 characters; null or an empty text clears them.
    #[serde(default, deserialize_with = "named")]
    pub notes: Option<String>,
}

impl UpdateApplication {
    /// As jobs is asked.
    pub fn of(self, application_id: String) -> wire::UpdateApplicationRequest {
        let status = self.status.map_or(wire::ApplicationStatus::Unspecified, Into::into);
        wire::UpdateApplicationRequest { application_id, status: status.into(), notes: self.notes }
    }
}

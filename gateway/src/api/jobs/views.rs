//! Jobs and their filters.

use serde::Serialize;
use utoipa::ToSchema;

pub use crate::api::contract::jobs::{EmploymentType, ExperienceLevel, Job, JobLocation, JobStats, PracticeArea};

/// The result of a refresh of jobs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedJobs {
    /// The number of new postings; 0 when the last refresh was less than a minute ago.
    pub new_jobs: i32,
}

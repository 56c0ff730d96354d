//! Jobs and their filters.

use chrono::{DateTime, Utc};
use portia_proto::jobs as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::edge::timestamps::{moment, required_moment};

/// An enum that is spelt in REST as in the specification and on the wire as in the contract.
macro_rules! spelt {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$what])* $variant),+
        }

        impl From<$name> for wire::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant),+ }
            }
        }

        impl $name {
            /// Null where the source does not say.
            pub fn of(value: wire::$name) -> Option<Self> {
                match value {
                    wire::$name::Unspecified => None,
                    $(wire::$name::$variant => Some(Self::$variant)),+
                }
            }
        }
    };
}

pub(in crate::api) use spelt;

spelt! {
    /// How one is employed.
    EmploymentType {
        /// For students.
        Internship,
        /// The usual week.
        FullTime,
        /// Part of it.
        PartTime,
        /// For a time or a task.
        Contract,
    }
}

spelt! {
    /// How much experience is asked for.
    ExperienceLevel {
        /// None yet.
        EntryLevel,
        /// Some years.
        MidLevel,
        /// Many.
        Senior,
    }
}

spelt! {
    /// Which field of law.
    PracticeArea {
        /// Companies.
        Corporate,
        /// Courts.
        Litigation,
        /// Causes.
        PublicInterest,
        /// The state.
        Government,
        /// Borders.
        Immigration,
        /// Ideas.
        IntellectualProperty,
    }
}

/// Where the work is, as the filter offers it.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub enum JobLocation {
    /// Washington.
    #[serde(rename = "washington")]
    Washington,
    /// New York.
    #[serde(rename = "new york")]
    NewYork,
    /// California.
    #[serde(rename = "california")]
    California,
    /// Anywhere.
    #[serde(rename = "remote")]
    Remote,
}

impl From<JobLocation> for wire::LocationFilter {
    fn from(location: JobLocation) -> Self {
        match location {
            JobLocation::Washington => Self::Washington,
            JobLocation::NewYork => Self::NewYork,
            JobLocation::California => Self::California,
            JobLocation::Remote => Self::Remote,
        }
    }
}

/// A posting.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The position.
    pub title: String,
    /// Who offers it.
    pub company: String,
    /// Where; contains 'Remote' for one that is.
    #[schema(required)]
    pub location: Option<String>,
    /// Plain text; in lists its first 500 characters.
    pub description: String,
    /// Null where the source does not say.
    #[schema(required)]
    pub employment_type: Option<EmploymentType>,
    /// Null where the source does not say.
    #[schema(required)]
    pub experience_level: Option<ExperienceLevel>,
    /// Null where the source does not say.
    #[schema(required)]
    pub practice_area: Option<PracticeArea>,
    /// As the source words it.
    #[schema(required)]
    pub salary: Option<String>,
    /// Where the posting was found.
    pub source: String,
    /// After which it is closed.
    #[schema(required)]
    pub application_deadline: Option<DateTime<Utc>>,
    /// The original posting.
    #[schema(required)]
    pub external_url: Option<String>,
    /// When it was published.
    pub posted_at: DateTime<Utc>,
    /// Null while it is open.
    #[schema(required)]
    pub closed_at: Option<DateTime<Utc>>,
    /// Made up, for a Portia that has no real postings yet.
    pub is_demo: bool,
    /// Whether the asker applied; false for visitors.
    pub applied: bool,
}

impl From<wire::Job> for Job {
    fn from(job: wire::Job) -> Self {
        Self {
            employment_type: EmploymentType::of(job.employment_type()),
            experience_level: ExperienceLevel::of(job.experience_level()),
            practice_area: PracticeArea::of(job.practice_area()),
            id: job.id,
            title: job.title,
            company: job.company,
            location: job.location,
            description: job.description,
            salary: job.salary,
            source: job.source,
            application_deadline: moment(job.application_deadline),
            external_url: job.external_url,
            posted_at: required_moment(job.posted_at),
            closed_at: moment(job.closed_at),
            is_demo: job.is_demo,
            applied: job.is_applied,
        }
    }
}

/// How many postings are open.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobStats {
    /// All of them.
    pub total_jobs: i64,
    /// Internships.
    pub internships: i64,
    /// For beginners.
    pub entry_level: i64,
    /// Full-time ones.
    pub full_time: i64,
}

impl From<wire::GetStatsResponse> for JobStats {
    fn from(stats: wire::GetStatsResponse) -> Self {
        Self {
            total_jobs: stats.total_jobs,
            internships: stats.internships,
            entry_level: stats.entry_level,
            full_time: stats.full_time,
        }
    }
}

/// What came of looking for new postings.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedJobs {
    /// Postings that were not known before; 0 where somebody else had them looked for less than a minute ago.
    pub new_jobs: i32,
}

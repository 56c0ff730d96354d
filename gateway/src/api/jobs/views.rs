//! Jobs and their filters.

use chrono::{DateTime, Utc};
use portia_proto::jobs as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::edge::timestamps::{DateOrTime, date_or_moment, moment, required_moment};

pub use crate::api::contract::jobs::JobStats;

/// An enum of REST with the variants of a proto enum.
macro_rules! mirrored_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$what:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$what])* $variant),+
        }

        impl From<$name> for pb::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant),+ }
            }
        }

        impl $name {
            /// The value; `None` for unspecified.
            pub fn of(value: pb::$name) -> Option<Self> {
                match value {
                    pb::$name::Unspecified => None,
                    $(pb::$name::$variant => Some(Self::$variant)),+
                }
            }
        }
    };
}

pub(in crate::api) use mirrored_enum;

mirrored_enum! {
    /// The type of employment.
    EmploymentType {
        /// An internship for students.
        Internship,
        /// Full time.
        FullTime,
        /// Part time.
        PartTime,
        /// A contract for a limited time or task.
        Contract,
    }
}

mirrored_enum! {
    /// The required experience.
    ExperienceLevel {
        /// No experience.
        EntryLevel,
        /// Some years of experience.
        MidLevel,
        /// Many years of experience.
        Senior,
    }
}

mirrored_enum! {
    /// A field of law.
    PracticeArea {
        /// Corporate law.
        Corporate,
        /// Litigation.
        Litigation,
        /// Public interest law.
        PublicInterest,
        /// Government.
        Government,
        /// Immigration law.
        Immigration,
        /// Intellectual property.
        IntellectualProperty,
    }
}

/// A location of the filter.
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
    /// Remote work.
    #[serde(rename = "remote")]
    Remote,
    /// Every place in the Philippines.
    #[serde(rename = "philippines")]
    Philippines,
    /// Every city of Metro Manila.
    #[serde(rename = "metro manila")]
    MetroManila,
    /// The city of Manila.
    #[serde(rename = "manila")]
    Manila,
    /// Makati.
    #[serde(rename = "makati")]
    Makati,
    /// Quezon City.
    #[serde(rename = "quezon city")]
    QuezonCity,
    /// Taguig, with Bonifacio Global City.
    #[serde(rename = "taguig")]
    Taguig,
    /// Pasig, with Ortigas.
    #[serde(rename = "pasig")]
    Pasig,
    /// Cebu City.
    #[serde(rename = "cebu city")]
    CebuCity,
    /// Davao City.
    #[serde(rename = "davao city")]
    DavaoCity,
}

impl From<JobLocation> for pb::LocationFilter {
    fn from(location: JobLocation) -> Self {
        match location {
            JobLocation::Washington => Self::Washington,
            JobLocation::NewYork => Self::NewYork,
            JobLocation::California => Self::California,
            JobLocation::Remote => Self::Remote,
            JobLocation::Philippines => Self::Philippines,
            JobLocation::MetroManila => Self::MetroManila,
            JobLocation::Manila => Self::Manila,
            JobLocation::Makati => Self::Makati,
            JobLocation::QuezonCity => Self::QuezonCity,
            JobLocation::Taguig => Self::Taguig,
            JobLocation::Pasig => Self::Pasig,
            JobLocation::CebuCity => Self::CebuCity,
            JobLocation::DavaoCity => Self::DavaoCity,
        }
    }
}

/// A job posting.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The title of the position.
    pub title: String,
    /// The employer.
    pub company: String,
    /// The location; contains 'Remote' for remote work.
    #[schema(required)]
    pub location: Option<String>,
    /// The description as plain text. In lists, the first 500 characters.
    pub description: String,
    /// The type of employment; null when the source does not state it.
    #[schema(required)]
    pub employment_type: Option<EmploymentType>,
    /// The required experience; null when the source does not state it.
    #[schema(required)]
    pub experience_level: Option<ExperienceLevel>,
    /// The field of law; null when the source does not state it.
    #[schema(required)]
    pub practice_area: Option<PracticeArea>,
    /// The salary in one line, which begins with its currency; null when the source states none.
    #[schema(required)]
    pub salary: Option<String>,
    /// The source of the posting.
    pub source: String,
    /// The deadline, after which the posting is closed. A date is over when it has ended everywhere, in UTC-12.
    #[schema(required)]
    pub application_deadline: Option<DateOrTime>,
    /// The URL of the original posting.
    #[schema(required)]
    pub external_url: Option<String>,
    /// The date or time of publication.
    pub posted_at: DateOrTime,
    /// The time of closing; null while the posting is open.
    #[schema(required)]
    pub closed_at: Option<DateTime<Utc>>,
    /// Whether this is demo data.
    pub is_demo: bool,
    /// Whether the caller applied; false for visitors.
    pub applied: bool,
}

impl From<pb::Job> for Job {
    fn from(job: pb::Job) -> Self {
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
            application_deadline: date_or_moment(job.application_deadline, job.application_deadline_date.as_deref()),
            external_url: job.external_url,
            posted_at: date_or_moment(job.posted_at, job.posted_date.as_deref())
                .unwrap_or_else(|| DateOrTime::Time(required_moment(job.posted_at))),
            closed_at: moment(job.closed_at),
            is_demo: job.is_demo,
            applied: job.is_applied,
        }
    }
}

/// The result of a refresh of jobs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedJobs {
    /// The number of new postings; 0 when the last refresh was less than a minute ago.
    pub new_jobs: i32,
}

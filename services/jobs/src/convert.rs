//! Messages to what the features take, and back; the only place that checks shape.

use chassis::{
    clock::timestamp,
    error::Violation,
    input::{Cursor as _, Form, PageSize, Words},
};
use portia_proto::jobs::{
    EmploymentType, ExperienceLevel, GetStatsResponse, Job, JobApplication, ListJobsRequest, ListMyApplicationsRequest,
    LocationFilter, PracticeArea,
};

use crate::{
    applications::{Application, Applied},
    error::Error,
    postings::{Posted, Posting, Stats},
};

/// What the columns hold for each enum.
const EMPLOYMENT_TYPES: [(EmploymentType, &str); 4] = [
    (EmploymentType::Internship, "internship"),
    (EmploymentType::FullTime, "full-time"),
    (EmploymentType::PartTime, "part-time"),
    (EmploymentType::Contract, "contract"),
];
const EXPERIENCE_LEVELS: [(ExperienceLevel, &str); 3] = [
    (ExperienceLevel::EntryLevel, "entry-level"),
    (ExperienceLevel::MidLevel, "mid-level"),
    (ExperienceLevel::Senior, "senior"),
];
const PRACTICE_AREAS: [(PracticeArea, &str); 6] = [
    (PracticeArea::Corporate, "corporate"),
    (PracticeArea::Litigation, "litigation"),
    (PracticeArea::PublicInterest, "public-interest"),
    (PracticeArea::Government, "government"),
    (PracticeArea::Immigration, "immigration"),
    (PracticeArea::IntellectualProperty, "intellectual-property"),
];
/// What a location must contain: a name or its abbreviation, as whole words. A remote posting's always says so: the
/// table sees to it.
const LOCATIONS: [(LocationFilter, &str); 4] = [
    (LocationFilter::Washington, r"\m(washington|wa)\M"),
    (LocationFilter::NewYork, r"\m(new york|ny|nyc)\M"),
    (LocationFilter::California, r"\m(california|ca)\M"),
    (LocationFilter::Remote, r"\mremote\M"),
];

/// A page of postings, filtered.
pub struct Browse {
    pub words: Option<Words>,
    /// A regular expression of [`LOCATIONS`].
    pub location: Option<&'static str>,
    pub practice_area: Option<&'static str>,
    pub experience_level: Option<&'static str>,
    pub employment_type: Option<&'static str>,
    pub size: PageSize,
    pub after: Posted,
}

impl TryFrom<ListJobsRequest> for Browse {
    type Error = Error;

    fn try_from(request: ListJobsRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let words = form.take(Words::parse_optional("search", &request.search));
        let location = form.take(filter("location", request.location, &LOCATIONS));
        let practice_area = form.take(filter("practiceArea", request.practice_area, &PRACTICE_AREAS));
        let experience_level = form.take(filter("experienceLevel", request.experience_level, &EXPERIENCE_LEVELS));
        let employment_type = form.take(filter("employmentType", request.employment_type, &EMPLOYMENT_TYPES));
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(Posted::from_token(&request.page_token));
        let taken = (|| {
            Some(Self {
                words: words?,
                location: location?,
                practice_area: practice_area?,
                experience_level: experience_level?,
                employment_type: employment_type?,
                size: size?,
                after: after?.unwrap_or(Posted::FIRST),
            })
        })();
        Ok(form.finish(taken)?)
    }
}

/// A page of the actor's applications.
pub struct MyApplications {
    pub size: PageSize,
    pub after: Applied,
}

impl TryFrom<ListMyApplicationsRequest> for MyApplications {
    type Error = Error;

    fn try_from(request: ListMyApplicationsRequest) -> Result<Self, Error> {
        let size = PageSize::parse(request.page_size)?;
        let after = Applied::from_token(&request.page_token)?.unwrap_or(Applied::FIRST);
        Ok(Self { size, after })
    }
}

/// What the column must hold to pass an optional filter.
fn filter<T>(field: &str, wire: i32, table: &[(T, &'static str)]) -> Result<Option<&'static str>, Violation>
where
    T: TryFrom<i32> + PartialEq + Default,
{
    let refused = || Violation::new(field, "This filter is not known.");
    let value = T::try_from(wire).map_err(|_| refused())?;
    if value == T::default() {
        return Ok(None);
    }
    table.iter().find(|(known, _)| *known == value).map(|(_, held)| Some(*held)).ok_or_else(refused)
}

/// The enum's number for what a column holds; 0 for null.
fn wire<T: Copy + Default + Into<i32>>(held: Option<&str>, table: &[(T, &str)]) -> i32 {
    table.iter().find(|(_, known)| Some(*known) == held).map_or_else(T::default, |(value, _)| *value).into()
}

impl From<Posting> for Job {
    fn from(posting: Posting) -> Self {
        Self {
            id: posting.id.to_string(),
            title: posting.title,
            company: posting.company,
            location: posting.location,
            description: posting.description,
            employment_type: wire(posting.employment_type.as_deref(), &EMPLOYMENT_TYPES),
            experience_level: wire(posting.experience_level.as_deref(), &EXPERIENCE_LEVELS),
            practice_area: wire(posting.practice_area.as_deref(), &PRACTICE_AREAS),
            salary: posting.salary,
            source: posting.source,
            application_deadline: posting.application_deadline.map(timestamp),
            external_url: posting.external_url,
        }
    }
}

impl From<Stats> for GetStatsResponse {
    fn from(stats: Stats) -> Self {
        Self {
            total_jobs: stats.total,
            internships: stats.internships,
            entry_level: stats.entry_level,
            full_time: stats.full_time,
        }
    }
}

impl From<Application> for JobApplication {
    fn from(application: Application) -> Self {
        Self {
            id: application.id.to_string(),
            job_id: application.posting.id.to_string(),
            job: Some(application.posting.into()),
            application_date: Some(timestamp(application.applied_at)),
            notes: application.notes,
            status: application.status,
        }
    }
}

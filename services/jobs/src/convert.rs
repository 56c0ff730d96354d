//! Messages to what the features take, and back; the only place that checks shape.

mod batch;
mod search;
mod sources;

use portia_proto::jobs::{
    ApplicationStatus, ApplicationStep, ApplyRequest, EmploymentType, ExperienceLevel, Job, JobApplication,
    ListJobsRequest, ListMyApplicationsRequest, LocationFilter, PracticeArea, UpdateApplicationRequest,
};
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, Form, LikePatterns, PageSize, Text},
};
use uuid::Uuid;

use crate::{
    applications::{Application, Applied, Step},
    apply::{LONGEST_NOTES, NewApplication},
    error::Error,
    idempotency::{Key, Keyed},
    listings,
    postings::{Posted, Posting},
};

pub use batch::job_ids;
pub use search::looked_for;

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
/// What the column `facets` holds for each place: the table derives it.
const LOCATIONS: [(LocationFilter, &str); 4] = [
    (LocationFilter::Washington, "washington"),
    (LocationFilter::NewYork, "new-york"),
    (LocationFilter::California, "california"),
    (LocationFilter::Remote, "remote"),
];
const STATUSES: [(ApplicationStatus, &str); 6] = [
    (ApplicationStatus::Applied, "applied"),
    (ApplicationStatus::Interviewed, "interviewed"),
    (ApplicationStatus::Offered, "offered"),
    (ApplicationStatus::Accepted, "accepted"),
    (ApplicationStatus::Rejected, "rejected"),
    (ApplicationStatus::Withdrawn, "withdrawn"),
];

/// A page of postings, filtered.
pub struct Browse {
    pub words: Option<LikePatterns>,
    pub filters: Option<Filters>,
    pub size: PageSize,
    pub after: Posted,
}

/// At least one filter that does not let everything through.
pub struct Filters {
    /// Which listing has the postings that pass.
    pub listing: i32,
    /// What the column `facets` must hold, all of it.
    pub facets: Vec<&'static str>,
}

impl Browse {
    /// What the texts must be like, each of it.
    pub fn patterns(&self) -> &[String] {
        self.words.as_ref().map_or(&[], |words| words.all.as_slice())
    }

    /// What the column `facets` must hold, all of it.
    pub fn facets(&self) -> &[&'static str] {
        self.filters.as_ref().map_or(&[], |filters| filters.facets.as_slice())
    }
}

impl TryFrom<ListJobsRequest> for Browse {
    type Error = Error;

    fn try_from(request: ListJobsRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let words = form.take(LikePatterns::parse_optional("search", &request.search));
        let location = form.take(filter("location", request.location, &LOCATIONS));
        let practice_area = form.take(filter("practiceArea", request.practice_area, &PRACTICE_AREAS));
        let experience_level = form.take(filter("experienceLevel", request.experience_level, &EXPERIENCE_LEVELS));
        let employment_type = form.take(filter("employmentType", request.employment_type, &EMPLOYMENT_TYPES));
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(Posted::from_token(&request.page_token));
        let taken = (|| {
            let facets = [location?, practice_area?, experience_level?, employment_type?];
            let facets: Vec<_> = facets.into_iter().flatten().collect();
            let listing = listings::number(
                request.location,
                request.practice_area,
                request.experience_level,
                request.employment_type,
            );
            let filters = (!facets.is_empty()).then_some(Filters { listing, facets });
            Some(Self { words: words?, filters, size: size?, after: after?.unwrap_or(Posted::FIRST) })
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

/// Which posting.
pub fn job_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("jobId", raw)?)
}

/// Which application.
pub fn application_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("applicationId", raw)?)
}

impl TryFrom<ApplyRequest> for Keyed<NewApplication> {
    type Error = Error;

    fn try_from(request: ApplyRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let job = form.take(ids::parse("jobId", &request.job_id));
        let notes = form.take(notes(&request.notes));
        let key = form.take(key(request.idempotency_key.as_deref()));
        let ((job, notes), key) = form.finish(job.zip(notes).zip(key))?;
        Ok(Self { what: NewApplication { job, notes }, key })
    }
}

/// What becomes different of an application: at least one of them.
pub struct Changes {
    pub application: Uuid,
    pub status: Option<&'static str>,
    /// `Some(None)` clears them.
    pub notes: Option<Option<Text<LONGEST_NOTES>>>,
}

impl TryFrom<UpdateApplicationRequest> for Changes {
    type Error = Error;

    fn try_from(request: UpdateApplicationRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let application = form.take(ids::parse("applicationId", &request.application_id));
        let status = form.take(
            filter("status", request.status, &STATUSES)
                .map_err(|_| Violation::new("status", "This must be one of the six an application can have.")),
        );
        let notes = form.take(request.notes.as_deref().map(notes).transpose());
        if (status, notes.as_ref().map(Option::is_some)) == (Some(None), Some(false)) {
            form.refuse(Violation::new("status", "Say what changes: the status, the notes or both."));
        }
        let ((application, status), notes) = form.finish(application.zip(status).zip(notes))?;
        Ok(Self { application, status, notes })
    }
}

/// Blank means none.
fn notes(raw: &str) -> Result<Option<Text<LONGEST_NOTES>>, Violation> {
    Text::parse_optional("notes", Some(raw))
}

fn key(raw: Option<&str>) -> Result<Option<Key>, Violation> {
    let key = |raw: &str| {
        let refused = || Violation::new("idempotencyKey", "This must be visible ASCII, at most 255 characters.");
        if raw.bytes().all(|b| b.is_ascii_graphic()) {
            Key::parse("idempotencyKey", raw, 1, "This must not be empty.").map_err(|_| refused())
        } else {
            Err(refused())
        }
    };
    raw.map(key).transpose()
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
            posted_at: Some(timestamp(posting.posted_at)),
            closed_at: posting.closed_at.map(timestamp),
            is_demo: posting.is_demo,
            is_applied: posting.is_applied,
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
            status: wire(Some(&application.status), &STATUSES),
        }
    }
}

impl From<Step> for ApplicationStep {
    fn from(step: Step) -> Self {
        Self { status: wire(Some(&step.status), &STATUSES), at: Some(timestamp(step.at)) }
    }
}

//! Conversion between proto messages and domain types; the only place that validates the shape of requests.

mod files;
mod sources;
mod tables;

use idempotency::RequestKey;
use portia_proto::jobs::{
    ApplicationStep, ApplyRequest, BatchGetJobsRequest, Job, JobApplication, ListJobsRequest,
    ListMyApplicationsRequest, SearchJobsRequest, UpdateApplicationRequest,
};
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, Form, LikePatterns, PageSize, Text},
};
use search::SearchQuery;
use uuid::Uuid;

use crate::{
    applications::{
        Application, ApplicationCursor, ApplicationQuery, ApplicationUpdate, HistoryEntry, MAX_NOTES,
        apply::{IdempotentRequest, NewApplication},
    },
    error::Error,
    postings::{Filters, Posting, PostingCursor, PostingQuery, listings},
};
pub use files::{file_of, parse_upload};
use tables::{EMPLOYMENT_TYPES, EXPERIENCE_LEVELS, LOCATIONS, PRACTICE_AREAS, SENT_TO_EMPLOYER, STATUSES};

/// The most ids in one batch request.
const MAX_BATCH: usize = 100;

impl TryFrom<ListJobsRequest> for PostingQuery {
    type Error = Error;

    fn try_from(request: ListJobsRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let words = form.take(LikePatterns::parse_optional("search", &request.search));
        let location = form.take(filter("location", request.location, &LOCATIONS));
        let practice_area = form.take(filter("practiceArea", request.practice_area, &PRACTICE_AREAS));
        let experience_level = form.take(filter("experienceLevel", request.experience_level, &EXPERIENCE_LEVELS));
        let employment_type = form.take(filter("employmentType", request.employment_type, &EMPLOYMENT_TYPES));
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(PostingCursor::from_token(&request.page_token));
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
            Some(Self { words: words?, filters, size: size?, after: after?.unwrap_or(PostingCursor::FIRST) })
        })();
        Ok(form.finish(taken)?)
    }
}

impl TryFrom<ListMyApplicationsRequest> for ApplicationQuery {
    type Error = Error;

    fn try_from(request: ListMyApplicationsRequest) -> Result<Self, Error> {
        let size = PageSize::parse(request.page_size)?;
        let after = ApplicationCursor::from_token(&request.page_token)?.unwrap_or(ApplicationCursor::FIRST);
        Ok(Self { size, after })
    }
}

/// The column value of an optional filter.
fn filter<T>(field: &str, number: i32, table: &[(T, &'static str)]) -> Result<Option<&'static str>, Violation>
where
    T: TryFrom<i32> + PartialEq + Default,
{
    let refused = || Violation::new(field, "This filter is not known.");
    let value = T::try_from(number).map_err(|_| refused())?;
    if value == T::default() {
        return Ok(None);
    }
    table.iter().find(|(known, _)| *known == value).map(|(_, held)| Some(*held)).ok_or_else(refused)
}

/// The number of the enum for a column value; 0 for null.
fn enum_number<T: Copy + Default + Into<i32>>(held: Option<&str>, table: &[(T, &str)]) -> i32 {
    table.iter().find(|(_, known)| Some(*known) == held).map_or_else(T::default, |(value, _)| *value).into()
}

pub fn job_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("jobId", raw)?)
}

pub fn job_ids(request: &BatchGetJobsRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("jobIds", &request.job_ids, MAX_BATCH)?)
}

pub fn job_search(request: &SearchJobsRequest) -> Result<SearchQuery, Error> {
    Ok(SearchQuery::parse(&request.query, request.page_size, &request.page_token)?)
}

pub fn application_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("applicationId", raw)?)
}

impl TryFrom<ApplyRequest> for IdempotentRequest<NewApplication> {
    type Error = Error;

    fn try_from(mut request: ApplyRequest) -> Result<Self, Error> {
        let raw_key = request.idempotency_key.take();
        let mut form = Form::default();
        let job = form.take(ids::parse("jobId", &request.job_id));
        let notes = form.take(notes(&request.notes));
        let sent_to_employer = form.take(sent_to_employer(request.sent_to_employer));
        let key = form.take(RequestKey::parse(raw_key.as_deref(), &request));
        let (((job, notes), sent_to_employer), key) = form.finish(job.zip(notes).zip(sent_to_employer).zip(key))?;
        Ok(Self { body: NewApplication { job, notes, sent_to_employer }, key })
    }
}

impl TryFrom<UpdateApplicationRequest> for ApplicationUpdate {
    type Error = Error;

    fn try_from(request: UpdateApplicationRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let application = form.take(ids::parse("applicationId", &request.application_id));
        let status = form.take(
            filter("status", request.status, &STATUSES)
                .map_err(|_| Violation::new("status", "This must be one of the six an application can have.")),
        );
        let notes = form.take(request.notes.as_deref().map(notes).transpose());
        let sent = form.take(sent_to_employer(request.sent_to_employer));
        if (status, notes.as_ref().map(Option::is_some), sent) == (Some(None), Some(false), Some(None)) {
            let nothing = "Say what changes: the status, the notes, or whether it was sent to the employer.";
            form.refuse(Violation::new("status", nothing));
        }
        let (((application, status), notes), sent_to_employer) =
            form.finish(application.zip(status).zip(notes).zip(sent))?;
        Ok(Self { application, status, notes, sent_to_employer })
    }
}

/// The column value; `None` without an answer.
fn sent_to_employer(number: i32) -> Result<Option<&'static str>, Violation> {
    filter("sentToEmployer", number, &SENT_TO_EMPLOYER)
        .map_err(|_| Violation::new("sentToEmployer", "This must be 'yes' or 'not-yet'."))
}

/// Blank notes are none.
fn notes(raw: &str) -> Result<Option<Text<MAX_NOTES>>, Violation> {
    Text::parse_optional("notes", Some(raw))
}

impl From<Posting> for Job {
    fn from(posting: Posting) -> Self {
        Self {
            id: posting.id.to_string(),
            title: posting.title,
            company: posting.company,
            location: posting.location,
            description: posting.description,
            employment_type: enum_number(posting.employment_type.as_deref(), &EMPLOYMENT_TYPES),
            experience_level: enum_number(posting.experience_level.as_deref(), &EXPERIENCE_LEVELS),
            practice_area: enum_number(posting.practice_area.as_deref(), &PRACTICE_AREAS),
            salary: posting.salary,
            source: posting.source,
            application_deadline: posting.application_deadline.map(timestamp),
            application_deadline_date: posting.application_deadline_date.map(|date| date.to_string()),
            external_url: posting.external_url,
            posted_at: Some(timestamp(posting.posted_at)),
            posted_date: posting.posted_date.map(|date| date.to_string()),
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
            status: enum_number(Some(&application.status), &STATUSES),
            sent_to_employer: enum_number(application.sent_to_employer.as_deref(), &SENT_TO_EMPLOYER),
            sent_to_employer_at: application.sent_to_employer_at.map(timestamp),
            resume: application.resume.map(Into::into),
            cover_letter: application.cover_letter.map(Into::into),
        }
    }
}

impl From<HistoryEntry> for ApplicationStep {
    fn from(entry: HistoryEntry) -> Self {
        Self { status: enum_number(Some(&entry.status), &STATUSES), at: Some(timestamp(entry.at)) }
    }
}

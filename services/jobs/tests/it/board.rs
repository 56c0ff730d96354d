//! The service under test, and rows for its board: nothing writes postings yet, so tests do it by SQL.

use chassis::{error::Explained, rpc::Transport};
use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::jobs::{
    ListJobsRequest, ListJobsResponse, ListMyApplicationsRequest, ListMyApplicationsResponse,
    jobs_service_client::JobsServiceClient,
};
use testkit::{FactSource, Harness};
use uuid::Uuid;

/// The source of every posting that names no other.
pub const SOURCE: &str = "01930000-0000-7000-8000-0000000000f1";

pub struct Board {
    pub harness: Harness,
    pub auth: FactSource,
    pub jobs: JobsServiceClient<Transport>,
}

/// A posting's row; what is not named is as plain as can be.
pub struct Posting<'a> {
    pub n: u32,
    pub title: &'a str,
    pub company: &'a str,
    pub location: Option<&'a str>,
    pub remote: bool,
    pub description: &'a str,
    pub employment_type: Option<&'a str>,
    pub experience_level: Option<&'a str>,
    pub practice_area: Option<&'a str>,
    pub deadline: Option<DateTime<Utc>>,
    pub closed: bool,
}

/// The posting number `n`; a greater number is an older posting.
pub fn posting(n: u32, title: &str) -> Posting<'_> {
    Posting {
        n,
        title,
        company: "Legal Aid Society",
        location: None,
        remote: false,
        description: "Plain text.",
        employment_type: None,
        experience_level: None,
        practice_area: None,
        deadline: None,
        closed: false,
    }
}

pub fn posting_id(n: u32) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0001_0000 + u128::from(n))
}

impl Board {
    pub async fn open() -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("jobs").database(&jobs::MIGRATOR).await.neighbour("auth", auth.routes());
        let harness = builder.start(jobs::start).await;
        let source = format!("insert into jobs.sources (id, connector, name) values ('{SOURCE}', 'rss', 'Court Jobs')");
        harness.database().run(source).await;
        Self { jobs: JobsServiceClient::new(harness.transport()), auth, harness }
    }

    pub async fn put(&self, posting: Posting<'_>) {
        let now = self.harness.clock.now();
        let text = |held: Option<&str>| held.map_or_else(|| "null".to_owned(), |held| format!("$t${held}$t$"));
        let time = |held: Option<DateTime<Utc>>| text(held.map(|at| at.to_rfc3339()).as_deref());
        let sql = format!(
            "insert into jobs.postings (
                id, source_id, url, title, company, location, remote, description, employment_type, experience_level,
                practice_area, application_deadline, posted_at, closed_at
            )
            values (
                '{id}', '{SOURCE}', 'https://example.org/{n}', {title}, {company}, {location}, {remote}, {description},
                {employment_type}, {experience_level}, {practice_area}, {deadline}, {posted_at}, {closed_at}
            )",
            id = posting_id(posting.n),
            n = posting.n,
            title = text(Some(posting.title)),
            company = text(Some(posting.company)),
            location = text(posting.location),
            remote = posting.remote,
            description = text(Some(posting.description)),
            employment_type = text(posting.employment_type),
            experience_level = text(posting.experience_level),
            practice_area = text(posting.practice_area),
            deadline = time(posting.deadline),
            posted_at = time(Some(now - TimeDelta::minutes(i64::from(posting.n)))),
            closed_at = time(posting.closed.then_some(now)),
        );
        self.harness.database().run(sql).await;
    }

    /// Puts `member`'s application for a posting; a greater number is an older application.
    pub async fn apply(&self, n: u32, member: Uuid, posting: u32, status: &str) {
        let id = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_0000 + u128::from(n));
        let at = (self.harness.clock.now() - TimeDelta::minutes(i64::from(n))).to_rfc3339();
        let posting = posting_id(posting);
        let sql = format!(
            "insert into jobs.applications (id, posting_id, member_id, status, notes, applied_at)
            values ('{id}', '{posting}', '{member}', '{status}', 'my notes', '{at}');
            insert into jobs.application_history (id, application_id, status, at)
            values ('{id}', '{id}', '{status}', '{at}')"
        );
        self.harness.database().run(sql).await;
    }

    /// Asks as the gateway does for a visitor.
    pub async fn list(&self, request: ListJobsRequest) -> Result<ListJobsResponse, Explained> {
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.jobs.clone().list_jobs(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Explained::from(&status))
    }

    pub async fn titles(&self, request: ListJobsRequest) -> Vec<String> {
        self.list(request).await.unwrap().jobs.into_iter().map(|job| job.title).collect()
    }

    pub async fn applications(
        &self,
        member: Uuid,
        request: ListMyApplicationsRequest,
    ) -> Result<ListMyApplicationsResponse, Explained> {
        let request = self.harness.actors.member(member).request(request).unwrap();
        let answer = self.jobs.clone().list_my_applications(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Explained::from(&status))
    }
}

/// The fields a refusal names.
pub fn fields(refused: &Explained) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

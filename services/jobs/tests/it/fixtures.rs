//! The service under test, with postings crawled from a local server or inserted by SQL.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::{Changes, Outbox};
use portia_proto::jobs::{
    ApplyRequest, BatchGetJobsRequest, GetJobRequest, Job, JobApplication, ListJobsRequest, ListJobsResponse,
    ListMyApplicationsRequest, ListMyApplicationsResponse, ListSourcesRequest, RefreshJobsRequest, Source,
    UpdateApplicationRequest, jobs_service_client::JobsServiceClient,
};
use primitives::error::StatusDetails;
use rpc::Transport;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use testkit::{Builder, FactSource, Harness};
use uuid::Uuid;

use crate::board_server::{BoardServer, Page};

/// The source of inserted postings.
pub const SOURCE: &str = "01930000-0000-7000-8000-0000000000f1";

/// Rebuilds the listings after postings were inserted by SQL.
pub const REBUILD_LISTINGS: &str = "
    delete from jobs.listings;
    insert into jobs.listings (filters, posted_at, posting_id)
    select f.filters, p.posted_at, p.id
    from jobs.postings p
    cross join lateral jobs.filter_sets(p.facets) as f (filters)
    where p.closed_at is null
    order by f.filters, p.posted_at, p.id";

pub struct Fixture {
    pub harness: Harness,
    pub auth: FactSource,
    pub jobs: JobsServiceClient<Transport>,
}

/// Returns the outbox, ids and clock with which the service changes rows.
pub fn changes(harness: &Harness) -> Changes {
    Changes::new(&harness.context, &Outbox::new("jobs"))
}

/// A row of a posting.
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

/// Posting `n` with plain columns; a greater number is older.
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

impl Fixture {
    /// Without configured sources.
    pub async fn empty() -> Self {
        let fixture = Self::with(|builder| builder.with("jobs_sources", "none")).await;
        let source = format!(
            "insert into jobs.sources (id, connector, address, name)
            values ('{SOURCE}', 'rss', 'https://courts.example/feed', 'Court Jobs');
            insert into jobs.stats (source_id) values ('{SOURCE}')"
        );
        fixture.harness.database().run(source).await;
        fixture
    }

    /// With these sources of the server, each crawled once.
    pub async fn crawling(server: &BoardServer, sources: &str) -> Self {
        let (fixture, expected) =
            (Self::with(|builder| at(server, sources, builder)).await, sources.split(',').count());
        fixture
            .wait_until(&format!("select count(*) = {expected} from jobs.sources where last_run_at is not null"))
            .await;
        fixture
    }

    pub async fn with(settings: impl FnOnce(Builder) -> Builder) -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("jobs").database(&jobs::MIGRATOR).await.upstream("auth", auth.routes());
        let harness = settings(builder).start(jobs::start).await;
        Self { jobs: JobsServiceClient::new(harness.transport()), auth, harness }
    }

    /// Waits until a statement returns true.
    pub async fn wait_until(&self, question: &str) {
        let condition = async {
            while !sqlx::query_scalar::<_, bool>(AssertSqlSafe(question)).fetch_one(self.harness.pool()).await.unwrap()
            {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), condition)
            .await
            .unwrap_or_else(|_| panic!("never: {question}"));
    }

    pub async fn count(&self, question: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// Refreshes after the cooldown, before any source is due, and returns the number of new postings.
    pub async fn refresh(&self) -> i32 {
        self.harness.clock.advance(TimeDelta::seconds(61));
        self.refresh_now().await
    }

    pub async fn refresh_now(&self) -> i32 {
        self.try_refresh().await.unwrap()
    }

    pub async fn try_refresh(&self) -> Result<i32, StatusDetails> {
        let request = self.harness.actors.service("gateway").request(RefreshJobsRequest {}).unwrap();
        let answer = self.jobs.clone().refresh_jobs(request).await;
        answer.map(|answer| answer.into_inner().new_jobs).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn list_sources(&self) -> Vec<Source> {
        let request = self.harness.actors.service("gateway").request(ListSourcesRequest {}).unwrap();
        self.jobs.clone().list_sources(request).await.unwrap().into_inner().sources
    }

    /// Postings for a visitor or a member.
    pub async fn batch_get_jobs(&self, member: Option<Uuid>, ids: &[String]) -> Result<Vec<Job>, StatusDetails> {
        let call =
            member.map_or_else(|| self.harness.actors.service("gateway"), |member| self.harness.actors.member(member));
        let request = call.request(BatchGetJobsRequest { job_ids: ids.to_vec() }).unwrap();
        let answer = self.jobs.clone().batch_get_jobs(request).await;
        answer.map(|answer| answer.into_inner().jobs).map_err(|status| StatusDetails::from(&status))
    }

    /// A posting for a visitor or a member.
    pub async fn get_job(&self, member: Option<Uuid>, id: &str) -> Result<Job, StatusDetails> {
        let request = GetJobRequest { job_id: id.to_owned() };
        let request = match member {
            Some(member) => self.harness.actors.member(member).request(request),
            None => self.harness.actors.service("gateway").request(request),
        };
        let answer = self.jobs.clone().get_job(request.unwrap()).await;
        answer.map(|answer| answer.into_inner().job.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn apply(&self, member: Uuid, request: ApplyRequest) -> Result<JobApplication, StatusDetails> {
        let request = self.harness.actors.member(member).request(request).unwrap();
        let answer = self.jobs.clone().apply(request).await;
        answer.map(|answer| answer.into_inner().application.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn update_application(
        &self,
        member: Uuid,
        request: UpdateApplicationRequest,
    ) -> Result<JobApplication, StatusDetails> {
        let request = self.harness.actors.member(member).request(request).unwrap();
        let answer = self.jobs.clone().update_application(request).await;
        answer.map(|answer| answer.into_inner().application.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    /// The titles of open postings in alphabetical order.
    pub async fn open_titles(&self) -> Vec<String> {
        let request = ListJobsRequest { page_size: 100, ..Default::default() };
        let mut titles = self.titles(request).await;
        titles.sort();
        titles
    }

    /// The statistics equal the counted postings, and the listings contain all open ones.
    pub async fn assert_derived_rows(&self) {
        let differs = "
            select count(*)
            from (
                select source_id,
                    count(*) as total,
                    count(*) filter (where employment_type = 'internship') as internships,
                    count(*) filter (where experience_level = 'entry-level') as entry_level,
                    count(*) filter (where employment_type = 'full-time') as full_time
                from jobs.postings
                where closed_at is null
                group by source_id
            ) as counted
            full join jobs.stats s using (source_id)
            where (coalesce(counted.total, 0), coalesce(counted.internships, 0), coalesce(counted.entry_level, 0),
                    coalesce(counted.full_time, 0))
                is distinct from (s.total, s.internships, s.entry_level, s.full_time)";
        assert_eq!(self.count(differs).await, 0, "statistics differ from the counted postings");
        let differs = "
            select count(*)
            from (
                select f.filters, p.posted_at, p.id as posting_id
                from jobs.postings p
                cross join lateral jobs.filter_sets(p.facets) as f (filters)
                where p.closed_at is null
            ) as derived
            full join jobs.listings l using (filters, posted_at, posting_id)
            where derived is null
                or l is null";
        assert_eq!(self.count(differs).await, 0, "listings differ from the open postings");
    }

    pub async fn insert_posting(&self, posting: Posting<'_>) {
        let now = self.harness.clock.now();
        let text = |value: Option<&str>| value.map_or_else(|| "null".to_owned(), |value| format!("$t${value}$t$"));
        let time = |value: Option<DateTime<Utc>>| text(value.map(|at| at.to_rfc3339()).as_deref());
        let sql = format!(
            "insert into jobs.postings (
                id, source_id, url, title, company, location, remote, description, employment_type, experience_level,
                practice_area, application_deadline, posted_at, closed_at
            )
            values (
                '{id}', '{SOURCE}', 'https://example.org/{n}', {title}, {company}, {location}, {remote}, {description},
                {employment_type}, {experience_level}, {practice_area}, {deadline}, {posted_at}, {closed_at}
            );
            update jobs.stats
            set (total, internships, entry_level, full_time) = (
                select
                    count(*),
                    count(*) filter (where employment_type = 'internship'),
                    count(*) filter (where experience_level = 'entry-level'),
                    count(*) filter (where employment_type = 'full-time')
                from jobs.postings
                where source_id = '{SOURCE}'
                    and closed_at is null
            )
            where source_id = '{SOURCE}';
            {REBUILD_LISTINGS}",
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

    /// Inserts application `n` of a member; a greater number is older.
    pub async fn insert_application(&self, n: u32, member: Uuid, posting: u32, status: &str) {
        let id = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_0000 + u128::from(n));
        let at = (self.harness.clock.now() - TimeDelta::minutes(i64::from(n))).to_rfc3339();
        let posting = posting_id(posting);
        let sql = format!(
            "insert into jobs.applications (id, posting_id, member_id, status, notes, applied_at, job, job_description)
            select '{id}', p.id, '{member}', '{status}', 'my notes', '{at}',
                json_build_object(
                    'title', p.title, 'company', p.company, 'location', p.location, 'summary', p.summary,
                    'employment_type', p.employment_type, 'experience_level', p.experience_level,
                    'practice_area', p.practice_area, 'salary', p.salary, 'source', s.name,
                    'application_deadline', p.application_deadline, 'external_url', p.external_url,
                    'posted_at', p.posted_at, 'is_demo', false
                ),
                p.description
            from jobs.postings p
            join jobs.sources s on s.id = p.source_id
            where p.id = '{posting}';
            insert into jobs.application_history (id, application_id, status, at)
            values ('{id}', '{id}', '{status}', '{at}')"
        );
        self.harness.database().run(sql).await;
    }

    /// Lists postings for a visitor.
    pub async fn list_jobs(&self, request: ListJobsRequest) -> Result<ListJobsResponse, StatusDetails> {
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.jobs.clone().list_jobs(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn titles(&self, request: ListJobsRequest) -> Vec<String> {
        self.list_jobs(request).await.unwrap().jobs.into_iter().map(|job| job.title).collect()
    }

    pub async fn list_applications(
        &self,
        member: Uuid,
        request: ListMyApplicationsRequest,
    ) -> Result<ListMyApplicationsResponse, StatusDetails> {
        let request = self.harness.actors.member(member).request(request).unwrap();
        let answer = self.jobs.clone().list_my_applications(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }
}

/// Settings with `sources` of the server; `feed` among them stands for its address.
pub fn at(server: &BoardServer, sources: &str, builder: Builder) -> Builder {
    let sources = sources.replace("feed", &format!("{}/feed", server.url()));
    ["greenhouse_url", "lever_url", "ashby_url", "usajobs_url"]
        .into_iter()
        .fold(builder, |builder, base| builder.with(base, server.url()))
        .with("crawl", "on")
        .with("crawl_admit", server.address.to_string())
        .with("jobs_sources", sources)
        .with("usajobs_key", "a-key")
        .with("usajobs_email", "ops@portia.example")
}

/// An item of a Greenhouse board.
pub fn offer(n: u32, title: &str) -> Value {
    json!({
        "absolute_url": format!("https://boards.greenhouse.example/firm/jobs/{n}"),
        "title": title,
        "location": { "name": "Albany, NY" },
        "content": "Plain.",
        "first_published": "2026-03-01T09:00:00Z",
        "departments": [{ "name": "Legal" }],
    })
}

/// A Greenhouse board.
pub fn greenhouse(offers: &[Value]) -> Page {
    Page::of(json!({ "jobs": offers, "meta": { "total": offers.len() } }).to_string())
}

/// The path of the Greenhouse board `firm`, and its setting.
pub const FIRM: &str = "/v1/boards/firm/jobs";
pub const FIRM_SOURCE: &str = "greenhouse:firm=Firm";

/// The fields that an error names.
pub fn fields(refused: &StatusDetails) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

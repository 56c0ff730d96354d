//! The service under test, and rows for its board, put by SQL where it does not matter how they came.

use chrono::{DateTime, TimeDelta, Utc};
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

use crate::site::{Page, Site};

/// The source of every posting that names no other.
pub const SOURCE: &str = "01930000-0000-7000-8000-0000000000f1";

/// Makes the listings anew of what is open, as the service keeps them: for whoever puts postings by SQL.
pub const LISTED_ANEW: &str = "
    delete from jobs.listings;
    insert into jobs.listings (filters, posted_at, posting_id)
    select f.filters, p.posted_at, p.id
    from jobs.postings p
    cross join lateral jobs.filter_sets(p.facets) as f (filters)
    where p.closed_at is null
    order by f.filters, p.posted_at, p.id";

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
    /// A board without sources.
    pub async fn open() -> Self {
        let board = Self::with(|builder| builder.with("jobs_sources", "none")).await;
        let source = format!(
            "insert into jobs.sources (id, connector, address, name)
            values ('{SOURCE}', 'rss', 'https://courts.example/feed', 'Court Jobs');
            insert into jobs.stats (source_id) values ('{SOURCE}')"
        );
        board.harness.database().run(source).await;
        board
    }

    /// One that crawls `sources` of a site, and has done so once.
    pub async fn crawling(site: &Site, sources: &str) -> Self {
        let (board, expected) = (Self::with(|builder| at(site, sources, builder)).await, sources.split(',').count());
        board.until(&format!("select count(*) = {expected} from jobs.sources where last_run_at is not null")).await;
        board
    }

    pub async fn with(settings: impl FnOnce(Builder) -> Builder) -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("jobs").database(&jobs::MIGRATOR).await.neighbour("auth", auth.routes());
        let harness = settings(builder).start(jobs::start).await;
        Self { jobs: JobsServiceClient::new(harness.transport()), auth, harness }
    }

    /// Waits for what a statement asks.
    pub async fn until(&self, question: &str) {
        let so = async {
            while !sqlx::query_scalar::<_, bool>(AssertSqlSafe(question)).fetch_one(self.harness.pool()).await.unwrap()
            {
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(30), so)
            .await
            .unwrap_or_else(|_| panic!("never: {question}"));
    }

    pub async fn count(&self, question: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(self.harness.pool()).await.unwrap()
    }

    /// Refreshes, as soon as it may again, which is before any source is due by itself; returns how many postings were new.
    pub async fn refresh(&self) -> i32 {
        self.harness.clock.advance(TimeDelta::seconds(61));
        self.refresh_at_once().await
    }

    pub async fn refresh_at_once(&self) -> i32 {
        self.refreshes().await.unwrap()
    }

    pub async fn refreshes(&self) -> Result<i32, StatusDetails> {
        let request = self.harness.actors.service("gateway").request(RefreshJobsRequest {}).unwrap();
        let answer = self.jobs.clone().refresh_jobs(request).await;
        answer.map(|answer| answer.into_inner().new_jobs).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn sources(&self) -> Vec<Source> {
        let request = self.harness.actors.service("gateway").request(ListSourcesRequest {}).unwrap();
        self.jobs.clone().list_sources(request).await.unwrap().into_inner().sources
    }

    /// Postings as a visitor sees them, or `who`.
    pub async fn some(&self, who: Option<Uuid>, ids: &[String]) -> Result<Vec<Job>, StatusDetails> {
        let call = who.map_or_else(|| self.harness.actors.service("gateway"), |who| self.harness.actors.member(who));
        let request = call.request(BatchGetJobsRequest { job_ids: ids.to_vec() }).unwrap();
        let answer = self.jobs.clone().batch_get_jobs(request).await;
        answer.map(|answer| answer.into_inner().jobs).map_err(|status| StatusDetails::from(&status))
    }

    /// The posting as a visitor sees it, or `who`.
    pub async fn job(&self, who: Option<Uuid>, id: &str) -> Result<Job, StatusDetails> {
        let request = GetJobRequest { job_id: id.to_owned() };
        let request = match who {
            Some(who) => self.harness.actors.member(who).request(request),
            None => self.harness.actors.service("gateway").request(request),
        };
        let answer = self.jobs.clone().get_job(request.unwrap()).await;
        answer.map(|answer| answer.into_inner().job.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn applies(&self, who: Uuid, request: ApplyRequest) -> Result<JobApplication, StatusDetails> {
        let request = self.harness.actors.member(who).request(request).unwrap();
        let answer = self.jobs.clone().apply(request).await;
        answer.map(|answer| answer.into_inner().application.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn changes(&self, who: Uuid, request: UpdateApplicationRequest) -> Result<JobApplication, StatusDetails> {
        let request = self.harness.actors.member(who).request(request).unwrap();
        let answer = self.jobs.clone().update_application(request).await;
        answer.map(|answer| answer.into_inner().application.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    /// Titles of what is open, in the order of the alphabet.
    pub async fn open_titles(&self) -> Vec<String> {
        let request = ListJobsRequest { page_size: 100, ..Default::default() };
        let mut titles = self.titles(request).await;
        titles.sort();
        titles
    }

    /// The kept numbers are what counting tells, and the listings have what is open and passes.
    pub async fn assert_kept(&self) {
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
        assert_eq!(self.count(differs).await, 0, "the kept numbers are not those counted");
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
        assert_eq!(self.count(differs).await, 0, "the listings do not have what is open and passes");
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
            {LISTED_ANEW}",
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

    /// Asks as the gateway does for a visitor.
    pub async fn list(&self, request: ListJobsRequest) -> Result<ListJobsResponse, StatusDetails> {
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.jobs.clone().list_jobs(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn titles(&self, request: ListJobsRequest) -> Vec<String> {
        self.list(request).await.unwrap().jobs.into_iter().map(|job| job.title).collect()
    }

    pub async fn applications(
        &self,
        member: Uuid,
        request: ListMyApplicationsRequest,
    ) -> Result<ListMyApplicationsResponse, StatusDetails> {
        let request = self.harness.actors.member(member).request(request).unwrap();
        let answer = self.jobs.clone().list_my_applications(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }
}

/// The settings of a Portia that crawls `sources` of a site. `feed` among them stands for the site's own address.
pub fn at(site: &Site, sources: &str, builder: Builder) -> Builder {
    let sources = sources.replace("feed", &format!("{}/feed", site.url()));
    ["greenhouse_url", "lever_url", "ashby_url", "usajobs_url"]
        .into_iter()
        .fold(builder, |builder, base| builder.with(base, site.url()))
        .with("crawl", "on")
        .with("crawl_admit", site.address.to_string())
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

/// Where Greenhouse's board `firm` is, and what to crawl to read it.
pub const FIRM: &str = "/v1/boards/firm/jobs";
pub const FIRM_SOURCE: &str = "greenhouse:firm=Firm";

/// The fields a refusal names.
pub fn fields(refused: &StatusDetails) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

//! The service under test, with articles inserted by SQL or crawled from a local feed server.

use std::{sync::Arc, time::Duration};

use chassis::{
    ServiceContext,
    config::Source,
    lifecycle::{Activity, Readiness, Standby, Tasks, Upstreams},
};
use chrono::{DateTime, TimeDelta, Utc};
use news::admin::{self, SourceStatus};
use portia_proto::news::{
    Article, BatchGetArticlesRequest, BatchGetResourcesRequest, GetArticleRequest, GetResourceRequest,
    ListArticlesRequest, ListArticlesResponse, ListResourcesRequest, ListResourcesResponse, ListSourcesRequest,
    RefreshNewsRequest, Resource, SuggestResourceRequest, news_service_client::NewsServiceClient,
};
use primitives::error::StatusDetails;
use rpc::{Call, Transport};
use testkit::{FactSource, Harness};
use uuid::Uuid;

use crate::feed_server::FeedServer;

/// The limit of every wait.
const TIMEOUT: Duration = Duration::from_secs(120);

pub struct Fixture {
    pub harness: Harness,
    pub auth: FactSource,
    pub news: NewsServiceClient<Transport>,
}

pub fn article_id(n: u32) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0001_0000 + u128::from(n))
}

pub fn resource_id(n: u32) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_0000 + u128::from(n))
}

/// An address of the maximum length whose canonical form is longer, and too long for an index entry even compressed.
pub fn longest_address() -> String {
    const SIGNS: &[u8] = b"!()$,:@~;?/[]{}|^`abcdefghijklmnopqrstuvwxyz";
    let mut state: u32 = 1;
    let letters = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(SIGNS[(state >> 16) as usize % SIGNS.len()])
    });
    format!("https://stories.example/?a={}", letters.take(2_000).collect::<String>())
}

/// Requests page `page` of all articles.
pub fn page(page: i32) -> ListArticlesRequest {
    ListArticlesRequest { page, ..Default::default() }
}

/// Requests the first page of a source.
pub fn of_source(source: &str) -> ListArticlesRequest {
    ListArticlesRequest { source: source.to_owned(), ..page(1) }
}

/// Requests the first page of a search.
pub fn search(words: &str) -> ListArticlesRequest {
    ListArticlesRequest { search: words.to_owned(), ..page(1) }
}

impl Fixture {
    /// Without sources and built-in resources.
    pub async fn empty() -> Self {
        let fixture = Self::with(&[("news_feeds", "none")]).await;
        fixture.run("delete from news.resources").await;
        fixture
    }

    /// With these feeds of the server, and `demo` if it is among them, each crawled once.
    pub async fn crawling(server: &FeedServer, ids: &[&str]) -> Self {
        let fixture = Self::starting(server, ids).await;
        fixture.wait_until_idle().await;
        fixture
    }

    /// The same, at the start of the crawls.
    pub async fn starting(server: &FeedServer, ids: &[&str]) -> Self {
        let (feeds, admitted) = (feeds(server, ids), server.address.to_string());
        Self::with(&[("crawl", "on"), ("news_feeds", &feeds), ("crawl_admit", &admitted)]).await
    }

    /// With these settings.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("news").database(&news::MIGRATOR).await.upstream("auth", auth.routes());
        let builder = settings.iter().fold(builder, |builder, (field, value)| builder.with(field, *value));
        let harness = builder.start(news::start).await;
        Self { news: NewsServiceClient::new(harness.transport()), auth, harness }
    }

    /// The context of another process on the same database.
    pub fn twin(&self, config: impl FnOnce(Source) -> Source) -> Arc<ServiceContext> {
        let context = &self.harness.context;
        let upstreams = Upstreams::local();
        upstreams.slot("auth").fill(rpc::wrap("auth", self.auth.routes(), Arc::clone(&context.keyring)));
        Arc::new(ServiceContext {
            service: context.service,
            config: config(context.config.clone()),
            clock: context.clock.clone(),
            ids: context.ids.clone(),
            keyring: Arc::clone(&context.keyring),
            signer: Arc::clone(&context.signer),
            upstreams,
            tasks: Tasks::default(),
            activity: Activity::default(),
            readiness: Readiness::default(),
            standby: Standby::default(),
            database: context.database.clone(),
            database_limits: context.database_limits.clone(),
        })
    }

    /// Starts another process and returns its client.
    pub async fn start(context: &Arc<ServiceContext>) -> NewsServiceClient<Transport> {
        let routes = news::start(Arc::clone(context)).await.unwrap();
        context.upstreams.slot("news").fill(rpc::wrap("news", routes, Arc::clone(&context.keyring)));
        NewsServiceClient::new(context.upstreams.transport("news").unwrap())
    }

    pub async fn batch_get_articles(&self, ids: &[String]) -> Result<Vec<Article>, StatusDetails> {
        let request = BatchGetArticlesRequest { article_ids: ids.to_vec() };
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.news.clone().batch_get_articles(request).await;
        answer.map(|answer| answer.into_inner().articles).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn batch_get_resources(&self, ids: &[String]) -> Result<Vec<Resource>, StatusDetails> {
        let request = BatchGetResourcesRequest { resource_ids: ids.to_vec() };
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.news.clone().batch_get_resources(request).await;
        answer.map(|answer| answer.into_inner().resources).map_err(|status| StatusDetails::from(&status))
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.harness.clock.now()
    }

    pub async fn run(&self, sql: &str) {
        self.harness.database().run(sql).await;
    }

    /// Inserts article `n` into the cluster of article `leader`; a greater number is older.
    pub async fn insert_article(&self, n: u32, leader: u32, source: &str, title: &str) {
        let at = (self.now() - TimeDelta::minutes(i64::from(n))).to_rfc3339();
        let sql = format!(
            "insert into news.articles
                (id, story_id, source_id, url, canonical_url, title, description, published_at, found_at)
            values (
                '{id}', '{leader}', '{source}', 'https://example.org/{n}', 'https://example.org/{n}', $t${title}$t$,
                'Reported by {source}.', '{at}', '{at}'
            )",
            id = article_id(n),
            leader = article_id(leader),
        );
        self.run(&sql).await;
    }

    /// Inserts resource `n`; a greater number is older. A resource that is not approved is a suggestion.
    pub async fn insert_resource(&self, n: u32, suggested_by: Option<Uuid>, approved: bool) {
        let at = (self.now() - TimeDelta::minutes(i64::from(n))).to_rfc3339();
        let suggested_by = suggested_by.map_or_else(|| "null".to_owned(), |member| format!("'{member}'"));
        let approved_at = if approved { format!("'{at}'") } else { "null".to_owned() };
        let sql = format!(
            "insert into news.resources (id, title, description, url, type, suggested_by, created_at, approved_at)
            values ('{id}', 'Outline {n}', null, null, 'guide', {suggested_by}, '{at}', {approved_at})",
            id = resource_id(n),
        );
        self.run(&sql).await;
    }

    /// A call of the gateway for a visitor.
    pub fn visitor(&self) -> Call {
        self.harness.actors.service("gateway")
    }

    pub async fn list_articles(&self, request: ListArticlesRequest) -> Result<ListArticlesResponse, StatusDetails> {
        let answer = self.news.clone().list_articles(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn titles(&self, request: ListArticlesRequest) -> Vec<String> {
        self.list_articles(request).await.unwrap().articles.into_iter().map(|article| article.title).collect()
    }

    pub async fn get_article(&self, id: &str) -> Result<Article, StatusDetails> {
        let request = self.visitor().request(GetArticleRequest { article_id: id.to_owned() }).unwrap();
        let answer = self.news.clone().get_article(request).await;
        answer.map(|answer| answer.into_inner().article.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn list_sources(&self) -> Vec<(String, String)> {
        let request = self.visitor().request(ListSourcesRequest {}).unwrap();
        let sources = self.news.clone().list_sources(request).await.unwrap().into_inner().sources;
        sources.into_iter().map(|source| (source.source, source.source_name)).collect()
    }

    pub async fn list_resources(&self, request: ListResourcesRequest) -> Result<ListResourcesResponse, StatusDetails> {
        let answer = self.news.clone().list_resources(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn get_resource(&self, id: &str) -> Result<Resource, StatusDetails> {
        let request = self.visitor().request(GetResourceRequest { resource_id: id.to_owned() }).unwrap();
        let answer = self.news.clone().get_resource(request).await;
        answer.map(|answer| answer.into_inner().resource.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn suggest(&self, member: Uuid, suggestion: &SuggestResourceRequest) -> Result<Resource, StatusDetails> {
        let request = self.harness.actors.member(member).request(suggestion.clone()).unwrap();
        let answer = self.news.clone().suggest_resource(request).await;
        answer.map(|answer| answer.into_inner().resource.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn get_source_status(&self, id: &str) -> SourceStatus {
        let mut db = self.harness.pool().acquire().await.unwrap();
        let sources = admin::list_sources(&mut db).await.unwrap();
        sources.into_iter().find(|source| source.id == id).unwrap_or_else(|| panic!("{id} is not configured"))
    }

    /// Refreshes all sources after the cooldown and returns the number of new articles.
    pub async fn refresh(&self) -> i32 {
        self.harness.clock.advance(TimeDelta::seconds(61));
        self.refresh_now(&self.news).await
    }

    /// Refreshes without a pause, by one of several processes.
    pub async fn refresh_now(&self, process: &NewsServiceClient<Transport>) -> i32 {
        self.try_refresh(process, TIMEOUT).await.expect("an answer in time")
    }

    /// Refreshes with a deadline; `None` when it passed.
    pub async fn try_refresh(&self, process: &NewsServiceClient<Transport>, budget: Duration) -> Option<i32> {
        let gateway = self.harness.actors.credentials("gateway");
        let request = Call::new(gateway, budget).request(RefreshNewsRequest {}).unwrap();
        match process.clone().refresh_news(request).await {
            Ok(answer) => Some(answer.into_inner().new_articles),
            Err(status) if status.code() == tonic::Code::DeadlineExceeded => None,
            Err(status) => panic!("{status}"),
        }
    }

    /// Waits until no source is due or being crawled.
    pub async fn wait_until_idle(&self) {
        let busy = format!(
            "select id from news.sources
            where is_on
                and (due_at <= '{now}' or leased_by is not null)",
            now = self.now().to_rfc3339(),
        );
        self.wait_for_rows(&busy, 0).await;
    }

    /// Waits until a statement returns this number of rows.
    pub async fn wait_for_rows(&self, statement: &str, rows: usize) {
        let arrived = async {
            while self.column(statement).await.len() != rows {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(TIMEOUT, arrived).await.unwrap_or_else(|_| panic!("not {rows}: {statement}"));
    }

    /// The first column of a statement, as text.
    pub async fn column(&self, statement: &str) -> Vec<String> {
        let rows = sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).fetch_all(self.harness.pool()).await;
        rows.unwrap_or_else(|error| panic!("{statement}: {error}"))
    }
}

/// The setting for these feeds; `demo` is not on the server.
fn feeds(server: &FeedServer, ids: &[&str]) -> String {
    let real: Vec<&str> = ids.iter().copied().filter(|id| *id != "demo").collect();
    let mut list: Vec<String> = vec![server.feeds(&real)];
    list.extend(ids.contains(&"demo").then(|| "demo".to_owned()));
    list.retain(|part| !part.is_empty());
    list.join(",")
}

/// The fields that an error names.
pub fn fields(refused: &StatusDetails) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

//! The service under test, with articles put there by SQL or read from a press on this machine.

use std::{sync::Arc, time::Duration};

use chassis::{
    ServiceContext,
    config::Source,
    lifecycle::{Readiness, Tasks, Upstreams},
};
use chrono::{DateTime, TimeDelta, Utc};
use news::admin::{self, Crawled};
use portia_proto::news::{
    Article, BatchGetArticlesRequest, BatchGetResourcesRequest, GetArticleRequest, GetResourceRequest,
    ListArticlesRequest, ListArticlesResponse, ListResourcesRequest, ListResourcesResponse, ListSourcesRequest,
    RefreshNewsRequest, Resource, SuggestResourceRequest, news_service_client::NewsServiceClient,
};
use primitives::error::StatusDetails;
use rpc::{Call, Transport};
use testkit::{FactSource, Harness};
use uuid::Uuid;

use crate::press::Press;

/// What takes longer does not come.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Newsroom {
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

/// An address as long as may be, which grows when it is written the one way and which no compression makes short: more than
/// an index takes.
pub fn unwieldy() -> String {
    const SIGNS: &[u8] = b"!()$,:@~;?/[]{}|^`abcdefghijklmnopqrstuvwxyz";
    let mut lot: u32 = 1;
    let drawn = std::iter::repeat_with(|| {
        lot = lot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(SIGNS[(lot >> 16) as usize % SIGNS.len()])
    });
    format!("https://stories.example/?a={}", drawn.take(2_000).collect::<String>())
}

/// Page `page` of everything.
pub fn page(page: i32) -> ListArticlesRequest {
    ListArticlesRequest { page, ..Default::default() }
}

/// Page 1 of one source.
pub fn of_source(source: &str) -> ListArticlesRequest {
    ListArticlesRequest { source: source.to_owned(), ..page(1) }
}

/// Page 1 of what has these words.
pub fn search(words: &str) -> ListArticlesRequest {
    ListArticlesRequest { search: words.to_owned(), ..page(1) }
}

impl Newsroom {
    /// Where nothing is read, and the house offers nothing.
    pub async fn open() -> Self {
        let newsroom = Self::with(&[("news_feeds", "none")]).await;
        newsroom.run("delete from news.resources").await;
        newsroom
    }

    /// Where these feeds of the press are read, and `demo` where it is among them. All have been read once.
    pub async fn reading(press: &Press, ids: &[&str]) -> Self {
        let newsroom = Self::beginning(press, ids).await;
        newsroom.settled().await;
        newsroom
    }

    /// The same, which has just begun to read.
    pub async fn beginning(press: &Press, ids: &[&str]) -> Self {
        let (feeds, admitted) = (feeds(press, ids), press.address.to_string());
        Self::with(&[("crawl", "on"), ("news_feeds", &feeds), ("crawl_admit", &admitted)]).await
    }

    /// With these settings.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("news").database(&news::MIGRATOR).await.neighbour("auth", auth.routes());
        let builder = settings.iter().fold(builder, |builder, (field, value)| builder.with(field, *value));
        let harness = builder.start(news::start).await;
        Self { news: NewsServiceClient::new(harness.transport()), auth, harness }
    }

    /// What another process on the same database would stand on.
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
            readiness: Readiness::default(),
            database: context.database.clone(),
            database_limits: context.database_limits.clone(),
        })
    }

    /// Starts another process, and returns the way to it.
    pub async fn start(context: &Arc<ServiceContext>) -> NewsServiceClient<Transport> {
        let routes = news::start(Arc::clone(context)).await.unwrap();
        context.upstreams.slot("news").fill(rpc::wrap("news", routes, Arc::clone(&context.keyring)));
        NewsServiceClient::new(context.upstreams.transport("news").unwrap())
    }

    /// Some articles.
    pub async fn some_articles(&self, ids: &[String]) -> Result<Vec<Article>, StatusDetails> {
        let request = BatchGetArticlesRequest { article_ids: ids.to_vec() };
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.news.clone().batch_get_articles(request).await;
        answer.map(|answer| answer.into_inner().articles).map_err(|status| StatusDetails::from(&status))
    }

    /// Some resources.
    pub async fn some_resources(&self, ids: &[String]) -> Result<Vec<Resource>, StatusDetails> {
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

    /// Puts the article number `n`, a copy of the story `story`; a greater number is older.
    pub async fn put(&self, n: u32, story: u32, source: &str, title: &str) {
        let at = (self.now() - TimeDelta::minutes(i64::from(n))).to_rfc3339();
        let sql = format!(
            "insert into news.articles
                (id, story_id, source_id, url, canonical_url, title, description, published_at, found_at)
            values (
                '{id}', '{story}', '{source}', 'https://example.org/{n}', 'https://example.org/{n}', $t${title}$t$,
                'Told by {source}.', '{at}', '{at}'
            )",
            id = article_id(n),
            story = article_id(story),
        );
        self.run(&sql).await;
    }

    /// Puts the resource number `n`; a greater number is older. One that is not approved is a suggestion.
    pub async fn offer(&self, n: u32, suggested_by: Option<Uuid>, approved: bool) {
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

    /// A visitor, as the gateway asks for one.
    pub fn visitor(&self) -> Call {
        self.harness.actors.service("gateway")
    }

    pub async fn list(&self, request: ListArticlesRequest) -> Result<ListArticlesResponse, StatusDetails> {
        let answer = self.news.clone().list_articles(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn titles(&self, request: ListArticlesRequest) -> Vec<String> {
        self.list(request).await.unwrap().articles.into_iter().map(|article| article.title).collect()
    }

    pub async fn article(&self, id: &str) -> Result<Article, StatusDetails> {
        let request = self.visitor().request(GetArticleRequest { article_id: id.to_owned() }).unwrap();
        let answer = self.news.clone().get_article(request).await;
        answer.map(|answer| answer.into_inner().article.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn sources(&self) -> Vec<(String, String)> {
        let request = self.visitor().request(ListSourcesRequest {}).unwrap();
        let sources = self.news.clone().list_sources(request).await.unwrap().into_inner().sources;
        sources.into_iter().map(|source| (source.source, source.source_name)).collect()
    }

    pub async fn resources(&self, request: ListResourcesRequest) -> Result<ListResourcesResponse, StatusDetails> {
        let answer = self.news.clone().list_resources(self.visitor().request(request).unwrap()).await;
        answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn resource(&self, id: &str) -> Result<Resource, StatusDetails> {
        let request = self.visitor().request(GetResourceRequest { resource_id: id.to_owned() }).unwrap();
        let answer = self.news.clone().get_resource(request).await;
        answer.map(|answer| answer.into_inner().resource.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    pub async fn suggest(&self, who: Uuid, suggestion: &SuggestResourceRequest) -> Result<Resource, StatusDetails> {
        let request = self.harness.actors.member(who).request(suggestion.clone()).unwrap();
        let answer = self.news.clone().suggest_resource(request).await;
        answer.map(|answer| answer.into_inner().resource.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    /// How the source does.
    pub async fn source(&self, id: &str) -> Crawled {
        let mut db = self.harness.pool().acquire().await.unwrap();
        let sources = admin::sources(&mut db).await.unwrap();
        sources.into_iter().find(|source| source.id == id).unwrap_or_else(|| panic!("{id} is not read"))
    }

    /// Has everything read anew, a minute later; how many articles nobody knew.
    pub async fn refresh(&self) -> i32 {
        self.harness.clock.advance(TimeDelta::seconds(61));
        self.press_refresh(&self.news).await
    }

    /// The same at once, in one of several processes.
    pub async fn press_refresh(&self, process: &NewsServiceClient<Transport>) -> i32 {
        self.try_refresh_within(process, PATIENCE).await.expect("an answer in time")
    }

    /// The same by somebody who cannot wait; nothing when the answer did not come in time.
    pub async fn try_refresh_within(&self, process: &NewsServiceClient<Transport>, budget: Duration) -> Option<i32> {
        let token = self.harness.actors.signer("gateway").service(self.now()).unwrap();
        let request = Call::new(&token, budget).unwrap().request(RefreshNewsRequest {}).unwrap();
        match process.clone().refresh_news(request).await {
            Ok(answer) => Some(answer.into_inner().new_articles),
            Err(status) if status.code() == tonic::Code::DeadlineExceeded => None,
            Err(status) => panic!("{status}"),
        }
    }

    /// Waits until nothing is due and nobody reads.
    pub async fn settled(&self) {
        let busy = format!(
            "select id from news.sources
            where is_on
                and (due_at <= '{now}' or leased_by is not null)",
            now = self.now().to_rfc3339(),
        );
        self.until(&busy, 0).await;
    }

    /// Waits until a statement answers with so many rows.
    pub async fn until(&self, statement: &str, rows: usize) {
        let arrived = async { while self.column(statement).await.len() != rows {} };
        tokio::time::timeout(PATIENCE, arrived).await.unwrap_or_else(|_| panic!("not {rows}: {statement}"));
    }

    /// The first column, as text.
    pub async fn column(&self, statement: &str) -> Vec<String> {
        let rows = sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).fetch_all(self.harness.pool()).await;
        rows.unwrap_or_else(|error| panic!("{statement}: {error}"))
    }
}

/// The setting for these feeds; `demo` is no feed of the press.
fn feeds(press: &Press, ids: &[&str]) -> String {
    let real: Vec<&str> = ids.iter().copied().filter(|id| *id != "demo").collect();
    let mut list: Vec<String> = vec![press.feeds(&real)];
    list.extend(ids.contains(&"demo").then(|| "demo".to_owned()));
    list.retain(|part| !part.is_empty());
    list.join(",")
}

/// The fields a refusal names.
pub fn fields(refused: &StatusDetails) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

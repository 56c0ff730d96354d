//! The service under test, and rows to show: nothing writes articles or resources yet, so tests do it by SQL.

use chassis::{error::Explained, rpc::Transport};
use chrono::TimeDelta;
use portia_proto::news::{
    ListArticlesRequest, ListArticlesResponse, ListResourcesRequest, ListResourcesResponse,
    news_service_client::NewsServiceClient,
};
use testkit::{FactSource, Harness};
use uuid::Uuid;

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

/// Page `page` of everything.
pub fn page(page: i32) -> ListArticlesRequest {
    ListArticlesRequest { page, ..Default::default() }
}

impl Newsroom {
    pub async fn open() -> Self {
        let auth = FactSource::default();
        let builder = Harness::of("news").database(&news::MIGRATOR).await.neighbour("auth", auth.routes());
        let harness = builder.start(news::start).await;
        Self { news: NewsServiceClient::new(harness.transport()), auth, harness }
    }

    /// Puts the article number `n`, a copy of the story `story`; a greater number is older.
    pub async fn put(&self, n: u32, story: u32, source: &str, title: &str) {
        let at = (self.harness.clock.now() - TimeDelta::minutes(i64::from(n))).to_rfc3339();
        let sql = format!(
            "insert into news.articles (id, story_id, source_id, url, title, description, published_at, found_at)
            values (
                '{id}', '{story}', '{source}', 'https://example.org/{n}', $t${title}$t$, 'Told by {source}.',
                '{at}', '{at}'
            )",
            id = article_id(n),
            story = article_id(story),
        );
        self.harness.database().run(sql).await;
    }

    /// Puts the resource number `n`; a greater number is older. One that is not approved is a suggestion.
    pub async fn offer(&self, n: u32, suggested_by: Option<Uuid>, approved: bool) {
        let at = (self.harness.clock.now() - TimeDelta::minutes(i64::from(n))).to_rfc3339();
        let suggested_by = suggested_by.map_or_else(|| "null".to_owned(), |member| format!("'{member}'"));
        let approved_at = if approved { format!("'{at}'") } else { "null".to_owned() };
        let sql = format!(
            "insert into news.resources (id, title, description, url, type, suggested_by, created_at, approved_at)
            values ('{id}', 'Outline {n}', null, null, 'guide', {suggested_by}, '{at}', {approved_at})",
            id = resource_id(n),
        );
        self.harness.database().run(sql).await;
    }

    /// Asks as the gateway does for a visitor.
    pub async fn list(&self, request: ListArticlesRequest) -> Result<ListArticlesResponse, Explained> {
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.news.clone().list_articles(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Explained::from(&status))
    }

    pub async fn titles(&self, request: ListArticlesRequest) -> Vec<String> {
        self.list(request).await.unwrap().articles.into_iter().map(|article| article.title).collect()
    }

    pub async fn resources(&self, request: ListResourcesRequest) -> Result<ListResourcesResponse, Explained> {
        let request = self.harness.actors.service("gateway").request(request).unwrap();
        let answer = self.news.clone().list_resources(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| Explained::from(&status))
    }
}

/// The fields a refusal names.
pub fn fields(refused: &Explained) -> Vec<&str> {
    refused.violations.iter().map(|violation| violation.field.as_str()).collect()
}

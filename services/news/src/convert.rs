//! Conversion between proto messages and domain types; the only place that validates the shape of requests.

use crawler::canonical::canonical;
use portia_proto::news as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, Form, LikePatterns, Line, Link, PageSize, Text},
};
use search::SearchQuery;
use url::Url;
use uuid::Uuid;

use crate::{
    articles::{Article, ArticleCopy, ArticlePage, ArticleQuery, PageNumber},
    error::Error,
    resources::{Kind, Resource, ResourceCursor, ResourceQuery, Suggestion},
    sources::{Source, SourceStatus},
};

impl TryFrom<pb::ListArticlesRequest> for ArticleQuery {
    type Error = Error;

    fn try_from(request: pb::ListArticlesRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let page = form.take(page(request.page));
        let source = form.take(Line::parse_optional("source", Some(&request.source)));
        let words = form.take(LikePatterns::parse_optional("search", &request.search));
        let taken = (|| Some(Self { page: page?, source: source?, words: words? }))();
        Ok(form.finish(taken)?)
    }
}

fn page(number: i32) -> Result<PageNumber, Violation> {
    let refused = || Violation::new("page", format!("This must be a number from 1 to {}.", PageNumber::LAST));
    PageNumber::new(number).ok_or_else(refused)
}

pub fn article_id(request: &pb::GetArticleRequest) -> Result<Uuid, Error> {
    Ok(ids::parse("articleId", &request.article_id)?)
}

pub fn resource_id(request: &pb::GetResourceRequest) -> Result<Uuid, Error> {
    Ok(ids::parse("resourceId", &request.resource_id)?)
}

/// The most ids in one batch request.
const MAX_BATCH: usize = 100;

pub fn article_ids(request: &pb::BatchGetArticlesRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("articleIds", &request.article_ids, MAX_BATCH)?)
}

pub fn resource_ids(request: &pb::BatchGetResourcesRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("resourceIds", &request.resource_ids, MAX_BATCH)?)
}

impl TryFrom<pb::ListResourcesRequest> for ResourceQuery {
    type Error = Error;

    fn try_from(request: pb::ListResourcesRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(ResourceCursor::from_token(&request.page_token));
        let kind = if request.r#type.is_empty() { Some(None) } else { form.take(kind(&request.r#type).map(Some)) };
        let taken = (|| Some(Self { size: size?, after: after?.unwrap_or(ResourceCursor::FIRST), kind: kind? }))();
        Ok(form.finish(taken)?)
    }
}

fn kind(raw: &str) -> Result<Kind, Violation> {
    let known = Kind::ALL.into_iter().find(|kind| kind.name() == raw);
    known.ok_or_else(|| Violation::new("type", "This must be article, guide, study-material or case-brief."))
}

impl TryFrom<pb::SuggestResourceRequest> for Suggestion {
    type Error = Error;

    fn try_from(request: pb::SuggestResourceRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let title = form.take(Line::parse("title", &request.title, 1, "This must not be empty."));
        let description = form.take(Text::parse_optional("description", Some(&request.description)));
        let address = form.take(address(&request.url));
        let kind = form.take(kind(&request.r#type));
        let taken = (|| {
            let (url, canonical_url) = address?;
            Some(Self { title: title?, description: description?, url, canonical_url, kind: kind? })
        })();
        Ok(form.finish(taken)?)
    }
}

/// An address and its canonical form.
fn address(raw: &str) -> Result<(String, String), Violation> {
    let link = Link::parse("url", raw)?.into_string();
    // A browser refuses more than `Link` does: invalid ports and host names.
    let url = Url::parse(&link).map_err(|_| Violation::new("url", "This is not an address that can be opened."))?;
    Ok((link, canonical(&url)))
}

pub fn article_search(request: &pb::SearchArticlesRequest) -> Result<SearchQuery, Error> {
    Ok(SearchQuery::parse(&request.query, request.page_size, &request.page_token)?)
}

pub fn resource_search(request: &pb::SearchResourcesRequest) -> Result<SearchQuery, Error> {
    Ok(SearchQuery::parse(&request.query, request.page_size, &request.page_token)?)
}

impl From<Article> for pb::Article {
    fn from(article: Article) -> Self {
        Self {
            id: article.id.to_string(),
            title: article.title,
            description: article.description,
            author: article.author,
            url: article.url,
            source: article.source,
            source_name: article.source_name,
            published_at: article.published_at.map(timestamp),
            published_date: article.published_date.map(|date| date.to_string()),
            copies: article.copies.into_iter().map(pb::Copy::from).collect(),
            is_demo: article.is_demo,
        }
    }
}

impl From<ArticleCopy> for pb::Copy {
    fn from(copy: ArticleCopy) -> Self {
        Self { source: copy.source, source_name: copy.source_name, url: copy.url }
    }
}

impl From<ArticlePage> for pb::ListArticlesResponse {
    fn from(page: ArticlePage) -> Self {
        Self { articles: page.articles.into_iter().map(pb::Article::from).collect(), has_more: page.has_more }
    }
}

impl From<Source> for pb::Source {
    fn from(source: Source) -> Self {
        Self { source: source.id, source_name: source.name }
    }
}

impl From<SourceStatus> for pb::CrawledSource {
    fn from(source: SourceStatus) -> Self {
        let state = match (source.last_run_at, source.failures) {
            (None, _) => pb::SourceState::Waiting,
            (Some(_), 0) => pb::SourceState::Healthy,
            (Some(_), _) => pb::SourceState::Failing,
        };
        Self {
            source: source.id,
            name: source.name,
            connector: source.connector,
            state: state.into(),
            last_run_at: source.last_run_at.map(timestamp),
            last_success_at: source.last_success_at.map(timestamp),
            new_items: source.new_items,
            failure: source.failure,
            due_at: source.due_at.map(timestamp),
        }
    }
}

impl From<Resource> for pb::Resource {
    fn from(resource: Resource) -> Self {
        Self {
            id: resource.id.to_string(),
            title: resource.title,
            description: resource.description,
            url: resource.url,
            r#type: resource.kind,
        }
    }
}

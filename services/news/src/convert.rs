//! Messages to what the features take, and back; the only place that checks shape.

use crawler::canonical::canonical;
use portia_proto::news as wire;
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
    articles::{Article, Copy, Numbered},
    error::Error,
    resources::{Approved, Kind, Resource, Suggestion},
    sources::{Crawled, Source},
};

/// A numbered page of articles.
pub struct Browse {
    pub page: PageNumber,
    /// The id of a source; whether there is one of that id, the table knows.
    pub source: Option<Line<64>>,
    pub words: Option<LikePatterns>,
}

/// 1 to 1000: the bound of what a page may cost.
#[derive(Clone, Copy)]
pub struct PageNumber(i32);

impl PageNumber {
    const LAST: i32 = 1000;

    fn parse(raw: i32) -> Result<Self, Violation> {
        if (1..=Self::LAST).contains(&raw) {
            Ok(Self(raw))
        } else {
            Err(Violation::new("page", format!("This must be a number from 1 to {}.", Self::LAST)))
        }
    }

    /// Whether a page may follow.
    pub fn is_last(self) -> bool {
        self.0 == Self::LAST
    }

    /// Pages before this one.
    pub fn before(self) -> i64 {
        i64::from(self.0) - 1
    }
}

impl TryFrom<wire::ListArticlesRequest> for Browse {
    type Error = Error;

    fn try_from(request: wire::ListArticlesRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let page = form.take(PageNumber::parse(request.page));
        let source = form.take(Line::parse_optional("source", Some(&request.source)));
        let words = form.take(LikePatterns::parse_optional("search", &request.search));
        let taken = (|| Some(Self { page: page?, source: source?, words: words? }))();
        Ok(form.finish(taken)?)
    }
}

/// Which article is asked for.
pub fn article(request: &wire::GetArticleRequest) -> Result<Uuid, Error> {
    Ok(ids::parse("articleId", &request.article_id)?)
}

/// Which resource is asked for.
pub fn resource(request: &wire::GetResourceRequest) -> Result<Uuid, Error> {
    Ok(ids::parse("resourceId", &request.resource_id)?)
}

/// Articles or resources asked for at once, at most.
const BATCH: usize = 100;

/// Which articles are asked for.
pub fn articles(request: &wire::BatchGetArticlesRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("articleIds", &request.article_ids, BATCH)?)
}

/// Which resources are asked for.
pub fn resources(request: &wire::BatchGetResourcesRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("resourceIds", &request.resource_ids, BATCH)?)
}

/// A page of resources.
pub struct BrowseResources {
    pub size: PageSize,
    pub after: Approved,
    pub kind: Option<Kind>,
}

impl TryFrom<wire::ListResourcesRequest> for BrowseResources {
    type Error = Error;

    fn try_from(request: wire::ListResourcesRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(Approved::from_token(&request.page_token));
        let kind = if request.r#type.is_empty() { Some(None) } else { form.take(kind(&request.r#type).map(Some)) };
        let taken = (|| Some(Self { size: size?, after: after?.unwrap_or(Approved::FIRST), kind: kind? }))();
        Ok(form.finish(taken)?)
    }
}

fn kind(raw: &str) -> Result<Kind, Violation> {
    let known = Kind::ALL.into_iter().find(|kind| kind.name() == raw);
    known.ok_or_else(|| Violation::new("type", "This must be article, guide, study-material or case-brief."))
}

impl TryFrom<wire::SuggestResourceRequest> for Suggestion {
    type Error = Error;

    fn try_from(request: wire::SuggestResourceRequest) -> Result<Self, Error> {
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

/// A link as people open it, and what it is known by.
fn address(raw: &str) -> Result<(String, String), Violation> {
    let link = Link::parse("url", raw)?.into_string();
    // What only a browser's reader refuses: a port that is none, a host that is no name.
    let url = Url::parse(&link).map_err(|_| Violation::new("url", "This is not an address that can be opened."))?;
    Ok((link, canonical(&url)))
}

/// Which stories are looked for.
pub fn articles_looked_for(request: &wire::SearchArticlesRequest) -> Result<SearchQuery, Error> {
    Ok(SearchQuery::parse(&request.query, request.page_size, &request.page_token)?)
}

/// Which resources are looked for.
pub fn resources_looked_for(request: &wire::SearchResourcesRequest) -> Result<SearchQuery, Error> {
    Ok(SearchQuery::parse(&request.query, request.page_size, &request.page_token)?)
}

impl From<Article> for wire::Article {
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
            copies: article.copies.into_iter().map(wire::Copy::from).collect(),
            is_demo: article.is_demo,
        }
    }
}

impl From<Copy> for wire::Copy {
    fn from(copy: Copy) -> Self {
        Self { source: copy.source, source_name: copy.source_name, url: copy.url }
    }
}

impl From<Numbered> for wire::ListArticlesResponse {
    fn from(page: Numbered) -> Self {
        Self { articles: page.articles.into_iter().map(wire::Article::from).collect(), has_more: page.has_more }
    }
}

impl From<Source> for wire::Source {
    fn from(source: Source) -> Self {
        Self { source: source.id, source_name: source.name }
    }
}

impl From<Crawled> for wire::CrawledSource {
    fn from(source: Crawled) -> Self {
        let state = match (source.last_run_at, source.failures) {
            (None, _) => wire::SourceState::Waiting,
            (Some(_), 0) => wire::SourceState::Healthy,
            (Some(_), _) => wire::SourceState::Failing,
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

impl From<Resource> for wire::Resource {
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

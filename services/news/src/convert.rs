//! Messages to what the features take, and back; the only place that checks shape.

use chassis::{
    clock::timestamp,
    error::Violation,
    input::{Cursor as _, Form, Line, PageSize, Words},
};
use portia_proto::news as wire;

use crate::{
    articles::{Article, Numbered},
    error::Error,
    resources::{Approved, Resource},
    sources::Source,
};

/// A numbered page of articles.
pub struct Browse {
    pub page: PageNumber,
    /// The id of a source; whether there is one of that id, the table knows.
    pub source: Option<Line<64>>,
    pub words: Option<Words>,
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
        let words = form.take(Words::parse_optional("search", &request.search));
        let taken = (|| Some(Self { page: page?, source: source?, words: words? }))();
        Ok(form.finish(taken)?)
    }
}

/// A page of resources.
pub struct BrowseResources {
    pub size: PageSize,
    pub after: Approved,
}

impl TryFrom<wire::ListResourcesRequest> for BrowseResources {
    type Error = Error;

    fn try_from(request: wire::ListResourcesRequest) -> Result<Self, Error> {
        let size = PageSize::parse(request.page_size)?;
        let after = Approved::from_token(&request.page_token)?.unwrap_or(Approved::FIRST);
        Ok(Self { size, after })
    }
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
        }
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

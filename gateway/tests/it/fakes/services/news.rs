//! Fake news: one article cluster, one resource, and Carl with ten pending suggestions.

use portia_proto::news;
use primitives::error::ErrorKind;

use super::{refuse, search_page};
use crate::actors::{self, ARTICLE, CARL, RESOURCE};
use crate::fakes::table::Table;

/// The URL of an existing resource.
const KNOWN: &str = "https://known.example/";

pub fn add_to(table: &mut Table) {
    table.exports(["news.export_member", "export_member of news", "news"], |section, json| {
        news::ExportMemberResponse { section, json }
    });
    table.answers("news.list_articles", |_, request: news::ListArticlesRequest, _| {
        if !(1..=1000).contains(&request.page) {
            return Err(refuse(ErrorKind::Invalid, "PAGE", "The page must be between 1 and 1000."));
        }
        Ok(news::ListArticlesResponse { articles: vec![actors::article()], has_more: true })
    });
    table.answers("news.search_articles", |_, request: news::SearchArticlesRequest, _| {
        let next_page_token = search_page(&request.query, &request.page_token)?;
        let terms = vec!["clerks".to_owned()];
        Ok(news::SearchArticlesResponse { articles: vec![actors::article()], next_page_token, terms })
    });
    table.answers("news.search_resources", |_, request: news::SearchResourcesRequest, _| {
        let next_page_token = search_page(&request.query, &request.page_token)?;
        Ok(news::SearchResourcesResponse { resources: vec![actors::resource()], next_page_token, terms: Vec::new() })
    });
    table.answers("news.get_article", |_, request: news::GetArticleRequest, _| {
        if request.article_id != ARTICLE.to_string() {
            return Err(refuse(ErrorKind::NotFound, "ARTICLE_NOT_FOUND", "Article not found"));
        }
        Ok(news::GetArticleResponse { article: Some(actors::article()) })
    });
    table.answers("news.refresh_news", |_, _: news::RefreshNewsRequest, _| {
        Ok(news::RefreshNewsResponse { new_articles: 5 })
    });
    table.answers("news.list_sources", |_, _: news::ListSourcesRequest, _| {
        let source = news::Source { source: "aba".to_owned(), source_name: "ABA Journal".to_owned() };
        Ok(news::ListSourcesResponse { sources: vec![source] })
    });
    table.answers("news.list_crawled_sources", |_, _: news::ListCrawledSourcesRequest, _| {
        Ok(news::ListCrawledSourcesResponse { sources: vec![actors::news_source()] })
    });
    table.answers("news.list_resources", |_, _: news::ListResourcesRequest, _| {
        Ok(news::ListResourcesResponse { resources: vec![actors::resource()], next_page_token: String::new() })
    });
    table.answers("news.get_resource", |_, request: news::GetResourceRequest, _| {
        if request.resource_id != RESOURCE.to_string() {
            return Err(refuse(ErrorKind::NotFound, "RESOURCE_NOT_FOUND", "Resource not found"));
        }
        Ok(news::GetResourceResponse { resource: Some(actors::resource()) })
    });
    table.answers("news.suggest_resource", |_, request: news::SuggestResourceRequest, actor| {
        if !request.url.starts_with("http") {
            return Err(actors::invalid_field(ErrorKind::Invalid, "INVALID", "url", "This must be a web address."));
        }
        if request.url == KNOWN {
            return Err(refuse(ErrorKind::Conflict, "RESOURCE_KNOWN", "This resource is already known"));
        }
        if actor == Some(CARL) {
            let sentence = "Ten of your suggestions are waiting already";
            return Err(refuse(ErrorKind::Conflict, "TOO_MANY_SUGGESTIONS", sentence));
        }
        let suggested = news::Resource {
            id: RESOURCE.to_string(),
            title: request.title,
            description: Some(request.description).filter(|description| !description.is_empty()),
            url: Some(request.url),
            r#type: request.r#type,
        };
        Ok(news::SuggestResourceResponse { resource: Some(suggested) })
    });
    table.answers("news.batch_get_articles", |_, request: news::BatchGetArticlesRequest, _| {
        let known = request.article_ids.contains(&ARTICLE.to_string()).then(actors::article);
        Ok(news::BatchGetArticlesResponse { articles: known.into_iter().collect() })
    });
    table.answers("news.batch_get_resources", |_, request: news::BatchGetResourcesRequest, _| {
        let known = request.resource_ids.contains(&RESOURCE.to_string()).then(actors::resource);
        Ok(news::BatchGetResourcesResponse { resources: known.into_iter().collect() })
    });
}

//! Fake news: one article cluster, one resource, and Carl with ten pending suggestions.

use portia_proto::news;
use primitives::error::ErrorKind;
use rpc::identity::Actor;
use tokio_stream::StreamExt as _;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{BoxStream, Fake, refuse, search_page, signed_in};
use crate::actors::{self, ARTICLE, CARL, RESOURCE};

/// The URL of an existing resource.
const KNOWN: &str = "https://known.example/";

fake!(news::news_service_server::NewsService [exports news as "news"] {
    list_articles(news::ListArticlesRequest) -> news::ListArticlesResponse {
        |_, request, _| {
            if !(1..=1000).contains(&request.page) {
                return Err(refuse(ErrorKind::Invalid, "PAGE", "The page must be between 1 and 1000."));
            }
            Ok(news::ListArticlesResponse { articles: vec![actors::article()], has_more: true })
        }
    }
    search_articles(news::SearchArticlesRequest) -> news::SearchArticlesResponse {
        |_, request, _| {
            let next_page_token = search_page(&request.query, &request.page_token)?;
            let terms = vec!["clerks".to_owned()];
            Ok(news::SearchArticlesResponse { articles: vec![actors::article()], next_page_token, terms })
        }
    }
    search_resources(news::SearchResourcesRequest) -> news::SearchResourcesResponse {
        |_, request, _| {
            let next_page_token = search_page(&request.query, &request.page_token)?;
            Ok(news::SearchResourcesResponse { resources: vec![actors::resource()], next_page_token, terms: Vec::new() })
        }
    }
    get_article(news::GetArticleRequest) -> news::GetArticleResponse {
        |_, request, _| {
            if request.article_id != ARTICLE.to_string() {
                return Err(refuse(ErrorKind::NotFound, "ARTICLE_NOT_FOUND", "Article not found"));
            }
            Ok(news::GetArticleResponse { article: Some(actors::article()) })
        }
    }
    refresh_news(news::RefreshNewsRequest) -> news::RefreshNewsResponse {
        |_, _, _| Ok(news::RefreshNewsResponse { new_articles: 5 })
    }
    list_sources(news::ListSourcesRequest) -> news::ListSourcesResponse {
        |_, _, _| {
            let source = news::Source { source: "aba".to_owned(), source_name: "ABA Journal".to_owned() };
            Ok(news::ListSourcesResponse { sources: vec![source] })
        }
    }
    list_crawled_sources(news::ListCrawledSourcesRequest) -> news::ListCrawledSourcesResponse {
        |_, _, _| Ok(news::ListCrawledSourcesResponse { sources: vec![actors::news_source()] })
    }
    list_resources(news::ListResourcesRequest) -> news::ListResourcesResponse {
        |_, _, _| Ok(news::ListResourcesResponse { resources: vec![actors::resource()], next_page_token: String::new() })
    }
    get_resource(news::GetResourceRequest) -> news::GetResourceResponse {
        |_, request, _| {
            if request.resource_id != RESOURCE.to_string() {
                return Err(refuse(ErrorKind::NotFound, "RESOURCE_NOT_FOUND", "Resource not found"));
            }
            Ok(news::GetResourceResponse { resource: Some(actors::resource()) })
        }
    }
    suggest_resource(news::SuggestResourceRequest) -> news::SuggestResourceResponse {
        |_, request, actor| {
            signed_in(actor)?;
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
        }
    }
    batch_get_articles(news::BatchGetArticlesRequest) -> news::BatchGetArticlesResponse {
        |_, request, _| {
            let known = request.article_ids.contains(&ARTICLE.to_string()).then(actors::article);
            Ok(news::BatchGetArticlesResponse { articles: known.into_iter().collect() })
        }
    }
    batch_get_resources(news::BatchGetResourcesRequest) -> news::BatchGetResourcesResponse {
        |_, request, _| {
            let known = request.resource_ids.contains(&RESOURCE.to_string()).then(actors::resource);
            Ok(news::BatchGetResourcesResponse { resources: known.into_iter().collect() })
        }
    }
});

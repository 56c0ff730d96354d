//! The responses of news.

use portia_proto::news;

use super::{ARTICLE, RESOURCE, at};

/// An article that two sources contain.
pub fn article() -> news::Article {
    let copy = |source: &str, source_name: &str, url: &str| news::Copy {
        source: source.to_owned(),
        source_name: source_name.to_owned(),
        url: url.to_owned(),
    };
    news::Article {
        id: ARTICLE.to_string(),
        title: "Court rules".to_owned(),
        description: None,
        author: None,
        url: "https://news.example/1".to_owned(),
        source: "above_the_law".to_owned(),
        source_name: "Above the Law".to_owned(),
        published_at: at(5),
        copies: vec![
            copy("above_the_law", "Above the Law", "https://news.example/1"),
            copy("aba", "ABA Journal", "https://journal.example/1"),
        ],
        is_demo: false,
        published_date: None,
    }
}

pub fn resource() -> news::Resource {
    news::Resource {
        id: RESOURCE.to_string(),
        title: "Torts outline".to_owned(),
        description: None,
        url: None,
        r#type: "study-material".to_owned(),
    }
}

/// A source that was never crawled.
pub fn news_source() -> news::CrawledSource {
    news::CrawledSource {
        source: "aba".to_owned(),
        name: "ABA Journal".to_owned(),
        connector: "rss".to_owned(),
        state: news::SourceState::Waiting.into(),
        last_run_at: None,
        last_success_at: None,
        new_items: 0,
        failure: None,
        due_at: at(0),
    }
}

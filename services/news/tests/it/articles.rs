//! Articles: numbered pages, stories told once, the source filter and the search.

use chassis::{clock::timestamp, error::Kind};
use chrono::TimeDelta;
use portia_proto::news::{Article, ListArticlesRequest};

use crate::newsroom::{Newsroom, article_id, fields, page};

fn of_source(source: &str) -> ListArticlesRequest {
    ListArticlesRequest { source: source.to_owned(), ..page(1) }
}

fn search(words: &str) -> ListArticlesRequest {
    ListArticlesRequest { search: words.to_owned(), ..page(1) }
}

#[tokio::test]
async fn an_empty_newsroom_has_no_more() {
    let newsroom = Newsroom::open().await;
    let first = newsroom.list(page(1)).await.unwrap();
    assert_eq!((first.articles, first.has_more), (vec![], false));
}

#[tokio::test]
async fn pages_of_twelve_say_whether_more_follow() {
    let newsroom = Newsroom::open().await;
    let titles: Vec<String> = (1..=24).map(|n| format!("Story {n}")).collect();
    for (n, title) in (1..).zip(&titles) {
        newsroom.put(n, n, "aba", title).await;
    }
    let first = newsroom.list(page(1)).await.unwrap();
    let second = newsroom.list(page(2)).await.unwrap();
    assert_eq!((first.has_more, second.has_more), (true, false), "24 fill two pages exactly");
    let seen: Vec<_> = first.articles.into_iter().chain(second.articles).map(|article| article.title).collect();
    assert_eq!(seen, titles);
    let third = newsroom.list(page(3)).await.unwrap();
    assert_eq!((third.articles.len(), third.has_more), (0, false));
}

#[tokio::test]
async fn the_last_page_there_may_be_promises_no_further_one() {
    let newsroom = Newsroom::open().await;
    let many = format!(
        "insert into news.articles (id, story_id, source_id, url, title, published_at, found_at)
        select id, id, 'aba', 'https://example.org/' || n, 'Story', at, at
        from (
            select n, ('{prefix}' || lpad(to_hex(n), 12, '0'))::uuid as id, '2026-01-01'::timestamptz as at
            from generate_series(1, 12013) n
        ) as numbered",
        prefix = "01930000-0000-7000-8000-",
    );
    newsroom.harness.database().run(many).await;
    let last = newsroom.list(page(1000)).await.unwrap();
    assert_eq!((last.articles.len(), last.has_more), (12, false));
    assert!(newsroom.list(page(999)).await.unwrap().has_more);
}

#[tokio::test]
async fn a_story_stands_once_as_its_earliest_copy_and_with_a_source_as_that_sources() {
    let newsroom = Newsroom::open().await;
    newsroom.put(9, 9, "law_com", "Ruling").await;
    newsroom.put(5, 9, "aba", "The ruling, again").await;
    newsroom.put(3, 3, "aba", "Another").await;
    assert_eq!(newsroom.titles(page(1)).await, ["Another", "Ruling"]);
    assert_eq!(newsroom.titles(of_source("aba")).await, ["Another", "The ruling, again"]);
    assert_eq!(newsroom.titles(of_source("law_com")).await, ["Ruling"]);
    assert_eq!(newsroom.titles(search("ruling")).await, ["Ruling"]);
    let both = ListArticlesRequest { search: "ruling".to_owned(), ..of_source("aba") };
    assert_eq!(newsroom.titles(both).await, ["The ruling, again"]);
}

#[tokio::test]
async fn every_field_arrives_and_an_article_without_a_date_stands_where_it_was_found() {
    let newsroom = Newsroom::open().await;
    newsroom.put(2, 2, "above_the_law", "Dated").await;
    newsroom.put(1, 1, "law_school_org", "Undated").await;
    newsroom.put(3, 3, "aba", "Older").await;
    let undate = "update news.articles set published_at = null, description = null, author = 'R. Cruz'
        where title = 'Undated'";
    newsroom.harness.database().run(undate).await;
    let articles = newsroom.list(page(1)).await.unwrap().articles;
    let undated = Article {
        id: article_id(1).to_string(),
        title: "Undated".to_owned(),
        description: None,
        author: Some("R. Cruz".to_owned()),
        url: "https://example.org/1".to_owned(),
        source: "law_school_org".to_owned(),
        source_name: "LawSchool.org".to_owned(),
        published_at: None,
    };
    assert_eq!(articles[0], undated);
    assert_eq!(articles[1].title, "Dated");
    let published_at = newsroom.harness.clock.now() - TimeDelta::minutes(2);
    assert_eq!(articles[1].published_at, Some(timestamp(published_at)));
    assert_eq!(articles[1].description.as_deref(), Some("Told by above_the_law."));
}

#[tokio::test]
async fn a_known_source_without_articles_is_empty_and_an_unknown_one_is_refused() {
    let newsroom = Newsroom::open().await;
    for known in ["above_the_law", "law_com", "law_school_org", "aba"] {
        assert_eq!(newsroom.titles(of_source(known)).await, Vec::<String>::new());
    }
    for unknown in ["all_of_them", "ABA", "aba'; drop table news.articles; --", "\0", "a\0", &"a".repeat(1 << 20)] {
        let refused = newsroom.list(of_source(unknown)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (Kind::Invalid, vec!["source"]), "{unknown:.9?}");
        let searched = ListArticlesRequest { search: "law".to_owned(), ..of_source(unknown) };
        assert_eq!(newsroom.list(searched).await.unwrap_err().kind, Kind::Invalid);
    }
}

#[tokio::test]
async fn pages_outside_the_bound_are_refused() {
    let newsroom = Newsroom::open().await;
    for number in [0, -1, 1001, i32::MAX, i32::MIN] {
        let refused = newsroom.list(page(number)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (Kind::Invalid, vec!["page"]), "{number}");
    }
}

#[tokio::test]
async fn a_search_is_literal_and_bad_ones_are_refused_by_name() {
    let newsroom = Newsroom::open().await;
    newsroom.put(1, 1, "aba", "Fees up 5% this year").await;
    newsroom.put(2, 2, "aba", "Fees up 50 this year").await;
    assert_eq!(newsroom.titles(search("YEAR 5%")).await, ["Fees up 5% this year"]);
    assert_eq!(newsroom.titles(search("told fees")).await.len(), 2, "the description counts too");
    assert_eq!(newsroom.titles(search("5_")).await, Vec::<String>::new());
    for bad in ["\0law", "la\0w", "law\0", "\u{202e}wal", "la\u{7}w", &"a".repeat(1 << 20), &"a ".repeat(90)] {
        let refused = newsroom.list(search(bad)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (Kind::Invalid, vec!["search"]), "{bad:.9?}");
    }
}

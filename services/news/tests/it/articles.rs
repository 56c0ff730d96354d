//! Articles: numbered pages, clusters, the source filter and the search.

use chrono::TimeDelta;
use portia_proto::news::{Article, Copy, ListArticlesRequest};
use primitives::{clock::timestamp, error::ErrorKind};

use crate::fixtures::{Fixture, article_id, fields, of_source, page, search};

#[tokio::test]
async fn an_empty_list_has_no_more_pages() {
    let fixture = Fixture::empty().await;
    let first = fixture.list_articles(page(1)).await.unwrap();
    assert_eq!((first.articles, first.has_more), (vec![], false));
}

#[tokio::test]
async fn pages_of_twelve_state_whether_another_page_follows() {
    let fixture = Fixture::empty().await;
    let titles: Vec<String> = (1..=24).map(|n| format!("FeedItem {n}")).collect();
    for (n, title) in (1..).zip(&titles) {
        fixture.insert_article(n, n, "aba", title).await;
    }
    let first = fixture.list_articles(page(1)).await.unwrap();
    let second = fixture.list_articles(page(2)).await.unwrap();
    assert_eq!((first.has_more, second.has_more), (true, false), "24 fill two pages exactly");
    let seen: Vec<_> = first.articles.into_iter().chain(second.articles).map(|article| article.title).collect();
    assert_eq!(seen, titles);
    let third = fixture.list_articles(page(3)).await.unwrap();
    assert_eq!((third.articles.len(), third.has_more), (0, false));
}

#[tokio::test]
async fn the_last_allowed_page_has_no_more_pages() {
    let fixture = Fixture::empty().await;
    let many = format!(
        "insert into news.articles (id, story_id, source_id, url, canonical_url, title, published_at, found_at)
        select id, id, 'aba', 'https://example.org/' || n, 'https://example.org/' || n, 'Story', at, at
        from (
            select n, ('{prefix}' || lpad(to_hex(n), 12, '0'))::uuid as id, '2026-01-01'::timestamptz as at
            from generate_series(1, 12013) n
        ) as numbered",
        prefix = "01930000-0000-7000-8000-",
    );
    fixture.run(&many).await;
    let last = fixture.list_articles(page(1000)).await.unwrap();
    assert_eq!((last.articles.len(), last.has_more), (12, false));
    assert!(fixture.list_articles(page(999)).await.unwrap().has_more);
    let searched = |page| ListArticlesRequest { page, ..search("story") };
    let last = fixture.list_articles(searched(1000)).await.unwrap();
    assert_eq!((last.articles.len(), last.has_more), (12, false));
    assert!(fixture.list_articles(searched(999)).await.unwrap().has_more);
}

#[tokio::test]
async fn a_cluster_is_listed_once_and_each_copy_under_its_source() {
    let fixture = Fixture::empty().await;
    fixture.insert_article(9, 9, "law_com", "Ruling").await;
    fixture.insert_article(5, 9, "aba", "The ruling, again").await;
    fixture.insert_article(3, 3, "aba", "Another").await;
    assert_eq!(fixture.titles(page(1)).await, ["Another", "Ruling"]);
    assert_eq!(fixture.titles(of_source("aba")).await, ["Another", "The ruling, again"]);
    assert_eq!(fixture.titles(of_source("law_com")).await, ["Ruling"]);
    assert_eq!(fixture.titles(search("ruling")).await, ["Ruling"]);
    let both = ListArticlesRequest { search: "ruling".to_owned(), ..of_source("aba") };
    assert_eq!(fixture.titles(both).await, ["The ruling, again"]);
}

#[tokio::test]
async fn all_fields_are_returned_and_an_undated_article_is_sorted_by_discovery() {
    let fixture = Fixture::empty().await;
    fixture.insert_article(2, 2, "above_the_law", "Dated").await;
    fixture.insert_article(1, 1, "law_school_org", "Undated").await;
    fixture.insert_article(3, 3, "aba", "Older").await;
    let undate = "update news.articles set published_at = null, description = null, author = 'R. Cruz'
        where title = 'Undated'";
    fixture.run(undate).await;
    let articles = fixture.list_articles(page(1)).await.unwrap().articles;
    let undated = Article {
        id: article_id(1).to_string(),
        title: "Undated".to_owned(),
        description: None,
        author: Some("R. Cruz".to_owned()),
        url: "https://example.org/1".to_owned(),
        source: "law_school_org".to_owned(),
        source_name: "LawSchool.org".to_owned(),
        published_at: None,
        copies: vec![Copy {
            source: "law_school_org".to_owned(),
            source_name: "LawSchool.org".to_owned(),
            url: "https://example.org/1".to_owned(),
        }],
        is_demo: false,
        published_date: None,
    };
    assert_eq!(articles[0], undated);
    assert_eq!(fixture.get_article(&undated.id).await.unwrap(), undated);
    assert_eq!(articles[1].title, "Dated");
    let published_at = fixture.now() - TimeDelta::minutes(2);
    assert_eq!(articles[1].published_at, Some(timestamp(published_at)));
    assert_eq!(articles[1].description.as_deref(), Some("Reported by above_the_law."));
}

#[tokio::test]
async fn a_known_source_without_articles_is_empty_and_an_unknown_one_is_invalid() {
    let fixture = Fixture::empty().await;
    for known in ["above_the_law", "law_com", "law_school_org", "aba"] {
        assert_eq!(fixture.titles(of_source(known)).await, Vec::<String>::new());
    }
    for unknown in ["all_of_them", "ABA", "aba'; drop table news.articles; --", "\0", "a\0", &"a".repeat(1 << 20)] {
        let refused = fixture.list_articles(of_source(unknown)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["source"]), "{unknown:.9?}");
        let searched = ListArticlesRequest { search: "law".to_owned(), ..of_source(unknown) };
        assert_eq!(fixture.list_articles(searched).await.unwrap_err().kind, ErrorKind::Invalid);
    }
}

#[tokio::test]
async fn pages_outside_the_bounds_are_invalid() {
    let fixture = Fixture::empty().await;
    for number in [0, -1, 1001, i32::MAX, i32::MIN] {
        let refused = fixture.list_articles(page(number)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["page"]), "{number}");
    }
}

#[tokio::test]
async fn a_search_is_literal_and_invalid_ones_name_the_field() {
    let fixture = Fixture::empty().await;
    fixture.insert_article(1, 1, "aba", "Fees up 5% this year").await;
    fixture.insert_article(2, 2, "aba", "Fees up 50 this year").await;
    assert_eq!(fixture.titles(search("YEAR 5%")).await, ["Fees up 5% this year"]);
    assert_eq!(fixture.titles(search("reported fees")).await.len(), 2, "the description counts too");
    assert_eq!(fixture.titles(search("5_")).await, Vec::<String>::new());
    for bad in ["\0law", "la\0w", "law\0", "\u{202e}wal", "la\u{7}w", &"a".repeat(1 << 20), &"a ".repeat(90)] {
        let refused = fixture.list_articles(search(bad)).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["search"]), "{bad:.9?}");
    }
}

#[tokio::test]
async fn a_search_does_not_depend_on_the_signs_of_a_program() {
    let fixture = Fixture::empty().await;
    fixture.insert_article(1, 1, "aba", "The double \u{2019}s of an alpha ruling: a digest").await;
    fixture.insert_article(2, 2, "aba", "A court\u{2013}martial, a lawyer's oath").await;
    fixture.insert_article(3, 3, "aba", "A court martial of lawyers").await;
    for (words, expected) in [
        ("double 's", vec!["The double \u{2019}s of an alpha ruling: a digest"]),
        ("\"alpha ruling\"", vec!["The double \u{2019}s of an alpha ruling: a digest"]),
        ("digest, alpha", vec!["The double \u{2019}s of an alpha ruling: a digest"]),
        ("court-martial", vec!["A court\u{2013}martial, a lawyer's oath"]),
        ("lawyer\u{2019}s", vec!["A court\u{2013}martial, a lawyer's oath"]),
    ] {
        assert_eq!(fixture.titles(search(words)).await, expected, "{words}");
        let of_aba = ListArticlesRequest { search: words.to_owned(), ..of_source("aba") };
        assert_eq!(fixture.titles(of_aba).await, expected, "{words}");
    }
}

#[tokio::test]
async fn every_copy_lists_up_to_ten_copies_earliest_first() {
    let fixture = Fixture::empty().await;
    fixture.insert_article(9, 9, "law_com", "Ruling").await;
    fixture.insert_article(5, 9, "aba", "The ruling, again").await;
    fixture.insert_article(4, 9, "above_the_law", "The ruling, at last").await;
    fixture.insert_article(3, 3, "aba", "Another").await;
    let articles = fixture.list_articles(page(1)).await.unwrap().articles;
    let sources = |article: &Article| article.copies.iter().map(|copy| copy.source.clone()).collect::<Vec<_>>();
    assert_eq!(
        articles.iter().map(sources).collect::<Vec<_>>(),
        [vec!["aba"], vec!["law_com", "aba", "above_the_law"]]
    );
    let own = fixture.list_articles(of_source("above_the_law")).await.unwrap().articles.remove(0);
    assert_eq!(sources(&own), ["law_com", "aba", "above_the_law"]);
    assert_eq!(own.copies[2].url, own.url);
    assert_eq!(
        fixture.get_article(&article_id(5).to_string()).await.unwrap().copies,
        own.copies,
        "a copy is found too"
    );

    fixture
        .run(
            "insert into news.sources (id, name) select 'wire_' || n, 'Wire ' || n from generate_series(1, 12) n;
            insert into news.articles (id, story_id, source_id, url, canonical_url, title, found_at)
            select
                ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                '01930000-0000-7000-8000-000000000001',
                'wire_' || n, 'https://wire.example/' || n, 'https://wire.example/' || n, 'Wired', '2025-01-01'
            from generate_series(1, 12) n",
        )
        .await;
    let wired = fixture.list_articles(search("wired")).await.unwrap().articles;
    assert_eq!((wired.len(), wired[0].copies.len()), (1, 10));
    assert_eq!(wired[0].copies[9].source, "wire_10");
}

#[tokio::test]
async fn a_missing_article_is_not_found_and_a_malformed_id_is_invalid() {
    let fixture = Fixture::empty().await;
    let missing = fixture.get_article(&article_id(1).to_string()).await.unwrap_err();
    assert_eq!((missing.kind, missing.reason.as_str()), (ErrorKind::NotFound, "ARTICLE_NOT_FOUND"));
    assert_eq!(missing.message, "Article not found");
    for bad in ["", "1", "\0", "\u{202e}", "00000000-0000-0000-0000-000000000000", &"a".repeat(1 << 20)] {
        let refused = fixture.get_article(bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["articleId"]), "{bad:.9?}");
    }
}

#[tokio::test]
async fn a_rare_word_is_found_in_old_articles() {
    let fixture = Fixture::empty().await;
    let many = "insert into news.articles
            (id, story_id, source_id, url, canonical_url, title, description, published_at, found_at)
        select
            id, id, case when n % 2 = 0 then 'aba' else 'law_com' end, 'https://example.org/' || n,
            'https://example.org/' || n, case when n % 1000 = 0 then 'Admiralty ' || n else 'Appeal' end, 'A 5% rule',
            at, at
        from (
            select
                n, ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
                '2026-01-01'::timestamptz - n * interval '2 hours' as at
            from generate_series(1, 6000) n
        ) as numbered";
    fixture.run(many).await;
    let all: Vec<String> = (1..=6).map(|n| format!("Admiralty {n}000")).collect();
    assert_eq!(fixture.titles(search("admiralty")).await, all);
    assert_eq!(fixture.titles(search("ADMIRALTY 5%")).await, all, "all of the words");
    assert_eq!(fixture.titles(search("admiralty 6000")).await, all[5..]);
    let of_aba = ListArticlesRequest { search: "admiralty".to_owned(), ..of_source("aba") };
    assert_eq!(fixture.titles(of_aba).await, all);
    let of_law_com = ListArticlesRequest { search: "admiralty".to_owned(), ..of_source("law_com") };
    assert_eq!(fixture.titles(of_law_com).await, Vec::<String>::new());
    assert_eq!(fixture.titles(search("5%")).await.len(), 12, "short words are found among the newest");
    let second = ListArticlesRequest { page: 2, ..search("admiralty") };
    assert_eq!(fixture.titles(second).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_word_of_old_articles_fills_pages_in_order() {
    let fixture = Fixture::empty().await;
    // Over 500 days; copies are in another partition than their leader.
    let many = "insert into news.articles (id, story_id, source_id, url, canonical_url, title, published_at, found_at)
        select
            id, case when n % 4 = 3 then id_of_next else id end, case when n % 2 = 0 then 'aba' else 'law_com' end,
            'https://example.org/' || n, 'https://example.org/' || n,
            case when n > 4000 then 'Pandemic ' || n else 'Appeal' end, at, at
        from (
            select
                n,
                ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
                ('01930000-0000-7000-8000-' || lpad(to_hex(n + 1), 12, '0'))::uuid as id_of_next,
                '2026-03-02'::timestamptz - n * interval '2 hours' as at
            from generate_series(1, 6000) n
        ) as numbered";
    fixture.run(many).await;
    let titles = |kept: fn(u32) -> bool| (4001..=6000).filter(move |n| kept(*n)).map(|n| format!("Pandemic {n}"));
    for (source, kept) in
        [("", (|n| n % 4 != 3) as fn(u32) -> bool), ("aba", |n| n % 2 == 0), ("law_com", |n| n % 2 == 1)]
    {
        let all: Vec<String> = titles(kept).collect();
        for (number, expected) in (1..).zip(all.chunks(12)).step_by(20) {
            let request = ListArticlesRequest { page: number, ..search("pandemic") };
            let listed = fixture.titles(ListArticlesRequest { source: source.to_owned(), ..request }).await;
            assert_eq!(listed, expected, "page {number} of '{source}'");
        }
        let last = ListArticlesRequest { page: 1_000, source: source.to_owned(), ..search("pandemic") };
        assert_eq!(fixture.titles(last).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_batch_returns_each_article_as_a_single_get_does() {
    let fixture = Fixture::empty().await;
    fixture.insert_article(9, 9, "law_com", "Ruling").await;
    fixture.insert_article(5, 9, "aba", "The ruling, again").await;
    fixture.insert_article(3, 3, "aba", "Another").await;
    let ids: Vec<String> = [5, 8, 3, 5].map(|n| article_id(n).to_string()).to_vec();
    let mut some = fixture.batch_get_articles(&ids).await.unwrap();
    some.sort_by(|one, other| one.id.cmp(&other.id));
    let alone = [fixture.get_article(&ids[2]).await.unwrap(), fixture.get_article(&ids[0]).await.unwrap()];
    assert_eq!(some, alone);
    assert_eq!(some[1].copies.len(), 2);
    assert_eq!(fixture.batch_get_articles(&[]).await.unwrap(), []);
    for bad in [vec!["1".to_owned()], vec![ids[0].clone(), "\0".to_owned()], vec![ids[0].clone(); 101]] {
        let refused = fixture.batch_get_articles(&bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["articleIds"]));
    }
}

//! Crawls: new, changed and moved items, dates, conditional requests, and limits.

use axum::http::header;
use chrono::{NaiveTime, TimeDelta};
use portia_proto::news::{ListCrawledSourcesRequest, SourceState};
use primitives::clock::timestamp;

use crate::{
    feed_server::{FeedItem, FeedServer, feed, item},
    fixtures::{Fixture, longest_address, of_source, page},
};

#[tokio::test]
async fn items_are_listed_and_the_status_of_sources_is_reported() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba", "law_com"]).await;
    fixture.wait_until_idle().await;
    assert_eq!(fixture.get_source_status("aba").await.failure.as_deref(), Some("The server answered 503."));
    let at = fixture.now();
    server.serve("aba", feed(&[item(1, "One", at - TimeDelta::hours(1)), item(2, "Two", at - TimeDelta::hours(3))]));
    server.serve("law_com", feed(&[item(3, "Three &amp; four", at - TimeDelta::hours(2))]));
    assert_eq!(fixture.refresh().await, 3);
    assert_eq!(fixture.titles(page(1)).await, ["One", "Three & four", "Two"]);
    let one = fixture.list_articles(of_source("aba")).await.unwrap().articles.remove(0);
    assert_eq!(one.description.as_deref(), Some("Text1 without1 anything1 another1 says."));
    assert_eq!((one.url.as_str(), one.source_name.as_str()), ("https://stories.example/1", "ABA Journal"));
    assert_eq!(one.published_at.unwrap().seconds, (at - TimeDelta::hours(1)).timestamp());
    assert!(!one.is_demo);

    let request = fixture.visitor().request(ListCrawledSourcesRequest {}).unwrap();
    let listed = fixture.news.clone().list_crawled_sources(request).await.unwrap().into_inner().sources;
    let states: Vec<_> = listed.iter().map(|source| (source.name.as_str(), source.state(), source.new_items)).collect();
    assert_eq!(states, [("ABA Journal", SourceState::Healthy, 2), ("Law.com", SourceState::Healthy, 1)]);
    let aba = &listed[0];
    assert_eq!((aba.source.as_str(), aba.connector.as_str(), &aba.failure), ("aba", "rss", &None));
    assert_eq!(aba.last_run_at, aba.last_success_at);
    let rest = aba.due_at.unwrap().seconds - fixture.now().timestamp();
    assert!((11 * 3_600 + 1_440..=12 * 3_600 + 2_160).contains(&rest), "every twelve hours, nearly: {rest}");
    let crawls =
        fixture.column("select found || ' ' || new_items from news.crawls where failure is null order by found");
    assert_eq!(crawls.await, ["1 1", "2 2"]);

    assert_eq!(fixture.refresh().await, 0, "nothing is new twice");
    assert_eq!(fixture.titles(page(1)).await.len(), 3);
}

#[tokio::test]
async fn a_publication_without_a_time_of_day_is_a_date() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba"]).await;
    fixture.wait_until_idle().await;
    let yesterday = (fixture.now() - TimeDelta::days(1)).date_naive();
    let on = |date: String| FeedItem { date, ..item(1, "A brief", fixture.now()) };
    server.serve("aba", feed(&[on(yesterday.to_string())]));
    assert_eq!(fixture.refresh().await, 1);
    let read = async || fixture.list_articles(page(1)).await.unwrap().articles.remove(0);
    let article = read().await;
    assert_eq!(article.published_date, Some(yesterday.to_string()));
    assert_eq!(article.published_at, Some(timestamp(yesterday.and_time(NaiveTime::MIN).and_utc())));
    // A correction keeps the date, as it keeps a time.
    server.serve("aba", feed(&[FeedItem { title: "A long brief".to_owned(), ..on(fixture.now().to_rfc2822()) }]));
    assert_eq!(fixture.refresh().await, 0);
    let corrected = read().await;
    assert_eq!((corrected.title.as_str(), corrected.published_date), ("A long brief", article.published_date));
}

#[tokio::test]
async fn a_changed_or_moved_item_updates_its_article() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba"]).await;
    fixture.wait_until_idle().await;
    let first = item(1, "Court to Decide", fixture.now() - TimeDelta::hours(2));
    server.serve("aba", feed(std::slice::from_ref(&first)));
    assert_eq!(fixture.refresh().await, 1);
    let before = fixture.list_articles(page(1)).await.unwrap().articles.remove(0);

    let (title, description) = ("Court Decides".to_owned(), "Now it has.".to_owned());
    let changed = FeedItem { title, description, date: fixture.now().to_rfc2822(), ..first };
    let tagged = format!("{}?utm_source=rss&fbclid=1#top", changed.url);
    server.serve("aba", feed(&[FeedItem { url: tagged.clone(), ..changed.clone() }]));
    assert_eq!(fixture.refresh().await, 0);
    let after = fixture.list_articles(page(1)).await.unwrap().articles;
    assert_eq!((after.len(), &after[0].id), (1, &before.id));
    assert_eq!((after[0].title.as_str(), after[0].description.as_deref()), ("Court Decides", Some("Now it has.")));
    assert_eq!(after[0].published_at, before.published_at, "corrected, it is no newer");
    assert_eq!(after[0].url, tagged, "as the feed gives it");

    let moved = FeedItem { url: "https://elsewhere.example/court-decides".to_owned(), ..changed };
    server.serve("aba", feed(std::slice::from_ref(&moved)));
    assert_eq!(fixture.refresh().await, 0);
    let after = fixture.list_articles(page(1)).await.unwrap().articles;
    assert_eq!((after.len(), &after[0].id, &after[0].url), (1, &before.id, &moved.url));

    // A new identifier with the same address is the same article.
    server.serve("aba", feed(&[FeedItem { guid: "another".to_owned(), ..moved }]));
    assert_eq!(fixture.refresh().await, 0);
    assert_eq!(fixture.titles(page(1)).await.len(), 1);
}

#[tokio::test]
async fn an_address_in_two_feeds_is_one_article_of_the_first() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba"]).await;
    fixture.wait_until_idle().await;
    let first = item(1, "As the ABA has it", fixture.now());
    server.serve("aba", feed(std::slice::from_ref(&first)));
    fixture.refresh().await;
    let (feeds, admitted) = (server.feeds(&["aba", "law_com"]), server.address.to_string());
    server.serve("law_com", feed(&[FeedItem { title: "As another has it".to_owned(), ..first }]));
    let twin = fixture.twin(|config| config.with("news_feeds", feeds).with("crawl_admit", admitted));
    Fixture::start(&twin).await;
    fixture.wait_until_idle().await;
    assert_eq!(fixture.titles(page(1)).await, ["As the ABA has it"]);
    assert_eq!(fixture.titles(of_source("law_com")).await, Vec::<String>::new());
}

#[tokio::test]
async fn an_unreadable_date_is_missing_until_it_can_be_read() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba"]).await;
    fixture.wait_until_idle().await;
    let at = fixture.now();
    let dated = |n, title: &str, date: &str| FeedItem { date: date.to_owned(), ..item(n, title, at) };
    server.serve(
        "aba",
        feed(&[
            dated(1, "Sometime", "the day after the verdict"),
            dated(2, "Never", "0000-00-00"),
            dated(3, "In the year 10000", "10000-01-01T00:00:00Z"),
            dated(4, "Yesterday", &(at - TimeDelta::days(1)).to_rfc2822()),
            dated(5, "Blank", ""),
        ]),
    );
    assert_eq!(fixture.refresh().await, 5);
    let articles = fixture.list_articles(page(1)).await.unwrap().articles;
    let dates: Vec<_> = articles.iter().filter(|a| a.published_at.is_some()).map(|a| a.title.as_str()).collect();
    assert_eq!(dates, ["Yesterday"]);
    assert_eq!(articles[0].title, "Yesterday", "others are no newer than their neighbour");
    let order: Vec<&str> = articles.iter().map(|a| a.title.as_str()).collect();
    let place = |title: &str| order.iter().position(|other| *other == title);
    assert!(place("Sometime") < place("Never") && place("Never") < place("In the year 10000"), "{order:?}");

    let found = at - TimeDelta::hours(1);
    server.serve("aba", feed(&[dated(1, "Sometime", &found.to_rfc2822())]));
    fixture.refresh().await;
    let articles = fixture.list_articles(page(1)).await.unwrap().articles;
    assert_eq!((articles.len(), articles[0].title.as_str()), (5, "Sometime"));
    assert_eq!(articles[0].published_at.unwrap().seconds, found.timestamp());
}

#[tokio::test]
async fn undated_items_do_not_displace_dated_ones() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba", "law_com"]).await;
    fixture.wait_until_idle().await;
    let at = fixture.now();
    let dated: Vec<FeedItem> =
        (1..=13).map(|n| item(n, &format!("Dated {n}"), at - TimeDelta::hours(i64::from(n)))).collect();
    let undated = |from: u32, to: u32| -> Vec<FeedItem> {
        let item = |n| FeedItem { date: "8th day of the week".to_owned(), ..item(n, &format!("Undated {n}"), at) };
        (from..=to).map(item).collect()
    };
    server.serve("aba", feed(&dated));
    server.serve("law_com", feed(&undated(101, 130)));
    assert_eq!(fixture.refresh().await, 43);
    let titles = |articles: &[FeedItem]| articles.iter().map(|item| item.title.clone()).collect::<Vec<_>>();
    assert_eq!(fixture.titles(page(1)).await, titles(&dated[..12]), "the first crawl of a feed tells no ages");
    assert_eq!(fixture.titles(of_source("law_com")).await, titles(&undated(101, 112)), "in the order of the feed");

    // Some of the new items beside known items are as new as their discovery.
    server.serve("law_com", feed(&undated(91, 130)));
    assert_eq!(fixture.refresh().await, 10);
    let listed = fixture.titles(page(1)).await;
    assert_eq!(listed[0], "Undated 91");
    assert_eq!(listed.iter().filter(|title| title.starts_with("Undated")).count(), 2, "{listed:?}");
    assert_eq!(fixture.titles(of_source("law_com")).await[0], "Undated 91");

    // A source whose identifiers and addresses change each time.
    server.serve("law_com", feed(&undated(201, 230)));
    assert_eq!(fixture.refresh().await, 30);
    assert_eq!(fixture.titles(page(1)).await, listed);
}

#[tokio::test]
async fn items_at_nearly_the_same_address_are_separate_and_stay_so() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba"]).await;
    fixture.wait_until_idle().await;
    let addresses = [
        "https://digest.example/week#case-2",
        "https://digest.example/week#case-3",
        "https://digest.example/week",
        "https://digest.example/week?utm_source=rss",
        "https://spa.example/#!/o/2",
        "https://spa.example/#/o/3",
        "https://court.example/view?ref=2026-102",
        "https://court.example/view?REF=2026-103",
        "https://paper.example/q?a=1&a=2",
        "https://paper.example/q?a=2&a=1",
    ];
    let at = fixture.now();
    let items = |titles: &str| -> Vec<FeedItem> {
        let item = |(n, url): (u32, &str)| FeedItem {
            url: url.to_owned(),
            ..item(n, &format!("{titles} {n}"), at - TimeDelta::hours(i64::from(n)))
        };
        (1..).zip(addresses).map(item).collect()
    };
    let rows = "select id || ' ' || guid || ' ' || url || ' ' || title from news.articles order by listed_at desc";
    // A row of an earlier release, whose address had lost its parameter.
    server.serve("aba", feed(&items("Ruling")[6..7]));
    assert_eq!(fixture.refresh().await, 1);
    let earlier = fixture.column(rows).await;
    server.serve("aba", feed(&items("Ruling")));
    assert_eq!(fixture.refresh().await, 9);
    let stored = fixture.column(rows).await;
    assert_eq!((stored.len(), &stored[6]), (10, &earlier[0]));
    let mut turned = items("Ruling");
    turned.reverse();
    server.serve("aba", feed(&turned));
    assert_eq!(fixture.refresh().await, 0);
    assert_eq!(fixture.column(rows).await, stored, "the next crawl changes nothing");
    server.serve("aba", feed(&items("Corrected")));
    assert_eq!(fixture.refresh().await, 0);
    let corrected: Vec<String> = stored.iter().map(|row| row.replace("Ruling", "Corrected")).collect();
    assert_eq!(fixture.column(rows).await, corrected);
    // Another document that differs in tracking and title.
    let url = "https://court.example/view?ref=2026-104".to_owned();
    server.serve("aba", feed(&[FeedItem { url, ..item(11, "Ruling 11", at) }]));
    assert_eq!(fixture.refresh().await, 1);
}

#[tokio::test]
async fn items_without_identifiers_are_separate_and_stay_so() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba"]).await;
    fixture.wait_until_idle().await;
    let feed = |entries: &[(&str, &str)]| {
        let item = |(url, title): &(&str, &str)| format!("<item><title>{title}</title><link>{url}</link></item>");
        let items: String = entries.iter().map(item).collect();
        feed(&[]).saying(&format!("<rss version='2.0'><channel>{items}</channel></rss>"))
    };
    let (two, three) = (("/view?ref=2", "Two"), ("/view?ref=3", "Three"));
    server.serve("aba", feed(&[two, three, two, ("/view", "Four"), ("/view", "Five")]));
    assert_eq!(fixture.refresh().await, 4);
    let rows = "select id || title || url from news.articles order by title";
    let stored = fixture.column(rows).await;
    assert!(
        stored[3].ends_with(&format!("Twohttp://{}/view?ref=2", server.address)),
        "relative to the feed: {stored:?}"
    );
    server.serve("aba", feed(&[("/view", "Five"), three, ("/view", "Four"), two]));
    assert_eq!(fixture.refresh().await, 0);
    assert_eq!(fixture.column(rows).await, stored);
    // An identifier of an earlier release was generated.
    fixture.run("update news.articles set guid = md5(url || title)").await;
    server.serve("aba", feed(&[("/view?utm_source=x", "Five"), ("/view?ref=2", "Two, corrected")]));
    assert_eq!(fixture.refresh().await, 0);
    assert_eq!(fixture.column("select title from news.articles order by title").await[3], "Two, corrected");
}

#[tokio::test]
async fn an_unchanged_feed_is_not_transferred_again() {
    let server = FeedServer::start().await;
    let fixture = Fixture::starting(&server, &["aba"]).await;
    fixture.wait_until_idle().await;
    let unchanged = feed(&[item(1, "One", fixture.now())]);
    let (tag, date) = ("\"v1\"", "Mon, 02 Mar 2026 08:00:00 GMT");
    server.serve("aba", unchanged.with(header::ETAG, tag).with(header::LAST_MODIFIED, date));
    assert_eq!(fixture.refresh().await, 1);
    assert_eq!(fixture.refresh().await, 0);
    let requests = server.requests("aba");
    assert_eq!(requests[1].get(header::IF_NONE_MATCH), None, "a failure left nothing to compare with");
    assert_eq!(requests[2].get(header::IF_NONE_MATCH).unwrap(), tag);
    assert_eq!(requests[2].get(header::IF_MODIFIED_SINCE).unwrap(), date);
    let aba = fixture.get_source_status("aba").await;
    assert_eq!((aba.failures, aba.failure, aba.new_items), (0, None, 0));
    assert_eq!(aba.last_success_at, Some(fixture.now()));
    assert_eq!(fixture.column("select id::text from news.crawls where unchanged").await.len(), 1);
    assert_eq!(fixture.titles(page(1)).await, ["One"], "it stays");
    fixture.refresh().await;
    assert_eq!(server.requests("aba")[3].get(header::IF_NONE_MATCH).unwrap(), tag, "and is remembered");
}

#[tokio::test]
async fn items_become_plain_text_of_bounded_length() {
    let server = FeedServer::start().await;
    let at = testkit::clock().now();
    let long = "word ".repeat(20_000);
    let bad = |n, title: &str, description: &str| FeedItem {
        description: description.to_owned(),
        ..item(n, title, at - TimeDelta::minutes(i64::from(n)))
    };
    server.serve(
        "aba",
        feed(&[
            bad(1, "&lt;script&gt;alert(1)&lt;/script&gt;Plain", "<script>alert(1)</script><b>bold</b> words"),
            bad(2, &long, &long),
            bad(3, "\u{202e}Turned\u{7}", "a\u{202e}b"),
            FeedItem {
                url: "javascript:alert(1)".to_owned(),
                guid: "not an address".to_owned(),
                ..bad(4, "Scripted", "x")
            },
            FeedItem { url: "https://u:p@stories.example/".to_owned(), ..bad(5, "Signed in", "x") },
            bad(6, "&#32;", "no title"),
            bad(7, "Last", "x"),
            FeedItem {
                url: longest_address(),
                ..bad(8, "At an address that grows when it is written the one way", "x")
            },
        ]),
    );
    let fixture = Fixture::crawling(&server, &["aba"]).await;
    assert_eq!(fixture.get_source_status("aba").await.failure, None);
    let articles = fixture.list_articles(page(1)).await.unwrap().articles;
    assert_eq!(articles.len(), 5, "{:?}", articles.iter().map(|a| &a.title).collect::<Vec<_>>());
    assert_eq!((articles[0].title.as_str(), articles[0].description.as_deref()), ("Plain", Some("bold words")));
    assert!(
        articles[1].title.chars().count() <= 300 && articles[1].description.as_ref().unwrap().chars().count() <= 400
    );
    assert_eq!((articles[2].title.as_str(), articles[2].description.as_deref()), ("Turned", Some("ab")));
    assert_eq!(articles[3].title, "Last");
    assert_eq!(articles[4].url, longest_address());
}

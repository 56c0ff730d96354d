//! Reading feeds: what becomes of what they say, and of what they say otherwise the next time.

use axum::http::header;
use chrono::TimeDelta;
use portia_proto::news::{ListCrawledSourcesRequest, SourceState};

use crate::{
    newsroom::{Newsroom, of_source, page, unwieldy},
    press::{Press, Story, feed, story},
};

#[tokio::test]
async fn what_feeds_say_is_listed_and_how_they_do_is_told() {
    let press = Press::start().await;
    let newsroom = Newsroom::beginning(&press, &["aba", "law_com"]).await;
    newsroom.settled().await;
    assert_eq!(newsroom.source("aba").await.failure.as_deref(), Some("The server answered 503."));
    let at = newsroom.now();
    press.print("aba", feed(&[story(1, "One", at - TimeDelta::hours(1)), story(2, "Two", at - TimeDelta::hours(3))]));
    press.print("law_com", feed(&[story(3, "Three &amp; four", at - TimeDelta::hours(2))]));
    assert_eq!(newsroom.refresh().await, 3);
    assert_eq!(newsroom.titles(page(1)).await, ["One", "Three & four", "Two"]);
    let one = newsroom.list(of_source("aba")).await.unwrap().articles.remove(0);
    assert_eq!(one.description.as_deref(), Some("Text1 without1 anything1 another1 says."));
    assert_eq!((one.url.as_str(), one.source_name.as_str()), ("https://stories.example/1", "ABA Journal"));
    assert_eq!(one.published_at.unwrap().seconds, (at - TimeDelta::hours(1)).timestamp());
    assert!(!one.is_demo);

    let request = newsroom.visitor().request(ListCrawledSourcesRequest {}).unwrap();
    let told = newsroom.news.clone().list_crawled_sources(request).await.unwrap().into_inner().sources;
    let states: Vec<_> = told.iter().map(|source| (source.name.as_str(), source.state(), source.new_items)).collect();
    assert_eq!(states, [("ABA Journal", SourceState::Healthy, 2), ("Law.com", SourceState::Healthy, 1)]);
    let aba = &told[0];
    assert_eq!((aba.source.as_str(), aba.connector.as_str(), &aba.failure), ("aba", "rss", &None));
    assert_eq!(aba.last_run_at, aba.last_success_at);
    let rest = aba.due_at.unwrap().seconds - newsroom.now().timestamp();
    assert!((11 * 3_600 + 1_440..=12 * 3_600 + 2_160).contains(&rest), "every twelve hours, nearly: {rest}");
    let crawls =
        newsroom.column("select found || ' ' || new_items from news.crawls where failure is null order by found");
    assert_eq!(crawls.await, ["1 1", "2 2"]);

    assert_eq!(newsroom.refresh().await, 0, "nothing is new twice");
    assert_eq!(newsroom.titles(page(1)).await.len(), 3);
}

#[tokio::test]
async fn a_story_that_changes_or_moves_is_no_second_one() {
    let press = Press::start().await;
    let newsroom = Newsroom::beginning(&press, &["aba"]).await;
    newsroom.settled().await;
    let first = story(1, "Court to Decide", newsroom.now() - TimeDelta::hours(2));
    press.print("aba", feed(std::slice::from_ref(&first)));
    assert_eq!(newsroom.refresh().await, 1);
    let before = newsroom.list(page(1)).await.unwrap().articles.remove(0);

    let (title, description) = ("Court Decides".to_owned(), "Now it has.".to_owned());
    let changed = Story { title, description, date: newsroom.now().to_rfc2822(), ..first };
    let tagged = format!("{}?utm_source=rss&fbclid=1#top", changed.url);
    press.print("aba", feed(&[Story { url: tagged.clone(), ..changed.clone() }]));
    assert_eq!(newsroom.refresh().await, 0);
    let after = newsroom.list(page(1)).await.unwrap().articles;
    assert_eq!((after.len(), &after[0].id), (1, &before.id));
    assert_eq!((after[0].title.as_str(), after[0].description.as_deref()), ("Court Decides", Some("Now it has.")));
    assert_eq!(after[0].published_at, before.published_at, "corrected, it is no newer");
    assert_eq!(after[0].url, tagged, "as the feed gives it");

    let moved = Story { url: "https://elsewhere.example/court-decides".to_owned(), ..changed };
    press.print("aba", feed(std::slice::from_ref(&moved)));
    assert_eq!(newsroom.refresh().await, 0);
    let after = newsroom.list(page(1)).await.unwrap().articles;
    assert_eq!((after.len(), &after[0].id, &after[0].url), (1, &before.id, &moved.url));

    // Where the feed changes its names instead, the address says that it is the same.
    press.print("aba", feed(&[Story { guid: "another".to_owned(), ..moved }]));
    assert_eq!(newsroom.refresh().await, 0);
    assert_eq!(newsroom.titles(page(1)).await.len(), 1);
}

#[tokio::test]
async fn an_address_two_feeds_lead_to_is_one_article_of_the_first() {
    let press = Press::start().await;
    let newsroom = Newsroom::beginning(&press, &["aba"]).await;
    newsroom.settled().await;
    let first = story(1, "As the ABA has it", newsroom.now());
    press.print("aba", feed(std::slice::from_ref(&first)));
    newsroom.refresh().await;
    let (feeds, admitted) = (press.feeds(&["aba", "law_com"]), press.address.to_string());
    press.print("law_com", feed(&[Story { title: "As another has it".to_owned(), ..first }]));
    let twin = newsroom.twin(|config| config.with("news_feeds", feeds).with("crawl_admit", admitted));
    Newsroom::start(&twin).await;
    newsroom.settled().await;
    assert_eq!(newsroom.titles(page(1)).await, ["As the ABA has it"]);
    assert_eq!(newsroom.titles(of_source("law_com")).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_date_nobody_can_read_is_none_until_one_can() {
    let press = Press::start().await;
    let newsroom = Newsroom::beginning(&press, &["aba"]).await;
    newsroom.settled().await;
    let at = newsroom.now();
    let dated = |n, title: &str, date: &str| Story { date: date.to_owned(), ..story(n, title, at) };
    press.print(
        "aba",
        feed(&[
            dated(1, "Sometime", "the day after the verdict"),
            dated(2, "Never", "0000-00-00"),
            dated(3, "In the year 10000", "10000-01-01T00:00:00Z"),
            dated(4, "Yesterday", &(at - TimeDelta::days(1)).to_rfc2822()),
            dated(5, "Blank", ""),
        ]),
    );
    assert_eq!(newsroom.refresh().await, 5);
    let articles = newsroom.list(page(1)).await.unwrap().articles;
    let dates: Vec<_> = articles.iter().filter(|a| a.published_at.is_some()).map(|a| a.title.as_str()).collect();
    assert_eq!(dates, ["Yesterday"]);
    assert_eq!(articles[4].title, "Yesterday", "without a date it stands where it was found");

    let found = at - TimeDelta::days(2);
    press.print("aba", feed(&[dated(1, "Sometime", &found.to_rfc2822())]));
    newsroom.refresh().await;
    let articles = newsroom.list(page(1)).await.unwrap().articles;
    assert_eq!((articles.len(), articles[4].title.as_str()), (5, "Sometime"));
    assert_eq!(articles[4].published_at.unwrap().seconds, found.timestamp());
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let press = Press::start().await;
    let newsroom = Newsroom::beginning(&press, &["aba"]).await;
    newsroom.settled().await;
    let told = feed(&[story(1, "One", newsroom.now())]);
    let (tag, date) = ("\"v1\"", "Mon, 02 Mar 2026 08:00:00 GMT");
    press.print("aba", told.with(header::ETAG, tag).with(header::LAST_MODIFIED, date));
    assert_eq!(newsroom.refresh().await, 1);
    assert_eq!(newsroom.refresh().await, 0);
    let asked = press.asked("aba");
    assert_eq!(asked[1].get(header::IF_NONE_MATCH), None, "a failure left nothing to compare with");
    assert_eq!(asked[2].get(header::IF_NONE_MATCH).unwrap(), tag);
    assert_eq!(asked[2].get(header::IF_MODIFIED_SINCE).unwrap(), date);
    let aba = newsroom.source("aba").await;
    assert_eq!((aba.failures, aba.failure, aba.new_items), (0, None, 0));
    assert_eq!(aba.last_success_at, Some(newsroom.now()));
    assert_eq!(newsroom.column("select id::text from news.crawls where unchanged").await.len(), 1);
    assert_eq!(newsroom.titles(page(1)).await, ["One"], "it stays");
    newsroom.refresh().await;
    assert_eq!(press.asked("aba")[3].get(header::IF_NONE_MATCH).unwrap(), tag, "and is remembered");
}

#[tokio::test]
async fn what_feeds_say_is_text_of_bounded_length() {
    let press = Press::start().await;
    let at = testkit::clock().now();
    let long = "word ".repeat(20_000);
    let bad = |n, title: &str, description: &str| Story {
        description: description.to_owned(),
        ..story(n, title, at - TimeDelta::minutes(i64::from(n)))
    };
    press.print(
        "aba",
        feed(&[
            bad(1, "&lt;script&gt;alert(1)&lt;/script&gt;Plain", "<script>alert(1)</script><b>bold</b> words"),
            bad(2, &long, &long),
            bad(3, "\u{202e}Turned\u{7}", "a\u{202e}b"),
            Story {
                url: "javascript:alert(1)".to_owned(),
                guid: "not an address".to_owned(),
                ..bad(4, "Scripted", "x")
            },
            Story { url: "https://u:p@stories.example/".to_owned(), ..bad(5, "Signed in", "x") },
            bad(6, "&#32;", "no title"),
            bad(7, "Last", "x"),
            Story { url: unwieldy(), ..bad(8, "At an address that grows when it is written the one way", "x") },
        ]),
    );
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    assert_eq!(newsroom.source("aba").await.failure, None);
    let articles = newsroom.list(page(1)).await.unwrap().articles;
    assert_eq!(articles.len(), 5, "{:?}", articles.iter().map(|a| &a.title).collect::<Vec<_>>());
    assert_eq!((articles[0].title.as_str(), articles[0].description.as_deref()), ("Plain", Some("bold words")));
    assert!(
        articles[1].title.chars().count() <= 300 && articles[1].description.as_ref().unwrap().chars().count() <= 400
    );
    assert_eq!((articles[2].title.as_str(), articles[2].description.as_deref()), ("Turned", Some("ab")));
    assert_eq!(articles[3].title, "Last");
    assert_eq!(articles[4].url, unwieldy());
}

//! Reading feeds: what becomes of what they say, of what they say otherwise the next time, and of those that fail.

use axum::http::header;
use chrono::TimeDelta;
use portia_proto::news::{ListCrawledSourcesRequest, SourceState};

use crate::{
    newsroom::{Newsroom, of_source, page},
    press::{Press, Story, feed, refusal, story},
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
    assert_eq!(one.description.as_deref(), Some("What there is to say about number 1."));
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
    let crawls = newsroom.column("select found || ' ' || new_items from news.crawls where failure is null order by found");
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
    press.print("aba", feed(&[first.clone()]));
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
    press.print("aba", feed(&[moved.clone()]));
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
    press.print("aba", feed(&[first.clone()]));
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
async fn a_source_that_fails_is_left_alone_ever_longer_and_touches_no_other() {
    let press = Press::start().await;
    press.print("law_com", feed(&[story(1, "One", testkit::clock().now())]));
    press.print("aba", refusal(500));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    assert_eq!(newsroom.titles(page(1)).await, ["One"]);
    let mut rests = Vec::new();
    for failures in 1..=3 {
        let aba = newsroom.source("aba").await;
        assert_eq!((aba.failures, aba.failure.as_deref()), (failures, Some("The server answered 500.")));
        assert_eq!((aba.last_run_at, aba.last_success_at), (Some(newsroom.now()), None));
        rests.push((aba.due_at.unwrap() - newsroom.now()).num_minutes());
        newsroom.refresh().await;
    }
    assert_eq!(rests, [2, 4, 8]);
    assert_eq!(newsroom.source("law_com").await.failures, 0);

    press.print("aba", feed(&[story(2, "Two", newsroom.now())]));
    assert_eq!(newsroom.refresh().await, 1);
    let aba = newsroom.source("aba").await;
    assert_eq!((aba.failures, aba.failure, aba.last_success_at), (0, None, Some(newsroom.now())));
}

#[tokio::test]
async fn who_asks_to_be_left_alone_is_whoever_refreshes() {
    let press = Press::start().await;
    press.print("aba", refusal(429).with(header::RETRY_AFTER, "3600"));
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    newsroom.refresh().await;
    assert_eq!((press.asked("aba").len(), press.asked("law_com").len()), (1, 2));
    assert_eq!(newsroom.source("aba").await.failure.as_deref(), Some("The server asked for a rest."));
    newsroom.harness.clock.advance(TimeDelta::hours(1));
    newsroom.refresh().await;
    assert_eq!(press.asked("aba").len(), 2);
}

#[tokio::test]
async fn what_is_no_feed_is_a_failure_and_the_last_good_stories_stay() {
    let press = Press::start().await;
    let at = testkit::clock().now();
    press.print("aba", feed(&[story(1, "One", at)]));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    let whole = feed(&[story(2, "Two", at)]);
    for (said, why) in [
        ("<!doctype html><html><body>Be right back</body></html>", None),
        ("", Some("It was empty.")),
        ("{\"items\": []}", Some("It is no RSS or Atom feed.")),
        ("<!DOCTYPE rss [<!ENTITY a \"b\">]><rss><channel><title>&a;</title></channel></rss>", None),
        ("\0\0\0", None),
    ] {
        press.print("aba", whole.clone().saying(said));
        assert_eq!(newsroom.refresh().await, 0, "{said}");
        let failure = newsroom.source("aba").await.failure.unwrap_or_else(|| panic!("{said} is a feed"));
        assert!(why.is_none_or(|why| why == failure), "{said}: {failure}");
        assert_eq!(newsroom.titles(page(1)).await, ["One"], "{said}");
    }
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
            Story { url: "javascript:alert(1)".to_owned(), guid: "not an address".to_owned(), ..bad(4, "Scripted", "x") },
            Story { url: "https://u:p@stories.example/".to_owned(), ..bad(5, "Signed in", "x") },
            bad(6, "&#32;", "no title"),
            bad(7, "Last", "x"),
        ]),
    );
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    assert_eq!(newsroom.source("aba").await.failure, None);
    let articles = newsroom.list(page(1)).await.unwrap().articles;
    assert_eq!(articles.len(), 4, "{:?}", articles.iter().map(|a| &a.title).collect::<Vec<_>>());
    assert_eq!((articles[0].title.as_str(), articles[0].description.as_deref()), ("Plain", Some("bold words")));
    assert!(articles[1].title.chars().count() <= 300 && articles[1].description.as_ref().unwrap().chars().count() <= 600);
    assert_eq!((articles[2].title.as_str(), articles[2].description.as_deref()), ("Turned", Some("ab")));
    assert_eq!(articles[3].title, "Last");
}

#[tokio::test]
async fn where_nobody_can_be_reached_it_starts_all_the_same() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (feeds, admitted) = (format!("aba=http://{nobody}/feed, law_com=http://10.0.0.1/feed"), nobody.to_string());
    let newsroom = Newsroom::with(&[("crawl", "on"), ("news_feeds", &feeds), ("crawl_admit", &admitted)]).await;
    newsroom.settled().await;
    assert_eq!(newsroom.titles(page(1)).await, Vec::<String>::new());
    assert_eq!(newsroom.source("aba").await.failure.as_deref(), Some("The server could not be reached."));
    assert_eq!(newsroom.source("law_com").await.failure.as_deref(), Some("The address is not https."));
    assert_eq!(newsroom.sources().await.len(), 4);
}

#[tokio::test]
async fn a_source_that_is_no_longer_configured_keeps_its_articles_and_is_asked_no_more() {
    let press = Press::start().await;
    press.print("aba", feed(&[story(1, "One", testkit::clock().now())]));
    press.print("one_more", feed(&[story(2, "Two", testkit::clock().now())]));
    press.print("quiet_one", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "one_more", "quiet_one"]).await;
    let names = |sources: Vec<(String, String)>| sources.into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    let all = ["ABA Journal", "Above the Law", "Law.com", "LawSchool.org", "One More", "Quiet One"];
    assert_eq!(names(newsroom.sources().await), all);
    newsroom.harness.stop().await;

    let twin = newsroom.twin(|config| config.with("news_feeds", "none"));
    let news = Newsroom::start(&twin).await;
    newsroom.harness.clock.advance(TimeDelta::days(1));
    assert_eq!(newsroom.press_refresh(&news).await, 0);
    assert_eq!((press.asked("aba").len(), press.asked("one_more").len()), (1, 1));
    let request = newsroom.visitor().request(of_source("one_more")).unwrap();
    assert_eq!(news.clone().list_articles(request).await.unwrap().into_inner().articles.len(), 1);
    let names = newsroom.column("select name from news.sources order by name").await;
    assert_eq!(names, all[..5], "one that told nothing is forgotten, and the specification's four stand");
    assert_eq!(newsroom.column("select id from news.sources where is_on").await, Vec::<String>::new());
    twin.tasks.stop(std::time::Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_feed_that_moved_is_asked_at_once_and_for_everything() {
    let press = Press::start().await;
    press.print("aba", feed(&[]).with(header::ETAG, "\"v1\""));
    press.print("aba/new", feed(&[story(1, "One", testkit::clock().now())]).with(header::ETAG, "\"v1\""));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    newsroom.harness.stop().await;
    let address = press.address;
    let same = newsroom.twin(|config| config.with("news_every_hours", 24));
    Newsroom::start(&same).await;
    newsroom.settled().await;
    assert_eq!(press.asked("aba").len(), 1, "it keeps its turn where only the rhythm changes");
    same.tasks.stop(std::time::Duration::from_secs(5)).await;
    let moved = newsroom.twin(|config| config.with("news_feeds", format!("aba=http://{address}/aba/new")));
    Newsroom::start(&moved).await;
    newsroom.until("select id::text from news.articles", 1).await;
    assert_eq!(press.asked("aba/new")[0].get(header::IF_NONE_MATCH), None);
    moved.tasks.stop(std::time::Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_hundred_crawls_of_a_source_are_remembered() {
    let press = Press::start().await;
    press.print("aba", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    newsroom
        .run(
            "insert into news.crawls (id, source_id, started_at, ended_at)
            select
                ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'aba',
                '2026-01-01'::timestamptz + n * interval '1 minute', '2026-02-01'
            from generate_series(1, 200) n",
        )
        .await;
    newsroom.refresh().await;
    let kept = newsroom.column("select started_at::text from news.crawls order by started_at").await;
    assert_eq!(kept.len(), 100);
    assert!(kept[0].starts_with("2026-01-01 01:43"), "the newest: {}", kept[0]);
}

#[tokio::test]
async fn articles_beyond_two_years_and_beyond_twenty_thousand_of_a_source_go() {
    let press = Press::start().await;
    let now = testkit::clock().now();
    let old = |days| now - TimeDelta::days(days);
    press.print("aba", feed(&[story(1, "Today", now), story(2, "Two years ago", old(731)), story(3, "Nearly", old(729))]));
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    assert_eq!(newsroom.titles(of_source("aba")).await, ["Today", "Nearly"], "what would go does not come");
    newsroom
        .run(
            "insert into news.articles (id, story_id, source_id, url, canonical_url, title, published_at, found_at)
            select id, id, 'law_com', 'https://l.example/' || n, 'https://l.example/' || n, 'Row ' || n, at, at
            from (
                select
                    n, ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
                    '2026-01-01'::timestamptz - n * interval '1 minute' as at
                from generate_series(1, 20600) n
            ) numbered",
        )
        .await;
    newsroom.harness.clock.advance(TimeDelta::days(2));
    newsroom.refresh().await;
    assert_eq!(newsroom.titles(of_source("aba")).await, ["Today"]);
    let left = "select count(*) || ' ' || max(substr(title, 5)::integer) from news.articles where source_id = 'law_com'";
    assert_eq!(newsroom.column(left).await, ["20000 20000"]);
}

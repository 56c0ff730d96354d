//! Clusters: articles of several sources on one story are listed once, as the earliest copy.

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::news::Article;

use crate::{
    feed_server::{FeedItem, FeedServer, Page, feed, item},
    fixtures::{Fixture, of_source, page},
};

const TITLES: [&str; 3] = [
    "Supreme Court Rules Police Need a Warrant to Search Doorbell Videos",
    "Police Need Warrant for Doorbell Videos, Supreme Court Rules",
    "Supreme Court rules that police need a warrant to search doorbell videos",
];

fn now() -> DateTime<Utc> {
    testkit::clock().now()
}

fn hours_ago(hours: i64) -> DateTime<Utc> {
    now() - TimeDelta::hours(hours)
}

fn one(n: u32, title: &str, at: DateTime<Utc>) -> Page {
    feed(&[item(n, title, at)])
}

fn copy_sources(article: &Article) -> Vec<&str> {
    article.copies.iter().map(|copy| copy.source.as_str()).collect()
}

/// Returns the listed clusters: the source of the leader, and the sources of all copies.
async fn list_clusters(fixture: &Fixture) -> Vec<(String, Vec<String>)> {
    let articles = fixture.list_articles(page(1)).await.unwrap().articles;
    let clusters =
        articles.iter().map(|a| (a.source.clone(), copy_sources(a).into_iter().map(str::to_owned).collect()));
    clusters.collect()
}

fn cluster(leader: &str, all: &[&str]) -> (String, Vec<String>) {
    (leader.to_owned(), all.iter().map(|source| (*source).to_owned()).collect())
}

#[tokio::test]
async fn a_story_of_several_sources_is_listed_once_with_all_sources() {
    let server = FeedServer::start().await;
    server.serve("aba", one(1, TITLES[0], hours_ago(5)));
    server.serve("law_com", one(2, TITLES[1], hours_ago(30)));
    server.serve("above_the_law", one(3, TITLES[2], hours_ago(1)));
    let fixture = Fixture::crawling(&server, &["aba", "law_com", "above_the_law"]).await;
    assert_eq!(list_clusters(&fixture).await, [cluster("law_com", &["law_com", "aba", "above_the_law"])]);
    for (source, title) in [("aba", TITLES[0]), ("law_com", TITLES[1]), ("above_the_law", TITLES[2])] {
        assert_eq!(fixture.titles(of_source(source)).await, [title], "under its own title");
    }
}

#[tokio::test]
async fn an_earlier_copy_found_later_leads_the_cluster() {
    let server = FeedServer::start().await;
    server.serve("aba", one(1, TITLES[0], hours_ago(5)));
    server.serve("law_com", one(2, TITLES[1], hours_ago(3)));
    server.serve("above_the_law", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com", "above_the_law"]).await;
    assert_eq!(list_clusters(&fixture).await, [cluster("aba", &["aba", "law_com"])]);
    server.serve("above_the_law", one(3, TITLES[2], hours_ago(9)));
    assert_eq!(fixture.refresh().await, 1);
    assert_eq!(list_clusters(&fixture).await, [cluster("above_the_law", &["above_the_law", "aba", "law_com"])]);
    let leading = "select count(distinct story_id)::text from news.articles";
    assert_eq!(fixture.column(leading).await, ["1"], "all of it moved");
}

#[tokio::test]
async fn a_date_that_becomes_known_changes_the_leader() {
    let server = FeedServer::start().await;
    server.serve("aba", one(1, TITLES[0], hours_ago(5)));
    server.serve("law_com", feed(&[FeedItem { date: "?".to_owned(), ..item(2, TITLES[1], now()) }]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    assert_eq!(list_clusters(&fixture).await, [cluster("aba", &["aba", "law_com"])]);
    server.serve("law_com", one(2, TITLES[1], hours_ago(8)));
    fixture.refresh().await;
    assert_eq!(list_clusters(&fixture).await, [cluster("law_com", &["law_com", "aba"])]);
}

#[tokio::test]
async fn a_copy_without_a_date_joins_its_story_and_does_not_lead() {
    let undated = || feed(&[FeedItem { date: "?".to_owned(), ..item(2, TITLES[1], now()) }]);
    for undated_first in [true, false] {
        let server = FeedServer::start().await;
        let dated = one(1, TITLES[0], hours_ago(5));
        server.serve("law_com", if undated_first { undated() } else { feed(&[]) });
        server.serve("aba", if undated_first { feed(&[]) } else { dated.clone() });
        let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
        server.serve("law_com", undated());
        server.serve("aba", dated);
        assert_eq!(fixture.refresh().await, 1);
        assert_eq!(list_clusters(&fixture).await, [cluster("aba", &["aba", "law_com"])], "{undated_first}");
        let older = "select a.title from news.articles a join news.articles lead on lead.id = a.story_id
            where a.listed_at < lead.listed_at";
        assert_eq!(fixture.column(older).await, Vec::<String>::new(), "{undated_first}");
    }
}

#[tokio::test]
async fn equal_descriptions_are_one_story() {
    let text =
        "The justices held on Tuesday that officers may not watch what a doorbell has recorded without a warrant.";
    let server = FeedServer::start().await;
    let with = |n, title, at| feed(&[FeedItem { description: text.to_owned(), ..item(n, title, at) }]);
    server.serve("aba", with(1, "Doorbells and the Fourth Amendment", hours_ago(5)));
    server.serve("law_com", with(2, "What Your Front Door Saw", hours_ago(3)));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    assert_eq!(list_clusters(&fixture).await, [cluster("aba", &["aba", "law_com"])]);
}

#[tokio::test]
async fn similar_titles_of_other_events_days_or_the_same_source_are_separate() {
    let server = FeedServer::start().await;
    let milbank = item(1, "Milbank Announces Year-End Bonuses for Associates", hours_ago(5));
    let cravath = item(2, "Cravath Announces Year-End Bonuses for Associates", hours_ago(4));
    server.serve("aba", feed(&[milbank, item(3, TITLES[0], hours_ago(1)), item(4, TITLES[2], hours_ago(2))]));
    server.serve("law_com", feed(&[cravath, item(5, TITLES[1], hours_ago(24 * 4))]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    let stories = list_clusters(&fixture).await;
    assert_eq!(stories.len(), 5);
    assert!(stories.iter().all(|(_, sources)| sources.len() == 1), "{stories:?}");
}

#[tokio::test]
async fn a_cluster_contains_one_article_of_a_source() {
    let server = FeedServer::start().await;
    server.serve("aba", one(1, TITLES[0], hours_ago(9)));
    server.serve("law_com", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    server.serve("law_com", feed(&[item(2, TITLES[1], hours_ago(5)), item(3, TITLES[2], hours_ago(3))]));
    fixture.refresh().await;
    assert_eq!(list_clusters(&fixture).await, [cluster("law_com", &["law_com"]), cluster("aba", &["aba", "law_com"])]);
}

#[tokio::test]
async fn the_next_copy_leads_after_the_leader_expires() {
    let server = FeedServer::start().await;
    let hours = 24 * 730;
    server.serve("aba", one(1, TITLES[0], hours_ago(hours - 1)));
    server.serve("law_com", one(2, TITLES[1], hours_ago(hours - 20)));
    server.serve("above_the_law", one(3, TITLES[2], hours_ago(hours - 30)));
    let fixture = Fixture::crawling(&server, &["aba", "law_com", "above_the_law"]).await;
    assert_eq!(list_clusters(&fixture).await, [cluster("aba", &["aba", "law_com", "above_the_law"])]);
    fixture.harness.clock.advance(TimeDelta::hours(2));
    fixture.refresh().await;
    assert_eq!(list_clusters(&fixture).await, [cluster("law_com", &["law_com", "above_the_law"])]);
    fixture.harness.clock.advance(TimeDelta::hours(60));
    fixture.refresh().await;
    assert_eq!(list_clusters(&fixture).await, []);
}

#[tokio::test]
async fn copies_written_concurrently_join_one_cluster() {
    const ALL: u32 = 60;
    let server = FeedServer::start().await;
    let sources = ["aba", "law_com", "above_the_law"];
    for (place, source) in sources.into_iter().enumerate() {
        let place = u32::try_from(place).unwrap();
        let stories: Vec<FeedItem> = (0..ALL)
            .map(|n| {
                let title = format!("Judge Number{n} Tosses Suit Against Company{n} Over Product{n}");
                // Each source is the earliest for a third of them.
                let at = hours_ago(i64::from(n) * 2) - TimeDelta::minutes(i64::from((n + place) % 3));
                item(n + ALL * place, &title, at)
            })
            .collect();
        server.serve(source, feed(&stories));
    }
    server.answer_next(0);
    let fixture = Fixture::starting(&server, &sources).await;
    server.wait_for_requests(3).await;
    server.answer_all();
    fixture.wait_until_idle().await;
    let stories = "select count(*) || ' of ' || min(copies) || ' to ' || max(copies)
        from (select count(*) as copies from news.articles group by story_id) stories";
    assert_eq!(fixture.column(stories).await, [format!("{ALL} of 3 to 3")]);
    let misled = "select a.title from news.articles a join news.articles lead on lead.id = a.story_id
        where a.listed_at < lead.listed_at or not lead.leads";
    assert_eq!(fixture.column(misled).await, Vec::<String>::new());
}

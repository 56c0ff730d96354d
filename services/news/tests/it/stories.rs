//! One story from several sources: joined, led by its earliest copy, listed once.

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::news::Article;

use crate::{
    newsroom::{Newsroom, of_source, page},
    press::{Page, Press, Story, feed, story},
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
    feed(&[story(n, title, at)])
}

fn tellers(article: &Article) -> Vec<&str> {
    article.copies.iter().map(|copy| copy.source.as_str()).collect()
}

/// The stories as the list shows them: who leads, who tells.
async fn told(newsroom: &Newsroom) -> Vec<(String, Vec<String>)> {
    let articles = newsroom.list(page(1)).await.unwrap().articles;
    let told = articles.iter().map(|a| (a.source.clone(), tellers(a).into_iter().map(str::to_owned).collect()));
    told.collect()
}

fn telling(lead: &str, all: &[&str]) -> (String, Vec<String>) {
    (lead.to_owned(), all.iter().map(|source| (*source).to_owned()).collect())
}

#[tokio::test]
async fn a_story_several_sources_tell_stands_once_and_names_them_all() {
    let press = Press::start().await;
    press.print("aba", one(1, TITLES[0], hours_ago(5)));
    press.print("law_com", one(2, TITLES[1], hours_ago(30)));
    press.print("above_the_law", one(3, TITLES[2], hours_ago(1)));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com", "above_the_law"]).await;
    assert_eq!(told(&newsroom).await, [telling("law_com", &["law_com", "aba", "above_the_law"])]);
    for (source, title) in [("aba", TITLES[0]), ("law_com", TITLES[1]), ("above_the_law", TITLES[2])] {
        assert_eq!(newsroom.titles(of_source(source)).await, [title], "under its own title");
    }
}

#[tokio::test]
async fn an_earlier_copy_that_comes_later_takes_the_whole_story_over() {
    let press = Press::start().await;
    press.print("aba", one(1, TITLES[0], hours_ago(5)));
    press.print("law_com", one(2, TITLES[1], hours_ago(3)));
    press.print("above_the_law", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com", "above_the_law"]).await;
    assert_eq!(told(&newsroom).await, [telling("aba", &["aba", "law_com"])]);
    press.print("above_the_law", one(3, TITLES[2], hours_ago(9)));
    assert_eq!(newsroom.refresh().await, 1);
    assert_eq!(told(&newsroom).await, [telling("above_the_law", &["above_the_law", "aba", "law_com"])]);
    let leading = "select count(distinct story_id)::text from news.articles";
    assert_eq!(newsroom.column(leading).await, ["1"], "all of it moved");
}

#[tokio::test]
async fn a_date_that_becomes_known_decides_anew_who_leads() {
    let press = Press::start().await;
    press.print("aba", one(1, TITLES[0], hours_ago(5)));
    press.print("law_com", feed(&[Story { date: "?".to_owned(), ..story(2, TITLES[1], now()) }]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    assert_eq!(told(&newsroom).await, [telling("aba", &["aba", "law_com"])]);
    press.print("law_com", one(2, TITLES[1], hours_ago(8)));
    newsroom.refresh().await;
    assert_eq!(told(&newsroom).await, [telling("law_com", &["law_com", "aba"])]);
}

#[tokio::test]
async fn the_same_text_under_another_title_is_the_same_story() {
    let text =
        "The justices held on Tuesday that officers may not watch what a doorbell has recorded without a warrant.";
    let press = Press::start().await;
    let with = |n, title, at| feed(&[Story { description: text.to_owned(), ..story(n, title, at) }]);
    press.print("aba", with(1, "Doorbells and the Fourth Amendment", hours_ago(5)));
    press.print("law_com", with(2, "What Your Front Door Saw", hours_ago(3)));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    assert_eq!(told(&newsroom).await, [telling("aba", &["aba", "law_com"])]);
}

#[tokio::test]
async fn stories_of_one_pattern_or_of_other_days_or_of_one_source_stand_alone() {
    let press = Press::start().await;
    let milbank = story(1, "Milbank Announces Year-End Bonuses for Associates", hours_ago(5));
    let cravath = story(2, "Cravath Announces Year-End Bonuses for Associates", hours_ago(4));
    press.print("aba", feed(&[milbank, story(3, TITLES[0], hours_ago(1)), story(4, TITLES[2], hours_ago(2))]));
    press.print("law_com", feed(&[cravath, story(5, TITLES[1], hours_ago(24 * 4))]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    let stories = told(&newsroom).await;
    assert_eq!(stories.len(), 5);
    assert!(stories.iter().all(|(_, tellers)| tellers.len() == 1), "{stories:?}");
}

#[tokio::test]
async fn a_source_tells_a_story_once() {
    let press = Press::start().await;
    press.print("aba", one(1, TITLES[0], hours_ago(9)));
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    press.print("law_com", feed(&[story(2, TITLES[1], hours_ago(5)), story(3, TITLES[2], hours_ago(3))]));
    newsroom.refresh().await;
    assert_eq!(told(&newsroom).await, [telling("law_com", &["law_com"]), telling("aba", &["aba", "law_com"])]);
}

#[tokio::test]
async fn when_the_leading_copy_goes_the_next_one_leads() {
    let press = Press::start().await;
    let hours = 24 * 730;
    press.print("aba", one(1, TITLES[0], hours_ago(hours - 1)));
    press.print("law_com", one(2, TITLES[1], hours_ago(hours - 20)));
    press.print("above_the_law", one(3, TITLES[2], hours_ago(hours - 30)));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com", "above_the_law"]).await;
    assert_eq!(told(&newsroom).await, [telling("aba", &["aba", "law_com", "above_the_law"])]);
    newsroom.harness.clock.advance(TimeDelta::hours(2));
    newsroom.refresh().await;
    assert_eq!(told(&newsroom).await, [telling("law_com", &["law_com", "above_the_law"])]);
    newsroom.harness.clock.advance(TimeDelta::hours(60));
    newsroom.refresh().await;
    assert_eq!(told(&newsroom).await, []);
}

#[tokio::test]
async fn copies_written_at_once_do_not_pass_each_other_by() {
    const ALL: u32 = 60;
    let press = Press::start().await;
    let sources = ["aba", "law_com", "above_the_law"];
    for (place, source) in sources.into_iter().enumerate() {
        let place = u32::try_from(place).unwrap();
        let stories: Vec<Story> = (0..ALL)
            .map(|n| {
                let title = format!("Judge Number{n} Tosses Suit Against Company{n} Over Product{n}");
                // Each source is the earliest of a third of them.
                let at = hours_ago(i64::from(n) * 2) - TimeDelta::minutes(i64::from((n + place) % 3));
                story(n + ALL * place, &title, at)
            })
            .collect();
        press.print(source, feed(&stories));
    }
    press.answer_only(0);
    let newsroom = Newsroom::beginning(&press, &sources).await;
    press.is_asked(3).await;
    press.answer_all();
    newsroom.settled().await;
    let stories = "select count(*) || ' of ' || min(told) || ' to ' || max(told)
        from (select count(*) as told from news.articles group by story_id) stories";
    assert_eq!(newsroom.column(stories).await, [format!("{ALL} of 3 to 3")]);
    let misled = "select a.title from news.articles a join news.articles lead on lead.id = a.story_id
        where a.listed_at < lead.listed_at or not lead.leads";
    assert_eq!(newsroom.column(misled).await, Vec::<String>::new());
}

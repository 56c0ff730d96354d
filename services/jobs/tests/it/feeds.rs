//! Feeds are windows of the newest entries: a displaced entry is not closed.

use chrono::{DateTime, TimeDelta};

use crate::{
    board_server::{BoardServer, Page},
    fixtures::Fixture,
};

/// One entry per day; number 1 is of 1 February 2026.
fn feed(entries: &[u32]) -> Page {
    let first = DateTime::from_timestamp(1_769_904_000, 0).unwrap();
    let items: String = entries
        .iter()
        .rev()
        .map(|n| {
            let at = (first + TimeDelta::days(i64::from(*n))).to_rfc2822();
            format!(
                "<item><title>Attorney {n:02}</title><link>https://jobs.example.org/{n}</link><pubDate>{at}</pubDate></item>"
            )
        })
        .collect();
    Page::of(format!("<rss version=\"2.0\"><channel><title>Jobs</title>{items}</channel></rss>"))
}

async fn crawled(entries: &[u32]) -> (BoardServer, Fixture) {
    let server = BoardServer::start().await;
    server.serve("/feed", feed(entries));
    let fixture = Fixture::crawling(&server, "rss:feed=Jobs").await;
    (server, fixture)
}

async fn refreshed(server: &BoardServer, fixture: &Fixture, page: Page, times: u32) -> Vec<String> {
    server.serve("/feed", page);
    for _ in 0..times {
        fixture.refresh().await;
    }
    fixture.assert_derived_rows().await;
    fixture.open_titles().await
}

#[tokio::test]
async fn a_displaced_entry_stays_and_a_removed_one_closes() {
    let (server, fixture) = crawled(&[1, 2, 3, 4]).await;
    let open = refreshed(&server, &fixture, feed(&[3, 4, 5, 6]), 4).await;
    assert_eq!(open, ["Attorney 01", "Attorney 02", "Attorney 03", "Attorney 04", "Attorney 05", "Attorney 06"]);
    assert_eq!(refreshed(&server, &fixture, feed(&[3, 5, 6]), 1).await, open, "once may be an accident");
    let left = ["Attorney 01", "Attorney 02", "Attorney 03", "Attorney 05", "Attorney 06"];
    assert_eq!(refreshed(&server, &fixture, feed(&[3, 5, 6]), 1).await, left);
}

#[tokio::test]
async fn a_displaced_entry_closes_after_sixty_days() {
    let (server, fixture) = crawled(&[1, 2, 3]).await;
    server.serve("/feed", feed(&[2, 3]));
    // The first one is sixty days old, the remaining entry nearly.
    fixture.harness.clock.advance(TimeDelta::days(34));
    assert_eq!(refreshed(&server, &fixture, feed(&[2, 3]), 2).await, ["Attorney 02", "Attorney 03"]);
    fixture.harness.clock.advance(TimeDelta::days(100));
    assert_eq!(refreshed(&server, &fixture, feed(&[2, 3]), 2).await, ["Attorney 02", "Attorney 03"]);
    assert_eq!(refreshed(&server, &fixture, feed(&[3]), 2).await, ["Attorney 03"]);
}

#[tokio::test]
async fn an_empty_feed_is_complete_and_an_undated_one_is_not() {
    let (server, fixture) = crawled(&[1, 2]).await;
    let undated = "<rss version=\"2.0\"><channel><title>Jobs</title><item><title>Attorney 09</title>
        <link>https://jobs.example.org/9</link></item></channel></rss>";
    assert_eq!(refreshed(&server, &fixture, Page::of(undated), 3).await.len(), 3);
    assert_eq!(refreshed(&server, &fixture, feed(&[]), 1).await.len(), 3);
    assert_eq!(refreshed(&server, &fixture, feed(&[]), 1).await, Vec::<String>::new());
}

/// A feed of these addresses with their titles.
fn titled(entries: &[(&str, &str)]) -> Page {
    let item = |(url, title): &(&str, &str)| format!("<item><title>{title}</title><link>{url}</link></item>");
    let items: String = entries.iter().map(item).collect();
    Page::of(format!("<rss version=\"2.0\"><channel><title>Jobs</title>{items}</channel></rss>"))
}

/// The id, title and address of each posting.
async fn rows(fixture: &Fixture) -> Vec<String> {
    let statement = "select id || ' ' || title || ' ' || external_url from jobs.postings order by title";
    sqlx::query_scalar(statement).fetch_all(fixture.harness.pool()).await.unwrap()
}

#[tokio::test]
async fn entries_at_nearly_the_same_address_are_separate_and_stay_so() {
    let server = BoardServer::start().await;
    let entries = [
        ("https://ats.example/apply?ref=REQ-1", "Attorney 1"),
        ("https://ats.example/apply?ref=REQ-2", "Attorney 2"),
        ("https://spajobs.example/#/job/11", "Attorney 3"),
        ("https://spajobs.example/#/job/12", "Attorney 4"),
        ("https://firm.example/careers", "Attorney 5"),
        ("https://firm.example/careers", "Attorney 6"),
        ("/jobs/7", "Attorney 7"),
    ];
    server.serve("/feed", titled(&entries[..2]));
    let fixture = Fixture::crawling(&server, "rss:feed=Jobs").await;
    let first = rows(&fixture).await;
    assert_eq!(first.len(), 2);
    server.serve("/feed", titled(&entries));
    assert_eq!(fixture.refresh().await, 5);
    let all = rows(&fixture).await;
    assert_eq!(all[..2], first[..]);
    assert!(all[6].ends_with("/jobs/7"), "relative to the feed: {}", all[6]);
    let mut turned = entries;
    turned.reverse();
    server.serve("/feed", titled(&turned));
    assert_eq!(fixture.refresh().await, 0);
    assert_eq!(rows(&fixture).await, all, "the next crawl changes nothing");
    fixture.assert_derived_rows().await;
}

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
